// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/transfer/bundles.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <optional>
#include <span>
#include <vector>

namespace isthmus::transfer {

/// The vertices of `now` with other coordinates than before; none where there are more or fewer of
/// them or the elements have changed.
[[nodiscard]] std::optional<std::vector<LocalIndex>> moved_vertices(const mesh::Mesh& before,
                                                                    const mesh::Mesh& now);

/// Makes `remembered` what the mesh is now; `moved`: null where its vertices are others.
void remember_mesh(const mesh::Mesh& mesh, const std::vector<LocalIndex>* moved,
                   mesh::Mesh& remembered);

/// PartChanges about one partner's part: `moved` vertices of the mesh, those in the selection.
/// Null: the whole part.
void write_part(Writer& writer, const mesh::Mesh& mesh, const Selection& selection,
                const std::vector<LocalIndex>* moved);

/// Receives such messages for all parts and changes the mesh accordingly. Returns the vertices that
/// have moved; none if the mesh is another one.
[[nodiscard]] std::optional<std::vector<LocalIndex>> receive_changes(ChangeMessages& pieces,
                                                                     TransferredMesh& mesh);

} // namespace isthmus::transfer
