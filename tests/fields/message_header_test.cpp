// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/message_header.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

using namespace isthmus;
using fields::IncomingHeader;
using fields::OutgoingHeader;

namespace {

using Words = std::vector<double>;

constexpr const char* broken = "a data message has a broken header";

Words filled(OutgoingHeader& header) {
  Words words(header.size());
  CHECK(header.fill(words).empty());
  return words;
}

/// A header and `more` words behind it, in pieces of `piece`; what is left of each piece.
Words take_all(IncomingHeader& header, const Words& words, std::size_t piece, std::size_t more) {
  Words message = words;
  message.resize(words.size() + more, 42);
  header.begin(message.size());
  Words rest;
  for (std::size_t at = 0; at < message.size(); at += piece) {
    CHECK(header.is_complete() == (at >= words.size()));
    const auto some = std::span(message).subspan(at, std::min(piece, message.size() - at));
    if (header.is_complete()) {
      rest.insert(rest.end(), some.begin(), some.end());
    } else {
      const auto left = header.take(some);
      rest.insert(rest.end(), left.begin(), left.end());
    }
  }
  CHECK(header.is_complete());
  return rest;
}

double as_word(std::uint64_t number) {
  return std::bit_cast<double>(number);
}

} // namespace

TEST_CASE("a header is the same on both sides, in whatever pieces it leaves and arrives") {
  OutgoingHeader out;
  out.begin(nullptr, false);
  out.add_count(2);
  out.add_time(0.25);
  out.add_time(0.5);
  out.add_count(0); // an item without samples
  out.add_count(1);
  out.add_time(-7);
  out.end();
  CHECK(out.size() == 7); // one word for itself, 3 + 1 + 2 for the items
  Words words(out.size());
  std::span<double> left(words);
  while (!left.empty()) { // two words at a time
    const std::size_t piece = std::min<std::size_t>(2, left.size());
    CHECK(out.fill(left.first(piece)).empty());
    left = left.subspan(piece);
  }
  Words values(3, 1);
  CHECK(out.fill(values).size() == 3); // nothing of it is left
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 8U, 100U}) {
    IncomingHeader in;
    CHECK(take_all(in, words, piece, 4) == Words(4, 42));
    CHECK(in.size() == 7);
    CHECK_FALSE(in.is_notice());
    CHECK_FALSE(in.changes().has_value());
    const auto next = [&in] {
      const auto times = in.next_times();
      return Words(times.begin(), times.end());
    };
    CHECK(next() == Words{0.25, 0.5});
    CHECK(next().empty());
    CHECK_FALSE(in.is_read());
    CHECK(next() == Words{-7});
    CHECK(in.is_read());
  }
}

TEST_CASE("changes of meshes stand before the items, or alone in a notice") {
  transfer::Changes changes;
  changes.reset = 6;
  changes.is_small = 0;
  changes.moved_by = 0.125;
  changes.enclose({{1, 2, 3}, {4, 5, 6}});
  for (const bool is_notice : {false, true}) {
    OutgoingHeader out;
    out.begin(&changes, is_notice);
    if (!is_notice) {
      out.add_count(1);
      out.add_time(3);
    }
    out.end();
    IncomingHeader in;
    CHECK(take_all(in, filled(out), 5, is_notice ? 0 : 9).size() == (is_notice ? 0 : 9));
    CHECK(in.is_notice() == is_notice);
    REQUIRE(in.changes().has_value());
    CHECK(in.changes()->reset == 6);
    CHECK(in.changes()->is_small == 0);
    CHECK(in.changes()->moved_by == 0.125);
    REQUIRE(in.changes()->moved_boxes().size() == 1);
    CHECK(in.changes()->moved_boxes()[0].lo == changes.boxes[0].lo);
    CHECK(in.changes()->moved_boxes()[0].hi == changes.boxes[0].hi);
    CHECK(in.is_read() == is_notice);
    if (!is_notice) {
      CHECK(in.next_times()[0] == 3);
      CHECK(in.is_read());
    }
  }
}

TEST_CASE("a header is used again for every message") {
  const transfer::Changes changes;
  OutgoingHeader out;
  IncomingHeader in;
  for (const bool has_changes : {true, false, true}) {
    out.begin(has_changes ? &changes : nullptr, false);
    out.end();
    take_all(in, filled(out), 1000, 2);
    CHECK(in.changes().has_value() == has_changes);
    CHECK(in.is_read());
  }
}

TEST_CASE("a header that cannot be is refused") {
  const auto says = [](const Words& words) {
    return message_of([&words] {
      IncomingHeader in;
      in.begin(words.size());
      static_cast<void>(in.take(words));
      static_cast<void>(in.changes());
      while (!in.is_read()) {
        static_cast<void>(in.next_times());
      }
    });
  };
  CHECK(says({as_word(1), 5}) == "no error");
  CHECK(says({as_word(3), as_word(1), 0.5}) == "no error");
  CHECK(says({as_word(0), 5}) == broken);               // shorter than its first word
  CHECK(says({as_word(3), 5}) == broken);               // longer than the message
  CHECK(says({as_word(3), as_word(2), 0.5}) == broken); // more samples than words
  CHECK(says({as_word(2), as_word(~std::uint64_t{0})}) == broken);
  const std::uint64_t changes_follow = std::uint64_t{1} << 62;
  CHECK(says({as_word(changes_follow | 2), 5}) == broken); // no room for them
  transfer::Changes changes;
  changes.num_boxes = transfer::Changes::max_boxes + 1;
  OutgoingHeader out;
  out.begin(&changes, true);
  out.end();
  CHECK(says(filled(out)) == broken);
}
