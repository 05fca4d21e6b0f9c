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

configure_file(${PROJECT_SOURCE_DIR}/cmake/clprim.pc.in ${PROJECT_BINARY_DIR}/clprim.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clprim.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
