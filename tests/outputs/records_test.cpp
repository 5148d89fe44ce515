// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/records.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace isthmus;
using outputs::records_at;

namespace {

using Values = std::vector<double>;

/// Of a place: three numbers that nobody else has.
Values values_at(double x, double y) {
  return {x + 1000 * y, x, -y};
}

/// The lattice point of a number.
Values place_of(int number) {
  const int row = number / 7;
  return {0.1 * (number % 7), 0.3 * row};
}

} // namespace

TEST_CASE("records are found by their places, whoever brings and whoever wants them") {
  const comm::Comm comm(MPI_COMM_WORLD);
  constexpr int count = 60;
  Values share;
  Values places;
  Values expected;
  for (int i = 0; i < count; ++i) {
    const Values place = place_of(i);
    if (i * comm.size() / count == comm.rank()) { // in one piece
      const Values values = values_at(place[0], place[1]);
      share.insert(share.end(), place.begin(), place.end());
      share.insert(share.end(), values.begin(), values.end());
    }
    const int j = (17 * i + 5) % count; // in another order, dealt in turn, some to all ranks
    if (j % comm.size() == comm.rank() || j % 10 == 0) {
      const Values wanted = place_of(j);
      const Values values = values_at(wanted[0], wanted[1]);
      places.insert(places.end(), wanted.begin(), wanted.end());
      expected.insert(expected.end(), values.begin(), values.end());
    }
  }
  CHECK(records_at(comm, "the lattice", 2, 5, share, places) == expected);
  CHECK(records_at(comm, "nothing", 2, 5, share, {}).empty());
}

TEST_CASE("records at one place are given away in the order of ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const double rank = comm.rank();
  const Values share{1, 2, 3, 10 * rank, 1, 2, 3, 10 * rank + 1}; // two of each rank
  const Values twice{1, 2, 3, 1, 2, 3};
  CHECK(records_at(comm, "doubles", 3, 4, share, twice) == Values{10 * rank, 10 * rank + 1});
}

TEST_CASE("a zero with a sign is the same place") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Values share = comm.is_root() ? Values{-0.0, 0.0, 5} : Values{};
  CHECK(records_at(comm, "zero", 2, 3, share, Values{0.0, -0.0}) == Values{5});
}

TEST_CASE("a place without a record is an error on all ranks, or zeros where nothing is named") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const int last = comm.size() - 1;
  const bool misses = comm.rank() == last;
  const Values share = comm.is_root() ? Values{1, 1, 7, 8} : Values{};
  const Values places = misses ? Values{1, 1, 3, 0.5, 4, 4} : Values{1, 1};
  const std::string text =
      message_of([&] { (void)records_at(comm, "file \"F\"", 2, 4, share, places); });
  const auto said = [last](const char* place) { // which of them depends on the ranks
    return fmt::format(
        "{}file \"F\": 2 vertices have no values in the restart file, one of them at "
        "({}); a restart needs the vertices of the earlier run, with the same "
        "coordinates to the last digit",
        last == 0 ? "" : fmt::format("rank {}: ", last), place);
  };
  CHECK_MESSAGE((text == said("3, 0.5") || text == said("4, 4")), text);
  CHECK(records_at(comm, "", 2, 4, share, places) ==
        (misses ? Values{7, 8, 0, 0, 0, 0} : Values{7, 8}));
}
