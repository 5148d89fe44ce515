// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace walks {

enum class Kind {
  construct,
  destroy, // the destructor is called
  unwind,  // the same while an exception of the solver passes
  barrier, // of all that play: what comes next would otherwise be a race
  initialize,
  advance,
  finalize,
  reset_mesh,
  set_vertex,
  set_vertices,
  set_edge,
  set_triangle,
  set_region,
  fetch, // getMeshVertexIDsAndCoordinates()
  write,
  read,
  write_and_map,
  map_and_read,
  write_gradients,
  vertex_size,
  mesh_dimensions,
  data_dimensions,
  is_ongoing,
  is_complete,
  max_step,
  requires_initial,
  requires_writing,
  requires_reading,
  requires_connectivity,
  requires_gradient,
  start_section,
  stop_section,
  num_kinds
};

[[nodiscard]] const char* name_of(Kind kind);

/// How a call must end.
enum class Outcome {
  ok,
  refused,      // an error, after which everything is as before
  broken,       // an error, after which only destruction is possible
  maybe_broken, // somebody has left: it may be noticed here or later
};

/// What a call must come to.
struct Due {
  Outcome outcome = Outcome::ok;
  std::vector<std::string> words{}; // in the error
  std::vector<double> values{};     // empty: any
  double tolerance = 1e-10;         // of these, relative
};

/// One call on one rank.
struct Call {
  Kind kind{};
  std::string mesh{};
  std::string data{};
  std::vector<int> ids{};
  std::vector<double> numbers{}; // coordinates, values
  std::vector<double> places{};  // of values just in time
  double time = 0;               // step, or time of reading
  int count = 0;                 // of values to be read; size or rank to be wrong
  Due due{};
  int number = -1;    // of a local call
  bool wrong = false; // the caller's fault: any of its variants
};

[[nodiscard]] std::string to_string(const Call& call);

/// By participant and rank.
using Scripts = std::vector<std::vector<std::vector<Call>>>;

} // namespace walks
