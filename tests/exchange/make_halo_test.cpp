// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/make_halo.hpp"

#include "isthmus/comm/comm.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

using namespace isthmus;

namespace {

/// The value of an entry of a rank.
double value_of(int rank, LocalIndex entry) {
  return 1000.0 * rank + entry;
}

std::vector<double> values_of(int rank, LocalIndex count) {
  std::vector<double> values;
  for (LocalIndex entry = 0; entry < count; ++entry) {
    values.push_back(value_of(rank, entry));
  }
  return values;
}

std::vector<double> ghosts_of(const comm::Comm& comm, exchange::Halo& halo, LocalIndex count) {
  std::vector<double> ghosts(static_cast<std::size_t>(halo.num_ghosts()));
  halo.forward(comm, 1, values_of(comm.rank(), count), ghosts);
  return ghosts;
}

} // namespace

TEST_CASE("who is sent something gets the notes first, by rank, and then the values") {
  const comm::Comm comm(MPI_COMM_WORLD);
  struct Note {
    std::int32_t rank;
    std::int32_t entry;
  };
  // rank r sends its entries r to 0 to all later ranks and to itself
  std::map<int, exchange::Sent<Note>> sent;
  for (int rank = comm.rank(); rank < comm.size(); ++rank) {
    for (LocalIndex entry = comm.rank(); entry >= 0; --entry) {
      sent[rank].entries.push_back(entry);
      sent[rank].notes.push_back({comm.rank(), entry});
    }
  }
  std::vector<double> expected;
  exchange::Halo halo =
      exchange::halo_of_sent(comm, std::move(sent), [&](std::span<const Note> notes) {
        for (const Note& note : notes) {
          expected.push_back(value_of(note.rank, note.entry));
        }
        return static_cast<LocalIndex>(notes.size());
      });
  CHECK(expected.size() == static_cast<std::size_t>((comm.rank() + 1) * (comm.rank() + 2) / 2));
  CHECK(halo.sources().size() == static_cast<std::size_t>(comm.rank()) + 1);
  CHECK(halo.targets().size() == static_cast<std::size_t>(comm.size() - comm.rank()));
  CHECK(ghosts_of(comm, halo, comm.rank() + 1) == expected);
}

TEST_CASE("notes may be more than the entries that they are about") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::map<int, exchange::Sent<int>> sent; // two notes for one entry
  sent[(comm.rank() + 1) % comm.size()] = {{2}, {7, 8}};
  exchange::Halo halo =
      exchange::halo_of_sent(comm, std::move(sent), [](std::span<const int> notes) {
        CHECK(std::vector<int>(notes.begin(), notes.end()) == std::vector<int>{7, 8});
        return LocalIndex{1};
      });
  const int before = (comm.rank() + comm.size() - 1) % comm.size();
  CHECK(ghosts_of(comm, halo, 3) == std::vector<double>{value_of(before, 2)});
}

TEST_CASE("who wants entries of others gets them in the order in which they are named") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::map<int, std::vector<LocalIndex>> wanted; // of each other rank
  std::map<int, std::vector<GlobalIndex>> numbers;
  std::vector<double> expected;
  const GlobalIndex first = 10; // of the own entries, for others
  for (int rank = 0; rank < comm.size(); ++rank) {
    for (const LocalIndex entry : {2, 0}) {
      if (rank != comm.rank()) {
        wanted[rank].push_back(entry);
        numbers[rank].push_back(first + entry);
        expected.push_back(value_of(rank, entry));
      }
    }
  }
  exchange::Halo halo = exchange::halo_of_wanted(comm, wanted);
  CHECK(ghosts_of(comm, halo, 3) == expected);
  exchange::Halo by_number = exchange::halo_of_wanted(comm, numbers, first);
  CHECK(ghosts_of(comm, by_number, 3) == expected);
  CHECK(by_number.num_sent() == halo.num_sent());
}

TEST_CASE("own entries in the middle of a list, and ghosts of those that are used") {
  const std::vector<LocalIndex> used{9, 4, 1, 9, 5};
  const exchange::EntriesAtHand entries(4, 3, used); // 4, 5, 6 are own
  std::vector<LocalIndex> columns{4, 5, 6, 1, 9};
  entries.renumber(columns);
  CHECK(columns == std::vector<LocalIndex>{0, 1, 2, 3, 4});
  const auto ghosts = entries.ghosts();
  CHECK(std::vector<LocalIndex>(ghosts.begin(), ghosts.end()) == std::vector<LocalIndex>{1, 9});
}

TEST_CASE("ghosts get the values of the entries that they are") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::vector<LocalIndex> columns; // two entries of each rank are at hand: the second one of each
  for (int rank = 0; rank < comm.size(); ++rank) {
    columns.push_back(2 * rank + 1);
  }
  const exchange::EntriesAtHand entries(2 * comm.rank(), 2, columns);
  exchange::Halo halo = entries.halo(comm, [](LocalIndex entry) {
    return exchange::OnRank{entry / 2, entry % 2};
  });
  const auto num_ghosts = static_cast<std::size_t>(comm.size()) - 1;
  REQUIRE(entries.ghosts().size() == num_ghosts);
  std::vector<double> values = values_of(comm.rank(), 2);
  const std::vector<double> arrived = ghosts_of(comm, halo, 2);
  values.insert(values.end(), arrived.begin(), arrived.end());
  entries.renumber(columns);
  for (int rank = 0; rank < comm.size(); ++rank) {
    CHECK(values[static_cast<std::size_t>(columns[static_cast<std::size_t>(rank)])] ==
          value_of(rank, 1));
  }
}
