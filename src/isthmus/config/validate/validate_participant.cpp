// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/names.hpp"
#include "isthmus/config/validate/validate_parts.hpp"

#include <algorithm>

namespace isthmus::config {

namespace {

void validate_received(const Configuration& configuration, const Participant& participant,
                       const ReceiveMesh& received) {
  const grammar::FileLine line{configuration.file, received.line};
  const std::string tag =
      fmt::format("<receive-mesh name=\"{}\" from=\"{}\">", received.name, received.from);
  known_mesh(configuration, received.name, received.line, tag);
  known_participant(configuration, received.from, received.line, tag);
  grammar::check_at(
      received.from != participant.name, line,
      "{} participant \"{}\" receives from itself; name the participant that provides the mesh",
      tag, participant.name);
  grammar::check_at(!participant.provides(received.name), line,
                    "{} participant \"{}\" provides this mesh itself; remove one of the two", tag,
                    participant.name);
  const Participant* provider = configuration.find_provider(received.name);
  grammar::check_at(
      provider != nullptr, line,
      "{} no participant provides mesh \"{}\"; add <provide-mesh name=\"{}\" /> to participant "
      "\"{}\"",
      tag, received.name, received.name, received.from);
  grammar::check_at(provider->name == received.from, line,
                    "{} mesh \"{}\" is provided by \"{}\"; write from=\"{}\"", tag, received.name,
                    provider->name, provider->name);
  grammar::check_at(received.safety_factor >= 0, line,
                    "{} safety-factor=\"{}\" is negative; give 0 or more", tag,
                    received.safety_factor);
}

/// Data on a mesh of this participant. Error with a hint if the participant has no part in the mesh
/// or the mesh does not carry the data.
void validate_data_on_mesh(const Configuration& configuration, const Participant& participant,
                           const UseData& use, std::string_view tag) {
  const grammar::FileLine line{configuration.file, use.line};
  known_data(configuration, use.name, use.line, tag);
  const Mesh& mesh = known_mesh(configuration, use.mesh, use.line, tag);
  grammar::check_at(
      participant.provides(mesh.name) || participant.receives(mesh.name) != nullptr, line,
      "{} participant \"{}\" neither provides nor receives mesh \"{}\"; add <provide-mesh> or "
      "<receive-mesh>",
      tag, participant.name, mesh.name);
  grammar::check_at(mesh.uses(use.name), line,
                    "{} mesh \"{}\" does not carry data \"{}\"; add <use-data name=\"{}\" /> to it",
                    tag, mesh.name, use.name, use.name);
}

void validate_uses(const Configuration& configuration, const Participant& participant,
                   const std::vector<UseData>& uses, std::string_view name) {
  for (const UseData& use : uses) {
    const grammar::FileLine line{configuration.file, use.line};
    const std::string tag = fmt::format("<{} name=\"{}\" mesh=\"{}\">", name, use.name, use.mesh);
    validate_data_on_mesh(configuration, participant, use, tag);
    const ReceiveMesh* received = participant.receives(use.mesh);
    const bool reads = &uses == &participant.read; // refused when it is called
    grammar::check_at(reads || received == nullptr || received->api_access, line,
                      "{} mesh \"{}\" is received; either name a mesh that \"{}\" provides, or add "
                      "api-access=\"true\" to <receive-mesh name=\"{}\">",
                      tag, use.mesh, participant.name, use.mesh);
    for (const UseData& other : uses) {
      grammar::check_at(&other == &use || other.name != use.name || other.mesh != use.mesh, line,
                        "{} stands twice, also in line {}; remove one", tag, other.line);
    }
  }
}

/// As in preCICE: values of one name on one mesh come from one side only.
void validate_directions(const Configuration& configuration, const Participant& participant) {
  for (const UseData& read : participant.read) {
    for (const UseData& write : participant.written) {
      grammar::check_at(
          read.name != write.name || read.mesh != write.mesh,
          {configuration.file, std::max(read.line, write.line)},
          "participant \"{}\" can read or write data \"{}\" on mesh \"{}\" only once, "
          "but does both, here and in line {}; remove <read-data> or <write-data>, or "
          "give what comes back a name of its own",
          participant.name, read.name, read.mesh, std::min(read.line, write.line));
    }
  }
}

void validate_action(const Configuration& configuration, const Participant& participant,
                     const Action& action) {
  const std::string tag = fmt::format("<action:{} mesh=\"{}\">", name(action.kind), action.mesh);
  const Mesh& mesh = known_mesh(configuration, action.mesh, action.line, tag);
  grammar::check_at(participant.provides(mesh.name) || participant.receives(mesh.name) != nullptr,
                    {configuration.file, action.line},
                    "{} participant \"{}\" neither provides nor receives mesh \"{}\"", tag,
                    participant.name, mesh.name);
  std::vector<std::string> all = action.source_data;
  grammar::check_at(action.kind != ActionKind::summation ||
                        std::find(all.begin(), all.end(), action.target_data) == all.end(),
                    {configuration.file, action.line},
                    "{} has data \"{}\" as a source and as its target, which is emptied before the "
                    "sources are added; give the sum data of its own",
                    tag, action.target_data);
  if (!action.target_data.empty()) {
    all.push_back(action.target_data);
  }
  for (const std::string& name : all) {
    validate_data_on_mesh(configuration, participant, {name, mesh.name, action.line}, tag);
    grammar::check_at(
        action.kind != ActionKind::summation ||
            configuration.find_data(name)->vector == configuration.find_data(all.back())->vector,
        {configuration.file, action.line},
        "{} adds scalar and vector data (\"{}\" and \"{}\"); add data of one kind", tag, name,
        all.back());
  }
}

void validate_export(const Configuration& configuration, const Export& output) {
  grammar::check_at(output.every_n_time_windows >= 1 || output.every_n_time_windows == -1,
                    {configuration.file, output.line},
                    "<export:{}> every-n-time-windows=\"{}\" must be 1 or more, or -1 for no files",
                    name(output.kind), output.every_n_time_windows);
}

void validate_watches(const Configuration& configuration, const Participant& participant) {
  for (const WatchPoint& point : participant.watch_points) {
    const grammar::FileLine line{configuration.file, point.line};
    const std::string tag = fmt::format("<watch-point name=\"{}\">", point.name);
    const Mesh& mesh = known_mesh(configuration, point.mesh, point.line, tag);
    grammar::check_at(
        participant.provides(mesh.name), line,
        "{} participant \"{}\" does not provide mesh \"{}\"; watch a mesh that it provides", tag,
        participant.name, mesh.name);
    grammar::check_at(static_cast<int>(point.coordinate.size()) == mesh.dimensions, line,
                      "{} has {} coordinates, but mesh \"{}\" has {} dimensions", tag,
                      point.coordinate.size(), mesh.name, mesh.dimensions);
  }
  for (const WatchIntegral& integral : participant.watch_integrals) {
    const std::string tag = fmt::format("<watch-integral name=\"{}\">", integral.name);
    const Mesh& mesh = known_mesh(configuration, integral.mesh, integral.line, tag);
    grammar::check_at(
        participant.provides(mesh.name), {configuration.file, integral.line},
        "{} participant \"{}\" does not provide mesh \"{}\"; watch a mesh that it provides", tag,
        participant.name, mesh.name);
  }
}

} // namespace

void validate_participant(const Configuration& configuration, const Participant& participant) {
  const std::string owner = fmt::format("participant \"{}\"", participant.name);
  check_names(configuration, participant.provided, "provide-mesh", owner);
  check_names(configuration, participant.received, "receive-mesh", owner);
  check_file_names(configuration, participant.watch_points, "watch-point", owner);
  check_file_names(configuration, participant.watch_integrals, "watch-integral", owner);
  for (const ReceiveMesh& mesh : participant.received) {
    validate_received(configuration, participant, mesh);
  }
  validate_uses(configuration, participant, participant.written, "write-data");
  validate_uses(configuration, participant, participant.read, "read-data");
  validate_directions(configuration, participant);
  for (const Action& action : participant.actions) {
    validate_action(configuration, participant, action);
  }
  for (const Export& output : participant.exports) {
    validate_export(configuration, output);
  }
  validate_watches(configuration, participant);
}

} // namespace isthmus::config
