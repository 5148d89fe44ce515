// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/config/read/read.hpp"
#include "isthmus/fields/field_set.hpp"
#include "participant/setup/scenario.hpp"

#include <string>
#include <utility>
#include <vector>

namespace isthmus::iteration {

/// "B" provides "B-Mesh" in two dimensions, gets data "x" for it in an implicit scheme with "A",
/// which it leads, and sends data "y"; "A" has direct access to that mesh.
[[nodiscard]] inline config::Configuration make_configuration() {
  couple::Scenario scenario{
      {{.first = "A", .second = "B", .kind = "parallel-implicit"}},
      {{.from = "A", .to = "B", .data = "x", .mapping = {.kind = "", .direction = "write"}},
       {.from = "B", .to = "A", .data = "y", .mapping = {.kind = ""}}}};
  scenario.connections.directory = ".";
  return config::parse(scenario.xml(), "two.xml");
}

/// Participant "B" and the fields of its mesh.
struct OneMesh {
  explicit OneMesh(LocalIndex num_vertices) {
    for (fields::Field* field : fields.all()) {
      field->resize(num_vertices);
    }
  }

  [[nodiscard]] const config::Participant& self() const {
    return *configuration.find_participant("B");
  }
  config::CouplingScheme& scheme() { return configuration.schemes.front(); }
  [[nodiscard]] fields::Field& field(const std::string& data) { return fields.at("B-Mesh", data); }
  [[nodiscard]] std::vector<double> last(const std::string& data) const {
    const time::Waveform& wave = fields.at("B-Mesh", data).wave();
    const auto values = wave.values(wave.num_samples() - 1);
    return {values.begin(), values.end()};
  }
  void append(const std::string& data, double time, std::vector<double> values) {
    field(data).wave().append(time, std::move(values));
  }

  config::Configuration configuration = make_configuration();
  fields::FieldSet fields{config::declared_fields(configuration, self())};
};

} // namespace isthmus::iteration
