# SPDX-License-Identifier: MIT
# Tests of what cross compilers have built, on Windows and on other processors: MinGW-w64's under Wine, whose OpenCL.dll passes
# calls on to the system's drivers, others by qemu (tests/processors/run.sh). They are few: what is the same everywhere is
# tested on Linux.
find_package(Python3 COMPONENTS Interpreter)

# The library exports what it exports on Linux, and nothing else.
set(reader ${CMAKE_NM})
if(WIN32)
    set(reader ${CMAKE_OBJDUMP})
endif()
add_test(NAME symbols COMMAND ${CMAKE_COMMAND} -DNM=${reader} -DLIBRARY=$<TARGET_FILE:clprim>
    -DINCLUDE=${PROJECT_SOURCE_DIR}/include -DLIST=${CMAKE_CURRENT_SOURCE_DIR}/symbols.txt -DVERSION=${PROJECT_VERSION}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/symbols.cmake)

add_executable(threads threads.c) # linked with a static library
target_link_libraries(threads PRIVATE clprim_reduce)
target_compile_definitions(threads PRIVATE _POSIX_C_SOURCE=200809L)
clprim_set_options(threads)
add_test(NAME threads COMMAND threads)
set_tests_properties(threads PROPERTIES ENVIRONMENT "${CLPRIM_TEST_ENVIRONMENT}")

# Random calls of all operations, and what they refuse
add_executable(soak random/soak.c random/model.c random/model_call.c support/describe.c)
target_include_directories(soak PRIVATE random support ${CLPRIM_RUNTIME_FOLDERS} ${PROJECT_SOURCE_DIR}/lib/operations)
target_compile_definitions(soak PRIVATE _POSIX_C_SOURCE=200809L SANITIZERS="")
target_link_libraries(soak PRIVATE clprim_operations)
clprim_set_options(soak)
add_test(NAME soak COMMAND soak)
set_tests_properties(soak PROPERTIES TIMEOUT 600 ENVIRONMENT "${CLPRIM_TEST_ENVIRONMENT}")

if(CLPRIM_BUILD_CLI)
    add_test(NAME self_test COMMAND clprim_cli self-test --quick)
    set_tests_properties(self_test PROPERTIES TIMEOUT 600 ENVIRONMENT "${CLPRIM_TEST_ENVIRONMENT}")
endif()
if(WIN32 AND CLPRIM_BUILD_CLI AND Python3_FOUND AND CMAKE_CROSSCOMPILING_EMULATOR)
    add_test(NAME test_cli_windows COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.py
        $<TARGET_FILE:clprim_cli> *Windows*)
    add_test(NAME test_cli COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/cli/run.py
        $<TARGET_FILE:clprim_cli>)
    set_tests_properties(test_cli test_cli_windows PROPERTIES TIMEOUT 1800 SKIP_RETURN_CODE 77
        ENVIRONMENT "${CLPRIM_TEST_ENVIRONMENT};CLPRIM_WINE=${CMAKE_CROSSCOMPILING_EMULATOR}")
endif()

# The contract's programs, if there is Criterion: for Windows its sources
set(CLPRIM_CRITERION "" CACHE PATH "Folder with sources of Criterion for Windows")
set(criterion)
set(CLPRIM_CRITERION_ENVIRONMENT "CRITERION_JOBS=1;${CLPRIM_TEST_ENVIRONMENT}")
if(CLPRIM_CRITERION)
    add_subdirectory(criterion)
    set(criterion criterion)
    # Wine's OpenCL.dll has no functions of extensions; clSVMAlloc ends the program there.
    list(APPEND CLPRIM_CRITERION_ENVIRONMENT CLPRIM_WITHOUT=svm,command_buffers,native_kernels)
elseif(NOT WIN32)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(CRITERION IMPORTED_TARGET criterion)
    if(CRITERION_FOUND)
        set(criterion PkgConfig::CRITERION)
    endif()
endif()
if(criterion)
    clprim_add_test_support(${criterion})
    list(TRANSFORM CLPRIM_PRIMITIVES PREPEND clprim_ OUTPUT_VARIABLE primitives)
    clprim_add_contract(${primitives} clprim_self_test clprim_operations clprim_distributed)
endif()
