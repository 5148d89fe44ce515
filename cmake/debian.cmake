# The Debian package of `make deb`: libraries, headers, programs. Its dependencies are found by dpkg-shlibdeps, and
# lintian finds nothing that packaging/debian/lintian-overrides does not give a reason for.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME isthmus)
set(CPACK_PACKAGE_VENDOR "Isthmus")
set(CPACK_PACKAGE_CONTACT "The Isthmus developers <isthmus@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "coupling of parallel simulation codes, drop-in for preCICE 3")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Isthmus couples parallel simulation codes that were never written to
know each other: it finds which ranks must talk to each other, maps data
from one mesh to the other, and steps the codes together. It has the
interface and the configuration of preCICE 3. This package holds the
libraries, headers and programs.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libopenmpi-dev, libfmt-dev") # headers of the kit speak MPI and fmt
set(CPACK_DEBIAN_PACKAGE_PROVIDES "libprecice3, libprecice-dev")
set(CPACK_DEBIAN_PACKAGE_CONFLICTS "libprecice3, libprecice-dev")

# What every package has beside its files; no other installation gets it.
set(debian ${PROJECT_BINARY_DIR}/debian)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT ${debian}/triggers CONTENT "activate-noawait ldconfig\n")
file(WRITE ${debian}/changelog.Debian "isthmus (${PROJECT_VERSION}-1) unstable; urgency=medium

  * This version; /usr/share/doc/isthmus/changelog.gz says what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${debian}/changelog COPYONLY)
execute_process(COMMAND gzip -9nf ${debian}/changelog.Debian ${debian}/changelog ERROR_QUIET)
foreach(file changelog.Debian.gz changelog.gz)
  install(FILES ${debian}/${file} DESTINATION share/doc/isthmus COMPONENT debian EXCLUDE_FROM_ALL)
endforeach()
install(FILES LICENSE DESTINATION share/doc/isthmus RENAME copyright COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES packaging/debian/lintian-overrides DESTINATION share/lintian/overrides RENAME isthmus
  COMPONENT debian EXCLUDE_FROM_ALL)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${debian}/triggers)
set(CPACK_INSTALL_CMAKE_PROJECTS
  "${PROJECT_BINARY_DIR};${PROJECT_NAME};ALL;/;${PROJECT_BINARY_DIR};${PROJECT_NAME};debian;/")
include(CPack)
