# What users link: shared libraries that find each other beside themselves, and their packages.
include(CMakePackageConfigHelpers)

# isthmus_shared_library(NAME VERSION x.y.z)
# An empty libNAME.so.x.y.z in lib/, looking for its companions in its own folder.
function(isthmus_shared_library name)
  cmake_parse_arguments(arg "" "VERSION" "" ${ARGN})
  string(REGEX MATCH "^[0-9]+" major ${arg_VERSION})
  add_library(${name} SHARED)
  add_library(${name}::${name} ALIAS ${name})
  set_target_properties(${name} PROPERTIES
    VERSION ${arg_VERSION}
    SOVERSION ${major}
    LINKER_LANGUAGE CXX
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
    BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN")
  isthmus_warnings(${name})
endfunction()

# isthmus_install_package(NAME VERSION x.y.z PKGCONFIG pc-name… TARGETS target…)
# Installs the targets with their headers, NAMEConfig.cmake from NAMEConfig.cmake.in beside the
# caller, and each pc-name.pc from pc-name.pc.in. Everything in it is relative: the prefix may move.
function(isthmus_install_package name)
  cmake_parse_arguments(arg "" "VERSION" "PKGCONFIG;TARGETS" ${ARGN})
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
  set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  install(TARGETS ${arg_TARGETS} EXPORT ${name}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}) # for users whose CMake knows no file sets
  install(EXPORT ${name} NAMESPACE ${name}:: FILE ${name}Targets.cmake DESTINATION ${folder})
  export(EXPORT ${name} NAMESPACE ${name}:: FILE ${CMAKE_CURRENT_BINARY_DIR}/${name}Targets.cmake) # for NAME_DIR=build/…
  configure_package_config_file(${name}Config.cmake.in ${name}Config.cmake INSTALL_DESTINATION ${folder}
    NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(${name}ConfigVersion.cmake VERSION ${arg_VERSION}
    COMPATIBILITY SameMajorVersion)
  set(VERSION ${arg_VERSION})
  file(RELATIVE_PATH PREFIX_FROM_PC /prefix/${pc_folder} /prefix)
  foreach(pc IN LISTS arg_PKGCONFIG)
    configure_file(${pc}.pc.in ${pc}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${pc}.pc DESTINATION ${pc_folder})
  endforeach()
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}Config.cmake
                ${CMAKE_CURRENT_BINARY_DIR}/${name}ConfigVersion.cmake DESTINATION ${folder})
endfunction()
