// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/time_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace isthmus::flow {

namespace {

constexpr std::size_t most_snapshots = 17; // 8 harmonics
constexpr std::size_t most_pairs = most_snapshots / 2 + 1;
constexpr std::size_t most_together = 64; // values of a row: those of all snapshots stay in caches

using Row = std::array<double, most_together>;

/// Sums and differences of the snapshots that lie as far before as behind the first one; the first
/// one itself. Harmonics need half as many products of them.
struct Pairs {
  std::array<Row, most_pairs> even;
  std::array<Row, most_pairs> odd;
};

/// One of some values.
struct Harmonic {
  Row real;
  Row imaginary;
};

Pairs pairs(const double* values, std::size_t snapshots, std::size_t apart, std::size_t count) {
  Pairs found;
  std::copy_n(values, count, found.even[0].begin());
  for (std::size_t m = 1; 2 * m < snapshots; ++m) {
    const double* const here = values + m * apart;
    const double* const opposite = values + (snapshots - m) * apart;
    for (std::size_t i = 0; i < count; ++i) {
      found.even[m][i] = here[i] + opposite[i];
      found.odd[m][i] = here[i] - opposite[i];
    }
  }
  return found;
}

Harmonic harmonic(const Pairs& of, std::size_t snapshots, const double* cosine, const double* sine,
                  std::size_t count) {
  Harmonic found;
  std::copy_n(of.even[0].begin(), count, found.real.begin());
  std::fill_n(found.imaginary.begin(), count, 0.0);
  for (std::size_t m = 1; 2 * m < snapshots; ++m) {
    for (std::size_t i = 0; i < count; ++i) {
      found.real[i] += cosine[m] * of.even[m][i];
      found.imaginary[i] -= sine[m] * of.odd[m][i];
    }
  }
  return found;
}

/// The snapshots of values that lie `apart`, and how much those 1, 2, … before count in the
/// derivative; as much as those behind count against it.
struct Snapshots {
  std::size_t count;
  std::size_t apart;
  const double* factors;
};

/// Adds the derivatives times volumes.
void add_derivatives(const Snapshots& of, const double* values, const double* volumes,
                     std::size_t count, double* to) {
  for (std::size_t s = 0; s < of.count; ++s) {
    Row sum;
    std::fill_n(sum.begin(), count, 0.0);
    for (std::size_t m = 1; 2 * m < of.count; ++m) {
      const double* const before = values + (s + of.count - m) % of.count * of.apart;
      const double* const behind = values + (s + m) % of.count * of.apart;
      for (std::size_t i = 0; i < count; ++i) {
        sum[i] += of.factors[m] * (before[i] - behind[i]);
      }
    }
    double* const here = to + s * of.apart;
    for (std::size_t i = 0; i < count; ++i) {
      here[i] += volumes[i] * sum[i];
    }
  }
}

} // namespace

std::vector<double> spectral_derivative(int snapshots) {
  const auto n = static_cast<std::size_t>(snapshots);
  std::vector<double> matrix(n * n, 0.0);
  for (int row = 0; row < snapshots; ++row) {
    for (int column = 0; column < snapshots; ++column) {
      if (row != column) {
        const int apart = row - column;
        const double sign = apart % 2 == 0 ? 1 : -1;
        matrix[static_cast<std::size_t>(row) * n + static_cast<std::size_t>(column)] =
            0.5 * sign / std::sin(std::numbers::pi * apart / snapshots);
      }
    }
  }
  return matrix;
}

std::vector<double> spectral_values(int few, int many) {
  std::vector<double> matrix;
  for (int row = 0; row < many; ++row) {
    for (int column = 0; column < few; ++column) {
      const double angle = 2 * std::numbers::pi *
                           (static_cast<double>(row) / many - static_cast<double>(column) / few);
      double sum = 1;
      for (int k = 1; 2 * k < few; ++k) {
        sum += 2 * std::cos(k * angle);
      }
      matrix.push_back(sum / few);
    }
  }
  return matrix;
}

TimeTerms::TimeTerms(const Grid& grid, const TimeSettings& settings)
    : grid_(grid), settings_(settings) {
  if (settings.kind == TimeKind::harmonic) {
    const std::vector<double> matrix = spectral_derivative(num_snapshots());
    for (std::size_t s = 0; s < static_cast<std::size_t>(num_snapshots()); ++s) { // first column
      derivative_.push_back(settings.frequency *
                            matrix[s * static_cast<std::size_t>(num_snapshots())]);
    }
    for (int k = 0; k <= settings.harmonics; ++k) {
      for (int s = 0; s < num_snapshots(); ++s) {
        const double angle = 2 * std::numbers::pi * k * s / num_snapshots();
        cosines_.push_back(std::cos(angle));
        sines_.push_back(std::sin(angle));
      }
    }
  }
}

int TimeTerms::num_snapshots() const {
  return settings_.kind == TimeKind::harmonic ? 2 * settings_.harmonics + 1 : 1;
}

void TimeTerms::add(const Solution& solution, std::span<double> residual) const {
  if (settings_.kind == TimeKind::dual) {
    add_dual(solution, residual);
  } else if (settings_.kind == TimeKind::harmonic) {
    add_harmonic(solution, residual);
  }
}

void TimeTerms::add_dual(const Solution& solution, std::span<double> residual) const {
  const BackwardWeights weights = this->weights();
  const std::vector<double>& earlier = earlier_.empty() ? before_ : earlier_;
  for (std::size_t own = 0; own < grid_.own.size(); ++own) {
    const Block& block = grid_.own[own];
    const std::size_t stored = block.extent.stored();
    block.extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
      const auto n = static_cast<std::size_t>(block.extent.count(0));
      for (std::size_t v = 0; v < num_conserved; ++v) {
        const std::size_t begin = solution.begin_of(own, 0) + v * stored + first;
        for (std::size_t i = 0; i < n; ++i) {
          const std::size_t at = begin + i;
          residual[at] += block.volumes[first + i] *
                          (weights.now * solution.conserved()[at] + weights.before * before_[at] +
                           weights.earlier * earlier[at]);
        }
      }
    });
  }
}

void TimeTerms::add_harmonic(const Solution& solution, std::span<double> residual) const {
  const auto snapshots = static_cast<std::size_t>(num_snapshots());
  for (std::size_t own = 0; own < grid_.own.size(); ++own) {
    const Block& block = grid_.own[own];
    const std::size_t stored = block.extent.stored();
    const std::size_t apart = num_conserved * stored;
    const Snapshots of_snapshots{snapshots, apart, derivative_.data()};
    block.extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
      const auto n = static_cast<std::size_t>(block.extent.count(0));
      for (std::size_t v = 0; v < num_conserved; ++v) {
        const std::size_t begin = solution.begin_of(own, 0) + v * stored + first;
        for (std::size_t part = 0; part < n; part += most_together) {
          add_derivatives(of_snapshots, solution.conserved().data() + begin + part,
                          block.volumes.data() + first + part, std::min(most_together, n - part),
                          residual.data() + begin + part);
        }
      }
    });
  }
}

void TimeTerms::advance(double coefficient, const double* steps, std::size_t count,
                        const double* earlier, double* changes, std::size_t apart) const {
  if (settings_.kind == TimeKind::dual) {
    const double leading = weights().now;
    for (std::size_t i = 0; i < count; ++i) {
      const double rate = coefficient * steps[i] * leading;
      changes[i] = (changes[i] + rate * earlier[i]) / (1 + rate);
    }
  } else if (settings_.kind == TimeKind::harmonic) {
    for (std::size_t begin = 0; begin < count; begin += most_together) {
      advance_harmonic(coefficient, steps + begin, std::min(most_together, count - begin),
                       earlier + begin, changes + begin, apart);
    }
  }
}

/// Harmonics are the eigenvectors of the derivative. That of number k turns by the angle z = k w
/// step in a pseudo step. Solving for it exactly lets waves grow that travel against it, where z is
/// about 1 or less; leaving it to the stages lets all grow where z is large. So the part z^2 / (9 +
/// z^2) of it is solved for, and the step is shortened by the part z / 2 / (1 + z / 3): no wave
/// grows then on straight grids up to a CFL number of 4 with smoothing of 0.6, 2 without.
void TimeTerms::advance_harmonic(double coefficient, const double* steps, std::size_t count,
                                 const double* earlier, double* changes, std::size_t apart) const {
  const auto n = static_cast<std::size_t>(num_snapshots());
  const Pairs now = pairs(changes, n, apart, count);
  const Pairs old = pairs(earlier, n, apart, count);
  Pairs sums;
  for (std::size_t m = 0; 2 * m < n; ++m) {
    sums.even[m].fill(0);
    sums.odd[m].fill(0);
  }
  for (std::size_t k = 0; 2 * k < n; ++k) {
    const double* const cosine = &cosines_[k * n];
    const double* const sine = &sines_[k * n];
    const Harmonic change = harmonic(now, n, cosine, sine, count);
    const Harmonic before = harmonic(old, n, cosine, sine, count);
    const double share = (k == 0 ? 1.0 : 2.0) / static_cast<double>(n);
    Harmonic found;
    for (std::size_t i = 0; i < count; ++i) {
      const double z = static_cast<double>(k) * settings_.frequency * steps[i];
      const double turn = coefficient * z * z * z / (9 + z * z);
      const double rest = 1 + coefficient * 0.5 * z / (1 + z / 3);
      const double factor = share / (rest * rest + turn * turn);
      const double x = change.real[i] - turn * before.imaginary[i];
      const double y = change.imaginary[i] + turn * before.real[i];
      found.real[i] = factor * (rest * x + turn * y);
      found.imaginary[i] = factor * (rest * y - turn * x);
    }
    for (std::size_t m = 0; 2 * m < n; ++m) {
      for (std::size_t i = 0; i < count; ++i) {
        sums.even[m][i] += cosine[m] * found.real[i];
        sums.odd[m][i] += sine[m] * found.imaginary[i];
      }
    }
  }
  std::copy_n(sums.even[0].begin(), count, changes);
  for (std::size_t m = 1; 2 * m < n; ++m) {
    double* const here = changes + m * apart;
    double* const opposite = changes + (n - m) * apart;
    for (std::size_t i = 0; i < count; ++i) {
      here[i] = sums.even[m][i] - sums.odd[m][i];
      opposite[i] = sums.even[m][i] + sums.odd[m][i];
    }
  }
}

void TimeTerms::follow(const TimeTerms& other, const Solution& solution) {
  if (settings_.kind == TimeKind::dual) {
    before_.resize(solution.conserved().size());
    earlier_.resize(other.earlier_.empty() ? 0 : before_.size());
    step_before_ = other.step_before_;
  }
}

BackwardWeights TimeTerms::weights() const {
  const double step = settings_.step;
  if (earlier_.empty()) {
    return {1 / step, -1 / step, 0};
  }
  const double ratio = step / step_before_; // of the parabola through three values
  return {(1 + 2 * ratio) / (1 + ratio) / step, -(1 + ratio) / step,
          ratio * ratio / (1 + ratio) / step};
}

void TimeTerms::begin_step(const Solution& solution) {
  earlier_.swap(before_);
  before_ = solution.conserved();
  step_before_ = last_step_;
  last_step_ = settings_.step;
}

} // namespace isthmus::flow
