# PTScotch_FOUND and PTScotch::PTScotch, the graph partitioner on all ranks; it must have been built
# with the MPI in use.
include(FindPackageHandleStandardArgs)
find_path(PTScotch_INCLUDE_DIR ptscotch.h PATH_SUFFIXES scotch)
foreach(name ptscotch scotch ptscotcherr)
  find_library(PTScotch_${name}_LIBRARY ${name})
  mark_as_advanced(PTScotch_${name}_LIBRARY)
endforeach()
mark_as_advanced(PTScotch_INCLUDE_DIR)
find_package_handle_standard_args(PTScotch REQUIRED_VARS
  PTScotch_ptscotch_LIBRARY PTScotch_scotch_LIBRARY PTScotch_ptscotcherr_LIBRARY PTScotch_INCLUDE_DIR)
if(PTScotch_FOUND AND NOT TARGET PTScotch::PTScotch)
  add_library(PTScotch::PTScotch INTERFACE IMPORTED)
  set_target_properties(PTScotch::PTScotch PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${PTScotch_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES
      "${PTScotch_ptscotch_LIBRARY};${PTScotch_scotch_LIBRARY};${PTScotch_ptscotcherr_LIBRARY}")
endif()
