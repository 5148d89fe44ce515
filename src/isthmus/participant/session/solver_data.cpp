// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/solver_data.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/rounding.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/config/mapped_data.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::participant {

namespace {

using config::Direction;

void check_ids(std::string_view call, LocalIndex count, const fields::Field& field,
               std::span<const VertexId> ids) {
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

void check_values(std::string_view call, LocalIndex count, const fields::Field& field,
                  std::span<const VertexId> ids, std::size_t num_values) {
  const auto width = static_cast<std::size_t>(field.components());
  check(num_values == ids.size() * width,
        "{}(): data \"{}\" on mesh \"{}\" has {} component{}, so {} vertex ids need {} values; the "
        "size of the given values is {}",
        call, field.data(), field.mesh(), width, width == 1 ? "" : "s", ids.size(),
        ids.size() * width, num_values);
  check_ids(call, count, field, ids);
}

} // namespace

LocalIndex SolverData::num_vertices(std::string_view call, std::string_view mesh) const {
  const config::Mesh& known = declared_.mesh(call, mesh);
  return provided_.has(known.name) ? provided_.at(known.name).num_vertices()
                                   : accessed_.num_vertices(call, mesh);
}

const fields::Field& SolverData::field(std::string_view call, std::string_view mesh,
                                       std::string_view data) const {
  return run_.fields().at(declared_.mesh_with(call, mesh, data).name, data);
}

fields::Field& SolverData::field_of_solver(std::string_view call, std::string_view mesh,
                                           std::string_view data, Direction direction) const {
  return run_.fields().of_solver(declared_.mesh_of_solver(call, mesh, data, direction).name, data);
}

int SolverData::mesh_dimensions(std::string_view mesh) const {
  return declared_.mesh(declared_.calls()[Call::mesh_dimensions], mesh).dimensions;
}

int SolverData::dimensions(std::string_view mesh, std::string_view data) const {
  return field(declared_.calls()[Call::data_dimensions], mesh, data).components();
}

int SolverData::num_vertices(std::string_view mesh) const {
  const std::string_view call = declared_.calls()[Call::mesh_vertex_size];
  const config::ReceiveMesh* received = declared_.self().receives(mesh);
  return received != nullptr && !received->api_access ? accessed_.num_kept(call, *received)
                                                      : num_vertices(call, mesh);
}

bool SolverData::requires_gradient(std::string_view mesh, std::string_view data) const {
  const std::string_view call = declared_.calls()[Call::requires_gradient_data_for];
  return field(call, mesh, data).has_gradients() && declared_.self().writes(data, mesh);
}

void SolverData::check_writing(std::string_view call) const {
  call_order_.check_not_finalized(call);
  check(call_order_.is(CallOrder::Stage::defining) || run_.coupling().schedule().is_ongoing(),
        "{}() cannot be called after the coupling has ended", call);
}

/// Of data on a received mesh only what a mapping brings is sent, if one does.
void SolverData::check_not_mapped(std::string_view call, std::string_view mesh,
                                  std::string_view data) const {
  const config::Mapping* const mapping = config::find_write_mapping(declared_.self(), data, mesh);
  check(mapping == nullptr,
        "{}(): data \"{}\" comes to mesh \"{}\" by the mapping in line {}, so that what is written "
        "there directly would be lost; write it on mesh \"{}\", or give it a name of its own",
        call, data, mesh, mapping == nullptr ? 0 : mapping->line,
        mapping == nullptr ? "" : mapping->from);
}

void SolverData::write(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                       std::span<const double> values) {
  const auto scope = trace_.scope("writeData", Detail::calls);
  const std::string_view call = declared_.calls()[Call::write_data];
  check_writing(call);
  fields::Field& field = field_of_solver(call, mesh, data, Direction::write);
  const LocalIndex count = num_vertices(call, mesh);
  check_values(call, count, field, ids, values.size());
  if (!provided_.has(mesh)) {
    check_not_mapped(call, mesh, data);
  }
  if (provided_.is_open(mesh)) {
    field.fit(count);
  }
  field.write(ids, values);
}

void SolverData::write_gradients(std::string_view mesh, std::string_view data,
                                 std::span<const VertexId> ids, std::span<const double> gradients) {
  const std::string_view call = declared_.calls()[Call::write_gradient_data];
  check_writing(call);
  fields::Field& field = field_of_solver(call, mesh, data, Direction::write);
  const LocalIndex count = num_vertices(call, mesh);
  const auto width = static_cast<std::size_t>(field.components() * mesh_dimensions(mesh));
  check(gradients.size() == ids.size() * width,
        "{}(): the gradient of data \"{}\" on mesh \"{}\" has {} components, so {} vertex ids need "
        "{} values; the size of the given values is {}",
        call, field.data(), field.mesh(), width, ids.size(), ids.size() * width, gradients.size());
  check_ids(call, count, field, ids);
  if (!field.has_gradients()) {
    return;
  }
  if (provided_.is_open(mesh)) {
    field.fit(count);
  }
  field.write_gradients(ids, gradients);
}

void SolverData::check_reading(std::string_view call, double relative_time) const {
  const coupling::Coupling& coupling = run_.coupling();
  const double limit = coupling.schedule().step_limit();
  check(std::isfinite(relative_time) && relative_time >= 0,
        "{}(): the relative read time {} must not be negative", call, relative_time);
  check(coupling.schedule().is_ongoing() || relative_time == 0,
        "{}(): the coupling has ended, data can be read at relative time 0 only, not at {}", call,
        relative_time);
  const double end = coupling.schedule().time() + limit;
  check(relative_time <= limit + rounding(1e-10, limit, end),
        "{}(): the relative read time {} exceeds the time that remains in this window, {}", call,
        relative_time, limit);
}

void SolverData::read(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                      double relative_time, std::span<double> values) const {
  const auto scope = trace_.scope("readData", Detail::calls);
  const std::string_view call = declared_.calls()[Call::read_data];
  call_order_.check_running(call);
  const fields::Field& field = field_of_solver(call, mesh, data, Direction::read);
  check(!provided_.is_open(mesh),
        "{}(): mesh \"{}\" was reset, so there is nothing to read on it before the next advance()",
        call, mesh);
  check_values(call, num_vertices(call, mesh), field, ids, values.size());
  check_reading(call, relative_time);
  field.wave().evaluate(run_.coupling().schedule().time() + relative_time, ids, field.components(),
                        values);
}

SolverData::Located SolverData::locate(std::string_view call, std::string_view mesh,
                                       std::string_view data, Direction direction,
                                       std::span<const double> positions,
                                       std::size_t num_values) const {
  static_cast<void>(declared_.accessible(call, mesh));
  const config::Mesh& known = declared_.mesh(call, mesh);
  fields::Field& field = field_of_solver(call, mesh, data, direction);
  return {field, accessed_.interpolate(call, known, direction, field, positions, num_values)};
}

void SolverData::map_and_read(std::string_view mesh, std::string_view data,
                              std::span<const double> positions, double relative_time,
                              std::span<double> values) const {
  const auto scope = trace_.scope("mapAndReadData", Detail::calls);
  const std::string_view call = declared_.calls()[Call::map_and_read_data];
  call_order_.check_running(call);
  const Located at = locate(call, mesh, data, Direction::read, positions, values.size());
  check_reading(call, relative_time);
  const auto width = static_cast<std::size_t>(at.field.components());
  std::vector<double> corners(at.found.columns.size() * width);
  if (!at.found.columns.empty()) {
    at.field.wave().evaluate(run_.coupling().schedule().time() + relative_time, at.found.columns,
                             at.field.components(), corners);
  }
  std::fill(values.begin(), values.end(), 0.0);
  auto corner = corners.begin();
  at.found.for_each([&corner, values, width](LocalIndex point, LocalIndex, double weight) {
    for (double& value : values.subspan(static_cast<std::size_t>(point) * width, width)) {
      value += weight * *corner++;
    }
  });
}

void SolverData::write_and_map(std::string_view mesh, std::string_view data,
                               std::span<const double> positions, std::span<const double> values) {
  const auto scope = trace_.scope("writeAndMapData", Detail::calls);
  const std::string_view call = declared_.calls()[Call::write_and_map_data];
  call_order_.check_running(call);
  check(run_.coupling().schedule().is_ongoing(),
        "{}() cannot be called after the coupling has ended", call);
  const Located at = locate(call, mesh, data, Direction::write, positions, values.size());
  check(std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }),
        "{}(): a value of data \"{}\" is NaN or infinite; values must be finite", call, data);
  const auto width = static_cast<std::size_t>(at.field.components());
  at.found.for_each([&at, values, width](LocalIndex point, LocalIndex column, double weight) {
    at.field.add(column, weight, values.subspan(static_cast<std::size_t>(point) * width, width));
  });
}

} // namespace isthmus::participant
