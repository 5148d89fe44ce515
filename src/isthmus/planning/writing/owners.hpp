// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::planning {

/// Who of the receiver's ranks owns which vertex to which this rank contributes.
struct OwnersOfVertices {
  std::vector<std::int32_t> owner;  // by transferred vertex; this rank where it does not contribute
  std::vector<std::int32_t> vertex; // its number on the provider's rank, likewise; else -1
  /// The transferred vertex by rank of the provider and number there.
  std::map<std::pair<std::int32_t, std::int32_t>, LocalIndex> known;
};

/// Asks the provider. `contributed`: by transferred vertex, 1 if this rank contributes.
[[nodiscard]] OwnersOfVertices ask_for_owners(partner::Context& context,
                                              std::span<const transfer::Part> parts,
                                              std::span<const char> contributed);

/// The rank of the provider that a transferred vertex came from.
[[nodiscard]] int provider_of(std::span<const transfer::Part> parts, LocalIndex vertex);

/// How many vertices came.
[[nodiscard]] std::size_t num_transferred(std::span<const transfer::Part> parts);

} // namespace isthmus::planning
