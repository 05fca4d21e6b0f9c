# SPDX-License-Identifier: MIT
# Debian's packages, by CPack (./dev package): libclprimX.Y with the shared library, libclprim-dev, clprim with the tool,
# python3-clprim. Their paths are right where CMAKE_INSTALL_PREFIX is /usr (the preset `package`).
if(NOT CLPRIM_SHARED OR NOT CLPRIM_BUILD_CLI)
    return()
endif()

# For Windows, a zip of all (./dev windows).
if(WIN32)
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION . COMPONENT library)
    set(CPACK_GENERATOR ZIP)
    set(CPACK_PACKAGE_FILE_NAME clprim-${PROJECT_VERSION}-windows-${CMAKE_SYSTEM_PROCESSOR})
    set(CPACK_STRIP_FILES ON)
    include(CPack)
    return()
endif()

# The module is one of many files without a version of Python's; it comes with its package alone.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/bindings/python/clprim DESTINATION lib/python3/dist-packages
    COMPONENT python EXCLUDE_FROM_ALL FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed PATTERN __pycache__ EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL library development tool python)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The clPRIM contributors <clprim@packages.invalid>") # no person's; who publishes sets it
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each component has its own as its first line
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(this_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(library_package libclprim${soversion})

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_MULTIARCH same)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers
    ${PROJECT_BINARY_DIR}/debian/symbols)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "GPU primitives for any OpenCL device - shared library
Reductions, scans, histograms, sorts, selections and more, to enqueue
between one's own kernels. The kernels are inside the library; they are
compiled for the device when a plan is made, and kept in the user's cache.")

# From which version on the library has each symbol: the first one with its soname, if tests/symbols.txt names no other.
set(symbols "libclprim.so.${soversion} ${library_package} #MINVER#\n* Build-Depends-Package: libclprim-dev\n")
file(STRINGS ${PROJECT_SOURCE_DIR}/tests/symbols.txt lines)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/symbols.txt)
foreach(line IN LISTS lines)
    string(REPLACE " " ";" line "${line} ${soversion}.0")
    list(POP_FRONT line symbol since)
    string(APPEND symbols " ${symbol}@Base ${since}\n")
endforeach()
file(WRITE ${PROJECT_BINARY_DIR}/debian/symbols "${symbols}")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libclprim-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_MULTIARCH same)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${library_package} ${this_version}, opencl-c-headers | opencl-headers, ocl-icd-opencl-dev | opencl-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "GPU primitives for any OpenCL device - development files
Headers for C11 and C++17, one static library for each primitive, and
what CMake and pkg-config read.")

set(CPACK_DEBIAN_TOOL_PACKAGE_NAME clprim)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS "${library_package} ${this_version}")
set(CPACK_COMPONENT_TOOL_DESCRIPTION "GPU primitives on files of numbers
Sorts, sums, scans and counts the elements of .npy files and of raw
ones, of any size, on any OpenCL device.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-clprim)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${library_package} ${this_version}, python3:any (>= 3.8), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS python3-pyopencl)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-mpi4py)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/postinst
    ${PROJECT_SOURCE_DIR}/cmake/debian/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "GPU primitives for numpy's arrays and PyOpenCL's
Sorts, folds, scans, histograms and more, on any OpenCL device: of
arrays on the host in one call, or of buffers in a queue of PyOpenCL's,
between one's own kernels.")

# What Debian asks of every package and nobody else does: its licence and a list of changes where Debian has them, and
# manuals that are compressed.
set(names library ${library_package} development libclprim-dev tool clprim python python3-clprim)
configure_file(${PROJECT_SOURCE_DIR}/cmake/debian/files.cmake.in ${PROJECT_BINARY_DIR}/debian_files.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/debian_files.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/rebuild.cmake)
include(CPack)
