// SPDX-License-Identifier: BSD-3-Clause
#include "flow/grid/shapes.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace isthmus::flow {

namespace {

constexpr double pi = std::numbers::pi;

using Point = std::array<double, 2>;

/// A point of a NACA section of four digits: `turn` from 0 (trailing edge) over the lower side
/// to 1. Jacobs, Ward, Pinkerton (1933), NACA report 460;
/// https://ntrs.nasa.gov/citations/19930091108.
Point section_point(const std::string& digits, double turn) {
  const double camber = 0.01 * (digits[0] - '0');
  const double place = 0.1 * (digits[1] - '0');
  const double thickness = 0.1 * (digits[2] - '0') + 0.01 * (digits[3] - '0');
  const double x = 0.5 * (1 + std::cos(2 * pi * turn));
  const double half =
      5 * thickness *
      (0.2969 * std::sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 + x * -0.1036))));
  double middle = 0;
  double slope = 0;
  if (camber > 0 && place > 0) {
    const double length = x < place ? place : 1 - place;
    middle = camber / (length * length) * ((x < place ? 0 : 1 - 2 * place) + 2 * place * x - x * x);
    slope = 2 * camber / (length * length) * (place - x);
  }
  const double angle = std::atan(slope);
  const double side = turn < 0.5 ? -1 : 1;
  if (turn == 0 || turn == 1) {
    return {1, 0};
  }
  return {x - side * half * std::sin(angle), middle + side * half * std::cos(angle)};
}

/// Distance from the wall of n + 1 nodes, from 0 to 1, geometric, the first one `first`.
std::vector<double> stretched(int n, double first) {
  double low = 1 + 1e-9;
  double high = 10;
  const auto last = [n](double ratio) { return (std::pow(ratio, n) - 1) / (ratio - 1); };
  for (int step = 0; step < 200; ++step) {
    const double middle = 0.5 * (low + high);
    (first * last(middle) < 1 ? low : high) = middle;
  }
  std::vector<double> places(static_cast<std::size_t>(n) + 1);
  for (std::size_t j = 0; j < places.size(); ++j) {
    places[j] = (std::pow(low, static_cast<double>(j)) - 1) / (std::pow(low, n) - 1);
  }
  return places;
}

/// Calls point(i, j, k) for the nodes of one block of a shape.
template <typename PointOf>
Nodes cut(const Shape& shape, int block, PointOf&& point) {
  Nodes nodes;
  Index3 first{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    nodes.cells[axis] = shape.cells[axis] / shape.blocks[axis];
    first[axis] = block % shape.blocks[axis] * nodes.cells[axis];
    block /= shape.blocks[axis];
  }
  for (int k = 0; k <= nodes.cells[2]; ++k) {
    for (int j = 0; j <= nodes.cells[1]; ++j) {
      for (int i = 0; i <= nodes.cells[0]; ++i) {
        nodes.points.push_back(point(first[0] + i, first[1] + j, first[2] + k));
      }
    }
  }
  return nodes;
}

Nodes box_block(const Shape& shape, int block) {
  return cut(shape, block, [&shape](int i, int j, int k) {
    const Index3 n{i, j, k};
    Vector at{};
    Vector bend{1, 1, 1};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      at[axis] = static_cast<double>(n[axis]) / shape.cells[axis];
    }
    const int axes = shape.cells[2] > 1 ? 3 : 2;
    double wave = shape.wave;
    for (int axis = 0; axis < axes; ++axis) {
      const bool is_edge =
          n[static_cast<std::size_t>(axis)] == 0 ||
          n[static_cast<std::size_t>(axis)] == shape.cells[static_cast<std::size_t>(axis)];
      wave *= is_edge ? 0 : std::sin(2 * pi * at[static_cast<std::size_t>(axis)]);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool bends = static_cast<int>(axis) < axes;
      at[axis] = shape.size[axis] * (at[axis] + (bends ? wave * bend[axis] : 0));
    }
    return at;
  });
}

Nodes ring_block(const Shape& shape, const std::vector<double>& outwards, int block) {
  return cut(shape, block, [&](int i, int j, int k) {
    const double turn = static_cast<double>(i % shape.cells[0]) / shape.cells[0];
    const Point circle{std::cos(2 * pi * turn), -std::sin(2 * pi * turn)};
    const bool is_cylinder = shape.kind == "cylinder";
    const Point wall =
        is_cylinder ? Point{0.5 * circle[0], 0.5 * circle[1]} : section_point(shape.section, turn);
    const double middle = is_cylinder ? 0 : 0.5;
    const double s = outwards[static_cast<std::size_t>(j)];
    return Vector{wall[0] + s * (middle + shape.radius * circle[0] - wall[0]),
                  wall[1] + s * (shape.radius * circle[1] - wall[1]),
                  shape.size[2] * k / shape.cells[2]};
  });
}

void check_shape(const Shape& shape) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    check(shape.cells[axis] > 0 && shape.blocks[axis] > 0 &&
              shape.cells[axis] % shape.blocks[axis] == 0,
          "a {} of {} cells along {} cannot be cut into {} equal blocks; choose a divisor",
          shape.kind, shape.cells[axis], "ijk"[axis], shape.blocks[axis]);
  }
  check(shape.kind == "box" || (shape.first > 0 && shape.first * shape.cells[1] < shape.radius),
        "the first of {} cells outwards is {} high, the radius is {}: take a smaller one",
        shape.cells[1], shape.first, shape.radius);
  const bool has_digits =
      shape.section.size() == 4 && std::all_of(shape.section.begin(), shape.section.end(),
                                               [](char c) { return c >= '0' && c <= '9'; });
  check(shape.kind != "naca" || (has_digits && shape.section.substr(2) != "00"),
        "\"{}\" is no section; give the four digits of NACA, as in \"0015\"", shape.section);
}

} // namespace

GridSource make_shape(const Shape& shape) {
  check_shape(shape);
  GridSource grid{shape.kind, shape.cells[2] == 1, {}, {}};
  Index3 cells{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    cells[axis] = shape.cells[axis] / shape.blocks[axis];
  }
  const int blocks = shape.blocks[0] * shape.blocks[1] * shape.blocks[2];
  grid.cells.assign(static_cast<std::size_t>(blocks), cells);
  if (shape.kind == "box") {
    grid.load = [shape](int block) { return box_block(shape, block); };
    return grid;
  }
  const double span = shape.radius - 0.5;
  grid.load = [shape, outwards = stretched(shape.cells[1], shape.first / span)](int block) {
    return ring_block(shape, outwards, block);
  };
  return grid;
}

} // namespace isthmus::flow
