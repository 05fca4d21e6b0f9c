# SPDX-License-Identifier: MIT
# Check that PROGRAM prints what the first comment of its SOURCE says: the lines that are set in by four spaces.
cmake_minimum_required(VERSION 3.18)
file(STRINGS ${SOURCE} lines REGEX "^ \\*     ")
list(TRANSFORM lines REPLACE "^ \\*     | \\*/$" "")
list(JOIN lines "\n" expected)
execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output STREQUAL "${expected}\n")
    message(FATAL_ERROR "${PROGRAM}: ${result}, printed\n${output}instead of\n${expected}")
endif()
