// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"

#include <fmt/format.h>

#include <string>

namespace isthmus::transport {

/// One rank of another participant, as messages to the user name it.
struct Peer {
  std::string participant;
  int rank = 0;
  std::string host;
  int pid = 0;
};

/// participant "A" (rank 3, pid 1 on host h)
[[nodiscard]] std::string describe(const Peer& peer);

/// A partner that has left, crashed or vanished; the text names it and, if it said why, the reason.
class PeerLost : public Error {
 public:
  using Error::Error;
};

/// A partner that we called is not the one that we looked for, but another instance of it.
class Outdated : public Error {
 public:
  using Error::Error;
};

[[noreturn]] void throw_crashed(const Peer& peer);
[[noreturn]] void throw_unreachable(const Peer& peer);
/// The peer wrote nonsense into shared memory.
[[noreturn]] void throw_damaged(const Peer& peer);

} // namespace isthmus::transport

/// As describe() says.
template <>
struct fmt::formatter<isthmus::transport::Peer> {
  constexpr auto parse(format_parse_context& context) const { return context.begin(); }
  auto format(const isthmus::transport::Peer& peer, format_context& context) const
      -> format_context::iterator;
};
