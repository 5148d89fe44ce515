// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "particles/fluid/projection.hpp"
#include "particles/fluid/scheme.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace isthmus::mps {

/// A rectangle or box that is filled, with its sides parallel to the axes.
struct Box {
  Vector lower{}, upper{};
  Vector velocity{};
  std::string place; // in the case file, for errors
};

/// What a case file says.
struct Case {
  int dimensions = 2;
  double spacing = 0.01;
  double radius = 3.1; // of the kernel, in spacings
  Liquid liquid;
  Box tank;                                     // of walls, seen from inside
  std::array<std::array<bool, 2>, 3> is_open{}; // its sides: lower and upper of each direction
  bool deletes_outside = false; // the fluid that leaves through an open side; else it is an error
  std::vector<Box> waters, obstacles;
  bool is_explicit = false;
  double speed_of_sound = 0; // explicit; 0: ten times that of a fall through the tank
  Projection::Settings projection;
  double end = 1;
  double largest_step = 1e300;
  double courant = 0.2;
  int balance_every = 20;       // steps
  std::filesystem::path output; // empty: nothing is written
  double output_every = 0;      // seconds; 0: the end only
};

/// Local. Reads a case file. Throws Error naming file and line.
[[nodiscard]] Case read_case(const std::filesystem::path& path);

} // namespace isthmus::mps
