// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace isthmus {

/// The calls of a participant that texts name, where not all faces call them the same.
enum class Call {
  save_restart,
  mesh_dimensions,
  data_dimensions,
  is_coupling_ongoing,
  is_time_window_complete,
  max_time_step_size,
  requires_initial_data,
  requires_writing_checkpoint,
  requires_reading_checkpoint,
  requires_mesh_connectivity_for,
  set_mesh_vertex,
  set_mesh_vertices,
  mesh_vertex_size,
  set_mesh_edges,
  set_mesh_triangles,
  set_mesh_quads,
  set_mesh_tetrahedra,
  reset_mesh,
  write_data,
  read_data,
  requires_gradient_data_for,
  write_gradient_data,
  write_and_map_data,
  map_and_read_data,
  set_mesh_access_region,
  mesh_vertex_ids_and_coordinates,
  stop_last_profiling_section
};

constexpr std::size_t num_calls = static_cast<std::size_t>(Call::stop_last_profiling_section) + 1;

/// How a face, such as the one with the names of preCICE, calls them: texts of errors and of the
/// log speak of what the solver has called.
class CallNames {
 public:
  /// `names`: separated by spaces, in the order of the enumerators. `interface`: whose interface
  /// the face offers, with its version; empty if none but our own.
  constexpr explicit CallNames(std::string_view names, std::string_view interface = {})
      : interface_(interface) {
    for (std::string_view& name : names_) {
      name = names.substr(0, names.find(' '));
      names.remove_prefix(std::min(names.size(), name.size() + 1));
    }
    if (names_.back().empty() || !names.empty()) {
      throw "not one name for each call"; // the compiler says so
    }
  }

  [[nodiscard]] constexpr std::string_view operator[](Call call) const {
    return names_[static_cast<std::size_t>(call)];
  }
  [[nodiscard]] constexpr std::string_view interface() const { return interface_; }

 private:
  std::string_view interface_;
  std::array<std::string_view, num_calls> names_;
};

/// Those of Participant.
inline constexpr CallNames native_call_names(
    "save_restart mesh_dimensions data_dimensions is_coupling_ongoing "
    "is_time_window_complete max_time_step_size requires_initial_data "
    "requires_writing_checkpoint requires_reading_checkpoint "
    "requires_mesh_connectivity_for set_mesh_vertex set_mesh_vertices "
    "mesh_vertex_size set_mesh_edges set_mesh_triangles set_mesh_quads "
    "set_mesh_tetrahedra reset_mesh write_data read_data "
    "requires_gradient_data_for write_gradient_data write_and_map_data "
    "map_and_read_data set_mesh_access_region mesh_vertex_ids_and_coordinates "
    "stop_last_profiling_section");

} // namespace isthmus
