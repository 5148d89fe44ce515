! SPDX-License-Identifier: BSD-3-Clause
! The program of calls.c in Fortran: calls CONFIGURATION A|B, with the module, or, where
! WITHOUT_MODULE is defined, as Fortran 77 calls what it knows by name only. OLD_NAMES: with the names
! of preCICE's own module.
#ifdef OLD_NAMES
#define precicef_set_mesh_vertex precicef_set_vertex
#define precicef_set_mesh_vertices precicef_set_vertices
#define precicef_set_mesh_edge precicef_set_edge
#define precicef_set_mesh_triangle precicef_set_triangle
#define precicef_set_mesh_quad precicef_set_quad
#define precicef_set_mesh_tetrahedron precicef_set_tetrahedron
#endif
program calls
#ifndef WITHOUT_MODULE
  use precice
#endif
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int
  implicit none
  interface
    integer(c_int) function world_of_fortran() bind(c)
      import :: c_int
    end function
    subroutine end_of_world() bind(c)
    end subroutine
    subroutine without_underscore(mesh, a, b, c, d, length) bind(c, name='precicef_set_tetrahedron')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: mesh(*)
      integer(c_int), intent(in) :: a, b, c, d
      integer(c_int), value :: length
    end subroutine
  end interface
  integer(c_int), parameter :: num_skin = 18, num_solid = 8, num_probes = 8
  real(c_double), parameter :: shape_of(2, 4) = reshape([0, 0, 1, 0, 1, 1, 0, 1], [2, 4])
  character(len=512) :: config, name

  call get_command_argument(1, config)
  call get_command_argument(2, name)
  if (name == 'A') then
    call play_a()
  else
    call play_b()
  end if

contains

  subroutine say(line, values)
    integer, intent(in) :: line
    real(c_double), intent(in) :: values(:)
    print '(i0, ":", 24es25.16)', line, values
  end subroutine

  subroutine define_skin(height, places, ids)
    real(c_double), intent(in) :: height
    real(c_double), intent(out) :: places(3, num_skin)
    integer(c_int), intent(out) :: ids(num_skin)
    integer :: e, k, v
    v = 0
    do e = 0, 5
      do k = 1, 2 + e / 2
        v = v + 1
        places(:, v) = [10 * e + shape_of(1, k), shape_of(2, k), height]
      end do
    end do
    call precicef_set_mesh_vertex('Skin ', places(:, 1), ids(1))
    call precicef_set_mesh_vertices('Skin', num_skin - 1, places(:, 2:), ids(2:))
    call precicef_set_mesh_edge('Skin', ids(1), ids(2))
    call precicef_set_mesh_edges('Skin', 1, ids(3:4))
    call precicef_set_mesh_triangle('Skin', ids(5), ids(6), ids(7))
    call precicef_set_mesh_triangles('Skin', 1, ids(8:10))
    call precicef_set_mesh_quad('Skin', ids(11), ids(12), ids(13), ids(14))
    call precicef_set_mesh_quads('Skin', 1, ids(15:18))
  end subroutine

  subroutine define_solid(places, ids)
    real(c_double), intent(out) :: places(3, num_solid)
    integer(c_int), intent(out) :: ids(num_solid)
    integer :: v
    places = 0
    do v = 0, num_solid - 1
      places(1, v + 1) = 10 * (v / 4)
      if (mod(v, 4) > 0) places(mod(v, 4), v + 1) = places(mod(v, 4), v + 1) + 1
    end do
    call precicef_set_mesh_vertices('Solid', num_solid, places, ids)
#ifdef WITHOUT_MODULE
    call without_underscore('Solid', ids(1), ids(2), ids(3), ids(4), 5)
#endif
    call precicef_set_mesh_tetrahedron('Solid', ids(1), ids(2), ids(3), ids(4))
    call precicef_set_mesh_tetrahedra('Solid', 1, ids(5:8))
  end subroutine

  subroutine write_heat(mesh, data, ids, places, window)
    character(len=*), intent(in) :: mesh, data
    integer(c_int), intent(in) :: ids(:)
    real(c_double), intent(in) :: places(:, :)
    integer, intent(in) :: window
    call precicef_write_data(mesh, data, size(ids), ids, places(1, :) + 2 * places(2, :) + 4 * places(3, :) + 100 * window)
  end subroutine

  subroutine write_cloud(ids, places, window)
    integer(c_int), intent(in) :: ids(3)
    real(c_double), intent(in) :: places(2, 3)
    integer, intent(in) :: window
    real(c_double) :: flow(2, 3)
    real(c_double), parameter :: gradients(4, 3) = reshape([1, 2, 3, -1, 1, 2, 3, -1, 1, 2, 3, -1], [4, 3])
    flow(1, :) = places(1, :) + 2 * places(2, :) + window
    flow(2, :) = 3 * places(1, :) - places(2, :) + window
    call precicef_write_data('Cloud', 'Flow', 3, ids, [flow])
    call precicef_write_gradient_data('Cloud', 'Flow', 3, ids, gradients)
    call precicef_write_data('Cloud', 'Warmth', 3, ids, [10, 20, 30] + 1.0_c_double * window)
  end subroutine

  subroutine play_a()
    real(c_double) :: skin(3, num_skin), solid(3, num_solid), read(8)
    real(c_double), parameter :: cloud(2, 3) = reshape([0, 0, 1, 0, 2, 0], [2, 3])
    integer(c_int) :: cloud_ids(3), skin_ids(num_skin), solid_ids(num_solid), facts(11), answer
    character(len=20) :: version
    integer :: w, step
    call precicef_create_with_communicator('A', config, 0, 1, world_of_fortran())
    call precicef_start_profiling_section('outer part ')
    call precicef_start_profiling_section('inner part')
    call precicef_set_mesh_vertices('Cloud', 3, cloud, cloud_ids)
    call define_skin(0.0_c_double, skin, skin_ids)
    call precicef_stop_last_profiling_section()
    call define_solid(solid, solid_ids)
    call precicef_stop_last_profiling_section()
    call precicef_get_mesh_dimensions('Skin', facts(1))
    call precicef_get_mesh_dimensions('Cloud', facts(2))
    call precicef_get_data_dimensions('Cloud', 'Flow', facts(3))
    call precicef_get_data_dimensions('Cloud', 'Warmth', facts(4))
    call precicef_get_mesh_vertex_size('Skin', facts(5))
    call precicef_requires_mesh_connectivity_for('Skin', facts(6))
    call precicef_requires_mesh_connectivity_for('Cloud', facts(7))
    call precicef_requires_gradient_data_for('Cloud', 'Flow', facts(8))
    call precicef_requires_gradient_data_for('Skin', 'Heat', facts(9))
    call precicef_requires_initial_data(facts(10))
    call precicef_get_version_information(version)
    facts(11) = iachar(version(1:1)) - iachar('0')
    call say(0, 1.0_c_double * facts)
    call write_heat('Skin', 'Heat', skin_ids, skin, 0)
    call precicef_initialize()
    do w = 1, 3
      do step = 1, merge(1, 2, w == 2) ! whole after a reset
        call write_heat('Skin', 'Heat', skin_ids, skin, w)
        call write_heat('Solid', 'Inside', solid_ids, solid, w)
        call write_cloud(cloud_ids, cloud, w)
        call precicef_advance(merge(0.5_c_double, 0.25_c_double, w == 2))
        if (step > 1) exit
        call precicef_is_time_window_complete(answer)
        read(1) = answer
        call precicef_get_max_time_step_size(read(2))
      end do
      call precicef_is_time_window_complete(answer)
      read(3) = answer
      call precicef_read_data('Cloud', 'Load', 3, cloud_ids, 0.0_c_double, read(4:6))
      call precicef_read_data('Cloud', 'Push', 2, cloud_ids(2:3), 0.0_c_double, read(7:8))
      call say(w, read)
      if (w == 1) then
        call precicef_reset_mesh('Skin')
        call define_skin(1.0_c_double, skin, skin_ids)
      end if
      call precicef_is_coupling_ongoing(answer)
      if (answer == merge(1, 0, w == 3)) error stop 'the end comes elsewhere'
    end do
    call precicef_finalize()
    call end_of_world()
  end subroutine

  subroutine play_b()
    real(c_double) :: probes(3, num_probes), line(15), step
    real(c_double), parameter :: region(4) = [-1.0, 1.5, -1.0, 1.0]
    real(c_double), parameter :: at(4) = real([0.9d0, 0.25d0, -0.25d0, 0.0d0], c_double)
    integer(c_int) :: ids(num_probes), target_id(1), cloud_ids(2), answer, other
    integer :: e, w
    call precicef_create('B', config, 0, 1)
    probes(:, 1) = [0.2d0, 0.3d0, 0.4d0]
    probes(:, 2) = [10.2d0, 0.3d0, 0.4d0]
    do e = 0, 5
      probes(:, 3 + e) = [10 * e + 0.75d0, 0.25d0, 0.5d0]
    end do
    call precicef_set_mesh_vertices('Probes', num_probes, probes, ids)
    call precicef_set_mesh_vertex('Target', [0.25_c_double, 0.125_c_double], target_id(1))
    call precicef_set_mesh_access_region('Cloud', region)
    call precicef_initialize()
    call precicef_get_mesh_vertex_size('Cloud', answer)
    line(1) = answer
    call precicef_get_mesh_vertex_ids_and_coordinates('Cloud', 2, cloud_ids, line(2:5))
    call precicef_read_data('Probes', 'Heat', 6, ids(3:), 0.0_c_double, line(6:11))
    call say(0, line(1:11))
    do w = 1, 3
      call precicef_write_and_map_data('Cloud', 'Load', 2, at, [5.0_c_double + w, 1.0_c_double])
      call precicef_write_data('Cloud', 'Push', 1, cloud_ids(2:), [7.0_c_double * w])
      call precicef_get_max_time_step_size(step)
      call precicef_advance(step)
      call precicef_read_data('Probes', 'Heat', 6, ids(3:), 0.0_c_double, line(1:6))
      call precicef_read_data('Probes', 'Inside', 2, ids(1:2), 0.0_c_double, line(7:8))
      call precicef_read_data('Target', 'Flow', 1, target_id, 0.0_c_double, line(9:10))
      call precicef_read_data('Cloud', 'Warmth', 2, cloud_ids, 0.0_c_double, line(11:12))
      call precicef_map_and_read_data('Cloud', 'Warmth', 2, at, 0.0_c_double, line(13:14))
      call precicef_requires_writing_checkpoint(answer)
      call precicef_requires_reading_checkpoint(other)
      line(15) = answer + other
      call say(w, line)
    end do
    call precicef_finalize()
  end subroutine
end program
