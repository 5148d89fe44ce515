// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/config/config.hpp"

#include <algorithm>
#include <span>
#include <string_view>

namespace isthmus::config {

/// The one of that name. Error where there is none, which the checks of a configuration exclude.
template <class Named>
[[nodiscard]] const Named& one_named(std::string_view name, std::span<const Named> all,
                                     std::string_view what) {
  const auto found =
      std::find_if(all.begin(), all.end(), [name](const Named& one) { return one.name == name; });
  check(found != all.end(), "there is no {} \"{}\"", what, name);
  return *found;
}

[[nodiscard]] inline const Participant& participant_named(std::string_view name,
                                                          std::span<const Participant> all) {
  return one_named(name, all, "participant");
}

[[nodiscard]] inline const Mesh& mesh_named(std::string_view name, std::span<const Mesh> all) {
  return one_named(name, all, "mesh");
}

} // namespace isthmus::config
