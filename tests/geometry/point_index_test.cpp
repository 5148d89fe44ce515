// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/point_index.hpp"

#include "geometry/clouds.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <tuple>

using namespace isthmus;
using namespace isthmus::geometry;
using clouds::Coords;

namespace {

double distance2(const Point& a, const Point& b) {
  const double x = a[0] - b[0];
  const double y = a[1] - b[1];
  const double z = a[2] - b[2];
  return x * x + y * y + z * z;
}

// All points, best first, by the rule that the index promises.
std::vector<LocalIndex> ranking(int dim, const Coords& coords, const Point& query) {
  std::vector<LocalIndex> ids(point_count(dim, coords));
  std::iota(ids.begin(), ids.end(), 0);
  const auto key = [&](LocalIndex i) {
    const Point p = point_at(dim, coords, std::size_t(i));
    return std::tuple(distance2(p, query), p, i);
  };
  std::sort(ids.begin(), ids.end(), [&](LocalIndex a, LocalIndex b) { return key(a) < key(b); });
  return ids;
}

struct Answer {
  std::vector<LocalIndex> ids;
  Coords distance2;
};

Answer ask(int dim, const Coords& coords, const Coords& queries) {
  const std::size_t n = point_count(dim, queries);
  Answer answer{std::vector<LocalIndex>(n, -7), Coords(n, -7.0)};
  PointIndex(dim, coords).nearest(queries, answer.ids, answer.distance2);
  return answer;
}

void check_against_all(int dim, const Coords& coords, const Coords& queries) {
  const Answer answer = ask(dim, coords, queries);
  for (std::size_t i = 0; i < answer.ids.size(); ++i) {
    const Point query = point_at(dim, queries, i);
    const LocalIndex expected = ranking(dim, coords, query).front();
    REQUIRE(answer.ids[i] == expected);
    REQUIRE(answer.distance2[i] == distance2(point_at(dim, coords, std::size_t(expected)), query));
  }
}

} // namespace

TEST_CASE("the nearest point is that of a search through all") {
  for (const int dim : {2, 3}) {
    for (const std::size_t n : {1, 2, 7, 8, 9, 64, 65, 700}) {
      CAPTURE(dim);
      CAPTURE(n);
      check_against_all(dim, clouds::uniform(dim, n, 1), clouds::uniform(dim, 200, 2, 1.5));
    }
  }
}

TEST_CASE("equal distances go to the lexicographically smallest point") {
  for (const int dim : {2, 3}) {
    Coords queries = clouds::uniform(dim, 150, 3, 12.0);
    for (double& x : queries) {
      x = 0.5 * std::round(x); // corners, middles of edges, faces and cells
    }
    check_against_all(dim, clouds::grid(dim, 6), queries);
  }
}

TEST_CASE("results do not depend on the order of points and queries") {
  for (const int dim : {2, 3}) {
    const Coords coords = clouds::grid(dim, 8);
    Coords queries = clouds::uniform(dim, 300, 4, 16.0);
    for (double& x : queries) {
      x = 0.5 * std::round(x);
    }
    const Answer expected = ask(dim, coords, queries);
    const auto order = clouds::shuffled(point_count(dim, coords), 5);
    const auto query_order = clouds::shuffled(300, 6);
    const Answer answer =
        ask(dim, clouds::permuted(coords, dim, order), clouds::permuted(queries, dim, query_order));
    for (std::size_t i = 0; i < 300; ++i) {
      REQUIRE(order[std::size_t(answer.ids[i])] == expected.ids[std::size_t(query_order[i])]);
      REQUIRE(answer.distance2[i] == expected.distance2[std::size_t(query_order[i])]);
    }
  }
}

TEST_CASE("a subset that contains the answer gives the same answer") {
  const Coords coords = clouds::uniform(3, 500, 7);
  const Coords queries = clouds::uniform(3, 50, 8);
  const Answer expected = ask(3, coords, queries);
  for (std::size_t i = 0; i < 50; ++i) {
    std::vector<LocalIndex> kept{expected.ids[i]};
    for (LocalIndex j = 0; j < 500; j += 3) {
      kept.push_back(j);
    }
    const Coords query(queries.begin() + std::ptrdiff_t(3 * i),
                       queries.begin() + std::ptrdiff_t(3 * i + 3));
    const Answer answer = ask(3, clouds::permuted(coords, 3, kept), query);
    CHECK(kept[std::size_t(answer.ids[0])] == expected.ids[i]);
    CHECK(answer.distance2[0] == expected.distance2[i]);
  }
}

TEST_CASE("degenerate clouds") {
  const Coords queries = clouds::uniform(3, 40, 9, 3.0);
  SUBCASE("none") {
    const Answer answer = ask(3, {}, queries);
    CHECK(answer.ids == std::vector<LocalIndex>(40, -1));
    CHECK(answer.distance2 == Coords(40, Box::infinity));
  }
  SUBCASE("all in one place: smallest id") {
    Coords coords;
    for (int i = 0; i < 100; ++i) {
      coords.insert(coords.end(), {1.0, 2.0, 3.0});
    }
    CHECK(ask(3, coords, queries).ids == std::vector<LocalIndex>(40, 0));
  }
  SUBCASE("on a line") {
    Coords coords;
    for (int i = 0; i < 300; ++i) {
      coords.insert(coords.end(), {0.01 * i, 0.02 * i, -0.01 * i});
    }
    check_against_all(3, coords, queries);
  }
  SUBCASE("huge, tiny and shifted coordinates") {
    for (const double scale : {1e-120, 1e-9, 1e9, 1e120}) {
      Coords coords = clouds::uniform(3, 200, 10, scale);
      Coords scaled = queries;
      for (double& x : scaled) {
        x *= scale;
      }
      check_against_all(3, coords, scaled);
      for (double& x : coords) {
        x += 1e6 * scale;
      }
      check_against_all(3, coords, scaled);
      for (double& x : scaled) {
        x += 1e6 * scale;
      }
      check_against_all(3, coords, scaled);
    }
  }
  SUBCASE("clusters below the resolution of the boxes") {
    Coords coords = clouds::uniform(3, 300, 11, 1e-12);
    coords.insert(coords.end(), {1e3, 1e3, 1e3});
    check_against_all(3, coords, clouds::uniform(3, 40, 12, 1e-12));
  }
}

TEST_CASE("queries far away and not finite") {
  const Coords coords = clouds::uniform(3, 100, 13);
  check_against_all(3, coords, {1e9, 0.0, 0.0, -1e30, 1e30, 0.0, 0.5, 1e5, 0.5});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Answer answer = ask(3, coords, {nan, 0.0, 0.0, 0.0, Box::infinity, 0.0});
  CHECK(answer.ids == std::vector<LocalIndex>{-1, -1});
}

TEST_CASE("points that are not finite are never found and do no harm") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Coords coords = clouds::uniform(3, 100, 14);
  const Coords queries = clouds::uniform(3, 50, 15);
  const Answer expected = ask(3, coords, queries);
  coords.insert(coords.end(), {nan, 0.5, 0.5, Box::infinity, 0.5, 0.5, nan, nan, nan});
  CHECK(ask(3, coords, queries).ids == expected.ids);
}

TEST_CASE("within a radius and the k nearest") {
  for (const int dim : {2, 3}) {
    const Coords coords = clouds::grid(dim, 7);
    const PointIndex index(dim, coords);
    std::vector<LocalIndex> found;
    for (const Point& query : {Point{3.0, 3.0, 0.0}, Point{0.5, 2.5, 0.0}, Point{9.0, 0.0, 0.0}}) {
      const std::vector<LocalIndex> all = ranking(dim, coords, query);
      for (const std::size_t k : {0, 1, 5, 30, 10000}) {
        index.nearest(query, k, found);
        REQUIRE(found == std::vector<LocalIndex>(
                             all.begin(), all.begin() + std::ptrdiff_t(std::min(k, all.size()))));
      }
      for (const double radius : {0.0, 0.5, 1.0, 2.0, 100.0}) {
        std::vector<LocalIndex> expected;
        for (LocalIndex i = 0; i < LocalIndex(all.size()); ++i) {
          if (distance2(point_at(dim, coords, std::size_t(i)), query) <= radius * radius) {
            expected.push_back(i);
          }
        }
        index.within(query, radius, found);
        REQUIRE(found == expected);
        std::vector<PointIndex::Neighbor> neighbors;
        index.within(query, radius, neighbors);
        found.clear();
        for (const PointIndex::Neighbor& one : neighbors) {
          CHECK(one.x == point_at(dim, coords, std::size_t(one.id)));
          CHECK(one.distance2 == distance2(one.x, query));
          found.push_back(one.id);
        }
        std::sort(found.begin(), found.end());
        REQUIRE(found == expected);
      }
    }
  }
}

TEST_CASE("all ids by place, where points that follow each other are near each other") {
  for (const std::size_t count : {0, 1, 8, 9, 1000}) {
    const Coords coords = clouds::uniform(3, count, 16);
    const std::vector<LocalIndex> ids = PointIndex(3, coords).ids_by_place();
    std::vector<LocalIndex> sorted = ids;
    std::sort(sorted.begin(), sorted.end());
    std::vector<LocalIndex> all(count);
    std::iota(all.begin(), all.end(), 0);
    REQUIRE(sorted == all);
    const auto path = [&](const std::vector<LocalIndex>& order) { // its length
      double sum = 0;
      for (std::size_t i = 1; i < order.size(); ++i) {
        sum += std::sqrt(distance2(point_at(3, coords, std::size_t(order[i - 1])),
                                   point_at(3, coords, std::size_t(order[i]))));
      }
      return sum;
    };
    CHECK((count < 1000 || path(ids) < 0.5 * path(all)));
  }
}
