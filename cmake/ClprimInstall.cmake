# SPDX-License-Identifier: MIT
# Headers, libraries, and what find_package(clprim) and pkg-config read. Components: `library` is what programs need that
# run, `development` what is built against; the tool and Python's module have their own.
include(CMakePackageConfigHelpers)

set(installed clprim clprim_runtime)
foreach(stem IN LISTS CLPRIM_PRIMITIVES ITEMS self_test operations distributed)
    list(APPEND installed clprim_${stem})
endforeach()
install(TARGETS ${installed} EXPORT clprimTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library)
set(without)
if(NOT TARGET clprim_mpi)
    set(without PATTERN mpi.h EXCLUDE)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/clprim ${PROJECT_BINARY_DIR}/include/clprim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development ${without})

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/clprim)
install(EXPORT clprimTargets NAMESPACE clprim:: DESTINATION ${config_dir} COMPONENT development)
# A file of its own, which is read only where the component is asked for: others need not have MPI.
if(TARGET clprim_mpi)
    install(TARGETS clprim_mpi EXPORT clprimMpiTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
    install(EXPORT clprimMpiTargets NAMESPACE clprim:: DESTINATION ${config_dir} COMPONENT development)
endif()
set(CLPRIM_self_test_IS_BUILT_ON operations)
set(CLPRIM_operations_IS_BUILT_ON ${CLPRIM_PRIMITIVES})
list(JOIN CLPRIM_PRIMITIVES " " CLPRIM_COMPONENTS)
string(APPEND CLPRIM_COMPONENTS " self_test operations distributed")
if(TARGET clprim_mpi)
    string(APPEND CLPRIM_COMPONENTS " mpi")
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/clprimConfig.cmake.in
    ${PROJECT_BINARY_DIR}/clprimConfig.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/clprimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/clprimConfig.cmake ${PROJECT_BINARY_DIR}/clprimConfigVersion.cmake
    DESTINATION ${config_dir} COMPONENT development)

# One .pc for the whole, and one for each static library, which requires those it is built on: the linker wants them behind
# it. A .pc finds its prefix from its own place, so that cmake --install --prefix may choose another.
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})

function(clprim_install_pc pc_name pc_description pc_requires pc_libs)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/clprim.pc.in ${PROJECT_BINARY_DIR}/${pc_name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)
endfunction()

set(all_requires)
set(pc_cflags)
clprim_install_pc(clprim-runtime "what clPRIM's primitives stand on" "" "-lclprim_runtime -lOpenCL -pthread -lm")
foreach(stem IN LISTS CLPRIM_PRIMITIVES ITEMS self_test operations distributed)
    set(requires)
    foreach(base IN LISTS CLPRIM_${stem}_IS_BUILT_ON)
        list(APPEND requires clprim-${base})
    endforeach()
    list(APPEND requires clprim-runtime)
    list(JOIN requires ", " requires)
    clprim_install_pc(clprim-${stem} "clPRIM's ${stem}, linked statically" "${requires}" "-lclprim_${stem}")
    list(APPEND all_requires clprim-${stem})
endforeach()
if(CLPRIM_SHARED)
    if(WIN32) # symbols of a DLL are declared so
        set(pc_cflags " -DCLPRIM_SHARED")
    endif()
    clprim_install_pc(clprim "${PROJECT_DESCRIPTION}" "" "-lclprim -lOpenCL")
else()
    list(JOIN all_requires ", " all_requires)
    clprim_install_pc(clprim "${PROJECT_DESCRIPTION}" "${all_requires}" "")
endif()
if(TARGET clprim_mpi)
    clprim_install_pc(clprim-mpi "clPRIM's operations over MPI, for mpicc" "clprim" "-lclprim_mpi")
endif()
