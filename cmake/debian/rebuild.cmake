# SPDX-License-Identifier: MIT
# CPack runs this on the finished packages; dpkg-deb makes them again. CPack's depend on the umask, and it always gives a
# library maintainer scripts that call ldconfig, although the file `triggers` says that in Debian's way.
function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "${ARGV}: ${result}")
    endif()
endfunction()

set(unpacked "${CPACK_TEMPORARY_DIRECTORY}/unpacked")
foreach(deb IN LISTS CPACK_PACKAGE_FILES)
    file(REMOVE_RECURSE "${unpacked}")
    run(dpkg-deb --raw-extract "${deb}" "${unpacked}")
    if(deb MATCHES "/libclprim[0-9][^/]*$")
        file(REMOVE "${unpacked}/DEBIAN/postinst" "${unpacked}/DEBIAN/postrm")
    endif()
    run(dpkg-deb --build --root-owner-group -Zxz "${unpacked}" "${deb}")
endforeach()
