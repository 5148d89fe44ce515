! SPDX-License-Identifier: BSD-3-Clause
! The interface of preCICE 3 as a Fortran module with checked arguments. Compile it with the program:
!
!   mpif90 precice.f90 solver.f90 $(pkg-config --libs libprecice)
!
! Arrays run vertex by vertex: coordinates as (dimension, vertex), values as (component, vertex).
! Queries answer 0 or 1. Texts end with their last character that is not blank; their lengths, the
! last arguments, may be left out. Errors are printed and end the program.
module precice
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int
  implicit none
  private

  public :: precicef_create, precicef_create_with_communicator
  public :: precicef_initialize, precicef_advance
  public :: precicef_finalize, precicef_get_mesh_dimensions
  public :: precicef_get_data_dimensions, precicef_is_coupling_ongoing
  public :: precicef_is_time_window_complete, precicef_get_max_time_step_size
  public :: precicef_requires_initial_data, precicef_requires_writing_checkpoint
  public :: precicef_requires_reading_checkpoint, precicef_reset_mesh
  public :: precicef_requires_mesh_connectivity_for, precicef_set_mesh_vertex
  public :: precicef_get_mesh_vertex_size, precicef_set_mesh_vertices
  public :: precicef_set_mesh_edge, precicef_set_mesh_edges
  public :: precicef_set_mesh_triangle, precicef_set_mesh_triangles
  public :: precicef_set_mesh_quad, precicef_set_mesh_quads
  public :: precicef_set_mesh_tetrahedron, precicef_set_mesh_tetrahedra
  public :: precicef_write_data, precicef_read_data
  public :: precicef_requires_gradient_data_for, precicef_write_gradient_data
  public :: precicef_set_mesh_access_region, precicef_get_mesh_vertex_ids_and_coordinates
  public :: precicef_write_and_map_data, precicef_map_and_read_data
  public :: precicef_start_profiling_section, precicef_stop_last_profiling_section
  public :: precicef_get_version_information
  ! The names that preCICE's own module has for some of these
  public :: precicef_set_vertex, precicef_set_vertices, precicef_set_edge
  public :: precicef_set_triangle, precicef_set_quad, precicef_set_tetrahedron

  interface precicef_set_edge
    module procedure precicef_set_mesh_edge
  end interface
  interface precicef_set_triangle
    module procedure precicef_set_mesh_triangle
  end interface
  interface precicef_set_quad
    module procedure precicef_set_mesh_quad
  end interface
  interface precicef_set_tetrahedron
    module procedure precicef_set_mesh_tetrahedron
  end interface

  interface ! the symbols of libprecice.so
    subroutine c_create(participantName, configFileName, solverProcessIndex, solverProcessSize, participantNameLength, &
       configFileNameLength) bind(c, name='precicef_create_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: participantName(*)
      character(kind=c_char), intent(in) :: configFileName(*)
      integer(c_int), intent(in) :: solverProcessIndex
      integer(c_int), intent(in) :: solverProcessSize
      integer(c_int), value :: participantNameLength
      integer(c_int), value :: configFileNameLength
    end subroutine
    subroutine c_create_with_communicator(participantName, configFileName, solverProcessIndex, solverProcessSize, &
       communicator, participantNameLength, configFileNameLength) bind(c, name='precicef_create_with_communicator_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: participantName(*)
      character(kind=c_char), intent(in) :: configFileName(*)
      integer(c_int), intent(in) :: solverProcessIndex
      integer(c_int), intent(in) :: solverProcessSize
      integer(c_int), intent(in) :: communicator
      integer(c_int), value :: participantNameLength
      integer(c_int), value :: configFileNameLength
    end subroutine
    subroutine c_initialize() bind(c, name='precicef_initialize_')
    end subroutine
    subroutine c_advance(timeStepSize) bind(c, name='precicef_advance_')
      import :: c_double
      real(c_double), intent(in) :: timeStepSize
    end subroutine
    subroutine c_finalize() bind(c, name='precicef_finalize_')
    end subroutine
    subroutine c_get_mesh_dimensions(meshName, dimensions, meshNameLength) bind(c, &
       name='precicef_get_mesh_dimensions_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(out) :: dimensions
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_get_data_dimensions(meshName, dataName, dimensions, meshNameLength, dataNameLength) bind(c, &
       name='precicef_get_data_dimensions_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      character(kind=c_char), intent(in) :: dataName(*)
      integer(c_int), intent(out) :: dimensions
      integer(c_int), value :: meshNameLength
      integer(c_int), value :: dataNameLength
    end subroutine
    subroutine c_is_coupling_ongoing(isOngoing) bind(c, name='precicef_is_coupling_ongoing_')
      import :: c_int
      integer(c_int), intent(out) :: isOngoing
    end subroutine
    subroutine c_is_time_window_complete(isComplete) bind(c, name='precicef_is_time_window_complete_')
      import :: c_int
      integer(c_int), intent(out) :: isComplete
    end subroutine
    subroutine c_get_max_time_step_size(maxTimeStepSize) bind(c, name='precicef_get_max_time_step_size_')
      import :: c_double
      real(c_double), intent(out) :: maxTimeStepSize
    end subroutine
    subroutine c_requires_initial_data(isRequired) bind(c, name='precicef_requires_initial_data_')
      import :: c_int
      integer(c_int), intent(out) :: isRequired
    end subroutine
    subroutine c_requires_writing_checkpoint(isRequired) bind(c, name='precicef_requires_writing_checkpoint_')
      import :: c_int
      integer(c_int), intent(out) :: isRequired
    end subroutine
    subroutine c_requires_reading_checkpoint(isRequired) bind(c, name='precicef_requires_reading_checkpoint_')
      import :: c_int
      integer(c_int), intent(out) :: isRequired
    end subroutine
    subroutine c_reset_mesh(meshName, meshNameLength) bind(c, name='precicef_reset_mesh_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_requires_mesh_connectivity_for(meshName, isRequired, meshNameLength) bind(c, &
       name='precicef_requires_mesh_connectivity_for_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(out) :: isRequired
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_set_mesh_vertex(meshName, position, vertexID, meshNameLength) bind(c, &
       name='precicef_set_mesh_vertex_')
      import :: c_char, c_double, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      real(c_double), intent(in) :: position(*)
      integer(c_int), intent(out) :: vertexID
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_get_mesh_vertex_size(meshName, meshSize, meshNameLength) bind(c, &
       name='precicef_get_mesh_vertex_size_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(out) :: meshSize
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_set_mesh_vertices(meshName, meshSize, positions, ids, meshNameLength) bind(c, &
       name='precicef_set_mesh_vertices_')
      import :: c_char, c_double, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(in) :: meshSize
      real(c_double), intent(in) :: positions(*)
      integer(c_int), intent(out) :: ids(*)
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_set_mesh_edge(meshName, firstVertexID, secondVertexID, meshNameLength) bind(c, &
       name='precicef_set_mesh_edge_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(in) :: firstVertexID
      integer(c_int), intent(in) :: secondVertexID
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_set_mesh_edges(meshName, edgeCount, ids, meshNameLength) bind(c, name='precicef_set_mesh_edges_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(in) :: edgeCount
      integer(c_int), intent(in) :: ids(*)
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_set_mesh_triangle(meshName, firstVertexID, secondVertexID, thirdVertexID, meshNameLength) bind(c, &
       name='precicef_set_mesh_triangle_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(in) :: firstVertexID
      integer(c_int), intent(in) :: secondVertexID
      integer(c_int), intent(in) :: thirdVertexID
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_set_mesh_triangles(meshName, triangleCount, ids, meshNameLength) bind(c, &
       name='precicef_set_mesh_triangles_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(in) :: triangleCount
      integer(c_int), intent(in) :: ids(*)
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_set_mesh_quad(meshName, firstVertexID, secondVertexID, thirdVertexID, fourthVertexID, meshNameLength) &
       bind(c, name='precicef_set_mesh_quad_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(in) :: firstVertexID
      integer(c_int), intent(in) :: secondVertexID
      integer(c_int), intent(in) :: thirdVertexID
      integer(c_int), intent(in) :: fourthVertexID
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_set_mesh_quads(meshName, quadCount, ids, meshNameLength) bind(c, name='precicef_set_mesh_quads_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(in) :: quadCount
      integer(c_int), intent(in) :: ids(*)
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_set_mesh_tetrahedron(meshName, firstVertexID, secondVertexID, thirdVertexID, fourthVertexID, &
       meshNameLength) bind(c, name='precicef_set_mesh_tetrahedron_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(in) :: firstVertexID
      integer(c_int), intent(in) :: secondVertexID
      integer(c_int), intent(in) :: thirdVertexID
      integer(c_int), intent(in) :: fourthVertexID
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_set_mesh_tetrahedra(meshName, tetrahedronCount, ids, meshNameLength) bind(c, &
       name='precicef_set_mesh_tetrahedra_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(in) :: tetrahedronCount
      integer(c_int), intent(in) :: ids(*)
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_write_data(meshName, dataName, valueCount, ids, values, meshNameLength, dataNameLength) bind(c, &
       name='precicef_write_data_')
      import :: c_char, c_double, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      character(kind=c_char), intent(in) :: dataName(*)
      integer(c_int), intent(in) :: valueCount
      integer(c_int), intent(in) :: ids(*)
      real(c_double), intent(in) :: values(*)
      integer(c_int), value :: meshNameLength
      integer(c_int), value :: dataNameLength
    end subroutine
    subroutine c_read_data(meshName, dataName, valueCount, ids, relativeReadTime, values, meshNameLength, &
       dataNameLength) bind(c, name='precicef_read_data_')
      import :: c_char, c_double, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      character(kind=c_char), intent(in) :: dataName(*)
      integer(c_int), intent(in) :: valueCount
      integer(c_int), intent(in) :: ids(*)
      real(c_double), intent(in) :: relativeReadTime
      real(c_double), intent(out) :: values(*)
      integer(c_int), value :: meshNameLength
      integer(c_int), value :: dataNameLength
    end subroutine
    subroutine c_requires_gradient_data_for(meshName, dataName, isRequired, meshNameLength, dataNameLength) bind(c, &
       name='precicef_requires_gradient_data_for_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      character(kind=c_char), intent(in) :: dataName(*)
      integer(c_int), intent(out) :: isRequired
      integer(c_int), value :: meshNameLength
      integer(c_int), value :: dataNameLength
    end subroutine
    subroutine c_write_gradient_data(meshName, dataName, valueCount, ids, gradients, meshNameLength, dataNameLength) &
       bind(c, name='precicef_write_gradient_data_')
      import :: c_char, c_double, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      character(kind=c_char), intent(in) :: dataName(*)
      integer(c_int), intent(in) :: valueCount
      integer(c_int), intent(in) :: ids(*)
      real(c_double), intent(in) :: gradients(*)
      integer(c_int), value :: meshNameLength
      integer(c_int), value :: dataNameLength
    end subroutine
    subroutine c_set_mesh_access_region(meshName, boundingBox, meshNameLength) bind(c, &
       name='precicef_set_mesh_access_region_')
      import :: c_char, c_double, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      real(c_double), intent(in) :: boundingBox(*)
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_get_mesh_vertex_ids_and_coordinates(meshName, meshSize, ids, coordinates, meshNameLength) bind(c, &
       name='precicef_get_mesh_vertex_ids_and_coordinates_')
      import :: c_char, c_double, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      integer(c_int), intent(in) :: meshSize
      integer(c_int), intent(out) :: ids(*)
      real(c_double), intent(out) :: coordinates(*)
      integer(c_int), value :: meshNameLength
    end subroutine
    subroutine c_write_and_map_data(meshName, dataName, positionCount, coordinates, values, meshNameLength, &
       dataNameLength) bind(c, name='precicef_write_and_map_data_')
      import :: c_char, c_double, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      character(kind=c_char), intent(in) :: dataName(*)
      integer(c_int), intent(in) :: positionCount
      real(c_double), intent(in) :: coordinates(*)
      real(c_double), intent(in) :: values(*)
      integer(c_int), value :: meshNameLength
      integer(c_int), value :: dataNameLength
    end subroutine
    subroutine c_map_and_read_data(meshName, dataName, positionCount, coordinates, relativeReadTime, values, &
       meshNameLength, dataNameLength) bind(c, name='precicef_map_and_read_data_')
      import :: c_char, c_double, c_int
      character(kind=c_char), intent(in) :: meshName(*)
      character(kind=c_char), intent(in) :: dataName(*)
      integer(c_int), intent(in) :: positionCount
      real(c_double), intent(in) :: coordinates(*)
      real(c_double), intent(in) :: relativeReadTime
      real(c_double), intent(out) :: values(*)
      integer(c_int), value :: meshNameLength
      integer(c_int), value :: dataNameLength
    end subroutine
    subroutine c_start_profiling_section(sectionName, sectionNameLength) bind(c, &
       name='precicef_start_profiling_section_')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: sectionName(*)
      integer(c_int), value :: sectionNameLength
    end subroutine
    subroutine c_stop_last_profiling_section() bind(c, name='precicef_stop_last_profiling_section_')
    end subroutine
    subroutine c_get_version_information(versionInfo, versionInfoLength) bind(c, name='precicef_get_version_information_')
      import :: c_char, c_int
      character(kind=c_char), intent(out) :: versionInfo(*)
      integer(c_int), value :: versionInfoLength
    end subroutine
  end interface

contains

  integer(c_int) function used(text, length)
    character(len=*), intent(in) :: text
    integer(c_int), intent(in), optional :: length
    used = len_trim(text)
    if (present(length)) used = min(used, length)
  end function

  !> Collective over the ranks of the participant. Uses MPI_COMM_WORLD if MPI is initialized, or
  !> initializes MPI if size > 1. Error: no such file or participant, a configuration that is not
  !> valid, a rank that is not 0 to size - 1.
  subroutine precicef_create(participantName, configFileName, solverProcessIndex, solverProcessSize, &
       participantNameLength, configFileNameLength)
    character(len=*), intent(in) :: participantName
    character(len=*), intent(in) :: configFileName
    integer(c_int), intent(in) :: solverProcessIndex
    integer(c_int), intent(in) :: solverProcessSize
    integer(c_int), intent(in), optional :: participantNameLength
    integer(c_int), intent(in), optional :: configFileNameLength
    call c_create(participantName, configFileName, solverProcessIndex, solverProcessSize, used(participantName, &
       participantNameLength), used(configFileName, configFileNameLength))
  end subroutine

  !> Collective. As before; `communicator` is the Fortran handle of this participant's ranks. Error:
  !> as before.
  subroutine precicef_create_with_communicator(participantName, configFileName, solverProcessIndex, &
       solverProcessSize, communicator, participantNameLength, configFileNameLength)
    character(len=*), intent(in) :: participantName
    character(len=*), intent(in) :: configFileName
    integer(c_int), intent(in) :: solverProcessIndex
    integer(c_int), intent(in) :: solverProcessSize
    integer(c_int), intent(in) :: communicator
    integer(c_int), intent(in), optional :: participantNameLength
    integer(c_int), intent(in), optional :: configFileNameLength
    call c_create_with_communicator(participantName, configFileName, solverProcessIndex, solverProcessSize, &
       communicator, used(participantName, participantNameLength), used(configFileName, configFileNameLength))
  end subroutine

  !> Collective. Connects to all partners, exchanges and maps the meshes, sends initial data. Error:
  !> required initial data are missing, a partner does not come within ISTHMUS_TIMEOUT seconds or
  !> fails, a second call.
  subroutine precicef_initialize()
    call c_initialize()
  end subroutine

  !> Collective. After each step of the solver: maps and sends what it wrote and receives what comes
  !> next. `timeStepSize`: the time it advanced, in the unit of the configuration's times, above 0
  !> and at most precicef_get_max_time_step_size(). Error: another `timeStepSize`, a checkpoint that
  !> was not asked for, a coupling that has ended, a partner that failed.
  subroutine precicef_advance(timeStepSize)
    real(c_double), intent(in) :: timeStepSize
    call c_advance(timeStepSize)
  end subroutine

  !> Collective. Ends the participation when the partners have all that was sent to them. Error: a
  !> second call, a partner that failed.
  subroutine precicef_finalize()
    call c_finalize()
  end subroutine

  !> 2 or 3. Error: the participant has no such mesh.
  subroutine precicef_get_mesh_dimensions(meshName, dimensions, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(out) :: dimensions
    integer(c_int), intent(in), optional :: meshNameLength
    call c_get_mesh_dimensions(meshName, dimensions, used(meshName, meshNameLength))
  end subroutine

  !> Values per vertex: 1 for scalar data, the dimensions of the mesh for vector data. Error: the
  !> participant has no such mesh, or the mesh no such data.
  subroutine precicef_get_data_dimensions(meshName, dataName, dimensions, meshNameLength, dataNameLength)
    character(len=*), intent(in) :: meshName
    character(len=*), intent(in) :: dataName
    integer(c_int), intent(out) :: dimensions
    integer(c_int), intent(in), optional :: meshNameLength
    integer(c_int), intent(in), optional :: dataNameLength
    call c_get_data_dimensions(meshName, dataName, dimensions, used(meshName, meshNameLength), used(dataName, &
       dataNameLength))
  end subroutine

  !> Whether there is a step to compute. Error: before precicef_initialize().
  subroutine precicef_is_coupling_ongoing(isOngoing)
    integer(c_int), intent(out) :: isOngoing
    call c_is_coupling_ongoing(isOngoing)
  end subroutine

  !> Whether the last precicef_advance() ended a time window that is not repeated. Error: before
  !> precicef_initialize().
  subroutine precicef_is_time_window_complete(isComplete)
    integer(c_int), intent(out) :: isComplete
    call c_is_time_window_complete(isComplete)
  end subroutine

  !> The time to the end of the window, in the unit of the configuration's times: what the next step
  !> may have at most. 0 after the end. Error: before precicef_initialize().
  subroutine precicef_get_max_time_step_size(maxTimeStepSize)
    real(c_double), intent(out) :: maxTimeStepSize
    call c_get_max_time_step_size(maxTimeStepSize)
  end subroutine

  !> Whether data must be written before precicef_initialize(), which refuses to start where this
  !> was not asked. Error: after precicef_initialize().
  subroutine precicef_requires_initial_data(isRequired)
    integer(c_int), intent(out) :: isRequired
    call c_requires_initial_data(isRequired)
  end subroutine

  !> Whether the solver must save its state now; to be asked after precicef_initialize() and each
  !> precicef_advance(). Error: before precicef_initialize().
  subroutine precicef_requires_writing_checkpoint(isRequired)
    integer(c_int), intent(out) :: isRequired
    call c_requires_writing_checkpoint(isRequired)
  end subroutine

  !> Whether the window is repeated, so that the solver must return to the state it saved; to be
  !> asked after each precicef_advance(). Error: before precicef_initialize().
  subroutine precicef_requires_reading_checkpoint(isRequired)
    integer(c_int), intent(out) :: isRequired
    call c_requires_reading_checkpoint(isRequired)
  end subroutine

  !> Empties a provided mesh, to be defined anew before the next precicef_advance(), which must end
  !> the time window. All ranks call it, also those whose part stays the same. Error: a window that
  !> is not complete, a configuration without allow-remeshing.
  subroutine precicef_reset_mesh(meshName, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in), optional :: meshNameLength
    call c_reset_mesh(meshName, used(meshName, meshNameLength))
  end subroutine

  !> Whether somebody needs the edges, triangles or tetrahedra of a mesh; otherwise they are
  !> ignored. Error: a mesh that is neither provided nor received.
  subroutine precicef_requires_mesh_connectivity_for(meshName, isRequired, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(out) :: isRequired
    integer(c_int), intent(in), optional :: meshNameLength
    call c_requires_mesh_connectivity_for(meshName, isRequired, used(meshName, meshNameLength))
  end subroutine

  !> The id of a new vertex. `position`: as many coordinates as the mesh has dimensions. Error: a
  !> coordinate that is not finite, a mesh that is not provided, or locked by precicef_initialize().
  subroutine precicef_set_mesh_vertex(meshName, position, vertexID, meshNameLength)
    character(len=*), intent(in) :: meshName
    real(c_double), intent(in) :: position(*)
    integer(c_int), intent(out) :: vertexID
    integer(c_int), intent(in), optional :: meshNameLength
    call c_set_mesh_vertex(meshName, position, vertexID, used(meshName, meshNameLength))
  end subroutine

  !> The vertices on this rank of a provided mesh, of a received one those in the access region, or
  !> without access those that its mappings need. Error: no such mesh, a received one before
  !> precicef_initialize().
  subroutine precicef_get_mesh_vertex_size(meshName, meshSize, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(out) :: meshSize
    integer(c_int), intent(in), optional :: meshNameLength
    call c_get_mesh_vertex_size(meshName, meshSize, used(meshName, meshNameLength))
  end subroutine

  !> New vertices. `positions`: (dimension, vertex); `ids`: filled, one per vertex. Error: a
  !> coordinate that is not finite, a mesh that is not provided, or locked by precicef_initialize().
  subroutine precicef_set_mesh_vertices(meshName, meshSize, positions, ids, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in) :: meshSize
    real(c_double), intent(in) :: positions(*)
    integer(c_int), intent(out) :: ids(*)
    integer(c_int), intent(in), optional :: meshNameLength
    call c_set_mesh_vertices(meshName, meshSize, positions, ids, used(meshName, meshNameLength))
  end subroutine

  !> precicef_set_mesh_vertex() by the name of preCICE's own module. `position`: as many coordinates as
  !> the mesh has dimensions. Error: as there.
  subroutine precicef_set_vertex(meshName, position, vertexID, meshNameLength)
    character(len=*), intent(in) :: meshName
    real(c_double), intent(in) :: position(*)
    integer(c_int), intent(out) :: vertexID
    integer(c_int), intent(in), optional :: meshNameLength
    call precicef_set_mesh_vertex(meshName, position, vertexID, meshNameLength)
  end subroutine

  !> precicef_set_mesh_vertices() by the name of preCICE's own module. `positions`: (dimension, vertex);
  !> `ids`: filled, one per vertex. Error: as there.
  subroutine precicef_set_vertices(meshName, meshSize, positions, ids, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in) :: meshSize
    real(c_double), intent(in) :: positions(*)
    integer(c_int), intent(out) :: ids(*)
    integer(c_int), intent(in), optional :: meshNameLength
    call precicef_set_mesh_vertices(meshName, meshSize, positions, ids, meshNameLength)
  end subroutine

  !> An edge between 2 vertices. Error: an id that is not of this rank, the same twice, a mesh that
  !> is not provided, or locked by precicef_initialize().
  subroutine precicef_set_mesh_edge(meshName, firstVertexID, secondVertexID, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in) :: firstVertexID
    integer(c_int), intent(in) :: secondVertexID
    integer(c_int), intent(in), optional :: meshNameLength
    call c_set_mesh_edge(meshName, firstVertexID, secondVertexID, used(meshName, meshNameLength))
  end subroutine

  !> `ids`: 2 ids per edge. Error: ids that are not of this rank, the same twice in an edge, a mesh
  !> that is not provided, or locked by precicef_initialize().
  subroutine precicef_set_mesh_edges(meshName, edgeCount, ids, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in) :: edgeCount
    integer(c_int), intent(in) :: ids(*)
    integer(c_int), intent(in), optional :: meshNameLength
    call c_set_mesh_edges(meshName, edgeCount, ids, used(meshName, meshNameLength))
  end subroutine

  !> A triangle of 3 vertices. Error: an id that is not of this rank, the same twice, a mesh that is
  !> not provided, or locked by precicef_initialize().
  subroutine precicef_set_mesh_triangle(meshName, firstVertexID, secondVertexID, thirdVertexID, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in) :: firstVertexID
    integer(c_int), intent(in) :: secondVertexID
    integer(c_int), intent(in) :: thirdVertexID
    integer(c_int), intent(in), optional :: meshNameLength
    call c_set_mesh_triangle(meshName, firstVertexID, secondVertexID, thirdVertexID, used(meshName, meshNameLength))
  end subroutine

  !> `ids`: 3 ids per triangle. Error: ids that are not of this rank, the same twice in a triangle,
  !> a mesh that is not provided, or locked by precicef_initialize().
  subroutine precicef_set_mesh_triangles(meshName, triangleCount, ids, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in) :: triangleCount
    integer(c_int), intent(in) :: ids(*)
    integer(c_int), intent(in), optional :: meshNameLength
    call c_set_mesh_triangles(meshName, triangleCount, ids, used(meshName, meshNameLength))
  end subroutine

  !> A convex quad of 4 vertices, in the order around it. Error: an id that is not of this rank, the
  !> same twice, another shape, a mesh that is not provided, or locked by precicef_initialize().
  subroutine precicef_set_mesh_quad(meshName, firstVertexID, secondVertexID, thirdVertexID, fourthVertexID, &
       meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in) :: firstVertexID
    integer(c_int), intent(in) :: secondVertexID
    integer(c_int), intent(in) :: thirdVertexID
    integer(c_int), intent(in) :: fourthVertexID
    integer(c_int), intent(in), optional :: meshNameLength
    call c_set_mesh_quad(meshName, firstVertexID, secondVertexID, thirdVertexID, fourthVertexID, used(meshName, &
       meshNameLength))
  end subroutine

  !> `ids`: 4 ids per convex quad, in the order around it. Error: ids that are not of this rank, the
  !> same twice in a quad, another shape, a mesh that is not provided, or locked by
  !> precicef_initialize().
  subroutine precicef_set_mesh_quads(meshName, quadCount, ids, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in) :: quadCount
    integer(c_int), intent(in) :: ids(*)
    integer(c_int), intent(in), optional :: meshNameLength
    call c_set_mesh_quads(meshName, quadCount, ids, used(meshName, meshNameLength))
  end subroutine

  !> A tetrahedron of 4 vertices. Error: an id that is not of this rank, the same twice, a mesh of 2
  !> dimensions, a mesh that is not provided, or locked by precicef_initialize().
  subroutine precicef_set_mesh_tetrahedron(meshName, firstVertexID, secondVertexID, thirdVertexID, fourthVertexID, &
       meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in) :: firstVertexID
    integer(c_int), intent(in) :: secondVertexID
    integer(c_int), intent(in) :: thirdVertexID
    integer(c_int), intent(in) :: fourthVertexID
    integer(c_int), intent(in), optional :: meshNameLength
    call c_set_mesh_tetrahedron(meshName, firstVertexID, secondVertexID, thirdVertexID, fourthVertexID, used(meshName, &
       meshNameLength))
  end subroutine

  !> `ids`: 4 ids per tetrahedron. Error: ids that are not of this rank, the same twice in a
  !> tetrahedron, a mesh of 2 dimensions, a mesh that is not provided, or locked by
  !> precicef_initialize().
  subroutine precicef_set_mesh_tetrahedra(meshName, tetrahedronCount, ids, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in) :: tetrahedronCount
    integer(c_int), intent(in) :: ids(*)
    integer(c_int), intent(in), optional :: meshNameLength
    call c_set_mesh_tetrahedra(meshName, tetrahedronCount, ids, used(meshName, meshNameLength))
  end subroutine

  !> `values`: (component, vertex). Zero is sent where nothing is written. Error: an id that is not
  !> of this rank, a value that is not finite, data that this participant does not write, a coupling
  !> that has ended.
  subroutine precicef_write_data(meshName, dataName, valueCount, ids, values, meshNameLength, dataNameLength)
    character(len=*), intent(in) :: meshName
    character(len=*), intent(in) :: dataName
    integer(c_int), intent(in) :: valueCount
    integer(c_int), intent(in) :: ids(*)
    real(c_double), intent(in) :: values(*)
    integer(c_int), intent(in), optional :: meshNameLength
    integer(c_int), intent(in), optional :: dataNameLength
    call c_write_data(meshName, dataName, valueCount, ids, values, used(meshName, meshNameLength), used(dataName, &
       dataNameLength))
  end subroutine

  !> Fills `values`, (component, vertex), with those at `relativeReadTime` after the current time,
  !> in the unit of the configuration's times, 0 to precicef_get_max_time_step_size(). Error:
  !> another time, an id that is not of this rank, data that this participant does not read, before
  !> precicef_initialize().
  subroutine precicef_read_data(meshName, dataName, valueCount, ids, relativeReadTime, values, meshNameLength, &
       dataNameLength)
    character(len=*), intent(in) :: meshName
    character(len=*), intent(in) :: dataName
    integer(c_int), intent(in) :: valueCount
    integer(c_int), intent(in) :: ids(*)
    real(c_double), intent(in) :: relativeReadTime
    real(c_double), intent(out) :: values(*)
    integer(c_int), intent(in), optional :: meshNameLength
    integer(c_int), intent(in), optional :: dataNameLength
    call c_read_data(meshName, dataName, valueCount, ids, relativeReadTime, values, used(meshName, meshNameLength), &
       used(dataName, dataNameLength))
  end subroutine

  !> Whether a mapping needs the gradients of these data. Error: no such mesh or data.
  subroutine precicef_requires_gradient_data_for(meshName, dataName, isRequired, meshNameLength, dataNameLength)
    character(len=*), intent(in) :: meshName
    character(len=*), intent(in) :: dataName
    integer(c_int), intent(out) :: isRequired
    integer(c_int), intent(in), optional :: meshNameLength
    integer(c_int), intent(in), optional :: dataNameLength
    call c_requires_gradient_data_for(meshName, dataName, isRequired, used(meshName, meshNameLength), used(dataName, &
       dataNameLength))
  end subroutine

  !> `gradients`: (axis, component, vertex). Ignored where they are not required. Error: an id that
  !> is not of this rank, a value that is not finite, data that this participant does not write.
  subroutine precicef_write_gradient_data(meshName, dataName, valueCount, ids, gradients, meshNameLength, &
       dataNameLength)
    character(len=*), intent(in) :: meshName
    character(len=*), intent(in) :: dataName
    integer(c_int), intent(in) :: valueCount
    integer(c_int), intent(in) :: ids(*)
    real(c_double), intent(in) :: gradients(*)
    integer(c_int), intent(in), optional :: meshNameLength
    integer(c_int), intent(in), optional :: dataNameLength
    call c_write_gradient_data(meshName, dataName, valueCount, ids, gradients, used(meshName, meshNameLength), &
       used(dataName, dataNameLength))
  end subroutine

  !> The part of a received mesh that this rank is given. `boundingBox`: the least and the greatest
  !> coordinate of each axis: x0 x1 y0 y1 and in 3D z0 z1. Error: after precicef_initialize(), a
  !> second call for a mesh, a mesh that is not received with api-access.
  subroutine precicef_set_mesh_access_region(meshName, boundingBox, meshNameLength)
    character(len=*), intent(in) :: meshName
    real(c_double), intent(in) :: boundingBox(*)
    integer(c_int), intent(in), optional :: meshNameLength
    call c_set_mesh_access_region(meshName, boundingBox, used(meshName, meshNameLength))
  end subroutine

  !> Fills what a received mesh has in the access region: `ids`, one per vertex,
  !> precicef_get_mesh_vertex_size() in all, and `coordinates`, (dimension, vertex). Error: another
  !> `meshSize`, a mesh that is not received with api-access, before precicef_initialize().
  subroutine precicef_get_mesh_vertex_ids_and_coordinates(meshName, meshSize, ids, coordinates, meshNameLength)
    character(len=*), intent(in) :: meshName
    integer(c_int), intent(in) :: meshSize
    integer(c_int), intent(out) :: ids(*)
    real(c_double), intent(out) :: coordinates(*)
    integer(c_int), intent(in), optional :: meshNameLength
    call c_get_mesh_vertex_ids_and_coordinates(meshName, meshSize, ids, coordinates, used(meshName, meshNameLength))
  end subroutine

  !> Just-in-time mapping to a received mesh. `coordinates`: (dimension, position); `values`:
  !> (component, position). Error: a position outside of the access region, no such mapping, a value
  !> that is not finite.
  subroutine precicef_write_and_map_data(meshName, dataName, positionCount, coordinates, values, meshNameLength, &
       dataNameLength)
    character(len=*), intent(in) :: meshName
    character(len=*), intent(in) :: dataName
    integer(c_int), intent(in) :: positionCount
    real(c_double), intent(in) :: coordinates(*)
    real(c_double), intent(in) :: values(*)
    integer(c_int), intent(in), optional :: meshNameLength
    integer(c_int), intent(in), optional :: dataNameLength
    call c_write_and_map_data(meshName, dataName, positionCount, coordinates, values, used(meshName, meshNameLength), &
       used(dataName, dataNameLength))
  end subroutine

  !> Just-in-time mapping from a received mesh. `coordinates`: (dimension, position); fills
  !> `values`, (component, position), with those at `relativeReadTime` after the current time, in
  !> the unit of the configuration's times, 0 to precicef_get_max_time_step_size(). Error: another
  !> time, a position outside of the access region, no such mapping.
  subroutine precicef_map_and_read_data(meshName, dataName, positionCount, coordinates, relativeReadTime, values, &
       meshNameLength, dataNameLength)
    character(len=*), intent(in) :: meshName
    character(len=*), intent(in) :: dataName
    integer(c_int), intent(in) :: positionCount
    real(c_double), intent(in) :: coordinates(*)
    real(c_double), intent(in) :: relativeReadTime
    real(c_double), intent(out) :: values(*)
    integer(c_int), intent(in), optional :: meshNameLength
    integer(c_int), intent(in), optional :: dataNameLength
    call c_map_and_read_data(meshName, dataName, positionCount, coordinates, relativeReadTime, values, used(meshName, &
       meshNameLength), used(dataName, dataNameLength))
  end subroutine

  !> Opens a section of the profile, inside of those that are open. Error: a name with a slash.
  subroutine precicef_start_profiling_section(sectionName, sectionNameLength)
    character(len=*), intent(in) :: sectionName
    integer(c_int), intent(in), optional :: sectionNameLength
    call c_start_profiling_section(sectionName, used(sectionName, sectionNameLength))
  end subroutine

  !> Closes the section that was opened last. Error: none is open.
  subroutine precicef_stop_last_profiling_section()
    call c_stop_last_profiling_section()
  end subroutine

  !> Version, revision and features, separated by semicolons. Error: never; a text that is too short
  !> gets the beginning.
  subroutine precicef_get_version_information(versionInfo, versionInfoLength)
    character(len=*), intent(out) :: versionInfo
    integer(c_int), intent(in), optional :: versionInfoLength
    integer(c_int) :: length
    length = len(versionInfo)
    if (present(versionInfoLength)) length = min(length, versionInfoLength)
    versionInfo = ''
    call c_get_version_information(versionInfo, length)
  end subroutine
end module
