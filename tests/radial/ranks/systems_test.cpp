// SPDX-License-Identifier: BSD-3-Clause
// The parts of radial basis functions over all ranks.
#include "isthmus/radial/dense_factors.hpp"

#include "isthmus/base/exception.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/radial/block_cholesky.hpp"
#include "isthmus/radial/dealt_points.hpp"
#include "isthmus/radial/distributed_radial_basis.hpp"
#include "isthmus/radial/linear_terms.hpp"
#include "isthmus/radial/radial_interpolant.hpp"
#include "isthmus/radial/radial_system.hpp"
#include "radial/random_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace isthmus;
using namespace isthmus::radial;
using isthmus::comm::Comm;
using isthmus::geometry::Point;

namespace {

/// Those of this rank, in turn.
std::vector<Point> own(const Comm& comm, const std::vector<Point>& all) {
  std::vector<Point> mine;
  for (auto i = static_cast<std::size_t>(comm.rank()); i < all.size();
       i += static_cast<std::size_t>(comm.size())) {
    mine.push_back(all[i]);
  }
  return mine;
}

double wave(const Point& x) {
  return std::sin(3 * x[0]) + x[1] * x[2];
}

double linear(const Point& x) {
  return 2 + x[0] - 3 * x[1] + 0.5 * x[2];
}

template <typename F>
std::vector<double> values_at(const std::vector<Point>& points, F&& f) {
  std::vector<double> values;
  for (const Point& point : points) {
    values.push_back(f(point));
  }
  return values;
}

/// Row by row, of one rank.
double dot(const double* row, const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += row[i] * values[i];
  }
  return sum;
}

RadialBasisSettings settings_of(Polynomial polynomial) {
  return {.function = {RadialFunction::Kind::compact_polynomial_c4, 0.8},
          .polynomial = polynomial,
          .place = "<mapping> in line 7"};
}

bool throws(const auto& call) {
  try {
    call();
  } catch (const Error&) {
    return true;
  }
  return false;
}

} // namespace

TEST_CASE("factors that are dealt to ranks solve the system, definite or not") {
  const Comm comm(MPI_COMM_WORLD);
  const std::size_t count = 40 + 30 * static_cast<std::size_t>(comm.rank() % 2);
  for (const bool definite : {true, false}) {
    const BlockOrder order(comm, count);
    const std::size_t n = order.size();
    CHECK(n ==
          static_cast<std::size_t>(comm::allreduce(comm, static_cast<int>(count), comm::Op::sum)));
    const auto entry = [n, definite](std::size_t i, std::size_t j) {
      const double off = std::cos(static_cast<double>((i + 1) * (j + 1)));
      return i == j ? (definite ? static_cast<double>(n) : 0.1) : off;
    };
    const auto equations = order.equations(comm.rank());
    CHECK(equations.size() == order.num_columns(comm.rank()));
    std::vector<double> columns;
    for (const std::size_t j : equations) {
      for (std::size_t i = 0; i < n; ++i) {
        columns.push_back(entry(i, j));
      }
    }
    const DenseFactors factors(comm, order, definite, columns);
    REQUIRE(factors.is_regular());
    std::vector<double> x(2 * n);
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] = std::sin(static_cast<double>(k));
    }
    const std::vector<double> right = x;
    factors.solve(2, x);
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) {
          sum += entry(i, j) * x[k * n + j];
        }
        CHECK(sum == doctest::Approx(right[k * n + i]).epsilon(1e-8));
      }
    }
    const DenseFactors none(comm, order, definite, std::vector<double>(columns.size(), 1));
    CHECK(!none.is_regular());
  }
}

TEST_CASE("a linear polynomial is fitted to the centers of all ranks") {
  const Comm comm(MPI_COMM_WORLD);
  const auto all = draw(50, 1);
  const auto centers = own(comm, all);
  const auto points = own(comm, draw(20, 2));
  const LinearFrame frame = joint_frame(comm, centers);
  geometry::Box box;
  Point mean{};
  for (const Point& one : all) {
    box.expand(one);
    for (std::size_t d = 0; d < 3; ++d) {
      mean[d] += one[d] / static_cast<double>(all.size());
    }
  }
  CHECK(frame.scale == doctest::Approx(1 / box.longest_edge()));
  for (std::size_t d = 0; d < 3; ++d) {
    CHECK(frame.origin[d] == doctest::Approx(mean[d]));
  }
  CHECK(num_linear_terms({false, true, false}) == 3);
  CHECK(linear_terms(points, frame, {false, false, false}).size() == 4 * points.size());
  const LinearTerms terms(comm, settings_of(Polynomial::separate), centers, points);
  CHECK(terms.size() == 4);
  CHECK(terms.rank() == 4);
  const auto fit = terms.fit(1, values_at(centers, linear));
  std::vector<double> at_points(points.size(), 1);
  terms.add_at_points(fit, at_points);
  for (std::size_t p = 0; p < points.size(); ++p) {
    CHECK(at_points[p] == doctest::Approx(1 + linear(points[p])).epsilon(1e-12));
  }
  std::vector<double> rest = values_at(centers, linear);
  terms.add_at_centers(-1, fit, rest);
  for (const double value : rest) {
    CHECK(std::abs(value) < 1e-12);
  }
  CHECK(LinearTerms(comm, settings_of(Polynomial::off), centers, points).size() == 0);
}

TEST_CASE("systems over ranks interpolate and spread as dense rows on one do") {
  const Comm comm(MPI_COMM_WORLD);
  const auto all_centers = draw(60, 3);
  const auto all_points = draw(25, 4);
  const auto settings = settings_of(Polynomial::off);
  const auto rows = RadialInterpolant(settings, all_centers).weights(all_points);
  const auto values = values_at(all_centers, wave);
  const DealtPoints centers(comm, own(comm, all_centers));
  const auto points = own(comm, all_points);
  RadialBasisSettings iterative = settings;
  iterative.tolerance = 1e-12;
  for (const auto& system : {make_dense_system(comm, settings, centers, points),
                             make_sparse_system(comm, iterative, centers, points)}) {
    REQUIRE(system != nullptr);
    const auto found = system->interpolate(1, values_at(centers.points(), wave));
    REQUIRE(found.size() == points.size());
    double product = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const auto row = static_cast<std::size_t>(
          std::find(all_points.begin(), all_points.end(), points[p]) - all_points.begin());
      CHECK(found[p] == doctest::Approx(dot(&rows[row * values.size()], values)).epsilon(1e-7));
      product += found[p] * linear(points[p]);
    }
    const auto back = system->spread(1, values_at(points, linear));
    const auto at_centers = values_at(centers.points(), wave);
    double transposed = 0;
    for (std::size_t c = 0; c < back.size(); ++c) {
      transposed += back[c] * at_centers[c];
    }
    CHECK(comm::allreduce(comm, transposed, comm::Op::sum) ==
          doctest::Approx(comm::allreduce(comm, product, comm::Op::sum)).epsilon(1e-7));
    CHECK(system->num_entries() > 0);
  }
  CHECK(throws([&] { refuse_duplicates(settings, all_points[0]); }));
}

TEST_CASE("a distributed mapping takes centers and points from whoever has them") {
  const Comm comm(MPI_COMM_WORLD);
  const auto all_centers = draw(60, 5);
  const auto all_points = draw(25, 6);
  const auto settings = settings_of(Polynomial::separate);
  const auto rows = RadialInterpolant(settings, all_centers).weights(all_points);
  const auto values = values_at(all_centers, wave);
  const auto points = own(comm, all_points);
  const auto mapping =
      make_distributed_radial_basis(comm, settings, own(comm, all_centers), points);
  std::vector<double> found(points.size());
  mapping->interpolate(1, values_at(own(comm, all_centers), wave), found);
  for (std::size_t p = 0; p < points.size(); ++p) {
    const std::size_t row =
        static_cast<std::size_t>(comm.rank()) + p * static_cast<std::size_t>(comm.size());
    CHECK(found[p] == doctest::Approx(dot(&rows[row * values.size()], values)).epsilon(1e-9));
  }
}

TEST_CASE("the factors of a block solve it, sparse or dense") {
  const Comm alone;
  for (const std::size_t n : {10, 60}) {
    la::GlobalRows rows;
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) {
        rows.add(static_cast<GlobalIndex>(i - 1), -1);
      }
      rows.add(static_cast<GlobalIndex>(i), 2.5);
      if (i + 1 < n) {
        rows.add(static_cast<GlobalIndex>(i + 1), -1);
      }
      rows.end_row();
    }
    CHECK(BlockCholesky::is_dense(n, rows.num_entries()) == (n == 10));
    la::Matrix matrix = la::make_matrix(alone, rows);
    BlockCholesky factors(matrix, "<mapping>");
    std::vector<double> r(n), z(n), again(n);
    for (std::size_t i = 0; i < n; ++i) {
      r[i] = std::sin(static_cast<double>(i));
    }
    factors.apply(r, z);
    matrix.apply(z, again);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(again[i] == doctest::Approx(r[i]).epsilon(1e-12));
    }
  }
  la::GlobalRows rows;
  rows.add(0, -1);
  rows.end_row();
  const la::Matrix indefinite = la::make_matrix(alone, rows);
  CHECK(throws([&] { const BlockCholesky factors(indefinite, "<mapping>"); }));
}
