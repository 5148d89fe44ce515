// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"

#include <string>
#include <vector>

namespace isthmus::config {

/// Values of one data on one mesh of a participant.
struct DeclaredField {
  std::string mesh;
  std::string data;
  int components = 1;
  int waveform_degree = 1;
  int derivatives = 0;      // axes along which gradients travel, too
  bool is_accessed = false; // values of the received vertices that the solver accesses
};

/// All of a participant, on provided and on received meshes. On a received mesh with api-access
/// there are two: the values that travel, and those of the vertices that the solver accesses.
[[nodiscard]] std::vector<DeclaredField> declared_fields(const Configuration& configuration,
                                                         const Participant& participant);

/// Whether a mapping of any participant takes gradients of this data on this mesh.
[[nodiscard]] bool needs_gradients(const Configuration& configuration, const std::string& mesh,
                                   const std::string& data);

} // namespace isthmus::config
