// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/time_terms.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace isthmus::flow {

namespace {

constexpr std::size_t most_snapshots = 17; // 8 harmonics

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

void TimeTerms::add_change(double step, const double* changes, double* sums,
                           std::size_t stride) const {
  if (settings_.kind == TimeKind::dual) {
    sums[0] += step * leading() * changes[0];
  } else if (settings_.kind == TimeKind::harmonic) {
    const auto n = static_cast<std::size_t>(num_snapshots());
    for (std::size_t s = 0; s < n; ++s) {
      for (std::size_t t = 0; t < n; ++t) {
        sums[s * stride] += step * matrix_[s * n + t] * changes[t * stride];
      }
    }
  }
}

void TimeTerms::solve(double step, double* changes, std::size_t stride) const {
  if (settings_.kind == TimeKind::dual) {
    changes[0] /= 1 + step * leading();
    return;
  }
  if (settings_.kind != TimeKind::harmonic) {
    return;
  }
  // (1 + step D) has circulant rows, as D: harmonics are its eigenvectors, with 1 + i k w step
  const auto n = static_cast<std::size_t>(num_snapshots());
  std::array<double, most_snapshots> inverse{};
  for (std::size_t apart = 0; apart < n; ++apart) {
    double sum = 1;
    for (int k = 1; k <= settings_.harmonics; ++k) {
      const double angle =
          2 * std::numbers::pi * k * static_cast<double>(apart) / static_cast<double>(n);
      const double stiff = step * settings_.frequency * k;
      sum += 2 * (std::cos(angle) + stiff * std::sin(angle)) / (1 + stiff * stiff);
    }
    inverse[apart] = sum / static_cast<double>(n);
  }
  std::array<double, most_snapshots> result{};
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t t = 0; t < n; ++t) {
      result[s] += inverse[(s + n - t) % n] * changes[t * stride];
    }
  }
  for (std::size_t s = 0; s < n; ++s) {
    changes[s * stride] = result[s];
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
