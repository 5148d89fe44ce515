// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/migration.hpp"

#include "allocations.hpp"
#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

using namespace isthmus;
using namespace isthmus::exchange;
using comm::Comm;
using comm::Discovery;
using comm::Opening;

namespace {

constexpr double radius = 0.09;
constexpr double slack = 0.06;

/// A number in 0…1 that depends on nothing but the arguments.
double noise(GlobalIndex id, int step, int salt) {
  std::uint64_t x = static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15U +
                    static_cast<std::uint64_t>(step) * 0xbf58476d1ce4e5b9U +
                    static_cast<std::uint64_t>(salt);
  for (int i = 0; i < 3; ++i) {
    x ^= x >> 31U;
    x *= 0x94d049bb133111ebU;
  }
  return static_cast<double>(x >> 11U) / 9007199254740992.0;
}

struct Walk {
  double far = 0.01; // share of the particles that jump anywhere
  int gather = -1;   // the step in which all jump into a corner
};

/// Particles that walk in the unit square and mix an attribute with those around them.
class Swarm {
 public:
  Swarm(const Comm& comm, GlobalIndex count, Opening opening,
        comm::Discovery discovery = comm::Discovery::remembered)
      : comm_(comm),
        migration_(comm, Bricks({}, {even(comm.size())}), {radius, slack, opening, discovery}),
        value_(particles_.add<double>(2)),
        mark_(particles_.add<std::int32_t>()) {
    if (comm.is_root()) { // all particles on one rank
      for (GlobalIndex id = count - 1; id >= 0; --id) {
        const auto row = static_cast<std::size_t>(
            particles_.insert(id, {noise(id, 0, 1), noise(id, 0, 2), noise(id, 0, 3)}));
        particles_.values<double>(value_)[2 * row] = noise(id, 0, 4);
        particles_.values<std::int32_t>(mark_)[row] = static_cast<std::int32_t>(3 * id);
      }
    }
    migrate();
  }

  void migrate(comm::Traffic* traffic = nullptr) {
    if (opened_by_caller()) {
      const bool needed = migration_.prepare(particles_);
      migration_.migrate(particles_, allreduce(comm_, needed ? 1 : 0, comm::Op::max) == 1, traffic);
    } else {
      migration_.migrate(particles_, false, traffic);
    }
  }

  void step(int step, const Walk& walk) {
    for (std::size_t i = 0; i < particles_.num_owned(); ++i) {
      const GlobalIndex id = particles_.ids()[i];
      Position& at = particles_.positions()[i];
      for (std::size_t d = 0; d < 2; ++d) {
        const int salt = static_cast<int>(10 + d);
        at[d] += (noise(id, step, salt) - 0.5) * slack;
        if (noise(id, step, 20) < walk.far) {
          at[d] = 1.2 * noise(id, step, salt + 20) - 0.1; // and beyond the square
        }
        if (step == walk.gather) {
          at[d] = 0.01 * noise(id, step, salt);
        }
      }
    }
    migrate();
    mix();
  }

  void divide() {
    migration_.divide(balanced_bricks(comm_, comm_.size(),
                                      particles_.positions().first(particles_.num_owned()), 0.02));
    migrate();
  }

  /// Bits of all owned particles of all ranks, ascending by number; on the root.
  [[nodiscard]] std::vector<double> state() {
    struct Entry {
      GlobalIndex id;
      Position at;
      double values[2];
    };
    std::vector<Entry> own;
    for (std::size_t i = 0; i < particles_.num_owned(); ++i) {
      const auto values = particles_.values<double>(value_);
      own.push_back(
          {particles_.ids()[i], particles_.positions()[i], {values[2 * i], values[2 * i + 1]}});
    }
    auto all = gather(comm_, std::span<const Entry>(own)).values;
    std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
    std::vector<double> bits;
    for (const Entry& entry : all) {
      bits.insert(bits.end(), {static_cast<double>(entry.id), entry.at[0], entry.at[1], entry.at[2],
                               entry.values[0], entry.values[1]});
    }
    return bits;
  }

  void check_order() {
    const auto ids = particles_.ids();
    const auto owners = particles_.owners();
    const auto marks = particles_.values<std::int32_t>(mark_);
    for (std::size_t i = 0; i < particles_.size(); ++i) {
      CHECK(marks[i] == 3 * ids[i]);
      CHECK((i < particles_.num_owned()) == (owners[i] == comm_.rank()));
      if (i > 0 && i != particles_.num_owned()) {
        CHECK(std::pair(owners[i - 1], ids[i - 1]) < std::pair(owners[i], ids[i]));
      }
    }
  }

  /// Every particle is with its owner and every rank has the ghosts that it needs, no others.
  void check_complete() {
    const auto all = comm::allgather(
        comm_, std::span<const Position>(particles_.positions().first(particles_.num_owned())));
    std::size_t ghosts = 0;
    std::vector<int> near;
    for (int rank = 0; rank < comm_.size(); ++rank) {
      for (const Position& at : all.of(rank)) {
        CHECK(migration_.bricks().owner(at) == rank);
        migration_.bricks().near(at, radius, near);
        ghosts += rank != comm_.rank() && std::binary_search(near.begin(), near.end(), comm_.rank())
                      ? 1
                      : 0;
      }
    }
    CHECK(particles_.num_ghosts() == ghosts);
  }

  [[nodiscard]] std::int64_t total() {
    return allreduce(comm_, static_cast<std::int64_t>(particles_.num_owned()), comm::Op::sum);
  }
  [[nodiscard]] std::int64_t sum_of_ids() {
    std::int64_t sum = 0;
    for (const GlobalIndex id : particles_.ids().first(particles_.num_owned())) {
      sum += id;
    }
    return allreduce(comm_, sum, comm::Op::sum);
  }
  [[nodiscard]] Particles& particles() { return particles_; }
  [[nodiscard]] Migration& migration() { return migration_; }

 private:
  static std::vector<double> even(int parts) {
    std::vector<double> cuts;
    for (int i = 1; i < parts; ++i) {
      cuts.push_back(static_cast<double>(i) / parts);
    }
    return cuts;
  }
  [[nodiscard]] bool opened_by_caller() const {
    return migration_.exchange().opening() == Opening::by_caller;
  }

  /// Sums over those within the radius, ascending by number, twice: the second needs what the
  /// owners of ghosts found in the first.
  void mix() {
    std::vector<std::size_t> order(particles_.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = i;
    }
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return particles_.ids()[a] < particles_.ids()[b];
    });
    const auto values = particles_.values<double>(value_);
    for (std::size_t half = 0; half < 2; ++half) {
      std::vector<double> mixed(particles_.num_owned());
      for (std::size_t i = 0; i < mixed.size(); ++i) {
        for (const std::size_t j : order) {
          const Position& a = particles_.positions()[i];
          const Position& b = particles_.positions()[j];
          const double r = std::hypot(a[0] - b[0], a[1] - b[1]);
          mixed[i] += r < radius ? (1 - r / radius) * values[2 * j + half] : 0;
        }
      }
      for (std::size_t i = 0; i < mixed.size(); ++i) {
        values[2 * i + 1 - half] = mixed[i] / (1 + mixed[i]);
      }
      migration_.refresh(particles_, value_);
    }
  }

  const Comm& comm_;
  Migration migration_;
  Particles particles_;
  int value_;
  int mark_;
};

/// The first `size` ranks alone; nothing on the others.
std::unique_ptr<Comm> first_ranks(const Comm& world, int size) {
  auto part = std::make_unique<Comm>(world.split(world.rank() < size ? 0 : 1));
  return world.rank() < size ? std::move(part) : nullptr;
}

} // namespace

TEST_CASE("particles come to their owners, and ghosts to whom they concern" *
          on_ranks(1, 64)) { // everybody checks everything
  const Comm world(MPI_COMM_WORLD);
  const Handles open = open_handles();
  for (const Opening opening : {Opening::at_once, Opening::by_caller}) {
    Swarm swarm(world, 200, opening);
    swarm.check_complete();
    for (int step = 1; step <= (world.size() > 32 ? 6 : 30); ++step) {
      swarm.step(step, {.far = step % 3 == 0 ? 0.1 : 0, .gather = 4});
      if (step % 5 == 0) {
        swarm.divide();
      }
      swarm.check_complete();
      swarm.check_order();
      REQUIRE(swarm.total() == 200);
      REQUIRE(swarm.sum_of_ids() == 200 * 199 / 2);
    }
  }
  CHECK(open_handles() == open);
}

TEST_CASE("results are the same to the last bit on any number of ranks" *
          on_ranks(1, 64)) { // simulated rank by rank
  const Comm world(MPI_COMM_WORLD);
  std::vector<double> serial;
  const int steps = world.size() > 32 ? 8 : 40;
  for (int size = 1; size <= world.size(); size += size < 8 ? 1 : std::max(1, world.size() - 8)) {
    if (const auto part = first_ranks(world, size)) {
      Swarm swarm(*part, 150, Opening::at_once);
      for (int step = 1; step <= steps; ++step) {
        swarm.step(step, {.far = 0.02, .gather = 6});
        if (step % 7 == 0) {
          swarm.divide();
        }
      }
      const std::vector<double> state = swarm.state();
      if (size == 1) {
        serial = state;
      }
      CHECK((!world.is_root() || state == serial));
      CHECK((!world.is_root() || state.size() == 6 * 150));
    }
  }
}

TEST_CASE("particles are the same, to the last bit, whichever way their receivers are found" *
          on_ranks(1, 64)) { // everybody checks everything
  const Comm world(MPI_COMM_WORLD);
  std::vector<double> expected;
  for (const Discovery discovery :
       {Discovery::remembered, Discovery::all_to_all, Discovery::put_fence, Discovery::put_passive,
        Discovery::consensus, Discovery::routed}) {
    INFO(comm::name_of(discovery));
    Swarm swarm(world, 150, Opening::at_once, discovery);
    for (int step = 1; step <= 12; ++step) {
      swarm.step(step, {.far = 0.02, .gather = 4});
      if (step % 5 == 0) {
        swarm.divide();
      }
      swarm.check_complete();
      swarm.check_order();
    }
    const std::vector<double> state = swarm.state();
    if (discovery == Discovery::remembered) {
      expected = state;
    }
    CHECK((!world.is_root() || state.size() == 6 * 150));
    CHECK((!world.is_root() || state == expected));
    if (world.rank() == world.size() - 1 && swarm.particles().num_owned() > 0) {
      swarm.particles().positions()[0][1] = std::numeric_limits<double>::quiet_NaN();
    }
    const auto is_somewhere = [&] {
      return swarm.particles().num_owned() == 0 || world.rank() != world.size() - 1;
    };
    if (allreduce(world, is_somewhere() ? 1 : 0, comm::Op::min) == 0) {
      CHECK_THROWS_WITH_AS(swarm.migrate(), doctest::Contains("which is nowhere"), Error);
    }
    CHECK(swarm.total() == 150);
  }
}

TEST_CASE("where rounds open later, particles wait and none is lost" *
          on_ranks(1, 32)) { // as many rounds as ranks
  const Comm world(MPI_COMM_WORLD);
  Swarm swarm(world, 200, Opening::later);
  const int steps = swarm.migration().bricks().steps();
  for (int round = 0; round < 4; ++round) {
    swarm.step(100 * round, {.far = 0.1});
    for (int calm = 1; calm <= steps; ++calm) {
      REQUIRE(swarm.total() == 200);
      REQUIRE(swarm.sum_of_ids() == 200 * 199 / 2);
      swarm.check_order();
      swarm.step(100 * round + calm, {.far = calm < steps / 2 ? 0.02 : 0});
    }
    for (int calm = 0; calm < steps; ++calm) { // those that jumped while the first were waiting
      swarm.migrate();
    }
    CHECK(swarm.migration().num_waiting() == 0);
    swarm.check_complete();
  }
}

TEST_CASE("a calm step costs one message for each neighbour and nothing else") {
  const Comm world(MPI_COMM_WORLD);
  Swarm swarm(world, 300, Opening::later);
  swarm.migrate();
  comm::Traffic traffic;
  swarm.migrate(&traffic);
  const auto neighbours = swarm.migration().bricks().neighbours(world.rank(), radius + slack);
  CHECK(traffic.messages == static_cast<std::int64_t>(neighbours.size()));
  CHECK(traffic.received == traffic.messages);
}

TEST_CASE("thousands of steps neither lose a particle nor gather memory") {
  const Comm world(MPI_COMM_WORLD);
  Swarm swarm(world, 40, Opening::at_once);
  long before = 0;
  const int steps = world.size() > 8 ? 4 : 3000;
  for (int step = 1; step <= steps; ++step) {
    swarm.step(step, {.far = 0.002});
    if (step % 500 == 0) {
      swarm.divide();
      CHECK(swarm.total() == 40);
      CHECK(swarm.sum_of_ids() == 40 * 39 / 2);
    }
    if (step == steps / 2) {
      before = bytes_allocated();
    }
  }
  CHECK(bytes_allocated() < before + 100'000);
}

TEST_CASE("a particle that is nowhere is an error of all ranks") {
  const Comm world(MPI_COMM_WORLD);
  for (const Opening opening : {Opening::at_once, Opening::by_caller, Opening::later}) {
    if (opening == Opening::later && world.size() > 32) {
      continue; // as many rounds as ranks
    }
    Swarm swarm(world, 50, opening);
    if (world.rank() == world.size() - 1 && swarm.particles().num_owned() > 0) {
      swarm.particles().positions()[0][1] = std::numeric_limits<double>::quiet_NaN();
    }
    const int calls =
        opening == Opening::later && world.size() > 1 ? swarm.migration().bricks().steps() : 0;
    for (int call = 0; call < calls; ++call) {
      swarm.migrate();
    }
    CHECK_THROWS_WITH_AS(swarm.migrate(), doctest::Contains("which is nowhere"), Error);
    CHECK(swarm.total() == 50);
  }
}

TEST_CASE("attributes that differ between ranks are noticed" *
          on_ranks(2, 2)) { // the error is that of whom it concerns
  const Comm world(MPI_COMM_WORLD);
  Migration migration(world, Bricks({0.5}, {{}, {}}), {radius, slack});
  Particles particles;
  particles.add<double>(world.is_root() ? 1 : 2);
  particles.insert(world.rank(), {world.is_root() ? 0.6 : 0.4, 0, 0});
  CHECK_THROWS_WITH_AS(migration.migrate(particles), doctest::Contains("same attributes"), Error);
}
