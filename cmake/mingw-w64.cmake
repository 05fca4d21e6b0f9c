# SPDX-License-Identifier: MIT
# For Windows by MinGW-w64, from any other system:
#     cmake -DCMAKE_TOOLCHAIN_FILE=cmake/mingw-w64.cmake -DOpenCL_INCLUDE_DIR=... -DOpenCL_LIBRARY=...
# (./dev windows makes the import library of OpenCL.dll that is needed for that.) What is built needs no other DLL than
# those of Windows and OpenCL: the compiler's libraries are linked statically.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(prefix x86_64-w64-mingw32)
set(CMAKE_C_COMPILER ${prefix}-gcc-posix)
set(CMAKE_CXX_COMPILER ${prefix}-g++-posix)
set(CMAKE_RC_COMPILER ${prefix}-windres)
set(CMAKE_FIND_ROOT_PATH /usr/${prefix})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
find_program(CLPRIM_WINE NAMES wine)
if(CLPRIM_WINE)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${CLPRIM_WINE})
endif()
