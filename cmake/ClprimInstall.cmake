# Headers, libraries, and what find_package(clprim) and pkg-config read.
include(CMakePackageConfigHelpers)

set(installed clprim clprim_runtime)
foreach(stem IN LISTS CLPRIM_PRIMITIVES)
    list(APPEND installed clprim_${stem})
endforeach()
install(TARGETS ${installed} EXPORT clprimTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/clprim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/clprim)
install(EXPORT clprimTargets NAMESPACE clprim:: DESTINATION ${config_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/clprimConfig.cmake.in
    ${PROJECT_BINARY_DIR}/clprimConfig.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/clprimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/clprimConfig.cmake ${PROJECT_BINARY_DIR}/clprimConfigVersion.cmake
    DESTINATION ${config_dir})

# The .pc finds its prefix from its own place, so that cmake --install --prefix may choose another.
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
if(CLPRIM_SHARED)
    set(pc_libs -lclprim)
else()
    set(pc_libs "-lclprim_runtime -pthread -lm")
    foreach(stem IN LISTS CLPRIM_PRIMITIVES) # the linker wants what is built on others before these
        string(PREPEND pc_libs "-lclprim_${stem} ")
    endforeach()
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/clprim.pc.in ${PROJECT_BINARY_DIR}/clprim.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clprim.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
