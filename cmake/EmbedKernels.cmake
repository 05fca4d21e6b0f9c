# SPDX-License-Identifier: MIT
# Run as a script at build time: turn the files of a folder and its parts/ into kernels_FOLDER.c and .h, whose symbols
# clprim__source_FOLDER_NAME hold the files' bytes, and which files each of them includes.
#   cmake -DFOLDER=reduce -DTHERE=<dir of these files> -DSOURCES=<dir with kernels/ and include/> -DOUT=<dir>
#       -P EmbedKernels.cmake
cmake_minimum_required(VERSION 3.18)
file(GLOB files ${THERE}/*.cl ${THERE}/*.h ${THERE}/parts/*.cl)
list(SORT files)
set(header "/* Made by EmbedKernels.cmake: the files of ${FOLDER}. */\n#include \"source.h\"\n\n")
set(source "/* Made by EmbedKernels.cmake: the files of ${FOLDER}. */\n#include \"kernels_${FOLDER}.h\"\n")

# The symbol of a file, from the path by which it is included.
function(symbol_of path out_var)
    get_filename_component(folder ${path} DIRECTORY)
    get_filename_component(name ${path} NAME)
    string(REGEX REPLACE "^clprim/|/parts$" "" folder ${folder})
    string(REGEX REPLACE "\\.cl$" "" name ${name})
    string(MAKE_C_IDENTIFIER clprim__source_${folder}_${name} symbol)
    set(${out_var} ${symbol} PARENT_SCOPE)
endfunction()

set(others)
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${name} name)
    string(REGEX REPLACE "^.*/(kernels|include)/" "" path ${file})
    symbol_of(${path} symbol)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n    "
        bytes "${bytes}")
    file(STRINGS ${file} lines REGEX "^#include [\"<]")
    set(includes)
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^#include [\"<]([^\">]+).*" "\\1" included "${line}")
        if(NOT EXISTS ${SOURCES}/kernels/${included} AND NOT EXISTS ${SOURCES}/include/${included})
            message(FATAL_ERROR "${path} includes ${included}: there is no such file")
        endif()
        symbol_of(${included} other)
        if(NOT included MATCHES "^(clprim/)?${FOLDER}/" AND NOT other IN_LIST others)
            list(APPEND others ${other})
        endif()
        string(APPEND includes "&${other}, ")
    endforeach()
    string(APPEND header "extern const clprim__source ${symbol};\n")
    string(APPEND source "\nstatic const unsigned char bytes_of_${name}[] = {\n    ${bytes}0x00};\n"
        "static const clprim__source *const includes_of_${name}[] = {${includes}0};\n"
        "const clprim__source ${symbol} = {\"${path}\", bytes_of_${name}, sizeof bytes_of_${name} - 1, includes_of_${name}};\n")
endforeach()
foreach(other IN LISTS others)
    string(APPEND header "extern const clprim__source ${other};\n")
endforeach()
file(WRITE ${OUT}/kernels_${FOLDER}.h "${header}")
file(WRITE ${OUT}/kernels_${FOLDER}.c "${source}")
