// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace isthmus::transfer {

/// Meshes that one participant provides, as bits in the order of its <provide-mesh>.
using MeshBits = std::uint64_t;

constexpr int max_meshes_to_reset = 64; // of one participant

} // namespace isthmus::transfer
