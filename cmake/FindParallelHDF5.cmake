# ParallelHDF5_FOUND and ParallelHDF5::HDF5, the C library of HDF5 for the MPI in use: that of Debian for
# Open MPI, or one on CMAKE_PREFIX_PATH that was built for MPI.
include(FindPackageHandleStandardArgs)
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(PC_HDF5 QUIET hdf5-openmpi)
endif()
find_path(ParallelHDF5_INCLUDE_DIR H5pubconf.h HINTS ${PC_HDF5_INCLUDE_DIRS})
find_library(ParallelHDF5_LIBRARY hdf5 HINTS ${PC_HDF5_LIBRARY_DIRS})
mark_as_advanced(ParallelHDF5_INCLUDE_DIR ParallelHDF5_LIBRARY)
if(ParallelHDF5_INCLUDE_DIR)
  file(STRINGS ${ParallelHDF5_INCLUDE_DIR}/H5pubconf.h ParallelHDF5_MPI REGEX "define H5_HAVE_PARALLEL 1")
endif()
find_package_handle_standard_args(ParallelHDF5
  REQUIRED_VARS ParallelHDF5_LIBRARY ParallelHDF5_INCLUDE_DIR ParallelHDF5_MPI)
if(ParallelHDF5_FOUND AND NOT TARGET ParallelHDF5::HDF5)
  add_library(ParallelHDF5::HDF5 UNKNOWN IMPORTED GLOBAL)
  set_target_properties(ParallelHDF5::HDF5 PROPERTIES
    IMPORTED_LOCATION ${ParallelHDF5_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${ParallelHDF5_INCLUDE_DIR})
endif()
