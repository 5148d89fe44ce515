// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/describe.hpp"

#include "isthmus/base/text/json_text.hpp"
#include "isthmus/config/mapped_data.hpp"
#include "isthmus/config/names.hpp"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace isthmus::config {

namespace {

// JSON values as texts

std::string json(std::string_view text) {
  return json_text(text);
}
std::string json(bool flag) {
  return flag ? "true" : "false";
}
std::string json(int number) {
  return fmt::format("{}", number);
}
std::string json(double number) {
  return std::isfinite(number) ? fmt::format("{}", number) : "null";
}

template <typename T>
std::string json(const std::optional<T>& value) {
  return value ? json(*value) : "null";
}

/// An array of what `make` makes of each element.
template <typename T, typename Make>
std::string array(const std::vector<T>& all, Make make) {
  std::string text;
  for (const T& one : all) {
    text += (text.empty() ? "" : ", ") + make(one);
  }
  return "[" + text + "]";
}

std::string array(const std::vector<std::string>& words) {
  return array(words, [](const std::string& word) { return json(std::string_view(word)); });
}

std::string object(std::initializer_list<std::pair<std::string_view, std::string>> members) {
  std::string text;
  for (const auto& [key, value] : members) {
    text += (text.empty() ? "" : ", ") + json(key) + ": " + value;
  }
  return "{" + text + "}";
}

std::string json(const std::string& text) {
  return json(std::string_view(text));
}
std::string json(const char* text) = delete; // would be a bool

// the parts of a configuration

std::string describe_mesh(const Configuration& configuration, const Mesh& mesh) {
  std::vector<std::string> receivers;
  for (const Participant& participant : configuration.participants) {
    if (participant.receives(mesh.name) != nullptr) {
      receivers.push_back(participant.name);
    }
  }
  const Participant* provider = configuration.find_provider(mesh.name);
  return object({{"name", json(mesh.name)},
                 {"dimensions", json(mesh.dimensions)},
                 {"data", array(mesh.data)},
                 {"provided-by", provider != nullptr ? json(provider->name) : "null"},
                 {"received-by", array(receivers)},
                 {"line", json(mesh.line)}});
}

std::string describe_data(const Data& data) {
  return object({{"name", json(data.name)},
                 {"vector", json(data.vector)},
                 {"waveform-degree", json(data.waveform_degree)},
                 {"line", json(data.line)}});
}

std::string describe_use(const UseData& use) {
  return object({{"data", json(use.name)}, {"mesh", json(use.mesh)}, {"line", json(use.line)}});
}

std::string describe_received(const ReceiveMesh& mesh) {
  return object({{"name", json(mesh.name)},
                 {"from", json(mesh.from)},
                 {"api-access", json(mesh.api_access)},
                 {"line", json(mesh.line)}});
}

std::string describe_participant(const Configuration& configuration,
                                 const Participant& participant) {
  const auto describe_mapping = [&](const Mapping& mapping) {
    return object({{"kind", json(name(mapping.kind))},
                   {"direction", json(name(mapping.direction))},
                   {"constraint", json(name(mapping.constraint))},
                   {"from", json(mapping.from)},
                   {"to", json(mapping.to)},
                   {"data", array(mapped_data(configuration, participant, mapping))},
                   {"line", json(mapping.line)}});
  };
  return object(
      {{"name", json(participant.name)},
       {"provides", array(participant.provided, [](const auto& mesh) { return json(mesh.name); })},
       {"receives", array(participant.received, describe_received)},
       {"writes", array(participant.written, describe_use)},
       {"reads", array(participant.read, describe_use)},
       {"mappings", array(participant.mappings, describe_mapping)},
       {"actions",
        array(participant.actions, [](const auto& one) { return json(name(one.kind)); })},
       {"exports",
        array(participant.exports, [](const auto& one) { return json(name(one.kind)); })},
       {"line", json(participant.line)}});
}

std::string describe_m2n(const M2N& m2n) {
  return object({{"kind", json(name(m2n.kind))},
                 {"acceptor", json(m2n.acceptor)},
                 {"connector", json(m2n.connector)},
                 {"exchange-directory", json(m2n.exchange_directory)},
                 {"initialization", json(name(m2n.initialization))},
                 {"line", json(m2n.line)}});
}

std::string describe_exchange(const Exchange& exchange) {
  return object({{"data", json(exchange.data)},
                 {"mesh", json(exchange.mesh)},
                 {"from", json(exchange.from)},
                 {"to", json(exchange.to)},
                 {"initialize", json(exchange.initialize)},
                 {"substeps", json(exchange.substeps)},
                 {"line", json(exchange.line)}});
}

std::string describe_measure(const ConvergenceMeasure& measure) {
  return object({{"kind", json(name(measure.kind))},
                 {"data", json(measure.data)},
                 {"mesh", json(measure.mesh)},
                 {"limit", json(measure.limit)},
                 {"line", json(measure.line)}});
}

std::string describe_acceleration(const Acceleration& acceleration) {
  return object({{"kind", json(name(acceleration.kind))},
                 {"data", array(acceleration.data, [](const auto& one) { return json(one.name); })},
                 {"relaxation", json(acceleration.relaxation)},
                 {"line", json(acceleration.line)}});
}

std::string describe_scheme(const CouplingScheme& scheme) {
  return object(
      {{"kind", json(name(scheme.kind))},
       {"participants", array(scheme.participants)},
       {"controller", scheme.controller.empty() ? "null" : json(scheme.controller)},
       {"time-window-size",
        scheme.time_window.set_by_first_participant ? "null" : json(scheme.time_window.size)},
       {"max-time", json(scheme.max_time)},
       {"max-time-windows", json(scheme.max_time_windows)},
       {"exchanges", array(scheme.exchanges, describe_exchange)},
       {"measures", array(scheme.measures, describe_measure)},
       {"max-iterations", json(scheme.max_iterations)},
       {"acceleration", scheme.acceleration ? describe_acceleration(*scheme.acceleration) : "null"},
       {"line", json(scheme.line)}});
}

} // namespace

std::string describe(const Configuration& configuration) {
  return object(
      {{"file", json(configuration.file)},
       {"fingerprint", json(configuration.fingerprints.whole)},
       {"experimental", json(configuration.run.experimental)},
       {"data", array(configuration.data, describe_data)},
       {"meshes", array(configuration.meshes,
                        [&](const Mesh& mesh) { return describe_mesh(configuration, mesh); })},
       {"participants", array(configuration.participants,
                              [&](const Participant& participant) {
                                return describe_participant(configuration, participant);
                              })},
       {"m2ns", array(configuration.m2ns, describe_m2n)},
       {"schemes", array(configuration.schemes, describe_scheme)}});
}

} // namespace isthmus::config
