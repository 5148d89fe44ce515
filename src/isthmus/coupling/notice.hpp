// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/hub.hpp"

#include <cstdint>
#include <optional>

namespace isthmus::coupling {

/// Meshes that one participant provides, as bits in the order of its <provide-mesh>.
using MeshBits = std::uint32_t;

constexpr int max_meshes_to_reset = 31; // of one participant; one bit says that it is a notice

/// What a rank of a partner said in place of data: which meshes its participant has reset since the
/// last message; maybe none, as an answer.
struct Heard {
  comm::LinkId link = -1;
  std::optional<MeshBits> reset; // none: it sent data
};

} // namespace isthmus::coupling
