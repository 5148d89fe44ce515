// SPDX-License-Identifier: BSD-3-Clause
#include "participant/setup/continued.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace couple {

namespace {

struct Solver {
  Partner part;
  Table states;

  void operator()(const Seat& seat) const {
    isthmus::Participant participant = seat.make();
    const std::string mesh = part.name + "-Mesh";
    std::vector<int> vertices;
    std::vector<double> places;
    for (int v = seat.launch.rank; v < part.num_vertices; v += seat.launch.size) {
      vertices.push_back(v);
      places.insert(places.end(), {v + part.shift, 0.25});
    }
    std::vector<isthmus::VertexId> ids(vertices.size());
    participant.set_mesh_vertices(mesh, places, ids);
    std::vector<double> state(ids.size(), 0.5);
    if (participant.requires_initial_data()) {
      participant.write_data(mesh, part.writes, ids, state);
    }
    participant.initialize();
    int window = participant.restarted_window();
    double t = participant.restarted_time();
    CHECK(t == window);
    take_over(state, vertices, window);
    auto kept = std::pair(t, state);
    while (participant.is_coupling_ongoing()) {
      if (participant.requires_writing_checkpoint()) {
        kept = {t, state};
      }
      const double dt = std::min(participant.max_time_step_size(), 1.0 / part.steps);
      std::vector<std::vector<double>> seen(ids.size(), {t + dt});
      for (const std::string& data : part.reads) {
        std::vector<double> values(ids.size());
        participant.read_data(mesh, data, ids, dt, values);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          seen[i].push_back(values[i]);
        }
      }
      const std::vector<double> written = values_of(vertices, state, seen);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        seat.put(fmt::format("{}/{}", part.name, window), vertices[i], seen[i]);
      }
      write(participant, ids, written);
      participant.advance(dt);
      t += dt;
      if (participant.requires_reading_checkpoint()) {
        std::tie(t, state) = kept;
      }
      if (participant.is_time_window_complete()) {
        ++window;
        if (part.saves && window % 2 == 0) {
          participant.save_restart();
        }
        for (std::size_t i = 0; i < ids.size(); ++i) {
          seat.put(fmt::format("{}/state/{}", part.name, window), vertices[i], {state[i]});
        }
      }
    }
    participant.finalize();
  }

  /// The states that an earlier run had at the end of a window.
  void take_over(std::vector<double>& state, const std::vector<int>& vertices, int window) const {
    for (std::size_t i = 0; i < state.size() && window > 0; ++i) {
      state[i] =
          states.at(fmt::format("{}/state/{}", part.name, window)).find(vertices[i])->second[0];
    }
  }

  /// Goes on to the next state by what was read, and says what is to be written, which `seen` gets,
  /// too.
  static std::vector<double> values_of(const std::vector<int>& vertices, std::vector<double>& state,
                                       std::vector<std::vector<double>>& seen) {
    std::vector<double> written(state.size());
    for (std::size_t i = 0; i < state.size(); ++i) {
      for (const double value : seen[i]) {
        written[i] += 0.4 * std::sin(value + vertices[i]);
      }
      state[i] = 0.5 * state[i] + 0.1 * written[i];
      written[i] += state[i];
      seen[i].push_back(written[i]);
    }
    return written;
  }

  void write(isthmus::Participant& participant, const std::vector<isthmus::VertexId>& ids,
             const std::vector<double>& values) const {
    const std::string mesh = part.name + "-Mesh";
    participant.write_data(mesh, part.writes, ids, values);
    if (participant.requires_gradient_data_for(mesh, part.writes)) {
      std::vector<double> gradients;
      for (const double value : values) {
        gradients.insert(gradients.end(), {std::cos(value), 0.5 * value});
      }
      participant.write_gradient_data(mesh, part.writes, ids, gradients);
    }
  }
};

} // namespace

std::string pair_xml(const Case& one) {
  const bool is_implicit = one.kind.find("implicit") != std::string::npos;
  const std::string control =
      is_implicit ? "<max-iterations value=\"40\"/>" + one.measures +
                        "<relative-convergence-measure data=\"F\" mesh=\"B-Mesh\" limit=\"1e-9\"/>"
                  : "";
  Scenario scenario{{{.first = "A",
                      .second = "B",
                      .kind = one.kind,
                      .max_windows = one.windows,
                      .control = control + one.acceleration}},
                    both_ways(true, one.substeps)};
  scenario.flows[0].initialize = one.kind.find("parallel") != std::string::npos;
  scenario.flows[1].mapping.kind = one.mapping_of_a;
  scenario.experimental = one.mapping_of_a != "nearest-neighbor";
  scenario.inside["A"] = one.of_a;
  return scenario.xml();
}

std::vector<Role> roles(const std::vector<Partner>& parts, const Table& states) {
  std::vector<Role> all;
  for (const Partner& part : parts) {
    all.push_back({part.name, Solver{part, states}});
  }
  return all;
}

Table later(const Table& table, int first) {
  Table result;
  for (const auto& [series, entries] : table) {
    if (std::stoi(series.substr(series.rfind('/') + 1)) >=
        first + (series.find("state") != std::string::npos ? 1 : 0)) {
      result[series] = entries;
    }
  }
  return result;
}

double largest_difference(const Table& a, const Table& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (const auto& [series, entries] : a) {
    CAPTURE(series);
    REQUIRE(b.at(series).size() == entries.size());
    auto other = b.at(series).begin();
    for (const auto& [vertex, values] : entries) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        largest = std::max(largest, std::abs(values[i] - other->second[i]));
      }
      ++other;
    }
  }
  return largest;
}

Table run_saving(const std::string& xml, const std::vector<Partner>& parts, const Deal& deal) {
  const Environment every("ISTHMUS_RESTART_EVERY", "2");
  return run(xml, roles(parts), deal);
}

Table run_from(const std::string& window, const std::string& xml, const std::vector<Partner>& parts,
               const Table& whole, const Deal& deal) {
  const Environment from("ISTHMUS_RESTART", window);
  return run(xml, roles(parts, whole), deal);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases{{"serial-explicit"}, {"parallel-explicit"}};
  const std::string data =
      "<data name=\"F\" mesh=\"B-Mesh\"/><preconditioner type=\"residual-sum\"/>";
  for (const std::string kind : {"serial-implicit", "parallel-implicit"}) {
    for (const bool substeps : {false, true}) {
      for (const std::string& acceleration :
           {std::string(""),
            std::string("<acceleration:aitken><initial-relaxation value=\"0.7\"/>"
                        "<data name=\"F\" mesh=\"B-Mesh\"/></acceleration:aitken>"),
            "<acceleration:IQN-ILS>" + data +
                "<initial-relaxation value=\"0.7\"/><max-used-iterations value=\"8\"/>"
                "<time-windows-reused value=\"2\"/></acceleration:IQN-ILS>",
            "<acceleration:IQN-IMVJ>" + data +
                "<initial-relaxation value=\"0.7\"/><max-used-iterations value=\"8\"/>"
                "<time-windows-reused value=\"1\"/><imvj-restart-mode type=\"RS-LS\" "
                "chunk-size=\"3\" "
                "reused-time-windows-at-restart=\"2\"/></acceleration:IQN-IMVJ>"}) {
        cases.push_back({kind, acceleration, substeps});
      }
    }
  }
  return cases;
}

} // namespace couple
