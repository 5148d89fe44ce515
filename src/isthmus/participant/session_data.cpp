// SPDX-License-Identifier: BSD-3-Clause
// The calls of a session about meshes and data.
#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/grammar/suggest.hpp"
#include "isthmus/participant/session.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::participant {

namespace {

/// The names, and which of them is meant where `word` stands.
std::string names(std::string_view word, const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& name : known) {
    list += (list.empty() ? "\"" : ", \"") + name + "\"";
  }
  return list.empty() ? "none" : list + grammar::did_you_mean(word, known);
}

} // namespace

const config::Mesh& Session::known_mesh(const char* call, std::string_view mesh) const {
  const std::string name(mesh);
  if (!self_->provides(name) && self_->receives(name) == nullptr) {
    std::vector<std::string> known;
    for (const auto& provided : self_->provided) {
      known.push_back(provided.name);
    }
    for (const auto& received : self_->received) {
      known.push_back(received.name);
    }
    fail("{}(): mesh \"{}\" is not known to participant \"{}\"; its meshes are: {}", call, mesh,
         name_, names(mesh, known));
  }
  return *configuration_.find_mesh(name);
}

const Session::ProvidedMesh& Session::provided(const char* call, std::string_view mesh) const {
  static_cast<void>(known_mesh(call, mesh));
  const auto found = meshes_.find(mesh);
  check(found != meshes_.end(),
        "{}(): mesh \"{}\" is received by participant \"{}\"; this call needs a mesh that it "
        "provides",
        call, mesh, name_);
  return found->second;
}

Session::ProvidedMesh& Session::open_mesh(const char* call, std::string_view mesh) {
  check(state_ != State::finalized, "{}() cannot be called after finalize()", call);
  const ProvidedMesh& found = provided(call, mesh);
  check(is_open(mesh),
        "{}(): mesh \"{}\" is locked; meshes can be defined before initialize() and after {}() "
        "only",
        call, mesh, calls_[Call::reset_mesh]);
  return const_cast<ProvidedMesh&>(found);
}

const fields::Field& Session::known_field(const char* call, std::string_view mesh,
                                          std::string_view data) const {
  const config::Mesh& known = known_mesh(call, mesh);
  check(known.uses(std::string(data)), "{}(): mesh \"{}\" has no data \"{}\"; its data are: {}",
        call, mesh, data, names(data, known.data));
  return fields_->at(known.name, std::string(data));
}

int Session::mesh_dimensions(std::string_view mesh) const {
  return known_mesh(calls_[Call::mesh_dimensions], mesh).dimensions;
}

int Session::data_dimensions(std::string_view mesh, std::string_view data) const {
  return known_field(calls_[Call::data_dimensions], mesh, data).components();
}

bool Session::requires_connectivity(std::string_view mesh) const {
  return provided(calls_[Call::requires_mesh_connectivity_for], mesh).connectivity;
}

bool Session::requires_gradient(std::string_view mesh, std::string_view data) const {
  return known_field(calls_[Call::requires_gradient_data_for], mesh, data).has_gradients() &&
         self_->writes(std::string(data), std::string(mesh));
}

int Session::mesh_vertex_size(std::string_view mesh) const {
  return num_vertices(calls_[Call::mesh_vertex_size], mesh);
}

VertexId Session::set_vertex(std::string_view mesh, std::span<const double> position) {
  const char* const call = calls_[Call::set_mesh_vertex];
  mesh::Mesh& open = open_mesh(call, mesh).mesh;
  check(position.size() == static_cast<std::size_t>(open.dimensions()),
        "{}(): mesh \"{}\" has {} dimensions, the position has {} coordinates", call, mesh,
        open.dimensions(), position.size());
  return open.add_vertices(position);
}

void Session::set_vertices(std::string_view mesh, std::span<const double> positions,
                           std::span<VertexId> ids) {
  const char* const call = calls_[Call::set_mesh_vertices];
  mesh::Mesh& open = open_mesh(call, mesh).mesh;
  const auto dim = static_cast<std::size_t>(open.dimensions());
  check(positions.size() == ids.size() * dim,
        "{}(): mesh \"{}\" has {} dimensions, so {} ids need {} coordinates; the size "
        "of "
        "the given positions is {}",
        call, mesh, dim, ids.size(), ids.size() * dim, positions.size());
  VertexId next = open.add_vertices(positions);
  for (VertexId& id : ids) {
    id = next++;
  }
}

void Session::set_elements(Call function, std::string_view mesh, std::span<const VertexId> ids,
                           AddElements add) {
  ProvidedMesh& open = open_mesh(calls_[function], mesh);
  const bool impossible = add == &mesh::Mesh::add_tetrahedra && open.mesh.dimensions() < 3;
  if (open.connectivity || impossible) { // which the mesh refuses, needed or not
    (open.mesh.*add)(ids);
  }
}

fields::Field& Session::field(const char* call, std::string_view mesh, std::string_view data,
                              const std::vector<config::UseData>& uses, const char* tag) const {
  const config::Mesh& known = known_mesh(call, mesh);
  check(known.uses(std::string(data)), "{}(): mesh \"{}\" has no data \"{}\"; its data are: {}",
        call, mesh, data, names(data, known.data));
  const bool listed = std::any_of(uses.begin(), uses.end(), [mesh, data](const auto& use) {
    return use.mesh == mesh && use.name == data;
  });
  check(listed,
        "{}(): participant \"{}\" has no <{} name=\"{}\" mesh=\"{}\" /> in the configuration", call,
        name_, tag, data, mesh);
  return fields_->of_solver(known.name, std::string(data));
}

void Session::check_values(const char* call, LocalIndex count, const fields::Field& field,
                           std::span<const VertexId> ids, std::size_t num_values) const {
  const auto width = static_cast<std::size_t>(field.components());
  check(num_values == ids.size() * width,
        "{}(): data \"{}\" on mesh \"{}\" has {} component{}, so {} vertex ids need {} values; the "
        "size "
        "of the given values is {}",
        call, field.data(), field.mesh(), width, width == 1 ? "" : "s", ids.size(),
        ids.size() * width, num_values);
  check_ids(call, count, field, ids);
}

void Session::check_ids(const char* call, LocalIndex count, const fields::Field& field,
                        std::span<const VertexId> ids) const {
  if (counts_from_zero(ids) && ids.size() <= static_cast<std::size_t>(count)) {
    return;
  }
  const auto bad =
      std::find_if(ids.begin(), ids.end(), [count](VertexId id) { return id < 0 || id >= count; });
  if (bad != ids.end()) {
    fail(
        "{}(): vertex id {} of mesh \"{}\" is invalid: it has {} vertices on this rank, ids 0 to "
        "{}",
        call, *bad, field.mesh(), count, count - 1);
  }
}

void Session::write(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                    std::span<const double> values) {
  const auto scope = trace_.scope("writeData", Detail::calls);
  const char* const call = calls_[Call::write_data];
  check(state_ != State::finalized, "{}() cannot be called after finalize()", call);
  check(state_ == State::defining || coupling_->is_ongoing(),
        "{}() cannot be called after the coupling has ended", call);
  fields::Field& field = this->field(call, mesh, data, self_->written, "write-data");
  const LocalIndex count = num_vertices(call, mesh);
  check_values(call, count, field, ids, values.size());
  if (is_open(mesh)) {
    field.fit(count);
  }
  field.write(ids, values);
}

void Session::write_gradients(std::string_view mesh, std::string_view data,
                              std::span<const VertexId> ids, std::span<const double> gradients) {
  const char* const call = calls_[Call::write_gradient_data];
  check(state_ != State::finalized, "{}() cannot be called after finalize()", call);
  check(state_ == State::defining || coupling_->is_ongoing(),
        "{}() cannot be called after the coupling has ended", call);
  fields::Field& field = this->field(call, mesh, data, self_->written, "write-data");
  const LocalIndex count = num_vertices(call, mesh);
  const auto width = static_cast<std::size_t>(field.components() * mesh_dimensions(mesh));
  check(gradients.size() == ids.size() * width,
        "{}(): the gradient of data \"{}\" on mesh \"{}\" has {} components, so {} vertex ids need "
        "{} "
        "values; the size of the given values is {}",
        call, field.data(), field.mesh(), width, ids.size(), ids.size() * width, gradients.size());
  check_ids(call, count, field, ids);
  if (!field.has_gradients()) {
    return;
  }
  if (is_open(mesh)) {
    field.fit(count);
  }
  field.write_gradients(ids, gradients);
}

void Session::read(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                   double relative_time, std::span<double> values) const {
  const auto scope = trace_.scope("readData", Detail::calls);
  const char* const call = calls_[Call::read_data];
  check_initialized(call);
  const fields::Field& field = this->field(call, mesh, data, self_->read, "read-data");
  check(!is_open(mesh),
        "{}(): mesh \"{}\" was reset, so there is nothing to read on it before the next advance()",
        call, mesh);
  const LocalIndex count = num_vertices(call, mesh);
  check_values(call, count, field, ids, values.size());
  check_reading(call, relative_time);
  field.wave().evaluate(coupling_->time() + relative_time, ids, field.components(), values);
}

void Session::check_reading(const char* call, double relative_time) const {
  const double limit = coupling_->step_limit();
  check(std::isfinite(relative_time) && relative_time >= 0,
        "{}(): the relative read time {} must not be negative", call, relative_time);
  check(coupling_->is_ongoing() || relative_time == 0,
        "{}(): the coupling has ended, data can be read at relative time 0 only, not at {}", call,
        relative_time);
  check(relative_time <= limit + 1e-10 * std::max(1.0, limit),
        "{}(): the relative read time {} exceeds the time that remains in this window, {}", call,
        relative_time, limit);
}

} // namespace isthmus::participant
