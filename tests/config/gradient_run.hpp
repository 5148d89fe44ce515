// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"

#include <string>

namespace isthmus::config {

inline Data make_data(const std::string& name, bool vector) {
  Data result;
  result.name = name;
  result.vector = vector;
  return result;
}

/// "A" provides MA; "B" provides MB, receives MA and reads Heat on MB, which comes from MA.
inline Configuration gradient_run() {
  Configuration all;
  all.data = {make_data("Force", true), make_data("Heat", false)};
  all.data[1].waveform_degree = 3;
  all.meshes = {{"MA", 3, {"Force", "Heat"}, 0}, {"MB", 3, {"Heat"}, 0}};
  all.participants.resize(2);
  Participant& a = all.participants[0];
  a.name = "A";
  a.provided = {{"MA", 0}};
  a.written = {{"Heat", "MA", 0}};
  Participant& b = all.participants[1];
  b.name = "B";
  b.provided = {{"MB", 0}};
  b.received = {{"MA", "A"}};
  b.read = {{"Heat", "MB", 0}};
  Mapping mapping;
  mapping.kind = MappingKind::nearest_neighbor_gradient;
  mapping.direction = Direction::read;
  mapping.from = "MA";
  mapping.to = "MB";
  b.mappings = {mapping};
  all.schemes.resize(1);
  all.schemes[0].exchanges = {{"Heat", "MA", "A", "B"}};
  return all;
}

} // namespace isthmus::config
