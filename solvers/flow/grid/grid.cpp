// SPDX-License-Identifier: BSD-3-Clause
#include "flow/grid/grid.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/grammar/suggest.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace isthmus::flow {

namespace {

const std::vector<std::string> ends{"i-min", "i-max", "j-min", "j-max", "k-min", "k-max"};

/// What one name of the case file means: a side of one block, or of all (block -1).
Side parse_side(const std::string& name, const BoundaryNames& of, int blocks) {
  const std::size_t colon = name.find(':');
  check(colon != std::string::npos,
        "{}: \"{}\" names no side; write \"BLOCK:j-min\" or \"*:j-min\"", of.place, name);
  const std::string end = name.substr(colon + 1);
  const auto found = std::find(ends.begin(), ends.end(), end);
  check(found != ends.end(), "{}: \"{}\" names no side of a block{}", of.place, name,
        grammar::suggestion(end, ends));
  const int which = static_cast<int>(found - ends.begin());
  Side side{-1, which / 2, which % 2};
  const std::string block = name.substr(0, colon);
  if (block != "*") {
    const auto [last, error] =
        std::from_chars(block.data(), block.data() + block.size(), side.block);
    check(error == std::errc{} && last == block.data() + block.size() && side.block >= 1 &&
              side.block <= blocks,
          "{}: \"{}\" names no block; the grid has blocks 1 to {}, * means all", of.place, name,
          blocks);
    --side.block;
  }
  return side;
}

std::vector<Periodic> periodic_sides(const GridSettings& settings, int blocks) {
  std::vector<Periodic> all;
  for (const BoundaryNames& names : settings.boundaries) {
    if (!names.is_periodic) {
      continue;
    }
    Periodic pair{{}, names.shift};
    for (const std::string& name : names.sides) {
      Side side = parse_side(name, names, blocks);
      check(side.block >= 0 || blocks == 1,
            "{}: periodic sides are named one by one, \"{}\" stands for several", names.place,
            name);
      side.block = std::max(side.block, 0);
      pair.sides.push_back(side);
    }
    all.push_back(std::move(pair));
  }
  return all;
}

void check_nodes(const GridSource& source, int block, const Nodes& nodes) {
  for (std::size_t n = 0; n < nodes.points.size(); ++n) {
    const Vector& point = nodes.points[n];
    const std::size_t row = static_cast<std::size_t>(nodes.cells[0]) + 1;
    const std::size_t plane = row * (static_cast<std::size_t>(nodes.cells[1]) + 1);
    check(std::all_of(point.begin(), point.end(), [](double x) { return std::isfinite(x); }),
          "node ({}, {}, {}) of block {} of \"{}\" is at ({}, {}, {}), which is no place",
          n % row + 1, n % plane / row + 1, n / plane + 1, block + 1, source.name, point[0],
          point[1], point[2]);
  }
}

/// Collective. The shapes of the sides of all blocks: each rank reads some blocks.
std::vector<std::array<SideShape, 6>> all_shapes(const comm::Comm& comm, const GridSource& source) {
  constexpr std::size_t width = 6 * 15; // numbers of a block
  const std::size_t blocks = source.cells.size();
  std::vector<double> numbers(blocks * width, 0.0);
  comm::agree(comm, [&] {
    for (std::size_t b = static_cast<std::size_t>(comm.rank()); b < blocks;
         b += static_cast<std::size_t>(comm.size())) {
      double* next = numbers.data() + b * width;
      const Nodes nodes = source.load(static_cast<int>(b));
      check_nodes(source, static_cast<int>(b), nodes);
      for (const SideShape& shape : side_shapes(nodes)) {
        for (const Vector& corner : shape.corners) {
          next = std::copy(corner.begin(), corner.end(), next);
        }
        next = std::copy(shape.center.begin(), shape.center.end(), next);
      }
    }
  });
  comm::allreduce(comm, std::span(numbers), comm::Op::sum); // each number is 0 on all ranks but one
  std::vector<std::array<SideShape, 6>> shapes(blocks);
  const double* next = numbers.data();
  for (auto& of_block : shapes) {
    for (SideShape& shape : of_block) {
      for (Vector& corner : shape.corners) {
        std::copy_n(next, 3, corner.begin());
        next += 3;
      }
      std::copy_n(next, 3, shape.center.begin());
      next += 3;
    }
  }
  return shapes;
}

/// The boundary of each side that meets no other block; -1 for those that do.
std::vector<int> name_sides(const Topology& topology, const GridSettings& settings, bool is_flat) {
  const int blocks = topology.num_blocks();
  std::vector<int> of(6 * static_cast<std::size_t>(blocks), -1);
  const auto number = [](const Side& s) {
    return static_cast<std::size_t>(6 * s.block + 2 * s.axis + s.end);
  };
  for (std::size_t k = 0; k < settings.boundaries.size(); ++k) {
    const BoundaryNames& names = settings.boundaries[k];
    for (const std::string& name : names.sides) {
      const Side named = parse_side(name, names, blocks);
      const int first = named.block < 0 ? 0 : named.block;
      const int last = named.block < 0 ? blocks - 1 : named.block;
      for (int b = first; b <= last && !names.is_periodic; ++b) {
        const Side side{b, named.axis, named.end};
        const auto& next = topology.behind(side);
        check(!next || named.block < 0, "{}: {} meets {}, it is no boundary", names.place,
              name_of(side), next ? name_of(next->to) : "");
        int& found = of[number(side)];
        check(found < 0, "{}: {} has two boundaries; the other one is \"{}\"", names.place,
              name_of(side),
              found < 0 ? "" : settings.boundaries[static_cast<std::size_t>(found)].boundary.name);
        found = next ? -1 : static_cast<int>(k);
      }
    }
  }
  for (int b = 0; b < blocks; ++b) {
    for (int n = 0; n < (is_flat ? 4 : 6); ++n) {
      const Side side{b, n / 2, n % 2};
      check(topology.behind(side) || of[number(side)] >= 0,
            "{} meets no other block and has no boundary: name it in a [[boundary]], or make its "
            "nodes those of its neighbour",
            name_of(side));
    }
  }
  return of;
}

/// Adds what this rank owns, and the boundaries of it.
void add_own(int rank, bool is_flat, std::span<const int> boundary_of, Grid& grid) {
  const Topology& topology = grid.blocks.topology;
  for (std::size_t p = 0; p < grid.blocks.pieces.size(); ++p) {
    const Piece& piece = grid.blocks.pieces[p];
    if (piece.part != rank) {
      continue;
    }
    for (int n = 0; n < 6; ++n) {
      const int boundary = boundary_of[static_cast<std::size_t>(6 * piece.block + n)];
      const auto axis = static_cast<std::size_t>(n / 2);
      const bool is_there = n % 2 == 0 ? piece.begin[axis] == 0
                                       : piece.end[axis] == topology.cells(piece.block)[axis];
      if (boundary >= 0 && is_there) {
        const auto k = static_cast<std::size_t>(boundary);
        grid.sides.push_back(
            {grid.blocks.own.size(), {piece.block, n / 2, n % 2}, grid.boundaries[k].kind, k});
      }
    }
    grid.blocks.own.push_back(static_cast<int>(p));
    grid.blocks.extents.emplace_back(Index3{piece.length(0), piece.length(1), piece.length(2)},
                                     is_flat);
  }
}

/// The work of each block.
std::vector<double> weights_of(const Topology& topology, const GridSettings& settings) {
  std::vector<double> weights = settings.weights;
  for (int b = 0; settings.weights.empty() && b < topology.num_blocks(); ++b) {
    weights.push_back(static_cast<double>(topology.num_cells(b)));
  }
  return weights;
}

} // namespace

Grid make_grid(const comm::Comm& comm, const GridSource& source, const GridSettings& settings) {
  const int blocks = static_cast<int>(source.cells.size());
  const auto shapes = all_shapes(comm, source);
  Topology topology(source.cells, shapes, periodic_sides(settings, blocks), settings.tolerance);
  const std::vector<int> boundary_of = name_sides(topology, settings, source.is_flat);
  std::vector<Piece> pieces =
      deal(topology, weights_of(topology, settings), comm.size(), settings.dealing);
  Grid grid{{std::move(topology), std::move(pieces), {}, {}}, {}, {}, {}, {}, 0, settings.pivot};
  for (const BoundaryNames& names : settings.boundaries) {
    grid.boundaries.push_back(names.boundary);
  }
  for (int b = 0; b < blocks; ++b) {
    grid.num_cells += grid.blocks.topology.num_cells(b);
  }
  add_own(comm.rank(), source.is_flat, boundary_of, grid);
  grid.ghosts = list_ghosts(grid.blocks);
  grid.own =
      make_blocks(comm, grid.blocks, grid.ghosts, source.load, settings.pivot, settings.tolerance);
  return grid;
}

} // namespace isthmus::flow
