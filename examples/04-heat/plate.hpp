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

/// The rows of nodes between y = 0 and 1 that a rank computes. It keeps one more on either side.
struct Rows {
  int rank, size, n; // of cells in each direction
  double h = 1.0 / n;
  int begin = 1 + (n - 1) * rank / size;
  int end = 1 + (n - 1) * (rank + 1) / size;

  [[nodiscard]] Values zeros() const {
    return Values(static_cast<std::size_t>((n + 1) * (end - begin + 2)), 0.0);
  }
  [[nodiscard]] std::size_t at(int i, int j) const { return (j - begin + 1) * (n + 1) + i; }

  /// Gets the rows beside those of this rank.
  void exchange(Values& v) const {
    const int below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int above = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    const auto swap_rows = [&](int own, int to, int other, int from) {
      MPI_Sendrecv(&v[at(0, own)], n + 1, MPI_DOUBLE, to, 0, &v[at(0, other)], n + 1, MPI_DOUBLE,
                   from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    swap_rows(end - 1, above, begin - 1, below);
    swap_rows(begin, below, end, above);
  }

  [[nodiscard]] double dot(const Values& a, const Values& b) const {
    double sum = 0;
    for (std::size_t i = at(0, begin); i < at(0, end); ++i) {
      sum += a[i] * b[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }
};

/// c du/dt = k (u_xx + u_yy) + f by finite differences and implicit Euler steps. Column 0 of the
/// nodes is the interface, n the far side.
struct Plate {
  Rows rows;
  double side, k, c; // sign of x, conductivity, capacity
  int first;         // column that is computed: 1 where the temperature is given, else 0
  double f = 1.2 * c - 8 * k;
  double mass = 0; // c h^2 / (k dt)
  Values u = rows.zeros();
  Values old = u;

  [[nodiscard]] std::size_t at(int i, int j) const { return rows.at(i, j); }

  /// The scheme is exact for it: what is left are the tolerances and the mapping.
  [[nodiscard]] double exact(int i, int j, double t) const {
    const double x = side * i * rows.h;
    const double y = j * rows.h;
    return 1 + x * (1 + 2 * y) / k + x * x + 3 * y * y + 1.2 * t;
  }

  /// The exact solution at the outer edges, or everywhere.
  void set(double t, bool everywhere) {
    for (int j = rows.begin - 1; j <= rows.end; ++j) {
      for (int i = 0; i <= rows.n; ++i) {
        if (everywhere || i == rows.n || j == 0 || j == rows.n) {
          u[at(i, j)] = exact(i, j, t);
        }
      }
    }
  }

  /// From old to u, at time t, first guess the u that is there; `given` has a value per own row.
  void step(double t, double dt, const Values& given) {
    mass = c * rows.h * rows.h / (k * dt);
    set(t, false);
    Values b(u.size(), 0.0);
    for (int j = rows.begin; j < rows.end; ++j) {
      for (int i = first; i < rows.n; ++i) {
        b[at(i, j)] = (i == 0 ? 0.5 : 1.0) * (mass * old[at(i, j)] + rows.h * rows.h * f / k);
      }
      if (first == 1) {
        u[at(0, j)] = given[j - rows.begin];
      } else {
        b[at(0, j)] += given[j - rows.begin] * rows.h / k;
      }
    }
    solve(b);
  }

  /// The temperature of the interface, or the flux through it, which balances the half cells.
  [[nodiscard]] Values answer(double dt) const {
    Values values;
    for (int j = rows.begin; j < rows.end; ++j) {
      const double stored = c * (u[at(0, j)] - old[at(0, j)]) / dt;
      const double flux = (f - stored) * rows.h / 2 - k / rows.h * outflow(u, 0, j);
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
    rows.exchange(v);
    for (int j = rows.begin; j < rows.end; ++j) {
      for (int i = first; i < rows.n; ++i) {
        product[at(i, j)] = (i == 0 ? 0.5 : 1.0) * mass * v[at(i, j)] + outflow(v, i, j);
      }
    }
  }

  /// Conjugate gradients; what is known stays, for r and p are zero there.
  void solve(const Values& b) {
    Values r = b;
    Values ap(u.size(), 0.0);
    multiply(u, ap);
    std::transform(b.begin(), b.end(), ap.begin(), r.begin(), std::minus<>());
    Values p = r;
    double rr = rows.dot(r, r);
    for (const double enough = 1e-22 * rows.dot(b, b); rr > enough;) {
      multiply(p, ap);
      const double alpha = rr / rows.dot(p, ap);
      for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] += alpha * p[i];
        r[i] -= alpha * ap[i];
      }
      const double beta = 1 / std::exchange(rr, rows.dot(r, r));
      for (std::size_t i = 0; i < u.size(); ++i) {
        p[i] = r[i] + beta * rr * p[i];
      }
    }
  }

  /// Largest error of all ranks; each writes its nodes where `folder` is given.
  [[nodiscard]] double error(const std::string& name, double t, const char* folder) const {
    std::ofstream file;
    if (folder != nullptr) {
      file.open(std::string(folder) + "/" + name + "-" + std::to_string(rows.rank) + ".csv");
      file.precision(15);
      file << "x,y,u,exact\n";
    }
    double worst = 0;
    for (int j = rows.begin - (rows.rank == 0); j < rows.end + (rows.rank + 1 == rows.size); ++j) {
      for (int i = 0; i <= rows.n; ++i) {
        worst = std::max(worst, std::abs(u[at(i, j)] - exact(i, j, t)));
        file << side * i * rows.h << ',' << j * rows.h << ',' << u[at(i, j)] << ','
             << exact(i, j, t) << '\n';
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return worst;
  }
};
