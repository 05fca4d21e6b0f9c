# SPDX-License-Identifier: MIT
# Check that COMMAND ends by itself, fails, and prints text that matches EXPECTED and does not match FORBIDDEN.
cmake_minimum_required(VERSION 3.18)
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 120)
message("${output}")
if(result EQUAL 0 OR result MATCHES "timeout")
    message(FATAL_ERROR "${COMMAND}: ${result}")
endif()
if(NOT output MATCHES "${EXPECTED}")
    message(FATAL_ERROR "it does not say \"${EXPECTED}\"")
endif()
if(FORBIDDEN AND output MATCHES "${FORBIDDEN}")
    message(FATAL_ERROR "it says \"${FORBIDDEN}\"")
endif()
