// SPDX-License-Identifier: BSD-3-Clause
// bench_files count|write|overlap BLOCKS VARIABLES SNAPSHOTS [FOLDER [REPEAT [PATIENCE]]]:
// restart files of blocks of unequal size (2,304 cells on average, from 768 to 5,120; two halo
// layers), dealt in equal numbers over the ranks, as in doi:10.1016/j.compfluid.2018.03.007.
//   count     what each way of writing calls and moves, from the sizes alone
//   write     the same measured, with the time into the system's cache and onto the disk; and the
//             time to read ours back from the cache
//   overlap   how long a solver is held up by a file that is written in the background; `share`
//             has this over the time of a file that it waits for, turn by turn, in place of times
// One line of comma separated values for each way; calls and bytes are of all ranks, times of the
// slowest rank: median and quartiles of REPEAT runs, fewer of what takes more than PATIENCE s
// (default 5) altogether, and their number. Files disappear at once.
#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/blocks/block_baselines.hpp"
#include "isthmus/io/blocks/block_file.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

using namespace isthmus;
using io::BlockStage;
using io::Durability;

namespace {

constexpr std::uint32_t halo = 2;

struct Way {
  const char* name;
  BlockStage stage;
};
constexpr std::array<Way, 4> others{{{"gathered", BlockStage::gathered},
                                     {"rows", BlockStage::rows},
                                     {"blocks", BlockStage::blocks},
                                     {"restructured", BlockStage::restructured}}};

io::BlockGrid make_grid(std::size_t blocks, std::size_t variables, std::size_t snapshots) {
  io::BlockGrid grid{{}, {}, snapshots};
  for (std::size_t v = 0; v < variables; ++v) {
    grid.variables.push_back(fmt::format("variable {}", v));
  }
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const auto random = static_cast<std::uint32_t>(b * 0x9e3779b97f4a7c15U >> 40);
    grid.cells.push_back(
        {8 + 4 * (random % 3), 8 + 4 * (random / 3 % 3), 12 + 4 * (random / 9 % 3)});
  }
  return grid;
}

/// The blocks of this rank: as many as the others have, the first ranks one more.
struct Solver {
  io::BlockGrid grid;
  std::vector<std::size_t> numbers;
  std::vector<std::vector<double>> arrays;
  std::vector<std::span<const double>> values;

  Solver(const comm::Comm& comm, io::BlockGrid all) : grid(std::move(all)) {
    const std::size_t ranks = static_cast<std::size_t>(comm.size());
    const std::size_t rank = static_cast<std::size_t>(comm.rank());
    const std::size_t least = grid.cells.size() / ranks;
    const std::size_t more = grid.cells.size() % ranks;
    const std::size_t first = rank * least + std::min(rank, more);
    for (std::size_t b = first; b < first + least + (rank < more ? 1 : 0); ++b) {
      numbers.push_back(b);
      const io::BlockStorage storage{grid.cells[b], halo, grid.snapshots * grid.variables.size()};
      arrays.emplace_back(storage.stored());
      for (std::size_t i = 0; i < arrays.back().size(); ++i) {
        arrays.back()[i] = static_cast<double>(b * i % 1009) / 7;
      }
    }
    values.assign(arrays.begin(), arrays.end());
  }
};

void print(const comm::Comm& comm, const io::BlockGrid& grid, const char* what, const char* way,
           io::WriteCost cost, std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const auto quantile = [&seconds](double share) {
    return seconds.empty()
               ? 0
               : seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
  };
  if (comm.is_root()) {
    std::printf("%d,%zu,%s,%s,%llu,%llu,%.6f,%.6f,%.6f,%zu\n", comm.size(), grid.cells.size(), what,
                way, static_cast<unsigned long long>(cost.calls),
                static_cast<unsigned long long>(cost.bytes), quantile(0.5), quantile(0.25),
                quantile(0.75), seconds.size());
    std::fflush(stdout);
  }
}

/// Seconds of the slowest rank.
template <typename Work>
double timed(const comm::Comm& comm, Work&& work) {
  comm::barrier(comm);
  const double begin = now();
  work();
  return comm::allreduce(comm, now() - begin, comm::Op::max);
}

void remove(const comm::Comm& comm, const std::filesystem::path& path) {
  comm::barrier(comm);
  if (comm.is_root()) {
    std::filesystem::remove(path);
  }
  comm::barrier(comm);
}

void count(const comm::Comm& comm, const io::BlockGrid& grid) {
  for (const Way& way : others) {
    print(comm, grid, "count", way.name, io::baseline_cost(way.stage, grid, halo), {});
  }
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  print(comm, grid, "count", "collective", {ranks, io::BlockLayout(grid).size()}, {});
}

/// One way to write, and its times.
struct Attempt {
  const char* way;
  Durability durability;
  io::WriteCost cost;
  std::function<void()> write;
  std::vector<double> seconds = {}; // of each run
  double all = 0;
};

/// The ways take turns, so that what else the machine does meets all of them.
void measure(const comm::Comm& comm, const Solver& solver, const std::filesystem::path& path,
             int repeat, double patience) {
  io::BlockWriter writer(comm, solver.grid, solver.numbers, halo);
  std::vector<Attempt> attempts;
  for (const Durability durability : {Durability::process, Durability::power}) {
    for (const Way& way : others) {
      attempts.push_back(
          {way.name, durability, io::baseline_cost(way.stage, solver.grid, halo), [&, durability] {
             (void)io::write_baseline(comm, way.stage, path,
                                      {solver.grid, solver.numbers, halo, solver.values},
                                      durability);
           }});
    }
    attempts.push_back({"collective",
                        durability,
                        {static_cast<std::uint64_t>(comm.size()), writer.layout().size()},
                        [&, durability] { writer.write(path, {}, solver.values, durability); }});
  }
  for (int turn = 0; turn < repeat; ++turn) {
    for (Attempt& attempt : attempts) {
      if (attempt.all < patience) { // the same on all ranks
        const double seconds = timed(comm, attempt.write);
        attempt.seconds.push_back(seconds);
        attempt.all += seconds;
        remove(comm, path);
      }
    }
  }
  for (const Attempt& attempt : attempts) {
    print(comm, solver.grid, attempt.durability == Durability::power ? "disk" : "cache",
          attempt.way, attempt.cost, attempt.seconds);
  }
}

/// All ranks get their blocks back.
void read_back(const comm::Comm& comm, Solver& solver, const std::filesystem::path& path,
               int repeat) {
  io::BlockWriter writer(comm, solver.grid, solver.numbers, halo);
  writer.write(path, {}, solver.values, Durability::process);
  const std::vector<std::span<double>> rooms(solver.arrays.begin(), solver.arrays.end());
  std::vector<double> seconds;
  for (int run = 0; run < repeat; ++run) {
    seconds.push_back(
        timed(comm, [&] { io::BlockReader(comm, path).read(solver.numbers, halo, rooms); }));
  }
  remove(comm, path);
  print(comm, solver.grid, "read", "collective",
        {static_cast<std::uint64_t>(comm.size()), writer.layout().size()}, seconds);
}

/// Computes for `seconds`.
void compute(double seconds) {
  const Deadline end(seconds);
  while (!end.passed()) {
  }
}

/// How long a file that is written in the background holds a solver up, whose step computes for
/// so many seconds.
double hold_up(const comm::Comm& comm, io::BlockWriter& writer, const Solver& solver,
               const std::filesystem::path& path, double seconds, bool lends) {
  const double begun = timed(comm, [&] {
    lends ? writer.lend(path, {}, solver.values) : writer.begin(path, {}, solver.values);
  });
  compute(seconds);
  return begun + timed(comm, [&] { writer.finish(); });
}

/// In each turn one file that the solver waits for, and one for each way in the background while
/// it computes three times as long as writing takes.
void overlap(const comm::Comm& comm, const Solver& solver, const std::filesystem::path& path,
             int repeat) {
  io::BlockWriter writer(comm, solver.grid, solver.numbers, halo);
  std::vector<double> synchronous;
  std::array<std::vector<double>, 2> held;   // by way: values copied, lent
  std::array<std::vector<double>, 2> shares; // of the synchronous file of the turn
  double least = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < repeat + 2; ++turn) { // the first two find memory
    const double whole = timed(comm, [&] { writer.write(path, {}, solver.values); });
    remove(comm, path);
    least = std::min(least, whole);
    std::array<double, 2> of_ways{};
    for (const bool lends : {false, true}) {
      of_ways[lends ? 1 : 0] = hold_up(comm, writer, solver, path, 3 * least, lends);
      remove(comm, path);
    }
    if (turn >= 2) {
      synchronous.push_back(whole);
      for (std::size_t way = 0; way < 2; ++way) {
        held[way].push_back(of_ways[way]);
        shares[way].push_back(of_ways[way] / whole);
      }
    }
  }
  const io::WriteCost cost{static_cast<std::uint64_t>(comm.size()), writer.layout().size()};
  print(comm, solver.grid, "overlap", "synchronous", cost, synchronous);
  for (std::size_t way = 0; way < 2; ++way) {
    const char* name = way == 0 ? "copied" : "lent";
    print(comm, solver.grid, "overlap", name, cost, held[way]);
    print(comm, solver.grid, "share", name, cost, shares[way]);
  }
}

void run(const comm::Comm& comm, int argc, char** argv) {
  check(argc >= 5,
        "bench_files count|write|overlap BLOCKS VARIABLES SNAPSHOTS [FOLDER [REPEAT "
        "[PATIENCE]]]");
  const auto number = [argv](int i) { return static_cast<std::size_t>(std::atoll(argv[i])); };
  const std::string_view mode = argv[1];
  io::BlockGrid grid = make_grid(number(2), number(3), number(4));
  if (comm.is_root()) {
    std::printf("ranks,blocks,what,way,calls,bytes,seconds,low,high,runs\n");
  }
  if (mode == "count") {
    return count(comm, grid);
  }
  const auto path = std::filesystem::path(argc > 5 ? argv[5] : ".") / "bench_files.tmp";
  const int repeat = argc > 6 ? std::atoi(argv[6]) : 3;
  Solver solver(comm, std::move(grid));
  if (mode == "write") {
    measure(comm, solver, path, repeat, argc > 7 ? std::atof(argv[7]) : 5);
    read_back(comm, solver, path, repeat);
  } else {
    overlap(comm, solver, path, repeat);
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    run(comm::Comm(MPI_COMM_WORLD), argc, argv);
  } catch (const Error& error) { // on all ranks
    std::fprintf(stderr, "bench_files: %s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
