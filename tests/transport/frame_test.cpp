// SPDX-License-Identifier: BSD-3-Clause
// Bytes of others: what is wrong is an Error, whatever it is.
#include "isthmus/connect/announce.hpp"
#include "transport/field.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>

using namespace isthmus;
using namespace isthmus::comm;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;

namespace {

/// A channel whose peer has said everything already.
class Recording final : public transport::Channel {
 public:
  explicit Recording(std::vector<std::byte> said = {}) : said_(std::move(said)) {}

  [[nodiscard]] std::span<std::byte> writable() override { return space_; }
  void commit(std::size_t n) override { said_.insert(said_.end(), space_, space_ + n); }
  [[nodiscard]] std::span<const std::byte> readable() override {
    return std::span(said_).subspan(received_);
  }
  void consume(std::size_t n) override { received_ += n; }
  void progress() override {}
  void finish() override {}
  [[nodiscard]] bool flushed() const override { return true; }
  [[nodiscard]] short arm() override { return 0; }
  [[nodiscard]] std::string_view kind() const override { return "recording"; }
  [[nodiscard]] const transport::Peer& peer() const override { return peer_; }
  [[nodiscard]] const std::vector<std::byte>& said() const { return said_; }

 private:
  std::byte space_[256] = {};
  std::vector<std::byte> said_;
  std::size_t received_ = 0;
  transport::Peer peer_{"B", 0, "host", 1};
};

std::vector<std::byte> recorded(bool checked) {
  auto channel = std::make_unique<Recording>();
  const Recording& recording = *channel;
  transport::Link link(std::move(channel), checked);
  link.send(transport::Kind::mesh_arrays, numbered(1000, 1));
  link.send(transport::Kind::read, {});
  link.send(transport::Kind::control, numbered(77, 2));
  // writes only: what it reads back at once is its own
  try {
    link.pump(false);
  } catch (const Error&) {
  }
  return recording.said();
}

using Random = std::mt19937;

std::vector<std::byte> mutated(std::vector<std::byte> bytes, Random& random) {
  const auto any = [&random](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n)(random);
  };
  for (std::size_t changes = any(3) + 1; changes > 0 && !bytes.empty(); --changes) {
    switch (any(3)) {
      case 0:
        bytes[any(bytes.size() - 1)] = static_cast<std::byte>(any(255));
        break;
      case 1:
        bytes[any(bytes.size() - 1)] ^= std::byte{1} << any(7);
        break;
      case 2:
        bytes.resize(any(bytes.size()));
        break;
      default:
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(any(bytes.size())),
                     static_cast<std::byte>(any(255)));
    }
  }
  return bytes;
}

/// Runs `parse` on mutations of `good`; anything but an Error escapes. Returns how many failed.
template <typename Parse>
int fuzz(const std::vector<std::byte>& good, Parse parse) {
  Random random(42);
  int failures = 0;
  for (int i = 0; i < 20000; ++i) {
    try {
      parse(mutated(good, random));
    } catch (const Error&) {
      ++failures;
    }
  }
  return failures;
}

connect::Hello some_hello() {
  connect::Hello hello;
  hello.from = {"Fluid", 3, 4, "0123456789abcdef"};
  hello.address = connect::own_address();
  hello.to_participant = "Solid";
  return hello;
}

} // namespace

TEST_CASE("each kind has a name of its own, which errors print") {
  std::set<std::string> names;
  int count = 0;
  for (const auto& [first, last] :
       {std::pair(transport::Kind::goodbye, transport::Kind::proof),
        std::pair(transport::Kind::control, transport::Kind::steering)}) {
    for (int number = static_cast<int>(first); number <= static_cast<int>(last); ++number) {
      const std::string name = transport::name(static_cast<transport::Kind>(number));
      CHECK(name.rfind("kind ", 0) != 0);
      names.insert(name);
      ++count;
    }
  }
  CHECK(names.size() == static_cast<std::size_t>(count));
  CHECK(transport::name(static_cast<transport::Kind>(count + 100)).rfind("kind ", 0) == 0);
}

TEST_CASE("a header survives its way, and wrong ones say what is wrong") {
  std::array<std::byte, transport::header_bytes> bytes{};
  transport::write_header({.kind = transport::Kind::read,
                           .checked = true,
                           .length = 5,
                           .total = 1000,
                           .sequence = 7,
                           .checksum = 9},
                          bytes);
  const transport::Header header = transport::read_header(bytes, 100);
  CHECK(header.kind == transport::Kind::read);
  CHECK(header.checked);
  CHECK(header.length == 5);
  CHECK(header.total == 1000);
  CHECK(header.sequence == 7);
  CHECK(header.checksum == 9);
  CHECK(contains(error_of([&]() { (void)transport::read_header(bytes, 4); }), "5 bytes announced"));
  auto wrong = bytes;
  wrong[0] = std::byte{0};
  CHECK(contains(error_of([&]() { (void)transport::read_header(wrong, 100); }), "does not speak"));
  wrong = bytes;
  std::swap(wrong[4], wrong[5]);
  CHECK(contains(error_of([&]() { (void)transport::read_header(wrong, 100); }),
                 "another byte order"));
  wrong = bytes;
  wrong[6] = std::byte{9};
  CHECK_THROWS_AS((void)transport::read_header(wrong, 100), transport::VersionMismatch);
}

TEST_CASE("values survive the wire, and a short message is an error") {
  Writer writer;
  writer.put(3)
      .put_text("text")
      .put_array(std::vector<double>{1, 2, 3})
      .put_array(std::vector<int>{});
  const auto bytes = writer.take();
  Reader reader(bytes);
  CHECK(reader.get<int>() == 3);
  CHECK(reader.get_text() == "text");
  CHECK(reader.get_array<double>() == std::vector<double>{1, 2, 3});
  CHECK(reader.get_array<int>().empty());
  CHECK_NOTHROW(reader.finish());
  CHECK_THROWS_AS((void)reader.get<char>(), Error);
}

TEST_CASE("hello, answer and announcement of anybody: nothing but Errors") {
  CHECK(fuzz(connect::encode(some_hello()),
             [](const auto& bytes) { (void)connect::decode_hello(bytes); }) > 1000);
  CHECK(fuzz(connect::encode(connect::Answer{"no", "segment", 5}),
             [](const auto& bytes) { (void)connect::decode_answer(bytes); }) > 1000);
  const std::string text = connect::to_text({"Fluid", connect::own_address(), make_token()});
  const auto chars = std::as_bytes(std::span(text));
  const auto parse = [](const auto& bytes) {
    (void)connect::parse_announcement({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  CHECK(fuzz({chars.begin(), chars.end()}, parse) > 1000);
}

TEST_CASE("a damaged stream: nothing but Errors, and checksums find all that is delivered") {
  for (const bool checked : {false, true}) {
    const auto good = recorded(checked);
    const auto parse = [checked](const auto& bytes) {
      transport::Link link(std::make_unique<Recording>(bytes), checked);
      link.pump(true);
      if (checked) {
        const auto mesh = link.take(transport::Kind::mesh_arrays);
        CHECK((!mesh || *mesh == numbered(1000, 1)));
      }
    };
    parse(good);
    CHECK(fuzz(good, parse) > 1000);
  }
}

TEST_CASE("random bytes are no stream") {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::byte> noise(64 + random() % 200);
    std::generate(noise.begin(), noise.end(),
                  [&random]() { return static_cast<std::byte>(random()); });
    transport::Link link(std::make_unique<Recording>(noise), false);
    CHECK_THROWS_AS(link.pump(true), Error);
  }
}
