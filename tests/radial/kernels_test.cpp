// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/kernels/kernels.hpp"

#include "isthmus/radial/kernels/cluster_rows.hpp"
#include "isthmus/radial/kernels/function_values.hpp"
#include "isthmus/radial/kernels/small_factors.hpp"
#include "message_of.hpp"
#include "radial/available_kernels.hpp"
#include "radial/random_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::radial;
using Kind = BasisKind;

namespace {

constexpr std::size_t most_terms = TermRows::most_terms;

/// As docs/mappings.md has them, with more digits.
long double plain(Kind kind, long double r, long double parameter) {
  const long double p = r / parameter;
  switch (kind) {
    case Kind::gaussian:
      return std::exp(-parameter * parameter * r * r);
    case Kind::multiquadrics:
      return std::sqrt(parameter * parameter + r * r);
    case Kind::inverse_multiquadrics:
      return 1 / std::sqrt(parameter * parameter + r * r);
    case Kind::thin_plate_splines:
      return r > 0 ? r * r * std::log(r) : 0;
    case Kind::volume_splines:
      return r;
    default:
      break;
  }
  if (p >= 1) {
    return 0;
  }
  switch (kind) {
    case Kind::compact_polynomial_c0:
      return std::pow(1 - p, 2);
    case Kind::compact_polynomial_c2:
      return std::pow(1 - p, 4) * (4 * p + 1);
    case Kind::compact_polynomial_c4:
      return std::pow(1 - p, 6) * (35 * p * p + 18 * p + 3);
    case Kind::compact_polynomial_c6:
      return std::pow(1 - p, 8) * (32 * p * p * p + 25 * p * p + 8 * p + 1);
    case Kind::compact_polynomial_c8:
      return std::pow(1 - p, 10) *
             (1287 * p * p * p * p + 1350 * p * p * p + 630 * p * p + 150 * p + 15);
    default:
      return 1 - 30 * p * p - 10 * p * p * p + 45 * std::pow(p, 4) - 6 * std::pow(p, 5) -
             (p > 0 ? 60 * p * p * p * std::log(p) : 0);
  }
}

/// Numbers in [-1, 1], the same each time.
std::vector<double> numbers(std::size_t count) {
  std::vector<double> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = std::sin(static_cast<double>(i * i + 1));
  }
  return result;
}

std::vector<LaneRow> lane_rows(std::size_t count) {
  const std::vector<double> values = numbers(count * lanes);
  std::vector<LaneRow> rows(count);
  std::copy(values.begin(), values.end(), rows.data()->of);
  return rows;
}

} // namespace

TEST_CASE("kernels of every set of instructions give the values of radial functions") {
  for (const auto& [name, kernels] : available_kernels()) {
    for (int number = 0; number <= static_cast<int>(Kind::volume_splines); ++number) {
      CAPTURE(name);
      CAPTURE(number);
      const auto kind = static_cast<Kind>(number);
      const bool cancels = kind == Kind::compact_polynomial_c8 || kind == Kind::compact_tps_c2;
      const double largest_term = cancels ? 15 : 1;
      std::vector<double> values;
      for (int i = 0; i < 203; ++i) { // also what fills no vector
        values.push_back(std::pow(0.01 * i, 2));
      }
      const std::vector<double> squares = values;
      kernels.apply(kind, 0.75, values.data(), values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        CAPTURE(i);
        const long double r = std::sqrt(static_cast<long double>(squares[i]));
        const auto exact = static_cast<double>(plain(kind, r, 0.75L));
        CHECK(std::abs(values[i] - exact) < 2e-15 * largest_term);
      }
    }
  }
}

TEST_CASE("exponentials of kernels keep all digits until they vanish") {
  for (const auto& [name, kernels] : available_kernels()) {
    CAPTURE(name);
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) {
      values.push_back(0.7 * i + 1e-3 * (i % 7));
    }
    const std::vector<double> squares = values;
    kernels.apply(Kind::gaussian, 1.0, values.data(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      CAPTURE(squares[i]);
      const double exact = std::exp(-squares[i]);
      CHECK(std::abs(values[i] - exact) <= (squares[i] < 708 ? 3e-16 * exact : 1e-300));
    }
    double far = 1e300;
    kernels.apply(Kind::gaussian, 1.0, &far, 1);
    CHECK(far == 0.0);
  }
}

TEST_CASE("kernels of every set of instructions find distances") {
  const auto points = draw(21, 5);
  std::vector<double> axes[3];
  for (const auto& point : points) {
    for (std::size_t k = 0; k < 3; ++k) {
      axes[k].push_back(point[k]);
    }
  }
  const CenterCoordinates centers{axes[0].data(), axes[1].data(), axes[2].data()};
  const auto distance2 = [&](std::size_t j, double x, double y, double z) {
    return std::pow(axes[0][j] - x, 2) + std::pow(axes[1][j] - y, 2) + std::pow(axes[2][j] - z, 2);
  };
  const std::vector<LaneRow> places = lane_rows(3);
  for (const auto& [name, kernels] : available_kernels()) {
    CAPTURE(name);
    std::vector<LaneRow> found(points.size());
    kernels.distances2_of_lanes(centers, places.data()->of, points.size(), found.data()->of);
    std::vector<double> of_one(points.size());
    const double one[] = {0.25, -0.5, 2.0};
    kernels.distances2(centers, one, points.size(), of_one.data());
    for (std::size_t j = 0; j < points.size(); ++j) {
      CHECK(of_one[j] == doctest::Approx(distance2(j, 0.25, -0.5, 2.0)).epsilon(1e-15));
      for (std::size_t l = 0; l < lanes; ++l) {
        CHECK(found[j].of[l] ==
              doctest::Approx(distance2(j, places[0].of[l], places[1].of[l], places[2].of[l]))
                  .epsilon(1e-15));
      }
    }
  }
}

TEST_CASE("kernels of every set of instructions correct weights by a polynomial") {
  const std::size_t size = 11;
  const std::vector<double> values = numbers(size * most_terms);
  const std::vector<double> fits = numbers(size * most_terms + 1);
  const std::vector<LaneRow> wanted = lane_rows(most_terms);
  const std::vector<LaneRow> before = lane_rows(size);
  for (const auto& [name, kernels] : available_kernels()) {
    for (std::size_t terms = 0; terms <= most_terms; ++terms) {
      CAPTURE(name);
      CAPTURE(terms);
      std::vector<LaneRow> weights = before;
      kernels.correct({terms, values.data(), fits.data(), size}, wanted.data()->of,
                      weights.data()->of);
      for (std::size_t l = 0; l < lanes; ++l) {
        for (std::size_t j = 0; j < size; ++j) {
          double exact = before[j].of[l];
          for (std::size_t t = 0; t < terms; ++t) {
            double missing = wanted[t].of[l];
            for (std::size_t k = 0; k < size; ++k) {
              missing -= values[k * most_terms + t] * before[k].of[l];
            }
            exact += fits[j * most_terms + t] * missing;
          }
          CHECK(weights[j].of[l] == doctest::Approx(exact).epsilon(1e-13));
        }
      }
    }
  }
}

TEST_CASE("kernels of every set of instructions make rows of lanes, and nothing beside them") {
  const std::vector<double> factors = numbers(lanes);
  for (const auto& [name, kernels] : available_kernels()) {
    for (const std::size_t size : {1UL, 3UL, 4UL, 10UL, 52UL}) {
      const std::vector<LaneRow> weights = lane_rows(size);
      for (std::size_t count = 1; count <= lanes; ++count) {
        CAPTURE(name);
        CAPTURE(size);
        CAPTURE(count);
        std::vector<double> rows(count * size + 1, -7.0);
        kernels.spread(weights.data()->of, size, factors.data(), count, rows.data());
        bool same = rows.back() == -7.0;
        for (std::size_t l = 0; l < count; ++l) {
          for (std::size_t j = 0; j < size; ++j) {
            same = same && rows[l * size + j] == factors[l] * weights[j].of[l];
          }
        }
        CHECK(same);
      }
    }
  }
}

TEST_CASE("sets of instructions are chosen by their names") {
  CHECK(&kernels_named("plain") == &plain_kernels());
  CHECK(&kernels_named("plain") == &kernels_of(Instructions::plain));
  const Instructions best = has(Instructions::avx512) ? Instructions::avx512
                            : has(Instructions::avx2) ? Instructions::avx2
                                                      : Instructions::plain;
  CHECK(&kernels_named(nullptr) == &kernels_of(best));
  CHECK(message_of([] { (void)kernels_named("sse"); }) ==
        "environment variable ISTHMUS_INSTRUCTIONS=\"sse\" is none of plain, avx2, avx512");
  if (!has(Instructions::avx512)) {
    CHECK(message_of([] { (void)kernels_named("avx512"); }) ==
          "environment variable ISTHMUS_INSTRUCTIONS=\"avx512\" names instructions that this "
          "processor "
          "does not have");
  }
}
