# SPDX-License-Identifier: MIT
# Check that PROGRAM with OPTION (if any) succeeds, and that for each regular expression in EXPECTED it prints a line
# that begins with a match. Several spaces count as one.
cmake_minimum_required(VERSION 3.18)
execute_process(COMMAND ${PROGRAM} ${OPTION} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${PROGRAM}: ${result}")
endif()
string(REGEX REPLACE " +" " " output "${output}")
foreach(line IN LISTS EXPECTED)
    if(NOT output MATCHES "\n ?${line}")
        message(SEND_ERROR "no line begins with \"${line}\"")
    endif()
endforeach()
