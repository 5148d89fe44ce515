// SPDX-License-Identifier: BSD-3-Clause
// What participants send each other before there is a link, as bytes and as texts.
#include "isthmus/connect/address.hpp"
#include "isthmus/connect/announce.hpp"
#include "isthmus/connect/courier.hpp"
#include "isthmus/connect/handshake.hpp"

#include "message_of.hpp"

#include <doctest/doctest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::connect;
using transport::Kind;

namespace {

Address some_address() {
  Address address;
  address.ip = "10.1.2.3";
  address.port = 65535;
  address.host = "node 7";
  address.host_id = "boot-1 node 7";
  address.process_space = "pid:[4026531836]";
  address.pid = 4711;
  address.started = std::uint64_t{1} << 60;
  address.job = "";
  return address;
}

Hello some_hello() {
  Hello hello;
  hello.from = {"Fluid", 3, 8, "mesh A 12\nmesh B 34\n"};
  hello.address = some_address();
  hello.to_participant = "Solid";
  hello.to_rank = 5;
  hello.shm = true;
  hello.ring_capacity = 4096;
  return hello;
}

Announcement some_announcement() {
  Announcement announcement;
  announcement.participant = "Fluid with space";
  announcement.address = some_address();
  announcement.token = make_token();
  announcement.awaits = {"Solid", "Heat exchanger"};
  announcement.leftovers = {make_token()};
  announcement.recent = {make_token(), make_token()};
  announcement.last_word = "the mesh is empty";
  return announcement;
}

/// What parse_announcement() says of a text with one piece of it replaced.
std::string complaint(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  text.replace(at, old.size(), by);
  return message_of([&text] { static_cast<void>(parse_announcement(text)); });
}

/// Two sockets that are connected.
struct Wire {
  Wire() {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    one = transport::Socket(ends[0]);
    other = transport::Socket(ends[1]);
  }
  transport::Socket one;
  transport::Socket other;
};

std::vector<std::byte> numbered(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::byte>(i * 7 % 251);
  }
  return bytes;
}

} // namespace

TEST_CASE("an address travels as bytes") {
  const Address address = some_address();
  Writer writer;
  put(writer, address);
  const std::vector<std::byte> bytes = writer.take();
  Reader reader(bytes);
  CHECK(get_address(reader) == address);
  CHECK(reader.left() == 0);
  Reader cut(std::span<const std::byte>(bytes).first(bytes.size() - 1));
  CHECK_THROWS_AS(static_cast<void>(get_address(cut)), Error);
}

TEST_CASE("the own address names this process on this host") {
  const Address address = own_address();
  CHECK(address.pid == getpid());
  CHECK(address.host == host_name());
  CHECK(address.host_id == host_id());
  CHECK(address.process_space == process_space());
  CHECK(address.started == start_time(getpid()));
  CHECK(address.ip.empty()); // of a socket that there is not
  CHECK(address.port == 0);
  CHECK(address.job.empty()); // MPI is not initialized here
}

TEST_CASE("an announcement is a text that is read as it was meant") {
  for (const bool is_bare : {false, true}) {
    Announcement written = some_announcement();
    if (is_bare) {
      written.awaits.clear();
      written.leftovers.clear();
      written.recent.clear();
      written.last_word.clear();
    }
    const Announcement read = parse_announcement(to_text(written));
    CHECK(read.participant == written.participant);
    CHECK(read.address == written.address);
    CHECK(read.token == written.token);
    CHECK(read.awaits == written.awaits);
    CHECK(read.leftovers == written.leftovers);
    CHECK(read.recent == written.recent);
    CHECK(read.last_word == written.last_word);
  }
}

TEST_CASE("any other text is no announcement, and the error says why") {
  const std::string text = to_text(some_announcement());
  CHECK(message_of([] { static_cast<void>(parse_announcement("")); }) ==
        "this is no announcement of a participant");
  CHECK(complaint(text, "announcement 1", "announcement 2") ==
        "this is no announcement of a participant");
  CHECK(complaint(text, "port 65535", "port 65536") ==
        "an announcement contains \"65536\" where a number is expected");
  CHECK(complaint(text, "pid 4711", "pid 4711x") ==
        "an announcement contains \"4711x\" where a number is expected");
  CHECK(complaint(text, "ip 10.1.2.3\n", "") == "an announcement lacks its ip");
  CHECK(complaint(text, "ip 10.1.2.3\n", "nothing\n") ==
        "an announcement has a line without a value: \"nothing\"");
  CHECK(complaint(text, "token ", "token x") != "no error");
  for (std::size_t size = 0; size < text.find("last-word"); ++size) { // half of a file
    CHECK_THROWS_AS(static_cast<void>(parse_announcement(text.substr(0, size))), Error);
  }
}

TEST_CASE("the file of an announcement has a name that any participant may have") {
  CHECK(announcement_path("dir", "Fluid-1_a") == "dir/precice-run/Fluid-1_a.isthmus");
  CHECK(announcement_path("dir", "a b/ü") == "dir/precice-run/a%20b%2f%c3%bc.isthmus");
  CHECK_FALSE(read_announcement("no folder/precice-run/Fluid.isthmus"));
}

TEST_CASE("only an instance whose process runs, and which has said no last word, may run") {
  Announcement announcement;
  announcement.participant = "Fluid";
  announcement.address = own_address();
  CHECK(is_running(announcement));
  announcement.last_word = "the mesh is empty";
  CHECK_FALSE(is_running(announcement));
  announcement.last_word.clear();
  announcement.address.started += 1; // a process of the same number, long ago
  CHECK_FALSE(is_running(announcement));
}

TEST_CASE("a hello and an answer travel as bytes, and nothing else is taken for one") {
  const Hello hello = some_hello();
  const std::vector<std::byte> bytes = encode(hello);
  const Hello received = decode_hello(bytes);
  CHECK(received.from.participant == "Fluid");
  CHECK(received.from.rank == 3);
  CHECK(received.from.size == 8);
  CHECK(received.from.fingerprint == hello.from.fingerprint);
  CHECK(received.from.version == library_version());
  CHECK(received.address == hello.address);
  CHECK(received.to_participant == "Solid");
  CHECK(received.to_rank == 5);
  CHECK(received.shm);
  CHECK(received.ring_capacity == 4096);
  const transport::Peer peer = peer_of(received);
  CHECK(transport::describe(peer) == "participant \"Fluid\" (rank 3, pid 4711 on host node 7)");

  const std::vector<std::byte> reply = encode(Answer{"", "/isthmus-7", 8192});
  const Answer answer = decode_answer(reply);
  CHECK(answer.refusal.empty());
  CHECK(answer.segment == "/isthmus-7");
  CHECK(answer.ring_capacity == 8192);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_THROWS_AS(static_cast<void>(decode_hello(std::span(bytes).subspan(0, size))), Error);
  }
  CHECK_THROWS_AS(static_cast<void>(decode_answer(bytes)), Error);
  CHECK_THROWS_AS(static_cast<void>(decode_answer(std::vector<std::byte>(3))), Error);
}

TEST_CASE("who cannot work together learns why, the version before all else") {
  const RankIdentity self{"Solid", 5, 6, "mesh A 12\nmesh B 34\n"};
  Hello hello = some_hello();
  CHECK(objection(self, hello).empty());
  hello.from.fingerprint = "mesh A 12\nmesh B 35\n";
  CHECK(objection(self, hello) ==
        "\"Fluid\" and \"Solid\" read different configurations: they differ in mesh B; give all "
        "participants the same file");
  hello.to_rank = 4;
  CHECK(objection(self, hello) ==
        "it looks for rank 4 of participant \"Solid\", but this is rank 5 of \"Solid\"");
  hello.to_rank = 5;
  hello.to_participant = "Heat";
  CHECK(objection(self, hello) ==
        "it looks for rank 5 of participant \"Heat\", but this is rank 5 of \"Solid\"");
  hello.from.version = "0.0.1";
  CHECK(objection(self, hello) == "\"Fluid\" uses version 0.0.1 of Isthmus, \"Solid\" version " +
                                      library_version() + "; use the same for both");
}

TEST_CASE("fingerprints differ in the first part that one of them lacks, or in the order") {
  const std::string own = "data T 1\nmesh A 2\n";
  CHECK(difference(own, "data T 1\nmesh A 3\n") == "mesh A");
  CHECK(difference(own, "data T 1\n") == "mesh A");
  CHECK(difference(own, "data T 1\nmesh A 2\nmesh with space 4\n") == "mesh with space");
  CHECK(difference(own, "mesh A 2\ndata T 1\n") == "the order of their parts");
}

TEST_CASE("a courier brings messages whole, however they arrive") {
  Wire wire;
  const int raw = wire.one.descriptor();
  Courier here(std::move(wire.one));
  Courier there(std::move(wire.other));
  CHECK(here.socket().descriptor() == raw);
  CHECK_FALSE(there.receive(Kind::hello)); // nothing yet; it does not wait
  for (const std::size_t size : {0, 1, 1000}) {
    here.send(Kind::hello, numbered(size));
    here.send(Kind::answer, numbered(size + 1));
    CHECK(here.push());
    CHECK(there.receive(Kind::hello) == numbered(size));
    CHECK(there.receive(Kind::answer) == numbered(size + 1)); // of which nothing was read before
  }
  CHECK_FALSE(there.receive(Kind::hello));
}

TEST_CASE("the hello of a large configuration arrives, as much as fits at a time") {
  Wire wire;
  Courier here(std::move(wire.one));
  Courier there(std::move(wire.other));
  CHECK(here.events() == POLLIN);
  const std::vector<std::byte> large = numbered(900000);
  here.send(Kind::hello, large);
  CHECK(here.events() == (POLLIN | POLLOUT)); // more than the socket takes at once
  std::optional<std::vector<std::byte>> received;
  while (!received) {
    static_cast<void>(here.push());
    received = there.receive(Kind::hello);
  }
  CHECK(received == large);
  CHECK(here.push());
  CHECK(here.events() == POLLIN);
}

TEST_CASE("a courier refuses what is no message, another one, a damaged one, and an end") {
  const auto received = [](const std::vector<std::byte>& bytes, Kind kind) {
    Wire wire;
    CHECK(::send(wire.one.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(bytes.size()));
    Courier courier(std::move(wire.other));
    return message_of([&] { static_cast<void>(courier.receive(kind)); });
  };
  const auto bytes_of = [](Kind kind, std::size_t size) { // of a message
    Wire wire;
    Courier courier(std::move(wire.one));
    courier.send(kind, numbered(size));
    std::vector<std::byte> bytes(transport::header_bytes + size);
    CHECK(::recv(wire.other.descriptor(), bytes.data(), bytes.size(), MSG_WAITALL) ==
          static_cast<ssize_t>(bytes.size()));
    return bytes;
  };
  CHECK(received(numbered(500), Kind::hello) == "the peer does not speak the protocol of Isthmus");
  CHECK(
      received(bytes_of(Kind::answer, 10), Kind::hello).find("the peer sent a message of kind ") ==
      0);
  std::vector<std::byte> damaged = bytes_of(Kind::hello, 10);
  damaged.back() ^= std::byte{1};
  CHECK(received(damaged, Kind::hello).find("was damaged") != std::string::npos);

  Wire wire;
  const std::vector<std::byte> half = bytes_of(Kind::hello, 10);
  CHECK(::send(wire.one.descriptor(), half.data(), half.size() - 3, 0) > 0);
  Courier courier(std::move(wire.other));
  CHECK_FALSE(courier.receive(Kind::hello));
  wire.one = transport::Socket();
  CHECK_THROWS_WITH_AS(static_cast<void>(courier.receive(Kind::hello)), "the connection ended",
                       transport::PeerLost);
}
