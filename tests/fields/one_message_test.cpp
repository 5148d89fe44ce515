// SPDX-License-Identifier: BSD-3-Clause
// A message between two ranks as the transport moves it: in pieces, without a copy in between.
#include "isthmus/fields/data_message.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::fields;
using planning::Route;

namespace {

using Values = std::vector<double>;

/// A field of one component on three vertices, and its routes.
struct Crossing {
  Field field{"Mesh", "Pressure", 1, 1};
  std::vector<Route> routes;
  std::vector<Item> items;

  explicit Crossing(std::vector<Route> over) : routes(std::move(over)) {
    field.resize(3);
    items.push_back({&field, &routes, true, false});
  }
  Crossing(const Crossing&) = delete;
  Crossing& operator=(const Crossing&) = delete;

  void sample(double time, const Values& values) {
    const auto to = field.wave().append(time);
    std::copy(values.begin(), values.end(), to.begin());
  }
  [[nodiscard]] Values values(std::size_t sample) const {
    const auto of = field.wave().values(sample);
    return {of.begin(), of.end()};
  }
};

using Bytes = std::vector<std::byte>;

/// The bytes of a message, asked for in pieces of so many words.
Bytes bytes_of(OutgoingMessage& message, std::size_t piece = 1000) {
  const transport::Outgoing request = message.request();
  Bytes bytes(request.bytes);
  for (std::size_t at = 0; at < bytes.size(); at += 8 * piece) {
    request.fill(request.context, at,
                 std::span(bytes).subspan(at, std::min(8 * piece, bytes.size() - at)));
  }
  return bytes;
}

void deliver(IncomingMessage& message, const Bytes& bytes, std::size_t piece = 1000) {
  const transport::Incoming request = message.request();
  request.begin(request.context, bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += 8 * piece) {
    request.drain(request.context, at,
                  std::span(bytes).subspan(at, std::min(8 * piece, bytes.size() - at)));
  }
}

Bytes message_with(Crossing& sender, transport::LinkId link, const Extract& extract = 0) {
  OutgoingMessage message(link, transport::Kind::data);
  message.prepare(sender.items, extract);
  return bytes_of(message);
}

} // namespace

TEST_CASE("a message is the same in whatever pieces it leaves and arrives") {
  Crossing sender({{4, 0, 3, {2, 0, 1}}});
  sender.sample(0.5, {1, 2, 3});
  sender.sample(1, {4, 5, 6});
  OutgoingMessage out(4, transport::Kind::data);
  out.prepare(sender.items, 0);
  const Bytes whole = bytes_of(out);
  CHECK(whole.size() == 8 * (1 + 3 + 6)); // header, two times and their number, values
  for (const std::size_t piece : {1U, 2U, 3U, 5U, 10U}) {
    out.prepare(sender.items, 0);
    CHECK(bytes_of(out, piece) == whole);
    Crossing receiver({{7, 0, 3, {}}});
    std::array<char, 1> opened{0};
    IncomingMessage in(7, transport::Kind::data);
    in.prepare(receiver.items, opened, false);
    deliver(in, whole, piece);
    REQUIRE(receiver.field.wave().num_samples() == 2);
    CHECK(receiver.field.wave().time(0) == 0.5);
    CHECK(receiver.values(0) == Values{3, 1, 2});
    CHECK(receiver.values(1) == Values{6, 4, 5});
    CHECK(opened[0] == 1);
    CHECK_FALSE(in.received_changes().changes.has_value());
    CHECK(in.received_changes().link == 7);
  }
}

TEST_CASE("requests say their link and their kind") {
  OutgoingMessage out(3, transport::Kind::data);
  IncomingMessage in(5, transport::Kind::partners);
  out.prepare({}, 0);
  CHECK(out.link() == 3);
  CHECK(out.request().link == 3);
  CHECK(out.request().kind == transport::Kind::data);
  CHECK(out.request().bytes == 8); // nothing but a header
  CHECK(in.link() == 5);
  CHECK(in.request().link == 5);
  CHECK(in.request().kind == transport::Kind::partners);
}

TEST_CASE("which samples travel: those after a time, the last one, or that of some time ago") {
  Crossing sender({{0, 0, 3, {}}});
  for (const double time : {1.0, 2.0, 2.5, 3.0}) {
    sender.sample(time, {time, 0, 0});
  }
  const auto received = [&sender](const Extract& extract) {
    Crossing receiver({{0, 0, 3, {}}});
    std::array<char, 1> opened{0};
    IncomingMessage in(0, transport::Kind::data);
    in.prepare(receiver.items, opened, false);
    deliver(in, message_with(sender, 0, extract));
    Values pairs; // time, value
    for (std::size_t s = 0; s < receiver.field.wave().num_samples(); ++s) {
      pairs.push_back(receiver.field.wave().time(s));
      pairs.push_back(receiver.values(s)[0]);
    }
    return pairs;
  };
  CHECK(received(2) == Values{2.5, 2.5, 3, 3});
  CHECK(received(3).empty());
  sender.items[0].all_samples = false;
  CHECK(received(0) == Values{3, 3});
  Extract behind(0);
  behind.behind = 1; // what stood there then travels with the time of the last one
  CHECK(behind.single(sender.field.wave()) == 1);
  CHECK(received(behind) == Values{3, 2});
  behind.behind = 0.7; // between two samples the later one
  CHECK(received(behind) == Values{3, 2.5});
  behind.behind = 9;
  CHECK(received(behind) == Values{3, 1});
  sender.field.wave().clear();
  CHECK(received(0).empty());
}

TEST_CASE("two ranks of a sender fill the same samples of a field") {
  Crossing one({{0, 0, 2, {}}});
  Crossing other({{0, 1, 2, {}}});
  one.sample(1, {1, 2, 3});
  other.sample(1, {10, 20, 30});
  Crossing receiver({{5, 0, 2, {0, 2}}, {6, 0, 2, {2, 1}}});
  receiver.items[0].adds = true;
  std::array<char, 1> opened{0};
  IncomingMessage first(5, transport::Kind::data);
  IncomingMessage second(6, transport::Kind::data);
  first.prepare(receiver.items, opened, false);
  second.prepare(receiver.items, opened, false);
  deliver(first, message_with(one, 0));
  CHECK(receiver.values(0) == Values{1, 0, 2}); // zero where nothing has come
  deliver(second, message_with(other, 0));
  REQUIRE(receiver.field.wave().num_samples() == 1);
  CHECK(receiver.values(0) == Values{1, 30, 22});

  other.field.wave().set_last_time(1.5);
  first.prepare(receiver.items, opened, false);
  opened[0] = 0;
  receiver.field.wave().clear();
  deliver(first, message_with(one, 0));
  second.prepare(receiver.items, opened, false);
  CHECK(message_of([&] { deliver(second, message_with(other, 0)); }) ==
        "data \"Pressure\": ranks of the sender took different time steps; all ranks must call "
        "advance() with the same step sizes");
}

TEST_CASE("data for a mesh that is gone are dropped, what they say of it is not") {
  Crossing sender({{0, 0, 3, {}}});
  sender.sample(1, {1, 2, 3});
  transfer::Changes changes;
  changes.reset = 2;
  OutgoingMessage out(0, transport::Kind::data);
  out.prepare(sender.items, 0, &changes);
  Crossing receiver({{0, 0, 1, {}}}); // would not fit
  std::array<char, 1> opened{0};
  IncomingMessage in(0, transport::Kind::data);
  in.prepare(receiver.items, opened, true);
  deliver(in, bytes_of(out), 2);
  CHECK(receiver.field.wave().empty());
  CHECK(opened[0] == 0);
  REQUIRE(in.received_changes().changes.has_value());
  CHECK(in.received_changes().changes->reset == 2);
}

TEST_CASE("a notice opens no samples, and has nothing behind it") {
  transfer::Changes changes;
  changes.reset = 1;
  OutgoingMessage out(0, transport::Kind::data);
  out.prepare_notice(changes);
  Bytes notice = bytes_of(out);
  Crossing receiver({{0, 0, 3, {}}});
  std::array<char, 1> opened{0};
  IncomingMessage in(0, transport::Kind::data);
  in.prepare(receiver.items, opened, false);
  deliver(in, notice);
  CHECK(receiver.field.wave().empty());
  CHECK(in.received_changes().changes->reset == 1);
  notice.resize(notice.size() + 8);
  in.prepare(receiver.items, opened, false);
  CHECK(message_of([&] { deliver(in, notice); }).find("a notice of a reset mesh has ") == 0);
}

TEST_CASE("a message of other fields or of another size is refused") {
  Crossing sender({{0, 0, 3, {}}});
  sender.sample(1, {1, 2, 3});
  const Bytes good = message_with(sender, 0);
  const auto says = [](const Bytes& bytes, LocalIndex count, std::size_t num_items) {
    Crossing receiver({{0, 0, count, {}}});
    Field other("Mesh", "Heat", 1, 1);
    other.resize(3);
    receiver.items.push_back({&other, &receiver.routes, true, false});
    std::array<char, 2> opened{0, 0};
    IncomingMessage in(0, transport::Kind::data);
    in.prepare(std::span(receiver.items).first(num_items), opened, false);
    return message_of([&] { deliver(in, bytes); });
  };
  CHECK(says(good, 3, 1) == "no error");
  CHECK(says(good, 3, 2) == "a data message lacks data \"Heat\"");
  const std::string size = " words where ";
  CHECK(says(good, 2, 1).find("a data message has 6" + size + "5 should be") == 0);
  CHECK(says(good, 3, 0).find("a data message has 6" + size + "3 should be") == 0);
  Bytes longer = good;
  longer.resize(longer.size() + 8);
  CHECK(says(longer, 3, 1).find("a data message has 7" + size + "6 should be") == 0);
}
