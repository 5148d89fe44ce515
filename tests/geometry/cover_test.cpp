// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/cover.hpp"

#include "geometry/clouds.hpp"

#include <doctest/doctest.h>

using namespace isthmus::geometry;
using clouds::Coords;

namespace {

bool covers(const std::vector<Box>& boxes, int dim, const Coords& coords) {
  for (std::size_t i = 0; i < point_count(dim, coords); ++i) {
    const Point p = point_at(dim, coords, i);
    if (std::none_of(boxes.begin(), boxes.end(), [&](const Box& b) { return b.contains(p); })) {
      return false;
    }
  }
  return true;
}

double area(const std::vector<Box>& boxes) {
  double sum = 0.0;
  for (const Box& box : boxes) {
    sum += (box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]);
  }
  return sum;
}

// Points of [0,1]² for which `keep` holds.
template <typename Keep>
Coords shape(Keep keep) {
  const Coords all = clouds::uniform(2, 20000, 60);
  Coords kept;
  for (std::size_t i = 0; i < all.size(); i += 2) {
    if (keep(all[i], all[i + 1])) {
      kept.insert(kept.end(), {all[i], all[i + 1]});
    }
  }
  return kept;
}

} // namespace

TEST_CASE("every point is covered by at most the boxes allowed, whatever the order") {
  for (const int dim : {2, 3}) {
    for (const std::size_t n : {1, 2, 10, 500, 5000}) {
      const Coords coords = clouds::uniform(dim, n, 61);
      for (const int allowed : {1, 2, 3, 8, 30}) {
        const auto boxes = cover(dim, coords, allowed);
        CHECK(!boxes.empty());
        CHECK(boxes.size() <= std::size_t(allowed));
        CHECK(covers(boxes, dim, coords));
        CHECK(cover(dim, clouds::permuted(coords, dim, clouds::shuffled(n, 62)), allowed) == boxes);
      }
      CHECK(cover(dim, coords, 1)[0] == bounding_box(dim, coords));
    }
  }
}

TEST_CASE("gaps, L-shapes and strips are left out") {
  const Coords corner = shape([](double x, double y) { return x < 0.1 || y < 0.1; });
  CHECK(area(cover(2, corner, 2)) < 0.25);
  const Coords islands = shape([](double x, double y) {
    return (x < 0.05 && y < 0.05) || (x > 0.9 && y > 0.95) || (x > 0.7 && x < 0.72 && y < 0.1);
  });
  CHECK(area(cover(2, islands, 3)) < 0.012);
  const Coords diagonal = shape([](double x, double y) { return std::abs(x - y) < 0.01; });
  CHECK(area(cover(2, diagonal, 16)) < 0.12);
}

TEST_CASE("no points, no boxes; one place, one box") {
  CHECK(cover(3, {}, 4).empty());
  CHECK(cover(3, Coords(30, 2.0), 4) == std::vector<Box>{{{2.0, 2.0, 2.0}, {2.0, 2.0, 2.0}}});
}

TEST_CASE("covers of huge and infinite coordinates keep every point") {
  for (const double scale : {1e-200, 1e150, 1e300}) {
    const Coords coords = clouds::uniform(3, 400, 63, scale);
    const auto boxes = cover(3, coords, 5);
    CHECK(boxes.size() == 5);
    CHECK(covers(boxes, 3, coords));
  }
  Coords coords = clouds::uniform(3, 400, 64);
  coords[30] = Box::infinity;
  CHECK(covers(cover(3, coords, 5), 3, coords));
}
