// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/coupling/field.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace isthmus::coupling {

/// All data fields of one participant, on provided and on received meshes.
class FieldSet {
 public:
  FieldSet(const config::Configuration& configuration, const config::Participant& participant);

  /// Null if the participant has no such mesh or the mesh no such data.
  [[nodiscard]] Field* find(const std::string& mesh, const std::string& data) const;
  /// For names that the configuration was checked for.
  [[nodiscard]] Field& at(const std::string& mesh, const std::string& data) const;

 private:
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Field>> fields_;
};

} // namespace isthmus::coupling
