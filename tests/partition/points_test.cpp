// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/points.hpp"

#include "isthmus/base/exception.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/partition/hilbert.hpp"
#include "partition/graphs.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>

using namespace isthmus;
using namespace isthmus::partition;

namespace {

struct Cloud {
  int dim;
  std::vector<double> coords;
  std::vector<GlobalIndex> weights;

  [[nodiscard]] Points points() const { return {dim, coords, weights}; }
};

// Random points, half of them on a coarse lattice, so that many share coordinates.
Cloud cloud(int dim, std::size_t count, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> place(-3.0, 5.0);
  std::uniform_int_distribution<GlobalIndex> weight(0, 9);
  Cloud result{dim, {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < dim; ++k) {
      const double x = place(engine);
      result.coords.push_back(i % 2 == 0 ? x : std::round(x));
    }
    result.weights.push_back(weight(engine));
  }
  return result;
}

Cloud piece(const comm::Comm& comm, const Cloud& whole) {
  return {whole.dim, graphs::piece(comm, whole.coords, static_cast<std::size_t>(whole.dim)),
          graphs::piece(comm, whole.weights)};
}

using Divide = std::function<std::vector<int>(const comm::Comm&, const Points&, int)>;

const std::vector<Divide> ways{[](const comm::Comm& comm, const Points& points, int parts) {
                                 return bisect(comm, points, parts);
                               },
                               [](const comm::Comm& comm, const Points& points, int parts) {
                                 return cut_curve(comm, points, parts, Curve::hilbert);
                               },
                               [](const comm::Comm& comm, const Points& points, int parts) {
                                 return cut_curve(comm, points, parts, Curve::morton);
                               }};

} // namespace

TEST_CASE("parts of points do not depend on the ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const int dim : {2, 3}) {
    const Cloud whole = cloud(dim, 700, static_cast<unsigned>(dim));
    const Cloud own = piece(comm, whole);
    for (const Divide& divide : ways) {
      for (const int parts : {1, 3, 64, comm.size() <= 4 ? 700 : 2}) {
        const std::vector<int> serial = divide(comm::Comm(), whole.points(), parts);
        CHECK(graphs::piece(comm, serial) == divide(comm, own.points(), parts));
      }
    }
  }
}

TEST_CASE("any number of parts has its share of the weight" * on_ranks(1, 1)) {
  const Cloud whole = cloud(3, 600, 7);
  const double mean = std::accumulate(whole.weights.begin(), whole.weights.end(), 0.0);
  for (const Divide& divide : ways) {
    for (int parts = 1; parts <= 130; ++parts) {
      const std::vector<int> of = divide(comm::Comm(), whole.points(), parts);
      std::vector<double> loads(static_cast<std::size_t>(parts), 0.0);
      std::vector<int> counts(loads.size(), 0);
      for (std::size_t i = 0; i < of.size(); ++i) {
        loads[static_cast<std::size_t>(of[i])] += static_cast<double>(whole.weights[i]);
        ++counts[static_cast<std::size_t>(of[i])];
      }
      CHECK(*std::min_element(counts.begin(), counts.end()) > 0);
      // each cut misses its place by half a point at most: 4.5, less and less on the way down
      CHECK(*std::max_element(loads.begin(), loads.end()) <= mean / parts + 9.0);
    }
  }
}

TEST_CASE("points in one place and without weight are dealt by number") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Cloud whole{2, std::vector<double>(80, 1.5), std::vector<GlobalIndex>(40, 0)};
  const Cloud own = piece(comm, whole);
  for (const Divide& divide : ways) {
    std::vector<int> expected(40);
    for (int i = 0; i < 40; ++i) {
      expected[static_cast<std::size_t>(i)] = i / 10;
    }
    CHECK(divide(comm, own.points(), 4) == graphs::piece(comm, expected));
  }
}

TEST_CASE("a bisection of a long box cuts across it" * on_ranks(1, 1)) {
  Cloud box{3, {}, {}};
  for (int i = 0; i < 32; ++i) {
    for (int j = 0; j < 4; ++j) {
      box.coords.insert(box.coords.end(), {double(i), double(j), 0.0});
    }
  }
  box.weights.assign(128, 1);
  const std::vector<int> of = bisect(comm::Comm(), box.points(), 8);
  for (std::size_t i = 0; i < of.size(); ++i) {
    CHECK(of[i] == static_cast<int>(i / 16));
  }
}

TEST_CASE("consecutive cells of the Hilbert curve are neighbours, and all of them are on it" *
          on_ranks(1, 1)) {
  for (const int dim : {2, 3}) {
    const int bits = 3;
    const std::uint32_t n = 1U << bits;
    std::vector<std::array<std::uint32_t, 3>> cells(dim == 3 ? n * n * n : n * n);
    std::vector<int> seen(cells.size(), 0);
    for (std::uint32_t k = 0; k < (dim == 3 ? n : 1); ++k) {
      for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t i = 0; i < n; ++i) {
          const std::uint64_t key = hilbert_key(dim, bits, {i, j, k});
          REQUIRE(key < cells.size());
          cells[key] = {i, j, k};
          ++seen[key];
        }
      }
    }
    CHECK(seen == std::vector<int>(cells.size(), 1));
    for (std::size_t c = 1; c < cells.size(); ++c) {
      int distance = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        distance += std::abs(static_cast<int>(cells[c][k]) - static_cast<int>(cells[c - 1][k]));
      }
      CHECK(distance == 1);
    }
  }
}

TEST_CASE("points that cannot be divided are refused on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto refused = [&](const Cloud& whole, int parts, const char* words) {
    const Cloud own = piece(comm, whole);
    for (const Divide& divide : ways) {
      std::string text;
      try {
        (void)divide(comm, own.points(), parts);
      } catch (const Error& error) {
        text = error.what();
      }
      CAPTURE(text);
      CHECK(text.find(words) != std::string::npos);
    }
  };
  Cloud whole = cloud(3, 9, 1);
  refused(whole, 0, "0 parts are asked for");
  refused(whole, 10, "10 parts are asked for of 9 points");
  whole.weights[8] = -1;
  refused(whole, 2, "point 8 has the negative weight -1");
  whole = cloud(3, 9, 1);
  whole.coords[25] = std::numeric_limits<double>::quiet_NaN();
  refused(whole, 2, "point 8 has the coordinate nan");
  const Cloud flat{2, piece(comm, cloud(2, 3, 1)).coords, {}};
  const std::vector<int> of = bisect(comm, flat.points(), 5, true);
  CHECK(comm::allgather(comm, std::span<const int>(of)).values.size() == 3);
}
