// SPDX-License-Identifier: BSD-3-Clause
#include "flow/multiblock/topology.hpp"

#include "isthmus/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace isthmus::flow {

namespace {

Vector moved(const Vector& point, const Vector& by) {
  return {point[0] + by[0], point[1] + by[1], point[2] + by[2]};
}

double size_of(const SideShape& shape) {
  double size = 0;
  for (const Vector& corner : shape.corners) {
    size = std::max(size, distance(corner, shape.corners[0]));
  }
  return std::max(size, distance(shape.corners[1], shape.corners[2]));
}

SideShape shape_of(const Nodes& nodes, int axis, int end) {
  const auto [t1, t2] = axes_of({0, axis, end});
  const int n1 = nodes.cells[static_cast<std::size_t>(t1)];
  const int n2 = nodes.cells[static_cast<std::size_t>(t2)];
  Index3 node{};
  node[static_cast<std::size_t>(axis)] = end * nodes.cells[static_cast<std::size_t>(axis)];
  SideShape shape;
  for (int b = 0; b <= n2; ++b) {
    for (int a = 0; a <= n1; ++a) {
      node[static_cast<std::size_t>(t1)] = a;
      node[static_cast<std::size_t>(t2)] = b;
      const Vector& point = nodes.points[nodes.at(node[0], node[1], node[2])];
      if ((a == 0 || a == n1) && (b == 0 || b == n2)) {
        shape.corners[static_cast<std::size_t>((a == n1 ? 1 : 0) + (b == n2 ? 2 : 0))] = point;
      }
      for (std::size_t c = 0; c < 3; ++c) {
        shape.center[c] += point[c] / ((n1 + 1.0) * (n2 + 1.0));
      }
    }
  }
  return shape;
}

/// `cells` of the block of the first side, `cells_there` of that of the other one.
Turn make_turn(const GivenConnection& given, const Index3& cells, const Index3& cells_there) {
  const auto& [from, range, to, there, orientation] = given;
  Turn turn;
  const auto own = axes_of(from);
  const auto axes_there = axes_of(to);
  for (std::size_t t = 0; t < 2; ++t) {
    const auto axis = static_cast<std::size_t>(own[t]);
    const std::size_t other = orientation.is_swapped ? 1 - t : t;
    turn.axis[axis] = axes_there[other];
    turn.sign[axis] = orientation.is_reversed[t] ? -1 : 1;
    turn.offset[axis] = orientation.is_reversed[t] ? there.end[other] - 1 + range.begin[t]
                                                   : there.begin[other] - range.begin[t];
  }
  const auto normal = static_cast<std::size_t>(from.axis);
  const int n = cells[normal];
  const int n_there = cells_there[static_cast<std::size_t>(to.axis)];
  turn.axis[normal] = to.axis;
  turn.sign[normal] = from.end == to.end ? -1 : 1;
  if (from.end == 1) {
    turn.offset[normal] = to.end == 0 ? -n : n_there - 1 + n;
  } else {
    turn.offset[normal] = to.end == 0 ? -1 : n_there;
  }
  return turn;
}

/// First `first`, then `second`.
Turn joined(const Turn& first, const Turn& second) {
  Turn both;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto middle = static_cast<std::size_t>(first.axis[a]);
    both.axis[a] = second.axis[middle];
    both.sign[a] = first.sign[a] * second.sign[middle];
    both.offset[a] = second.sign[middle] * first.offset[a] + second.offset[middle];
    both.shift[a] = first.shift[a] + second.shift[a];
  }
  return both;
}

bool same_cells(const SideRange& one, const SideRange& other, const Orientation& orientation) {
  for (std::size_t t = 0; t < 2; ++t) {
    const std::size_t target = orientation.is_swapped ? 1 - t : t;
    if (one.end[t] - one.begin[t] != other.end[target] - other.begin[target]) {
      return false;
    }
  }
  return true;
}

SideRange whole_side(const Side& side, const Index3& cells) {
  const auto [a, b] = axes_of(side);
  return {{0, 0}, {cells[static_cast<std::size_t>(a)], cells[static_cast<std::size_t>(b)]}};
}

/// Pairs of sides whose centers coincide if the second one is moved by `shift`: found by their
/// order along x.
std::vector<std::pair<std::size_t, std::size_t>> near_pairs(std::span<const SideShape> shapes,
                                                            std::span<const std::size_t> sides,
                                                            const Vector& shift, double tolerance) {
  std::vector<std::size_t> sorted(sides.begin(), sides.end());
  const auto x = [&shapes](std::size_t side) { return shapes[side].center[0]; };
  std::sort(sorted.begin(), sorted.end(),
            [&x](std::size_t a, std::size_t b) { return std::pair(x(a), a) < std::pair(x(b), b); });
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const std::size_t one : sides) {
    const double near = tolerance * size_of(shapes[one]);
    const double low = x(one) - shift[0] - near;
    auto other = std::lower_bound(sorted.begin(), sorted.end(), low,
                                  [&x](std::size_t a, double value) { return x(a) < value; });
    for (; other != sorted.end() && x(*other) <= low + 2 * near; ++other) {
      if (*other != one &&
          distance(shapes[one].center, moved(shapes[*other].center, shift)) <= near) {
        pairs.emplace_back(one, *other);
      }
    }
  }
  return pairs;
}

Side side_of(std::size_t number) {
  const int n = static_cast<int>(number);
  return {n / 6, n % 6 / 2, n % 2};
}

} // namespace

std::array<int, 2> axes_of(const Side& side) {
  return {side.axis == 0 ? 1 : 0, side.axis == 2 ? 1 : 2};
}

std::optional<Orientation> orientation_of(const std::array<Vector, 4>& one,
                                          const std::array<Vector, 4>& other, const Vector& shift,
                                          double tolerance) {
  for (int k = 0; k < 8; ++k) {
    const Orientation found{(k & 4) != 0, {(k & 1) != 0, (k & 2) != 0}};
    bool fits = true;
    for (std::size_t corner = 0; corner < 4; ++corner) {
      const std::size_t a = (corner & 1) ^ (found.is_reversed[0] ? 1 : 0);
      const std::size_t b = (corner >> 1) ^ (found.is_reversed[1] ? 1 : 0);
      const std::size_t there = found.is_swapped ? b + 2 * a : a + 2 * b;
      fits = fits && distance(one[corner], moved(other[there], shift)) <= tolerance;
    }
    if (fits) {
      return found;
    }
  }
  return {};
}

std::string name_of(const Side& side) {
  return fmt::format("block {}, {}-{}", side.block + 1, "ijk"[side.axis],
                     side.end == 0 ? "min" : "max");
}

std::array<SideShape, 6> side_shapes(const Nodes& nodes) {
  std::array<SideShape, 6> shapes;
  for (int side = 0; side < 6; ++side) {
    shapes[static_cast<std::size_t>(side)] = shape_of(nodes, side / 2, side % 2);
  }
  return shapes;
}

Index3 Turn::operator()(const Index3& cell) const {
  Index3 there{};
  for (std::size_t a = 0; a < 3; ++a) {
    there[static_cast<std::size_t>(axis[a])] = sign[a] * cell[a] + offset[a];
  }
  return there;
}

Topology::Topology(std::vector<Index3> cells, std::span<const std::array<SideShape, 6>> shapes,
                   std::span<const Periodic> periodic, double tolerance)
    : cells_(std::move(cells)), patches_(6 * cells_.size()) {
  std::vector<SideShape> all;
  for (const auto& of_block : shapes) {
    all.insert(all.end(), of_block.begin(), of_block.end());
  }
  std::vector<std::size_t> sides(all.size());
  for (std::size_t n = 0; n < sides.size(); ++n) {
    sides[n] = n;
  }
  for (const auto& [one, other] : near_pairs(all, sides, {}, tolerance)) {
    match(side_of(one), side_of(other), all, {}, tolerance);
  }
  for (const Periodic& pair : periodic) {
    sides.clear();
    for (const Side& side : pair.sides) {
      sides.push_back(number(side));
    }
    const Vector back{-pair.shift[0], -pair.shift[1], -pair.shift[2]};
    for (const Vector& shift : {pair.shift, back}) {
      for (const auto& [one, other] : near_pairs(all, sides, shift, tolerance)) {
        match(side_of(one), side_of(other), all, shift, tolerance);
      }
    }
    for (const Side& side : pair.sides) {
      check(!behind(side).empty(),
            "{} is periodic, but none of the sides named with it lies ({}, {}, {}) from it; "
            "correct \"shift\" or \"sides\"",
            name_of(side), pair.shift[0], pair.shift[1], pair.shift[2]);
    }
  }
}

void Topology::match(const Side& one, const Side& other, std::span<const SideShape> shapes,
                     const Vector& shift, double tolerance) {
  const SideShape& shape = shapes[number(one)];
  const auto found = orientation_of(shape.corners, shapes[number(other)].corners, shift,
                                    tolerance * size_of(shape));
  if (!found) {
    return;
  }
  const SideRange range = whole_side(one, cells(one.block));
  const SideRange there = whole_side(other, cells(other.block));
  check(same_cells(range, there, *found),
        "{} and {} have the same corners but not the same cells; their nodes must match one to one",
        name_of(one), name_of(other));
  std::vector<Patch>& patches = patches_[number(one)];
  check(patches.empty() || patches.front().connection.to == other,
        "{} coincides with {} and with {}; a side has one neighbour", name_of(one),
        patches.empty() ? "" : name_of(patches.front().connection.to), name_of(other));
  patches.clear();
  connect(one, range, other, there, *found);
  patches.front().connection.turn.shift = shift;
}

void Topology::connect(const Side& from, const SideRange& range, const Side& to,
                       const SideRange& there, const Orientation& orientation) {
  check(same_cells(range, there, orientation),
        "{} and {} meet with different numbers of cells; their nodes must match one to one",
        name_of(from), name_of(to));
  const auto normal = static_cast<std::size_t>(from.axis);
  Patch patch;
  patch.begin[normal] = from.end == 0 ? 0 : cells(from.block)[normal] - 1;
  patch.end[normal] = patch.begin[normal] + 1;
  for (std::size_t t = 0; t < 2; ++t) {
    const auto axis = static_cast<std::size_t>(axes_of(from)[t]);
    patch.begin[axis] = range.begin[t];
    patch.end[axis] = range.end[t];
  }
  patch.connection = {
      to, make_turn({from, range, to, there, orientation}, cells(from.block), cells(to.block))};
  patches_[number(from)].push_back(patch);
}

const Patch* Topology::behind(const Side& side, const Index3& cell) const {
  for (const Patch& patch : behind(side)) {
    bool is_inside = true;
    for (const int axis : axes_of(side)) {
      const auto a = static_cast<std::size_t>(axis);
      const int nearest = std::clamp(cell[a], 0, cells(side.block)[a] - 1);
      is_inside = is_inside && nearest >= patch.begin[a] && nearest < patch.end[a];
    }
    if (is_inside) {
      return &patch;
    }
  }
  return nullptr;
}

bool Topology::is_covered(const Side& side) const {
  GlobalIndex left = num_cells(side.block) / cells(side.block)[static_cast<std::size_t>(side.axis)];
  for (const Patch& patch : behind(side)) {
    GlobalIndex area = 1;
    for (const int axis : axes_of(side)) {
      const auto a = static_cast<std::size_t>(axis);
      area *= patch.end[a] - patch.begin[a];
    }
    left -= area;
  }
  return left <= 0;
}

GlobalIndex Topology::num_cells(int block) const {
  const Index3& n = cells(block);
  return static_cast<GlobalIndex>(n[0]) * n[1] * n[2];
}

std::optional<Topology::Place> Topology::walk(Place place, const Index3& order) const {
  for (int step = 0; step < 3; ++step) {
    bool is_inside = true;
    for (const int axis : order) { // axes of the block that asks, so that all walk the same way
      const int own = place.turn.axis[static_cast<std::size_t>(axis)];
      const int index = place.cell[static_cast<std::size_t>(own)];
      const int count = cells(place.block)[static_cast<std::size_t>(own)];
      if (index >= 0 && index < count) {
        continue;
      }
      const Patch* const next = behind({place.block, own, index < 0 ? 0 : 1}, place.cell);
      if (next == nullptr) {
        return {};
      }
      place.cell = next->connection.turn(place.cell);
      place.turn = joined(place.turn, next->connection.turn);
      place.block = next->connection.to.block;
      is_inside = false;
      break;
    }
    if (is_inside) {
      return place;
    }
  }
  const Extent extent(cells(place.block), false);
  return extent.contains(place.cell) ? std::optional(place) : std::nullopt;
}

std::optional<Topology::Place> Topology::find(int block, const Index3& cell) const {
  const Place start{block, cell, {}};
  if (auto found = walk(start, {0, 1, 2})) {
    return found;
  }
  return walk(start, {2, 1, 0});
}

} // namespace isthmus::flow
