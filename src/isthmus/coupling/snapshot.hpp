// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// The end of a time window that all schemes of a participant complete together.
struct RestartPoint {
  int window = 0; // completed windows
  double time = 0;
};

/// What is kept of one field: arrays that hold its values at all vertices of this rank.
struct FieldRecord {
  std::string name;
  bool is_provided = false; // the mesh, by this participant
  int dimensions = 0;
  int width = 0;                   // values of a vertex
  std::vector<double> coordinates; // of the vertices, which identify them where ranks differ
  std::vector<char> ghosts;        // not 0 for a vertex that a lower rank keeps; empty: none
  std::vector<std::vector<double>> samples;
};

/// The state of a coupling between two time windows, as one rank holds it.
struct Snapshot {
  RestartPoint point;
  std::vector<std::byte> shared; // the same for all ranks; valid on the first
  std::vector<FieldRecord> fields;
};

} // namespace isthmus::coupling
