// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace isthmus::transport {

/// What a message is about. Messages of different kinds on one link may overtake each other at the
/// receiver, those of one kind never.
enum class Kind : std::uint16_t {
  // of this module
  goodbye = 1,
  hello,
  answer,
  confirmation,
  greeting, // before both sides trust each other: see connect/handshake.hpp
  challenge,
  proof,
  // of the layers above
  control = 16,   // between first ranks: who they are: see partner/first_contact.hpp
  world_ranks,    // to rank_addresses between first ranks, too: see partner/connection.cpp
  ready,          // to join in MPI
  rank_addresses, // of all ranks
  addresses,      // of proxies and those they speak for: see rendezvous/proxies.hpp
  partners,       // who exchanges with whom: see rendezvous/across.hpp
  listeners,      // who gets no data: see fields/listeners.hpp
  restart_points, // that a participant has: see coupling/restart.cpp
  facts,          // to changes: see protocol/messages.hpp
  extent,
  surveys,
  boxes,
  wanted_share,
  mesh_sizes,
  mesh_arrays,
  whole_mesh,
  sent_share,
  measures,
  contested,
  claims,
  farthest,
  awards,
  contributions,
  owners,
  written,
  read,
  read_by_lower,
  part_changes,
  changes,
  turn,     // which of several partners plans next: see coupling/remeshing/turns.hpp
  data,     // from here on of steps, for each scheme: see fields/message_set.hpp
  steering, // between first ranks: verdicts, and sizes of windows
};

[[nodiscard]] std::string name(Kind kind);

/// The peer speaks another version of the protocol.
class VersionMismatch : public Error {
 public:
  using Error::Error;
};

constexpr std::uint16_t protocol_version = 7;
constexpr std::size_t header_bytes = 32;
constexpr std::uint64_t max_message = std::uint64_t{1} << 40; // bytes

/// Head of a segment. A message travels as one or more segments, each padded to a multiple of 32
/// bytes; a segment is whole when it enters a channel, so a goodbye can follow any segment.
struct Header {
  Kind kind = Kind::control;
  bool checked = false;       // checksum is meant
  std::uint32_t length = 0;   // payload bytes of this segment
  std::uint64_t total = 0;    // payload bytes of the message
  std::uint32_t sequence = 0; // of the segments of one link and direction, wraps around
  std::uint32_t checksum = 0; // CRC-32C of the header with 0 here, then the payload
};

[[nodiscard]] constexpr std::size_t padded(std::size_t n) {
  return (n + header_bytes - 1) / header_bytes * header_bytes;
}

void write_header(const Header& header, std::span<std::byte, header_bytes> bytes);

/// Throws Error if the bytes are no header of this protocol version and byte order, or announce
/// more than `max_length` bytes in the segment or max_message in the message.
[[nodiscard]] Header read_header(std::span<const std::byte, header_bytes> bytes,
                                 std::size_t max_length);

/// The checksum as far as the header goes.
[[nodiscard]] std::uint32_t begin_checksum(Header header);

} // namespace isthmus::transport

/// As name() says.
template <>
struct fmt::formatter<isthmus::transport::Kind> {
  constexpr auto parse(format_parse_context& context) const { return context.begin(); }
  auto format(isthmus::transport::Kind kind, format_context& context) const
      -> format_context::iterator;
};
