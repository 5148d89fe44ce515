// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target: what a stranger may send, as bytes of a connection and as parts of it.
//   build/fuzz/tests/handshake_fuzzer -max_total_time=60 corpus/
// The first byte chooses the part; where seals are demanded they are made right, otherwise nothing
// would get past them.
#include "isthmus/base/error.hpp"
#include "isthmus/connect/announce.hpp"
#include "isthmus/connect/incoming_connection.hpp"

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace isthmus;
using namespace isthmus::connect;

/// Whatever is said on a connection, without knowing the token.
void listen(std::span<const std::byte> said) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    return;
  }
  const transport::Socket stranger(ends[0]);
  IncomingConnection incoming{transport::Socket(ends[1])};
  static_cast<void>(::send(ends[0], said.data(), said.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  for (int look = 0; look < 4; ++look) {
    incoming.listen(Token{});
  }
  if (incoming.stage() >= IncomingConnection::Stage::proved &&
      incoming.stage() != IncomingConnection::Stage::dropped) {
    __builtin_trap(); // nobody can know the nonce of the called one beforehand
  }
}

void read_header(std::span<const std::byte> bytes) {
  if (bytes.size() >= transport::header_bytes) {
    static_cast<void>(transport::read_header(bytes.first<transport::header_bytes>(), 1000));
  }
}

void open(std::span<const std::byte> bytes) {
  const Sealer sealer({}, {}, {});
  if (sealer.open(transport::Kind::hello, bytes)) {
    __builtin_trap(); // a forged seal
  }
  const auto sealed = sealer.seal(transport::Kind::hello, {bytes.begin(), bytes.end()});
  const auto hello = sealer.open(transport::Kind::hello, sealed);
  if (!hello || hello->size() != bytes.size()) {
    __builtin_trap();
  }
  static_cast<void>(decode_hello(*hello));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
  try {
    switch (data[0] % 5) {
      case 0:
        listen(bytes);
        break;
      case 1:
        read_header(bytes);
        break;
      case 2:
        open(bytes);
        break;
      case 3:
        static_cast<void>(decode_answer(bytes));
        break;
      default:
        static_cast<void>(parse_announcement(
            std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
    }
  } catch (const isthmus::Error&) { // the only way out
  }
  return 0;
}
