// SPDX-License-Identifier: BSD-3-Clause
#include "participant/setup/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

namespace couple {

namespace {

/// Things by name, in the order in which they were named first.
template <typename Thing>
class Named {
 public:
  Thing& operator[](const std::string& name) {
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [&name](const auto& one) { return one.first == name; });
    return found == all_.end() ? all_.emplace_back(name, Thing{}).second : found->second;
  }
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

 private:
  std::deque<std::pair<std::string, Thing>> all_;
};

std::string meshes(const Scenario& scenario) {
  struct Mesh {
    int dimensions = 2;
    Named<bool> data;
  };
  Named<Mesh> all;
  const auto add = [&all](const Flow& flow, const std::string& mesh) {
    all[mesh].dimensions = flow.meshes.dimensions;
    all[mesh].data[flow.data] = true;
  };
  for (const Flow& flow : scenario.flows) {
    add(flow, flow.shared_mesh());
    if (!flow.mapping.kind.empty() && flow.way != Way::from_action) {
      add(flow, flow.from_mesh());
      add(flow, flow.to_mesh());
    }
  }
  for (const auto& [mesh, names] : scenario.unused) {
    for (const std::string& name : names) {
      all[mesh].data[name] = false;
    }
  }
  std::string xml;
  for (const auto& [name, mesh] : all) {
    xml += fmt::format("  <mesh name=\"{}\" dimensions=\"{}\">\n", name, mesh.dimensions);
    for (const auto& [data, used] : mesh.data) {
      xml += fmt::format("    <use-data name=\"{}\" />\n", data);
    }
    xml += "  </mesh>\n";
  }
  return xml;
}

std::string data(const Scenario& scenario) {
  Named<Flow> all;
  for (const Flow& flow : scenario.flows) {
    all[flow.data] = flow;
  }
  for (const auto& [mesh, names] : scenario.unused) {
    for (const std::string& name : names) {
      all[name] = Flow{};
    }
  }
  std::string xml;
  for (const auto& [name, flow] : all) {
    xml += fmt::format("  <data:{} name=\"{}\" waveform-degree=\"{}\" {} />\n",
                       flow.vector ? "vector" : "scalar", name, flow.degree, flow.of_data);
  }
  return xml;
}

/// The children of one participant, each once, by their tags.
struct Children {
  struct Received {
    std::string from;
    std::string access; // "": none
  };
  std::set<std::string> provided;
  std::map<std::string, Received> received;
  std::set<std::string> uses;
  std::set<std::string> mappings;
};

Children children_of(const std::string& name, const Scenario& scenario) {
  Children children;
  auto& [provided, received, uses, mappings] = children;
  for (const Flow& flow : scenario.flows) {
    if (flow.from != name && flow.to != name) {
      continue;
    }
    const bool writer = flow.from == name;
    const bool maps = writer == (flow.mapping.direction == "write");
    const bool accesses = maps && flow.mapping.kind.empty();
    const bool acts = writer && flow.way == Way::from_action;
    const std::string own = writer ? flow.from_mesh() : flow.to_mesh();
    if (!accesses && !acts) {
      provided.insert(own);
    }
    if (!acts && (writer || flow.way != Way::to_action)) {
      uses.insert(fmt::format("    <{}-data name=\"{}\" mesh=\"{}\" />\n",
                              writer ? "write" : "read", flow.data,
                              accesses ? flow.shared_mesh() : own));
    }
    if (maps) {
      Children::Received& mesh = received[flow.shared_mesh()];
      mesh.from = writer ? flow.to : flow.from;
      mesh.access = accesses ? flow.meshes.access : mesh.access;
    }
    if (acts) {
      continue;
    }
    if (maps && !flow.mapping.element.empty()) {
      mappings.insert(flow.mapping.element);
    } else if (maps && !accesses) {
      const bool is_ours = flow.mapping.kind == "auto" || flow.mapping.kind == "intersection";
      mappings.insert(fmt::format(
          "    <mapping:{0} direction=\"{1}\" constraint=\"{2}\" from=\"{3}\" to=\"{4}\" {5} "
          "{6}>{7}{8}"
          "</mapping:{0}>\n",
          flow.mapping.kind, flow.mapping.direction, flow.mapping.constraint, flow.from_mesh(),
          flow.to_mesh(), is_ours ? "" : "parallel=\"true\"", flow.mapping.options,
          flow.mapping.basis.empty() ? "" : "<basis-function:" + flow.mapping.basis + " />",
          flow.mapping.inside));
    }
  }
  return children;
}

std::string participant(const std::string& name, const Scenario& scenario) {
  const auto [provided, received, uses, mappings] = children_of(name, scenario);
  std::string xml = fmt::format("  <participant name=\"{}\">\n", name);
  for (const std::string& mesh : provided) {
    xml += fmt::format("    <provide-mesh name=\"{}\" />\n", mesh);
  }
  for (const auto& [mesh, how] : received) {
    const auto attributes = scenario.received.find(name);
    xml += fmt::format("    <receive-mesh name=\"{}\" from=\"{}\" {} {} />\n", mesh, how.from,
                       how.access, attributes == scenario.received.end() ? "" : attributes->second);
  }
  for (const auto* lines : {&uses, &mappings}) {
    for (const std::string& line : *lines) {
      xml += line;
    }
  }
  const auto more = scenario.inside.find(name);
  return xml + (more == scenario.inside.end() ? "" : more->second) + "  </participant>\n";
}

std::string members(const Scheme& scheme) {
  if (scheme.kind != "multi") {
    return fmt::format("    <participants first=\"{}\" second=\"{}\" />\n", scheme.first,
                       scheme.second);
  }
  const std::string& controller = scheme.controller.empty() ? scheme.first : scheme.controller;
  std::string xml;
  for (const std::string& name : scheme.members()) {
    xml +=
        fmt::format("    <participant name=\"{}\" control=\"{}\" />\n", name, name == controller);
  }
  return xml;
}

std::string scheme(const Scheme& scheme, int number, const std::vector<Flow>& flows) {
  std::string xml = fmt::format("  <coupling-scheme:{}>\n", scheme.kind) + members(scheme);
  xml += scheme.window > 0 ? fmt::format("    <time-window-size value=\"{}\" />\n", scheme.window)
                           : std::string("    <time-window-size method=\"first-participant\" />\n");
  xml += scheme.max_time > 0 ? fmt::format("    <max-time value=\"{}\" />\n", scheme.max_time) : "";
  xml += scheme.max_windows > 0
             ? fmt::format("    <max-time-windows value=\"{}\" />\n", scheme.max_windows)
             : "";
  std::vector<std::string> known;
  for (const Flow& flow : flows) {
    const std::string exchange = fmt::format(
        "    <exchange data=\"{}\" mesh=\"{}\" from=\"{}\" to=\"{}\" "
        "initialize=\"{}\" substeps=\"{}\" />\n",
        flow.data, flow.shared_mesh(), flow.from, flow.to, flow.initialize, flow.substeps);
    const bool fits = flow.way != Way::to_action && (flow.scheme < 0 || flow.scheme == number);
    if (fits && scheme.has(flow) &&
        std::find(known.begin(), known.end(), exchange) == known.end()) {
      known.push_back(exchange);
      xml += exchange;
    }
  }
  return xml + scheme.control + fmt::format("  </coupling-scheme:{}>\n", scheme.kind);
}

/// Pairs that exchange, each once, in the order of their schemes.
std::vector<std::pair<std::string, std::string>> joined(const Scenario& scenario) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const auto add = [&pairs](const std::string& one, const std::string& other) {
    const std::pair<std::string, std::string> pair(one, other);
    const std::pair<std::string, std::string> turned(other, one);
    if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end() &&
        std::find(pairs.begin(), pairs.end(), turned) == pairs.end()) {
      pairs.push_back(pair);
    }
  };
  for (const Scheme& one : scenario.schemes) {
    add(one.first, one.second);
    for (const Flow& flow : scenario.flows) {
      if (one.has(flow)) {
        add(flow.from, flow.to);
      }
    }
  }
  std::erase(pairs, scenario.connections.missing);
  return pairs;
}

std::string connection(const std::string& acceptor, const std::string& connector,
                       const Connections& all) {
  const std::string way =
      all.initialization.empty() ? "" : fmt::format("initialization=\"{}\"", all.initialization);
  return fmt::format(
      "  <m2n:sockets acceptor=\"{}\" connector=\"{}\" "
      "exchange-directory=\"{}\" {} {} />\n",
      acceptor, connector, all.directory, way, all.attributes);
}

} // namespace

std::vector<std::string> Scheme::members() const {
  std::vector<std::string> all{first, second};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

bool Scheme::has(const Flow& flow) const {
  const std::vector<std::string> all = members();
  return std::find(all.begin(), all.end(), flow.from) != all.end() &&
         std::find(all.begin(), all.end(), flow.to) != all.end();
}

std::vector<std::string> Scenario::participants() const {
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes) {
    for (const std::string& name : scheme.members()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
      }
    }
  }
  return names;
}

std::string Scenario::xml() const {
  std::string xml =
      fmt::format("<precice-configuration{}{} {}>\n{}  {}\n",
                  experimental || remeshing ? " experimental=\"true\"" : "",
                  remeshing ? " allow-remeshing=\"true\"" : "", attributes, head, log);
  xml += data(*this) + meshes(*this);
  for (const std::string& name : participants()) {
    xml += participant(name, *this);
  }
  for (const auto& [acceptor, connector] : joined(*this)) {
    xml += connection(acceptor, connector, connections);
  }
  int number = 0;
  for (const Scheme& one : schemes) {
    xml += scheme(one, number++, flows);
  }
  return xml + "</precice-configuration>\n";
}

std::vector<Flow> between_all(const Scheme& scheme) {
  std::vector<Flow> flows;
  for (const std::string& from : scheme.members()) {
    for (const std::string& to : scheme.members()) {
      if (from != to) {
        flows.push_back(
            {.from = from, .to = to, .data = from + to, .substeps = scheme.is_implicit()});
      }
    }
  }
  return flows;
}

std::vector<Flow> both_ways(bool initialize, bool substeps) {
  return {{.from = "A", .to = "B", .data = "T", .initialize = initialize, .substeps = substeps},
          {.from = "B", .to = "A", .data = "F", .initialize = initialize, .substeps = substeps}};
}

std::vector<Flow> through_c(const std::string& constraint) {
  std::vector<Flow> flows;
  for (const std::string side : {"A", "B"}) {
    flows.push_back({.from = side, .to = "C", .data = "X" + side});
    flows.push_back({.from = "C",
                     .to = side,
                     .data = "C",
                     .mapping = {.direction = "write", .constraint = constraint}});
  }
  return flows;
}

std::vector<Flow> mapped_and_accessed(bool vector) {
  const FlowMapping accessed{.kind = ""};
  const FlowMapping written{.kind = "", .direction = "write"};
  const FlowMapping mapped{.direction = "write", .constraint = "conservative"};
  return {{.from = "B", .to = "A", .data = "T"},
          {.from = "B", .to = "A", .data = "S", .mapping = accessed},
          {.from = "B", .to = "A", .data = "U", .mapping = accessed},
          {.from = "A", .to = "B", .data = "G", .mapping = mapped},
          {.from = "A", .to = "B", .data = "F", .vector = vector, .mapping = written},
          {.from = "A", .to = "B", .data = "H", .mapping = written}};
}

} // namespace couple
