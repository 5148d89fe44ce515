// SPDX-License-Identifier: BSD-3-Clause
#include "la/problems.hpp"

#include "isthmus/base/hash.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace isthmus::la::testing {

namespace {

/// What flows from cell (i, j) to its neighbour across side 0…3; and whether there is one.
struct Side {
  int di, dj;
};
constexpr std::array<Side, 4> sides{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};

/// Adds the row of each cell of this rank: `weight(i, j, i2, j2)` couples cells.
template <typename Weight>
GlobalRows grid_rows(const comm::Comm& comm, std::size_t n, bool closed, Weight weight) {
  const std::size_t total = n * n;
  GlobalRows rows;
  const auto edge = static_cast<int>(n);
  for (std::size_t g = first_of(total, comm.rank(), comm.size());
       g < first_of(total, comm.rank() + 1, comm.size()); ++g) {
    const auto i = static_cast<int>(g / n);
    const auto j = static_cast<int>(g % n);
    double sum = 0;
    for (const Side& side : sides) {
      const int i2 = i + side.di;
      const int j2 = j + side.dj;
      const bool inside = i2 >= 0 && i2 < edge && j2 >= 0 && j2 < edge;
      if (!inside && closed) {
        continue;
      }
      const double value = weight(i, j, i2, j2);
      sum += value;
      if (inside) {
        rows.add(static_cast<GlobalIndex>(i2) * edge + j2, -value);
      }
    }
    rows.add(static_cast<GlobalIndex>(g), sum);
    rows.end_row();
  }
  return rows;
}

} // namespace

std::size_t first_of(std::size_t n, int rank, int size) {
  return n * static_cast<std::size_t>(rank) / static_cast<std::size_t>(size);
}

GlobalRows diffusion(const comm::Comm& comm, std::size_t n, double jump) {
  const auto edge = static_cast<int>(n);
  const auto coefficient = [edge, jump](int i, int j) {
    const bool middle = i >= edge / 3 && i < 2 * edge / 3 && j >= edge / 3 && j < 2 * edge / 3;
    return middle ? jump : 1.0;
  };
  return grid_rows(comm, n, false, [coefficient](int i, int j, int i2, int j2) {
    const double a = coefficient(i, j);
    const double b = coefficient(i2, j2);
    return 2 * a * b / (a + b);
  });
}

GlobalRows closed_diffusion(const comm::Comm& comm, std::size_t n) {
  return grid_rows(comm, n, true, [](int, int, int, int) { return 1.0; });
}

GlobalRows cube_diffusion(const comm::Comm& comm, std::size_t n) {
  const std::size_t total = n * n * n;
  GlobalRows rows;
  for (std::size_t g = first_of(total, comm.rank(), comm.size());
       g < first_of(total, comm.rank() + 1, comm.size()); ++g) {
    for (const std::size_t stride : {std::size_t{1}, n, n * n}) {
      if (g / stride % n > 0) {
        rows.add(static_cast<GlobalIndex>(g - stride), -1);
      }
      if (g / stride % n + 1 < n) {
        rows.add(static_cast<GlobalIndex>(g + stride), -1);
      }
    }
    rows.add(static_cast<GlobalIndex>(g), 6);
    rows.end_row();
  }
  return rows;
}

GlobalRows convection(const comm::Comm& comm, std::size_t n, double speed) {
  return grid_rows(comm, n, false,
                   [speed](int i, int, int i2, int) { return i2 < i ? 1 + speed : 1.0; });
}

double noise(GlobalIndex g) {
  const auto number = static_cast<std::uint64_t>(g) + 1;
  return static_cast<double>(mixed(number * 0x9e3779b97f4a7c15U) >> 11) * 0x1p-53 - 0.5;
}

std::vector<double> noise(const Matrix& matrix) {
  std::vector<double> values(static_cast<std::size_t>(matrix.num_rows()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = noise(matrix.first_row() + static_cast<GlobalIndex>(i));
  }
  return values;
}

std::vector<double> direct(const Matrix& matrix, std::span<const double> b) {
  const GlobalRows mine = matrix.global_rows();
  std::vector<double> lengths;
  for (std::size_t row = 0; row < mine.num_rows(); ++row) {
    lengths.push_back(static_cast<double>(mine.columns_of(row).size()));
  }
  const auto& comm = matrix.comm();
  const auto all_lengths = comm::allgather(comm, std::span<const double>(lengths)).values;
  const auto columns = comm::allgather(comm, std::span<const GlobalIndex>(mine.columns)).values;
  const auto values = comm::allgather(comm, std::span<const double>(mine.values)).values;
  std::vector<double> x = comm::allgather(comm, b).values;
  const std::size_t n = x.size();
  std::vector<double> a(n * n);
  std::size_t k = 0;
  for (std::size_t row = 0; row < n; ++row) {
    for (auto end = k + static_cast<std::size_t>(all_lengths[row]); k < end; ++k) {
      a[row * n + static_cast<std::size_t>(columns[k])] = values[k];
    }
  }
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t row = c; row < n; ++row) {
      pivot = std::abs(a[row * n + c]) > std::abs(a[pivot * n + c]) ? row : pivot;
    }
    std::swap_ranges(&a[c * n], &a[c * n] + n, &a[pivot * n]);
    std::swap(x[c], x[pivot]);
    for (std::size_t row = c + 1; row < n; ++row) {
      const double factor = a[row * n + c] / a[c * n + c];
      for (std::size_t j = c; factor != 0 && j < n; ++j) {
        a[row * n + j] -= factor * a[c * n + j];
      }
      x[row] -= factor * x[c];
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t j = row + 1; j < n; ++j) {
      x[row] -= a[row * n + j] * x[j];
    }
    x[row] /= a[row * n + row];
  }
  const auto first = x.begin() + static_cast<std::ptrdiff_t>(matrix.first_row());
  return {first, first + matrix.num_rows()};
}

double distance(const comm::Comm& comm, std::span<const double> a, std::span<const double> b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
  }
  return comm::allreduce(comm, worst, comm::Op::max);
}

} // namespace isthmus::la::testing
