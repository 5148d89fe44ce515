// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/joined_rows.hpp"

#include "radial/all_clusters.hpp"
#include "radial/random_points.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <vector>

using namespace isthmus;
using namespace isthmus::radial;

namespace {

/// Some number for each.
double weight_of(std::size_t cluster, std::size_t k) {
  return std::sin(static_cast<double>(3 * cluster + k));
}

/// Compares with sums over the clusters of each point.
void check_rows(std::span<const Cluster> clusters, const ClusterWeights& shares,
                std::span<const LocalIndex> vertices) {
  JoinedRows rows(clusters, shares, vertices);
  std::vector<std::map<LocalIndex, double>> exact(shares.begins_of_points.size() - 1);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    std::vector<double> weights;
    for (const LocalIndex point : shares.points_of(c)) {
      for (const LocalIndex member : clusters[c].members) {
        weights.push_back(weight_of(c, weights.size()));
        exact[static_cast<std::size_t>(point)][vertices[static_cast<std::size_t>(member)]] +=
            weights.back();
      }
    }
    REQUIRE(rows.num_weights(c) == weights.size());
    rows.add(c, weights);
  }
  const mapping::Interpolation found = rows.take();
  REQUIRE(found.counts.size() == exact.size());
  REQUIRE(found.distances2.size() == exact.size());
  std::size_t k = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    REQUIRE(static_cast<std::size_t>(found.counts[i]) == exact[i].size());
    for (LocalIndex n = 0; n < found.counts[i]; ++n, ++k) {
      const auto at = exact[i].find(found.columns[k]);
      wrong += at == exact[i].end() || at->second != found.weights[k] ? 1 : 0;
    }
  }
  CHECK(k == found.weights.size());
  CHECK(wrong == 0);
}

std::vector<LocalIndex> numbered(std::size_t count) {
  std::vector<LocalIndex> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

} // namespace

TEST_CASE("the rows of clusters are joined with one entry per column, and the bits of sums") {
  const auto centers = draw(700, 2);
  const std::vector<LocalIndex> numbers = numbered(centers.size());
  std::vector<LocalIndex> vertices = numbers;
  for (LocalIndex& vertex : vertices) {
    vertex = 2 * vertex + 1;
  }
  auto points = draw(130, 3);
  points.push_back({9, 9, 9}); // in no ball
  const auto clusters = all_clusters({3, centers, numbers}, {}).all;
  REQUIRE(clusters.size() > 4);
  check_rows(clusters, weigh(clusters, points), vertices);
}

TEST_CASE("rows of very many columns are joined, too") {
  constexpr std::size_t many = 40'000;
  const std::vector<LocalIndex> all = numbered(many + 5);
  const std::vector<Cluster> clusters{{{0, 0, 0}, 1.0, {all.begin() + 5, all.end()}},
                                      {{0.5, 0, 0}, 1.0, {all.begin(), all.end() - 5}}};
  const std::vector<geometry::Point> points{{0.1, 0, 0}, {0.4, 0, 0}};
  const ClusterWeights shares = weigh(clusters, points);
  REQUIRE(shares.clusters.size() == 4); // both serve both
  check_rows(clusters, shares, all);
}
