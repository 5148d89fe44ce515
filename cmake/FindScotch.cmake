# Scotch_FOUND and Scotch::Scotch, the serial graph partitioner; with component PT also Scotch::PT, on
# all ranks, which must have been built with the MPI in use.
include(FindPackageHandleStandardArgs)
find_path(Scotch_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch)
foreach(name scotch scotcherr ptscotch ptscotcherr)
  find_library(Scotch_${name}_LIBRARY ${name})
  mark_as_advanced(Scotch_${name}_LIBRARY)
endforeach()
mark_as_advanced(Scotch_INCLUDE_DIR)
if(Scotch_ptscotch_LIBRARY AND Scotch_ptscotcherr_LIBRARY)
  set(Scotch_PT_FOUND TRUE)
endif()
find_package_handle_standard_args(Scotch HANDLE_COMPONENTS
  REQUIRED_VARS Scotch_scotch_LIBRARY Scotch_scotcherr_LIBRARY Scotch_INCLUDE_DIR)
if(Scotch_FOUND AND NOT TARGET Scotch::Scotch)
  add_library(Scotch::Scotch INTERFACE IMPORTED GLOBAL)
  set_target_properties(Scotch::Scotch PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${Scotch_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "${Scotch_scotch_LIBRARY};${Scotch_scotcherr_LIBRARY}")
endif()
if(Scotch_FOUND AND Scotch_PT_FOUND AND "PT" IN_LIST Scotch_FIND_COMPONENTS AND NOT TARGET Scotch::PT)
  add_library(Scotch::PT INTERFACE IMPORTED GLOBAL)
  set_target_properties(Scotch::PT PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${Scotch_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES
      "${Scotch_ptscotch_LIBRARY};${Scotch_scotch_LIBRARY};${Scotch_ptscotcherr_LIBRARY}")
endif()
