// SPDX-License-Identifier: BSD-3-Clause
#include "flow/grid/block.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace isthmus::flow {

namespace {

constexpr std::size_t num_corners = 8; // of a cell; bit a of a corner: its end along axis a

Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A face by its corners: those at its first axis' and second axis' ends 00, 10, 11, 01. Half the
/// product of the diagonals: exact for any surface through the edges, so cells are closed.
struct Quad {
  std::array<Vector, 4> corners;

  [[nodiscard]] Vector area() const {
    const Vector twice = cross(corners[2] - corners[0], corners[3] - corners[1]);
    return {0.5 * twice[0], 0.5 * twice[1], 0.5 * twice[2]};
  }
  [[nodiscard]] Vector center() const {
    Vector mean{};
    for (std::size_t c = 0; c < 3; ++c) {
      mean[c] = 0.25 * (corners[0][c] + corners[1][c] + corners[2][c] + corners[3][c]);
    }
    return mean;
  }
};

/// The face of cell (i, j, k) at the `end` of an axis.
Quad quad(const Block& block, const Index3& cell, int axis, int end) {
  const auto a1 = static_cast<std::size_t>((axis + 1) % 3);
  const auto a2 = static_cast<std::size_t>((axis + 2) % 3);
  Quad result{};
  for (std::size_t c = 0; c < 4; ++c) {
    Index3 node = cell;
    node[static_cast<std::size_t>(axis)] += end;
    node[a1] += c == 1 || c == 2 ? 1 : 0;
    node[a2] += c >= 2 ? 1 : 0;
    result.corners[c] = block.node(node[0], node[1], node[2]);
  }
  return result;
}

/// A third of the flux of the position through all faces; relative to a corner against rounding.
double volume(const Block& block, const Index3& cell) {
  const Vector& origin = block.node(cell[0], cell[1], cell[2]);
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (int end = 0; end < 2; ++end) {
      const Quad face = quad(block, cell, axis, end);
      sum += (end == 1 ? 1 : -1) * dot(face.center() - origin, face.area()) / 3;
    }
  }
  return sum;
}

void measure(Block& block, const Vector& pivot) {
  const std::size_t stored = block.extent.stored();
  block.is_plane = block.extent.is_flat();
  block.volumes.resize(stored);
  for (Faces& faces : block.faces) {
    for (auto* values : {&faces.x, &faces.y, &faces.z, &faces.size, &faces.turning}) {
      values->resize(stored);
    }
  }
  block.extent.for_each([&](const Index3& cell) {
    const std::size_t at = block.extent.at(cell);
    block.volumes[at] = volume(block, cell);
    for (int axis = 0; axis < 3; ++axis) {
      Faces& faces = block.faces[static_cast<std::size_t>(axis)];
      const Quad face = quad(block, cell, axis, 0);
      const Vector area = face.area();
      const Vector from = face.center() - pivot;
      faces.x[at] = area[0];
      faces.y[at] = area[1];
      faces.z[at] = area[2];
      faces.size[at] = std::sqrt(dot(area, area));
      block.is_plane = block.is_plane && (axis == 2 || area[2] == 0);
      faces.turning[at] = area[1] * from[0] - area[0] * from[1];
    }
  });
}

void check_volumes(const Block& block) {
  block.extent.for_each([&block](const Index3& cell) {
    const double found = block.volumes[block.extent.at(cell)];
    check(found > 0 || !block.extent.contains(cell),
          "{} has the volume {:.6g}; i, j, k must be right-handed and lines of the grid must not "
          "cross",
          block.name_of_cell(cell), found);
  });
  for (double value : block.volumes) { // a ghost may be folded behind a sharp edge
    check(std::isfinite(value), "block {} has nodes that are no numbers", block.number + 1);
  }
}

/// Nodes beyond boundaries: linear, as far behind the boundary as others are before it. `cells` of
/// the whole block.
void mirror_nodes(Block& block, const Index3& cells) {
  const Extent& extent = block.node_extent;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const int first = -block.begin[a];
    const int last = first + cells[a];
    extent.for_each([&](const Index3& node) {
      Vector& point = block.nodes[extent.at(node)];
      if ((node[a] >= first && node[a] <= last) || !std::isnan(point[0])) {
        return;
      }
      const int border = node[a] < first ? first : last;
      Index3 edge = node;
      Index3 inner = node;
      edge[a] = border;
      inner[a] = std::clamp(2 * border - node[a], first, last);
      const Vector& at_edge = block.nodes[extent.at(edge)];
      const Vector& before = block.nodes[extent.at(inner)];
      for (std::size_t c = 0; c < 3; ++c) {
        point[c] = 2 * at_edge[c] - before[c];
      }
    });
  }
}

/// Whether a node belongs to the whole block.
bool is_of_block(const Index3& node, const Index3& cells) {
  const auto is_in = [&](std::size_t a) { return node[a] >= 0 && node[a] <= cells[a]; };
  return is_in(0) && is_in(1) && is_in(2);
}

/// With the nodes that the whole block has, around a piece, too.
Block start_block(const Piece& piece, const Extent& cells, const Nodes& nodes) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Block block;
  block.number = piece.block;
  block.begin = piece.begin;
  block.extent = cells;
  block.node_extent =
      Extent({cells.count(0) + 1, cells.count(1) + 1, cells.count(2) + 1}, cells.is_flat());
  block.nodes.assign(block.node_extent.stored(), Vector{unknown, unknown, unknown});
  block.node_extent.for_each([&](const Index3& n) {
    const Index3 there = in_block(piece, n);
    if (is_of_block(there, nodes.cells)) {
      block.nodes[block.node_extent.at(n)] = nodes.points[nodes.at(there[0], there[1], there[2])];
    }
  });
  return block;
}

/// Takes the corners of a ghost cell from its owner, unless its block has them, of so many `cells`.
void place_corners(Block& block, const Ghost& ghost, const double* corners, std::size_t stride,
                   const Index3& cells, double tolerance) {
  const Turn& turn = ghost.place.turn;
  for (std::size_t corner = 0; corner < num_corners; ++corner) {
    std::size_t there = 0;
    Index3 node = ghost.index;
    Index3 named{}; // in the block
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t bit = corner >> a & 1;
      node[a] += static_cast<int>(bit);
      named[a] = node[a] + block.begin[a];
      there |= (turn.sign[a] > 0 ? bit : 1 - bit) << turn.axis[a];
    }
    Vector point{};
    for (std::size_t c = 0; c < 3; ++c) {
      point[c] = corners[(3 * there + c) * stride] + turn.shift[c];
    }
    Vector& own = block.nodes[block.node_extent.at(node)];
    if (!is_of_block(named, cells)) {
      own = point;
      continue;
    }
    const Vector gap = own - point;
    check(std::sqrt(dot(gap, gap)) <= tolerance,
          "node ({}, {}, {}) of block {} is at ({:.8g}, {:.8g}, {:.8g}), where block {}, which it "
          "meets there, has ({:.8g}, {:.8g}, {:.8g}); the nodes of both must be the same",
          named[0] + 1, named[1] + 1, named[2] + 1, block.number + 1, own[0], own[1], own[2],
          ghost.place.block + 1, point[0], point[1], point[2]);
  }
}

double diameter(const Nodes& nodes) {
  Vector low = nodes.points.front();
  Vector high = low;
  for (const Vector& point : nodes.points) {
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], point[c]);
      high[c] = std::max(high[c], point[c]);
    }
  }
  const Vector size = high - low;
  return std::sqrt(dot(size, size));
}

/// Fills the corners of the cells of a block, without ghosts.
void list_corners(const Block& block, std::span<double> corners) {
  const Extent& extent = block.extent;
  Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& cell) {
    for (std::size_t corner = 0; corner < num_corners; ++corner) {
      const int bits = static_cast<int>(corner);
      const Vector& point =
          block.node(cell[0] + (bits & 1), cell[1] + (bits >> 1 & 1), cell[2] + (bits >> 2 & 1));
      for (std::size_t c = 0; c < 3; ++c) {
        corners[(3 * corner + c) * extent.stored() + extent.at(cell)] = point[c];
      }
    }
  });
}

} // namespace

std::string Block::name_of_cell(const Index3& cell) const {
  return fmt::format("cell ({}, {}, {}) of block {}", begin[0] + cell[0] + 1,
                     begin[1] + cell[1] + 1, begin[2] + cell[2] + 1, number + 1);
}

Vector Block::center(int i, int j, int k) const {
  Vector mean{};
  for (int corner = 0; corner < static_cast<int>(num_corners); ++corner) {
    const Vector& point = node(i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2 & 1));
    for (std::size_t c = 0; c < 3; ++c) {
      mean[c] += point[c] / num_corners;
    }
  }
  return mean;
}

std::vector<Block> make_blocks(const comm::Comm& comm, const Blocks& blocks,
                               std::span<const Ghost> ghosts,
                               const std::function<Nodes(int block)>& load, const Vector& pivot,
                               double tolerance) {
  constexpr std::size_t fields = 3 * num_corners;
  const auto offsets = blocks.offsets(fields);
  std::vector<double> corners(offsets.back());
  std::vector<Block> made;
  std::vector<double> gaps; // that nodes of own blocks may have
  comm::agree(comm, [&] {
    Nodes nodes;
    for (std::size_t own = 0; own < blocks.own.size(); ++own) {
      const Piece& piece = blocks.own_piece(own);
      if (made.empty() || made.back().number != piece.block) {
        nodes = load(piece.block);
      }
      made.push_back(start_block(piece, blocks.extents[own], nodes));
      gaps.push_back(tolerance * diameter(nodes));
      list_corners(made.back(), std::span(corners).subspan(offsets[own]));
    }
  });
  std::vector<std::size_t> all(fields);
  std::iota(all.begin(), all.end(), std::size_t{0});
  GhostExchange(comm, blocks, ghosts, fields, all).fill(corners);
  comm::agree(comm, [&] {
    for (const Ghost& ghost : ghosts) {
      Block& block = made[ghost.own];
      place_corners(block, ghost, corners.data() + offsets[ghost.own] + ghost.cell,
                    block.extent.stored(), blocks.topology.cells(block.number), gaps[ghost.own]);
    }
    for (Block& block : made) {
      mirror_nodes(block, blocks.topology.cells(block.number));
      measure(block, pivot);
      check_volumes(block);
    }
  });
  return made;
}

} // namespace isthmus::flow
