// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"

#include <span>

namespace isthmus::coupling {

/// What of a configuration the steps of a participant depend on. The configuration must outlive it.
struct Settings {
  std::span<const config::Participant> participants;
  std::span<const config::Mesh> meshes;
  std::span<const config::Data> data;
  std::span<const config::M2N> m2ns;
  std::span<const config::CouplingScheme> schemes;
  bool may_change = false;         // meshes may be reset
  bool carries_iterations = false; // what was learnt goes on where they are
};

[[nodiscard]] inline Settings settings_of(const config::Configuration& configuration) {
  return {configuration.participants,
          configuration.meshes,
          configuration.data,
          configuration.m2ns,
          configuration.schemes,
          configuration.run.allow_remeshing,
          configuration.run.carries_iterations};
}

} // namespace isthmus::coupling
