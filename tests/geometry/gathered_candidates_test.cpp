// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/candidates/candidates.hpp"

#include "geometry/samples.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <random>
#include <utility>

using namespace isthmus;
using namespace isthmus::geometry;
using namespace samples;

namespace {

/// Elements with the coordinates of their corners, which know nothing of each other.
void add(const Sample& mesh, const std::vector<Element>& elements, Sample& all) {
  for (const Element& element : elements) {
    Ids* const corners = num_corners(element) == 3   ? &all.triangles
                         : num_corners(element) == 2 ? &all.edges
                                                     : nullptr;
    for (int k = 0; k < num_corners(element); ++k) {
      if (corners != nullptr) {
        corners->push_back(LocalIndex(point_count(mesh.dim, all.coords)));
      }
      const auto x = mesh.coords.begin() + std::ptrdiff_t(element[std::size_t(k)]) * mesh.dim;
      all.coords.insert(all.coords.end(), x, x + mesh.dim);
    }
  }
}

/// Where a point goes, whatever the numbers of vertices.
using Place = std::vector<std::pair<Point, double>>;

std::vector<Place> places(const Sample& mesh, const Coords& queries) {
  std::vector<Projection> found(point_count(mesh.dim, queries));
  Candidates(mesh.dim, mesh.coords, mesh.edges, mesh.triangles, Ties::by_place)
      .project(queries, found);
  std::vector<Place> all(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t k = 0; k < std::size_t(found[i].size); ++k) {
      all[i].emplace_back(mesh.at(found[i].vertex[k]), found[i].weight[k]);
    }
  }
  return all;
}

// The mesh is dealt to parts by chance; what they gather is searched together.
std::size_t num_others_by_parts(const Sample& mesh, const Coords& queries, int count,
                                unsigned seed) {
  std::mt19937_64 engine(seed);
  std::vector<Sample> parts(std::size_t(count), {mesh.dim, {}, {}, {}});
  const auto deal = [&](const Ids& corners, LocalIndex size) {
    for (std::size_t i = 0; i < corners.size(); i += std::size_t(size)) {
      const LocalIndex third = size > 2 ? corners[i + 2] : -1;
      add(mesh, {{corners[i], size > 1 ? corners[i + 1] : -1, third}},
          parts[engine() % parts.size()]);
    }
  };
  Ids vertices(point_count(mesh.dim, mesh.coords));
  std::iota(vertices.begin(), vertices.end(), 0);
  deal(vertices, 1);
  deal(mesh.edges, 2);
  deal(mesh.triangles, 3);
  Sample together{mesh.dim, {}, {}, {}};
  for (const Sample& part : parts) {
    add(part,
        Candidates(part.dim, part.coords, part.edges, part.triangles, Ties::by_place)
            .gather(queries),
        together);
  }
  const std::vector<Place> whole = places(mesh, queries);
  const std::vector<Place> merged = places(together, queries);
  std::size_t others = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    others += whole[i] == merged[i] ? 0 : 1;
  }
  return others;
}

} // namespace

TEST_CASE("candidates of the candidates of parts are those of the whole mesh, to the bit") {
  unsigned seed = 80;
  for (const Sample& mesh : {sheet(12, 0.1, 0.4, 0), sheet(12, 0, 0, 0), sheet(12, 0.5, 0, 1e6),
                             random_elements(3, 50, 3, false), random_elements(3, 60, 4, true),
                             random_elements(2, 50, 5, false), random_elements(2, 60, 6, true)}) {
    for (const int parts : {1, 2, 5}) {
      const Coords queries = queries_around(mesh, 400, ++seed);
      CAPTURE(seed);
      CHECK(num_others_by_parts(mesh, queries, parts, seed) == 0);
    }
  }
}
