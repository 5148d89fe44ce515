// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/declared_fields.hpp"
#include "isthmus/fields/field.hpp"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isthmus::fields {

/// All data fields of one participant, on provided and on received meshes.
class FieldSet {
 public:
  explicit FieldSet(std::span<const config::DeclaredField> declared);

  /// Null if the participant has no such mesh or the mesh no such data.
  [[nodiscard]] Field* find(std::string_view mesh, std::string_view data) const;
  /// For names that the configuration was checked for.
  [[nodiscard]] Field& at(std::string_view mesh, std::string_view data) const;
  /// What the solver writes or reads: on a received mesh with api-access not the values that
  /// travel, but those of the vertices that it has access to.
  [[nodiscard]] Field& of_solver(std::string_view mesh, std::string_view data) const;
  /// All fields, in the same order on all ranks; those of the solver on received meshes are last.
  [[nodiscard]] std::vector<Field*> all() const;
  /// Those on one mesh.
  [[nodiscard]] std::vector<Field*> on(const std::string& mesh) const;
  /// Whether a field holds the values of the vertices of a received mesh that the solver accesses.
  [[nodiscard]] bool is_accessed(const Field& field) const;

 private:
  /// Fields are found by names of the solver, without copies of these.
  struct ByName {
    using is_transparent = void;
    using Name = std::pair<std::string_view, std::string_view>;
    bool operator()(const Name& one, const Name& other) const { return one < other; }
  };
  using Fields =
      std::map<std::pair<std::string, std::string>, std::unique_ptr<Field>, ByName>; // mesh, data
  Fields fields_;
  Fields accessed_; // on received meshes
};

} // namespace isthmus::fields
