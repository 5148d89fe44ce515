// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/participant/participant.hpp"

#include <string>
#include <vector>

namespace couple {

/// What a rank has of vertices 0, 1, 2, … that stand at those x and are dealt to ranks in turn.
struct DealtLine {
  std::vector<int> numbers;
  std::vector<double> places; // in two dimensions
};

[[nodiscard]] inline DealtLine dealt_line(const isthmus::Launch& launch, int count, double y = 0) {
  DealtLine line;
  for (int v = launch.rank; v < count; v += launch.size) {
    line.numbers.push_back(v);
    line.places.insert(line.places.end(), {static_cast<double>(v), y});
  }
  return line;
}

/// The same vertices with other ranks and in another order in each window.
[[nodiscard]] inline DealtLine wandering_line(const isthmus::Launch& launch, int count,
                                              int window) {
  DealtLine line;
  for (int k = 0; k < count; ++k) {
    const int v = (k + window) % count;
    if ((v + window) % launch.size == launch.rank) {
      line.numbers.push_back(v);
      line.places.insert(line.places.end(), {static_cast<double>(v), 0.0});
    }
  }
  return line;
}

/// Defines these vertices; their ids, in that order.
[[nodiscard]] inline std::vector<isthmus::VertexId> define_line(isthmus::Participant& participant,
                                                                const std::string& mesh,
                                                                const DealtLine& line) {
  std::vector<isthmus::VertexId> ids(line.numbers.size());
  participant.set_mesh_vertices(mesh, line.places, ids);
  return ids;
}

} // namespace couple
