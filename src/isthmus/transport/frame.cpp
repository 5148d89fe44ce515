// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/frame.hpp"

#include "isthmus/base/checksum/crc32c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

namespace isthmus::transport {

namespace {

constexpr std::array<char, 4> magic{'I', 's', 't', 'h'};
constexpr std::uint16_t byte_order = 0x1234;
constexpr std::uint16_t swapped_order = 0x3412;
constexpr std::uint16_t flag_checked = 1;

// The first three fields keep their place in all versions of the protocol.
struct Layout {
  std::array<char, 4> magic;
  std::uint16_t order;
  std::uint16_t version;
  std::uint16_t kind;
  std::uint16_t flags;
  std::uint32_t length;
  std::uint64_t total;
  std::uint32_t sequence;
  std::uint32_t checksum;
};
static_assert(sizeof(Layout) == header_bytes);

constexpr std::pair<Kind, std::string_view> kind_names[] = {
    {Kind::goodbye, "goodbye"},
    {Kind::hello, "hello"},
    {Kind::answer, "answer"},
    {Kind::confirmation, "confirmation"},
    {Kind::greeting, "greeting"},
    {Kind::challenge, "challenge"},
    {Kind::proof, "proof"},
    {Kind::control, "control"},
    {Kind::world_ranks, "ranks in MPI"},
    {Kind::ready, "readiness for MPI"},
    {Kind::rank_addresses, "addresses of ranks"},
    {Kind::addresses, "addresses"},
    {Kind::partners, "partners"},
    {Kind::listeners, "listeners"},
    {Kind::restart_points, "restart points"},
    {Kind::facts, "facts of meshes"},
    {Kind::extent, "extent of meshes"},
    {Kind::surveys, "surveys"},
    {Kind::boxes, "boxes"},
    {Kind::wanted_share, "wanted share"},
    {Kind::mesh_sizes, "sizes of a mesh"},
    {Kind::mesh_arrays, "arrays of a mesh"},
    {Kind::whole_mesh, "whole mesh"},
    {Kind::sent_share, "sent share"},
    {Kind::measures, "measures"},
    {Kind::contested, "contested"},
    {Kind::claims, "claims"},
    {Kind::farthest, "farthest answer"},
    {Kind::awards, "awards"},
    {Kind::contributions, "contributions"},
    {Kind::owners, "owners"},
    {Kind::written, "written"},
    {Kind::read, "read"},
    {Kind::read_by_lower, "read by lower ranks"},
    {Kind::part_changes, "changes of a part"},
    {Kind::changes, "changes"},
    {Kind::turn, "turn"},
    {Kind::data, "data"},
    {Kind::steering, "steering"}};

} // namespace

std::string name(Kind kind) {
  constexpr int kinds = 256; // larger numbers: the same of one of several schemes
  const auto number = static_cast<int>(kind) % kinds;
  const auto* const found =
      std::find_if(std::begin(kind_names), std::end(kind_names),
                   [number](const auto& one) { return static_cast<int>(one.first) == number; });
  return found != std::end(kind_names) ? std::string(found->second)
                                       : fmt::format("kind {}", number);
}

void write_header(const Header& header, std::span<std::byte, header_bytes> bytes) {
  const Layout layout{magic,
                      byte_order,
                      protocol_version,
                      static_cast<std::uint16_t>(header.kind),
                      header.checked ? flag_checked : std::uint16_t{0},
                      header.length,
                      header.total,
                      header.sequence,
                      header.checksum};
  std::memcpy(bytes.data(), &layout, header_bytes);
}

Header read_header(std::span<const std::byte, header_bytes> bytes, std::size_t max_length) {
  Layout layout{};
  std::memcpy(&layout, bytes.data(), header_bytes);
  check(layout.magic == magic, "the peer does not speak the protocol of Isthmus");
  check(layout.order != swapped_order,
        "the peer runs on a machine of another byte order, which is not supported");
  check(layout.order == byte_order, "a frame is damaged: byte order mark {:#x}", layout.order);
  if (layout.version != protocol_version) {
    throw VersionMismatch(
        fmt::format("version {} of the protocol meets version {}; use the same version of Isthmus "
                    "for all participants",
                    layout.version, protocol_version));
  }
  check(layout.kind != 0 && (layout.flags & ~flag_checked) == 0, "a frame is damaged: flags {:#x}",
        layout.flags);
  check(layout.length <= max_length, "a frame is damaged: {} bytes announced, at most {} expected",
        layout.length, max_length);
  check(layout.total <= max_message && layout.length <= layout.total,
        "a frame is damaged: {} bytes in a message of {}", layout.length, layout.total);
  return {.kind = static_cast<Kind>(layout.kind),
          .checked = (layout.flags & flag_checked) != 0,
          .length = layout.length,
          .total = layout.total,
          .sequence = layout.sequence,
          .checksum = layout.checksum};
}

std::uint32_t begin_checksum(Header header) {
  header.checksum = 0;
  std::array<std::byte, header_bytes> bytes;
  write_header(header, bytes);
  return crc32c(bytes);
}

} // namespace isthmus::transport

auto fmt::formatter<isthmus::transport::Kind>::format(isthmus::transport::Kind kind,
                                                      format_context& context) const
    -> format_context::iterator {
  return fmt::format_to(context.out(), "{}", isthmus::transport::name(kind));
}
