! SPDX-License-Identifier: BSD-3-Clause
! A solver that does nothing but call the coupler: solverdummy CONFIGURATION SolverOne|SolverTwo
program solverdummy
  implicit none
  integer, parameter :: num_vertices = 3
  character(len=512) :: configuration, name, mesh, written, read_name
  double precision :: coordinates(3, num_vertices), values(num_vertices), dt
  integer :: ids(num_vertices), i, yes

  if (command_argument_count() /= 2) then
    error stop 'usage: solverdummy CONFIGURATION SolverOne|SolverTwo'
  end if
  call get_command_argument(1, configuration)
  call get_command_argument(2, name)
  mesh = trim(name)//'-Mesh'
  written = merge('Data-One', 'Data-Two', name == 'SolverOne')
  read_name = merge('Data-Two', 'Data-One', name == 'SolverOne')
  do i = 1, num_vertices
    coordinates(:, i) = [i - 1.0d0, i - 0.5d0, 0.0d0]
  end do
  values = 0

  call precicef_create(name, configuration, 0, 1)
  call precicef_set_vertices(mesh, num_vertices, coordinates, ids)
  call precicef_requires_initial_data(yes)
  if (yes == 1) then
    call precicef_write_data(mesh, written, num_vertices, ids, values)
  end if
  call precicef_initialize()

  call precicef_is_coupling_ongoing(yes)
  do while (yes == 1)
    call precicef_requires_writing_checkpoint(yes)
    if (yes == 1) print '(2a)', trim(name), ': keep the state'
    call precicef_get_max_time_step_size(dt)
    call precicef_read_data(mesh, read_name, num_vertices, ids, dt, values)
    values = values + 1
    call precicef_write_data(mesh, written, num_vertices, ids, values)
    call precicef_advance(dt)
    call precicef_requires_reading_checkpoint(yes)
    if (yes == 1) then
      print '(2a)', trim(name), ': go back to the state that was kept'
    else
      call precicef_is_time_window_complete(yes)
      if (yes == 1) print '(2a, g0)', trim(name), ': the window ends with ', values(1)
    end if
    call precicef_is_coupling_ongoing(yes)
  end do
  call precicef_finalize()
end program solverdummy
