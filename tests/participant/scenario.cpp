// SPDX-License-Identifier: BSD-3-Clause
#include "participant/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace couple {

namespace {

std::string meshes(const std::vector<Flow>& flows) {
  std::map<std::string, int> dimensions;
  std::map<std::string, std::set<std::string>> data;
  for (const Flow& flow : flows) {
    for (const std::string& mesh : {flow.from_mesh(), flow.to_mesh()}) {
      dimensions[mesh] = flow.dimensions;
      data[mesh].insert(flow.data);
    }
  }
  std::string xml;
  for (const auto& [mesh, names] : data) {
    xml += fmt::format("  <mesh name=\"{}\" dimensions=\"{}\">\n", mesh, dimensions[mesh]);
    for (const std::string& name : names) {
      xml += fmt::format("    <use-data name=\"{}\" />\n", name);
    }
    xml += "  </mesh>\n";
  }
  return xml;
}

std::string data(const std::vector<Flow>& flows) {
  std::map<std::string, const Flow*> all;
  for (const Flow& flow : flows) {
    all[flow.data] = &flow;
  }
  std::string xml;
  for (const auto& [name, flow] : all) {
    xml += fmt::format("  <data:{} name=\"{}\" waveform-degree=\"{}\" />\n",
                       flow->vector ? "vector" : "scalar", name, flow->degree);
  }
  return xml;
}

/// The children of one participant, each once, in the order of their tags.
std::string participant(const std::string& name, const std::vector<Flow>& flows) {
  std::set<std::string> provided;
  std::set<std::string> received;
  std::set<std::string> uses;
  std::set<std::string> mappings;
  const auto receive = [&received](const std::string& mesh, const std::string& from) {
    received.insert(fmt::format("    <receive-mesh name=\"{}\" from=\"{}\" />\n", mesh, from));
  };
  for (const Flow& flow : flows) {
    if (flow.from != name && flow.to != name) {
      continue;
    }
    const bool writer = flow.from == name;
    const std::string& own = writer ? flow.from_mesh() : flow.to_mesh();
    provided.insert(fmt::format("    <provide-mesh name=\"{}\" />\n", own));
    uses.insert(fmt::format("    <{}-data name=\"{}\" mesh=\"{}\" />\n", writer ? "write" : "read",
                            flow.data, own));
    if (writer == (flow.direction == "write")) {
      receive(writer ? flow.to_mesh() : flow.from_mesh(), writer ? flow.to : flow.from);
      mappings.insert(fmt::format(
          "    <mapping:{0} direction=\"{1}\" constraint=\"{2}\" from=\"{3}\" to=\"{4}\" {5}>{6}"
          "</mapping:{0}>\n",
          flow.mapping, flow.direction, flow.constraint, flow.from_mesh(), flow.to_mesh(),
          flow.options, flow.basis.empty() ? "" : "<basis-function:" + flow.basis + " />"));
    }
  }
  std::string xml = fmt::format("  <participant name=\"{}\">\n", name);
  for (const auto* lines : {&provided, &received, &uses, &mappings}) {
    for (const std::string& line : *lines) {
      xml += line;
    }
  }
  return xml + "  </participant>\n";
}

std::string scheme(const Scheme& scheme, int number, const std::vector<Flow>& flows) {
  std::string xml =
      fmt::format("  <coupling-scheme:{}>\n    <participants first=\"{}\" second=\"{}\" />\n",
                  scheme.kind, scheme.first, scheme.second);
  xml += scheme.window > 0 ? fmt::format("    <time-window-size value=\"{}\" />\n", scheme.window)
                           : std::string("    <time-window-size method=\"first-participant\" />\n");
  xml += scheme.max_time > 0 ? fmt::format("    <max-time value=\"{}\" />\n", scheme.max_time) : "";
  xml += scheme.max_windows > 0
             ? fmt::format("    <max-time-windows value=\"{}\" />\n", scheme.max_windows)
             : "";
  for (const Flow& flow : flows) {
    const std::set<std::string> ends{flow.from, flow.to};
    const bool fits = flow.scheme < 0 || flow.scheme == number;
    if (fits && ends == std::set{scheme.first, scheme.second}) {
      xml += fmt::format(
          "    <exchange data=\"{}\" mesh=\"{}\" from=\"{}\" to=\"{}\" "
          "initialize=\"{}\" substeps=\"{}\" />\n",
          flow.data, flow.direction == "read" ? flow.from_mesh() : flow.to_mesh(), flow.from,
          flow.to, flow.initialize, flow.substeps);
    }
  }
  return xml + fmt::format("  </coupling-scheme:{}>\n", scheme.kind);
}

} // namespace

std::vector<std::string> Scenario::participants() const {
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes) {
    for (const std::string& name : {scheme.first, scheme.second}) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
      }
    }
  }
  return names;
}

std::string Scenario::xml() const {
  std::string xml = fmt::format("<precice-configuration{}{}>\n  <log enabled=\"false\" />\n",
                                experimental || remeshing ? " experimental=\"true\"" : "",
                                remeshing ? " allow-remeshing=\"true\"" : "");
  xml += data(flows) + meshes(flows);
  for (const std::string& name : participants()) {
    xml += participant(name, flows);
  }
  std::set<std::set<std::string>> joined;
  for (const Scheme& one : schemes) {
    if (!joined.insert({one.first, one.second}).second) {
      continue;
    }
    xml += fmt::format(
        "  <m2n:sockets acceptor=\"{}\" connector=\"{}\" "
        "exchange-directory=\"{{directory}}\" initialization=\"{}\" />\n",
        one.first, one.second, initialization);
  }
  int number = 0;
  for (const Scheme& one : schemes) {
    xml += scheme(one, number++, flows);
  }
  return xml + "</precice-configuration>\n";
}

} // namespace couple
