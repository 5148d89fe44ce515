// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fluid/operators.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::mps {

namespace {

/// A symmetric matrix of 3 x 3 and what it is multiplied with.
struct Moments {
  std::array<double, 6> m{}; // xx yy zz xy xz yz
  Vector right{};

  void add(const Vector& way, double weight, double difference) {
    m[0] += weight * way[0] * way[0];
    m[1] += weight * way[1] * way[1];
    m[2] += weight * way[2] * way[2];
    m[3] += weight * way[0] * way[1];
    m[4] += weight * way[0] * way[2];
    m[5] += weight * way[1] * way[2];
    for (std::size_t d = 0; d < 3; ++d) {
      right[d] += weight * way[d] * difference;
    }
  }

  [[nodiscard]] double determinant() const {
    return m[0] * (m[1] * m[2] - m[5] * m[5]) - m[3] * (m[3] * m[2] - m[5] * m[4]) +
           m[4] * (m[3] * m[5] - m[1] * m[4]);
  }

  [[nodiscard]] Vector solved() const {
    const double by = 1 / determinant();
    const double xx = m[1] * m[2] - m[5] * m[5], yy = m[0] * m[2] - m[4] * m[4],
                 zz = m[0] * m[1] - m[3] * m[3], xy = m[4] * m[5] - m[3] * m[2],
                 xz = m[3] * m[5] - m[4] * m[1], yz = m[3] * m[4] - m[0] * m[5];
    return {by * (xx * right[0] + xy * right[1] + xz * right[2]),
            by * (xy * right[0] + yy * right[1] + yz * right[2]),
            by * (xz * right[0] + yz * right[1] + zz * right[2])};
  }
};

/// The derivatives that fit the differences best; a plain sum where too few are known.
Vector slope(const Kernel& kernel, Moments moments) {
  // of a full lattice the matrix is the unit matrix times this
  const double full = kernel.density() / kernel.dimensions();
  if (kernel.dimensions() == 2) {
    moments.m[2] = full;
  }
  constexpr double least = 0.05;
  if (moments.determinant() < least * full * full * full) {
    Vector plain = moments.right;
    for (double& component : plain) {
      component /= full;
    }
    return plain;
  }
  return moments.solved();
}

constexpr double cone = 0.70710678118654752; // cosine of 45 degrees
constexpr double spray = 0.6;                // below it everything is surface

bool is_open(const Kernel& kernel, std::span<const Neighbour> neighbours,
             std::span<const Kind> kinds) {
  Vector away{};
  for (const Neighbour& other : neighbours) {
    for (std::size_t d = 0; d < 3; ++d) {
      away[d] -= other.weight * other.way[d] / other.distance;
    }
  }
  const double size = std::sqrt(dot(away, away));
  return std::none_of(neighbours.begin(), neighbours.end(), [&](const Neighbour& other) {
    return kinds[other.row] == Kind::fluid && other.distance < 2.1 * kernel.spacing() &&
           dot(other.way, away) > cone * other.distance * size;
  });
}

} // namespace

std::vector<double> relative_density(const Kernel& kernel, const Neighbours& neighbours,
                                     std::size_t owned) {
  std::vector<double> result(owned);
  for (std::size_t row = 0; row < owned; ++row) {
    double sum = 0;
    for (const Neighbour& other : neighbours.of(row)) {
      sum += other.weight;
    }
    result[row] = sum / kernel.density();
  }
  return result;
}

std::vector<char> find_surface(const Kernel& kernel, const Neighbours& neighbours, State& state,
                               std::span<const double> density) {
  std::vector<char> result(density.size(), 0);
  for (std::size_t row = 0; row < density.size(); ++row) {
    if (state.kinds()[row] != Kind::dummy && density[row] < thin) {
      const bool is_spray = density[row] < spray && state.kinds()[row] == Kind::fluid;
      result[row] = is_spray || is_open(kernel, neighbours.of(row), state.kinds()) ? 1 : 0;
    }
  }
  return result;
}

void add_viscosity(const Kernel& kernel, const Neighbours& neighbours, double viscosity_by_step,
                   bool slips, State& state) {
  const auto velocities = state.velocities();
  const auto kinds = state.kinds();
  const double factor = viscosity_by_step * kernel.laplacian();
  std::vector<double> change(3 * state.num_owned(), 0);
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    for (const Neighbour& other : neighbours.of(row)) {
      if (kinds[row] == Kind::fluid && !(slips && kinds[other.row] != Kind::fluid)) {
        for (std::size_t d = 0; d < 3; ++d) {
          change[3 * row + d] +=
              factor * other.weight * (velocities[3 * other.row + d] - velocities[3 * row + d]);
        }
      }
    }
  }
  for (std::size_t k = 0; k < change.size(); ++k) {
    velocities[k] += change[k];
  }
}

double divergence(const Kernel& kernel, std::span<const Neighbour> neighbours, State& state,
                  std::size_t row) {
  const auto velocities = state.velocities();
  std::array<Moments, 3> moments; // one for each component of the velocity
  for (const Neighbour& other : neighbours) {
    const double weight = other.weight / (other.distance * other.distance);
    Vector change{};
    double along = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      change[d] = velocities[3 * other.row + d] - velocities[3 * row + d];
      along += change[d] * other.way[d] / (other.distance * other.distance);
    }
    const bool is_wall = state.kinds()[other.row] != Kind::fluid;
    for (std::size_t d = 0; d < 3; ++d) {
      moments[d].add(other.way, weight, is_wall ? along * other.way[d] : change[d]);
    }
  }
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    sum += slope(kernel, moments[d])[d];
  }
  return sum;
}

Vector gradient(const Kernel& kernel, std::span<const Neighbour> neighbours,
                std::span<const double> pressures, std::size_t row,
                const std::function<bool(std::size_t)>& has) {
  Moments moments;
  for (const Neighbour& other : neighbours) {
    if (has(other.row)) {
      moments.add(other.way, other.weight / (other.distance * other.distance),
                  pressures[other.row] - pressures[row]);
    }
  }
  return slope(kernel, moments);
}

} // namespace isthmus::mps
