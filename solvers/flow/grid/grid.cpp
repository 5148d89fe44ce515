// SPDX-License-Identifier: BSD-3-Clause
#include "flow/grid/grid.hpp"

#include "flow/multiblock/coarser.hpp"

#include "flow/multiblock/partial_sides.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace isthmus::flow {

namespace {

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

/// Adds what this rank owns, and the boundaries of it.
void add_own(int rank, bool is_flat, std::span<const BoundaryPatch> patches, Grid& grid) {
  const Topology& topology = grid.blocks.topology;
  auto first = patches.begin();
  for (std::size_t p = 0; p < grid.blocks.pieces.size(); ++p) {
    const Piece& piece = grid.blocks.pieces[p];
    if (piece.part != rank) {
      continue;
    }
    const Extent extent(Index3{piece.length(0), piece.length(1), piece.length(2)}, is_flat);
    first = std::find_if(first, patches.end(), [&piece](const BoundaryPatch& patch) {
      return patch.side.block >= piece.block;
    });
    for (auto patch = first; patch != patches.end() && patch->side.block == piece.block; ++patch) {
      const BoundaryKind kind = grid.boundaries[static_cast<std::size_t>(patch->boundary)].kind;
      if (const auto side = boundary_side(topology.cells(piece.block), piece, extent,
                                          grid.blocks.own.size(), *patch, kind)) {
        grid.sides.push_back(*side);
      }
    }
    grid.blocks.own.push_back(static_cast<int>(p));
    grid.blocks.extents.push_back(extent);
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

/// What make_grid() does, with pieces from `deal_out(topology)`.
template <typename DealOut>
Grid assemble(const comm::Comm& comm, const GridSource& source, const GridSettings& settings,
              DealOut&& deal_out) {
  const int blocks = static_cast<int>(source.cells.size());
  const auto shapes = all_shapes(comm, source);
  Topology topology(source.cells, shapes, periodic_sides(settings.boundaries, blocks),
                    settings.tolerance);
  for (const GivenConnection& given : source.connected) {
    if (!topology.is_covered(given.from)) { // coordinates did not show it
      topology.connect(given.from, given.cells, given.to, given.there, given.orientation);
    }
  }
  if (settings.is_partial) {
    connect_parts(comm, source, settings.tolerance, topology);
  }
  const auto patches = name_boundaries(topology, source, settings.boundaries);
  std::vector<Piece> pieces = deal_out(topology);
  Grid grid{{std::move(topology), std::move(pieces), {}, {}}, {}, {}, {}, {}, 0, settings.pivot};
  for (const BoundaryNames& names : settings.boundaries) {
    grid.boundaries.push_back(names.boundary);
  }
  for (int b = 0; b < blocks; ++b) {
    grid.num_cells += grid.blocks.topology.num_cells(b);
  }
  add_own(comm.rank(), source.is_flat, patches, grid);
  grid.ghosts = list_ghosts(grid.blocks);
  grid.own =
      make_blocks(comm, grid.blocks, grid.ghosts, source.load, settings.pivot, settings.tolerance);
  return grid;
}

} // namespace

Grid make_grid(const comm::Comm& comm, const GridSource& source, const GridSettings& settings) {
  return assemble(comm, source, settings, [&](const Topology& topology) {
    return deal(topology, weights_of(topology, settings), comm.size(), settings.dealing);
  });
}

std::vector<Grid> make_grids(const comm::Comm& comm, const GridSource& source,
                             GridSettings settings, int levels) {
  check_levels(source, levels);
  DealSettings& dealing = settings.dealing; // so that pieces become coarser as blocks do
  dealing.unit = std::max(dealing.unit, 1 << (levels - 1));
  dealing.least = std::max(dealing.least, 1 << levels);
  std::vector<Grid> grids{make_grid(comm, source, settings)};
  GridSource of_level = source;
  for (int level = 1; level < levels; ++level) {
    of_level = coarser(of_level);
    grids.push_back(assemble(comm, of_level, settings, [&](const Topology& /*same*/) {
      return coarser(grids.back().blocks.pieces, source.is_flat);
    }));
  }
  return grids;
}

} // namespace isthmus::flow
