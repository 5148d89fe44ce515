// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/collective.hpp"
#include "isthmus/la/csr.hpp"
#include "isthmus/la/dense.hpp"
#include "isthmus/la/diagonal.hpp"
#include "isthmus/la/krylov/basis.hpp"
#include "isthmus/la/krylov/hessenberg.hpp"
#include "isthmus/la/krylov/iteration.hpp"
#include "isthmus/la/krylov/stopping.hpp"
#include "problems.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;
using namespace isthmus::la;

namespace {

double entry(std::size_t i, std::size_t j) {
  return std::sin(static_cast<double>(3 * i + 7 * j + 1));
}

std::string_view reason(Stopping& stopping) {
  Report report;
  stopping.report_to(report);
  return name(report.reason);
}

} // namespace

TEST_CASE("sums over vectors of a basis are those of plain loops, for any number and any rows") {
  for (const std::size_t count : {1, 2, 3, 7, 8, 17}) {
    for (const std::size_t length : {1, 2, 9, 300}) {
      Basis basis(count, length);
      std::vector<double> w(length), other(length), factors(count);
      for (std::size_t i = 0; i < length; ++i) {
        w[i] = entry(i, 30);
        other[i] = entry(i, 31);
        for (std::size_t j = 0; j < count; ++j) {
          basis[j][i] = entry(i, j);
          factors[j] = entry(99, j);
        }
      }
      std::vector<double> products(count), of_other(count), single(count), sum = w;
      basis.in_blocks([&](std::size_t first, std::size_t last) {
        basis.add_products(w, single, first, last);
        basis.add_products(w, products, other, of_other, first, last);
        basis.add_to(sum, factors, first, last);
      });
      for (std::size_t j = 0; j < count; ++j) {
        double exact = 0;
        double exact_other = 0;
        for (std::size_t i = 0; i < length; ++i) {
          exact += entry(i, j) * w[i];
          exact_other += entry(i, j) * other[i];
        }
        CHECK(std::abs(single[j] - exact) < 1e-12);
        CHECK(std::abs(products[j] - exact) < 1e-12);
        CHECK(std::abs(of_other[j] - exact_other) < 1e-12);
      }
      for (std::size_t i = 0; i < length; ++i) {
        double exact = w[i];
        for (std::size_t j = 0; j < count; ++j) {
          exact += factors[j] * entry(i, j);
        }
        CHECK(std::abs(sum[i] - exact) < 1e-12);
      }
    }
  }
}

TEST_CASE("the columns of GMRES are solved as least squares, with the residual of each step") {
  constexpr std::size_t most = 6;
  constexpr double norm = 2.5;
  Hessenberg matrix(most);
  matrix.start(norm);
  std::vector<double> dense; // columns of most + 1 rows
  for (std::size_t k = 0; k < most; ++k) {
    const auto column = matrix.column();
    REQUIRE(column.size() == k + 2);
    std::vector<double> whole(most + 1);
    for (std::size_t i = 0; i < column.size(); ++i) {
      whole[i] = column[i] = entry(i, k) + (i == k ? 3 : 0);
    }
    dense.insert(dense.end(), whole.begin(), whole.end());
    std::vector<double> rest(most + 1);
    rest[0] = norm;
    std::vector<double> x = pseudo_inverse(dense, most + 1, k + 1, 1e-14).inverse;
    x.resize(k + 1); // its first column
    for (std::size_t j = 0; j <= k; ++j) {
      x[j] *= norm;
      for (std::size_t i = 0; i <= most; ++i) {
        rest[i] -= dense[j * (most + 1) + i] * x[j];
      }
    }
    CHECK(matrix.take_column() == doctest::Approx(std::sqrt(local_dot(rest, rest))));
    CHECK(!matrix.is_singular());
    if (k + 1 == most) {
      const auto solution = matrix.solve();
      for (std::size_t j = 0; j < most; ++j) {
        CHECK(solution[j] == doctest::Approx(x[j]));
      }
    }
  }
  matrix.start(1);
  CHECK(matrix.num_columns() == 0);
  std::fill(matrix.column().begin(), matrix.column().end(), 0);
  (void)matrix.take_column();
  CHECK(matrix.is_singular());
}

TEST_CASE("the test for the end says why it is reached") {
  const Settings settings{
      .relative = 1e-3, .max_iterations = 5, .limits = {.stagnation = 2, .divergence = 10}};
  const auto judged = [&settings](std::initializer_list<double> norms) {
    Stopping stopping(settings);
    stopping.set_reference(2);
    bool ends = false;
    bool first = true;
    for (const double norm : norms) {
      CHECK(!ends); // not before the last
      ends = first ? stopping.starts_at(norm) : stopping.ends_at(norm);
      first = false;
    }
    CHECK(ends == stopping.ended());
    CHECK(stopping.iterations() == static_cast<int>(norms.size()) - 1);
    return ends ? reason(stopping) : "goes on";
  };
  CHECK(judged({2, 1, 0.5}) == "goes on");
  CHECK(judged({2, 2.1e-3, 2e-3}) == "converged");
  CHECK(judged({2, 1, 1.1, 1.2}) == "stagnated");
  CHECK(judged({2, 21}) == "diverged");
  CHECK(judged({2, 1, 0.9, 0.8, 0.7, 0.6}) == "max_iterations");
  CHECK(judged({2, std::nan("")}) == "not_finite");
}

TEST_CASE("an end may be a share of the first residual, and have to wait for some iterations") {
  const Settings settings{.relative = 1e-9, .limits = {.of_first = 0.1, .min_iterations = 2}};
  Stopping stopping(settings);
  stopping.set_reference(2);
  CHECK(!stopping.starts_at(40));
  CHECK(stopping.limit() == 4.0);
  CHECK(!stopping.ends_at(3)); // below the limit, but one iteration is too few
  CHECK(stopping.ends_at(4));
  CHECK(reason(stopping) == "converged");
}

TEST_CASE("matrices of either sign end where the sign changes") {
  const Settings settings{.known = {.either_sign = true}};
  Stopping negative(settings);
  CHECK(!negative.is_not_positive(-3));
  CHECK(!negative.is_not_positive(-1));
  CHECK(negative.is_not_positive(2));
  CHECK(reason(negative) == "indefinite");
  Stopping positive(settings);
  CHECK(!positive.is_not_positive(1));
  CHECK(positive.is_not_positive(-1));
  Stopping none(settings);
  CHECK(none.is_not_positive(-0.0));
  CHECK(reason(none) == "broke_down");
}

TEST_CASE("divisors and products of definite matrices end an iteration where they have to") {
  const Settings settings;
  const auto of = [&settings](auto&& test, bool ends) {
    Stopping stopping(settings);
    CHECK(test(stopping) == ends);
    CHECK(stopping.ended() == ends);
    return ends ? reason(stopping) : "";
  };
  CHECK(of([](Stopping& s) { return s.is_not_positive(1); }, false) == "");
  CHECK(of([](Stopping& s) { return s.is_not_positive(-1); }, true) == "indefinite");
  CHECK(of([](Stopping& s) { return s.is_not_positive(0); }, true) == "broke_down");
  CHECK(of([](Stopping& s) { return s.vanishes(-2); }, false) == "");
  CHECK(of([](Stopping& s) { return s.vanishes(0); }, true) == "broke_down");
  CHECK(of([](Stopping& s) { return s.vanishes(std::nan("")); }, true) == "not_finite");
}

TEST_CASE("a monitor sees every residual, and ends the iteration") {
  Settings settings{.relative = 0};
  std::vector<double> seen;
  settings.monitor.progress = [&seen](int iteration, double residual) {
    CHECK(iteration == static_cast<int>(seen.size()));
    seen.push_back(residual);
    return iteration < 2;
  };
  Stopping stopping(settings);
  stopping.set_reference(0); // the first residual takes its place
  CHECK(!stopping.starts_at(4));
  CHECK(!stopping.ends_at(2));
  CHECK(stopping.ends_at(1));
  Report report;
  stopping.report_to(report);
  CHECK(name(report.reason) == "stopped");
  CHECK(seen == std::vector<double>{1, 0.5, 0.25});
  CHECK(report.residuals == seen);
  CHECK(report.iterations == 2);
}

TEST_CASE("an iteration counts its products, and reports the residual of x by its definition") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, testing::diffusion(comm, 12, 10));
  Identity identity;
  const auto b = testing::noise(matrix);
  std::vector<double> x(b.size(), 0.25);
  const Settings settings;
  Iteration it(matrix, identity, b, x, settings, 4);
  const auto r = it.vector();
  it.subtract_product(r);
  it.precondition(r, it.vector());
  it.count_extra(2);
  it.stopping.end(Reason::stopped);
  const auto sums = it.sums({local_dot(r, r), local_dot(b, b)});
  const double residual = std::sqrt(sums[0] / sums[1]);
  const Report report = it.finish();
  CHECK(report.true_residual == doctest::Approx(residual).epsilon(1e-12));
  CHECK(report.products.applications == 1);
  CHECK(report.products.preconditionings == 1);
  CHECK(report.products.extra == 2);
  CHECK(name(report.reason) == "stopped");
}

TEST_CASE("sparse rows are added, merged, transposed and multiplied as dense ones") {
  GlobalRows rows;
  rows.add(3, 1);
  rows.add(1, 2);
  rows.add(3, 4);
  rows.end_row();
  rows.end_row();
  rows.add(0, -1);
  rows.end_row();
  const GlobalRows tidy = merged(rows);
  CHECK(tidy.offsets == std::vector<std::size_t>{0, 2, 2, 3});
  CHECK(tidy.columns == std::vector<GlobalIndex>{1, 3, 0});
  CHECK(tidy.values == std::vector<double>{2, 5, -1});
  RowSum sum;
  sum.add(2, 7);
  sum.add(0.5, tidy, 0);
  sum.add(2, 1);
  GlobalRows one;
  sum.end_row(one);
  CHECK(one.columns == std::vector<GlobalIndex>{1, 2, 3});
  CHECK(one.values == std::vector<double>{1, 8, 2.5});
  const Csr a{{0, 2, 2, 3}, {1, 3, 0}, {2, 5, -1}};
  const Csr turned = transposed(a, 4);
  CHECK(turned.offsets == std::vector<std::size_t>{0, 1, 2, 2, 3});
  CHECK(turned.columns == std::vector<LocalIndex>{2, 0, 0});
  CHECK(turned.values == std::vector<double>{-1, 2, 5});
  std::vector<double> y(3, 9);
  multiply(a, std::vector<double>{1, 10, 100, 1000}, y, 0, 3);
  CHECK(y == std::vector<double>{5020, 0, -1});
}
