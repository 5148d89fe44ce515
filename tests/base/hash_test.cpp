// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/hash.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

using namespace isthmus;

TEST_CASE(
    "equal lists are dealt to the same rank, and each rank gets its share of different ones") {
  const std::array<double, 2> zero{0.0, 1.5};
  const std::array<double, 2> negative{-0.0, 1.5};
  CHECK(list_hash(std::span<const double>(zero)) == list_hash(std::span<const double>(negative)));
  for (const int ranks : {1, 2, 3, 7, 64}) {
    CHECK(dealt_rank(std::span<const double>(zero), ranks) ==
          dealt_rank(std::span<const double>(negative), ranks));
    std::vector<int> dealt(static_cast<std::size_t>(ranks));
    constexpr std::int64_t side = 100;
    for (std::int64_t i = 0; i < side; ++i) {
      for (std::int64_t j = 0; j < side; ++j) {
        const std::array<std::int64_t, 2> cell{i - side / 2, j};
        ++dealt.at(
            static_cast<std::size_t>(dealt_rank(std::span<const std::int64_t>(cell), ranks)));
      }
    }
    for (const int count : dealt) {
      CHECK(count * ranks > side * side / 2);
      CHECK(count * ranks < side * side * 2);
    }
  }
}

TEST_CASE("hash of texts is that of their authors' test vectors") {
  const auto hash_of = [](std::string_view text) {
    FowlerNollVo hash;
    for (const char letter : text) {
      hash.add(static_cast<unsigned char>(letter));
    }
    return hash.value();
  };
  CHECK(hash_of("") == 0xcbf29ce484222325U);
  CHECK(hash_of("a") == 0xaf63dc4c8601ec8cU);
  CHECK(hash_of("foobar") == 0x85944171f73967e8U);
}

TEST_CASE("numbers are mixed as by their authors' generator") {
  // the first two numbers of SplitMix64 that begins with 0
  CHECK(mixed(0x9e3779b97f4a7c15U) == 0xe220a8397b1dcdafU);
  CHECK(mixed(2 * 0x9e3779b97f4a7c15U) == 0x6e789e6aa1b965f4U);
}

TEST_CASE("noise fills its range and says nothing about its neighbours") {
  constexpr int count = 10'000;
  double sum = 0;
  double squares = 0;
  double products = 0;
  for (std::uint64_t n = 1; n <= count; ++n) {
    const double noise = noise_of(n);
    CHECK((noise >= -1 && noise < 1));
    sum += noise;
    squares += noise * noise;
    products += noise * noise_of(n + 1);
  }
  // of independent numbers that are equally likely everywhere: 0, 1/3, 0, each with five deviations
  CHECK(std::abs(sum / count) < 0.03);
  CHECK(squares / count == doctest::Approx(1. / 3).epsilon(0.05));
  CHECK(std::abs(products / count) < 0.02);
}
