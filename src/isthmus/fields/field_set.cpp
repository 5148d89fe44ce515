// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/field_set.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>

namespace isthmus::fields {

FieldSet::FieldSet(std::span<const config::DeclaredField> declared) {
  for (const config::DeclaredField& one : declared) {
    (one.is_accessed ? accessed_ : fields_)
        .emplace(std::pair(one.mesh, one.data),
                 std::make_unique<Field>(one.mesh, one.data, one.components, one.waveform_degree,
                                         one.derivatives));
  }
}

Field* FieldSet::find(std::string_view mesh, std::string_view data) const {
  const auto found = fields_.find(ByName::Name(mesh, data));
  return found == fields_.end() ? nullptr : found->second.get();
}

Field& FieldSet::at(std::string_view mesh, std::string_view data) const {
  Field* const found = find(mesh, data);
  check(found != nullptr, "there is no data \"{}\" on mesh \"{}\"", data, mesh);
  return *found;
}

std::vector<Field*> FieldSet::all() const {
  std::vector<Field*> all;
  for (const Fields* fields : {&fields_, &accessed_}) {
    for (const auto& [name, field] : *fields) {
      all.push_back(field.get());
    }
  }
  return all;
}

std::vector<Field*> FieldSet::on(const std::string& mesh) const {
  std::vector<Field*> found = all();
  std::erase_if(found, [&mesh](const Field* field) { return field->mesh() != mesh; });
  return found;
}

bool FieldSet::is_accessed(const Field& field) const {
  const auto found = accessed_.find(ByName::Name(field.mesh(), field.data()));
  return found != accessed_.end() && found->second.get() == &field;
}

Field& FieldSet::of_solver(std::string_view mesh, std::string_view data) const {
  const auto found = accessed_.find(ByName::Name(mesh, data));
  return found == accessed_.end() ? at(mesh, data) : *found->second;
}

} // namespace isthmus::fields
