// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/declared_fields.hpp"
#include "isthmus/fields/field.hpp"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::fields {

/// All data fields of one participant, on provided and on received meshes.
class FieldSet {
 public:
  explicit FieldSet(std::span<const config::DeclaredField> declared);

  /// Null if the participant has no such mesh or the mesh no such data.
  [[nodiscard]] Field* find(const std::string& mesh, const std::string& data) const;
  /// For names that the configuration was checked for.
  [[nodiscard]] Field& at(const std::string& mesh, const std::string& data) const;
  /// What the solver writes or reads: on a received mesh with api-access not the values that
  /// travel, but those of the vertices that it has access to.
  [[nodiscard]] Field& of_solver(const std::string& mesh, const std::string& data) const;
  /// All fields, in the same order on all ranks; those of the solver on received meshes are last.
  [[nodiscard]] std::vector<Field*> all() const;
  /// Those on one mesh.
  [[nodiscard]] std::vector<Field*> on(const std::string& mesh) const;
  /// Whether a field holds the values of the vertices of a received mesh that the solver accesses.
  [[nodiscard]] bool is_accessed(const Field& field) const;

 private:
  using Fields = std::map<std::pair<std::string, std::string>, std::unique_ptr<Field>>;
  Fields fields_;
  Fields accessed_; // on received meshes
};

} // namespace isthmus::fields
