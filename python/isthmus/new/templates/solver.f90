! Participant @NAME@: replace what is marked by your solver.
program solver
  use precice
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  implicit none
  integer(c_int), parameter :: n = @POINTS@, num_inputs = @NUM_READS@
  character(len=@READ_LENGTH@), parameter :: inputs(num_inputs) = [character(len=@READ_LENGTH@) :: @READS_FORTRAN@]
  real(c_double) :: points(2, n), values(n), input(n), dt, time
  integer(c_int) :: ids(n), ongoing, i

  do i = 1, n ! yours: the interface
    points(:, i) = [(i - 1) / (n - 1.0_c_double), 0.0_c_double]
  end do
  call precicef_create('@NAME@', '@CONFIG@', 0, 1)
  call precicef_set_mesh_vertices('@NAME@-Mesh', n, points, ids)
  call precicef_initialize()
  time = 0
  do
    call precicef_is_coupling_ongoing(ongoing)
    if (ongoing == 0) exit
    call precicef_get_max_time_step_size(dt) ! yours: or a smaller step
    values = points(1, :) ! yours: the solver's step from time to time + dt
    do i = 1, num_inputs
      call precicef_read_data('@NAME@-Mesh', trim(inputs(i)), n, ids, dt, input)
      values = values + input / num_inputs
    end do
    time = time + dt
    call precicef_write_data('@NAME@-Mesh', '@NAME@-Data', n, ids, values)
    call precicef_advance(dt)
    print '(a, g0, a, g0)', '@NAME@ time ', time, ': mean ', sum(values) / n
  end do
  call precicef_finalize()
end program
