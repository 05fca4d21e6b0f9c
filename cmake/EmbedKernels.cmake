# Run as a script at build time: turn kernels/FOLDER/*.cl and kernels/FOLDER/parts/*.cl into kernels_FOLDER.c and .h, whose symbols
# clprim__source_FOLDER_NAME hold the files' bytes.
#   cmake -DFOLDER=reduce -DKERNELS=<dir of kernels> -DOUT=<dir> -P EmbedKernels.cmake
file(GLOB files ${KERNELS}/${FOLDER}/*.cl ${KERNELS}/${FOLDER}/parts/*.cl)
list(SORT files)
set(header "/* Made by EmbedKernels.cmake from kernels/${FOLDER}. */\n#include \"source.h\"\n\n")
set(source "/* Made by EmbedKernels.cmake from kernels/${FOLDER}. */\n#include \"kernels_${FOLDER}.h\"\n")
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    file(RELATIVE_PATH path ${KERNELS} ${file})
    set(symbol clprim__source_${FOLDER}_${name})
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n    "
        bytes "${bytes}")
    string(APPEND header "extern const clprim__source ${symbol};\n")
    string(APPEND source "\nstatic const unsigned char bytes_of_${name}[] = {\n    ${bytes}0x00};\n"
        "const clprim__source ${symbol} = {\"${path}\", bytes_of_${name}, sizeof bytes_of_${name} - 1};\n")
endforeach()
file(WRITE ${OUT}/kernels_${FOLDER}.h "${header}")
file(WRITE ${OUT}/kernels_${FOLDER}.c "${source}")
