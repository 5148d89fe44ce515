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

const Field* FieldSet::find(std::string_view mesh, std::string_view data) const {
  const auto found = fields_.find(ByName::Name(mesh, data));
  return found == fields_.end() ? nullptr : found->second.get();
}

Field& FieldSet::travelling(std::string_view mesh, std::string_view data) const {
  const auto found = fields_.find(ByName::Name(mesh, data));
  check(found != fields_.end(), "there is no data \"{}\" on mesh \"{}\"", data, mesh);
  return *found->second;
}

Field& FieldSet::used(std::string_view mesh, std::string_view data) const {
  const auto found = accessed_.find(ByName::Name(mesh, data));
  return found == accessed_.end() ? travelling(mesh, data) : *found->second;
}

std::vector<Field*> FieldSet::all() {
  std::vector<Field*> all;
  for (const Fields* fields : {&fields_, &accessed_}) {
    for (const auto& [name, field] : *fields) {
      all.push_back(field.get());
    }
  }
  return all;
}

std::vector<Field*> FieldSet::on(const std::string& mesh) {
  std::vector<Field*> found = all();
  std::erase_if(found, [&mesh](const Field* field) { return field->mesh() != mesh; });
  return found;
}

bool FieldSet::is_accessed(const Field& field) const {
  const auto found = accessed_.find(ByName::Name(field.mesh(), field.data()));
  return found != accessed_.end() && found->second.get() == &field;
}

} // namespace isthmus::fields
