// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/halo.hpp"

#include "allocations.hpp"
#include "handles.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace isthmus;

TEST_CASE("a rank without neighbours has an empty halo, and takes part in nothing") {
  const comm::Comm comm(MPI_COMM_WORLD);
  // all but the last rank send their entry to rank 0, which has no ghosts of its own
  const bool is_last = comm.rank() + 1 == comm.size();
  std::vector<exchange::Halo::Neighbour> targets;
  std::vector<exchange::Halo::Source> sources;
  if (comm.rank() > 0 && !is_last) {
    targets.push_back({0, {0}});
  }
  for (int rank = 1; comm.rank() == 0 && rank + 1 < comm.size(); ++rank) {
    sources.push_back({rank, 1});
  }
  exchange::Halo halo(targets, sources);
  const LocalIndex num_others = std::max(0, comm.size() - 2);
  CHECK(halo.empty() == (num_others == 0 || is_last));
  CHECK(halo.num_ghosts() == (comm.rank() == 0 ? num_others : 0));
  CHECK(halo.num_sent() == LocalIndex(targets.size()));
  std::vector<double> values{1.0 + comm.rank()};
  std::vector<double> ghosts(static_cast<std::size_t>(halo.num_ghosts()));
  halo.forward(comm, 1, values, ghosts);
  for (std::size_t i = 0; i < ghosts.size(); ++i) {
    CHECK(ghosts[i] == 2.0 + static_cast<double>(i));
  }
  halo.reverse(comm, 1, ghosts, values);
  CHECK(values[0] == (targets.empty() ? 1 : 2) * (1.0 + comm.rank()));
}

TEST_CASE("every rank gets the entries that its ring neighbours list for it" * on_ranks(2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const int size = comm.size();
  // rank r sends entries 1 and 0 to the next rank
  const int next = (comm.rank() + 1) % size;
  const int before = (comm.rank() + size - 1) % size;
  exchange::Halo halo({{next, {1, 0}}}, {{before, 2}});
  for (int components : {1, 3, 2}) {
    const auto width = static_cast<std::size_t>(components);
    std::vector<double> values(2 * width);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 100.0 * comm.rank() + static_cast<double>(i);
    }
    std::vector<double> ghosts(2 * width, -1);
    halo.forward(comm, components, values, ghosts);
    for (std::size_t c = 0; c < width; ++c) {
      CHECK(ghosts[c] == 100.0 * before + static_cast<double>(width + c));
      CHECK(ghosts[width + c] == 100.0 * before + static_cast<double>(c));
    }
  }
}

TEST_CASE("owners add ghosts in the order of the ranks that hold them") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const int size = comm.size();
  // rank 0 owns two entries, everybody else has ghosts of them, the last rank in reverse order
  std::vector<exchange::Halo::Neighbour> targets;
  std::vector<exchange::Halo::Source> sources;
  if (comm.rank() == 0) {
    for (int rank = 1; rank < size; ++rank) {
      targets.push_back({rank, rank + 1 == size ? std::vector{1, 0} : std::vector{0, 1}});
    }
  } else {
    sources.push_back({0, 2});
  }
  exchange::Halo halo(targets, sources);
  const auto part = [](int rank, int entry) { return std::pow(7.0, rank % 20) / (3 + entry); };
  std::vector<double> values = {part(comm.rank(), 0), part(comm.rank(), 1)};
  const bool last = comm.rank() + 1 == size;
  const std::vector<double> ghosts = {part(comm.rank(), last ? 1 : 0),
                                      part(comm.rank(), last ? 0 : 1)};
  const int open = open_handles().requests;
  halo.reverse(comm, 1, std::span(ghosts).first(static_cast<std::size_t>(halo.num_ghosts())),
               values);
  CHECK(open_handles().requests == open);
  for (int entry = 0; entry < 2; ++entry) {
    double wanted = part(comm.rank(), entry);
    for (int rank = 1; comm.rank() == 0 && rank < size; ++rank) {
      wanted += part(rank, entry);
    }
    CHECK(values[static_cast<std::size_t>(entry)] == wanted);
  }
}

TEST_CASE("an exchange in two halves gives what one call does, without allocation" * on_ranks(2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const int size = comm.size();
  const int next = (comm.rank() + 1) % size;
  const int before = (comm.rank() + size - 1) % size;
  exchange::Halo halo({{next, {0, 2}}}, {{before, 2}});
  halo.reserve(1);
  const std::vector<double> values = {1.0 * comm.rank(), -1, 0.5 * comm.rank()};
  std::vector<double> ghosts(2);
  const long allocations = num_allocations();
  auto pending = halo.begin_forward(comm, 1, values, ghosts);
  pending.finish();
  pending.finish(); // nothing is left to do
  CHECK(num_allocations() == allocations);
  CHECK(ghosts == std::vector<double>{1.0 * before, 0.5 * before});
  const int open = open_handles().requests;
  { const auto abandoned = halo.begin_forward(comm, 1, values, ghosts); }
  CHECK(open_handles().requests == open);
}
