// SPDX-License-Identifier: BSD-3-Clause
// How far ranks look for vertices, and what the provider finds out of its whole mesh for it.
#include "isthmus/planning/search/margin.hpp"

#include "isthmus/comm/collective.hpp"
#include "mesh/three_on.hpp"
#include "planning/two_participants.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

using namespace isthmus;
using namespace isthmus::planning;
using namespace isthmus::protocol;

namespace {

constexpr double reach = 12345;

/// Counts vertices.
class Counting final : public MappingFactory {
 public:
  std::unique_ptr<mapping::Mapping> make(const config::Mapping&, const mesh::Mesh&) const override {
    return nullptr;
  }
  Survey survey(const comm::Comm& comm, const config::Mapping&,
                const mesh::Mesh& own) const override {
    const std::int64_t all = comm::allreduce(comm, std::int64_t{own.num_vertices()}, comm::Op::sum);
    return {reach, {static_cast<std::byte>(all)}};
  }
};

} // namespace

TEST_CASE("a survey reaches all ranks that need it, and both sides look as far as it says" *
          on_ranks(3)) {
  TwoParticipants both(1);
  for (const auto kind : {config::MappingKind::rbf_pum_direct, config::MappingKind::rbf,
                          config::MappingKind::nearest_neighbor}) {
    config::Mapping mapping = nearest_neighbor(false, config::Constraint::consistent);
    mapping.kind = kind;
    const bool is_surveyed = kind != config::MappingKind::nearest_neighbor;
    for (const bool may_change : {false, true}) {
      const protocol::MeshRelation relation = relation_of(mapping, may_change);
      const mesh::Mesh mesh = mesh::three_on(both.world.rank());
      const MeshExtent extent = extent_of(both.mine, {&mesh}, {}, true, false);
      Margin margin(both.connection, relation, extent, !both.provides, 0);
      const double before = margin.value();
      const Counting mappings;
      std::vector<Survey> surveys;
      const int receivers = both.provides ? both.connection.remote_size() : both.mine.size();
      if (!protocol::surveys_are_sent(relation, receivers)) {
        CHECK(!is_surveyed);
      } else if (both.provides) {
        send_surveys(both.connection, relation, mesh, &mappings, margin);
      } else {
        surveys = receive_surveys(both.connection, relation, margin);
      }
      CHECK((margin.value() > before) == is_surveyed);
      CHECK((margin.left() == 0) == is_surveyed); // what was found may depend on more than distance
      const double most = comm::allreduce(both.world, margin.value(), comm::Op::max);
      CHECK(margin.value() == most);
      if (!both.provides && is_surveyed) {
        REQUIRE(surveys.size() == 1);
        CHECK(surveys[0].reach == reach);
        CHECK(surveys[0].facts == std::vector<std::byte>{std::byte{3}});
      } else {
        CHECK(surveys.empty());
      }
    }
  }
}

TEST_CASE("an extent is that of the meshes of all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const mesh::Mesh mesh = mesh::three_on(comm.rank());
  const mesh::Mesh empty("E", 2);
  const MeshExtent extent = extent_of(comm, {&mesh, &empty}, {}, true, comm.rank() == 0);
  CHECK(extent.box.lo == geometry::Point{0, 0, 0});
  CHECK(extent.box.hi == geometry::Point{10.0 * (comm.size() - 1) + 2, 0, 0});
  CHECK(extent.num_vertices == 3 * comm.size());
  CHECK(extent.filled == 1);
  CHECK(extent.spacing == 1);
  CHECK(extent.num_ranks == comm.size());
  CHECK(extent.keeps == (comm.size() == 1));
  CHECK(typical_spacing(empty) == 0);
}
