// SPDX-License-Identifier: BSD-3-Clause
// Particles and where they have to go; how they go there is in migration_test.
#include "isthmus/exchange/particles.hpp"
#include "isthmus/exchange/destinations.hpp"

#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/migration.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <vector>

using namespace isthmus;
using exchange::Bricks;
using exchange::Destinations;
using exchange::Particles;
using exchange::Position;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Ranks 0 and 1 left of x = 0.5, 2 and 3 right of it; 0 and 2 below y = 0.5.
Bricks quarters() {
  return {{0.5}, {{0.5}, {0.5}}};
}

std::vector<int> ranks_of(const Destinations::Destination& destination) {
  return {destination.ranks.begin(), destination.ranks.end()};
}

} // namespace

TEST_CASE("particles have a number, a place and attributes that begin with 0") {
  Particles particles;
  CHECK(particles.size() == 0);
  const int velocity = particles.add<double>(3);
  CHECK(particles.insert(7, {1, 2, 3}) == 0);
  const int color = particles.add<std::uint8_t>(); // when there are some already
  CHECK(particles.insert(4, {4, 5, 6}) == 1);
  CHECK(particles.num_owned() == 2);
  CHECK(particles.num_ghosts() == 0);
  CHECK(particles.ids()[0] == 7);
  CHECK(particles.ids()[1] == 4); // the order is made by the next migration
  CHECK(particles.positions()[1] == Position{4, 5, 6});
  const auto velocities = particles.values<double>(velocity);
  CHECK(std::vector<double>(velocities.begin(), velocities.end()) == std::vector<double>(6, 0.0));
  velocities[4] = 2.5;
  particles.values<std::uint8_t>(color)[1] = 200;
  particles.positions()[0][2] = 9;
  CHECK(particles.insert(11, {0, 0, 0}) == 2);
  CHECK(particles.values<double>(velocity)[4] == 2.5); // what was there stays
  CHECK(particles.values<double>(velocity)[8] == 0);
  CHECK(particles.values<std::uint8_t>(color)[1] == 200);
  CHECK(particles.values<std::uint8_t>(color)[2] == 0);
  CHECK(particles.positions()[0] == Position{1, 2, 9});
  // number, owner, position, velocity, color
  CHECK(particles.record_size() == 8 + 4 + 24 + 24 + 1);
}

TEST_CASE("wrong numbers and wrong types are errors") {
  Particles particles;
  const int mass = particles.add<double>();
  CHECK(message_of([&] { particles.insert(-1, {}); }) ==
        "particle -1 needs a number that is not negative");
  CHECK(particles.size() == 0);
  CHECK(message_of([&] { static_cast<void>(particles.values<std::array<float, 3>>(mass)); }) ==
        "attribute 0 has 8 bytes per particle, which are no values of that type");
}

TEST_CASE("a new particle takes the place of the ghosts" * on_ranks(2, 2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  exchange::Migration migration(comm, Bricks({0.5}, {{}, {}}), {0.2, 0.1});
  Particles particles;
  const int mark = particles.add<double>();
  particles.insert(comm.rank(), {comm.is_root() ? 0.4 : 0.6, 0, 0});
  particles.values<double>(mark)[0] = 5;
  migration.migrate(particles);
  REQUIRE(particles.num_ghosts() == 1);
  CHECK(particles.ids()[1] == 1 - comm.rank());
  CHECK(particles.owners()[1] == 1 - comm.rank());
  CHECK(particles.insert(10 + comm.rank(), {comm.is_root() ? 0.1 : 0.9, 0, 0}) == 1);
  CHECK(particles.num_ghosts() == 0);
  CHECK(particles.num_owned() == 2);
  CHECK(particles.values<double>(mark)[0] == 5);
  CHECK(particles.values<double>(mark)[1] == 0); // and not what the ghost had
  migration.migrate(particles);
  CHECK(particles.num_owned() == 2);
  CHECK(particles.owners()[1] == comm.rank());
  CHECK(particles.num_ghosts() == 1); // the other new one is far away
}

TEST_CASE("a particle is needed by its owner and by all within the radius") {
  Particles particles;
  particles.insert(0, {0.2, 0.2, 0});   // well within rank 0
  particles.insert(1, {0.45, 0.2, 50}); // near rank 2; z does not count
  particles.insert(2, {0.55, 0.9, 0});  // of rank 3, near rank 1
  particles.insert(3, {0.52, 0.48, 0}); // of rank 2, near all
  particles.insert(4, {-100, 1e9, 0});  // the outer bricks reach to infinity
  particles.insert(5, {0.5, 0.5, 0});   // on the cuts
  Destinations destinations;
  destinations.find(particles, quarters(), 0, 0.1, [](int rank) { return rank == 3; });
  const std::vector<int> owners{0, 0, 3, 2, 1, 3};
  const std::vector<std::vector<int>> ranks{{0}, {0, 2}, {1, 3}, {0, 1, 2, 3}, {1}, {0, 1, 2, 3}};
  const std::vector<bool> beyond{false, false, true, true, false, true};
  for (std::size_t i = 0; i < particles.size(); ++i) {
    CAPTURE(i);
    CHECK(destinations.of(i).owner == owners[i]);
    CHECK(ranks_of(destinations.of(i)) == ranks[i]);
    CHECK(destinations.of(i).beyond == beyond[i]);
  }
  CHECK(destinations.needs_strangers());
  CHECK_FALSE(destinations.failure());
  destinations.find(particles, quarters(), 0, 0, [](int) { return false; });
  CHECK(ranks_of(destinations.of(3)) == std::vector<int>{2});
  CHECK_FALSE(destinations.needs_strangers());
  destinations.find(Particles(), quarters(), 0, 0.1, [](int) { return true; });
  CHECK_FALSE(destinations.needs_strangers());
}

TEST_CASE("a particle that is nowhere is named and goes nowhere") {
  Particles particles;
  particles.insert(3, {0.2, 0.2, 0});
  particles.insert(8, {0.7, not_a_number, 0.5});
  particles.insert(9, {0.7, 0.7, 0});
  Destinations destinations;
  destinations.find(particles, quarters(), 1, 0.1, [](int rank) { return rank == 0; });
  REQUIRE(destinations.failure());
  CHECK(*destinations.failure() ==
        "particle 8 is at (0.7, nan, 0.5), which is nowhere: does the time step meet the limits of "
        "the method?");
  CHECK(destinations.of(1).owner == 1); // who has it keeps it
  CHECK(destinations.of(1).ranks.empty());
  CHECK_FALSE(destinations.of(1).beyond);
  CHECK(ranks_of(destinations.of(0)) == std::vector<int>{0});
  CHECK(ranks_of(destinations.of(2)) == std::vector<int>{3});
  particles.positions()[1][1] = 0.2;
  destinations.find(particles, quarters(), 1, 0.1, [](int) { return false; });
  CHECK_FALSE(destinations.failure()); // of this search
  CHECK(ranks_of(destinations.of(1)) == std::vector<int>{2});
}

TEST_CASE("a place is one whose coordinates are all numbers") {
  CHECK(exchange::is_finite({0, -1e300, 1e-320}));
  for (std::size_t d = 0; d < 3; ++d) {
    for (const double bad : {not_a_number, infinity, -infinity}) {
      Position at{1, 2, 3};
      at[d] = bad;
      CHECK_FALSE(exchange::is_finite(at));
    }
  }
}

TEST_CASE("particles that are erased are gone, and the others stay as they were") {
  Particles particles;
  const int attribute = particles.add<double>();
  for (int n = 0; n < 5; ++n) {
    const auto row = static_cast<std::size_t>(particles.insert(10 + n, {1.0 * n, 0, 0}));
    particles.values<double>(attribute)[row] = 100 + n;
  }
  const std::array<LocalIndex, 2> gone{1, 4};
  particles.erase(gone);
  CHECK(particles.num_owned() == 3);
  CHECK(particles.num_ghosts() == 0);
  const std::array<int, 3> left{0, 2, 3};
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(particles.ids()[row] == 10 + left[row]);
    CHECK(particles.positions()[row][0] == left[row]);
    CHECK(particles.values<double>(attribute)[row] == 100 + left[row]);
  }
  CHECK(message_of([&] { particles.erase(gone); }) ==
        "there is no owned particle in row 4, or rows do not ascend");
}
