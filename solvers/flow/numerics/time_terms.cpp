// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/time_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace isthmus::flow {

namespace {

constexpr std::size_t most_snapshots = 17; // 8 harmonics
constexpr std::size_t most_together = 64;  // values of a row: those of all snapshots stay in caches

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

TimeTerms::TimeTerms(const Grid& grid, const TimeSettings& settings)
    : grid_(grid), settings_(settings) {
  if (settings.kind == TimeKind::harmonic) {
    matrix_ = spectral_derivative(num_snapshots());
    for (double& entry : matrix_) {
      entry *= settings.frequency;
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
  const bool is_first = earlier_.empty();
  const double now = leading();
  const double old = (is_first ? -1 : -2) / settings_.step;
  const double oldest = (is_first ? 0 : 0.5) / settings_.step;
  const std::vector<double>& earlier = is_first ? before_ : earlier_;
  for (std::size_t own = 0; own < grid_.own.size(); ++own) {
    const Block& block = grid_.own[own];
    const std::size_t stored = block.extent.stored();
    block.extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
      const auto n = static_cast<std::size_t>(block.extent.count(0));
      for (std::size_t v = 0; v < num_conserved; ++v) {
        const std::size_t begin = solution.begin_of(own, 0) + v * stored + first;
        for (std::size_t i = 0; i < n; ++i) {
          const std::size_t at = begin + i;
          residual[at] += block.volumes[first + i] * (now * solution.conserved()[at] +
                                                      old * before_[at] + oldest * earlier[at]);
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
    block.extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
      const auto n = static_cast<std::size_t>(block.extent.count(0));
      for (std::size_t v = 0; v < num_conserved; ++v) {
        const std::size_t begin = solution.begin_of(own, 0) + v * stored + first;
        for (std::size_t s = 0; s < snapshots; ++s) {
          for (std::size_t t = 0; t < snapshots; ++t) {
            const double factor = matrix_[s * snapshots + t];
            const double* const from = solution.conserved().data() + begin + t * apart;
            double* const to = residual.data() + begin + s * apart;
            for (std::size_t i = 0; i < n; ++i) {
              to[i] += block.volumes[first + i] * factor * from[i];
            }
          }
        }
      }
    });
  }
}

void TimeTerms::advance(double coefficient, const double* steps, std::size_t count,
                        const double* earlier, double* changes, std::size_t apart) const {
  if (settings_.kind == TimeKind::dual) {
    for (std::size_t i = 0; i < count; ++i) {
      const double rate = coefficient * steps[i] * leading();
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
  using Row = std::array<double, most_together>;
  const auto n = static_cast<std::size_t>(num_snapshots());
  std::array<Row, most_snapshots> sums{};
  for (std::size_t k = 0; 2 * k < n; ++k) {
    const double* const cosine = &cosines_[k * n];
    const double* const sine = &sines_[k * n];
    Row real{};
    Row imaginary{};
    Row earlier_real{};
    Row earlier_imaginary{};
    for (std::size_t s = 0; s < n; ++s) {
      const double* const change = changes + s * apart;
      const double* const old = earlier + s * apart;
      for (std::size_t i = 0; i < count; ++i) {
        real[i] += cosine[s] * change[i];
        imaginary[i] -= sine[s] * change[i];
        earlier_real[i] += cosine[s] * old[i];
        earlier_imaginary[i] -= sine[s] * old[i];
      }
    }
    const double share = (k == 0 ? 1.0 : 2.0) / static_cast<double>(n);
    for (std::size_t i = 0; i < count; ++i) {
      const double z = static_cast<double>(k) * settings_.frequency * steps[i];
      const double turn = coefficient * z * z * z / (9 + z * z);
      const double rest = 1 + coefficient * 0.5 * z / (1 + z / 3);
      const double factor = share / (rest * rest + turn * turn);
      const double x = real[i] - turn * earlier_imaginary[i];
      const double y = imaginary[i] + turn * earlier_real[i];
      real[i] = factor * (rest * x + turn * y);
      imaginary[i] = factor * (rest * y - turn * x);
    }
    for (std::size_t s = 0; s < n; ++s) {
      for (std::size_t i = 0; i < count; ++i) {
        sums[s][i] += cosine[s] * real[i] - sine[s] * imaginary[i];
      }
    }
  }
  for (std::size_t s = 0; s < n; ++s) {
    std::copy_n(sums[s].begin(), count, changes + s * apart);
  }
}

void TimeTerms::follow(const TimeTerms& other, const Solution& solution) {
  if (settings_.kind == TimeKind::dual) {
    before_.resize(solution.conserved().size());
    earlier_.resize(other.earlier_.empty() ? 0 : before_.size());
  }
}

void TimeTerms::begin_step(const Solution& solution) {
  earlier_.swap(before_);
  before_ = solution.conserved();
}

} // namespace isthmus::flow
