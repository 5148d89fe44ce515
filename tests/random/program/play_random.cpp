// SPDX-License-Identifier: BSD-3-Clause
// Plays many coupled runs one after the other in one MPI job: mpirun -n N play_random RUNS OUT
//
// RUNS: what to play (plan.hpp). Each rank appends what its participants saw to OUT/RANK.bin, after
// every run, so that what was played before a crash is kept; the first writes the number of the run
// that has begun to OUT/begun. What a process holds is noted where the runs begin and end.
#include "plan.hpp"
#include "solver.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <thread>

using namespace random_runs;

namespace {

/// Waits for all ranks without keeping a core busy: there may be more of them than cores.
void meet() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  int done = 0;
  MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  while (done == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
}

/// One communicator per participant, kept for the next run with as many ranks.
class Deals {
 public:
  Deals() = default;
  Deals(const Deals&) = delete;
  Deals& operator=(const Deals&) = delete;
  ~Deals() {
    for (auto& [deal, comm] : known_) {
      if (comm != MPI_COMM_NULL) {
        MPI_Comm_free(&comm);
      }
    }
  }

  /// Collective. `mine`: the participant of this rank, -1 for none.
  const MPI_Comm& comm(const std::vector<int>& deal, int mine) {
    const auto found = known_.find(deal);
    if (found != known_.end()) {
      return found->second;
    }
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, mine < 0 ? MPI_UNDEFINED : mine, 0, &comm);
    return known_.emplace(deal, comm).first->second;
  }

 private:
  std::map<std::vector<int>, MPI_Comm> known_;
};

class Results {
 public:
  explicit Results(const std::string& file) : file_(file, std::ios::binary | std::ios::app) {}

  void write(int run, int participant, int rank, const Report& report) {
    const auto count = static_cast<double>(report.numbers.size());
    const auto letters = static_cast<double>(report.error.size());
    const double head[] = {double(run), double(participant), double(rank), count, letters};
    put(head, sizeof(head));
    put(report.numbers.data(), report.numbers.size() * sizeof(double));
    put(report.error.data(), report.error.size());
    file_.flush();
  }

 private:
  void put(const void* data, std::size_t bytes) {
    file_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  }
  std::ofstream file_;
};

/// Of this process: open files, threads, resident memory in KiB.
Report holdings() {
  std::error_code ignored;
  const std::filesystem::directory_iterator files("/proc/self/fd", ignored);
  Report report;
  report.numbers.push_back(double(std::distance(begin(files), end(files))));
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double value = 0;
    if ((word == "Threads:" || word == "VmRSS:") && status >> value) {
      report.numbers.push_back(value);
    }
  }
  return report;
}

void play_in_threads(const Run& run, Results& results) {
  const MPI_Comm self = MPI_COMM_SELF;
  std::vector<Report> reports(run.participants.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    threads.emplace_back([&, i] {
      reports[i] = solve(run.participants[i], "config.xml", {0, 1, &self, nullptr});
    });
  }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    threads[i].join();
  }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    results.write(run.number, static_cast<int>(i), 0, reports[i]);
  }
}

void play_in_ranks(const Run& run, int world_rank, Deals& deals, Results& results) {
  int mine = -1;
  int first = 0;
  int end = 0;
  std::vector<int> deal;
  for (std::size_t i = 0; i < run.participants.size(); ++i) {
    deal.push_back(run.participants[i].ranks);
    const int next = end + deal.back();
    if (world_rank >= end && world_rank < next) {
      mine = static_cast<int>(i);
      first = end;
    }
    end = next;
  }
  const MPI_Comm& comm = deals.comm(deal, mine);
  if (mine >= 0) {
    const auto which = static_cast<std::size_t>(mine);
    const int rank = world_rank - first;
    results.write(
        run.number, mine, rank,
        solve(run.participants[which], "config.xml", {rank, deal[which], &comm, nullptr}));
  }
}

void play(const std::vector<Run>& runs, const std::string& out, int world_rank) {
  constexpr std::size_t warm = 30; // runs after which a process should not grow
  Deals deals;
  Results results(fmt::format("{}/{}.bin", out, world_rank));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    if (i == warm) {
      results.write(-1, 0, world_rank, holdings());
    }
    if (world_rank == 0) {
      std::ofstream(out + "/begun") << run.number << '\n';
    }
    std::filesystem::current_path(run.folder); // where logs are written, too
    setenv("ISTHMUS_TRANSPORT", run.transport.c_str(), 1);
    if (!run.in_threads) {
      play_in_ranks(run, world_rank, deals, results);
    } else if (world_rank == 0) {
      play_in_threads(run, results);
    }
    meet();
  }
  if (runs.size() > warm) {
    results.write(-2, 0, world_rank, holdings());
  }
}

} // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int world_rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  if (argc != 3) {
    std::cerr << "play_random RUNS OUT\n";
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  std::ifstream file(argv[1]);
  play(read_runs(file), argv[2], world_rank);
  MPI_Finalize();
}
