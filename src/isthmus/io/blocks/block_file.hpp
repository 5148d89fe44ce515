// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/io/background_write.hpp"
#include "isthmus/io/blocks/block_index.hpp"
#include "isthmus/io/blocks/block_values.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

/// Restart and plot files of structured blocks of unequal size that are dealt unequally over the
/// ranks: without halos, with checksums, complete or absent, read by any number of ranks.
/// After Jackson et al., Load balance and parallel I/O, doi:10.1016/j.compfluid.2018.03.007, which
/// ends at one independent write per block; here one collective call per rank writes all blocks.
namespace isthmus::io {

/// Writes the same blocks again and again.
class BlockWriter {
 public:
  /// Local. `own` are the numbers of this rank's blocks, ascending; each block belongs to one rank.
  /// The solver stores `halo` layers around its blocks. `comm` must outlive the writer.
  BlockWriter(const comm::Comm& comm, BlockGrid grid, std::vector<std::size_t> own,
              std::uint32_t halo);
  /// A write that was begun and not finished is given up.
  ~BlockWriter() = default;
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  /// Collective. One array for each own block, stored as BlockStorage says. Throws Error on all
  /// ranks; an earlier file of that name then stays.
  void write(const std::filesystem::path& path, const BlockMoment& moment,
             std::span<const std::span<const double>> values,
             Durability durability = Durability::power);

  /// Collective. Copies the values and returns; a thread writes them while the solver goes on. The
  /// file appears with the next begin() or lend() or with finish(), which wait for it and throw the
  /// Error of any rank on all of them. Two copies are kept, so that the solver waits only for a
  /// disk that is slower than its steps.
  void begin(const std::filesystem::path& path, const BlockMoment& moment,
             std::span<const std::span<const double>> values,
             Durability durability = Durability::power);
  /// Collective. The same without a copy: the solver must not change the values until finish() or
  /// the next begin() or lend() returns. For solvers that keep the last state beside the new one.
  void lend(const std::filesystem::path& path, const BlockMoment& moment,
            std::span<const std::span<const double>> values,
            Durability durability = Durability::power);
  /// Collective. Nothing to do if no write was begun.
  void finish();

  [[nodiscard]] BlockStorage storage(std::size_t block) const;
  [[nodiscard]] const BlockLayout& layout() const { return layout_; }

 private:
  /// A copy of the own blocks with what belongs to them.
  struct Copy {
    std::vector<double> values;
    std::vector<std::byte> header;                                // rank 0
    std::vector<std::array<std::byte, block_entry_size>> entries; // per own block
    std::vector<FilePart> parts;
  };

  void fill(Copy& copy, const BlockMoment& moment,
            std::span<const std::span<const double>> values) const;
  /// Checksums, and the parts of the file that this rank writes.
  void complete(Copy& copy) const;
  /// Lets a thread do `prepare` and write the copy.
  void start(const std::filesystem::path& path, Durability durability,
             std::function<void(Copy&)> prepare);

  const comm::Comm& comm_;
  BlockGrid grid_;
  BlockLayout layout_;
  std::vector<std::size_t> own_;
  std::uint32_t halo_;
  std::array<Copy, 2> copies_;
  std::size_t current_ = 0; // the copy that is not being written
  std::unique_ptr<BackgroundWrite> pending_;
};

/// A file that exists, as all ranks see it.
class BlockReader {
 public:
  /// Collective. Rank 0 reads what the file says about itself. Throws Error on all ranks if it is
  /// missing, foreign, cut off or damaged. `comm` must outlive the reader.
  BlockReader(const comm::Comm& comm, std::filesystem::path path);

  [[nodiscard]] const BlockGrid& grid() const { return index_.grid; }
  [[nodiscard]] const BlockMoment& moment() const { return index_.moment; }

  /// Collective. Fills the interior of the blocks `numbers`, one array each, with `halo` layers
  /// around them; any rank may read any block. Throws Error on all ranks if a checksum is wrong.
  void read(std::span<const std::size_t> numbers, std::uint32_t halo,
            std::span<const std::span<double>> values) const;

 private:
  const comm::Comm& comm_;
  std::filesystem::path path_;
  BlockIndex index_;
};

} // namespace isthmus::io
