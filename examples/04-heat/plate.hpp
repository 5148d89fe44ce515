// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using Values = std::vector<double>;

/// c du/dt = k (u_xx + u_yy) + f by finite differences and implicit Euler steps. Column 0 of the
/// nodes is the interface, n the far side; the rows between y = 0 and 1 are dealt over the ranks.
struct Plate {
  int rank, size, n;
  double side, k, c; // sign of x, conductivity, capacity
  int first;         // column that is computed: 1 where the temperature is given, else 0
  double h = 1.0 / n;
  int begin = 1 + (n - 1) * rank / size; // own rows; one more is kept on either side
  int end = 1 + (n - 1) * (rank + 1) / size;
  double f = 1.2 * c - 8 * k;
  double mass = 0; // c h^2 / (k dt)
  Values u = Values(static_cast<std::size_t>((n + 1) * (end - begin + 2)), 0.0);
  Values old = u;

  [[nodiscard]] std::size_t at(int i, int j) const { return (j - begin + 1) * (n + 1) + i; }

  /// The scheme is exact for it: what is left are the tolerances and the mapping.
  [[nodiscard]] double exact(int i, int j, double t) const {
    const double x = side * i * h;
    const double y = j * h;
    return 1 + x * (1 + 2 * y) / k + x * x + 3 * y * y + 1.2 * t;
  }

  /// The exact solution at the outer edges, or everywhere.
  void set(double t, bool everywhere) {
    for (int j = begin - 1; j <= end; ++j) {
      for (int i = 0; i <= n; ++i) {
        if (everywhere || i == n || j == 0 || j == n) {
          u[at(i, j)] = exact(i, j, t);
        }
      }
    }
  }

  /// From old to u, at time t, first guess the u that is there; `given` has a value per own row.
  void step(double t, double dt, const Values& given) {
    mass = c * h * h / (k * dt);
    set(t, false);
    Values b(u.size(), 0.0);
    for (int j = begin; j < end; ++j) {
      for (int i = first; i < n; ++i) {
        b[at(i, j)] = (i == 0 ? 0.5 : 1.0) * (mass * old[at(i, j)] + h * h * f / k);
      }
      if (first == 1) {
        u[at(0, j)] = given[j - begin];
      } else {
        b[at(0, j)] += given[j - begin] * h / k;
      }
    }
    solve(b);
  }

  /// The temperature of the interface, or the flux through it, which balances the half cells.
  [[nodiscard]] Values answer(double dt) const {
    Values values;
    for (int j = begin; j < end; ++j) {
      const double stored = c * (u[at(0, j)] - old[at(0, j)]) / dt;
      const double flux = (f - stored) * h / 2 - k / h * outflow(u, 0, j);
      values.push_back(first == 0 ? u[at(0, j)] : flux);
    }
    return values;
  }

  /// What conduction takes from the cell of a node, times h / k; those of column 0 are halves.
  [[nodiscard]] double outflow(const Values& v, int i, int j) const {
    const double vertical = 2 * v[at(i, j)] - v[at(i, j - 1)] - v[at(i, j + 1)];
    return i == 0 ? vertical / 2 + v[at(0, j)] - v[at(1, j)]
                  : vertical + 2 * v[at(i, j)] - v[at(i - 1, j)] - v[at(i + 1, j)];
  }

  void multiply(Values& v, Values& product) const {
    const int below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int above = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    const auto swap_rows = [&](int own, int to, int other, int from) {
      MPI_Sendrecv(&v[at(0, own)], n + 1, MPI_DOUBLE, to, 0, &v[at(0, other)], n + 1, MPI_DOUBLE,
                   from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    swap_rows(end - 1, above, begin - 1, below);
    swap_rows(begin, below, end, above);
    for (int j = begin; j < end; ++j) {
      for (int i = first; i < n; ++i) {
        product[at(i, j)] = (i == 0 ? 0.5 : 1.0) * mass * v[at(i, j)] + outflow(v, i, j);
      }
    }
  }

  [[nodiscard]] double dot(const Values& a, const Values& b) const {
    double sum = 0;
    for (std::size_t i = at(0, begin); i < at(0, end); ++i) {
      sum += a[i] * b[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }

  /// Conjugate gradients; what is known stays, for r and p are zero there.
  void solve(const Values& b) {
    Values r = b;
    Values ap(u.size(), 0.0);
    multiply(u, ap);
    std::transform(b.begin(), b.end(), ap.begin(), r.begin(), std::minus<>());
    Values p = r;
    double rr = dot(r, r);
    for (const double enough = 1e-22 * dot(b, b); rr > enough;) {
      multiply(p, ap);
      const double alpha = rr / dot(p, ap);
      for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] += alpha * p[i];
        r[i] -= alpha * ap[i];
      }
      const double beta = 1 / std::exchange(rr, dot(r, r));
      for (std::size_t i = 0; i < u.size(); ++i) {
        p[i] = r[i] + beta * rr * p[i];
      }
    }
  }

  /// Largest error of all ranks; each writes its nodes where `folder` is given.
  [[nodiscard]] double error(const std::string& name, double t, const char* folder) const {
    std::ofstream file;
    if (folder != nullptr) {
      file.open(std::string(folder) + "/" + name + "-" + std::to_string(rank) + ".csv");
      file.precision(15);
      file << "x,y,u,exact\n";
    }
    double worst = 0;
    for (int j = begin - (rank == 0); j < end + (rank + 1 == size); ++j) {
      for (int i = 0; i <= n; ++i) {
        worst = std::max(worst, std::abs(u[at(i, j)] - exact(i, j, t)));
        file << side * i * h << ',' << j * h << ',' << u[at(i, j)] << ',' << exact(i, j, t) << '\n';
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return worst;
  }
};
