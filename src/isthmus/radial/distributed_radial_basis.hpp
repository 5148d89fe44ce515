// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <memory>
#include <span>

namespace isthmus::radial {

/// Collective. See make_global_radial_basis(). Each center and each point is given by one rank. The
/// communicator must outlive the result.
[[nodiscard]] std::unique_ptr<mapping::DistributedMapping> make_distributed_radial_basis(
    const comm::Comm& comm, const RadialBasisSettings& settings,
    std::span<const geometry::Point> centers, std::span<const geometry::Point> points);

} // namespace isthmus::radial
