// SPDX-License-Identifier: BSD-3-Clause
#include "flow/turbulence/implicit_lines.hpp"
#include "isthmus/base/clock.hpp"

#include <algorithm>

namespace isthmus::flow {

/// The lines of an own piece along an axis.
struct ImplicitLines::Line {
  const Extent& extent;
  const Links& links;
  const double* diagonals;
  double* work;
  int axis;
  bool is_first; // of the pieces along the axis
  bool is_last;
};

ImplicitLines::ImplicitLines(const comm::Comm& comm, const Blocks& blocks)
    : blocks_(blocks),
      begins_(blocks.offsets(num_turbulent)),
      places_(blocks.offsets(2 * num_turbulent)),
      work_(places_.back()),
      seams_(comm, blocks, 2 * num_turbulent) {}

void ImplicitLines::eliminate(const Line& line) {
  const Extent& extent = line.extent;
  const std::size_t stored = extent.stored();
  const auto stride = static_cast<std::size_t>(extent.stride(line.axis));
  const int last = extent.count(line.axis) - 1;
  Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) {
    const std::size_t cell = extent.at(c);
    const int place = c[static_cast<std::size_t>(line.axis)];
    const bool has_before = place > 0 || !line.is_first;
    const bool has_behind = place < last || !line.is_last;
    for (std::size_t v = 0; v < num_turbulent; ++v) {
      double* const x = line.work + v * stored + cell;
      double* const share = x + num_turbulent * stored;
      const double diagonal = line.diagonals[v * stored + cell];
      const double low = has_before ? line.links.from_before(line.axis, v, cell) : 0;
      const double high = has_behind ? line.links.from_behind(line.axis, v, cell + stride) : 0;
      const double earlier = has_before ? *(x - stride) : 0;
      const double taken = has_before ? *(share - stride) : 0;
      const double inverse = 1 / (diagonal - low * taken);
      *x = (diagonal * *x + low * earlier) * inverse;
      *share = high * inverse;
    }
  });
}

void ImplicitLines::substitute(const Line& line) {
  const Extent& extent = line.extent;
  const std::size_t stored = extent.stored();
  const auto stride = static_cast<std::size_t>(extent.stride(line.axis));
  const Index3& n = extent.counts();
  const int last = extent.count(line.axis) - 1;
  for (int k = n[2] - 1; k >= 0; --k) {
    for (int j = n[1] - 1; j >= 0; --j) {
      for (int i = n[0] - 1; i >= 0; --i) {
        const Index3 c{i, j, k};
        if (c[static_cast<std::size_t>(line.axis)] == last && line.is_last) {
          continue;
        }
        for (std::size_t v = 0; v < num_turbulent; ++v) {
          double* const x = line.work + v * stored + extent.at(c);
          *x += *(x + num_turbulent * stored) * *(x + stride);
        }
      }
    }
  }
}

void ImplicitLines::solve(std::span<const Links> links, std::span<const double> diagonals,
                          std::span<double> rates, std::span<double> busy) {
  const auto line_of = [&](std::size_t own, int axis) {
    const Piece& piece = blocks_.own_piece(own);
    const auto a = static_cast<std::size_t>(axis);
    return Line{blocks_.extents[own],
                links[own],
                diagonals.data() + begins_[own],
                work_.data() + places_[own],
                axis,
                piece.begin[a] == 0,
                piece.end[a] == blocks_.topology.cells(piece.block)[a]};
  };
  for (std::size_t own = 0; own < links.size(); ++own) {
    const BusyTime time(busy[own]);
    const std::size_t count = begins_[own + 1] - begins_[own];
    for (std::size_t n = 0; n < count; ++n) { // ghosts have no diagonal
      const double diagonal = diagonals[begins_[own] + n];
      work_[places_[own] + n] = diagonal > 0 ? rates[begins_[own] + n] / diagonal : 0;
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t own = 0; own < links.size(); ++own) {
      if (!seams_.is_cut(own) && axis < (blocks_.extents[own].is_flat() ? 2 : 3)) {
        const BusyTime time(busy[own]);
        eliminate(line_of(own, axis));
        substitute(line_of(own, axis));
      }
    }
    seams_.pass(axis, true, 2 * num_turbulent, work_, [&](std::size_t own) {
      const BusyTime time(busy[own]);
      eliminate(line_of(own, axis));
    });
    seams_.pass(axis, false, num_turbulent, work_, [&](std::size_t own) {
      const BusyTime time(busy[own]);
      substitute(line_of(own, axis));
    });
  }
  for (std::size_t own = 0; own < links.size(); ++own) {
    std::copy_n(work_.begin() + static_cast<std::ptrdiff_t>(places_[own]),
                begins_[own + 1] - begins_[own],
                rates.begin() + static_cast<std::ptrdiff_t>(begins_[own]));
  }
}

} // namespace isthmus::flow
