// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/time/spline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using isthmus::time::spline_weights;

namespace {

void check_weights(const std::vector<double>& weights, const std::vector<double>& expected) {
  REQUIRE(weights.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(weights[i] == doctest::Approx(expected[i]).epsilon(1e-12).scale(1));
  }
}

std::vector<double> random_times(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> step(0.1, 2);
  std::vector<double> times{-3};
  while (times.size() < count) {
    times.push_back(times.back() + step(engine));
  }
  return times;
}

/// The weights of the polynomial through all samples.
std::vector<double> lagrange_weights(const std::vector<double>& times, double time) {
  std::vector<double> weights(times.size(), 1);
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (std::size_t j = 0; j < times.size(); ++j) {
      weights[i] *= i == j ? 1 : (time - times[j]) / (times[i] - times[j]);
    }
  }
  return weights;
}

} // namespace

TEST_CASE("weights of degree 1 are those of the two samples around") {
  const std::vector<double> times{1, 2, 4, 5};
  check_weights(spline_weights(times, 1, 1), {1, 0, 0, 0});
  check_weights(spline_weights(times, 2.5, 1), {0, 0.75, 0.25, 0});
  check_weights(spline_weights(times, 4, 1), {0, 0, 1, 0});
  check_weights(spline_weights(times, 5, 1), {0, 0, 0, 1});
}

TEST_CASE("weights of degree 2 through four samples, by hand") {
  // knots 0 0 0 1.5 3 3 3: the inner one is the mean of the two samples in the middle
  const std::vector<double> times{0, 1, 2, 3};
  check_weights(spline_weights(times, 1.5, 2), {-1. / 16, 9. / 16, 9. / 16, -1. / 16});
  check_weights(spline_weights(times, 0.75, 2), {9. / 64, 63. / 64, -9. / 64, 1. / 64});
  check_weights(spline_weights(times, 2.25, 2), {1. / 64, -9. / 64, 63. / 64, 9. / 64});
}

TEST_CASE("a spline through one sample more than its degree is the polynomial of Lagrange") {
  for (int degree = 1; degree <= 5; ++degree) {
    const std::vector<double> times =
        random_times(static_cast<std::size_t>(degree) + 1, static_cast<unsigned>(degree));
    for (double s = 0; s <= 1; s += 0.125) {
      const double time = times.front() + s * (times.back() - times.front());
      check_weights(spline_weights(times, time, degree), lagrange_weights(times, time));
    }
  }
}

TEST_CASE("weights have the sum one, and none of others where a sample stands") {
  const std::vector<double> times = random_times(9, 7);
  for (int degree = 1; degree <= 8; ++degree) {
    for (double s = 0; s <= 1; s += 0.0625) {
      const std::vector<double> weights =
          spline_weights(times, times.front() + s * (times.back() - times.front()), degree);
      CHECK(std::accumulate(weights.begin(), weights.end(), 0.0) == doctest::Approx(1));
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
      std::vector<double> expected(times.size(), 0);
      expected[i] = 1;
      check_weights(spline_weights(times, times[i], degree), expected);
    }
  }
}

TEST_CASE("where time begins and in what it is measured does not change the weights") {
  const std::vector<double> times = random_times(7, 11);
  std::vector<double> scaled;
  for (const double time : times) {
    scaled.push_back(1e6 * time + 5e7);
  }
  for (const double s : {0.1, 0.5, 0.83}) {
    const double time = times.front() + s * (times.back() - times.front());
    check_weights(spline_weights(scaled, 1e6 * time + 5e7, 3), spline_weights(times, time, 3));
  }
}

TEST_CASE("weights of thousands of samples are exact for polynomials and those of samples around") {
  const std::vector<double> times = random_times(6400, 13);
  const auto scaled = [&times](double t) {
    return 2 * (t - times.front()) / (times.back() - times.front()) - 1;
  };
  for (const int degree : {2, 3, 5}) {
    for (const std::size_t at : {std::size_t{0}, std::size_t{3000}, times.size() - 2}) {
      const double time = 0.3 * times[at] + 0.7 * times[at + 1];
      const std::vector<double> weights = spline_weights(times, time, degree);
      double polynomial = 0;
      for (std::size_t i = 0; i < times.size(); ++i) {
        polynomial += weights[i] * std::pow(scaled(times[i]), degree);
      }
      CHECK(std::accumulate(weights.begin(), weights.end(), 0.0) == doctest::Approx(1));
      CHECK(polynomial == doctest::Approx(std::pow(scaled(time), degree)).epsilon(1e-10).scale(1));
      const std::size_t first = at < 100 ? 0 : std::min(at - 100, times.size() - 200);
      const std::vector<double> around(times.begin() + static_cast<std::ptrdiff_t>(first),
                                       times.begin() + static_cast<std::ptrdiff_t>(first) + 200);
      const std::vector<double> near = spline_weights(around, time, degree);
      for (std::size_t i = 0; i < near.size(); ++i) {
        CHECK(std::abs(weights[first + i] - near[i]) < 1e-9); // the farther away, the smaller
      }
    }
  }
}
