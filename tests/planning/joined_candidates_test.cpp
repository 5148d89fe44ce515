// SPDX-License-Identifier: BSD-3-Clause
// Ranks that look for the place of others on their own part of a mesh find together what one rank
// would find in the whole of it.
#include "isthmus/planning/provide_mesh.hpp"
#include "isthmus/planning/receive_mesh.hpp"

#include "isthmus/comm/collective.hpp"
#include "planning/carry.hpp"
#include "planning/two_participants.hpp"
#include "planning/two_sheets.hpp"
#include "ranks.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <random>

using namespace isthmus;
using namespace isthmus::planning;
using config::Constraint;
using config::MappingKind;
using geometry::Point;

namespace {

/// As the factory of a participant on several ranks makes them.
class ByCandidates final : public MappingFactory {
 public:
  [[nodiscard]] std::unique_ptr<mapping::Mapping> make(const config::Mapping& settings,
                                                       const mesh::Mesh& searched) const override {
    return settings.kind == MappingKind::nearest_projection
               ? mapping::make_nearest_projection(searched, mapping::Outside::candidates)
               : mapping::make_linear_cell(searched, mapping::Outside::candidates);
  }
};

/// A mesh that is searched, the points that look for their place, and who has what.
struct Case {
  std::string name;
  MappingKind kind;
  mesh::Mesh whole;
  std::vector<double> points;
  bool by_chance = false; // elements are dealt to ranks, not in strips
};

double value_at(const Point& x) {
  return std::sin(90 * x[0]) + 3 * std::cos(70 * x[1] + 1) + 5 * std::sin(50 * x[2] + 2);
}

Point at(const mesh::Mesh& mesh, LocalIndex vertex) {
  return geometry::point_at(mesh.dimensions(), mesh.vertex(vertex), 0);
}

/// Who has an element, by its first corner; of three ranks or more the second one has nothing.
int owner_of(const Case& one, LocalIndex corner, std::size_t number, int ranks) {
  const double place = std::clamp(at(one.whole, corner)[0], 0.0, 0.999);
  const int rank = one.by_chance ? static_cast<int>((number * 7919 + 13) % 101) % ranks
                                 : static_cast<int>(place * ranks);
  return ranks > 2 && rank == 1 ? 0 : rank;
}

/// The elements of a rank; vertices between the parts of several ranks are on each of them.
mesh::Mesh part_of(const Case& one, int rank, int ranks) {
  std::vector<double> places;
  std::map<LocalIndex, LocalIndex> numbers;
  const auto number = [&](LocalIndex vertex) {
    const auto [entry, is_new] = numbers.emplace(vertex, LocalIndex(numbers.size()));
    if (is_new) {
      const auto x = one.whole.vertex(vertex);
      places.insert(places.end(), x.begin(), x.end());
    }
    return entry->second;
  };
  const auto deal = [&](std::span<const LocalIndex> corners, std::size_t size) {
    std::vector<LocalIndex> mine;
    for (std::size_t i = 0; i < corners.size(); i += size) {
      if (owner_of(one, corners[i], i, ranks) == rank) {
        std::transform(corners.begin() + std::ptrdiff_t(i),
                       corners.begin() + std::ptrdiff_t(i + size), std::back_inserter(mine),
                       number);
      }
    }
    return mine;
  };
  std::vector<char> is_corner(std::size_t(one.whole.num_vertices()), 0);
  for (const auto elements : {one.whole.edges(), one.whole.triangles(), one.whole.tetrahedra()}) {
    for (const LocalIndex vertex : elements) {
      is_corner[std::size_t(vertex)] = 1;
    }
  }
  for (LocalIndex v = 0; v < one.whole.num_vertices(); ++v) {
    if (is_corner[std::size_t(v)] == 0 && owner_of(one, v, std::size_t(v), ranks) == rank) {
      number(v);
    }
  }
  const auto tetrahedra = deal(one.whole.tetrahedra(), 4);
  const auto triangles = deal(one.whole.triangles(), 3);
  const auto edges = deal(one.whole.edges(), 2);
  return {"N", one.whole.dimensions(), places, edges, triangles, tetrahedra};
}

/// The points of a rank, dealt one by one; of three ranks or more the second one has none.
mesh::Mesh points_of(const Case& one, int rank, int ranks) {
  mesh::Mesh mesh("M", one.whole.dimensions());
  const auto dim = std::size_t(one.whole.dimensions());
  for (std::size_t i = 0; i < one.points.size() / dim; ++i) {
    const int owner = static_cast<int>(i) % ranks;
    if ((ranks > 2 && owner == 1 ? 0 : owner) == rank) {
      mesh.add_vertices(std::span(one.points).subspan(i * dim, dim));
    }
  }
  return mesh;
}

/// Sums by place, over all ranks.
using Sums = std::map<Point, double>;

Sums summed(const TwoParticipants& both, const mesh::Mesh& mesh, std::span<const double> values) {
  std::vector<double> mine;
  for (std::size_t v = 0; v < values.size(); ++v) {
    const Point x = at(mesh, LocalIndex(v));
    mine.insert(mine.end(), {x[0], x[1], x[2], values[v]});
  }
  const auto all = comm::allgather<double>(both.world, mine).values;
  Sums sums;
  for (std::size_t i = 0; i < all.size(); i += 4) {
    sums[{all[i], all[i + 1], all[i + 2]}] += all[i + 3];
  }
  return sums;
}

double largest_difference(const Sums& a, const Sums& b) {
  double largest = 0;
  for (const auto& [x, value] : a) {
    const auto same = b.find(x);
    largest = std::max(largest, std::abs(value - (same == b.end() ? 0.0 : same->second)));
  }
  return largest;
}

/// B writes consistently to the points of A, and reads conservatively from them.
struct Pair {
  TwoParticipants& both;
  config::Mapping write;
  config::Mapping read;
  protocol::MeshRelation relation;
  mesh::Mesh mesh;
  ByCandidates mappings;
  Inputs inputs;
  ProvidedRelation provided;
  ReceivedRelation received;

  Pair(TwoParticipants& participants, const Case& one, config::Initialization way)
      : both(participants),
        write(nearest_neighbor(true, Constraint::consistent)),
        read(nearest_neighbor(false, Constraint::conservative)) {
    write.kind = one.kind;
    read.kind = one.kind;
    relation = relation_of(write, true);
    relation.uses.push_back(protocol::use_of(read, "M"));
    relation.dimensions = one.whole.dimensions();
    relation.initialization = way;
    inputs.mappings = &mappings;
    provided.relation = &relation;
    received.relation = &relation;
  }

  void plan(const Case& one) {
    const int rank = both.mine.rank();
    const int ranks = both.mine.size();
    mesh = both.provides ? points_of(one, rank, ranks) : part_of(one, rank, ranks);
    inputs.meshes = {};
    inputs.meshes.add(mesh);
    if (both.provides) {
      provide_mesh(both.connection, mesh, provided);
    } else {
      receive_mesh(both.connection, inputs, received);
    }
    both.hub.flush(60);
  }

  std::vector<double> values() const {
    std::vector<double> values;
    for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
      values.push_back(value_at(at(mesh, v)));
    }
    return values;
  }

  /// What comes to the points.
  std::vector<double> written() {
    if (both.provides) {
      return carry(both, {}, provided.plan.write[0], {}, std::size_t(mesh.num_vertices()));
    }
    PlannedMapping& planned = received.plan.mappings[0];
    std::vector<double> out(std::size_t(planned.rows.num_rows()));
    planned.apply(both.mine, 1, values(), out);
    static_cast<void>(carry(both, planned.routes, {}, out, 0));
    return {};
  }

  /// What the points add to the mesh that is searched.
  std::vector<double> added() {
    if (both.provides) {
      return carry(both, provided.plan.read, {}, values(), 0);
    }
    const std::vector<double> in =
        carry(both, {}, received.plan.read, {}, std::size_t(received.plan.num_read));
    std::vector<double> out(std::size_t(mesh.num_vertices()));
    received.plan.mappings[1].apply(both.mine, 1, in, out);
    return out;
  }

  void check(const Case& one) {
    const ByCandidates factory;
    const auto found = factory.make(write, one.whole)->interpolate(one.points);
    Sums expected;
    Sums spread;
    std::size_t k = 0;
    for (std::size_t i = 0; i < found.counts.size(); ++i) {
      const Point x = geometry::point_at(one.whole.dimensions(), one.points, i);
      for (LocalIndex n = 0; n < found.counts[i]; ++n, ++k) {
        const Point y = at(one.whole, found.columns[k]);
        expected[x] += found.weights[k] * value_at(y);
        spread[y] += found.weights[k] * value_at(x);
      }
    }
    CAPTURE(one.name);
    const Sums got = summed(both, mesh, written());
    CHECK(got.size() == expected.size());
    CHECK(largest_difference(expected, got) < 1e-12);
    const Sums sums = summed(both, mesh, added());
    CHECK(largest_difference(spread, sums) < 1e-12);
    CHECK(largest_difference(sums, spread) < 1e-12); // and nothing anywhere else
  }
};

std::vector<double> random_points(int dimensions, int count, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> place(-0.2, 1.2);
  std::uniform_real_distribution<double> height(-0.15, 0.3);
  std::vector<double> points;
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k + 1 < dimensions; ++k) {
      points.push_back(place(engine));
    }
    points.push_back(height(engine));
  }
  return points;
}

/// Squares halved, flat or as the floor of cells: boxes are equally near, and many are the same
/// size.
Case grid(const std::string& name, MappingKind kind, bool cells, bool by_chance) {
  constexpr int n = 4;
  Case one{name, kind, mesh::Mesh("N", 3), {}, by_chance};
  for (int k = 0; k <= (cells ? 1 : 0); ++k) {
    for (int i = 0; i < n * n; ++i) {
      one.whole.add_vertices(std::vector{i % n / (n - 1.0), i / n / (n - 1.0), 0.25 * k});
    }
  }
  for (LocalIndex j = 0; j + 1 < n; ++j) {
    for (LocalIndex i = 0; i + 1 < n; ++i) {
      const LocalIndex a = j * n + i;
      const LocalIndex up = n * n;
      if (cells) {
        for (const auto& [b, c] : {std::pair(a + 1, a + 1 + n), std::pair(a + n, a + 1 + n)}) {
          one.whole.add_tetrahedra(
              std::vector{a, b, c, c + up, a, b, b + up, c + up, a, a + up, b + up, c + up});
        }
      } else {
        one.whole.add_triangles(std::vector{a, a + 1, a + n + 1, a, a + n, a + n + 1});
      }
    }
  }
  for (int i = 0; i < 7 * 7; ++i) { // above vertices, edges and middles, and beside the whole
    for (const double height : {-0.25, 0.0, 0.25, 0.5}) {
      one.points.insert(one.points.end(), {i % 7 / 4.0 - 0.25, i / 7 / 4.0 - 0.25, height});
    }
  }
  return one;
}

std::vector<Case> cases() {
  std::mt19937_64 engine(4);
  std::vector<Case> all;
  for (const int dimensions : {2, 3}) {
    for (const bool by_chance : {false, true}) {
      all.push_back({"sheets", MappingKind::nearest_projection,
                     sheets::two_sheets(dimensions, engine), random_points(dimensions, 300, engine),
                     by_chance});
    }
  }
  for (const bool by_chance : {false, true}) {
    all.push_back(grid("ties", MappingKind::nearest_projection, false, by_chance));
    all.push_back(grid("ties of cells", MappingKind::nearest_projection, true, by_chance));
    all.push_back(grid("around cells", MappingKind::linear_cell_interpolation, true, by_chance));
  }
  return all;
}

} // namespace

TEST_CASE("candidates of ranks that search their own mesh are those of the whole mesh" *
          on_ranks(2)) {
  const int ranks = comm::Comm(MPI_COMM_WORLD).size();
  const std::vector<Case> all = cases();
  for (const int providers : {1, ranks / 2}) {
    TwoParticipants both(providers);
    for (const Case& one : all) {
      Pair pair(both, one, config::Initialization::rendezvous);
      pair.plan(one);
      pair.check(one);
    }
  }
}

TEST_CASE(
    "candidates are those of the whole mesh in all ways to find partners, and of a mesh that "
    "is reset" *
    on_ranks(2)) {
  std::mt19937_64 engine(9);
  const int ranks = comm::Comm(MPI_COMM_WORLD).size();
  TwoParticipants both(ranks / 2);
  for (const config::Initialization way :
       {config::Initialization::rendezvous, config::Initialization::two_level,
        config::Initialization::one_level}) {
    std::optional<Pair> pair;
    for (int step = 0; step < 3; ++step) {
      const Case one{"step", MappingKind::nearest_projection, sheets::two_sheets(3, engine),
                     random_points(3, 100 + 50 * step, engine)};
      if (!pair) {
        pair.emplace(both, one, way);
      }
      pair->plan(one);
      pair->check(one);
    }
  }
}
