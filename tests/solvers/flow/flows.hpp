// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/multiblock/shapes.hpp"
#include "flow/numerics/scheme.hpp"
#include "folder_of_root.hpp"
#include "isthmus/comm/collective.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

/// Small flows that tests have in common.
namespace isthmus::flow {

inline BoundaryNames boundary(const std::string& name, BoundaryKind kind,
                              std::vector<std::string> sides) {
  return {{name, kind}, false, std::move(sides), {}, "case.toml:1"};
}

inline BoundaryNames periodic(std::vector<std::string> sides, const Vector& shift) {
  return {{"periodic", BoundaryKind::slip}, true, std::move(sides), shift, "case.toml:1"};
}

/// Boundaries of a case file: a wall along the beginning of j, and the far field.
inline std::string wall_and_far(const std::string& wall, const std::string& far_sides) {
  return "[[boundary]]\nname = \"" + wall + "\"\nkind = \"no-slip\"\nsides = [\"*:j-min\"]\n" +
         "[[boundary]]\nname = \"far\"\nkind = \"far-field\"\nsides = [" + far_sides + "]\n";
}

/// A box of `n` x `n` cells, 12 x 12 wide, in 2 x 2 blocks, periodic along both axes.
inline Grid periodic_box(const comm::Comm& comm, int n, double wave) {
  Shape shape;
  shape.cells = {n, n, 1};
  shape.blocks = {2, 2, 1};
  shape.size = {12, 12, 1};
  shape.wave = wave;
  const GridSettings settings{{periodic({"1:i-min", "3:i-min", "2:i-max", "4:i-max"}, {12, 0, 0}),
                               periodic({"1:j-min", "2:j-min", "3:j-max", "4:j-max"}, {0, 12, 0})},
                              {},
                              1e-6};
  return make_grid(comm, make_shape(shape), settings);
}

/// A cylinder in `blocks` x 1 or x 2 blocks.
inline Grid cylinder(const comm::Comm& comm, const Index3& cells, const Index3& blocks,
                     double radius) {
  Shape shape;
  shape.kind = "cylinder";
  shape.cells = cells;
  shape.blocks = blocks;
  shape.radius = radius;
  shape.first = 0.05;
  std::vector<std::string> walls;
  std::vector<std::string> far;
  for (int b = 0; b < blocks[0]; ++b) {
    walls.push_back(std::to_string(b + 1) + ":j-min");
    far.push_back(std::to_string((blocks[1] - 1) * blocks[0] + b + 1) + ":j-max");
  }
  return make_grid(comm, make_shape(shape),
                   {{boundary("wall", BoundaryKind::no_slip, walls),
                     boundary("far", BoundaryKind::far_field, far)},
                    {},
                    1e-6});
}

/// A state that varies along all axes, neither at rest nor the same on any two of them.
inline Primitive waves(const Vector& point) {
  const double wave = 0.1 * std::sin(4 * point[0] + 2 * point[1] + point[2]);
  return {1 + wave, 0.3 + wave, 0.2 * wave, 0.1 - wave, (1 + wave) / 1.4};
}

/// A vortex that a uniform flow along both axes carries with it unchanged: Shu (1998),
/// doi:10.1007/BFb0096355, example 3.3, in a box that it leaves on one side to enter on the other.
inline Primitive vortex(const Vector& point, double mach, double time) {
  constexpr double strength = 3;
  constexpr double gamma = 1.4;
  const auto away = [time, mach](double x) { return std::remainder(x - 6 - mach * time, 12.0); };
  const double x = away(point[0]);
  const double y = away(point[1]);
  const double bell = std::exp(0.5 * (1 - x * x - y * y));
  const double factor = strength / (2 * std::numbers::pi) * bell;
  const double heat = 1 - 0.5 * (gamma - 1) * factor * factor;
  const double density = std::pow(heat, 1 / (gamma - 1));
  return {density, mach - factor * y, mach + factor * x, 0, density * heat / gamma};
}

} // namespace isthmus::flow
