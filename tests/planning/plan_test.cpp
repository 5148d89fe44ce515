// SPDX-License-Identifier: BSD-3-Clause
// Both sides of a relation make their plans, which are carried out by hand and compared with a
// search of all vertices.
#include "isthmus/planning/contributions.hpp"
#include "isthmus/planning/provide_mesh.hpp"
#include "isthmus/planning/receive_mesh.hpp"
#include "isthmus/planning/received_plan.hpp"

#include "isthmus/comm/collective.hpp"
#include "planning/carry.hpp"
#include "planning/two_participants.hpp"
#include "ranks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

using namespace isthmus;
using namespace isthmus::planning;
using config::Constraint;

namespace {

/// Vertices of a rank in the unit square.
mesh::Mesh scattered(const std::string& name, int rank, int count) {
  std::mt19937 random(static_cast<unsigned>(17 * rank) + (name == "M" ? 1U : 2U));
  std::uniform_real_distribution<double> unit(0, 1);
  mesh::Mesh mesh(name, 2);
  for (int i = 0; i < count; ++i) {
    mesh.add_vertices(std::vector<double>{unit(random), unit(random)});
  }
  return mesh;
}

/// A vertex is known by where it is: values are numbers made of coordinates.
double value_at(std::span<const double> x) {
  return x[0] + 1000 * x[1];
}

std::vector<double> values_of(const mesh::Mesh& mesh) {
  std::vector<double> values;
  for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
    values.push_back(value_at(mesh.vertex(v)));
  }
  return values;
}

/// The coordinates of all ranks of one side, on all ranks of both.
std::vector<double> all_coordinates(const TwoParticipants& both, const mesh::Mesh& mesh,
                                    bool of_a) {
  const bool mine = both.provides == of_a;
  return comm::allgather<double>(both.world, mine ? mesh.coordinates() : std::span<const double>())
      .values;
}

/// Of interleaved coordinates the point that is nearest.
std::size_t nearest(std::span<const double> all, std::span<const double> x) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); i += 2) {
    const double distance = std::hypot(all[i] - x[0], all[i + 1] - x[1]);
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

/// One side of a relation, planned again and again.
struct Side {
  TwoParticipants& both;
  mesh::Mesh mesh;
  NearestNeighbors mappings;
  Inputs inputs;
  ProvidedRelation provided;
  ReceivedRelation received;

  Side(TwoParticipants& participants, const protocol::MeshRelation& relation, int count)
      : both(participants),
        mesh(scattered(participants.provides ? "M" : "N", participants.mine.rank(), count)) {
    inputs.meshes.add(mesh);
    inputs.mappings = &mappings;
    provided.relation = &relation;
    received.relation = &relation;
  }
  void plan() {
    if (both.provides) {
      provide_mesh(both.connection, mesh, provided);
    } else {
      receive_mesh(both.connection, inputs, received);
    }
    both.hub.flush(60);
  }
  /// What a mapping that reads makes of the values of A.
  std::vector<double> read() {
    if (both.provides) {
      return carry(both, provided.plan.read, {}, values_of(mesh), 0);
    }
    const std::vector<double> in =
        carry(both, {}, received.plan.read, {}, static_cast<std::size_t>(received.plan.num_read));
    std::vector<double> out(static_cast<std::size_t>(mesh.num_vertices()));
    received.plan.mappings[0].apply(both.mine, 1, in, out);
    return out;
  }
  std::vector<double> expected_read() const {
    const std::vector<double> all = all_coordinates(both, mesh, true);
    std::vector<double> expected;
    for (LocalIndex v = 0; !both.provides && v < mesh.num_vertices(); ++v) {
      expected.push_back(value_at(std::span(all).subspan(nearest(all, mesh.vertex(v)), 2)));
    }
    return expected;
  }
  void move(LocalIndex vertex, double x, double y) {
    mesh.move_vertices(std::span(&vertex, 1), std::vector<double>{x, y});
  }
};

void for_each_split(const std::function<void(TwoParticipants&)>& f) {
  const int ranks = comm::Comm(MPI_COMM_WORLD).size();
  for (const int providers : {1, ranks / 2, ranks - 1}) {
    TwoParticipants both(providers);
    f(both);
  }
}

} // namespace

TEST_CASE("a first plan brings each vertex the value of its nearest one" * on_ranks(2)) {
  for_each_split([](TwoParticipants& both) {
    for (const config::Initialization way :
         {config::Initialization::rendezvous, config::Initialization::two_level,
          config::Initialization::one_level}) {
      const config::Mapping mapping = nearest_neighbor(false, Constraint::consistent);
      protocol::MeshRelation relation = relation_of(mapping, false);
      relation.initialization = way;
      Side side(both, relation, 40);
      side.plan();
      CHECK(side.read() == side.expected_read());
      CHECK_FALSE(side.provided.memory.has_value());
      CHECK_FALSE(side.received.memory.has_value());
    }
  });
}

TEST_CASE("a vertex that looks for its place is written by the rank that is nearest" *
          on_ranks(2)) {
  for_each_split([](TwoParticipants& both) {
    const config::Mapping mapping = nearest_neighbor(true, Constraint::consistent);
    const protocol::MeshRelation relation = relation_of(mapping, false);
    Side side(both, relation, 40);
    side.plan();
    const std::vector<double> all = all_coordinates(both, side.mesh, false);
    if (!both.provides) {
      PlannedMapping& planned = side.received.plan.mappings[0];
      std::vector<double> out(static_cast<std::size_t>(planned.rows.num_rows()));
      planned.apply(both.mine, 1, values_of(side.mesh), out);
      static_cast<void>(carry(both, planned.routes, {}, out, 0));
    } else {
      const auto got = carry(both, {}, side.provided.plan.write[0], {},
                             static_cast<std::size_t>(side.mesh.num_vertices()));
      for (LocalIndex v = 0; v < side.mesh.num_vertices(); ++v) { // awarded once
        CHECK(got[static_cast<std::size_t>(v)] ==
              value_at(std::span(all).subspan(nearest(all, side.mesh.vertex(v)), 2)));
      }
    }
  });
}

TEST_CASE("a conservative mapping that writes keeps the sum" * on_ranks(2)) {
  for_each_split([](TwoParticipants& both) {
    const config::Mapping mapping = nearest_neighbor(true, Constraint::conservative);
    const protocol::MeshRelation relation = relation_of(mapping, false);
    Side side(both, relation, 40);
    side.plan();
    std::vector<double> ones(static_cast<std::size_t>(side.mesh.num_vertices()), 1.0);
    double sum = 0;
    if (!both.provides) {
      PlannedMapping& planned = side.received.plan.mappings[0];
      std::vector<double> out(static_cast<std::size_t>(planned.rows.num_rows()));
      planned.apply(both.mine, 1, ones, out);
      static_cast<void>(carry(both, planned.routes, {}, out, 0));
    } else {
      const auto got = carry(both, {}, side.provided.plan.write[0], {}, ones.size());
      sum = std::accumulate(got.begin(), got.end(), 0.0);
    }
    CHECK(comm::allreduce(both.world, sum, comm::Op::sum) ==
          40.0 * (both.world.size() - both.providers));
  });
}

TEST_CASE("a changed plan is the first plan of the changed meshes" * on_ranks(2)) {
  for_each_split([](TwoParticipants& both) {
    const config::Mapping mapping = nearest_neighbor(false, Constraint::consistent);
    for (const bool whole : {false, true}) { // all of the mesh: the margin has no limit
      protocol::MeshRelation relation = relation_of(mapping, true);
      relation.uses[0].needs_whole_mesh = whole;
      Side side(both, relation, 60);
      side.plan();
      CHECK(side.read() == side.expected_read());
      side.plan(); // nothing has changed
      CHECK(side.read() == side.expected_read());
      for (int step = 0; step < 4; ++step) { // a bit, then out of all boxes, then another vertex
        const double far = step == 2 ? 5 : 0.01;
        if (both.provides == (step % 2 == 0)) {
          const auto at = side.mesh.vertex(step);
          side.move(step, at[0] + far, at[1]);
        }
        if (step == 3 && both.provides) {
          side.mesh.add_vertices(std::vector<double>{0.5, 0.5});
        }
        side.plan();
        CHECK(side.read() == side.expected_read());
      }
    }
  });
}

TEST_CASE("small changes reach the plans of those whom they concern" * on_ranks(2)) {
  for_each_split([](TwoParticipants& both) {
    const config::Mapping mapping = nearest_neighbor(false, Constraint::consistent);
    const protocol::MeshRelation relation = relation_of(mapping, true);
    Side side(both, relation, 60);
    side.plan();
    for (int step = 0; step < 3; ++step) {
      transfer::Renewal renewal;
      if (both.provides && both.mine.rank() == 0) {
        const auto at = side.mesh.vertex(step);
        side.move(step, at[0] + 1e-3, at[1] - 1e-3);
      }
      if (both.provides) {
        note_changes(side.provided, side.mesh, both.connection.remote_size() > 1, renewal.own);
        renewal.own = transfer::merged_over_ranks(both.mine, renewal.own);
      }
      // what A says is known to B
      const auto all = comm::allgather(both.world, renewal.own);
      (both.provides ? renewal.own : renewal.theirs) = all[0];
      REQUIRE(all[0].is_small == 1);
      transfer::Bundles bundles(both.hub, 60);
      if (both.provides) {
        put_changes(side.provided, side.mesh, renewal, bundles);
        bundles.send();
        static_cast<void>(take_reads(side.provided, side.mesh, renewal, bundles));
      } else if (renewal.reaches(side.received.memory->region)) {
        static_cast<void>(
            plan_small_changes(both.connection, side.inputs, side.received, true, bundles));
        bundles.send();
      }
      both.hub.flush(60);
      CHECK(side.read() == side.expected_read());
    }
  });
}
