// SPDX-License-Identifier: BSD-3-Clause
// bench_halo [ROUNDS]: what exchange::Halo costs beside the same exchange written by hand with MPI,
// both in turn in one run. Every rank exchanges with the ranks before and after it. One line of
// comma separated values for each size and round: times of the slowest rank.
#include "isthmus/exchange/halo.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

using namespace isthmus;

namespace {

struct Ring {
  int before, after;
  std::size_t count; // values for either neighbour

  explicit Ring(const comm::Comm& comm, std::size_t values)
      : before((comm.rank() + comm.size() - 1) % comm.size()),
        after((comm.rank() + 1) % comm.size()),
        count(values) {}

  /// On two ranks both neighbours are one.
  [[nodiscard]] std::vector<int> ranks() const {
    std::vector<int> both = {std::min(before, after), std::max(before, after)};
    both.erase(std::unique(both.begin(), both.end()), both.end());
    return both;
  }
};

/// As a solver would write it.
class ByHand {
 public:
  ByHand(const Ring& ring, std::vector<LocalIndex> entries)
      : ranks_(ring.ranks()),
        entries_(std::move(entries)),
        outgoing_(ranks_.size() * entries_.size()),
        requests_(2 * ranks_.size()) {}

  void exchange(MPI_Comm comm, const std::vector<double>& values, std::vector<double>& ghosts) {
    const std::size_t count = entries_.size();
    const auto length = static_cast<int>(count);
    std::size_t request = 0;
    for (std::size_t k = 0; k < ranks_.size(); ++k) {
      MPI_Irecv(ghosts.data() + k * count, length, MPI_DOUBLE, ranks_[k], 5, comm,
                &requests_[request++]);
    }
    for (std::size_t k = 0; k < ranks_.size(); ++k) {
      double* const to = outgoing_.data() + k * count;
      for (std::size_t i = 0; i < count; ++i) {
        to[i] = values[static_cast<std::size_t>(entries_[i])];
      }
      MPI_Isend(to, length, MPI_DOUBLE, ranks_[k], 5, comm, &requests_[request++]);
    }
    MPI_Waitall(static_cast<int>(request), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  std::vector<int> ranks_;
  std::vector<LocalIndex> entries_;
  std::vector<double> outgoing_;
  std::vector<MPI_Request> requests_;
};

template <typename Exchange>
double seconds(const comm::Comm& comm, int calls, Exchange exchange) {
  comm::barrier(comm);
  const double begin = MPI_Wtime();
  for (int call = 0; call < calls; ++call) {
    exchange();
  }
  return comm::allreduce(comm, (MPI_Wtime() - begin) / calls, comm::Op::max);
}

void compare(const comm::Comm& comm, std::size_t count, int rounds) {
  const Ring ring(comm, count);
  std::vector<LocalIndex> entries(count);
  std::iota(entries.begin(), entries.end(), 0);
  std::vector<exchange::Halo::Neighbour> targets;
  std::vector<exchange::Halo::Source> sources;
  for (const int rank : ring.ranks()) {
    targets.push_back({rank, entries});
    sources.push_back({rank, static_cast<LocalIndex>(count)});
  }
  exchange::Halo halo(targets, sources);
  ByHand by_hand(ring, entries);
  const std::vector<double> values(count, 1.0);
  std::vector<double> ghosts(sources.size() * count);
  const int calls = std::max(4, static_cast<int>(400'000 / (count + 400)));
  for (int round = 0; round < rounds; ++round) {
    const double ours = seconds(comm, calls, [&] { halo.forward(comm, 1, values, ghosts); });
    const double theirs =
        seconds(comm, calls, [&] { by_hand.exchange(comm.raw(), values, ghosts); });
    if (comm.is_root()) {
      std::printf("%d,%zu,%zu,%.4f,%.4f\n", comm.size(), count, targets.size(), 1e6 * ours,
                  1e6 * theirs);
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const comm::Comm comm(MPI_COMM_WORLD);
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
    if (comm.is_root()) {
      std::printf("ranks,values,messages,halo_us,by_hand_us\n");
    }
    for (const std::size_t count : {8U, 100U, 1'000U, 10'000U, 100'000U}) {
      compare(comm, count, rounds);
    }
  }
  MPI_Finalize();
}
