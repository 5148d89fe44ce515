! SPDX-License-Identifier: BSD-3-Clause
! The heavy membrane, 0 <= x <= 1, periodic in y: right CONFIGURATION
!   4 u_tt = u_xx + u_yy, moved at x = 0 by the other one
! Leapfrog. It answers with the force of its half cells on the nodes of the joint, and their mass.
program right
  use precice
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  implicit none
  integer, parameter :: dp = c_double, nx = 96, ny = 64
  real(dp), parameter :: pi = acos(-1.0_dp), dx = 1.0_dp / nx, dy = 1.0_dp / ny, density = 4
  real(dp), parameter :: ky = 2 * pi, kx_before = ky, omega = sqrt(kx_before**2 + ky**2)
  real(dp), parameter :: kx = sqrt(density * omega**2 - ky**2)
  real(dp), parameter :: through = 2 * kx_before / (kx_before + kx)
  real(dp) :: old(ny, 0:nx), now(ny, 0:nx), next(ny, 0:nx), points(2, ny), mass(ny), dt, t
  integer(c_int) :: ids(ny), answer
  integer :: i, j, unit
  character(len=512) :: config

  if (command_argument_count() /= 1) error stop 'usage: right CONFIGURATION'
  call get_command_argument(1, config)
  call precicef_create('Right', config, 0, 1)
  points(1, :) = 0
  points(2, :) = [(j * dy, j = 0, ny - 1)]
  call precicef_set_mesh_vertices('Right-Mesh', ny, points, ids)
  t = 0
  now = exact(t)
  mass = density * dx * dy / 2
  call precicef_requires_initial_data(answer)
  if (answer == 1) call answer_joint()
  call precicef_initialize()
  call precicef_get_max_time_step_size(dt)
  old = exact(-dt)

  do
    call precicef_is_coupling_ongoing(answer)
    if (answer == 0) exit
    do i = 1, nx - 1
      next(:, i) = 2 * now(:, i) - old(:, i) &
        + dt**2 / density * ((now(:, i + 1) - 2 * now(:, i) + now(:, i - 1)) / dx**2 + bend(now(:, i)) / dy**2)
    end do
    t = t + dt
    next(:, nx:nx) = exact_at(nx, nx, t)
    call precicef_read_data('Right-Mesh', 'Displacement', ny, ids, dt, next(:, 0))
    old = now
    now = next
    call answer_joint()
    call precicef_advance(dt)
  end do
  call precicef_finalize()

  open (newunit=unit, file='right.txt', action='write')
  do i = 0, nx
    write (unit, '(3es17.8)') (i * dx, points(2, j), now(j, i), j = 1, ny)
  end do
  close (unit)
  print '(a, f5.3, a, f7.5)', 'Right at t = ', t, ': largest error ', maxval(abs(now - exact(t)))
  if (maxval(abs(now - exact(t))) > 0.05) error stop

contains

  ! Force and mass of the half cells at the joint.
  subroutine answer_joint()
    real(dp) :: force(ny)
    force = (now(:, 1) - now(:, 0)) / dx * dy + bend(now(:, 0)) / dy * dx / 2
    call precicef_write_data('Right-Mesh', 'Force', ny, ids, force)
    call precicef_write_data('Right-Mesh', 'Mass', ny, ids, mass)
  end subroutine

  pure function bend(u) result(sums)
    real(dp), intent(in) :: u(ny)
    real(dp) :: sums(ny)
    sums = cshift(u, 1) - 2 * u + cshift(u, -1)
  end function

  ! The refracted wave on the columns first to last.
  pure function exact_at(first, last, time) result(u)
    integer, intent(in) :: first, last
    real(dp), intent(in) :: time
    real(dp) :: u(ny, first:last)
    integer :: column, row
    do column = first, last
      u(:, column) = [(through * cos(kx * column * dx + ky * row * dy - omega * time), row = 0, ny - 1)]
    end do
  end function

  pure function exact(time) result(u)
    real(dp), intent(in) :: time
    real(dp) :: u(ny, 0:nx)
    u = exact_at(0, nx, time)
  end function
end program
