// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/ghosts.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::flow {

/// Blocks as files have them, whatever they are cut into: a block that is cut is written by the
/// rank of its first piece, and read by all ranks that have a piece.
class WholeBlocks {
 public:
  /// The others must outlive it.
  WholeBlocks(const comm::Comm& comm, const Blocks& blocks);

  /// Those that this rank writes, ascending.
  [[nodiscard]] const std::vector<std::size_t>& written() const { return written_; }
  /// Those that this rank reads, ascending.
  [[nodiscard]] const std::vector<std::size_t>& read() const { return read_; }

  /// Collective. From `fields` arrays of the cells of each own piece, without ghosts, the same of
  /// the blocks that this rank writes.
  [[nodiscard]] std::vector<std::vector<double>> join(std::vector<std::vector<double>> pieces,
                                                      std::size_t fields) const;
  /// Local. From arrays of the blocks that this rank reads those of each own piece.
  [[nodiscard]] std::vector<std::vector<double>> divide(std::vector<std::vector<double>> whole,
                                                        std::size_t fields) const;

 private:
  [[nodiscard]] std::size_t size_of(int block, std::size_t fields) const;

  const comm::Comm& comm_;
  const Blocks& blocks_;
  PieceFinder finder_;
  std::vector<std::size_t> written_;
  std::vector<std::size_t> read_;
};

} // namespace isthmus::flow
