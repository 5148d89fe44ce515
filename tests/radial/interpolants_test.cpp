// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/radial_interpolant.hpp"

#include "isthmus/base/exception.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/radial/clusters/ball_filler.hpp"
#include "isthmus/radial/clusters/centers.hpp"
#include "isthmus/radial/clusters/cluster_grid.hpp"
#include "isthmus/radial/clusters/cluster_interpolant.hpp"
#include "isthmus/radial/clusters/cluster_weights.hpp"
#include "isthmus/radial/clusters/clusters.hpp"
#include "isthmus/radial/clusters/survey.hpp"
#include "isthmus/radial/multiversion.hpp"
#include "message_of.hpp"
#include "radial/all_clusters.hpp"
#include "radial/random_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace isthmus;
using namespace isthmus::radial;
using isthmus::geometry::Point;

namespace {

double linear(const Point& x) {
  return 2 + x[0] - 3 * x[1] + 0.5 * x[2];
}

ISTHMUS_MULTIVERSION double squares(const double* x, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += x[i] * x[i];
  }
  return sum;
}

/// Of a wavy sheet.
double height(const Point& x) {
  return 0.2 * std::sin(3 * x[0] + 2 * x[1]);
}

std::vector<LocalIndex> numbers_up_to(std::size_t count) {
  std::vector<LocalIndex> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<Point> part_around(std::span<const Point> asking, std::span<const Point> whole,
                               double margin) {
  std::vector<Point> part;
  for (const Point& point : whole) {
    if (std::any_of(asking.begin(), asking.end(),
                    [&](const Point& asks) { return mapping::distance(asks, point) <= margin; })) {
      part.push_back(point);
    }
  }
  return part;
}

struct FoundClusters {
  const ServingClusters& clusters;
  std::span<const Point> points; // of which these are

  [[nodiscard]] std::vector<std::size_t> serving() const {
    std::vector<std::size_t> all;
    for (std::size_t c = 0; c < clusters.clusters.all.size(); ++c) {
      if (!clusters.shares.points_of(c).empty()) {
        all.push_back(c);
      }
    }
    return all;
  }
};

void check_same(const FoundClusters& a, const FoundClusters& b) {
  const std::vector<std::size_t> of_a = a.serving();
  const std::vector<std::size_t> of_b = b.serving();
  REQUIRE(of_a.size() == of_b.size());
  for (std::size_t k = 0; k < of_a.size(); ++k) {
    const Cluster& one = a.clusters.clusters.all[of_a[k]];
    const Cluster& other = b.clusters.clusters.all[of_b[k]];
    CHECK(one.center == other.center);
    CHECK(one.radius == other.radius);
    REQUIRE(one.members.size() == other.members.size());
    for (std::size_t m = 0; m < one.members.size(); ++m) {
      CHECK(a.points[static_cast<std::size_t>(one.members[m])] ==
            b.points[static_cast<std::size_t>(other.members[m])]);
    }
    CHECK(std::ranges::equal(a.clusters.shares.points_of(of_a[k]),
                             b.clusters.shares.points_of(of_b[k])));
    CHECK(std::ranges::equal(a.clusters.shares.parts_of(of_a[k]),
                             b.clusters.shares.parts_of(of_b[k])));
  }
}

} // namespace

TEST_CASE("centers are apart from each other, and every point is near one") {
  auto points = draw(3000, 1);
  for (Point& point : points) { // much denser at x = 0
    point[0] = std::pow(point[0], 3);
  }
  std::sort(points.begin(), points.end());
  const geometry::PointIndex index(3, mapping::flat(points));
  const std::vector<double> away(points.size(), 0.0);
  const Centers centers = choose_centers(points, index, 12, away);
  CHECK(std::is_sorted(centers.chosen.begin(), centers.chosen.end()));
  CHECK(centers.chosen.size() > points.size() / 20);
  CHECK(centers.chosen.size() < points.size() / 6);
  const auto distance = [&](LocalIndex a, LocalIndex b) {
    return mapping::distance(points[static_cast<std::size_t>(a)],
                             points[static_cast<std::size_t>(b)]);
  };
  const auto limit = [&](LocalIndex a, LocalIndex b) {
    return centers_apart * std::min(centers.spacing[static_cast<std::size_t>(a)],
                                    centers.spacing[static_cast<std::size_t>(b)]);
  };
  for (LocalIndex i = 0; i < static_cast<LocalIndex>(points.size()); ++i) {
    std::vector<LocalIndex> nearest;
    index.nearest(points[static_cast<std::size_t>(i)], 12, nearest);
    CHECK(centers.spacing[static_cast<std::size_t>(i)] == distance(i, nearest.back()));
    const auto is_near = [&](LocalIndex c) { return c == i || distance(i, c) < limit(i, c); };
    const auto count = std::count_if(centers.chosen.begin(), centers.chosen.end(), is_near);
    CHECK(count >= 1);
    if (std::binary_search(centers.chosen.begin(), centers.chosen.end(), i)) {
      CHECK(count == 1);
    }
  }
}

TEST_CASE("clusters of a part are those of the whole, where nothing is missed that they need") {
  // a square; wavy sheets, graded, or with half of their points in a small patch
  for (const auto& [power, patch, x] : {std::tuple(1, 1.0, 0.5), std::tuple(2, 1.0, 0.5),
                                        std::tuple(6, 1.0, 0.0), std::tuple(2, 0.03, 0.5)}) {
    const bool even = power == 1;
    auto whole = draw(6000, 5);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      Point& point = whole[i];
      point[0] = std::pow(point[0], power);
      for (std::size_t k = 0; k < 2 && i % 2 == 0 && patch < 1; ++k) {
        point[k] = (k == 0 ? 0.52 : 0.42) + patch * point[k];
      }
      point[2] = even ? 0.0 : height(point);
    }
    std::sort(whole.begin(), whole.end());
    auto asking = draw(200, 6);
    for (Point& point : asking) {
      point = {x + 0.1 * point[0], 0.4 + 0.1 * point[1], 0.0};
      point[2] = even ? 0.0 : height(point);
    }
    asking.push_back({x + 0.05, 0.45, asking[0][2] + 0.2}); // in no ball
    const std::vector<LocalIndex> numbers = numbers_up_to(whole.size());
    const PartitionSettings settings;
    const int dimensions = even ? 2 : 3;
    const auto of_all =
        make_clusters_for(asking, {dimensions, whole, numbers}, settings, 1, nullptr);
    REQUIRE(of_all.clusters.even == even);
    const comm::Comm alone;
    const WholeCloud known = survey(alone, dimensions, whole, settings);
    CHECK(known.is_even == even);
    CHECK(known.num_points == 6000);
    double margin = 0.01;
    std::vector<Point> part;
    ServingClusters found;
    for (int rounds = 0; found.clusters.all.empty() || found.needed > margin; ++rounds) {
      REQUIRE(rounds < 20);
      margin =
          found.clusters.all.empty() ? 2 * margin : std::min(found.needed * (1 + 1e-9), 4 * margin);
      part = part_around(asking, whole, margin);
      if (!part.empty()) {
        found = make_clusters_for(asking, {dimensions, part, numbers_up_to(part.size())}, settings,
                                  1, &known);
      }
    }
    CHECK(part.size() < whole.size());
    check_same({found, part}, {of_all, whole});
  }
}

TEST_CASE(
    "points that lie elsewhere change no clusters of a part, nor are clusters made for them") {
  for (const bool even : {true, false}) {
    auto whole = draw(6000, 5);
    auto asking = draw(200, 6);
    for (Point& point : whole) {
      point[0] = even ? point[0] : point[0] * point[0];
      point[2] = even ? 0.0 : height(point);
    }
    for (Point& point : asking) {
      point = {0.3 + 0.1 * point[0], 0.4 + 0.1 * point[1], 0.0};
      point[2] = even ? 0.0 : height(point);
    }
    std::sort(whole.begin(), whole.end());
    const PartitionSettings settings;
    const int dimensions = even ? 2 : 3;
    const WholeCloud known = survey(comm::Comm(), dimensions, whole, settings);
    REQUIRE(known.is_even == even);
    const auto found_in = [&](std::span<const Point> part) {
      const std::vector<LocalIndex> numbers = numbers_up_to(part.size());
      return make_clusters_for(asking, {dimensions, part, numbers}, settings, 1, &known);
    };
    double margin = 3 * known.radius;
    while (found_in(part_around(asking, whole, margin)).needed > margin) {
      margin *= 1.1;
    }
    const std::vector<Point> around = part_around(asking, whole, margin);
    std::vector<Point> with_others = around;
    for (std::size_t i = 0; i < whole.size(); i += 8) { // a share, whatever its place
      with_others.push_back(whole[i]);
    }
    std::sort(with_others.begin(), with_others.end());
    with_others.erase(std::unique(with_others.begin(), with_others.end()), with_others.end());
    REQUIRE(with_others.size() > around.size() + 100);
    const ServingClusters alone = found_in(around);
    const ServingClusters beside = found_in(with_others);
    CHECK(beside.needed <= margin);
    check_same({beside, with_others}, {alone, around});
    if (even) {
      const auto grid = ClusterGrid::make(dimensions, known.box, known.radius,
                                          settings.relative_overlap, known.num_points);
      CHECK(3 * static_cast<std::int64_t>(beside.clusters.all.size()) < grid->num_places());
    }
  }
}

TEST_CASE("a ball is filled with the nearest points, or with all within its radius") {
  auto points = draw(600, 8);
  points.insert(points.end(), {{2, 2, 2}, {2, 2, 2.5}, {2, 2, 1.5}}); // two equally near
  std::sort(points.begin(), points.end());
  const geometry::PointIndex index(3, mapping::flat(points));
  for (const std::size_t wanted : {2, 50, 603, 604}) {
    BallFiller filler(index, wanted);
    for (const auto& [around, radius, spacing] :
         {std::tuple(points[300], 0.1, 0.2), std::tuple(points[7], 0.4, 1e-3),
          std::tuple(Point{2, 2, 2}, 0.1, 5.0), std::tuple(Point{-1, 0, 3}, 0.1, 0.1)}) {
      const auto distance = [&, from = around](LocalIndex id) {
        return mapping::distance(from, points[static_cast<std::size_t>(id)]);
      };
      std::vector<LocalIndex> expected;
      index.nearest(around, wanted, expected);
      const double farthest = distance(expected.back());
      if (expected.size() == wanted && farthest < radius) {
        index.within(around, radius, expected);
      }
      std::sort(expected.begin(), expected.end());
      Cluster cluster{around, radius, {1, 2, 3}};
      const double reach = filler.fill(around, spacing, cluster);
      CHECK(cluster.members == expected);
      CHECK(reach == (wanted <= 603 ? std::max(farthest, radius) : geometry::Box::infinity));
    }
  }
}

TEST_CASE("a point is served from no farther away than it may be") {
  const std::vector<Cluster> clusters{{{0, 0, 0}, 1, {}}, {{1, 0, 0}, 4, {}}};
  const std::vector<Point> points{{0.5, 0, 0}, {0.9, 0, 0}};
  const geometry::PointIndex index(3, mapping::flat(points));
  const ClusterWeights all = weigh(clusters, points, index);
  CHECK(all.clusters == std::vector<LocalIndex>{0, 1, 0, 1});
  const ClusterWeights limited = weigh(clusters, points, index, std::vector<double>{0.4, 0.7});
  CHECK(limited.clusters == std::vector<LocalIndex>{0, 1}); // the first one of the nearest
  CHECK(limited.parts == std::vector<double>{1, 1});
  CHECK(limited.outside == std::vector<LocalIndex>{0});
  const double infinite = geometry::Box::infinity;
  CHECK(weigh(clusters, points, index, std::vector<double>{infinite, infinite}).parts == all.parts);
}

TEST_CASE("clusters follow each other along a curve") {
  std::vector<Cluster> clusters;
  for (const Point& center : draw(500, 9)) {
    clusters.push_back({center, 1, {}});
  }
  const std::vector<LocalIndex> order = along_curve(clusters);
  std::vector<LocalIndex> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == numbers_up_to(500));
  const auto path = [&](const std::vector<LocalIndex>& ids) { // its length
    double sum = 0;
    for (std::size_t i = 1; i < ids.size(); ++i) {
      sum += mapping::distance(clusters[static_cast<std::size_t>(ids[i - 1])].center,
                               clusters[static_cast<std::size_t>(ids[i])].center);
    }
    return sum;
  };
  CHECK(path(order) < 0.5 * path(sorted));
  CHECK(along_curve({}).empty());
}

TEST_CASE("clusters share every point, and its shares sum to one") {
  const auto centers = draw(800, 2);
  auto points = draw(90, 3);
  points.push_back({9, 9, 9}); // in no ball
  const std::vector<LocalIndex> numbers = numbers_up_to(centers.size());
  const auto clusters = all_clusters({3, centers, numbers}, {}).all;
  REQUIRE(clusters.size() > 4);
  const ClusterWeights shares = weigh(clusters, points);
  CHECK(shares.outside == std::vector<LocalIndex>{90});
  std::vector<double> sums(points.size());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (std::size_t k = 0; k < shares.points_of(c).size(); ++k) {
      const auto i = static_cast<std::size_t>(shares.points_of(c)[k]);
      sums[i] += shares.parts_of(c)[k];
      double distance2 = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        distance2 += std::pow(points[i][d] - clusters[c].center[d], 2);
      }
      CHECK((i + 1 == points.size() || std::sqrt(distance2) < clusters[c].radius));
    }
  }
  for (const double sum : sums) {
    CHECK(sum == doctest::Approx(1).epsilon(1e-14));
  }
}

TEST_CASE("weights give back the values at centers, and linear functions where there are terms") {
  const auto centers = draw(21, 4);
  auto points = draw(11, 5);
  points.insert(points.end(), centers.begin(), centers.end());
  for (const Polynomial polynomial : {Polynomial::off, Polynomial::separate}) {
    const RadialBasisSettings settings{
        .function = {RadialFunction::Kind::compact_polynomial_c4, 1.5},
        .polynomial = polynomial,
        .place = "<mapping>"};
    const auto rows = RadialInterpolant(settings, centers).weights(points);
    REQUIRE(rows.size() == points.size() * centers.size());
    ClusterInterpolant cluster(settings, LinearFit::plain);
    cluster.factor(draw(5, 6)); // it may be used again
    cluster.factor(centers);
    CHECK(!cluster.is_flat());
    std::vector<double> doubled(rows.size());
    cluster.weights(points, std::vector<double>(points.size(), 2), doubled);
    for (std::size_t p = 0; p < points.size(); ++p) {
      double at_point = 0;
      for (std::size_t c = 0; c < centers.size(); ++c) {
        const double weight = rows[p * centers.size() + c];
        CHECK(std::abs(doubled[p * centers.size() + c] - 2 * weight) < 1e-9);
        at_point += weight * linear(centers[c]);
        if (p >= 11) {
          CHECK(std::abs(weight - (c == p - 11 ? 1 : 0)) < 1e-9);
        }
      }
      if (polynomial == Polynomial::separate) {
        CHECK(at_point == doctest::Approx(linear(points[p])).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("matrices without factors are refused with the place of the mapping") {
  const RadialBasisSettings settings{.function = {}, .place = "<mapping> in line 7"};
  check_definite(settings, true, 3);
  check_regular(settings, true, 3);
  CHECK(message_of([&] { check_definite(settings, false, 3); }).find("line 7") !=
        std::string::npos);
  CHECK(message_of([&] { check_regular(settings, false, 3); }).find("line 7") != std::string::npos);
  auto twice = draw(4, 7);
  twice.push_back(twice[1]);
  CHECK(message_of([&] { const RadialInterpolant one(settings, twice); }) != "no error");
}

TEST_CASE("functions for several processors compute what they say") {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8, 9};
  CHECK(squares(x.data(), x.size()) == 285);
}
