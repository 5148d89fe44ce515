// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/hub.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace isthmus::transport::testing {

/// Bytes that differ between seeds and hardly repeat.
inline std::vector<std::byte> numbered(std::size_t n, unsigned seed) {
  std::vector<std::byte> bytes(n);
  for (std::size_t i = 0; i < n; ++i) {
    bytes[i] = static_cast<std::byte>((i * 2654435761U + seed) >> 7);
  }
  return bytes;
}

/// One end of a step: what is sent and what has come.
struct Field {
  std::vector<std::byte> out;
  std::vector<std::byte> in;
  bool aligned = true; // all pieces begin at multiples of 8 bytes

  [[nodiscard]] transport::Outgoing outgoing(transport::LinkId link,
                                             transport::Kind kind = transport::Kind::data) {
    return {.link = link,
            .kind = kind,
            .bytes = out.size(),
            .context = this,
            .fill = [](void* self, std::size_t offset, std::span<std::byte> piece) {
              auto& field = *static_cast<Field*>(self);
              field.aligned &= offset % 8 == 0;
              std::copy_n(field.out.begin() + static_cast<std::ptrdiff_t>(offset), piece.size(),
                          piece.begin());
            }};
  }
  [[nodiscard]] transport::Incoming incoming(transport::LinkId link,
                                             transport::Kind kind = transport::Kind::data) {
    return {.link = link,
            .kind = kind,
            .context = this,
            .begin = [](void* self, std::size_t n) { static_cast<Field*>(self)->in.resize(n); },
            .drain =
                [](void* self, std::size_t offset, std::span<const std::byte> piece) {
                  auto& field = *static_cast<Field*>(self);
                  field.aligned &= offset % 8 == 0;
                  std::copy(piece.begin(), piece.end(),
                            field.in.begin() + static_cast<std::ptrdiff_t>(offset));
                }};
  }
};

} // namespace isthmus::transport::testing
