// SPDX-License-Identifier: BSD-3-Clause
#include "flow/grid/pieces/whole_blocks.hpp"

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/message.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::flow {

namespace {

/// Calls visit(position in the arrays of the block, position in those of the piece, length) for all
/// rows of a piece.
template <typename Visit>
void for_each_row(const Index3& cells, const Piece& piece, std::size_t fields, Visit&& visit) {
  const auto row = static_cast<std::size_t>(cells[0]);
  const auto plane = row * static_cast<std::size_t>(cells[1]);
  const auto n = static_cast<std::size_t>(piece.length(0));
  std::size_t here = 0;
  for (std::size_t field = 0; field < fields; ++field) {
    for (int k = piece.begin[2]; k < piece.end[2]; ++k) {
      for (int j = piece.begin[1]; j < piece.end[1]; ++j) {
        const std::size_t layer = field * static_cast<std::size_t>(cells[2]);
        visit((layer + static_cast<std::size_t>(k)) * plane + static_cast<std::size_t>(j) * row +
                  static_cast<std::size_t>(piece.begin[0]),
              here, n);
        here += n;
      }
    }
  }
}

} // namespace

WholeBlocks::WholeBlocks(const comm::Comm& comm, const Blocks& blocks)
    : comm_(comm), blocks_(blocks), finder_(blocks.pieces, blocks.topology.num_blocks()) {
  for (int b = 0; b < blocks.topology.num_blocks(); ++b) {
    const auto pieces = finder_.of(b);
    const auto block = static_cast<std::size_t>(b);
    if (pieces.front().part == comm.rank()) {
      written_.push_back(block);
    }
    if (std::any_of(pieces.begin(), pieces.end(),
                    [&comm](const Piece& piece) { return piece.part == comm.rank(); })) {
      read_.push_back(block);
    }
  }
}

std::size_t WholeBlocks::size_of(int block, std::size_t fields) const {
  return fields * static_cast<std::size_t>(blocks_.topology.num_cells(block));
}

std::vector<std::vector<double>> WholeBlocks::join(std::vector<std::vector<double>> pieces,
                                                   std::size_t fields) const {
  comm::Sends sends;
  std::vector<std::vector<double>*> own(blocks_.pieces.size());
  for (std::size_t n = 0; n < pieces.size(); ++n) {
    own[static_cast<std::size_t>(blocks_.own[n])] = &pieces[n];
    const int writer = finder_.of(blocks_.own_piece(n).block).front().part;
    if (writer != comm_.rank()) {
      const auto bytes = std::as_bytes(std::span(pieces[n]));
      sends.add(comm_, writer, comm::tag_bulk, {bytes.begin(), bytes.end()});
    }
  }
  std::vector<std::vector<double>> whole;
  for (const std::size_t written : written_) { // pieces come in the order in which they are sent
    const int block = static_cast<int>(written);
    const auto boxes = finder_.of(block);
    const auto first = static_cast<std::size_t>(boxes.data() - blocks_.pieces.data());
    if (boxes.size() == 1) {
      whole.push_back(std::move(*own[first]));
      continue;
    }
    std::vector<double>& values = whole.emplace_back(size_of(block, fields));
    for (std::size_t p = first; p < first + boxes.size(); ++p) {
      const Piece& piece = blocks_.pieces[p];
      std::vector<double> received;
      if (piece.part != comm_.rank()) {
        received.resize(fields * static_cast<std::size_t>(piece.cells()));
        comm::receive(comm_, piece.part, comm::tag_bulk,
                      std::as_writable_bytes(std::span(received)));
      }
      const std::vector<double>& part = piece.part == comm_.rank() ? *own[p] : received;
      for_each_row(blocks_.topology.cells(block), piece, fields,
                   [&](std::size_t there, std::size_t here, std::size_t n) {
                     std::copy_n(part.data() + here, n, values.data() + there);
                   });
    }
  }
  sends.wait();
  return whole;
}

std::vector<std::vector<double>> WholeBlocks::divide(std::vector<std::vector<double>> whole,
                                                     std::size_t fields) const {
  std::vector<std::vector<double>> pieces;
  for (std::size_t n = 0; n < blocks_.own.size(); ++n) {
    const Piece& piece = blocks_.own_piece(n);
    const auto of =
        std::lower_bound(read_.begin(), read_.end(), static_cast<std::size_t>(piece.block));
    std::vector<double>& values = whole[static_cast<std::size_t>(of - read_.begin())];
    if (is_whole(blocks_.topology, piece)) {
      pieces.push_back(std::move(values));
      continue;
    }
    std::vector<double>& part =
        pieces.emplace_back(fields * static_cast<std::size_t>(piece.cells()));
    for_each_row(blocks_.topology.cells(piece.block), piece, fields,
                 [&](std::size_t there, std::size_t here, std::size_t count) {
                   std::copy_n(values.data() + there, count, part.data() + here);
                 });
  }
  return pieces;
}

} // namespace isthmus::flow
