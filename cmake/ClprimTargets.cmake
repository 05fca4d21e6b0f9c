# SPDX-License-Identifier: MIT
# Targets: objects are compiled once and go into one static library each and into the whole.

# A release is the same wherever it is built. (Elsewhere debuggers are to find the sources.)
include(CheckCCompilerFlag)
check_c_compiler_flag(-ffile-prefix-map=from=to CLPRIM_HAVE_FILE_PREFIX_MAP)

function(clprim_set_options target)
    target_compile_features(${target} PUBLIC c_std_11)
    set_target_properties(${target} PROPERTIES C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:
            -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wconversion -Wno-sign-conversion
            -Wdouble-promotion -Wvla -Wundef>
            $<$<COMPILE_LANG_AND_ID:C,Clang>:-Wno-missing-field-initializers>) # an array is {buffer} or {buffer, offset}
        if(CLPRIM_HAVE_FILE_PREFIX_MAP)
            target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.
                -ffile-prefix-map=${PROJECT_BINARY_DIR}=.>)
        endif()
        if(MINGW) # whose isnan and the like convert to each type, in branches that are not taken
            target_compile_options(${target} PRIVATE -Wno-float-conversion)
        endif()
        if(CLPRIM_WERROR)
            target_compile_options(${target} PRIVATE -Werror)
        endif()
    endif()
    clprim_sanitize(${target})
endfunction()

function(clprim_sanitize target)
    if(CLPRIM_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${CLPRIM_SANITIZE} -fno-omit-frame-pointer
            -fno-sanitize-recover=all)
        target_link_options(${target} PUBLIC -fsanitize=${CLPRIM_SANITIZE})
    endif()
    if(CLPRIM_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
        target_link_options(${target} PUBLIC -fsanitize=fuzzer-no-link)
    endif()
endfunction()

# What is made before anything can be compiled, or checked.
add_custom_target(clprim_generated)

# Embeds kernels/FOLDER, or as FOLDER device the public headers that are for kernels; the generated source is left in OUT_VAR.
function(clprim_embed_kernels folder out_var)
    set(out ${PROJECT_BINARY_DIR}/kernels)
    set(there ${PROJECT_SOURCE_DIR}/kernels/${folder})
    if(folder STREQUAL "device")
        set(there ${PROJECT_SOURCE_DIR}/include/clprim/device)
    endif()
    file(GLOB files CONFIGURE_DEPENDS ${there}/*.cl ${there}/*.h ${there}/parts/*.cl)
    if(NOT files)
        message(FATAL_ERROR "kernels/${folder} has no .cl file")
    endif()
    set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedKernels.cmake)
    # Changes only with the set of files: makes the command run for one removed, or added with an old date.
    set(names ${out}/kernels_${folder}.txt)
    file(GENERATE OUTPUT ${names} CONTENT "${files}\n")
    add_custom_command(OUTPUT ${out}/kernels_${folder}.c ${out}/kernels_${folder}.h
        COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DTHERE=${there} -DSOURCES=${PROJECT_SOURCE_DIR} -DOUT=${out} -P ${script}
        DEPENDS ${files} ${names} ${script} VERBATIM)
    add_custom_target(clprim_kernels_${folder} DEPENDS ${out}/kernels_${folder}.c)
    add_dependencies(clprim_generated clprim_kernels_${folder})
    set(${out_var} ${out}/kernels_${folder}.c PARENT_SCOPE)
endfunction()

# Embeds the text that clprim_device_source gives; the generated source is left in OUT_VAR.
function(clprim_embed_device out_var)
    set(out ${PROJECT_BINARY_DIR}/kernels/device_headers.c)
    set(there ${PROJECT_SOURCE_DIR}/include/clprim/device)
    file(GLOB files CONFIGURE_DEPENDS ${there}/*.h)
    set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedDevice.cmake)
    # Changes only with the set of files: makes the command run for one removed, or added with an old date.
    set(names ${PROJECT_BINARY_DIR}/kernels/device_headers.txt)
    file(GENERATE OUTPUT ${names} CONTENT "${files}\n")
    add_custom_command(OUTPUT ${out} COMMAND ${CMAKE_COMMAND} -DHEADERS=${there} -DOUT=${out} -P ${script}
        DEPENDS ${files} ${names} ${script} VERBATIM)
    add_custom_target(clprim_device_headers DEPENDS ${out})
    add_dependencies(clprim_generated clprim_device_headers)
    set(${out_var} ${out} PARENT_SCOPE)
endfunction()

# Where public headers are before they are installed: in the sources, and what is made of them.
set(CLPRIM_INCLUDES ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)

# clprim/operations.h, by which everything written in C and C++ knows all operations.
function(clprim_write_operations)
    set(clprim_includes)
    set(clprim_rows)
    foreach(stem IN LISTS CLPRIM_PRIMITIVES)
        string(APPEND clprim_includes "#include <clprim/${stem}.h>\n")
        string(APPEND clprim_rows " \\\n    X(${stem})")
    endforeach()
    configure_file(${PROJECT_SOURCE_DIR}/cmake/operations.h.in ${PROJECT_BINARY_DIR}/include/clprim/operations.h @ONLY)
endfunction()

# The groups of the library's foundation: headers are included by their names alone.
set(CLPRIM_RUNTIME_FOLDERS ${PROJECT_SOURCE_DIR}/kernels) # whose lists of arguments both sides include
foreach(group IN ITEMS base device launch pieces plan platform program runtimes trace trial
        tuning)
    list(APPEND CLPRIM_RUNTIME_FOLDERS ${PROJECT_SOURCE_DIR}/lib/runtime/${group})
endforeach()

# What is written for each system anew.
set(CLPRIM_SYSTEM posix)
if(WIN32)
    set(CLPRIM_SYSTEM windows)
endif()
set(CLPRIM_PLATFORM ${PROJECT_SOURCE_DIR}/lib/runtime/platform/platform_${CLPRIM_SYSTEM}.c)

function(clprim_add_library name)
    add_library(clprim_${name}_objects OBJECT ${ARGN})
    target_include_directories(clprim_${name}_objects
        PUBLIC "$<BUILD_INTERFACE:${CLPRIM_INCLUDES}>" $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
        PRIVATE ${CLPRIM_RUNTIME_FOLDERS} ${PROJECT_BINARY_DIR}/kernels)
    target_compile_definitions(clprim_${name}_objects PRIVATE CLPRIM_BUILDING _POSIX_C_SOURCE=200809L)
    target_link_libraries(clprim_${name}_objects PUBLIC OpenCL::OpenCL Threads::Threads)
    clprim_set_options(clprim_${name}_objects)
    add_dependencies(clprim_${name}_objects clprim_generated)
    add_library(clprim_${name} STATIC $<TARGET_OBJECTS:clprim_${name}_objects>)
    add_library(clprim::${name} ALIAS clprim_${name})
    set_target_properties(clprim_${name} PROPERTIES EXPORT_NAME ${name})
    clprim_public_interface(clprim_${name})
    clprim_sanitize(clprim_${name})
endfunction()

function(clprim_public_interface target)
    target_include_directories(${target} INTERFACE
        "$<BUILD_INTERFACE:${CLPRIM_INCLUDES}>" $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} PUBLIC OpenCL::OpenCL Threads::Threads m)
endfunction()

function(clprim_add_runtime)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/runtime/*/*.c)
    list(FILTER sources EXCLUDE REGEX "/platform_[a-z]+\\.c$")
    list(APPEND sources ${CLPRIM_PLATFORM})
    clprim_embed_kernels(common kernels)
    clprim_embed_kernels(device layer)
    clprim_embed_device(device_headers)
    clprim_add_library(runtime ${sources} ${kernels} ${layer} ${device_headers})
endfunction()

# A primitive has one place in every folder; a missing one is an error here rather than a surprise later. Those given
# behind its stem are what it is built from: it may have no kernels of its own.
function(clprim_add_primitive stem)
    set(places include/clprim/${stem}.h lib/${stem}/${stem}.c)
    if(CLPRIM_BUILD_TESTS)
        list(APPEND places tests/${stem}/test_${stem}.c)
    endif()
    if(CLPRIM_BUILD_BENCHMARKS)
        list(APPEND places benchmarks/bench_${stem}.cpp)
    endif()
    foreach(place IN LISTS places)
        if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${place})
            message(FATAL_ERROR "the primitive ${stem} lacks ${place}")
        endif()
    endforeach()
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/${stem}/*.c)
    set(kernels)
    if(NOT ARGN OR EXISTS ${PROJECT_SOURCE_DIR}/kernels/${stem})
        clprim_embed_kernels(${stem} kernels)
    endif()
    clprim_add_library(${stem} ${sources} ${kernels})
    foreach(base IN ITEMS runtime LISTS ARGN)
        target_include_directories(clprim_${stem}_objects PRIVATE ${PROJECT_SOURCE_DIR}/lib/${base})
        target_link_libraries(clprim_${stem} PUBLIC clprim_${base})
    endforeach()
endfunction()

# What knows all primitives, and so is built on them all, or on another such library.
function(clprim_add_over_all name)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/${name}/*.c)
    clprim_add_library(${name} ${sources})
    foreach(base IN ITEMS runtime LISTS ARGN)
        target_include_directories(clprim_${name}_objects PRIVATE ${PROJECT_SOURCE_DIR}/lib/${base})
        target_link_libraries(clprim_${name} PUBLIC clprim_${base})
    endforeach()
endfunction()

function(clprim_add_whole)
    if(CLPRIM_SHARED)
        set(objects $<TARGET_OBJECTS:clprim_runtime_objects>)
        foreach(stem IN LISTS ARGN)
            list(APPEND objects $<TARGET_OBJECTS:clprim_${stem}_objects>)
        endforeach()
        add_library(clprim SHARED ${objects})
        set_target_properties(clprim PROPERTIES VERSION ${PROJECT_VERSION}
            SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE C)
        target_compile_definitions(clprim INTERFACE CLPRIM_SHARED)
        clprim_public_interface(clprim)
        clprim_sanitize(clprim)
    else()
        add_library(clprim INTERFACE)
        foreach(stem IN LISTS ARGN)
            target_link_libraries(clprim INTERFACE clprim_${stem})
        endforeach()
    endif()
    add_library(clprim::clprim ALIAS clprim)
endfunction()

# What calls MPI: on top of the public interface of the whole library, since programs that do without MPI must not need it.
function(clprim_add_mpi)
    add_library(clprim_mpi STATIC ${PROJECT_SOURCE_DIR}/lib/mpi/mpi_comm.c)
    add_library(clprim::mpi ALIAS clprim_mpi)
    target_compile_definitions(clprim_mpi PRIVATE _POSIX_C_SOURCE=200809L)
    target_link_libraries(clprim_mpi PUBLIC clprim MPI::MPI_C)
    set_target_properties(clprim_mpi PROPERTIES EXPORT_NAME mpi)
    clprim_set_options(clprim_mpi)
    add_dependencies(clprim_mpi clprim_generated)
endfunction()

# In CLPRIM_MPI_ENVIRONMENT: more processes than cores, also where root builds in a container. Open MPI, 4 and 5, reads that
# in the environment, others do not mind.
function(clprim_find_mpi_environment)
    set(environment OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe)
    execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(user STREQUAL "0")
        list(APPEND environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
    endif()
    set(CLPRIM_MPI_ENVIRONMENT "${environment}" PARENT_SCOPE)
endfunction()

# A test that runs a program, a target or any other, in `size` processes.
function(clprim_add_mpi_test name size program)
    if(TARGET ${program})
        set(program $<TARGET_FILE:${program}>)
    endif()
    set(slots)
    if(CLPRIM_SLOTS)
        set(slots ${CLPRIM_SLOTS} ${size})
    endif()
    add_test(NAME ${name} COMMAND ${slots} ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${size} ${MPIEXEC_PREFLAGS} ${program}
        ${MPIEXEC_POSTFLAGS} ${ARGN})
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 ENVIRONMENT "${CLPRIM_TEST_ENVIRONMENT};${CLPRIM_MPI_ENVIRONMENT}")
endfunction()
