// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/names.hpp"
#include "isthmus/config/read/read_parts.hpp"

namespace isthmus::config {

namespace {

ReceiveMesh read_receive_mesh(const grammar::Node& node) {
  ReceiveMesh mesh;
  mesh.name = node.text("name");
  mesh.from = node.text("from");
  mesh.safety_factor = node.real("safety-factor");
  mesh.filter = from_name<GeometricFilter>(node.text("geometric-filter"));
  mesh.api_access = node.flag("api-access") || node.flag("direct-access");
  mesh.line = node.line();
  return mesh;
}

UseData read_use(const grammar::Node& node) {
  return {node.text("name"), node.text("mesh"), node.line()};
}

Action read_action(const grammar::Node& node) {
  Action action;
  action.kind = from_name<ActionKind>(node.kind());
  action.timing = from_name<ActionTiming>(node.text("timing"));
  action.mesh = node.text("mesh");
  for (const grammar::Node& source : node.children("source-data")) {
    action.source_data.push_back(source.text("name"));
  }
  if (const auto target = node.child("target-data")) {
    action.target_data = target->text("name");
  }
  if (const auto path = node.child("path")) {
    action.path = path->text("name");
  }
  if (const auto module = node.child("module")) {
    action.module = module->text("name");
  }
  action.line = node.line();
  return action;
}

Export read_export(const grammar::Node& node) {
  return {from_name<ExportKind>(node.kind()),   node.text("directory"),
          node.integer("every-n-time-windows"), node.flag("every-iteration"),
          node.flag("update-series"),           node.line()};
}

} // namespace

Participant read_participant(const grammar::Node& node) {
  Participant participant;
  participant.name = node.text("name");
  for (const grammar::Node& mesh : node.children("provide-mesh")) {
    participant.provided.push_back({mesh.text("name"), mesh.line()});
  }
  for (const grammar::Node& mesh : node.children("receive-mesh")) {
    participant.received.push_back(read_receive_mesh(mesh));
  }
  for (const grammar::Node& data : node.children("write-data")) {
    participant.written.push_back(read_use(data));
  }
  for (const grammar::Node& data : node.children("read-data")) {
    participant.read.push_back(read_use(data));
  }
  for (const grammar::Node& mapping : node.children("mapping")) {
    participant.mappings.push_back(read_mapping(mapping));
  }
  for (const grammar::Node& action : node.children("action")) {
    participant.actions.push_back(read_action(action));
  }
  for (const grammar::Node& output : node.children("export")) {
    participant.exports.push_back(read_export(output));
  }
  for (const grammar::Node& point : node.children("watch-point")) {
    participant.watch_points.push_back(
        {point.text("name"), point.text("mesh"), point.vector("coordinate"), point.line()});
  }
  for (const grammar::Node& integral : node.children("watch-integral")) {
    participant.watch_integrals.push_back({integral.text("name"), integral.text("mesh"),
                                           integral.flag("scale-with-connectivity"),
                                           integral.line()});
  }
  participant.line = node.line();
  return participant;
}

} // namespace isthmus::config
