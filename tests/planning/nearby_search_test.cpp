// SPDX-License-Identifier: BSD-3-Clause
// A rank searches the own mesh around the vertices that it got, where other ranks have it, too.
#include "isthmus/planning/search/nearby_search.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/planning/received_plan.hpp"
#include "protocol/relations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace isthmus;
using namespace isthmus::planning;
using namespace isthmus::protocol;

namespace {

constexpr double radius = 0.13;
constexpr int along = 20; // vertices of the own mesh

/// Averages, of which is known beforehand how far they reach, or next to nothing.
class Averages final : public MappingFactory {
 public:
  explicit Averages(double reach) : reach_(reach) {}
  std::unique_ptr<mapping::Mapping> make(const config::Mapping&,
                                         const mesh::Mesh& searched) const override {
    return mapping::make_coarse_graining(searched, radius, mapping::Grain::average);
  }
  Survey survey(const comm::Comm&, const config::Mapping&, const mesh::Mesh&) const override {
    return {reach_, {}};
  }

 private:
  double reach_;
};

double profile_of(double x, double y) {
  return std::sin(3 * x) + y;
}

/// Every `step`-th vertex of a grid from `first` on.
mesh::Mesh grid_in_turn(const char* name, int points, int first, int step) {
  mesh::Mesh mesh(name, 2);
  for (int i = first; i < points * points; i += step) {
    const double x = (i % points + 0.3 + 0.01 * (i % 7)) / points;
    mesh.add_vertices(std::vector<double>{x, (i / points + 0.4) / points});
  }
  return mesh;
}

std::vector<double> values_on(const mesh::Mesh& mesh) {
  std::vector<double> values;
  for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
    values.push_back(profile_of(mesh.vertex(v)[0], mesh.vertex(v)[1]));
  }
  return values;
}

config::Mapping coarse(bool writes) {
  config::Mapping mapping = nearest_neighbor(
      writes, writes ? config::Constraint::consistent : config::Constraint::conservative);
  mapping.kind = config::MappingKind::coarse_graining;
  mapping.radius = radius;
  return mapping;
}

/// Cuts elements, and knows nothing before.
class Cuts final : public MappingFactory {
 public:
  std::unique_ptr<mapping::Mapping> make(const config::Mapping&,
                                         const mesh::Mesh& searched) const override {
    return mapping::make_intersection(searched);
  }
};

/// Pieces of a line that is divided into so many, each with its own vertices and edges.
mesh::Mesh lines(const char* name, int begin, int end, int pieces, int edges) {
  mesh::Mesh mesh(name, 2);
  for (int piece = begin; piece < end; ++piece) {
    for (int i = 0; i <= edges; ++i) {
      const double x = (piece + static_cast<double>(i) / edges) / pieces;
      mesh.add_vertices(std::vector<double>{x, 0.01 * std::sin(20 * x) / pieces});
      if (i > 0) {
        mesh.add_edges(std::vector<LocalIndex>{mesh.num_vertices() - 2, mesh.num_vertices() - 1});
      }
    }
  }
  return mesh;
}

/// One vertex of the received mesh in so many as there are ranks.
std::vector<LocalIndex> awarded_to(const comm::Comm& comm, const mesh::Mesh& received) {
  std::vector<LocalIndex> awarded;
  for (LocalIndex v = 0; v < received.num_vertices(); ++v) {
    awarded.push_back(v % comm.size() == comm.rank() ? 1 : 0);
  }
  return awarded;
}

/// Vertices at 0, 1, … `count` on a line, joined by edges; the first is `first`.
mesh::Mesh line(int first, int count) {
  mesh::Mesh mesh("N", 2);
  for (int i = 0; i < count; ++i) {
    mesh.add_vertices(std::vector<double>{1.0 * (first + i), 0.0});
    if (i > 0) {
      mesh.add_edges(std::vector<LocalIndex>{i - 1, i});
    }
  }
  return mesh;
}

} // namespace

TEST_CASE("what is found nearby is what is found in the whole mesh") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const mesh::Mesh whole = grid_in_turn("N", along, 0, 1);
  const mesh::Mesh own = grid_in_turn("N", along, comm.rank(), comm.size());
  const mesh::Mesh received = grid_in_turn("M", 9, 0, 1);
  const std::vector<LocalIndex> awarded = awarded_to(comm, received);
  const config::Mapping mapping = coarse(true);
  const protocol::MappingUse use = protocol::use_of(mapping, "M");
  REQUIRE(use.searches_nearby());
  const std::vector<double> of_whole = values_on(whole);
  for (const double reach : {radius, 1e-9, 100.0}) { // the second one has to grow
    CAPTURE(reach);
    const Averages mappings(reach);
    const mapping::Interpolation expected =
        mappings.make(mapping, whole)->interpolate(received.coordinates());
    FoundNearby nearby = find_nearby(comm, use, received, awarded, own, mappings);
    std::vector<double> values = values_on(own);
    std::vector<double> ghosts(static_cast<std::size_t>(nearby.ghosts.halo.num_ghosts()));
    nearby.ghosts.halo.forward(comm, 1, values, ghosts);
    for (std::size_t g = 0; g < ghosts.size(); ++g) { // which are where their owners say
      CHECK(ghosts[g] ==
            profile_of(nearby.ghosts.coordinates[2 * g], nearby.ghosts.coordinates[2 * g + 1]));
    }
    values.insert(values.end(), ghosts.begin(), ghosts.end());
    REQUIRE(nearby.found.counts.size() == awarded.size());
    std::size_t k = 0;
    std::size_t in_all = 0;
    for (std::size_t v = 0; v < awarded.size(); ++v) {
      REQUIRE(nearby.found.counts[v] == (awarded[v] > 0 ? expected.counts[v] : 0));
      double sum = 0;
      double sum_of_all = 0;
      for (LocalIndex n = 0; n < nearby.found.counts[v]; ++n, ++k) {
        sum += nearby.found.weights[k] * values[static_cast<std::size_t>(nearby.found.columns[k])];
      }
      for (LocalIndex n = 0; n < expected.counts[v]; ++n, ++in_all) {
        sum_of_all +=
            expected.weights[in_all] * of_whole[static_cast<std::size_t>(expected.columns[in_all])];
      }
      CHECK(sum == (awarded[v] > 0 ? sum_of_all : 0.0)); // bits: both in the order of places
    }
    CHECK(static_cast<std::size_t>(nearby.ghosts.halo.num_ghosts()) <= nearby.found.columns.size());
  }
}

TEST_CASE("elements nearby are cut as those of the whole mesh are") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const mesh::Mesh own = lines("N", comm.rank(), comm.rank() + 1, comm.size(), 7);
  const mesh::Mesh whole = lines("N", 0, comm.size(), comm.size(), 7);
  const mesh::Mesh received = lines("M", 0, 1, 1, 33);
  const std::vector<LocalIndex> awarded = awarded_to(comm, received);
  config::Mapping mapping = coarse(true);
  mapping.kind = config::MappingKind::intersection;
  const protocol::MappingUse use = protocol::use_of(mapping, "M");
  REQUIRE(use.searches_nearby());
  const Cuts mappings;
  const mapping::Interpolation expected = mappings.make(mapping, whole)->onto(received);
  FoundNearby nearby = find_nearby(comm, use, received, awarded, own, mappings);
  std::vector<double> values = values_on(own);
  std::vector<double> ghosts(static_cast<std::size_t>(nearby.ghosts.halo.num_ghosts()));
  nearby.ghosts.halo.forward(comm, 1, values, ghosts);
  values.insert(values.end(), ghosts.begin(), ghosts.end());
  const std::vector<double> of_whole = values_on(whole);
  REQUIRE(nearby.found.counts.size() == awarded.size());
  std::size_t k = 0;
  std::size_t in_all = 0;
  for (std::size_t v = 0; v < awarded.size(); ++v) {
    double sum = 0;
    double sum_of_all = 0;
    REQUIRE(nearby.found.counts[v] == (awarded[v] > 0 ? expected.counts[v] : 0));
    for (LocalIndex n = 0; n < nearby.found.counts[v]; ++n, ++k) {
      sum += nearby.found.weights[k] * values[static_cast<std::size_t>(nearby.found.columns[k])];
    }
    for (LocalIndex n = 0; n < expected.counts[v]; ++n, ++in_all) {
      sum_of_all +=
          expected.weights[in_all] * of_whole[static_cast<std::size_t>(expected.columns[in_all])];
    }
    CHECK(sum == doctest::Approx(awarded[v] > 0 ? sum_of_all : 0.0).epsilon(1e-12));
  }
}

TEST_CASE("results of ghosts are added to those of their owners") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const mesh::Mesh own = grid_in_turn("N", along, comm.rank(), comm.size());
  const mesh::Mesh received = grid_in_turn("M", 9, 0, 1);
  const std::vector<LocalIndex> awarded = awarded_to(comm, received);
  const config::Mapping mapping = coarse(false);
  const protocol::MappingUse use = protocol::use_of(mapping, "M");
  FoundNearby nearby = find_nearby(comm, use, received, awarded, own, Averages(radius));
  PlannedMapping planned;
  planned.use = &use;
  CHECK(planned.is_collective());
  std::vector<mapping::Entry> entries;
  std::size_t k = 0;
  double expected = 0; // the sum of all values, as the weights of each add up to one
  for (std::size_t v = 0; v < awarded.size(); ++v) {
    expected += awarded[v] > 0 ? 1.0 + static_cast<double>(v) : 0.0;
    for (LocalIndex n = 0; n < nearby.found.counts[v]; ++n, ++k) {
      entries.push_back(
          {nearby.found.columns[k], static_cast<LocalIndex>(v), nearby.found.weights[k]});
    }
  }
  planned.rows =
      mapping::Rows::from_entries(own.num_vertices() + nearby.ghosts.halo.num_ghosts(), entries);
  planned.handover = hand_to_owners(own.num_vertices(), nearby.ghosts.halo);
  CHECK(planned.handover.has_value() == (comm.size() > 1));
  CHECK(planned.num_results() == own.num_vertices());
  std::vector<double> in(awarded.size());
  std::iota(in.begin(), in.end(), 1.0);
  std::vector<double> out(static_cast<std::size_t>(own.num_vertices()));
  planned.apply(comm, 1, in, out);
  const double sum =
      comm::allreduce(comm, std::accumulate(out.begin(), out.end(), 0.0), comm::Op::sum);
  CHECK(sum == doctest::Approx(comm::allreduce(comm, expected, comm::Op::sum)));
}

TEST_CASE("those ask that were awarded, and with elements those around them") {
  const mesh::Mesh received = line(0, 6);
  const std::vector<LocalIndex> awarded{0, 0, 1, 0, 0, 1};
  const Asking alone = asking_for(received, awarded, false);
  CHECK(alone.vertices == std::vector<LocalIndex>{2, 5});
  CHECK(alone.mesh.edges().empty());
  CHECK(alone.mesh.vertex(1)[0] == 5);
  const Asking around = asking_for(received, awarded, true);
  CHECK(around.vertices == std::vector<LocalIndex>{1, 2, 3, 4, 5});
  const auto edges = around.mesh.edges();
  CHECK(std::vector<LocalIndex>(edges.begin(), edges.end()) ==
        std::vector<LocalIndex>{0, 1, 1, 2, 3, 4});
}

TEST_CASE("a rank gets what others have in its boxes, and where they have it") {
  const comm::Comm comm(MPI_COMM_WORLD);
  constexpr int each = 4;
  const mesh::Mesh own = line(each * comm.rank(), each);
  // the last vertex of the rank below and the first of that above
  const double lo = each * comm.rank() - 1;
  const double hi = each * (comm.rank() + 1);
  const std::vector<geometry::Box> boxes{{{lo, -1, 0}, {hi, 1, 0}}};
  for (const bool with_elements : {false, true}) {
    CAPTURE(with_elements);
    const NearbyMesh nearby = mesh_around(comm, own, with_elements, boxes);
    REQUIRE(nearby.mesh.num_vertices() == each + static_cast<LocalIndex>(nearby.others.size()));
    std::vector<double> found;
    for (std::size_t i = 0; i < nearby.others.size(); ++i) {
      const auto [rank, vertex] = nearby.others[i];
      const double x = nearby.mesh.vertex(each + static_cast<LocalIndex>(i))[0];
      CHECK(x == each * rank + vertex);
      if (x >= lo && x <= hi) {
        found.push_back(x);
      }
    }
    std::vector<double> expected;
    if (comm.rank() > 0) {
      expected.push_back(lo);
    }
    if (comm.rank() + 1 < comm.size()) {
      expected.push_back(hi);
    }
    CHECK(found == expected);
    const std::size_t neighbours = expected.size();
    // own edges, and of each neighbour the one that touches the box
    CHECK(nearby.mesh.edges().size() >= (with_elements ? 2 * (each - 1 + neighbours) : 0));
    CHECK(nearby.mesh.edges().empty() == !with_elements);
  }
}
