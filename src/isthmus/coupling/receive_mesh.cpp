// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/receive_mesh.hpp"

#include "isthmus/coupling/reception.hpp"

#include <utility>

namespace isthmus::coupling {

ReceivedPlan receive_mesh(Connection& provider, const MeshRelation& relation,
                          const FindMesh& own_mesh, const MakeMapping& make_mapping,
                          const Regions& regions, std::optional<ReceptionMemory>* memory,
                          ReceivedPlan last) {
  return Reception(provider, relation, own_mesh, make_mapping, regions, memory, std::move(last))
      .run();
}

void note_changes(ReceptionMemory& memory, const FindMesh& own_mesh,
                  const std::function<bool(const std::string&)>& is_reset, bool several,
                  Changes& changes) {
  const geometry::Box everywhere = geometry::Box::all_of_space();
  for (SearchMemory::One& one : memory.searches.all) {
    const std::string& name = one.own.name();
    if (!is_reset(name)) {
      continue;
    }
    const mesh::Mesh& now = own_mesh(name);
    const auto moved = moved_vertices(one.own, now);
    if (!moved) {
      changes.is_small = 0;
      return;
    }
    one.moved = *moved;
    note_moves(
        one.own, now, *moved,
        several ? std::span<const geometry::Box>(memory.boxes[name]) : std::span(&everywhere, 1), 0,
        one.origins, changes);
  }
}

void patch_reception(Connection& provider, const MeshRelation& relation, const FindMesh& own_mesh,
                     const MakeMapping& make_mapping, std::optional<ReceptionMemory>& memory,
                     ReceivedPlan& plan, bool comes, Mail& mail, std::set<comm::LinkId>& changed) {
  plan = Reception(provider, relation, own_mesh, make_mapping, {}, &memory, std::move(plan))
             .patch(comes, mail);
  const std::vector<Part>& parts = memory->received.parts;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (memory->read[p].differs || parts[p].is_new) {
      changed.insert(parts[p].link);
    }
  }
}

} // namespace isthmus::coupling
