// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/blocks/block_baselines.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/message.hpp"
#include "isthmus/io/blocks/block_values.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace isthmus::io {

namespace {

using Mark = std::uint32_t; // the length of a record, before and behind it

bool has_halos(BlockStage stage) {
  return stage == BlockStage::rows || stage == BlockStage::blocks;
}

std::uint64_t header_bytes(BlockStage stage, const BlockGrid& grid) {
  return has_halos(stage) ? 0 : grid.cells.size() * sizeof(Cells);
}

std::uint64_t bytes_of(BlockStage stage, const BlockGrid& grid, std::size_t block,
                       std::uint32_t halo) {
  const BlockStorage storage = storage_of(grid, block, halo);
  return has_halos(stage) ? storage.stored() * sizeof(double) + 2 * sizeof(Mark) * grid.snapshots
                          : storage.interior() * sizeof(double);
}

/// Independent writes at a pointer that is set before each, as in the original.
class IndependentFile {
 public:
  IndependentFile(const comm::Comm& comm, const std::filesystem::path& path) : comm_(comm) {
    const int mode = MPI_MODE_WRONLY | MPI_MODE_CREATE;
    const int code = MPI_File_open(comm.raw(), path.c_str(), mode, MPI_INFO_NULL, &file_);
    comm::agree(comm, [&] { comm::check_mpi(code, "MPI_File_open"); });
  }
  IndependentFile(const IndependentFile&) = delete;
  IndependentFile& operator=(const IndependentFile&) = delete;
  ~IndependentFile() { MPI_File_close(&file_); }

  void write(std::uint64_t offset, std::span<const std::byte> bytes) {
    comm::check_mpi(MPI_File_seek(file_, static_cast<MPI_Offset>(offset), MPI_SEEK_SET),
                    "MPI_File_seek");
    comm::check_mpi(MPI_File_write(file_, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE,
                                   MPI_STATUS_IGNORE),
                    "MPI_File_write");
    ++cost_.calls;
    cost_.bytes += bytes.size();
  }

  WriteCost finish(Durability durability) {
    const int code = durability == Durability::power ? MPI_File_sync(file_) : MPI_SUCCESS;
    comm::agree(comm_, [&] { comm::check_mpi(code, "MPI_File_sync"); });
    return cost_;
  }

 private:
  const comm::Comm& comm_;
  MPI_File file_ = MPI_FILE_NULL;
  WriteCost cost_;
};

/// A block and where it goes.
struct Placed {
  BlockStorage storage;
  std::uint64_t snapshots;
  std::span<const double> values;
  std::uint64_t offset;
};

void write_rows(IndependentFile& file, const Placed& block) {
  const std::size_t row = block.storage.extent(0);
  const std::size_t record = block.values.size() / block.snapshots;
  const Mark mark = static_cast<Mark>(record * sizeof(double));
  std::uint64_t at = block.offset;
  const auto put = [&](std::span<const std::byte> bytes) {
    file.write(at, bytes);
    at += bytes.size();
  };
  for (std::size_t begin = 0; begin < block.values.size(); begin += record) {
    put(std::as_bytes(std::span(&mark, 1)));
    for (std::size_t i = begin; i < begin + record; i += row) {
      put(std::as_bytes(block.values.subspan(i, row)));
    }
    put(std::as_bytes(std::span(&mark, 1)));
  }
}

void write_block(IndependentFile& file, const Placed& block) {
  const std::size_t record = block.values.size() / block.snapshots * sizeof(double);
  const Mark mark = static_cast<Mark>(record);
  std::vector<std::byte> buffer(record + 2 * sizeof mark);
  const auto bytes = std::as_bytes(block.values);
  for (std::uint64_t n = 0; n < block.snapshots; ++n) {
    std::memcpy(buffer.data(), &mark, sizeof mark);
    std::memcpy(buffer.data() + sizeof mark, bytes.data() + n * record, record);
    std::memcpy(buffer.data() + sizeof mark + record, &mark, sizeof mark);
    file.write(block.offset + n * buffer.size(), buffer);
  }
}

void write_interior(IndependentFile& file, const Placed& block) {
  std::vector<double> packed(block.storage.interior());
  pack(block.storage, block.values, packed.data());
  file.write(block.offset, std::as_bytes(std::span(packed)));
}

void write_header(IndependentFile& file, const BlockGrid& grid) {
  file.write(0, std::as_bytes(std::span(grid.cells)));
}

/// Calls `write(block)` for each own block.
template <typename Write>
void for_each_own(BlockStage stage, const OwnBlocks& own, Write&& write) {
  std::uint64_t offset = header_bytes(stage, own.grid);
  std::size_t next = 0;
  for (std::size_t block = 0; block < own.grid.cells.size() && next < own.numbers.size(); ++block) {
    if (own.numbers[next] == block) {
      write(Placed{storage_of(own.grid, block, own.halo), own.grid.snapshots, own.values[next],
                   offset});
      ++next;
    }
    offset += bytes_of(stage, own.grid, block, own.halo);
  }
}

/// Rank 0 asks the owner of one block after the other.
void write_gathered(const comm::Comm& comm, IndependentFile& file, const OwnBlocks& own) {
  const auto all = comm::gather(comm, own.numbers);
  std::vector<int> owner(own.grid.cells.size());
  for (int rank = 0; comm.is_root() && rank < comm.size(); ++rank) {
    for (const std::size_t block : all.of(rank)) {
      owner[block] = rank;
    }
  }
  if (!comm.is_root()) {
    for_each_own(BlockStage::gathered, own, [&](const Placed& block) {
      std::vector<double> packed(block.storage.interior());
      pack(block.storage, block.values, packed.data());
      comm::send_message(comm, 0, std::as_bytes(std::span(packed)));
    });
    return;
  }
  write_header(file, own.grid);
  std::uint64_t offset = header_bytes(BlockStage::gathered, own.grid);
  std::size_t next = 0;
  for (std::size_t block = 0; block < owner.size(); ++block) {
    const BlockStorage storage = storage_of(own.grid, block, own.halo);
    if (owner[block] == 0) {
      write_interior(file, {storage, own.grid.snapshots, own.values[next++], offset});
    } else {
      file.write(offset, comm::receive_message(comm, owner[block]));
    }
    offset += bytes_of(BlockStage::gathered, own.grid, block, own.halo);
  }
}

void write_stage(const comm::Comm& comm, BlockStage stage, IndependentFile& file,
                 const OwnBlocks& own) {
  switch (stage) {
    case BlockStage::gathered:
      return write_gathered(comm, file, own);
    case BlockStage::rows:
      return for_each_own(stage, own, [&file](const Placed& block) { write_rows(file, block); });
    case BlockStage::blocks:
      return for_each_own(stage, own, [&file](const Placed& block) { write_block(file, block); });
    case BlockStage::restructured:
      if (comm.is_root()) {
        write_header(file, own.grid);
      }
      return for_each_own(stage, own,
                          [&file](const Placed& block) { write_interior(file, block); });
  }
}

} // namespace

WriteCost write_baseline(const comm::Comm& comm, BlockStage stage,
                         const std::filesystem::path& path, const OwnBlocks& own,
                         Durability durability) {
  check(own.values.size() == own.numbers.size(), "{} arrays were given for {} blocks",
        own.values.size(), own.numbers.size());
  IndependentFile file(comm, path);
  comm::agree(comm, [&] { write_stage(comm, stage, file, own); });
  return file.finish(durability);
}

WriteCost baseline_cost(BlockStage stage, const BlockGrid& grid, std::uint32_t halo) {
  WriteCost cost{has_halos(stage) ? 0U : 1U, header_bytes(stage, grid)};
  for (std::size_t block = 0; block < grid.cells.size(); ++block) {
    const BlockStorage storage = storage_of(grid, block, halo);
    const std::uint64_t rows = storage.stored() / storage.extent(0);
    cost.calls += stage == BlockStage::rows     ? rows + 2 * grid.snapshots
                  : stage == BlockStage::blocks ? grid.snapshots
                                                : 1;
    cost.bytes += bytes_of(stage, grid, block, halo);
  }
  return cost;
}

} // namespace isthmus::io
