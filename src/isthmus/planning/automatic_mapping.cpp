// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/automatic_mapping.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/hash.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/lists.hpp"
#include "isthmus/config/names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace isthmus::planning {

namespace {

using config::MappingKind;
using geometry::Point;

constexpr int enough_for_clusters = 50; // vertices

/// Vertices at the place of another one, of all that come to this rank.
std::int64_t count_duplicates(std::vector<Point> points) {
  std::sort(points.begin(), points.end());
  const auto rest = std::unique(points.begin(), points.end());
  return points.end() - rest;
}

/// Collective. Equal places meet on the rank that a hash of them names.
std::int64_t duplicates_of(const comm::Comm& comm, const mesh::Mesh& mesh) {
  comm::Lists<Point> leaving;
  for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
    const Point x =
        geometry::point_at(mesh.dimensions(), mesh.coordinates(), static_cast<std::size_t>(v));
    leaving[dealt_rank(std::span<const double>(x), comm.size())].push_back(x);
  }
  if (comm.size() == 1) {
    return count_duplicates(std::move(leaving[0]));
  }
  std::vector<Point> arrived;
  comm::append(comm::swap_lists(comm, leaving), arrived);
  return comm::allreduce(comm, count_duplicates(std::move(arrived)), comm::Op::sum);
}

std::vector<protocol::MappingUse*> automatic_uses(protocol::MeshRelation& relation) {
  std::vector<protocol::MappingUse*> uses;
  for (protocol::MappingUse& use : relation.uses) {
    if (use.is_automatic()) {
      uses.push_back(&use);
    }
  }
  return uses;
}

Choice made(config::Mapping mapping, MappingKind kind, std::string reason) {
  mapping.kind = kind;
  mapping.closest = true;
  return {std::move(mapping), std::move(reason)};
}

Choice choose_for_points(const config::Mapping& mapping, const std::string& mesh,
                         const protocol::Facts& searched) {
  if (mapping.gradients) {
    return made(mapping, MappingKind::nearest_neighbor_gradient,
                fmt::format("mesh \"{}\" has no elements, but gradients of its data", mesh));
  }
  if (searched.vertices < enough_for_clusters) {
    return made(
        mapping, MappingKind::nearest_neighbor,
        fmt::format("mesh \"{}\" has no elements and only {} vertices", mesh, searched.vertices));
  }
  if (searched.duplicates > 0) {
    return made(mapping, MappingKind::nearest_neighbor,
                fmt::format("mesh \"{}\" has no elements, and {} of its {} vertices are where "
                            "another one is, which radial basis functions do not admit",
                            mesh, searched.duplicates, searched.vertices));
  }
  Choice choice =
      made(mapping, MappingKind::rbf_pum_direct,
           fmt::format("mesh \"{}\" has no elements, but {} vertices", mesh, searched.vertices));
  choice.mapping.radial_basis.function = config::BasisFunction{};
  choice.mapping.radial_basis.function->kind =
      config::BasisKind::thin_plate_splines; // without a length to choose
  return choice;
}

} // namespace

protocol::Facts facts_of(const comm::Comm& comm, const mesh::Mesh& mesh) {
  std::array<std::int64_t, 4> counts{mesh.num_vertices(),
                                     static_cast<std::int64_t>(mesh.edges().size() / 2),
                                     static_cast<std::int64_t>(mesh.triangles().size() / 3),
                                     static_cast<std::int64_t>(mesh.tetrahedra().size() / 4)};
  comm::allreduce<std::int64_t>(comm, counts, comm::Op::sum);
  const bool bare = counts[1] + counts[2] + counts[3] == 0;
  return {counts[0], counts[1], counts[2], counts[3], bare ? duplicates_of(comm, mesh) : 0};
}

Choice choose(const config::Mapping& mapping, int dimensions, const protocol::Facts& searched,
              const protocol::Facts& asking) {
  const bool conservative = mapping.constraint == config::Constraint::conservative;
  const std::string& mesh = conservative ? mapping.to : mapping.from;
  const std::string& other = conservative ? mapping.from : mapping.to;
  const bool volumes = searched.volume(dimensions) > 0;
  const char* const cells = dimensions == 2 ? "triangles" : "tetrahedra";
  const char* const sides = dimensions == 2 ? "edges" : "triangles";
  const bool both = volumes ? asking.volume(dimensions) > 0
                            : searched.surface(dimensions) > 0 && asking.surface(dimensions) > 0 &&
                                  asking.volume(dimensions) == 0;
  if (conservative && both) {
    return made(
        mapping, MappingKind::intersection,
        fmt::format("both meshes have {} and sums are to be kept", volumes ? cells : sides));
  }
  if (volumes) {
    return made(mapping, MappingKind::linear_cell_interpolation,
                fmt::format("mesh \"{}\" has {}", mesh, cells));
  }
  if (searched.triangles + searched.edges > 0) {
    return made(mapping, MappingKind::nearest_projection,
                fmt::format("mesh \"{}\" has {}{}", mesh, searched.triangles > 0 ? sides : "edges",
                            conservative ? fmt::format(", mesh \"{}\" not", other) : ""));
  }
  return choose_for_points(mapping, mesh, searched);
}

void choose_mappings(partner::Connection& partner, protocol::MeshRelation& relation, bool provides,
                     const mesh::OwnMeshes& meshes, std::deque<config::Mapping>& chosen) {
  const std::vector<protocol::MappingUse*> uses = automatic_uses(relation);
  const comm::Comm& comm = partner.context().comm;
  protocol::FactsOfMeshes own; // of the provided mesh, or of the receiver's of each use
  for (std::size_t i = 0; i < (provides ? 1 : uses.size()); ++i) {
    own.list.push_back(facts_of(comm, meshes.at(provides ? relation.mesh : uses[i]->own_mesh)));
  }
  const std::vector<protocol::Facts> theirs = partner.swap(own).list;
  check(theirs.size() == (provides ? uses.size() : 1),
        "participant \"{}\" has sent facts of {} meshes for {} automatic mappings of mesh \"{}\"",
        partner.partner(), theirs.size(), uses.size(), relation.mesh);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const protocol::Facts& provided = provides ? own.list[0] : theirs[0];
    const protocol::Facts& received = provides ? theirs[i] : own.list[i];
    const bool searches = uses[i]->searches_received;
    const config::Mapping& asked = *uses[i]->mapping;
    Choice choice = choose(asked, relation.dimensions, searches ? provided : received,
                           searches ? received : provided);
    if (!provides && comm.is_root()) {
      partner.context().log.info(
          "<mapping:auto> in line {}, from mesh \"{}\" to \"{}\", is {}, because {}", asked.line,
          asked.from, asked.to, config::name(choice.mapping.kind), choice.reason);
    }
    chosen.push_back(std::move(choice.mapping));
    const bool is_joined = uses[i]->is_joined; // whatever the kind
    *uses[i] = protocol::use_of(chosen.back(), relation.mesh);
    uses[i]->is_joined = is_joined;
  }
}

} // namespace isthmus::planning
