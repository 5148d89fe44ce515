// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/time/waveform.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using isthmus::LocalIndex;
using isthmus::time::Waveform;

namespace {

double at(const Waveform& wave, double time) {
  double value = 0;
  wave.evaluate(time, {}, 1, {&value, 1});
  return value;
}

template <typename F>
Waveform sampled(int degree, const std::vector<double>& times, F f) {
  Waveform wave(1, degree);
  for (double t : times) {
    wave.append(t)[0] = f(t);
  }
  return wave;
}

} // namespace

TEST_CASE("without samples a waveform is zero, with one it is constant") {
  Waveform wave(1, 1);
  CHECK(at(wave, 0.3) == 0);
  wave.append(1.0)[0] = 7;
  CHECK(at(wave, 0.0) == 7);
  CHECK(at(wave, 5.0) == 7);
}

TEST_CASE("a spline of degree p reproduces polynomials of degree p and is exact at samples") {
  const std::vector<double> times{0, 0.3, 0.45, 0.8, 1.0, 1.7};
  for (int degree = 1; degree <= 5; ++degree) {
    const auto f = [degree](double t) { return std::pow(t - 0.4, degree) + t; };
    const Waveform wave = sampled(degree, times, f);
    for (double t = 0; t <= 1.7; t += 0.05) {
      CHECK(at(wave, t) == doctest::Approx(f(t)).epsilon(1e-10));
    }
    CHECK(at(wave, 0.45) == f(0.45));
  }
}

TEST_CASE("the degree falls with the number of samples") {
  const auto square = [](double t) { return t * t; };
  CHECK(at(sampled(3, {0, 2}, square), 1) == doctest::Approx(2)); // linear through two samples
  CHECK(at(sampled(3, {0, 1, 2}, square), 1.5) == doctest::Approx(2.25));
}

TEST_CASE("degree 0 is constant up to each sample") {
  const Waveform wave = sampled(0, {0, 1, 2}, [](double t) { return t; });
  CHECK(at(wave, 0.0) == 0);
  CHECK(at(wave, 0.5) == 1);
  CHECK(at(wave, 1.0) == 1);
  CHECK(at(wave, 1.5) == 2);
}

TEST_CASE("entries are chosen by id") {
  Waveform wave(6, 1);
  auto first = wave.append(0);
  std::fill(first.begin(), first.end(), 0.0);
  auto second = wave.append(1);
  for (std::size_t i = 0; i < 6; ++i) {
    second[i] = static_cast<double>(i);
  }
  std::vector<double> out(4);
  const std::vector<LocalIndex> ids{2, 0};
  wave.evaluate(0.5, ids, 2, out);
  CHECK(out == std::vector<double>{2, 2.5, 0, 0.5});
}

TEST_CASE("the next window starts from the last sample and uses the old storage") {
  Waveform wave(2, 1);
  for (int window = 0; window < 3; ++window) {
    wave.append(window + 0.5)[0] = 1;
    auto last = wave.append(window + 1.0);
    last[0] = window;
    wave.keep_last();
    REQUIRE(wave.num_samples() == 1);
    CHECK(wave.time(0) == window + 1.0);
    CHECK(wave.values(0)[0] == window);
  }
}

TEST_CASE("samples are dropped up to a time") {
  Waveform wave = sampled(1, {0, 1, 2, 3}, [](double t) { return t; });
  CHECK(wave.first_after(-1) == 0);
  CHECK(wave.first_after(1) == 2);
  CHECK(wave.first_after(1 + 1e-16) == 2);
  CHECK(wave.first_after(3) == 4);
  wave.drop_until(0.5);
  REQUIRE(wave.num_samples() == 3);
  CHECK(wave.time(0) == 1);
  wave.drop_until(2);
  REQUIRE(wave.num_samples() == 1);
  CHECK(wave.values(0)[0] == 3);
  wave.drop_until(10);
  CHECK(wave.empty());
}

TEST_CASE("random samples: exact where one stands, polynomials of the degree reproduced, linear") {
  std::mt19937 random(7);
  const auto between = [&random](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  for (int repetition = 0; repetition < 200; ++repetition) {
    const int degree = std::uniform_int_distribution(0, 6)(random);
    const int count = std::uniform_int_distribution(1, 12)(random);
    const int used = std::min(degree, count - 1); // what the samples allow
    CAPTURE(repetition);
    CAPTURE(degree);
    CAPTURE(count);
    std::vector<double> times{between(-5, 5)};
    while (std::ssize(times) < count) {
      times.push_back(times.back() + between(0.2, 1));
    }
    std::vector<double> coefficients(static_cast<std::size_t>(used) + 1);
    std::generate(coefficients.begin(), coefficients.end(), [&] { return between(-1, 1); });
    const auto polynomial = [&](double t) {
      const double x = (t - times.front()) / (times.back() - times.front() + 1);
      double value = 0;
      for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) {
        value = value * x + *c;
      }
      return value;
    };
    Waveform wave(3, degree); // a polynomial, noise, and 2 of the first minus 3 of the second
    std::vector<double> noise;
    for (const double t : times) {
      noise.push_back(between(-1, 1));
      const auto values = wave.append(t);
      values[0] = polynomial(t);
      values[1] = noise.back();
      values[2] = 2 * values[0] - 3 * values[1];
    }
    std::vector<double> out(3);
    for (std::size_t s = 0; s < times.size(); ++s) {
      wave.evaluate(times[s], {}, 3, out);
      CHECK(out[0] == polynomial(times[s]));
      CHECK(out[1] == noise[s]);
    }
    for (int probe = 0; probe < 10; ++probe) {
      const double t = between(times.front(), times.back());
      wave.evaluate(t, {}, 3, out);
      const double scale = 1 + std::abs(out[1]); // of the noise, which splines amplify
      CHECK(std::abs(out[2] - (2 * out[0] - 3 * out[1])) < 1e-12 * scale);
      if (used > 0) {
        CHECK(std::abs(out[0] - polynomial(t)) < 1e-9);
      } else { // constant up to each sample
        const auto next = std::lower_bound(times.begin(), times.end(), t);
        CHECK(out[1] == noise[static_cast<std::size_t>(next - times.begin())]);
      }
    }
    wave.evaluate(times.front() - 1, {}, 3, out);
    CHECK(out[1] == noise.front());
    wave.evaluate(times.back() + 1, {}, 3, out);
    CHECK(out[1] == noise.back());
  }
}
