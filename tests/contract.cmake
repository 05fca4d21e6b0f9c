# SPDX-License-Identifier: MIT
# What runs wherever there is Criterion: the code that all tests with it share, and the contract's programs.

# clprim_add_test_support(CRITERION): with this target
function(clprim_add_test_support criterion)
    if(NOT WIN32) # The number of tests that may use the device at once, in all programs of this build together
        add_library(clprim_test_slots STATIC support/slots.c)
        target_link_libraries(clprim_test_slots PUBLIC clprim_runtime)
        target_include_directories(clprim_test_slots PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/support PRIVATE ${CLPRIM_RUNTIME_FOLDERS})
        target_compile_definitions(clprim_test_slots PUBLIC _DEFAULT_SOURCE CLPRIM_TEST_SLOTS="${CMAKE_CURRENT_BINARY_DIR}/slots")
        clprim_set_options(clprim_test_slots)
    endif()
    set(names support describe call orders operators files commands ordered cases folds inputs shared outputs picked records
        sample short sums unoptimized context)
    list(APPEND names files_${CLPRIM_SYSTEM})
    list(TRANSFORM names REPLACE "(.+)" "support/\\1.c")
    add_library(clprim_test_support STATIC ${names})
    target_link_libraries(clprim_test_support PUBLIC clprim_operations clprim_comparison_sort clprim_merge clprim_runtime
        $<TARGET_NAME_IF_EXISTS:clprim_test_slots> ${criterion} m)
    target_include_directories(clprim_test_support PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/support ${CLPRIM_RUNTIME_FOLDERS}
        ${PROJECT_SOURCE_DIR}/lib/operations
        ${PROJECT_BINARY_DIR}/kernels)
    target_compile_definitions(clprim_test_support PUBLIC _POSIX_C_SOURCE=200809L
        CLPRIM_TEST_KERNEL_DIR="${PROJECT_SOURCE_DIR}/kernels")
    foreach(name IN ITEMS clBuildProgram clCreateContext) # unoptimized.c, context.c
        target_link_options(clprim_test_support INTERFACE -Wl,--wrap=${name} -Wl,--undefined=__wrap_${name})
    endforeach()
    clprim_set_options(clprim_test_support)
    if(MINGW) # for which Criterion's functions have Windows' formats; they are checked on Linux
        target_compile_options(clprim_test_support PUBLIC -Wno-format -Wno-format-extra-args)
    endif()
endfunction()

# clprim_add_native_test(NAME): test NAME once more with code of the host where there is some. The other variants, which are
# kernels, are left out.
function(clprim_add_native_test name)
    set(without)
    if(MINGW) # crossed.cmake says why
        set(without svm,command_buffers)
    endif()
    add_test(NAME native_${name} COMMAND test_${name})
    set_tests_properties(native_${name} PROPERTIES TIMEOUT 1800
        ENVIRONMENT "${CLPRIM_CRITERION_ENVIRONMENT};CLPRIM_WITHOUT=${without};CLPRIM_TEST_NATIVE=1")
endfunction()

# clprim_add_contract(LIBRARY...): promises that all operations make, tested through their tables; sizes near powers of
# two, also with sanitizers; and groups without forward progress. The libraries are those of all operations.
function(clprim_add_contract)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/contract/test_contract*.c)
    add_executable(test_contract ${sources})
    target_compile_definitions(test_contract PRIVATE CLPRIM_TEST_SYMBOLS="${CMAKE_CURRENT_SOURCE_DIR}/symbols.txt"
        CLPRIM_TEST_SCALE="${PROJECT_SOURCE_DIR}/docs/scale.md")
    add_executable(test_sizes contract/test_sizes.c)
    add_executable(test_fallback contract/test_fallback.c)
    foreach(name IN ITEMS contract sizes fallback)
        target_sources(test_${name} PRIVATE contract/contract.c)
        target_link_libraries(test_${name} PRIVATE ${ARGN} clprim_test_support)
        target_include_directories(test_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/contract
            ${PROJECT_SOURCE_DIR}/lib/operations)
        clprim_set_options(test_${name})
        target_compile_options(test_${name} PRIVATE -Wno-conversion -Wno-missing-prototypes)
        add_test(NAME ${name} COMMAND test_${name})
        set_tests_properties(${name} PROPERTIES TIMEOUT 1800 ENVIRONMENT "${CLPRIM_CRITERION_ENVIRONMENT}")
    endforeach()
    clprim_add_native_test(contract)
endfunction()
