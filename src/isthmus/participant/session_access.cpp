// SPDX-License-Identifier: BSD-3-Clause
// The calls of a session about received meshes: direct access, just-in-time mapping.
#include "isthmus/base/error.hpp"
#include "isthmus/participant/factory.hpp"
#include "isthmus/participant/session.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::participant {

const config::ReceiveMesh& Session::accessible(const char* call, std::string_view mesh) const {
  const config::Mesh& known = known_mesh(call, mesh);
  const config::ReceiveMesh* received = self_->receives(known.name);
  check(
      received != nullptr,
      "{}(): mesh \"{}\" is provided by participant \"{}\" itself; this call needs a mesh that it "
      "receives",
      call, mesh, name_);
  check(received->api_access,
        "{}(): mesh \"{}\" is received by participant \"{}\" without access for the solver; add "
        "api-access=\"true\" to its <receive-mesh>",
        call, mesh, name_);
  return *received;
}

LocalIndex Session::num_vertices(const char* call, std::string_view mesh) const {
  static_cast<void>(known_mesh(call, mesh));
  const auto own = meshes_.find(mesh);
  if (own != meshes_.end()) {
    return own->second.mesh.num_vertices();
  }
  const config::ReceiveMesh& received = accessible(call, mesh);
  check_initialized(call);
  check(
      !regions_.at(received.name).empty(),
      "{}(): no access region of mesh \"{}\" was set, which participants with several ranks need; "
      "call {}(\"{}\", …) before initialize()",
      call, mesh, calls_[Call::set_mesh_access_region], mesh);
  return coupling_->wiring().accessed(mesh)->num_inside;
}

void Session::set_access_region(std::string_view mesh, std::span<const double> bounding_box) {
  const char* const call = calls_[Call::set_mesh_access_region];
  const config::ReceiveMesh& received = accessible(call, mesh);
  check(state_ == State::defining,
        "{}(): the access region of mesh \"{}\" can be set before initialize() only", call, mesh);
  check(regions_.count(received.name) == 0,
        "{}(): the access region of mesh \"{}\" is set already; it can be set only once", call,
        mesh);
  const auto dim = static_cast<std::size_t>(configuration_.find_mesh(received.name)->dimensions);
  check(bounding_box.size() == 2 * dim,
        "{}(): the region of mesh \"{}\" needs {} numbers, minimum and maximum in each of its {} "
        "dimensions; {} are given",
        call, mesh, 2 * dim, dim, bounding_box.size());
  geometry::Box box{{0, 0, 0}, {0, 0, 0}};
  for (std::size_t d = 0; d < dim; ++d) {
    const double lo = bounding_box[2 * d];
    const double hi = bounding_box[2 * d + 1];
    check(std::isfinite(lo) && std::isfinite(hi) && lo <= hi,
          "{}(): the region of mesh \"{}\" reaches from {} to {} in dimension {}; give finite "
          "numbers, the minimum first",
          call, mesh, lo, hi, d);
    box.lo[d] = lo;
    box.hi[d] = hi;
  }
  regions_[received.name] = box;
}

void Session::complete_regions() {
  for (const config::ReceiveMesh& received : self_->received) {
    if (!received.api_access || regions_.count(received.name) != 0) {
      continue;
    }
    const bool mapped =
        std::any_of(self_->mappings.begin(), self_->mappings.end(), [&](const auto& mapping) {
          return !mapping.just_in_time() &&
                 (mapping.from == received.name || mapping.to == received.name);
        });
    check(mapped,
          "the access region of mesh \"{}\" is missing, and no mapping tells that the mesh is "
          "needed; call {}(\"{}\", …) before initialize()",
          received.name, calls_[Call::set_mesh_access_region], received.name);
    regions_[received.name] = comm_.size() == 1 ? geometry::Box::all_of_space() : geometry::Box();
  }
}

void Session::accessed_vertices(std::string_view mesh, std::span<VertexId> ids,
                                std::span<double> positions) const {
  const char* const call = calls_[Call::mesh_vertex_ids_and_coordinates];
  static_cast<void>(accessible(call, mesh));
  const auto count = static_cast<std::size_t>(num_vertices(call, mesh));
  const mesh::Mesh& accessed = coupling_->wiring().accessed(mesh)->mesh;
  const auto places =
      accessed.coordinates().first(count * static_cast<std::size_t>(accessed.dimensions()));
  check(ids.size() == count && positions.size() == places.size(),
        "{}(): mesh \"{}\" has {} vertices in the access region, so {} ids and {} coordinates are "
        "needed; space for {} and {} is given. Ask {}()",
        call, mesh, count, count, places.size(), ids.size(), positions.size(),
        calls_[Call::mesh_vertex_size]);
  for (std::size_t i = 0; i < count; ++i) {
    ids[i] = static_cast<VertexId>(i);
  }
  std::copy(places.begin(), places.end(), positions.begin());
}

const mapping::Mapping& Session::just_in_time(const char* call, const config::Mesh& mesh,
                                              config::Direction direction) const {
  const bool reads = direction == config::Direction::read;
  const auto& mappings = self_->mappings;
  const auto found = std::find_if(mappings.begin(), mappings.end(), [&](const auto& mapping) {
    return mapping.just_in_time() && mapping.direction == direction &&
           (reads ? mapping.from : mapping.to) == mesh.name;
  });
  check(found != mappings.end(),
        "{}(): participant \"{}\" has no matching just-in-time mapping {} mesh \"{}\"; add "
        "<mapping:… direction=\"{}\" {}=\"{}\" … />",
        call, name_, reads ? "from" : "to", mesh.name, reads ? "read" : "write",
        reads ? "from" : "to", mesh.name);
  std::unique_ptr<mapping::Mapping>& made = just_in_time_[{mesh.name, direction}];
  if (!made) {
    made = mappings_->make(*found, coupling_->wiring().accessed(mesh.name)->mesh);
  }
  return *made;
}

void Session::check_positions(const char* call, const config::Mesh& mesh,
                              const fields::Field& field, std::span<const double> positions,
                              std::size_t num_values) const {
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
          call, fmt::join(place, ", "), mesh.name, calls_[Call::set_mesh_access_region]);
  }
  check(positions.empty() || coupling_->wiring().accessed(mesh.name)->mesh.num_vertices() > 0,
        "{}(): mesh \"{}\" has no vertices in or around the access region of this rank, so that "
        "nothing can be mapped there; set another region with {}()",
        call, mesh.name, calls_[Call::set_mesh_access_region]);
}

void Session::map_and_read(std::string_view mesh, std::string_view data,
                           std::span<const double> positions, double relative_time,
                           std::span<double> values) const {
  const auto scope = trace_.scope("mapAndReadData", Detail::calls);
  const char* const call = calls_[Call::map_and_read_data];
  check_initialized(call);
  const config::Mesh& known = known_mesh(call, mesh);
  static_cast<void>(accessible(call, mesh));
  const fields::Field& field = this->field(call, mesh, data, self_->read, "read-data");
  const mapping::Mapping& mapping = just_in_time(call, known, config::Direction::read);
  check_positions(call, known, field, positions, values.size());
  check_reading(call, relative_time);
  const mapping::Interpolation found = mapping.interpolate(positions);
  const auto width = static_cast<std::size_t>(field.components());
  std::vector<double> corners(found.columns.size() * width);
  if (!found.columns.empty()) {
    field.wave().evaluate(coupling_->time() + relative_time, found.columns, field.components(),
                          corners);
  }
  std::fill(values.begin(), values.end(), 0.0);
  std::size_t entry = 0;
  for (std::size_t i = 0; i < found.num_points(); ++i) {
    for (LocalIndex n = 0; n < found.counts[i]; ++n, ++entry) {
      for (std::size_t c = 0; c < width; ++c) {
        values[i * width + c] += found.weights[entry] * corners[entry * width + c];
      }
    }
  }
}

void Session::write_and_map(std::string_view mesh, std::string_view data,
                            std::span<const double> positions, std::span<const double> values) {
  const auto scope = trace_.scope("writeAndMapData", Detail::calls);
  const char* const call = calls_[Call::write_and_map_data];
  check_initialized(call);
  check(coupling_->is_ongoing(), "{}() cannot be called after the coupling has ended", call);
  const config::Mesh& known = known_mesh(call, mesh);
  static_cast<void>(accessible(call, mesh));
  fields::Field& field = this->field(call, mesh, data, self_->written, "write-data");
  const mapping::Mapping& mapping = just_in_time(call, known, config::Direction::write);
  check_positions(call, known, field, positions, values.size());
  check(std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }),
        "{}(): a value of data \"{}\" is NaN or infinite; values must be finite", call, data);
  const mapping::Interpolation found = mapping.interpolate(positions);
  const auto width = static_cast<std::size_t>(field.components());
  std::size_t entry = 0;
  for (std::size_t i = 0; i < found.num_points(); ++i) {
    for (LocalIndex n = 0; n < found.counts[i]; ++n, ++entry) {
      field.add(found.columns[entry], found.weights[entry], values.subspan(i * width, width));
    }
  }
}

} // namespace isthmus::participant
