// SPDX-License-Identifier: BSD-3-Clause
// Fields that cross between two threads with a hub each.
#include "isthmus/base/exception.hpp"
#include "isthmus/fields/message_set.hpp"

#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <numeric>
#include <random>
#include <vector>

using isthmus::LocalIndex;
using namespace isthmus;
using namespace isthmus::fields;
using isthmus::transport::Incoming;
using isthmus::transport::Outgoing;
using isthmus::transport::testing::both;
using isthmus::transport::testing::Pair;
using isthmus::transport::testing::transports;

namespace {

constexpr double timeout = 20;

/// One field on both sides: the sender gathers `vertices`, the receiver scatters them elsewhere.
struct Crossing {
  int components;
  LocalIndex num_vertices;
  std::vector<LocalIndex> from; // vertices of the sender; empty: a range from `first_from`
  std::vector<LocalIndex> to;   // of the receiver, alike
  LocalIndex count;
  LocalIndex first_from = 0;
  LocalIndex first_to = 0;
  bool all_samples = true;
};

/// The fields of one side and how they cross.
struct Side {
  std::deque<fields::Field> fields; // stay in place
  std::deque<std::vector<planning::Route>> routes;
  std::vector<fields::Item> items;

  void add(const Crossing& crossing, bool sends) {
    fields::Field& field = fields.emplace_back("Mesh", "Data", crossing.components, 1);
    field.resize(crossing.num_vertices);
    auto& route = routes.emplace_back();
    route.push_back({0, sends ? crossing.first_from : crossing.first_to, crossing.count,
                     sends ? crossing.from : crossing.to});
    items.push_back({&field, &route, crossing.all_samples, false});
  }
};

double value(std::size_t field, std::size_t sample, std::size_t entry) {
  return static_cast<double>(1000000 * (field + 1) + 100000 * sample + entry);
}

void fill(Side& side, const std::vector<double>& times) {
  for (std::size_t f = 0; f < side.fields.size(); ++f) {
    for (std::size_t s = 0; s < times.size(); ++s) {
      const auto values = side.fields[f].wave().append(times[s]);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = value(f, s, i);
      }
    }
  }
}

LocalIndex vertex(const std::vector<LocalIndex>& vertices, LocalIndex first, LocalIndex i) {
  return vertices.empty() ? first + i : vertices[static_cast<std::size_t>(i)];
}

/// What the receiver's field must hold: zero where nothing comes.
void check_received(const fields::Field& field, const Crossing& crossing, std::size_t f,
                    const std::vector<double>& times, std::size_t first_sample) {
  REQUIRE(field.wave().num_samples() == times.size() - first_sample);
  const auto width = static_cast<std::size_t>(crossing.components);
  for (std::size_t s = first_sample; s < times.size(); ++s) {
    CHECK(field.wave().time(s - first_sample) == times[s]);
    std::vector<double> expected(field.wave().size(), 0.0);
    for (LocalIndex i = 0; i < crossing.count; ++i) {
      const auto from = static_cast<std::size_t>(vertex(crossing.from, crossing.first_from, i));
      const auto to = static_cast<std::size_t>(vertex(crossing.to, crossing.first_to, i));
      for (std::size_t c = 0; c < width; ++c) {
        expected[to * width + c] = value(f, s, from * width + c);
      }
    }
    const auto values = field.wave().values(s - first_sample);
    CHECK(std::equal(values.begin(), values.end(), expected.begin(), expected.end()));
  }
}

/// One message set sends what `post` asks for, the other one gets it; what they say if they fail.
template <typename Post>
auto pass(Pair& pair, fields::MessageSet& receiver, Post post) {
  return both(
      [&] {
        std::vector<Outgoing> out;
        post(out);
        pair.a.exchange(out, {}, timeout);
      },
      [&] {
        std::vector<Incoming> in;
        receiver.post_incoming(in);
        pair.b.exchange({}, in, timeout);
      });
}

/// Moves the samples later than `after` from one side to the other.
void cross(Pair& pair, fields::MessageSet& sender, fields::MessageSet& receiver, double after) {
  const auto said = pass(pair, receiver, [&](auto& out) { sender.post_outgoing(out, after); });
  CHECK(said.one == "");
  CHECK(said.other == "");
}

std::vector<LocalIndex> shuffled(LocalIndex size, LocalIndex count, unsigned seed) {
  std::vector<LocalIndex> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  order.resize(static_cast<std::size_t>(count));
  return order;
}

} // namespace

TEST_CASE("fields arrive where their routes say, whatever their length and the transport") {
  for (const auto transport : transports) {
    for (const LocalIndex size : {1, 5, 1000, 60000}) { // the last one is longer than any buffer
      CAPTURE(size);
      const std::vector<Crossing> crossings{
          {1, size, shuffled(size, size / 2 + 1, 1), shuffled(size, size / 2 + 1, 2), size / 2 + 1},
          {2, size, shuffled(size, size, 3), {}, size},
          {3, size, {}, shuffled(size, size - size / 3, 4), size - size / 3, size / 3},
          {3, size, shuffled(size, size, 5), {}, size, 0, 0, false},
          {2, size, {}, {}, size},
      };
      Side sending;
      Side receiving;
      for (const Crossing& crossing : crossings) {
        sending.add(crossing, true);
        receiving.add(crossing, false);
      }
      Pair pair(transport);
      fields::MessageSet sender(sending.items, {});
      fields::MessageSet receiver({}, receiving.items);
      for (const std::vector<double>& times : {std::vector{0.5}, {0.25, 0.5, 1.0}, {0.125, 3.0}}) {
        for (Side* side : {&sending, &receiving}) {
          for (fields::Field& field : side->fields) {
            field.wave().clear();
          }
        }
        fill(sending, times);
        cross(pair, sender, receiver, 0);
        for (std::size_t f = 0; f < crossings.size(); ++f) {
          CAPTURE(f);
          check_received(receiving.fields[f], crossings[f], f, times,
                         crossings[f].all_samples ? 0 : times.size() - 1);
        }
      }
    }
  }
}

TEST_CASE("only samples later than the start of the window cross") {
  const Crossing crossing{2, 4, {}, {}, 4};
  Side sending;
  Side receiving;
  sending.add(crossing, true);
  receiving.add(crossing, false);
  Pair pair(transports[0]);
  fields::MessageSet sender(sending.items, {});
  fields::MessageSet receiver({}, receiving.items);
  const std::vector<double> times{0.5, 1, 1.5, 2};
  fill(sending, times);
  cross(pair, sender, receiver, 1);
  check_received(receiving.fields[0], crossing, 0, times, 2);
}

TEST_CASE("items without a route on a link take no part, not even as an empty message") {
  const Crossing crossing{1, 3, {}, {}, 3};
  Side sending;
  Side receiving;
  sending.add(crossing, true);
  receiving.add(crossing, false);
  sending.add({1, 3, {}, {}, 0}, true);
  receiving.add({1, 3, {}, {}, 0}, false);
  sending.routes[1].clear();
  receiving.routes[1].clear();
  Pair pair(transports[0]);
  fields::MessageSet sender(sending.items, {});
  fields::MessageSet receiver({}, receiving.items);
  fill(sending, {1});
  cross(pair, sender, receiver, 0);
  check_received(receiving.fields[0], crossing, 0, {1}, 0);
  CHECK(receiving.fields[1].wave().empty());

  std::vector<Outgoing> out;
  fields::MessageSet({sending.items[1]}, {}).post_outgoing(out, 0);
  CHECK(out.empty());
}

TEST_CASE("a message that does not fit the fields is refused") {
  struct Wrong {
    Crossing sent;
    Crossing expected;
  };
  for (const Wrong& wrong : {Wrong{{1, 5, {}, {}, 5}, {1, 5, {}, {}, 4}}, // more than expected
                             Wrong{{1, 5, {}, {}, 4}, {1, 5, {}, {}, 5}}, // less
                             Wrong{{2, 5, {}, {}, 5}, {1, 5, {}, {}, 5}}}) {
    Side sending;
    Side receiving;
    sending.add(wrong.sent, true);
    receiving.add(wrong.expected, false);
    Pair pair(transports[0]);
    fields::MessageSet sender(sending.items, {});
    fields::MessageSet receiver({}, receiving.items);
    fill(sending, {1});
    const auto said = pass(pair, receiver, [&](auto& out) { sender.post_outgoing(out, 0); });
    CHECK(said.other.find("data message") != std::string::npos);
  }
}

TEST_CASE("what is said of meshes that were reset comes with the data or in their place") {
  for (const std::uint32_t num_boxes : {0U, 3U, 9U}) { // the last is more than there can be
    for (const bool is_notice : {false, true}) {
      const Crossing crossing{1, 5, {}, {}, 5};
      Side sending;
      Side receiving;
      sending.add(crossing, true);
      receiving.add(crossing, false);
      Pair pair(transports[0]);
      fields::MessageSet sender(sending.items, {});
      fields::MessageSet receiver({}, receiving.items);
      fill(sending, {1});
      transfer::Changes changes;
      changes.reset = 5;
      changes.moved_by = 0.25;
      changes.num_boxes = num_boxes;
      const auto said = pass(pair, receiver, [&](auto& out) {
        is_notice ? sender.post_notices(out, changes, fields::LinkChoice::all())
                  : sender.post_outgoing(out, 0, fields::LinkChoice::all(), &changes);
      });
      if (num_boxes > transfer::Changes::max_boxes) {
        CHECK(said.other.find("broken header") != std::string::npos);
        continue;
      }
      CHECK(said.other == "");
      REQUIRE(receiver.has_changes());
      const std::vector<fields::ReceivedChanges> received =
          receiver.received_changes(fields::LinkChoice::all());
      REQUIRE(received.size() == 1);
      CHECK(received[0].changes->reset == changes.reset);
      CHECK(received[0].changes->moved_by == changes.moved_by);
      CHECK(received[0].changes->moved_boxes().size() == num_boxes);
      CHECK(receiving.fields[0].wave().num_samples() == (is_notice ? 0 : 1));
    }
  }
}
