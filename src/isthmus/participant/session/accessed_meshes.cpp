// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/accessed_meshes.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>

namespace isthmus::participant {

namespace {

/// Of the least and the greatest coordinate of each axis. Who wants all of a mesh may give the
/// largest numbers, or infinity: the square of a diagonal stays finite.
geometry::Box box_of(std::string_view call, std::string_view mesh, std::span<const double> bounds) {
  geometry::Box box{{0, 0, 0}, {0, 0, 0}};
  for (std::size_t d = 0; d < bounds.size() / 2; ++d) {
    const double lo = bounds[2 * d];
    const double hi = bounds[2 * d + 1];
    check(
        lo <= hi,
        "{}(): the region of mesh \"{}\" reaches from {} to {} in dimension {}; give numbers, the "
        "minimum first",
        call, mesh, lo, hi, d);
    constexpr double far = 1e150;
    box.lo[d] = std::clamp(lo, -far, far);
    box.hi[d] = std::clamp(hi, -far, far);
  }
  return box;
}

} // namespace

void AccessedMeshes::set_region(std::string_view mesh, std::span<const double> bounding_box) {
  const std::string_view call = declared_.calls()[Call::set_mesh_access_region];
  const config::ReceiveMesh& received = declared_.accessible(call, mesh);
  check(call_order_.is(CallOrder::Stage::defining),
        "{}(): the access region of mesh \"{}\" can be set before initialize() only", call, mesh);
  check(regions_.count(received.name) == 0,
        "{}(): the access region of mesh \"{}\" is set already; it can be set only once", call,
        mesh);
  const auto dim = static_cast<std::size_t>(declared_.mesh(call, mesh).dimensions);
  check(bounding_box.size() == 2 * dim,
        "{}(): the region of mesh \"{}\" needs {} numbers, minimum and maximum in each of its {} "
        "dimensions; {} are given",
        call, mesh, 2 * dim, dim, bounding_box.size());
  regions_[received.name] = box_of(call, mesh, bounding_box);
}

void AccessedMeshes::complete_regions(int num_ranks) {
  const config::Participant& self = declared_.self();
  for (const config::ReceiveMesh& received : self.received) {
    if (!received.api_access || regions_.count(received.name) != 0) {
      continue;
    }
    const bool mapped =
        std::any_of(self.mappings.begin(), self.mappings.end(), [&](const auto& mapping) {
          return !mapping.just_in_time() &&
                 (mapping.from == received.name || mapping.to == received.name);
        });
    check(mapped,
          "the access region of mesh \"{}\" is missing, and no mapping says that the mesh is "
          "needed; call {}(\"{}\", …) before initialize()",
          received.name, declared_.calls()[Call::set_mesh_access_region], received.name);
    regions_[received.name] = num_ranks == 1 ? geometry::Box::all_of_space() : geometry::Box();
  }
}

LocalIndex AccessedMeshes::num_vertices(std::string_view call, std::string_view mesh) const {
  const config::ReceiveMesh& received = declared_.accessible(call, mesh);
  call_order_.check_running(call);
  check(!regions_.at(received.name).empty(),
        "{}(): no access region of mesh \"{}\" was set, which participants with several ranks "
        "need; call {}(\"{}\", …) before initialize()",
        call, mesh, declared_.calls()[Call::set_mesh_access_region], mesh);
  return run_.coupling().planned_fields().accessed(mesh)->num_inside;
}

LocalIndex AccessedMeshes::num_kept(std::string_view call,
                                    const config::ReceiveMesh& received) const {
  call_order_.check_running(call);
  return run_.coupling().planned_fields().num_kept(received.name);
}

void AccessedMeshes::ids_and_coordinates(std::string_view mesh, std::span<VertexId> ids,
                                         std::span<double> positions) const {
  const std::string_view call = declared_.calls()[Call::mesh_vertex_ids_and_coordinates];
  const auto count = static_cast<std::size_t>(num_vertices(call, mesh));
  const mesh::Mesh& accessed = run_.coupling().planned_fields().accessed(mesh)->mesh;
  const auto coordinates =
      accessed.coordinates().first(count * static_cast<std::size_t>(accessed.dimensions()));
  check(ids.size() == count && positions.size() == coordinates.size(),
        "{}(): mesh \"{}\" has {} vertices in the access region, so {} ids and {} coordinates are "
        "needed; space for {} and {} is given. Ask {}()",
        call, mesh, count, count, coordinates.size(), ids.size(), positions.size(),
        declared_.calls()[Call::mesh_vertex_size]);
  for (std::size_t i = 0; i < count; ++i) {
    ids[i] = static_cast<VertexId>(i);
  }
  std::copy(coordinates.begin(), coordinates.end(), positions.begin());
}

void AccessedMeshes::check_positions(std::string_view call, const config::Mesh& mesh,
                                     const fields::Field& field, std::span<const double> positions,
                                     std::size_t num_values) const {
  const std::string_view set_region = declared_.calls()[Call::set_mesh_access_region];
  const auto dim = static_cast<std::size_t>(mesh.dimensions);
  const auto width = static_cast<std::size_t>(field.components());
  check(positions.size() % dim == 0 && num_values == positions.size() / dim * width,
        "{}(): mesh \"{}\" has {} dimensions and data \"{}\" {} components; {} coordinates and {} "
        "values do not fit together",
        call, mesh.name, dim, field.data(), width, positions.size(), num_values);
  const geometry::Box& region = regions_.at(mesh.name);
  for (std::size_t i = 0; i < positions.size() / dim; ++i) {
    const auto place = positions.subspan(i * dim, dim);
    check(region.contains(geometry::point_at(mesh.dimensions, positions, i)),
          "{}(): the position ({}) lies outside of the access region of mesh \"{}\"; set a larger "
          "region with {}()",
          call, fmt::join(place, ", "), mesh.name, set_region);
  }
  check(positions.empty() ||
            run_.coupling().planned_fields().accessed(mesh.name)->mesh.num_vertices() > 0,
        "{}(): mesh \"{}\" has no vertices in or around the access region of this rank, so that "
        "nothing can be mapped there; set another region with {}()",
        call, mesh.name, set_region);
}

mapping::Interpolation AccessedMeshes::interpolate(std::string_view call, const config::Mesh& mesh,
                                                   config::Direction direction,
                                                   const fields::Field& field,
                                                   std::span<const double> positions,
                                                   std::size_t num_values) {
  const config::Mapping& settings = declared_.just_in_time(call, mesh, direction);
  std::unique_ptr<mapping::Mapping>& made = just_in_time_[{mesh.name, direction}];
  if (!made) {
    made =
        run_.mappings().make(settings, run_.coupling().planned_fields().accessed(mesh.name)->mesh);
  }
  check_positions(call, mesh, field, positions, num_values);
  return made->interpolate(positions);
}

} // namespace isthmus::participant
