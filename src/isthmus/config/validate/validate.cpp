// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/validate/validate.hpp"

#include "isthmus/config/names.hpp"
#include "isthmus/config/validate/validate_parts.hpp"
#include "isthmus/grammar/suggest.hpp"
#include "isthmus/logging/log_filter.hpp"
#include "isthmus/logging/log_format.hpp"

#include <set>

namespace isthmus::config {

const Data& known_data(const Configuration& configuration, const std::string& name, int line,
                       std::string_view tag) {
  const Data* data = configuration.find_data(name);
  if (data == nullptr) { // only then what was meant is sought
    grammar::fail_at({configuration.file, line},
                     "{} data \"{}\" is not defined by any <data:scalar> or <data:vector>{}", tag,
                     name, grammar::suggestion(name, names_of(configuration.data)));
  }
  return *data;
}

const Mesh& known_mesh(const Configuration& configuration, const std::string& name, int line,
                       std::string_view tag) {
  const Mesh* mesh = configuration.find_mesh(name);
  if (mesh == nullptr) { // only then what was meant is sought
    grammar::fail_at({configuration.file, line}, "{} mesh \"{}\" is not defined by any <mesh>{}",
                     tag, name, grammar::suggestion(name, names_of(configuration.meshes)));
  }
  return *mesh;
}

const Participant& known_participant(const Configuration& configuration, const std::string& name,
                                     int line, std::string_view tag) {
  const Participant* participant = configuration.find_participant(name);
  if (participant == nullptr) { // only then what was meant is sought
    grammar::fail_at({configuration.file, line},
                     "{} participant \"{}\" is not defined by any <participant>{}", tag, name,
                     grammar::suggestion(name, names_of(configuration.participants)));
  }
  return *participant;
}

void check_m2n(const Configuration& configuration, const std::string& one, const std::string& other,
               int line) {
  grammar::check_at(
      configuration.find_m2n(one, other) != nullptr, {configuration.file, line},
      "participants \"{0}\" and \"{1}\" exchange data or meshes but have no way to talk; add "
      "<m2n:sockets "
      "acceptor=\"{0}\" connector=\"{1}\" />",
      one, other);
}

namespace {

void validate_output(const Configuration& configuration) {
  for (const Sink& sink : configuration.log.sinks) {
    const std::string tag = grammar::FileLine{configuration.file, sink.line}.text() + "<sink>";
    (void)logging::compile_filter(sink.filter, tag);
    (void)logging::compile_format(sink.format, tag);
  }
  grammar::check_at(
      configuration.profiling.flush_every >= 0, {configuration.file, configuration.profiling.line},
      "<profiling> flush-every=\"{}\" is negative; give a number of events, 0: write at the end",
      configuration.profiling.flush_every);
}

void validate_data(const Configuration& configuration) {
  for (const Data& data : configuration.data) {
    const grammar::FileLine line{configuration.file, data.line};
    grammar::check_at(
        data.waveform_degree >= 0, line,
        "<data name=\"{}\"> waveform-degree=\"{}\" is negative; 0 is constant, 1 is linear in time",
        data.name, data.waveform_degree);
    for (std::size_t axis = 0; axis < data.lower.size(); ++axis) {
      grammar::check_at(
          data.lower[axis] <= data.upper[axis], line,
          "<data name=\"{}\"> has a lower bound {} above its upper bound {}; exchange them",
          data.name, data.lower[axis], data.upper[axis]);
    }
  }
}

void validate_meshes(const Configuration& configuration) {
  for (const Mesh& mesh : configuration.meshes) {
    const std::string tag = fmt::format("<mesh name=\"{}\">", mesh.name);
    std::set<std::string> seen;
    for (const std::string& name : mesh.data) {
      known_data(configuration, name, mesh.line, tag);
      grammar::check_at(seen.insert(name).second, {configuration.file, mesh.line},
                        "{} uses data \"{}\" twice; remove one <use-data>", tag, name);
    }
  }
}

/// A mesh has one provider at most.
void validate_providers(const Configuration& configuration) {
  for (const Participant& participant : configuration.participants) {
    for (const ProvideMesh& mesh : participant.provided) {
      known_mesh(configuration, mesh.name, mesh.line,
                 fmt::format("<provide-mesh name=\"{}\">", mesh.name));
      const Participant& first = *configuration.find_provider(mesh.name);
      grammar::check_at(
          &first == &participant, {configuration.file, mesh.line},
          "<provide-mesh name=\"{}\"> mesh \"{}\" is provided by participant \"{}\" and by "
          "\"{}\"; only one may, the other needs <receive-mesh>",
          mesh.name, mesh.name, first.name, participant.name);
    }
  }
}

void validate_m2n(const Configuration& configuration, const M2N& m2n) {
  const grammar::FileLine line{configuration.file, m2n.line};
  const std::string tag = fmt::format("<m2n:{} acceptor=\"{}\" connector=\"{}\">", name(m2n.kind),
                                      m2n.acceptor, m2n.connector);
  known_participant(configuration, m2n.acceptor, m2n.line, tag);
  known_participant(configuration, m2n.connector, m2n.line, tag);
  grammar::check_at(m2n.acceptor != m2n.connector, line,
                    "{} joins a participant with itself; name the other one", tag);
  const M2N* first = configuration.find_m2n(m2n.acceptor, m2n.connector);
  grammar::check_at(first == &m2n, line,
                    "{} joins participants that are already joined in line {}; remove one", tag,
                    first->line);
  grammar::check_at(m2n.port >= 0 && m2n.port <= 65535, line,
                    "{} port=\"{}\" is no port; choose 0 (any) to 65535", tag, m2n.port);
  const bool two_level = m2n.initialization == Initialization::two_level;
  grammar::check_at(
      !m2n.two_level || m2n.initialization != Initialization::one_level, line,
      "{} use-two-level-initialization contradicts initialization=\"one-level\"; keep one", tag);
  grammar::check_at(
      !two_level || !m2n.enforce_gather_scatter, line,
      "{} two-level initialization cannot be used with enforce-gather-scatter; keep one", tag);
}

/// Two-level initialization admits one receiver per mesh.
void validate_two_level(const Configuration& configuration, const Participant& participant,
                        const ReceiveMesh& received) {
  const M2N* m2n = configuration.find_m2n(participant.name, received.from);
  if (m2n->initialization != Initialization::two_level) {
    return;
  }
  for (const Participant& other : configuration.participants) {
    grammar::check_at(
        &other == &participant || other.receives(received.name) == nullptr,
        {configuration.file, m2n->line},
        "<m2n:{}> uses two-level initialization, but mesh \"{}\" is received by \"{}\" and by "
        "\"{}\"; two-level initialization admits one receiver per mesh: use "
        "initialization=\"rendezvous\"",
        name(m2n->kind), received.name, participant.name, other.name);
  }
}

} // namespace

void validate(const Configuration& configuration) {
  check_names(configuration, configuration.data, "data", "the configuration");
  check_names(configuration, configuration.meshes, "mesh", "the configuration");
  check_file_names(configuration, configuration.participants, "participant", "the configuration");
  check(!configuration.run.allow_remeshing || configuration.run.experimental,
        "{}: allow-remeshing is experimental; add experimental=\"true\" to <precice-configuration>",
        configuration.file);
  validate_output(configuration);
  validate_data(configuration);
  validate_meshes(configuration);
  validate_providers(configuration);
  for (const Participant& participant : configuration.participants) {
    validate_participant(configuration, participant);
    validate_mappings(configuration, participant);
  }
  for (const M2N& m2n : configuration.m2ns) {
    validate_m2n(configuration, m2n);
  }
  for (const Participant& participant : configuration.participants) {
    for (const ReceiveMesh& received : participant.received) {
      check_m2n(configuration, participant.name, received.from, received.line);
      validate_two_level(configuration, participant, received);
    }
  }
  validate_schemes(configuration);
}

} // namespace isthmus::config
