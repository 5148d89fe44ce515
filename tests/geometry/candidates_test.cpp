// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/candidates/candidates.hpp"

#include "geometry/samples.hpp"
#include "isthmus/geometry/candidates/near_elements.hpp"
#include "isthmus/geometry/candidates/numbered_boxes.hpp"
#include "isthmus/geometry/candidates/packed_boxes.hpp"
#include "isthmus/geometry/search/element_tree.hpp"
#include "isthmus/geometry/vector3.hpp"
#include "sanitized.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <thread>
#include <tuple>

using namespace isthmus;
using namespace isthmus::geometry;
using namespace samples;

namespace {

double squared(const Point& a) {
  return dot(a, a);
}

// The definition, element by element, with all of them.
class Definition {
 public:
  Definition(const Sample& mesh, Ties ties) : mesh_(mesh), ties_(ties) {
    std::set<Ids> edges;
    std::set<Ids> triangles;
    const auto add = [](std::set<Ids>& all, Ids element) {
      std::sort(element.begin(), element.end());
      all.insert(element);
    };
    for (std::size_t i = 0; i < mesh.edges.size(); i += 2) {
      add(edges, {mesh.edges[i], mesh.edges[i + 1]});
    }
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
      const Ids t{mesh.triangles[i], mesh.triangles[i + 1], mesh.triangles[i + 2]};
      add(triangles, t);
      add(edges, {t[0], t[1]});
      add(edges, {t[1], t[2]});
      add(edges, {t[2], t[0]});
    }
    sizes_[0].assign(edges.begin(), edges.end());
    sizes_[1].assign(triangles.begin(), triangles.end());
  }

  [[nodiscard]] Projection find(const Point& query) const {
    Projection nearest;
    for (LocalIndex v = 0; v < LocalIndex(point_count(mesh_.dim, mesh_.coords)); ++v) {
      const double distance2 = squared(mesh_.at(v) - query);
      if (nearest.size == 0 || distance2 < nearest.distance2 ||
          (distance2 == nearest.distance2 && mesh_.at(v) < mesh_.at(nearest.vertex[0]))) {
        nearest = {{1, 0, 0}, distance2, {v, -1, -1}, 1};
      }
    }
    if (ties_ == Ties::by_number && nearest.size > 0) {
      nearest.vertex[0] = first_packed(query);
    }
    for (int size = mesh_.dim; size > 1; --size) {
      Projection best;
      for (const Ids& element : candidates(sizes_[size - 2], query, nearest.distance2)) {
        const Projection one = fall(element, query);
        if (one.distance2 <= nearest.distance2 && one.distance2 < best.distance2) {
          best = one;
        }
      }
      if (best.size > 0) {
        return best;
      }
    }
    return nearest;
  }

 private:
  using Key = std::tuple<double, double, std::vector<Point>, Ids>;

  [[nodiscard]] LocalIndex first_packed(const Point& query) const {
    std::vector<Box> boxes(point_count(mesh_.dim, mesh_.coords));
    for (std::size_t v = 0; v < boxes.size(); ++v) {
      boxes[v].expand(mesh_.at(LocalIndex(v)));
    }
    return LocalIndex(PackedBoxes(boxes).nearest(query, 1).front());
  }

  [[nodiscard]] Box box(const Ids& element) const {
    Box result;
    for (const LocalIndex id : element) {
      result.expand(mesh_.at(id));
    }
    return result;
  }

  [[nodiscard]] Ids by_place(Ids element) const {
    std::sort(element.begin(), element.end(), [&](LocalIndex a, LocalIndex b) {
      return std::pair(mesh_.at(a), a) < std::pair(mesh_.at(b), b);
    });
    return element;
  }

  [[nodiscard]] std::vector<Ids> candidates(const std::vector<Ids>& elements, const Point& query,
                                            double limit2) const {
    std::vector<Key> all;
    std::vector<Box> boxes;
    for (const Ids& element : elements) {
      const Box around = box(element);
      const Ids ordered = by_place(element);
      std::vector<Point> places;
      for (const LocalIndex id : ordered) {
        places.push_back(mesh_.at(id));
      }
      all.emplace_back(around.distance2(query), -squared(around.hi - around.lo), places, ordered);
      boxes.push_back(around);
    }
    if (ties_ == Ties::by_number) {
      std::vector<Key> chosen;
      for (const std::size_t i : PackedBoxes(boxes).nearest(query, 4)) {
        chosen.push_back(all[i]);
      }
      all = chosen;
    }
    std::sort(all.begin(), all.end());
    std::vector<Ids> result;
    const Key* last = nullptr;
    for (const Key& key : all) {
      const bool stands_twice =
          ties_ == Ties::by_place && last != nullptr && std::get<2>(*last) == std::get<2>(key);
      const bool is_near = ties_ == Ties::by_number || std::get<0>(key) <= limit2;
      if (!stands_twice && is_near && result.size() < 4) {
        result.push_back(std::get<3>(key));
        last = &key;
      }
    }
    return result;
  }

  // Two ways to one place may round differently: this is the library's.
  [[nodiscard]] Projection fall(const Ids& element, const Point& query) const {
    const Point a = mesh_.at(element[0]);
    const Point ab = mesh_.at(element[1]) - a;
    const Point from_a = query - a;
    std::vector<double> weights;
    if (element.size() == 2) {
      const double t = dot(from_a, ab) / dot(ab, ab);
      weights = {1.0 - t, t};
    } else {
      const Point ac = mesh_.at(element[2]) - a;
      const Point n = cross(ab, ac);
      const double n2 = dot(n, n);
      if (!(n2 > 1e-24 * dot(ab, ab) * dot(ac, ac))) {
        return {};
      }
      const double of_b = dot(cross(from_a, ac), n) / n2;
      const double of_c = dot(cross(ab, from_a), n) / n2;
      weights = {1.0 - of_b - of_c, of_b, of_c};
    }
    Projection result;
    Point r = -1.0 * query;
    for (std::size_t k = 0; k < element.size(); ++k) {
      if (!(weights[k] >= -1e-10)) {
        return {};
      }
      const double weight = std::max(weights[k], 0.0);
      r = r + weight * mesh_.at(element[k]);
      if (weight > 0) {
        result.weight[std::size_t(result.size)] = weight;
        result.vertex[std::size_t(result.size++)] = element[k];
      }
    }
    result.distance2 = dot(r, r);
    return result;
  }

  const Sample& mesh_;
  Ties ties_;
  std::array<std::vector<Ids>, 2> sizes_; // edges, triangles; corners and elements ascending
};

// How many queries do not get the bits of the definition.
std::size_t num_wrong(const Sample& mesh, const Coords& queries, Ties ties) {
  const Definition definition(mesh, ties);
  const Candidates candidates(mesh.dim, mesh.coords, mesh.edges, mesh.triangles, ties);
  std::vector<Projection> found(point_count(mesh.dim, queries));
  candidates.project(queries, found);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    wrong += found[i] == definition.find(point_at(mesh.dim, queries, i)) ? 0 : 1;
  }
  return wrong;
}

void check(const Sample& mesh, unsigned seed) {
  const Coords queries = queries_around(mesh, is_sanitized ? 50 : 400, seed);
  for (const Ties ties : {Ties::by_place, Ties::by_number}) {
    CAPTURE(seed);
    CAPTURE(ties == Ties::by_place);
    CHECK(num_wrong(mesh, queries, ties) == 0);
  }
}

} // namespace

TEST_CASE("candidates are those of the definition, to the bit, on surfaces") {
  unsigned seed = 1;
  for (const double amplitude : {0.0, 0.1, 0.5}) {
    for (const double jitter : {0.0, 0.4}) {
      check(sheet(12, amplitude, jitter, 0), ++seed);
    }
  }
  check(sheet(12, 0.1, 0.4, 1e6), ++seed);
}

TEST_CASE("candidates are those of the definition, to the bit, among random elements") {
  for (unsigned seed = 10; seed < 18; ++seed) {
    for (const int dim : {2, 3}) {
      check(random_elements(dim, 5 + 12 * (seed % 5), seed, false), seed);
      check(random_elements(dim, 5 + 12 * (seed % 5), seed, true), seed); // places coincide
    }
  }
}

TEST_CASE("candidates are those of the definition, to the bit, on grids, lines and single places") {
  unsigned seed = 30;
  for (const int dim : {2, 3}) {
    Sample line{dim, clouds::grid(dim, 4), {}, {}};
    check(line, ++seed); // vertices alone
    for (LocalIndex i = 0; i + 1 < LocalIndex(point_count(dim, line.coords)); ++i) {
      line.edges.insert(line.edges.end(), {i, i + 1});
    }
    check(line, ++seed);
    line.triangles = {0, 1, 2, 2, 1, 0, 1, 2, 5, 4, 5, 6}; // flat ones, too
    check(line, ++seed);
  }
  Sample volume{3, clouds::grid(3, 3), {}, {}};
  for (LocalIndex i = 0; i < 27; ++i) {
    for (const auto& [a, b] : {std::pair(1, 3), std::pair(3, 9), std::pair(1, 9)}) {
      if (i + a + b < 27) {
        volume.triangles.insert(volume.triangles.end(), {i, i + a, i + a + b, i, i + b, i + a + b});
      }
    }
  }
  check(volume, ++seed);
}

TEST_CASE("more elements than are kept may have equally near boxes") {
  Sample fan{3, {0, 0, 0}, {}, {}};
  for (LocalIndex i = 0; i < 100; ++i) {
    const double angle = 0.06 * i;
    fan.coords.insert(fan.coords.end(), {std::cos(angle), std::sin(angle), 0.2 * (i % 3)});
    if (i > 0) {
      fan.triangles.insert(fan.triangles.end(), {0, i, i + 1});
    }
  }
  check(fan, 50);
}

TEST_CASE("candidates do not depend on the order of queries, and threads may ask together") {
  const Sample mesh = sheet(30, 0.3, 0, 0);
  const Coords queries = queries_around(mesh, 2000, 60);
  for (const Ties ties : {Ties::by_place, Ties::by_number}) {
    const Candidates candidates(3, mesh.coords, {}, mesh.triangles, ties);
    std::vector<Projection> together(2000);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        candidates.project(std::span(queries).subspan(1500 * t, 1500),
                           std::span(together).subspan(500 * t, 500));
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    const Candidates others(3, mesh.coords, {}, mesh.triangles, ties);
    std::size_t different = 0;
    for (std::size_t i = 2000; i-- > 0;) {
      Projection alone;
      others.project(std::span(queries).subspan(3 * i, 3), std::span(&alone, 1));
      different += alone == together[i] ? 0 : 1;
    }
    CHECK(different == 0);
  }
}

TEST_CASE("without a vertex, or for what is not a number, there is no candidate") {
  const Coords queries{0, 0, 0, Box::infinity, 0, 0, 0, std::nan(""), 0};
  std::vector<Projection> found(3);
  Candidates(3, {}, {}, {}, Ties::by_place).project(queries, found);
  CHECK(found[0].size == 0);
  Candidates(3, Coords{1, 2, 2}, {}, {}, Ties::by_number).project(queries, found);
  CHECK(found[0] == Projection{{1, 0, 0}, 9, {0, -1, -1}, 1});
  CHECK(found[1].size == 0);
  CHECK(found[2].size == 0);
  CHECK(Candidates(3, {}, {}, {}, Ties::by_place).gather(queries).empty());
  CHECK(Candidates(3, Coords{1, 2, 2}, {}, {}, Ties::by_place).gather(queries) ==
        std::vector<Element>{{0, -1, -1}});
}

TEST_CASE("a tree of elements holds each once, corners by place; a point falls on them or not") {
  const Coords coords{1, 0, 0, 0, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0};
  const ElementTree tree(3, coords, Ids{0, 1, 0, 3}, Ids{0, 1, 2});
  REQUIRE(tree.size() == 3); // an edge is a side of the triangle
  CHECK(tree.num_vertices() == 5);
  std::set<Element> all(tree.all().begin(), tree.all().end());
  CHECK(all == std::set<Element>{{1, 2, 0}, {0, 3, -1}, {4, -1, -1}});
  CHECK(num_corners(*all.begin()) == 2);
  CHECK(tree.ordered({0, 2, 1}) == Element{1, 2, 0});
  CHECK(edges_of({1, 2, 0})[1] == Element{1, 0, -1});
  CHECK(tree.bound_by_corners({1, 2, 0}, {0, 3, 0}) == 4);
  const Projection inside = fall_onto(tree, {1, 2, 0}, {0.25, 0.5, 2});
  CHECK(inside == Projection{{0.25, 0.5, 0.25}, 4, {1, 2, 0}, 3});
  CHECK(fall_onto(tree, {1, 2, 0}, {0, 1, 1}) == Projection{{1, 0, 0}, 1, {2, -1, -1}, 1});
  CHECK(fall_onto(tree, {1, 2, 0}, {1, 1, 1}).size == 0);
  CHECK(fall_onto(tree, {0, 3, -1}, {3, 1, 0}) == Projection{{0.5, 0.5, 0}, 1, {0, 3, -1}, 2});
  CHECK(fall_onto(tree, {0, 3, -1}, {5.5, 1, 0}).size == 0);
}

TEST_CASE("numbered boxes are the nearest ones, whatever was asked before") {
  const Sample mesh = sheet(20, 0.2, 0, 0);
  const Coords queries = queries_around(mesh, 200, 70);
  const ElementTree tree(3, mesh.coords, {}, mesh.triangles);
  NumberedBoxes edges(tree, 2);
  NumberedBoxes same(tree, 2);
  const auto distances = [&](const std::vector<Element>& elements, const Point& query) {
    std::vector<double> all;
    for (const Element& element : elements) {
      Box box;
      box.expand(tree.point(element[0]));
      box.expand(tree.point(element[1]));
      all.push_back(box.distance2(query));
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto at = [&](std::size_t i) { return point_at(3, queries, i); };
  const std::vector<Element> everything = edges.nearest(at(0), 5000);
  CHECK(everything.size() == 3 * 19 * 19 + 2 * 19);
  std::vector<std::vector<Element>> found;
  for (std::size_t i = 0; i < 200; ++i) {
    found.push_back(edges.nearest(at(i), 4));
    std::vector<double> nearest = distances(everything, at(i));
    nearest.resize(4);
    CHECK(distances(found.back(), at(i)) == nearest);
  }
  for (std::size_t i = 200; i-- > 0;) {
    CHECK(same.nearest(at(i), 4) == found[i]); // divided in another order
  }
}
