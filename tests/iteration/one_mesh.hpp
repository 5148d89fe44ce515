// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/fields/field_set.hpp"

#include <string>
#include <utility>
#include <vector>

namespace isthmus::iteration {

[[nodiscard]] inline config::Configuration make_configuration() {
  config::Configuration configuration;
  configuration.data.resize(2);
  configuration.data[0].name = "x";
  configuration.data[1].name = "y";
  configuration.meshes.push_back({"Mesh", 2, {"x", "y"}, 0});
  config::Participant& participant = configuration.participants.emplace_back();
  participant.name = "B";
  participant.provided.push_back({"Mesh", 0});
  participant.written.push_back({"y", "Mesh", 0});
  participant.read.push_back({"x", "Mesh", 0});
  config::CouplingScheme& scheme = configuration.schemes.emplace_back();
  scheme.kind = config::SchemeKind::parallel_implicit;
  scheme.participants = {"A", "B"};
  scheme.time_window.size = 1;
  scheme.exchanges.push_back({"x", "Mesh", "A", "B", false, false, 0});
  scheme.exchanges.push_back({"y", "Mesh", "B", "A", false, false, 0});
  return configuration;
}

/// Participant "A", which receives "Mesh", has direct access to it and reads "y".
inline config::Participant& add_reader(config::Configuration& configuration) {
  config::Participant& reader = configuration.participants.emplace_back();
  reader.name = "A";
  config::ReceiveMesh received;
  received.name = "Mesh";
  received.from = "B";
  received.api_access = true;
  reader.received.push_back(received);
  reader.read.push_back({"y", "Mesh", 0});
  return reader;
}

/// Participant "B", which provides "Mesh" in two dimensions, receives data "x" for it in an
/// implicit scheme with "A", which it leads, and sends data "y".
struct OneMesh {
  explicit OneMesh(LocalIndex num_vertices) {
    for (fields::Field* field : fields.all()) {
      field->resize(num_vertices);
    }
  }

  config::CouplingScheme& scheme() { return configuration.schemes.front(); }
  [[nodiscard]] fields::Field& field(const std::string& data) { return fields.at("Mesh", data); }
  [[nodiscard]] std::vector<double> last(const std::string& data) const {
    const time::Waveform& wave = fields.at("Mesh", data).wave();
    const auto values = wave.values(wave.num_samples() - 1);
    return {values.begin(), values.end()};
  }
  void append(const std::string& data, double time, std::vector<double> values) {
    field(data).wave().append(time, std::move(values));
  }

  config::Configuration configuration = make_configuration();
  fields::FieldSet fields{
      config::declared_fields(configuration, configuration.participants.front())};
};

} // namespace isthmus::iteration
