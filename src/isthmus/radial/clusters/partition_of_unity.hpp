// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/mapping/mapping.hpp"
#include "isthmus/radial/clusters/clusters.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <memory>
#include <optional>

namespace isthmus::radial {

/// Radial basis functions of overlapping clusters, blended by a partition of unity: rows hold the
/// vertices of the few clusters around the point. Cost: linear in the number of vertices.
/// interpolate() throws as above. It falls back on one cluster for all where there are no more
/// vertices than one holds, on a polynomial without slope across where those of a cluster lie in a
/// plane or on a line, and on the nearest cluster for points that are in none.
/// Source: D. Schneider, B. Uekermann, SIAM J. Sci. Comput. (2025), arXiv 2505.05026; where
/// vertices do not fill their box evenly the clusters here stand around some of them, so that each
/// has about as many in meshes of any grading, and there the polynomial is fitted in the norm of
/// the matrix. `whole`: what is known of the mesh of which this is the part around the points;
/// none: this is all. Interpolation::needed2 and LateInterpolation::needed() say then what may not
/// be missed.
[[nodiscard]] std::unique_ptr<mapping::Mapping> make_partition_of_unity(
    const mesh::Mesh& mesh, RadialBasisSettings settings, const PartitionSettings& partition,
    const std::optional<WholeCloud>& whole = {});

} // namespace isthmus::radial
