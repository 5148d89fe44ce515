// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/sequence.hpp"
#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

using namespace isthmus;

namespace {

struct Point {
  double x;
  LocalIndex id;
  friend bool operator==(const Point&, const Point&) = default;
};

} // namespace

TEST_CASE("what a writer puts a reader gets, in the same order") {
  const std::string with_zero("a\0b", 3);
  const std::vector<Point> points{{1.5, 7}, {-0.25, 8}};
  Writer writer;
  writer.put(std::uint8_t{200}).put(-1.25).put(GlobalIndex{1} << 40);
  writer.put_array(points).put_array(std::vector<int>{}).put_text(with_zero).put_text("");
  const std::vector<std::byte> bytes = writer.take();
  // values without gaps, each array behind its length in 8 bytes
  CHECK(bytes.size() == 1 + 8 + 8 + (8 + 2 * sizeof(Point)) + 8 + (8 + 3) + 8);
  Reader reader(bytes);
  CHECK(reader.get<std::uint8_t>() == 200);
  CHECK(reader.get<double>() == -1.25);
  CHECK_THROWS_WITH_AS(reader.finish(),
                       fmt::format("a message is too long by {} bytes", bytes.size() - 9).c_str(),
                       Error);
  CHECK(reader.get<GlobalIndex>() == GlobalIndex{1} << 40);
  CHECK(reader.get_array<Point>() == points);
  CHECK(reader.get_array<int>().empty());
  CHECK(reader.get_text() == with_zero);
  CHECK(reader.get_text().empty());
  CHECK(reader.left() == 0);
  CHECK_NOTHROW(reader.finish());
}

TEST_CASE("a message that ends too early is an error at whatever byte it ends") {
  const std::vector<std::byte> whole =
      Writer().put(1.0).put_array(std::vector<int>{1, 2, 3}).put_text("end").take();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Reader reader(std::span<const std::byte>(whole).first(size));
    const auto read = [&reader] {
      static_cast<void>(reader.get<double>());
      static_cast<void>(reader.get_array<int>());
      static_cast<void>(reader.get_text());
    };
    CHECK_THROWS_WITH_AS(read(), doctest::Contains("a message is too short: "), Error);
  }
}

TEST_CASE("a length that no memory could hold is an error before memory is asked for") {
  for (const std::uint64_t length : {std::uint64_t{3}, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
    const std::vector<std::byte> bytes = Writer().put(length).put(1.0).put(2.0).take();
    Reader reader(bytes);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(reader.get_array<double>()),
        fmt::format("a message is too short: {} values of 8 bytes announced, 16 bytes left", length)
            .c_str(),
        Error);
  }
}

TEST_CASE("positions have 32 bits within a process and 64 across processes, with a sign") {
  CHECK(std::numeric_limits<LocalIndex>::max() == 2147483647);
  CHECK(std::numeric_limits<GlobalIndex>::max() == 9223372036854775807);
  CHECK(LocalIndex{-1} < 0);
  CHECK(GlobalIndex{-1} < 0);
}

TEST_CASE("ids that count from zero are told from those that do not, wherever they differ") {
  CHECK(counts_from_zero({}));
  for (const std::size_t size : {1, 2, 4095, 4096, 4097, 10000}) {
    std::vector<LocalIndex> ids(size);
    std::iota(ids.begin(), ids.end(), 0);
    CHECK(counts_from_zero(ids));
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      const LocalIndex kept = ids[at];
      for (const LocalIndex other : {kept + 1, -1, kept + 4096, kept ^ 1}) {
        ids[at] = other;
        CHECK_FALSE(counts_from_zero(ids));
      }
      ids[at] = kept;
    }
  }
  CHECK_FALSE(counts_from_zero(std::array{1, 0}));
}

TEST_CASE("shares follow each other, cover everything and differ by one at most") {
  for (int ranks = 1; ranks < 9; ++ranks) {
    for (GlobalIndex total = 0; total < 30; ++total) {
      GlobalIndex next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const Share share = share_of(rank, ranks, total);
        CHECK(share.first == next);
        CHECK(share.count >= total / ranks);
        CHECK(share.count <= total / ranks + 1);
        for (; next < share.first + share.count; ++next) {
          CHECK(owner_of_share(next, ranks, total) == rank);
        }
      }
      CHECK(next == total);
    }
  }
}

TEST_CASE("values are sorted, and each is there once") {
  std::vector<int> values{3, 1, 3, 2, 1, 1};
  sort_once(values);
  CHECK(values == std::vector<int>{1, 2, 3});
  std::vector<int> none;
  sort_once(none);
  CHECK(none.empty());
}
