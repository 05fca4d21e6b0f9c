# SPDX-License-Identifier: MIT
# Run as a script at build time: turn a text file into a C array of its characters, with a final 0.
#   cmake -DFILE=<file> -DNAME=<of the array> -DOUT=<C file> -P EmbedText.cmake
cmake_minimum_required(VERSION 3.18)
file(READ ${FILE} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
string(REGEX REPLACE "(....................................................................................)" "\\1\n    "
    bytes "${bytes}")
get_filename_component(name ${FILE} NAME)
file(WRITE ${OUT} "/* Made by EmbedText.cmake from ${name}. */\nextern const char ${NAME}[];\nconst char ${NAME}[] = {\n    ${bytes}0};\n")
