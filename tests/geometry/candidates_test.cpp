// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/candidates.hpp"

#include "geometry/clouds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

using namespace isthmus;
using namespace isthmus::geometry;
using clouds::Coords;
using Ids = std::vector<LocalIndex>;

namespace {

constexpr double everywhere = Box::infinity;

/// Squared distance to the line or plane of an element if the point falls onto the element;
/// infinity if not. By the normal equations of least squares.
double falls_at(int dim, const Coords& coords, const Ids& ids, const Point& query) {
  const auto at = [&](std::size_t k) { return point_at(dim, coords, std::size_t(ids[k])); };
  const auto minus = [](const Point& a, const Point& b) {
    return Point{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  };
  const auto times = [](const Point& a, const Point& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  const Point r = minus(query, at(0));
  const Point ab = minus(at(1), at(0));
  double s = 0;
  double t = 0;
  Point ac{};
  if (ids.size() == 2) {
    s = times(r, ab) / times(ab, ab);
  } else {
    ac = minus(at(2), at(0));
    const double determinant = times(ab, ab) * times(ac, ac) - times(ab, ac) * times(ab, ac);
    s = (times(r, ab) * times(ac, ac) - times(r, ac) * times(ab, ac)) / determinant;
    t = (times(r, ac) * times(ab, ab) - times(r, ab) * times(ab, ac)) / determinant;
  }
  if (!(s >= 0 && t >= 0 && s + t <= 1)) {
    return everywhere;
  }
  Point rest{};
  for (std::size_t d = 0; d < 3; ++d) {
    rest[d] = r[d] - s * ab[d] - t * ac[d];
  }
  return times(rest, rest);
}

Box box_of(int dim, const Coords& coords, const Ids& ids) {
  Box box;
  for (const LocalIndex id : ids) {
    box.expand(point_at(dim, coords, std::size_t(id)));
  }
  return box;
}

/// The least of falls_at() over the four different elements that are preferred.
double expected(int dim, const Coords& coords, const Ids& elements, std::size_t corners,
                const Point& query) {
  std::set<std::tuple<double, double, Ids>> all; // no two different ones have the same box
  for (std::size_t first = 0; first < elements.size(); first += corners) {
    Ids ids(elements.begin() + std::ptrdiff_t(first),
            elements.begin() + std::ptrdiff_t(first + corners));
    std::sort(ids.begin(), ids.end());
    const Box box = box_of(dim, coords, ids);
    all.emplace(box.distance2(query), -box.diagonal(), ids);
  }
  double best = everywhere;
  int left = 4;
  for (const auto& [distance2, diagonal, ids] : all) {
    best = left-- > 0 ? std::min(best, falls_at(dim, coords, ids, query)) : best;
  }
  return best;
}

void check_place(int dim, const Coords& coords, const Projection& found, const Point& query) {
  Point at{};
  double sum = 0;
  for (std::size_t k = 0; k < std::size_t(found.size); ++k) {
    CHECK(found.weight[k] >= 0);
    sum += found.weight[k];
    const Point corner = point_at(dim, coords, std::size_t(found.vertex[k]));
    for (std::size_t d = 0; d < 3; ++d) {
      at[d] += found.weight[k] * corner[d];
    }
  }
  CHECK(sum == doctest::Approx(1).epsilon(1e-9));
  const double distance2 =
      std::pow(at[0] - query[0], 2) + std::pow(at[1] - query[1], 2) + std::pow(at[2] - query[2], 2);
  CHECK(distance2 == doctest::Approx(found.distance2).epsilon(1e-6));
}

/// Elements of near vertices, so that few of their boxes meet.
Ids small_elements(int dim, const Coords& coords, std::size_t corners) {
  const std::size_t count = point_count(dim, coords);
  Ids elements;
  for (std::size_t i = 0; i < count; i += 2) {
    std::vector<std::pair<double, LocalIndex>> near;
    for (std::size_t j = 0; j < count; ++j) {
      Box box;
      box.expand(point_at(dim, coords, i));
      near.emplace_back(box.distance2(point_at(dim, coords, j)), LocalIndex(j));
    }
    std::sort(near.begin(), near.end());
    for (std::size_t k = 0; k < corners; ++k) {
      elements.push_back(near[k == 0 ? 0 : k + i % 3].second);
    }
  }
  return elements;
}

} // namespace

TEST_CASE("a point goes to the closest of the four elements with the nearest boxes") {
  for (const auto& [dim, corners] : {std::pair(2, 2), std::pair(3, 2), std::pair(3, 3)}) {
    const Coords coords = clouds::uniform(dim, 120, 91);
    const Ids elements = small_elements(dim, coords, std::size_t(corners));
    const Candidates candidates(dim, coords, elements, corners, Ties::by_place);
    int found_some = 0;
    const Coords queries = clouds::uniform(dim, 300, 92, 1.1);
    for (std::size_t q = 0; q < 300; ++q) {
      const Point query = point_at(dim, queries, q);
      const Projection found = candidates.project(query, everywhere);
      const double distance2 = expected(dim, coords, elements, std::size_t(corners), query);
      CHECK((found.size == 0) == (distance2 == everywhere));
      if (found.size > 0) {
        ++found_some;
        CHECK(found.size == corners);
        CHECK(found.distance2 == doctest::Approx(distance2).epsilon(1e-6));
        check_place(dim, coords, found, query);
        CHECK(candidates.project(query, 0.99 * found.distance2).distance2 !=
              found.distance2); // too far
        CHECK(candidates.project(query, 1.01 * found.distance2).size == corners);
      }
    }
    CHECK(found_some > 50);
  }
}

TEST_CASE(
    "while there are at most four elements, it is the closest of all, by place or by number") {
  const Coords coords = clouds::uniform(3, 12, 93);
  const Ids elements{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Coords queries = clouds::uniform(3, 200, 94);
  for (const Ties ties : {Ties::by_place, Ties::by_number}) {
    const Candidates candidates(3, coords, elements, 3, ties);
    for (std::size_t q = 0; q < 200; ++q) {
      const Point query = point_at(3, queries, q);
      double closest = everywhere;
      for (LocalIndex first = 0; first < 12; first += 3) {
        closest = std::min(closest, falls_at(3, coords, {first, first + 1, first + 2}, query));
      }
      const Projection found = candidates.project(query, everywhere);
      CHECK((found.size == 3) == (closest < everywhere));
      if (found.size == 3) {
        CHECK(found.distance2 == doctest::Approx(closest).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("elements at one place, or with the same vertices, count once") {
  // five times the edge next to the point, onto which it does not fall, and one farther away
  const Coords coords{0, 0, 1, 0, -1, 2, 5, 2, 0, 0, 1, 0};
  const Point query{1.5, 0.1, 0};
  const Ids doubled{0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 2, 3};
  for (const Ties ties : {Ties::by_place, Ties::by_number}) {
    const Projection found = Candidates(2, coords, doubled, 2, ties).project(query, everywhere);
    CHECK(found.size == 2);
    CHECK(found.distance2 == doctest::Approx(1.9 * 1.9));
  }
  // the same place by other vertices
  const Ids placed{0, 1, 4, 5, 0, 5, 4, 1, 1, 0, 2, 3};
  CHECK(Candidates(2, coords, placed, 2, Ties::by_place).project(query, everywhere).size == 2);
  CHECK(Candidates(2, coords, placed, 2, Ties::by_number).project(query, everywhere).size == 0);
}

TEST_CASE("results by place do not depend on the order of vertices and elements") {
  const Coords coords = clouds::grid(2, 6); // many boxes are equally near
  Ids edges;
  for (LocalIndex i = 0; i + 7 < 36; ++i) {
    if (i % 6 != 5) {
      edges.insert(edges.end(), {i, i + 1, i, i + 6, i, i + 7});
    }
  }
  const Candidates given(2, coords, edges, 2, Ties::by_place);
  const Ids vertex_order = clouds::shuffled(36, 95);
  Ids new_id(36);
  for (std::size_t i = 0; i < 36; ++i) {
    new_id[std::size_t(vertex_order[i])] = LocalIndex(i);
  }
  Ids turned = clouds::permuted(edges, 2, clouds::shuffled(edges.size() / 2, 96));
  for (std::size_t i = 0; i < turned.size(); i += 4) {
    std::swap(turned[i], turned[i + 1]);
  }
  for (LocalIndex& id : turned) {
    id = new_id[std::size_t(id)];
  }
  const Coords moved = clouds::permuted(coords, 2, vertex_order);
  const Candidates other(2, moved, turned, 2, Ties::by_place);
  for (int i = 0; i <= 20; ++i) {
    for (int j = 0; j <= 20; ++j) {
      const Point query{0.25 * i, 0.25 * j, 0};
      const Projection one = given.project(query, everywhere);
      Projection same = other.project(query, everywhere);
      for (int k = 0; k < same.size; ++k) {
        same.vertex[std::size_t(k)] = vertex_order[std::size_t(same.vertex[std::size_t(k)])];
      }
      CHECK(same == one);
    }
  }
}

TEST_CASE("no point falls onto elements without length or area, or without elements") {
  const Coords coords{0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0};
  for (const Ties ties : {Ties::by_place, Ties::by_number}) {
    CHECK(Candidates(3, coords, Ids{1, 3}, 2, ties).project({1, 0, 0}, everywhere).size == 0);
    CHECK(Candidates(3, coords, Ids{0, 1, 2}, 3, ties).project({1, 0, 0}, everywhere).size == 0);
    CHECK(Candidates(3, coords, {}, 3, ties).project({1, 0, 0}, everywhere).size == 0);
  }
}

TEST_CASE("the edges of triangles and further ones, each once") {
  CHECK(all_edges(Ids{5, 1, 2, 0, 5, 1}, Ids{2, 1, 0, 3, 1, 2}) ==
        Ids{0, 1, 0, 2, 1, 2, 1, 3, 1, 5, 2, 3});
  CHECK(all_edges({}, {}).empty());
  CHECK(all_edges(Ids{4, 3}, {}) == Ids{3, 4});
}
