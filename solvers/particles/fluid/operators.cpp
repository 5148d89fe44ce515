// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fluid/operators.hpp"

#include <algorithm>
#include <bitset>
#include <cmath>

namespace isthmus::mps {

namespace {

/// What fits differences to neighbours best by a slope: the sums of weights by ways, a symmetric
/// matrix of 3 x 3, for any number of right sides.
class Fit {
 public:
  void add(const Vector& way, double weight) {
    m_[0] += weight * way[0] * way[0];
    m_[1] += weight * way[1] * way[1];
    m_[2] += weight * way[2] * way[2];
    m_[3] += weight * way[0] * way[1];
    m_[4] += weight * way[0] * way[2];
    m_[5] += weight * way[1] * way[2];
  }

  /// All neighbours are there.
  void finish(const Kernel& kernel) {
    // of a full lattice the matrix is the unit matrix times this
    full_ = kernel.density() / kernel.dimensions();
    if (kernel.dimensions() == 2) {
      m_[2] = full_;
    }
    determinant_ = m_[0] * (m_[1] * m_[2] - m_[5] * m_[5]) -
                   m_[3] * (m_[3] * m_[2] - m_[5] * m_[4]) +
                   m_[4] * (m_[3] * m_[5] - m_[1] * m_[4]);
  }

  /// Whether enough neighbours are known for slopes in all directions.
  [[nodiscard]] bool is_regular() const {
    constexpr double least = 0.05;
    return determinant_ >= least * full_ * full_ * full_;
  }

  /// The slope for a sum of weights by ways by differences; a plain sum where too few are known.
  [[nodiscard]] Vector slope(const Vector& right) const {
    if (!is_regular()) {
      return {right[0] / full_, right[1] / full_, right[2] / full_};
    }
    const double by = 1 / determinant_;
    const double xx = m_[1] * m_[2] - m_[5] * m_[5], yy = m_[0] * m_[2] - m_[4] * m_[4],
                 zz = m_[0] * m_[1] - m_[3] * m_[3], xy = m_[4] * m_[5] - m_[3] * m_[2],
                 xz = m_[3] * m_[5] - m_[4] * m_[1], yz = m_[3] * m_[4] - m_[0] * m_[5];
    return {by * (xx * right[0] + xy * right[1] + xz * right[2]),
            by * (xy * right[0] + yy * right[1] + yz * right[2]),
            by * (xz * right[0] + yz * right[1] + zz * right[2])};
  }

 private:
  std::array<double, 6> m_{}; // xx yy zz xy xz yz
  double full_ = 1, determinant_ = 0;
};

void add_to(Vector& sum, double factor, const Vector& way) {
  for (std::size_t d = 0; d < 3; ++d) {
    sum[d] += factor * way[d];
  }
}

/// Factor of the sum of weighted differences that gives a Laplacian at a particle: exact for
/// squares of places inside the fluid, whose particles off their lattice have some 4 % more of
/// these than the lattice; that of the lattice where neighbours are missing.
double laplacian(const Kernel& kernel, std::span<const Neighbour> neighbours) {
  double squares = 0;
  for (const Neighbour& other : neighbours) {
    squares += other.weight * other.distance * other.distance;
  }
  return std::min(kernel.laplacian(), 2 * kernel.dimensions() / squares);
}

/// Whether it is an image of an image.
bool is_turned_back(const Neighbour& neighbour) {
  return std::bitset<3>(neighbour.turned).count() % 2 == 0;
}

/// What a particle sees of the wall that it is before, or is of.
struct Wall {
  Vector normal{}; // away from the wall
  Vector flow{};   // mean velocity of the fluid near it
};

Wall wall_of(std::span<const Neighbour> neighbours, State& state, std::size_t row) {
  const auto kinds = state.kinds();
  Wall result;
  double sum = 0;
  for (const Neighbour& other : neighbours) {
    if (kinds[other.row] != Kind::fluid) {
      add_to(result.normal, -other.weight / other.distance, other.way);
    } else if (kinds[row] != Kind::fluid) {
      add_to(result.flow, other.weight, velocity_of(state.velocities(), other));
      sum += other.weight;
    }
  }
  const double size = std::sqrt(dot(result.normal, result.normal));
  for (std::size_t d = 0; d < 3; ++d) {
    result.normal[d] /= size > 0 ? size : 1;
    result.flow[d] /= sum > 0 ? sum : 1;
  }
  return result;
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
  std::vector<double> change(3 * state.num_owned(), 0);
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    if (kinds[row] != Kind::fluid) {
      continue;
    }
    const double factor = viscosity_by_step * laplacian(kernel, neighbours.of(row));
    for (const Neighbour& other : neighbours.of(row)) {
      const bool is_wall = kinds[other.row] != Kind::fluid;
      if (slips && is_wall) {
        continue;
      }
      Vector past = relative_velocity(velocities, row, other);
      if (!slips && !is_wall && other.turned != 0) { // the mean of it and its image is at rest
        const double sign = is_turned_back(other) ? 1 : -1;
        for (std::size_t d = 0; d < 3; ++d) {
          past[d] = sign * velocities[3 * other.row + d] - velocities[3 * row + d];
        }
      }
      for (std::size_t d = 0; d < 3; ++d) {
        change[3 * row + d] += factor * other.weight * past[d];
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
  const auto kinds = state.kinds();
  const Wall wall = wall_of(neighbours, state, row);
  Fit fit;
  std::array<Vector, 3> right{}; // one for each component of the velocity
  for (const Neighbour& other : neighbours) {
    const double weight = other.weight / (other.distance * other.distance);
    fit.add(other.way, weight);
    Vector change = relative_velocity(velocities, row, other);
    if (kinds[row] != Kind::fluid || kinds[other.row] != Kind::fluid) {
      const double across = dot(change, wall.normal);
      Vector along{};
      if (kinds[other.row] == Kind::fluid) {
        along = velocity_of(velocities, other);
        add_to(along, -1, wall.flow);
        add_to(along, -dot(along, wall.normal), wall.normal);
      }
      add_to(along, across, wall.normal);
      change = along;
    }
    for (std::size_t d = 0; d < 3; ++d) {
      add_to(right[d], weight * change[d], other.way);
    }
  }
  fit.finish(kernel);
  return fit.slope(right[0])[0] + fit.slope(right[1])[1] + fit.slope(right[2])[2];
}

Vector gradient(const Kernel& kernel, std::span<const Neighbour> neighbours,
                const Pressures& pressures, std::size_t row,
                const std::function<bool(std::size_t)>& has) {
  Fit fit;
  Vector right{};
  for (const Neighbour& other : neighbours) {
    if (has(other.row)) {
      const double weight = other.weight / (other.distance * other.distance);
      fit.add(other.way, weight);
      add_to(right, weight * pressures.change(row, other), other.way);
    }
  }
  fit.finish(kernel);
  return fit.slope(right);
}

Vector velocity_change(const Kernel& kernel, std::span<const Neighbour> neighbours, State& state,
                       std::size_t row, const Vector& way) {
  const auto velocities = state.velocities();
  Fit fit;
  std::array<Vector, 3> right{};
  for (const Neighbour& other : neighbours) {
    if (state.kinds()[other.row] == Kind::fluid) {
      const double weight = other.weight / (other.distance * other.distance);
      const Vector change = relative_velocity(velocities, row, other);
      fit.add(other.way, weight);
      for (std::size_t d = 0; d < 3; ++d) {
        add_to(right[d], weight * change[d], other.way);
      }
    }
  }
  fit.finish(kernel);
  if (!fit.is_regular()) {
    return {};
  }
  return {dot(fit.slope(right[0]), way), dot(fit.slope(right[1]), way),
          dot(fit.slope(right[2]), way)};
}

} // namespace isthmus::mps
