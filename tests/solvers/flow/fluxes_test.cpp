// SPDX-License-Identifier: BSD-3-Clause
#include "flows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

using Flux = std::array<double, num_conserved>;

Vector operator*(double factor, const Vector& v) {
  return {factor * v[0], factor * v[1], factor * v[2]};
}
Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// One face after the other, as textbooks have it: nothing of the loops of the solver.
class Textbook {
 public:
  Textbook(const Block& block, const Physics& physics, const Turning& turning,
           std::span<const double> primitive)
      : block_(block), physics_(physics), turning_(turning), primitive_(primitive) {}

  /// What flows out of a cell.
  [[nodiscard]] Flux out_of(std::size_t at) const {
    Flux sum{};
    for (int axis = 0; axis < (block_.extent.is_flat() ? 2 : 3); ++axis) {
      const Flux low = through(axis, at);
      const Flux high = through(axis, at + static_cast<std::size_t>(block_.extent.stride(axis)));
      for (std::size_t v = 0; v < sum.size(); ++v) {
        sum[v] += high[v] - low[v];
      }
    }
    const double factor = turning_.speed * block_.volumes[at] * value(0, at);
    sum[1] -= factor * value(2, at);
    sum[2] += factor * value(1, at);
    return sum;
  }

 private:
  [[nodiscard]] double value(std::size_t v, std::size_t at) const {
    return primitive_[v * block_.extent.stored() + at];
  }
  [[nodiscard]] Vector area(int axis, std::size_t at) const {
    const Faces& faces = block_.faces[static_cast<std::size_t>(axis)];
    return {faces.x[at], faces.y[at], faces.z[at]};
  }

  /// Values at the low (0) or high (1) side of the face below the cell `at`.
  [[nodiscard]] Primitive side(int end, std::size_t at, std::size_t stride) const {
    Primitive found{};
    for (std::size_t v = 0; v < found.size(); ++v) {
      const double here = end == 0 ? value(v, at - stride) : value(v, at);
      const double across = end == 0 ? value(v, at) - here : here - value(v, at - stride);
      const double behind =
          end == 0 ? here - value(v, at - 2 * stride) : value(v, at + stride) - here;
      const double sign = end == 0 ? 1 : -1;
      if (physics_.flux.is_first_order) {
        found[v] = here;
      } else if (physics_.flux.limiter == Limiter::none) {
        found[v] = here + sign * (behind + 2 * across) / 6;
      } else {
        const double a = across * across + 1e-12;
        const double b = behind * behind + 1e-12;
        found[v] = here + sign * (behind * a + across * b) / (a + b) / 2;
      }
    }
    return found;
  }

  [[nodiscard]] double enthalpy(const Primitive& w) const {
    const double gamma = physics_.gas.gamma;
    return gamma / (gamma - 1) * w[4] / w[0] + (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]) / 2;
  }

  /// Per area.
  [[nodiscard]] Flux physical(const Primitive& w, const Vector& n, double speed) const {
    const double q = dot({w[1], w[2], w[3]}, n);
    const double mass = w[0] * (q - speed);
    return {mass, mass * w[1] + w[4] * n[0], mass * w[2] + w[4] * n[1], mass * w[3] + w[4] * n[2],
            mass * enthalpy(w) + w[4] * speed};
  }

  /// |A| times the jump, by eigenvectors of Roe's mean.
  [[nodiscard]] Flux dissipation(const Primitive& l, const Primitive& r, const Vector& n,
                                 double speed) const {
    const double left = std::sqrt(l[0]) / (std::sqrt(l[0]) + std::sqrt(r[0]));
    const auto mean = [left](double a, double b) { return left * a + (1 - left) * b; };
    const Vector u{mean(l[1], r[1]), mean(l[2], r[2]), mean(l[3], r[3])};
    const double h = mean(enthalpy(l), enthalpy(r));
    const double density = std::sqrt(l[0] * r[0]);
    const double c = std::sqrt((physics_.gas.gamma - 1) * (h - dot(u, u) / 2));
    const double q = dot(u, n);
    const Vector du{r[1] - l[1], r[2] - l[2], r[3] - l[3]};
    const double dq = dot(du, n);
    const double dp = r[4] - l[4];
    const auto size = [c](double wave) {
      const double least = 0.05 * c;
      return std::abs(wave) < least ? (wave * wave / least + least) / 2 : std::abs(wave);
    };
    const double scale = physics_.flux.is_low_speed ? std::min(1.0, std::sqrt(dot(u, u)) / c) : 1.0;
    const double back = size(q - speed - c) * (dp - scale * density * c * dq) / (2 * c * c);
    const double ahead = size(q - speed + c) * (dp + scale * density * c * dq) / (2 * c * c);
    const double still = size(q - speed) * (r[0] - l[0] - dp / (c * c));
    const double shear = size(q - speed) * density;
    const Vector tangent = shear * (du + (-dq) * n);
    const Vector momentum = back * (u + (-c) * n) + ahead * (u + c * n) + still * u + tangent;
    return {back + ahead + still, momentum[0], momentum[1], momentum[2],
            back * (h - c * q) + ahead * (h + c * q) + still * dot(u, u) / 2 + dot(u, tangent)};
  }

  /// The gradient of a value at the face below a cell.
  [[nodiscard]] Vector gradient(std::size_t v, int axis, std::size_t at) const {
    const auto stride = [this](int a) { return static_cast<std::size_t>(block_.extent.stride(a)); };
    const std::size_t before = at - stride(axis);
    Vector sum = (value(v, at) - value(v, before)) * area(axis, at);
    for (int t = 0; t < (block_.extent.is_flat() ? 2 : 3); ++t) {
      if (t != axis) {
        const std::size_t next = stride(t);
        const double change = (value(v, at + next) - value(v, at - next) + value(v, before + next) -
                               value(v, before - next)) /
                              4;
        sum = sum + (change / 4) * (area(t, at) + area(t, at + next) + area(t, before) +
                                    area(t, before + next));
      }
    }
    return (2 / (block_.volumes[at] + block_.volumes[before])) * sum;
  }

  /// Shear, its work, and heat.
  [[nodiscard]] Flux viscous(int axis, std::size_t at) const {
    const Gas& gas = physics_.gas;
    const Vector s = area(axis, at);
    const std::size_t before = at - static_cast<std::size_t>(block_.extent.stride(axis));
    const double eddy =
        gas.is_turbulent ? (value(eddy_field, at) + value(eddy_field, before)) / 2 : 0;
    const std::array<Vector, 3> d{gradient(1, axis, at), gradient(2, axis, at),
                                  gradient(3, axis, at)};
    const double spread = 2 * (d[0][0] + d[1][1] + d[2][2]) / 3;
    Flux found{};
    for (std::size_t a = 0; a < 3; ++a) {
      double force = 0;
      for (std::size_t b = 0; b < 3; ++b) {
        force += (gas.viscosity + eddy) * (d[a][b] + d[b][a] - (a == b ? spread : 0)) * s[b];
      }
      found[1 + a] = force;
      found[4] += force * (value(1 + a, at) + value(1 + a, before)) / 2;
    }
    const double conductivity =
        (gas.viscosity / gas.prandtl + eddy / gas.turbulent_prandtl) / (gas.gamma - 1);
    found[4] += conductivity * dot(gradient(5, axis, at), s);
    return found;
  }

  /// The face at the low end of a cell.
  [[nodiscard]] Flux through(int axis, std::size_t at) const {
    const Vector s = area(axis, at);
    const double size = std::sqrt(dot(s, s));
    const Vector n = (1 / size) * s;
    const double turning = block_.faces[static_cast<std::size_t>(axis)].turning[at];
    const double speed = (turning_.speed * turning + dot(turning_.velocity, s)) / size;
    const auto stride = static_cast<std::size_t>(block_.extent.stride(axis));
    const Primitive l = side(0, at, stride);
    const Primitive r = side(1, at, stride);
    const Flux fl = physical(l, n, speed);
    const Flux fr = physical(r, n, speed);
    const Flux less = dissipation(l, r, n, speed);
    const Flux stress = viscous(axis, at);
    Flux found{};
    for (std::size_t v = 0; v < found.size(); ++v) {
      found[v] = size * (fl[v] + fr[v] - less[v]) / 2 - stress[v];
    }
    return found;
  }

  const Block& block_;
  const Physics& physics_;
  const Turning& turning_;
  std::span<const double> primitive_;
};

/// A wavy box that may be a plane, with a flow that has all gradients, and its residual.
class Box {
 public:
  enum class Flow { smooth, opposite };

  Box(const Index3& cells, const Physics& physics, Flow flow = Flow::smooth)
      : grid_(make(comm_, cells)), physics_(physics) {
    Solution solution(comm_, grid_, physics, 0.3, 1);
    solution.set_attitudes({{0.1, -0.2, {0.03, -0.04, 0}}});
    const double across = cells[2] == 1 ? 0 : 0.15;
    solution.set([across](const Vector& x) {
      const double wave = 0.2 * std::sin(7 * x[0] + 5 * x[1] + 4 * across * x[2]);
      return Primitive{1 + wave, 0.3 - wave, 0.5 * std::cos(6 * x[0] - x[1]),
                       across * (1 + std::sin(3 * x[1] - 5 * x[2])), (1 - wave * wave) / 1.4};
    });
    solution.complete();
    turning_ = solution.turning(0);
    const auto values = solution.primitive(0, 0);
    primitive_.assign(values.begin(), values.end());
    const std::size_t stored = block().extent.stored();
    for (std::size_t at = 0; at < stored; ++at) {
      primitive_[eddy_field * stored + at] = 0.01 * (1 + std::sin(0.1 * static_cast<double>(at)));
    }
    if (flow == Flow::opposite) {
      alternate();
    }
    residual_.resize(num_conserved * stored);
    FluxRows rows;
    set_residual(block(), physics, turning_, primitive_, rows, residual_);
  }

  [[nodiscard]] const Block& block() const { return grid_.own.front(); }
  [[nodiscard]] double residual(std::size_t v, std::size_t at) const {
    return residual_[v * block().extent.stored() + at];
  }
  [[nodiscard]] Textbook textbook() const { return {block(), physics_, turning_, primitive_}; }

 private:
  /// Neighbours move against each other, as the cells before and behind a wall do: Roe's mean
  /// velocity is 0.
  void alternate() {
    const Extent& extent = block().extent;
    const Index3& n = extent.counts();
    const int ghosts = extent.is_flat() ? 0 : 2;
    Extent::for_each_in(
        {-2, -2, -ghosts}, {n[0] + 2, n[1] + 2, n[2] + ghosts}, [&](const Index3& c) {
          const std::size_t at = extent.at(c);
          const double sign = (c[0] + c[1] + c[2]) % 2 == 0 ? 1 : -1;
          primitive_[at] = 1 + 0.2 * std::sin(static_cast<double>(at));
          for (std::size_t v = 1; v <= (extent.is_flat() ? 2U : 3U); ++v) {
            const double size = 0.1 + 0.01 * static_cast<double>(v);
            primitive_[v * extent.stored() + at] = sign * size / std::sqrt(primitive_[at]);
          }
        });
  }

  static Grid make(const comm::Comm& comm, const Index3& cells) {
    Shape shape;
    shape.cells = cells;
    shape.size = {3, 1, 1};
    shape.wave = 0.03;
    std::vector<std::string> sides{"*:i-min", "*:i-max", "*:j-min", "*:j-max"};
    if (cells[2] > 1) {
      sides.insert(sides.end(), {"*:k-min", "*:k-max"});
    }
    return make_grid(comm, make_shape(shape),
                     {{boundary("far", BoundaryKind::far_field, sides)}, {}, 1e-6});
  }

  comm::Comm comm_; // alone
  Grid grid_;
  Physics physics_;
  Turning turning_;
  std::vector<double> primitive_;
  std::vector<double> residual_;
};

/// Largest difference in the cells of a box, by the largest flux there is.
double difference(const Box& box) {
  const Textbook textbook = box.textbook();
  const Extent& extent = box.block().extent;
  double most = 0;
  double largest = 0;
  extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
    for (std::size_t at = first; at < first + static_cast<std::size_t>(extent.count(0)); ++at) {
      const Flux wanted = textbook.out_of(at);
      for (std::size_t v = 0; v < wanted.size(); ++v) {
        most = std::max(most, std::abs(box.residual(v, at) - wanted[v]));
        largest = std::max(largest, std::abs(wanted[v]));
      }
    }
  });
  return most / largest;
}

} // namespace

TEST_CASE("fluxes in a plane and in space are those of the textbook, whatever the length of rows") {
  for (const Index3& cells :
       {Index3{150, 3, 1}, Index3{7, 9, 1}, Index3{72, 3, 3}, Index3{9, 4, 5}}) {
    Physics physics;
    physics.gas.viscosity = 0.02;
    for (const bool is_turbulent : {false, true}) {
      for (const Limiter limiter : {Limiter::none, Limiter::van_albada}) {
        physics.gas.is_turbulent = is_turbulent;
        physics.flux = {limiter, false, is_turbulent};
        CHECK(difference(Box(cells, physics)) < 1e-12);
      }
    }
    physics.flux.is_first_order = true;
    CHECK(difference(Box(cells, physics)) < 1e-12);
  }
}

TEST_CASE("fluxes between cells that move against each other are those of the textbook") {
  for (const Index3& cells : {Index3{150, 3, 1}, Index3{72, 3, 3}}) {
    Physics physics;
    physics.flux.is_first_order = true;
    // the mean velocity, a root of what is 0 but for rounding, counts in how waves are smeared
    CHECK(difference(Box(cells, physics, Box::Flow::opposite)) < 1e-7);
  }
}
