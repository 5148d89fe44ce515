// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/aggregation.hpp"

#include "isthmus/base/hash.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/la/vector.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::la {

namespace {

constexpr LocalIndex none = -1;

double strongest(const Csr& a, std::size_t row) {
  double most = 0;
  for (std::size_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
    most =
        a.columns[k] == static_cast<LocalIndex>(row) ? most : std::max(most, std::abs(a.values[k]));
  }
  return most;
}

/// Each row with its strong neighbours, where none of them has an aggregate yet.
LocalIndex aggregate_neighbourhoods(const Csr& a, double strong,
                                    std::vector<LocalIndex>& aggregate) {
  LocalIndex count = 0;
  for (std::size_t row = 0; row < a.num_rows(); ++row) {
    const double least = strong * strongest(a, row);
    bool is_free = aggregate[row] == none;
    for (std::size_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      is_free = is_free && (std::abs(a.values[k]) < least ||
                            aggregate[static_cast<std::size_t>(a.columns[k])] == none);
    }
    for (std::size_t k = a.offsets[row]; is_free && k < a.offsets[row + 1]; ++k) {
      if (std::abs(a.values[k]) >= least) {
        aggregate[static_cast<std::size_t>(a.columns[k])] = count;
      }
    }
    if (is_free) {
      aggregate[row] = count++;
    }
  }
  return count;
}

/// Between -1/2 and 1/2, the same for any number of ranks.
double noise(GlobalIndex row) {
  return noise_of(static_cast<std::uint64_t>(row) + 1) / 2;
}

/// Largest sum of absolute values of a row over its diagonal entry, on this rank.
double largest_row(const Matrix& a, std::span<const double> diagonal) {
  const auto sum_of = [](const Csr& rows, std::size_t row) {
    double sum = 0;
    for (const double value : rows.values_of(row)) {
      sum += std::abs(value);
    }
    return sum;
  };
  std::vector<double> sums(diagonal.size());
  for (std::size_t row = 0; row < sums.size(); ++row) {
    sums[row] = sum_of(a.own(), row);
  }
  for (std::size_t i = 0; i < a.border().num_rows(); ++i) {
    sums[static_cast<std::size_t>(a.border_rows()[i])] += sum_of(a.border(), i);
  }
  double most = 0;
  for (std::size_t row = 0; row < sums.size(); ++row) {
    most = diagonal[row] == 0 ? most : std::max(most, sums[row] / std::abs(diagonal[row]));
  }
  return most;
}

/// The global number of each row's aggregate, and of those of the ghosts; exact as doubles.
struct Numbers {
  Range range;
  std::vector<double> own, ghosts;
};

Numbers numbers_of(Matrix& a, const Aggregates& aggregates) {
  Numbers numbers{number(a.comm(), aggregates.count), {}, {}};
  for (const LocalIndex aggregate : aggregates.of_row) {
    numbers.own.push_back(static_cast<double>(numbers.range.first + aggregate));
  }
  numbers.ghosts.resize(a.ghosts().size());
  a.halo().forward(a.comm(), 1, numbers.own, numbers.ghosts);
  return numbers;
}

} // namespace

Aggregates aggregate(const Csr& a, double strong) {
  Aggregates result;
  result.of_row.assign(a.num_rows(), none);
  result.count = aggregate_neighbourhoods(a, strong, result.of_row);
  const std::vector<LocalIndex> first = result.of_row;
  for (std::size_t row = 0; row < a.num_rows(); ++row) {
    double most = 0;
    for (std::size_t k = a.offsets[row]; first[row] == none && k < a.offsets[row + 1]; ++k) {
      const LocalIndex neighbour = first[static_cast<std::size_t>(a.columns[k])];
      if (neighbour != none && std::abs(a.values[k]) > most) {
        most = std::abs(a.values[k]);
        result.of_row[row] = neighbour;
      }
    }
    if (result.of_row[row] == none) {
      result.of_row[row] = result.count++;
    }
  }
  return result;
}

double spectral_radius(Matrix& a) {
  constexpr int steps = 12;
  constexpr double margin = 1.1; // of a quotient of Rayleigh after so many steps
  const std::vector<double> diagonal = a.diagonal();
  const double bound = comm::allreduce(a.comm(), largest_row(a, diagonal), comm::Op::max);
  if (bound == 0) {
    return 1;
  }
  std::vector<double> v(diagonal.size());
  std::vector<double> av(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = noise(a.first_row() + static_cast<GlobalIndex>(i));
  }
  for (int step = 0; step < steps; ++step) {
    a.apply(v, av);
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = diagonal[i] == 0 ? 0 : av[i] / (diagonal[i] * bound);
    }
  }
  a.apply(v, av);
  comm::Reduction reduction(a.comm(), 2);
  const double dvv = impl::sum_of(
      0, v.size(), [&diagonal, &v](std::size_t i) { return diagonal[i] * v[i] * v[i]; });
  const std::array<double, 2> parts{local_dot(v, av), dvv};
  const auto sums = reduction.sum(parts);
  const double quotient = sums[0] / sums[1];
  return quotient > 0 ? std::min(bound, margin * quotient) : bound;
}

Matrix constant_prolongation(Matrix& a, const Aggregates& aggregates) {
  const Range range = number(a.comm(), aggregates.count);
  GlobalRows rows;
  for (const LocalIndex aggregate : aggregates.of_row) {
    rows.add(range.first + aggregate, 1);
    rows.end_row();
  }
  return make_matrix(a.comm(), rows, range);
}

Matrix smoothed_prolongation(Matrix& a, const Aggregates& aggregates, double strong,
                             double radius) {
  const double damping = 4.0 / 3 / radius;
  const Numbers numbers = numbers_of(a, aggregates);
  GlobalRows rows;
  RowSum sum;
  std::size_t next = 0; // of the rows at the border
  const Csr& own = a.own();
  const Csr& border = a.border();
  for (std::size_t row = 0; row < own.num_rows(); ++row) {
    const double least = strong * strongest(own, row);
    double original = 0;
    double diagonal = 0; // with the weak couplings
    std::vector<std::pair<GlobalIndex, double>> couplings;
    const auto take = [least, &diagonal, &couplings](double aggregate, double value) {
      if (std::abs(value) < least) {
        diagonal += value;
      } else {
        couplings.emplace_back(static_cast<GlobalIndex>(aggregate), value);
      }
    };
    for (std::size_t k = own.offsets[row]; k < own.offsets[row + 1]; ++k) {
      const auto column = static_cast<std::size_t>(own.columns[k]);
      if (column == row) {
        original = own.values[k];
      } else {
        take(numbers.own[column], own.values[k]);
      }
    }
    if (next < border.num_rows() && a.border_rows()[next] == static_cast<LocalIndex>(row)) {
      for (std::size_t k = border.offsets[next]; k < border.offsets[next + 1]; ++k) {
        take(numbers.ghosts[static_cast<std::size_t>(border.columns[k])], border.values[k]);
      }
      ++next;
    }
    constexpr double vanishes = 1e-8;
    diagonal += original;
    diagonal = diagonal > vanishes * original ? diagonal : original;
    sum.add(static_cast<GlobalIndex>(numbers.own[row]), diagonal == 0 ? 1 : 1 - damping);
    for (const auto& [aggregate, value] : couplings) {
      sum.add(aggregate, diagonal == 0 ? 0 : -damping * value / diagonal);
    }
    sum.end_row(rows);
  }
  return make_matrix(a.comm(), rows, numbers.range);
}

} // namespace isthmus::la
