// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/radial_basis.hpp"

#include <memory>
#include <vector>

namespace isthmus::comm {
class Comm;
}

namespace isthmus::mapping {

/// Collective. See make_global_radial_basis(). All ranks have the same cloud, each its own points.
/// Null if the direct solution would have a matrix that is not sparse. The communicator must
/// outlive the result. Error on all ranks if the solution does not come near the tolerance.
[[nodiscard]] std::unique_ptr<DistributedMapping> make_sparse_radial_basis(
    const comm::Comm& comm, const Cloud& cloud, const RadialBasisSettings& settings,
    const std::vector<geometry::Point>& points);

} // namespace isthmus::mapping
