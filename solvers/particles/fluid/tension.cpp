// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fluid/tension.hpp"

#include "particles/fluid/operators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace isthmus::mps {

namespace {

/// Least squares for a surface over its tangents: height, slopes and second derivatives.
class Surface {
 public:
  static constexpr std::size_t most = 6;
  using Terms = std::array<double, most>;

  explicit Surface(int dimensions) : is_flat_(dimensions == 2), size_(is_flat_ ? 3 : most) {}

  /// A point `x`, `y` along the tangents and `height` above them.
  void add(double x, double y, double height, double weight) {
    const Terms terms =
        is_flat_ ? Terms{1, x, x * x / 2} : Terms{1, x, y, x * x / 2, x * y, y * y / 2};
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) {
        matrix_[i][j] += weight * terms[i] * terms[j];
      }
      right_[i] += weight * terms[i] * height;
    }
  }

  /// Sum of the curvatures at the origin, positive where the surface is above all others; 0 where
  /// the points do not decide it. `scale` is a length between points.
  [[nodiscard]] double curvature(double scale) {
    if (!solve(scale)) {
      return 0;
    }
    const Terms& c = right_;
    if (is_flat_) {
      return -c[2] / std::pow(1 + c[1] * c[1], 1.5);
    }
    const double sum = c[3] * (1 + c[2] * c[2]) - 2 * c[1] * c[2] * c[4] + c[5] * (1 + c[1] * c[1]);
    return -sum / std::pow(1 + c[1] * c[1] + c[2] * c[2], 1.5);
  }

 private:
  /// Gauss without exchange of rows: the matrix is symmetric and not negative. Columns are in units
  /// of `scale` before the pivots are judged.
  [[nodiscard]] bool solve(double scale) {
    const Terms unit = is_flat_
                           ? Terms{1, scale, scale * scale}
                           : Terms{1, scale, scale, scale * scale, scale * scale, scale * scale};
    constexpr double least = 0.02; // of a pivot, in weights
    for (std::size_t k = 0; k < size_; ++k) {
      if (matrix_[k][k] < least * unit[k] * unit[k]) {
        return false;
      }
      for (std::size_t i = 0; i < size_; ++i) {
        if (i == k) {
          continue;
        }
        const double factor = matrix_[i][k] / matrix_[k][k];
        for (std::size_t j = k; j < size_; ++j) {
          matrix_[i][j] -= factor * matrix_[k][j];
        }
        right_[i] -= factor * right_[k];
      }
    }
    for (std::size_t k = 0; k < size_; ++k) {
      right_[k] /= matrix_[k][k];
    }
    return true;
  }

  bool is_flat_;
  std::size_t size_;
  std::array<Terms, most> matrix_{};
  Terms right_{};
};

/// Directions of length 1: out of the fluid, and two along its surface.
struct Frame {
  Vector out, along, aside;
};

Frame frame_of(std::span<const Neighbour> neighbours) {
  Vector out{};
  for (const Neighbour& other : neighbours) {
    for (std::size_t d = 0; d < 3; ++d) {
      out[d] -= other.weight * other.way[d] / other.distance;
    }
  }
  const double size = std::max(std::sqrt(dot(out, out)), 1e-300);
  for (double& component : out) {
    component /= size;
  }
  // across the direction in which `out` is least, but in two dimensions in the plane
  Vector along{-out[1], out[0], 0};
  if (out[2] != 0 && std::abs(out[2]) > std::abs(out[0])) {
    along = {0, out[2], -out[1]};
  }
  const double length = std::max(std::sqrt(dot(along, along)), 1e-300);
  for (double& component : along) {
    component /= length;
  }
  const Vector aside{out[1] * along[2] - out[2] * along[1], out[2] * along[0] - out[0] * along[2],
                     out[0] * along[1] - out[1] * along[0]};
  return {out, along, aside};
}

bool is_of_surface(State& state, std::size_t row) {
  return state.kinds()[row] == Kind::fluid && state.rows()[row] == at_surface;
}

/// Of another particle of the surface. It falls so early that a wave of any length, two spacings
/// included, curves upwards at its crests; with weights that fall later, short waves would grow.
double weight_of(const Kernel& kernel, const Neighbour& other) {
  const double left = 1 - other.distance / kernel.radius();
  return left * left;
}

double curvature_of(const Kernel& kernel, std::span<const Neighbour> neighbours, State& state) {
  constexpr double steepest = 2; // what lies deeper is below the surface, not of it
  const Frame frame = frame_of(neighbours);
  Surface surface(kernel.dimensions());
  surface.add(0, 0, 0, 1);
  for (const Neighbour& other : neighbours) {
    const double x = dot(other.way, frame.along), y = dot(other.way, frame.aside);
    const double height = dot(other.way, frame.out);
    if (is_of_surface(state, other.row) && std::abs(height) < steepest * std::hypot(x, y)) {
      surface.add(x, y, height, weight_of(kernel, other));
    }
  }
  const double most = (kernel.dimensions() - 1) / kernel.spacing();
  return std::clamp(surface.curvature(kernel.spacing()), -most, most);
}

} // namespace

std::vector<double> surface_curvature(const Kernel& kernel, const Neighbours& neighbours,
                                      State& state) {
  std::vector<double> result(state.num_owned(), 0);
  for (std::size_t row = 0; row < result.size(); ++row) {
    if (is_of_surface(state, row)) {
      result[row] = curvature_of(kernel, neighbours.of(row), state);
    }
  }
  return result;
}

std::vector<double> smooth_curvature(const Kernel& kernel, const Neighbours& neighbours,
                                     State& state, std::span<const double> curvature) {
  std::vector<double> result(state.num_owned(), 0);
  for (std::size_t row = 0; row < result.size(); ++row) {
    if (!is_of_surface(state, row)) {
      continue;
    }
    double sum = curvature[row], weights = 1;
    for (const Neighbour& other : neighbours.of(row)) {
      if (is_of_surface(state, other.row)) {
        const double weight = weight_of(kernel, other);
        sum += weight * curvature[other.row];
        weights += weight;
      }
    }
    const double of_each = sum / weights / (kernel.dimensions() - 1);
    result[row] = sum / weights / (1 + of_each * kernel.spacing() / 2);
  }
  return result;
}

} // namespace isthmus::mps
