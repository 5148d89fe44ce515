// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/receive_mesh.hpp"

#include "isthmus/planning/reception.hpp"
#include "isthmus/transfer/part_changes.hpp"

#include <utility>

namespace isthmus::planning {

ReceivedPlan receive_mesh(partner::Connection& provider, const transfer::MeshRelation& relation,
                          const FindMesh& own_mesh, const MakeMapping& make_mapping,
                          const Regions& regions, std::optional<ReceptionMemory>* memory,
                          ReceivedPlan last) {
  return Reception(provider, relation, own_mesh, make_mapping, regions, memory, std::move(last))
      .run();
}

void note_changes(ReceptionMemory& memory, const FindMesh& own_mesh,
                  const std::function<bool(const std::string&)>& is_reset, bool several,
                  transfer::Changes& changes) {
  const geometry::Box everywhere = geometry::Box::all_of_space();
  for (SearchMemory::One& one : memory.searches.all) {
    const std::string& name = one.own.name();
    if (!is_reset(name)) {
      continue;
    }
    const mesh::Mesh& now = own_mesh(name);
    const auto moved = transfer::moved_vertices(one.own, now);
    if (!moved) {
      changes.is_small = 0;
      return;
    }
    one.moved = *moved;
    transfer::note_moves(
        one.own, now, *moved,
        several ? std::span<const geometry::Box>(memory.boxes[name]) : std::span(&everywhere, 1), 0,
        one.origins, changes);
  }
}

void patch_reception(partner::Connection& provider, const transfer::MeshRelation& relation,
                     const FindMesh& own_mesh, const MakeMapping& make_mapping,
                     std::optional<ReceptionMemory>& memory, ReceivedPlan& plan, bool comes,
                     transfer::Bundles& bundles, std::set<transport::LinkId>& changed) {
  plan = Reception(provider, relation, own_mesh, make_mapping, {}, &memory, std::move(plan))
             .patch(comes, bundles);
  const std::vector<transfer::Part>& parts = memory->received.parts;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (memory->read[p].differs || parts[p].is_new) {
      changed.insert(parts[p].link);
    }
  }
}

} // namespace isthmus::planning
