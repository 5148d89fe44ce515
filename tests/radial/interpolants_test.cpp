// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/radial_interpolant.hpp"

#include "isthmus/base/exception.hpp"
#include "isthmus/radial/clusters/bisection.hpp"
#include "isthmus/radial/clusters/cluster_interpolant.hpp"
#include "isthmus/radial/clusters/cluster_weights.hpp"
#include "isthmus/radial/clusters/clusters.hpp"
#include "isthmus/radial/multiversion.hpp"
#include "message_of.hpp"
#include "radial/random_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
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

} // namespace

TEST_CASE("bisection deals all points to parts of nearly equal numbers") {
  auto points = draw(101, 1);
  std::fill(points.begin(), points.begin() + 20, points[0]); // equal places
  for (const std::size_t parts : {1, 2, 7}) {
    const auto found = bisect(points, parts);
    REQUIRE(found.size() == parts);
    std::set<LocalIndex> all;
    for (const auto& part : found) {
      CHECK(part.size() >= points.size() / parts - 1);
      CHECK(part.size() <= points.size() / parts + 2);
      CHECK(std::is_sorted(part.begin(), part.end()));
      all.insert(part.begin(), part.end());
    }
    CHECK(all.size() == points.size());
  }
}

TEST_CASE("clusters share every point, and its shares sum to one") {
  const auto centers = draw(800, 2);
  auto points = draw(90, 3);
  points.push_back({9, 9, 9}); // in no ball
  std::vector<LocalIndex> numbers(centers.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto clusters = make_clusters(3, centers, numbers, {}).all;
  REQUIRE(clusters.size() > 4);
  const ClusterWeights shares = weigh(clusters, points);
  CHECK(shares.num_outside == 1);
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
