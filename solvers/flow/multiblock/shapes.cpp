// SPDX-License-Identifier: BSD-3-Clause
#include "flow/multiblock/shapes.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
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

/// Which block along each axis; i runs fastest.
std::array<std::size_t, 3> place_of(const Shape& shape, int block) {
  std::array<std::size_t, 3> place{};
  auto left = static_cast<std::size_t>(block);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    place[axis] = left % shape.lengths[axis].size();
    left /= shape.lengths[axis].size();
  }
  return place;
}

Index3 cells_of(const Shape& shape, int block) {
  Index3 cells{};
  const auto place = place_of(shape, block);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    cells[axis] = shape.lengths[axis][place[axis]];
  }
  return cells;
}

/// Calls point(i, j, k) for the nodes of one block of a shape.
template <typename PointOf>
Nodes cut(const Shape& shape, int block, PointOf&& point) {
  Nodes nodes{cells_of(shape, block), {}};
  const auto place = place_of(shape, block);
  Index3 first{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto begin = shape.lengths[axis].begin();
    first[axis] = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(place[axis]), 0);
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

/// Where the nodes along i are: before the plate and along it.
std::vector<double> along_plate(const Shape& shape) {
  const int before = shape.lengths[0].front(); // cells
  std::vector<double> places;
  const auto ahead = stretched(before, shape.edge / shape.ahead);
  for (auto place = ahead.rbegin(); place != ahead.rend(); ++place) {
    places.push_back(-shape.ahead * *place);
  }
  places.back() = 0;
  const auto behind = stretched(shape.cells[0] - before, shape.edge / shape.size[0]);
  for (auto place = behind.begin() + 1; place != behind.end(); ++place) {
    places.push_back(shape.size[0] * *place);
  }
  return places;
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

/// With the length of each block along each axis, and their sums.
Shape with_lengths(Shape shape) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<int>& lengths = shape.lengths[axis];
    if (lengths.empty()) {
      check(shape.cells[axis] > 0 && shape.blocks[axis] > 0 &&
                shape.cells[axis] % shape.blocks[axis] == 0,
            "a {} of {} cells along {} cannot be cut into {} equal blocks; choose a divisor",
            shape.kind, shape.cells[axis], "ijk"[axis], shape.blocks[axis]);
      lengths.assign(static_cast<std::size_t>(shape.blocks[axis]),
                     shape.cells[axis] / shape.blocks[axis]);
    }
    check(*std::min_element(lengths.begin(), lengths.end()) > 0,
          "blocks of a {} need 1 cell along {} at least", shape.kind, "ijk"[axis]);
    shape.cells[axis] = std::accumulate(lengths.begin(), lengths.end(), 0);
    shape.blocks[axis] = static_cast<int>(lengths.size());
  }
  return shape;
}

void check_plate(const Shape& shape) {
  check(shape.blocks[0] > 1,
        "a plate needs 2 blocks along i at least: the first one is ahead of it");
  const std::array<std::pair<double, double>, 3> parts{
      {{shape.edge * shape.lengths[0].front(), shape.ahead},
       {shape.edge * (shape.cells[0] - shape.lengths[0].front()), shape.size[0]},
       {shape.first * shape.cells[1], shape.size[1]}}};
  for (const auto& [least, length] : parts) {
    check(least > 0 && least < length,
          "cells of a plate grow from its leading edge and outwards; if all were as small as the "
          "first they would take {} of {}: take smaller ones or fewer",
          least, length);
  }
}

void check_shape(const Shape& shape) {
  if (shape.kind == "plate") {
    check_plate(shape);
    return;
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

GridSource make_shape(const Shape& wanted) {
  const Shape shape = with_lengths(wanted);
  check_shape(shape);
  GridSource grid{shape.kind, shape.cells[2] == 1, {}, {}};
  for (int b = 0; b < shape.blocks[0] * shape.blocks[1] * shape.blocks[2]; ++b) {
    grid.cells.push_back(cells_of(shape, b));
  }
  if (shape.kind == "box") {
    grid.load = [shape](int block) { return box_block(shape, block); };
    return grid;
  }
  if (shape.kind == "plate") {
    grid.load = [shape, along = along_plate(shape),
                 outwards = stretched(shape.cells[1], shape.first / shape.size[1])](int block) {
      return cut(shape, block, [&](int i, int j, int k) {
        return Vector{along[static_cast<std::size_t>(i)],
                      shape.size[1] * outwards[static_cast<std::size_t>(j)],
                      shape.size[2] * k / shape.cells[2]};
      });
    };
    return grid;
  }
  const double span = shape.radius - 0.5;
  grid.load = [shape, outwards = stretched(shape.cells[1], shape.first / span)](int block) {
    return ring_block(shape, outwards, block);
  };
  return grid;
}

} // namespace isthmus::flow
