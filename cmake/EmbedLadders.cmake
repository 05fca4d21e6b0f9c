# SPDX-License-Identifier: MIT
# Run as a script at build time: turn the steps of ladders (benchmarks/ladders.csv) and the sentence "Why: ..." in the
# head of each one's kernel into initialisers, for examples/common/ladder.c.
# Behind it stands what a trace has counted (benchmarks/counted.csv).
#   cmake -DLADDERS=<ladders.csv> -DCOUNTED=<counted.csv> -DKERNELS=<kernels/> -DOUT=<file> -P EmbedLadders.cmake
cmake_minimum_required(VERSION 3.18)
file(STRINGS ${LADDERS} lines REGEX "^[a-z_]+,[a-z_]+,(step|aside),")
file(READ ${COUNTED} counted)
set(rows "/* Made by EmbedLadders.cmake. */\n")
foreach(line IN LISTS lines)
    string(REGEX MATCH "^([a-z_]+),([a-z_]+),([a-z]+)," line "${line}")
    set(operation ${CMAKE_MATCH_1})
    set(variant ${CMAKE_MATCH_2})
    set(is_step false)
    if(CMAKE_MATCH_3 STREQUAL "step")
        set(is_step true)
    endif()
    set(kernel ${KERNELS}/${operation}/${variant}.cl)
    if(NOT EXISTS ${kernel})
        continue() # no variant, such as a sum with a copy
    endif()
    file(READ ${kernel} text)
    if(NOT text MATCHES "Why: ([^.]+\\.)")
        message(FATAL_ERROR "${kernel}: its head does not say why the step is as fast as it is (Why: ...)")
    endif()
    string(REGEX REPLACE "\n \\* " " " why "${CMAKE_MATCH_1}")
    if(counted MATCHES "\n${operation},${variant},\"([^\"]*)\"")
        string(APPEND why " (${CMAKE_MATCH_1})")
    endif()
    string(APPEND rows "{\"${operation}\", \"${variant}\", ${is_step}, \"${why}\"},\n")
endforeach()
file(WRITE ${OUT} "${rows}")
