// SPDX-License-Identifier: BSD-3-Clause
// Small changes of a provided mesh, told to those alone whom they concern.
#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/planning/provide_mesh.hpp"
#include "isthmus/transfer/part_changes.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::planning {

namespace {

using Partner = ProvisionMemory::Partner;

bool lies_in(const mesh::Mesh& mesh, LocalIndex vertex, std::span<const geometry::Box> boxes) {
  const auto place =
      geometry::point_at(mesh.dimensions(), mesh.coordinates(), static_cast<std::size_t>(vertex));
  return std::any_of(boxes.begin(), boxes.end(),
                     [&place](const geometry::Box& box) { return box.contains(place); });
}

/// Whether a partner gets the same vertices and elements as before, but for their places; makes the
/// new selection where not.
bool keeps_selection(const transfer::MeshRelation& relation, const mesh::Mesh& mesh,
                     std::span<const LocalIndex> moved, Partner& partner) {
  const std::vector<LocalIndex>& chosen = partner.selection.vertices;
  const bool vertices_only = !relation.sends_connectivity();
  if (vertices_only && std::all_of(moved.begin(), moved.end(), [&](LocalIndex vertex) {
        const bool was_chosen = partner.selection.everything ||
                                std::binary_search(chosen.begin(), chosen.end(), vertex);
        return was_chosen == lies_in(mesh, vertex, partner.region);
      })) {
    return true;
  }
  transfer::Selection selection =
      transfer::select(mesh, partner.region, relation.sends_connectivity());
  if (selection == partner.selection) {
    return true;
  }
  partner.selection = std::move(selection);
  return false;
}

/// The list of a partner has changed, or what its positions mean.
void put_route(ProvidedPlan& plan, const mesh::Mesh& mesh, const Partner& partner) {
  std::vector<LocalIndex> vertices;
  const LocalIndex count = partner.selection.num_vertices(mesh);
  for (const LocalIndex position : partner.read) {
    check(position >= 0 && position < count, "a plan names a vertex that was not sent");
    vertices.push_back(partner.selection.vertex(position));
  }
  std::erase_if(plan.read, [&partner](const Route& route) { return route.link == partner.link; });
  if (!vertices.empty()) {
    const auto number = static_cast<LocalIndex>(vertices.size());
    plan.read.push_back({partner.link, 0, number, std::move(vertices)});
  }
}

} // namespace

void note_changes(ProvisionMemory& memory, const transfer::MeshRelation& relation,
                  const mesh::Mesh& mesh, bool several, transfer::Changes& changes) {
  const auto moved = transfer::moved_vertices(memory.mesh, mesh);
  double reach = 0;
  if (relation.sends_connectivity() && several) {
    reach = transfer::longest_element(mesh);
  }
  if (!moved || reach > memory.reach) {
    changes.is_small = 0;
    return;
  }
  const geometry::Box everywhere = geometry::Box::all_of_space();
  memory.moved = *moved;
  transfer::note_moves(
      memory.mesh, mesh, *moved,
      several ? std::span<const geometry::Box>(memory.boxes) : std::span(&everywhere, 1),
      memory.reach, memory.origins, changes);
}

void put_changes(const transfer::MeshRelation& relation, const mesh::Mesh& mesh,
                 ProvisionMemory& memory, const Concerns& concerns, transfer::Bundles& bundles) {
  for (Partner& partner : memory.partners) {
    if (concerns(partner.region)) {
      partner.is_new = !keeps_selection(relation, mesh, memory.moved, partner);
      Writer writer;
      transfer::write_part(writer, mesh, partner.selection,
                           partner.is_new ? nullptr : &memory.moved);
      bundles.put(partner.link, writer.take());
    }
  }
  for (const LocalIndex vertex : memory.moved) {
    memory.mesh.move_vertices(std::span(&vertex, 1), mesh.vertex(vertex));
  }
  memory.moved.clear();
}

void take_answers(const mesh::Mesh& mesh, ProvisionMemory& memory, ProvidedPlan& plan,
                  const Concerns& concerns, transfer::Bundles& bundles,
                  std::set<transport::LinkId>& changed) {
  for (Partner& partner : memory.partners) {
    if (concerns(partner.region)) {
      const auto bytes = bundles.get(partner.link);
      Reader reader(bytes);
      if (transfer::read_difference(reader, partner.read) || std::exchange(partner.is_new, false)) {
        put_route(plan, mesh, partner);
        changed.insert(partner.link);
      }
    }
  }
}

} // namespace isthmus::planning
