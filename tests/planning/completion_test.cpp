// SPDX-License-Identifier: BSD-3-Clause
// The provider of a mesh is done when it knows what is read: weights and systems that take long
// are made later. Here they are made by nobody before each rank of the provider has said that it
// is done.
#include "isthmus/planning/completion.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/planning/provide_mesh.hpp"
#include "isthmus/planning/receive_mesh.hpp"
#include "isthmus/planning/search/late_system.hpp"
#include "planning/carry.hpp"
#include "planning/two_participants.hpp"
#include "ranks.hpp"

#include <functional>
#include <memory>
#include <numeric>

using namespace isthmus;
using namespace isthmus::planning;
using namespace isthmus::protocol;

namespace {

constexpr int done = 77;

/// The rank that provides says so to all that receive.
void say_done(const TwoParticipants& both) {
  for (int rank = both.providers; rank < both.world.size(); ++rank) {
    MPI_Send(nullptr, 0, MPI_BYTE, rank, done, MPI_COMM_WORLD);
  }
}

void await_all_done(const TwoParticipants& both) {
  const double limit = MPI_Wtime() + 60;
  for (int rank = 0; rank < both.providers; ++rank) {
    for (int has_come = 0; has_come == 0;) {
      check(MPI_Wtime() < limit, "rank {} of the provider waits", rank);
      MPI_Iprobe(rank, done, MPI_COMM_WORLD, &has_come, MPI_STATUS_IGNORE);
    }
    MPI_Recv(nullptr, 0, MPI_BYTE, rank, done, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/// The mean of the first two vertices and of the last one, with weights that are found late.
class LateMean final : public mapping::LateInterpolation {
 public:
  LateMean(const TwoParticipants& both, std::size_t num_points, LocalIndex num_vertices)
      : both_(both), num_points_(num_points), last_(num_vertices - 1) {}
  std::vector<LocalIndex> vertices() const override { return {0, 1, last_}; }
  mapping::Interpolation find() const override {
    await_all_done(both_);
    mapping::Interpolation found;
    for (std::size_t i = 0; i < num_points_; ++i) {
      found.counts.push_back(3);
      found.columns.insert(found.columns.end(), {last_, 0, 1});
      found.weights.insert(found.weights.end(), {0.5, 0.25, 0.25});
    }
    return found;
  }

 private:
  const TwoParticipants& both_;
  std::size_t num_points_;
  LocalIndex last_;
};

class NoSystem final : public mapping::DistributedMapping {
 public:
  void interpolate(int, std::span<const double>, std::span<double>) override {}
  void spread(int, std::span<const double>, std::span<double>) override {}
  std::size_t num_entries() const override { return 0; }
  const std::string& remark() const override { return remark_; }

 private:
  std::string remark_;
};

class Late final : public mapping::Mapping {
 public:
  Late(const TwoParticipants& both, const mesh::Mesh& searched)
      : both_(both), num_vertices_(searched.num_vertices()) {}
  mapping::Interpolation interpolate(std::span<const double>) const override {
    fail("what is late was found at once");
  }
  std::unique_ptr<mapping::LateInterpolation> later(const mesh::Mesh& asking) const override {
    return std::make_unique<LateMean>(both_, static_cast<std::size_t>(asking.num_vertices()),
                                      num_vertices_);
  }
  std::unique_ptr<mapping::DistributedMapping> distribute(const comm::Comm&,
                                                          std::span<const double>) const override {
    await_all_done(both_);
    return std::make_unique<NoSystem>();
  }

 private:
  const TwoParticipants& both_;
  LocalIndex num_vertices_;
};

class LateMappings final : public MappingFactory {
 public:
  explicit LateMappings(const TwoParticipants& both) : both_(both) {}
  std::unique_ptr<mapping::Mapping> make(const config::Mapping&,
                                         const mesh::Mesh& searched) const override {
    return std::make_unique<Late>(both_, searched);
  }
  Survey survey(const comm::Comm&, const config::Mapping&, const mesh::Mesh&) const override {
    return {1e9, {}}; // all is needed
  }

 private:
  const TwoParticipants& both_;
};

constexpr LocalIndex per_rank = 5;

/// Vertices of a rank along a line, numbered over all ranks.
mesh::Mesh line(const std::string& name, int rank) {
  mesh::Mesh mesh(name, 2);
  for (LocalIndex i = 0; i < per_rank; ++i) {
    mesh.add_vertices(std::vector<double>{static_cast<double>(rank * per_rank + i), 0});
  }
  return mesh;
}

config::Mapping radial(config::MappingKind kind, bool writes) {
  config::Mapping mapping = nearest_neighbor(
      writes, writes ? config::Constraint::conservative : config::Constraint::consistent);
  mapping.kind = kind;
  return mapping;
}

/// Plans on both sides; `look` is called by ranks that receive, with what they have planned.
void plan_late(
    const config::Mapping& mapping,
    const std::function<void(TwoParticipants&, ReceivedPlan*, const ProvidedPlan*)>& look) {
  const int ranks = comm::Comm(MPI_COMM_WORLD).size();
  for (const int providers : {1, ranks / 2, ranks - 1}) {
    TwoParticipants both(providers);
    const protocol::MeshRelation relation = relation_of(mapping, false);
    const LateMappings mappings(both);
    const mesh::Mesh mesh = line(both.provides ? "M" : "N", both.mine.rank());
    if (both.provides) {
      ProvidedRelation provided{&relation, {}, {}};
      provide_mesh(both.connection, mesh, provided, &mappings);
      both.hub.flush(60);
      say_done(both);
      look(both, nullptr, &provided.plan);
    } else {
      Inputs inputs;
      inputs.meshes.add(mesh);
      inputs.mappings = &mappings;
      ReceivedRelation received{&relation, {}, {}};
      receive_mesh(both.connection, inputs, received);
      both.hub.flush(60);
      complete(both.context, mappings, received.plan.mappings);
      for (PlannedMapping& planned : received.plan.mappings) {
        CHECK_FALSE(planned.late.rows.has_value());
        CHECK_FALSE(planned.late.system.has_value());
      }
      look(both, &received.plan, nullptr);
    }
  }
}

} // namespace

TEST_CASE("a provider does not wait for weights" * on_ranks(2)) {
  plan_late(radial(config::MappingKind::rbf_pum_direct, false),
            [](TwoParticipants& both, ReceivedPlan* received, const ProvidedPlan* provided) {
              if (provided != nullptr) {
                std::vector<double> values(per_rank);
                std::iota(values.begin(), values.end(), per_rank * both.mine.rank());
                static_cast<void>(carry(both, provided->read, {}, values, 0));
                return;
              }
              CHECK(received->num_read == 3); // of all vertices
              const auto in = carry(both, {}, received->read, {}, 3);
              std::vector<double> out(per_rank);
              received->mappings[0].rows.apply(1, in, out);
              const double last = both.providers * per_rank - 1.0;
              CHECK(out == std::vector<double>(per_rank, 0.5 * last + 0.25));
            });
}

TEST_CASE("a provider does not wait for weights with which is written, and gets all" *
          on_ranks(2)) {
  plan_late(radial(config::MappingKind::rbf_pum_direct, true),
            [](TwoParticipants& both, ReceivedPlan* received, const ProvidedPlan* provided) {
              if (received != nullptr) {
                PlannedMapping& planned = received->mappings[0];
                std::vector<double> out(static_cast<std::size_t>(planned.num_results()));
                planned.apply(both.mine, 1, std::vector<double>(per_rank, 1.0), out);
                static_cast<void>(carry(both, planned.routes, {}, out, 0));
                return;
              }
              const std::vector<double> got = carry(both, {}, provided->write[0], {}, per_rank);
              const double all = per_rank * (both.world.size() - both.providers);
              std::vector<double> expected(per_rank, 0.0);
              if (both.mine.rank() == 0) {
                expected[0] = expected[1] = 0.25 * all;
              }
              if (both.mine.rank() == both.providers - 1) {
                expected[per_rank - 1] = 0.5 * all;
              }
              CHECK(got == expected);
            });
}

TEST_CASE("a provider does not wait for weights on the mesh of who writes, and gets all" *
          on_ranks(2)) {
  config::Mapping mapping = radial(config::MappingKind::rbf_pum_direct, true);
  mapping.constraint = config::Constraint::consistent;
  plan_late(mapping,
            [](TwoParticipants& both, ReceivedPlan* received, const ProvidedPlan* provided) {
              if (received != nullptr) {
                PlannedMapping& planned = received->mappings[0];
                std::vector<double> out(static_cast<std::size_t>(planned.num_results()));
                planned.apply(both.mine, 1, std::vector<double>(per_rank, 1.5), out);
                static_cast<void>(carry(both, planned.routes, {}, out, 0));
                return;
              }
              const std::vector<double> got = carry(both, {}, provided->write[0], {}, per_rank);
              CHECK(got == std::vector<double>(per_rank, 1.5)); // the mean, of whichever they are
            });
}

TEST_CASE("a provider does not wait for a system, whether it gives or takes values" * on_ranks(2)) {
  for (const bool writes : {false, true}) {
    plan_late(radial(config::MappingKind::rbf_global_iterative, writes),
              [](TwoParticipants&, ReceivedPlan* received, const ProvidedPlan*) {
                if (received != nullptr) {
                  CHECK(received->mappings[0].solver != nullptr);
                }
              });
  }
}
