// SPDX-License-Identifier: BSD-3-Clause
#include "flow/grid/pieces/seams.hpp"

#include <algorithm>

namespace isthmus::flow {

namespace {

constexpr int first_tag = 1000; // above those of comm/comm.hpp

} // namespace

Seams::Seams(const comm::Comm& comm, const Blocks& blocks, std::size_t fields)
    : comm_(comm), blocks_(blocks), begins_(blocks.offsets(fields)), seams_(blocks.own.size()) {
  const auto cuts = list_cuts(blocks.pieces, blocks.topology.num_blocks());
  for (std::size_t own = 0; own < blocks.own.size(); ++own) {
    const auto number = static_cast<std::size_t>(blocks.own[own]);
    const Piece& piece = blocks.pieces[number];
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      const Cut& cut = cuts[c];
      if (cut.low != number && cut.high != number) {
        continue;
      }
      const bool is_above = cut.low == number;
      Seam seam{cut.axis,
                is_above,
                blocks.pieces[is_above ? cut.high : cut.low].part,
                first_tag + static_cast<int>(c),
                {},
                {}};
      for (std::size_t a = 0; a < 3; ++a) {
        const int beyond = !is_above && static_cast<int>(a) == cut.axis ? 1 : 0;
        seam.begin[a] = cut.begin[a] + beyond - piece.begin[a];
        seam.end[a] = cut.end[a] + beyond - piece.begin[a];
      }
      seams_[own].push_back(seam);
    }
  }
}

/// Each rank takes its pieces in their order along the axis: so none waits for one that waits for
/// it.
void Seams::pass(int axis, bool upwards, std::size_t handed, std::span<double> values,
                 const std::function<void(std::size_t own)>& sweep) const {
  std::vector<std::size_t> order;
  for (std::size_t own = 0; own < seams_.size(); ++own) {
    if (is_cut(own) && axis < (blocks_.extents[own].is_flat() ? 2 : 3)) {
      order.push_back(own);
    }
  }
  const auto place = [&](std::size_t own) {
    const int begin = blocks_.own_piece(own).begin[static_cast<std::size_t>(axis)];
    return upwards ? begin : -begin;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  comm::Sends sent;
  for (const std::size_t own : order) {
    for (const Seam& seam : seams_[own]) {
      if (seam.axis == axis && seam.is_above != upwards) {
        receive(own, seam, handed, values);
      }
    }
    sweep(own);
    for (const Seam& seam : seams_[own]) {
      if (seam.axis == axis && seam.is_above == upwards) {
        send(own, seam, handed, values, sent);
      }
    }
  }
  sent.wait();
}

/// Calls visit(position) for all values in the cells at a seam, or `layer` cells behind it.
template <typename Visit>
void Seams::for_each_value(std::size_t own, const Seam& seam, int layer, std::size_t handed,
                           Visit&& visit) const {
  const Extent& extent = blocks_.extents[own];
  const std::ptrdiff_t away = (seam.is_above ? layer : -layer) * extent.stride(seam.axis);
  for (std::size_t field = 0; field < handed; ++field) {
    const std::size_t begin = begins_[own] + field * extent.stored();
    Extent::for_each_in(seam.begin, seam.end, [&](const Index3& cell) {
      visit(begin + extent.at(cell) + static_cast<std::size_t>(away));
    });
  }
}

void Seams::send(std::size_t own, const Seam& seam, std::size_t handed,
                 std::span<const double> values, comm::Sends& sent) const {
  std::vector<double> message;
  for_each_value(own, seam, 0, handed, [&](std::size_t at) { message.push_back(values[at]); });
  const auto bytes = std::as_bytes(std::span(message));
  sent.add(comm_, seam.rank, seam.tag, {bytes.begin(), bytes.end()});
}

void Seams::receive(std::size_t own, const Seam& seam, std::size_t handed,
                    std::span<double> values) const {
  std::size_t count = 0;
  for_each_value(own, seam, 1, handed, [&](std::size_t) { ++count; });
  std::vector<double> message(count);
  comm::receive(comm_, seam.rank, seam.tag, std::as_writable_bytes(std::span(message)));
  const double* next = message.data();
  for_each_value(own, seam, 1, handed, [&](std::size_t at) { values[at] = *next++; });
}

} // namespace isthmus::flow
