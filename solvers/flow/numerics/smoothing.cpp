// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/smoothing.hpp"

#include "flow/numerics/shared_work.hpp"
#include "isthmus/base/clock.hpp"

namespace isthmus::flow {

namespace {

/// Part of a line along an axis: the rows of one piece.
struct Line {
  const double* pivots; // of the rows of the piece
  const double* factors;
  double strength;
  bool is_first; // of the pieces along the axis
  bool is_last;
};

/// Elimination along i, one line after the other.
void eliminate_rows(const Extent& extent, const Line& line, double* values) {
  const int n = extent.count(0);
  extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
    double* const x = values + first;
    double before = line.is_first ? 0 : x[-1];
    for (int i = 0; i < n; ++i) {
      before = (x[i] + line.strength * before) * line.pivots[i];
      x[i] = before;
    }
  });
}

void substitute_rows(const Extent& extent, const Line& line, double* values) {
  const int n = extent.count(0);
  extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
    double* const x = values + first;
    for (int i = line.is_last ? n - 2 : n - 1; i >= 0; --i) {
      x[i] += line.factors[i] * x[i + 1];
    }
  });
}

/// Along j or k: all lines through a row together.
void eliminate_lines(const Extent& extent, int axis, const Line& line, double* values) {
  const int n = extent.count(axis);
  const auto width = static_cast<std::size_t>(extent.count(0));
  for (int other = 0; other < extent.count(3 - axis); ++other) {
    double* x = values + extent.at(0, 0, 0) + other * extent.stride(3 - axis);
    for (int j = 0; j < n; ++j, x += extent.stride(axis)) {
      const bool has_before = j > 0 || !line.is_first;
      const double* const before = has_before ? x - extent.stride(axis) : x;
      const double share = has_before ? line.strength : 0;
      const double pivot = line.pivots[j];
      for (std::size_t i = 0; i < width; ++i) {
        x[i] = (x[i] + share * before[i]) * pivot;
      }
    }
  }
}

void substitute_lines(const Extent& extent, int axis, const Line& line, double* values) {
  const auto width = static_cast<std::size_t>(extent.count(0));
  const int last = extent.count(axis) - (line.is_last ? 2 : 1);
  for (int other = 0; other < extent.count(3 - axis); ++other) {
    double* x =
        values + extent.at(0, 0, 0) + other * extent.stride(3 - axis) + last * extent.stride(axis);
    for (int j = last; j >= 0; --j, x -= extent.stride(axis)) {
      const double* const after = x + extent.stride(axis);
      const double factor = line.factors[j];
      for (std::size_t i = 0; i < width; ++i) {
        x[i] += factor * after[i];
      }
    }
  }
}

int num_axes(const Extent& extent) {
  return extent.is_flat() ? 2 : 3;
}

} // namespace

Smoother::Elimination::Elimination(int n, double e)
    : pivots(static_cast<std::size_t>(n)), factors(pivots) {
  double before = 0;
  for (int i = 0; i < n; ++i) {
    const double neighbours = (i > 0 ? 1 : 0) + (i < n - 1 ? 1 : 0);
    const double diagonal = 1 + e * neighbours - e * before;
    pivots[static_cast<std::size_t>(i)] = 1 / diagonal;
    before = e / diagonal;
    factors[static_cast<std::size_t>(i)] = before;
  }
}

Smoother::Smoother(const comm::Comm& comm, const Blocks& blocks, double strength,
                   std::size_t fields)
    : blocks_(blocks),
      strength_(strength),
      fields_(fields),
      begins_(blocks.offsets(fields)),
      seams_(comm, blocks, fields) {
  for (const int own : blocks.own) {
    for (const int n : blocks.topology.cells(blocks.pieces[static_cast<std::size_t>(own)].block)) {
      lines_.try_emplace(n, n, strength);
    }
  }
}

void Smoother::smooth(std::span<double> values, std::span<double> busy) {
  pass(0, true, values, busy);
  for (std::size_t own = 0; own < blocks_.own.size();
       ++own) { // while others hand on what they have
    for (int axis = 0; !seams_.is_cut(own) && axis < num_axes(blocks_.extents[own]); ++axis) {
      sweep(own, axis, true, values, busy[own]);
      sweep(own, axis, false, values, busy[own]);
    }
  }
  pass(0, false, values, busy);
  for (int axis = 1; axis < 3; ++axis) {
    pass(axis, true, values, busy);
    pass(axis, false, values, busy);
  }
}

void Smoother::pass(int axis, bool upwards, std::span<double> values, std::span<double> busy) {
  seams_.pass(axis, upwards, fields_, values,
              [&](std::size_t own) { sweep(own, axis, upwards, values, busy[own]); });
}

void Smoother::sweep(std::size_t own, int axis, bool upwards, std::span<double> values,
                     double& busy) const {
  const Extent& extent = blocks_.extents[own];
  const Piece& piece = blocks_.own_piece(own);
  const auto a = static_cast<std::size_t>(axis);
  const int n = blocks_.topology.cells(piece.block)[a];
  const Elimination& whole = lines_.at(n);
  const Line line{whole.pivots.data() + piece.begin[a], whole.factors.data() + piece.begin[a],
                  strength_, piece.begin[a] == 0, piece.end[a] == n};
  share_parts(fields_, fields_ * extent.stored(), busy, [&](std::size_t begin, std::size_t end) {
    for (std::size_t field = begin; field < end; ++field) {
      double* const x = values.data() + begins_[own] + field * extent.stored();
      if (axis == 0) {
        (upwards ? eliminate_rows : substitute_rows)(extent, line, x);
      } else {
        (upwards ? eliminate_lines : substitute_lines)(extent, axis, line, x);
      }
    }
  });
}

} // namespace isthmus::flow
