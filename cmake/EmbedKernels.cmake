# Run as a script at build time: turn kernels/FOLDER/*.cl and kernels/FOLDER/parts/*.cl into kernels_FOLDER.c and .h, whose symbols
# clprim__source_FOLDER_NAME hold the files' bytes, and which files each of them includes.
#   cmake -DFOLDER=reduce -DKERNELS=<dir of kernels> -DOUT=<dir> -P EmbedKernels.cmake
cmake_minimum_required(VERSION 3.18)
file(GLOB files ${KERNELS}/${FOLDER}/*.cl ${KERNELS}/${FOLDER}/parts/*.cl)
list(SORT files)
set(header "/* Made by EmbedKernels.cmake from kernels/${FOLDER}. */\n#include \"source.h\"\n\n")
set(source "/* Made by EmbedKernels.cmake from kernels/${FOLDER}. */\n#include \"kernels_${FOLDER}.h\"\n")

# The symbol of a file, from its path below kernels/.
function(symbol_of path out_var)
    string(REGEX REPLACE "^([a-z_]+)/(parts/)?([a-z0-9_]+)\\.cl$" "clprim__source_\\1_\\3" symbol "${path}")
    set(${out_var} ${symbol} PARENT_SCOPE)
endfunction()

set(others)
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    file(RELATIVE_PATH path ${KERNELS} ${file})
    symbol_of(${path} symbol)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n    "
        bytes "${bytes}")
    file(STRINGS ${file} lines REGEX "^#include \"[^\"]+\"")
    set(includes)
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
        if(NOT EXISTS ${KERNELS}/${included})
            message(FATAL_ERROR "kernels/${path} includes \"${included}\": there is no kernels/${included}")
        endif()
        symbol_of(${included} other)
        if(NOT included MATCHES "^${FOLDER}/" AND NOT other IN_LIST others)
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
