// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <precice/span.hpp>

namespace precice {

using VertexID = int;

/// Names of meshes, data, participants and files. Ends at its size or its first NUL.
using string_view = ::precice::span<const char>;

} // namespace precice
