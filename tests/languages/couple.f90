! SPDX-License-Identifier: BSD-3-Clause
! The scenario of couple.cpp in Fortran: couple CONFIGURATION A|B
program couple
  use precice
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  implicit none
  character(len=512) :: config, name
  character(len=6) :: mesh
  character(len=8) :: written, read
  integer(c_int) :: ids(3), i, answer, num_in, num_out
  real(c_double) :: positions(2, 3), out(6), in(6), time, start, dt
  logical :: is_a

  call get_command_argument(1, config)
  call get_command_argument(2, name)
  is_a = name == 'A'
  mesh = trim(name) // '-Mesh'
  written = merge('A-Heat ', 'B-Force', is_a)
  read = merge('B-Force', 'A-Heat ', is_a)
  call precicef_create(name, config, 0, 1)
  do i = 1, 3
    positions(:, i) = merge([i - 1.0_c_double, 0.0_c_double], [i - 0.75_c_double, 0.5_c_double], is_a)
  end do
  call precicef_set_mesh_vertices(mesh, 3, positions, ids)
  call precicef_requires_mesh_connectivity_for(mesh, answer)
  if (answer == 1) then
    call precicef_set_mesh_edge(mesh, ids(1), ids(2))
    call precicef_set_mesh_edges(mesh, 1, ids(2:3), 6)
  end if
  call precicef_get_data_dimensions(mesh, written, num_out)
  call precicef_get_data_dimensions(mesh, read, num_in, 6, 8)
  num_out = 3 * num_out
  num_in = 3 * num_in
  out = 7
  call precicef_requires_initial_data(answer)
  if (answer == 1) call precicef_write_data(mesh, written, 3, ids, out)
  call precicef_initialize()
  time = 0
  start = 0
  do
    call precicef_is_coupling_ongoing(answer)
    if (answer == 0) exit
    call precicef_requires_writing_checkpoint(answer)
    if (answer == 1) start = time
    call precicef_get_max_time_step_size(dt)
    call precicef_read_data(mesh, read, 3, ids, dt, in)
    print '(es24.16, ":", 6es24.16)', time, in(1:num_in)
    time = time + dt
    do i = 1, num_out
      out(i) = in(mod(i - 1, num_in) + 1) / 3 + time + (i - 1)
    end do
    call precicef_write_data(mesh, written, 3, ids, out)
    call precicef_advance(dt)
    call precicef_requires_reading_checkpoint(answer)
    if (answer == 1) time = start
  end do
  call precicef_finalize()
end program
