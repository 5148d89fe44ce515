// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/update.hpp"

#include "isthmus/acceleration/quasi_newton/gram.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <cmath>

using namespace isthmus;
using namespace isthmus::acceleration;

namespace {

constexpr std::size_t rows = 12;
constexpr std::size_t output_rows = 15;

double entry(std::size_t row, std::size_t column) {
  return std::sin(static_cast<double>(1 + row * (column + 2)));
}

/// Columns 0, 1, … the newest first, W with a sign of its own; the residual is column 9. The second
/// half of the rows is a block of its own.
Secants secants_of(std::initializer_list<std::size_t> columns) {
  Secants secants;
  secants.initialize({{0, 0, 0, 0, rows / 2}, {1, 1, 0, rows / 2, rows}}, rows, output_rows);
  std::vector<double> residual(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    residual[i] = entry(i, 9);
  }
  for (auto column = std::rbegin(columns); column != std::rend(columns); ++column) {
    const auto [v, w] = secants.push();
    for (std::size_t i = 0; i < output_rows; ++i) {
      w[i] = -entry(i, *column);
      if (i < rows) {
        v[i] = entry(i, *column);
      }
    }
    std::vector<Twofold> sums;
    secants.measure(residual, sums);
    secants.absorb(sums); // of one rank
  }
  return secants;
}

/// H(x) + W c from the least squares of Eigen; the second block counts `weight` times.
Eigen::VectorXd expected(std::initializer_list<std::size_t> columns, double weight) {
  Eigen::MatrixXd v(rows, columns.size());
  Eigen::MatrixXd w(output_rows, columns.size());
  Eigen::VectorXd r(rows);
  const auto fill = [&](Eigen::Index j, std::size_t column) {
    for (std::size_t i = 0; i < output_rows; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const double scale = i < rows / 2 ? 1 : weight;
      w(row, j) = -entry(i, column);
      if (i < rows) {
        v(row, j) = scale * entry(i, column);
        r(row) = scale * entry(i, 9);
      }
    }
  };
  Eigen::Index j = 0;
  for (const std::size_t column : columns) {
    fill(j++, column);
  }
  const Eigen::VectorXd c = v.colPivHouseholderQr().solve(-r);
  return Eigen::VectorXd::Constant(output_rows, 0.5) + w * c;
}

std::vector<double> written(const Update& step) {
  const std::vector<double> output(output_rows, 0.5);
  std::vector<double> one(4);
  std::vector<double> other(output_rows - 4);
  const std::vector<Iterate> fields{{{}, one}, {{}, other}};
  step.write(output, fields);
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

void check_step(const Update& step, const Eigen::VectorXd& oracle) {
  const std::vector<double> values = written(step);
  for (std::size_t i = 0; i < output_rows; ++i) {
    CHECK(values[i] == doctest::Approx(oracle(static_cast<Eigen::Index>(i))).epsilon(1e-12));
  }
}

} // namespace

TEST_CASE("a step is the least squares of the secants in the weighted norm") {
  Secants secants = secants_of({0, 1, 2});
  Update step;
  CHECK(step.solve(secants, std::vector<double>{1, 3}, {.filter_limit = 1e-12}) == 0);
  check_step(step, expected({0, 1, 2}, 3));
}

TEST_CASE("a step leaves out the columns that the filter deletes, and they are gone") {
  Secants secants = secants_of({0, 1, 0, 2});
  Update step;
  CHECK(step.solve(secants, std::vector<double>{1, 1}, {.filter_limit = 1e-6}) == 1);
  CHECK(secants.size() == 3);
  check_step(step, expected({0, 1, 2}, 1));
}

TEST_CASE("further columns of a step come with their coefficients") {
  Secants secants = secants_of({0});
  Update step;
  (void)step.solve(secants, std::vector<double>{1, 1}, {});
  const std::vector<double> further(output_rows, 2);
  step.add(std::vector<const double*>{further.data()}, std::vector<double>{-3});
  check_step(step, expected({0}, 1).array() - 6);
}

TEST_CASE("products of columns stay where slots are added") {
  Gram gram(2);
  const auto product = [](std::size_t block, std::size_t a, std::size_t b) {
    return static_cast<double>(100 * block + 10 * a + b);
  };
  std::size_t filled = 0;
  for (const std::size_t slots : {1, 8, 9, 40}) {
    gram.reserve(slots);
    for (std::size_t block = 0; block < 2; ++block) {
      for (std::size_t a = 0; a < slots; ++a) {
        for (std::size_t b = 0; b < slots; ++b) {
          if (a < filled && b < filled) {
            CHECK(gram.between(block, a, b).value == product(block, a, b));
          }
          gram.between(block, a, b) = {product(block, a, b), 0};
        }
      }
    }
    filled = slots;
  }
}
