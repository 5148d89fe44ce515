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
  [[nodiscard]] const Field* find(std::string_view mesh, std::string_view data) const;
  /// For names that the configuration was checked for.
  [[nodiscard]] Field& at(std::string_view mesh, std::string_view data) {
    return travelling(mesh, data);
  }
  [[nodiscard]] const Field& at(std::string_view mesh, std::string_view data) const {
    return travelling(mesh, data);
  }
  /// What the solver writes or reads: on a received mesh with api-access not the values that
  /// travel, but those of the vertices that it has access to.
  [[nodiscard]] Field& of_solver(std::string_view mesh, std::string_view data) {
    return used(mesh, data);
  }
  [[nodiscard]] const Field& of_solver(std::string_view mesh, std::string_view data) const {
    return used(mesh, data);
  }
  /// All fields, in the same order on all ranks; those of the solver on received meshes are last.
  [[nodiscard]] std::vector<Field*> all();
  /// Those on one mesh.
  [[nodiscard]] std::vector<Field*> on(const std::string& mesh);
  /// Whether a field holds the values of the vertices of a received mesh that the solver accesses.
  [[nodiscard]] bool is_accessed(const Field& field) const;

 private:
  // at() and of_solver(), whose constness is that of what they give
  [[nodiscard]] Field& travelling(std::string_view mesh, std::string_view data) const;
  [[nodiscard]] Field& used(std::string_view mesh, std::string_view data) const;

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
