// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/blocks/block_baselines.hpp"

#include "folder.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <cstring>
#include <vector>

using namespace isthmus;
using io::BlockStage;

namespace {

constexpr std::uint32_t halo = 1;

io::BlockGrid grid() {
  io::BlockGrid result{{}, {"u", "v"}, 3};
  for (std::uint32_t b = 0; b < 9; ++b) {
    result.cells.push_back({1 + b % 3, 2, 1 + b % 2});
  }
  return result;
}

/// The n-th stored value of a block.
double value(std::size_t block, std::size_t n) {
  return 1000.0 * static_cast<double>(block) + static_cast<double>(n);
}

std::size_t stored(std::size_t block) {
  const io::Cells c = grid().cells[block];
  return std::size_t{c[0] + 2} * (c[1] + 2) * (c[2] + 2) * 2 * 3;
}

/// What a serial Fortran program writes.
std::string records() {
  std::string bytes;
  for (std::size_t b = 0; b < grid().cells.size(); ++b) {
    const std::size_t record = stored(b) / 3;
    const auto length = static_cast<std::uint32_t>(8 * record);
    for (std::size_t n = 0; n < stored(b); ++n) {
      if (n % record == 0) {
        bytes.append(reinterpret_cast<const char*>(&length), 4);
      }
      const double v = value(b, n);
      bytes.append(reinterpret_cast<const char*>(&v), 8);
      if (n % record == record - 1) {
        bytes.append(reinterpret_cast<const char*>(&length), 4);
      }
    }
  }
  return bytes;
}

/// All sizes, then all interiors.
std::string interiors() {
  const auto cells = grid().cells;
  std::string bytes(reinterpret_cast<const char*>(cells.data()), cells.size() * sizeof cells[0]);
  for (std::size_t b = 0; b < cells.size(); ++b) {
    std::size_t n = 0;
    for (int field = 0; field < 6; ++field) {
      for (std::uint32_t k = 0; k < cells[b][2] + 2; ++k) {
        for (std::uint32_t j = 0; j < cells[b][1] + 2; ++j) {
          for (std::uint32_t i = 0; i < cells[b][0] + 2; ++i, ++n) {
            if (i > 0 && i <= cells[b][0] && j > 0 && j <= cells[b][1] && k > 0 &&
                k <= cells[b][2]) {
              const double v = value(b, n);
              bytes.append(reinterpret_cast<const char*>(&v), 8);
            }
          }
        }
      }
    }
  }
  return bytes;
}

} // namespace

TEST_CASE("each stage writes its file with the calls that it is known for") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const io::BlockGrid all = grid();
  std::vector<std::size_t> numbers;
  std::vector<std::vector<double>> arrays;
  for (std::size_t b = 0; b < all.cells.size(); ++b) {
    if ((b * b) % static_cast<std::size_t>(comm.size()) == static_cast<std::size_t>(comm.rank())) {
      numbers.push_back(b);
      arrays.emplace_back(stored(b));
      for (std::size_t n = 0; n < stored(b); ++n) {
        arrays.back()[n] = value(b, n);
      }
    }
  }
  const std::vector<std::span<const double>> values(arrays.begin(), arrays.end());
  const std::uint64_t blocks = all.cells.size();
  std::uint64_t rows = 0;
  for (const io::Cells& c : all.cells) {
    rows += std::uint64_t{c[1] + 2} * (c[2] + 2) * 2 * 3;
  }

  const auto check_stage = [&](BlockStage stage, const std::string& content_expected,
                               std::uint64_t calls) {
    const auto path = folder / "f";
    const auto cost = io::write_baseline(comm, stage, path, {all, numbers, halo, values},
                                         io::Durability::process);
    comm::barrier(comm);
    CHECK(content(path) == content_expected);
    CHECK(comm::allreduce(comm, cost.calls, comm::Op::sum) == calls);
    CHECK(comm::allreduce(comm, cost.bytes, comm::Op::sum) == content_expected.size());
    const auto predicted = io::baseline_cost(stage, all, halo);
    CHECK(predicted.calls == calls);
    CHECK(predicted.bytes == content_expected.size());
    comm::barrier(comm);
    if (comm.is_root()) {
      std::filesystem::remove(path);
    }
    comm::barrier(comm);
  };
  check_stage(BlockStage::rows, records(), rows + 2 * 3 * blocks);
  check_stage(BlockStage::blocks, records(), 3 * blocks);
  check_stage(BlockStage::restructured, interiors(), blocks + 1);
  check_stage(BlockStage::gathered, interiors(), blocks + 1);
}
