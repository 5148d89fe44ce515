// SPDX-License-Identifier: BSD-3-Clause
// Data are told apart by their meshes: participants that give all of them one name see what they
// see where each has its own.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace couple;

namespace {

constexpr int num_vertices = 4;

/// Each of these pairs gives to the other one on meshes of their own.
Scenario named(const std::vector<Scheme>& schemes, bool alike, bool initialize) {
  Scenario scenario{schemes, {}};
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    for (const auto& [from, to] : {std::pair(schemes[i].first, schemes[i].second),
                                   std::pair(schemes[i].second, schemes[i].first)}) {
      Flow flow{from, to, alike ? "Value" : from + "-to-" + to};
      flow.meshes.suffix = "-" + from + to;
      flow.mapping.direction = from < to ? "read" : "write";
      flow.scheme = static_cast<int>(i);
      flow.initialize = initialize;
      flow.substeps = schemes[i].is_implicit();
      scenario.flows.push_back(flow);
    }
  }
  for (Scheme& scheme : scenario.schemes) {
    if (scheme.is_implicit()) {
      const Flow& back = scenario.flows[1];
      scheme.control = fmt::format(
          R"(<max-iterations value="9"/><relative-convergence-measure limit="1e-3" {0}/>)"
          R"(<acceleration:IQN-ILS><initial-relaxation value="0.5"/><data {1}/>{2})"
          R"(<preconditioner type="residual-sum"/></acceleration:IQN-ILS>)",
          fmt::format(R"(data="{}" mesh="{}")", back.data, back.shared_mesh()),
          fmt::format(R"(name="{}" mesh="{}")", back.data, back.shared_mesh()),
          scheme.kind == "serial-implicit"
              ? ""
              : fmt::format(R"(<data name="{}" mesh="{}"/>)", scenario.flows[0].data,
                            scenario.flows[0].shared_mesh()));
    }
  }
  return scenario;
}

/// Reads within the step, and gives what follows from that. Series "READER WRITER" by vertex.
void play_part(const Seat& seat, const Scenario& scenario) {
  isthmus::Participant participant = seat.make();
  const auto [vertices, places] = dealt_line(seat.launch, num_vertices);
  std::vector<int> ids(vertices.size());
  std::map<std::string, std::vector<std::vector<double>>> seen; // by writer and vertex
  for (const Flow& flow : scenario.flows) {
    if (flow.from == seat.participant || flow.to == seat.participant) {
      participant.set_mesh_vertices(
          flow.from == seat.participant ? flow.from_mesh() : flow.to_mesh(), places, ids);
    }
  }
  std::vector<double> sum(ids.size(), 1);
  const auto write_all = [&](double t) {
    for (const Flow& flow : scenario.flows) {
      std::vector<double> values;
      for (std::size_t i = 0; i < ids.size() && flow.from == seat.participant; ++i) {
        values.push_back(0.3 * std::sin(sum[i] + vertices[i]) + t + flow.to[0]);
      }
      if (flow.from == seat.participant) {
        participant.write_data(flow.from_mesh(), flow.data, ids, values);
      }
    }
  };
  if (participant.requires_initial_data()) {
    write_all(0);
  }
  participant.initialize();
  double t = 0;
  double kept = 0;
  while (participant.is_coupling_ongoing()) {
    kept = participant.requires_writing_checkpoint() ? t : kept;
    const double dt = std::min(participant.max_time_step_size(), 0.5);
    std::fill(sum.begin(), sum.end(), 0.0);
    for (const Flow& flow : scenario.flows) {
      std::vector<double> values(ids.size());
      for (const double part : {0.0, 0.4 * dt, dt}) {
        if (flow.to == seat.participant) {
          participant.read_data(flow.to_mesh(), flow.data, ids, part, values);
          auto& rows = seen[flow.from];
          rows.resize(ids.size());
          for (std::size_t i = 0; i < ids.size(); ++i) {
            rows[i].push_back(values[i]);
            sum[i] += values[i];
          }
        }
      }
    }
    write_all(t + dt);
    participant.advance(dt);
    t = participant.requires_reading_checkpoint() ? kept : t + dt;
  }
  participant.finalize();
  for (const auto& [writer, rows] : seen) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      seat.put(seat.participant + " " + writer, vertices[i], rows[i]);
    }
  }
}

Table seen(const Scenario& scenario, const Deal& deal) {
  std::vector<Role> roles;
  for (const std::string& name : scenario.participants()) {
    roles.push_back({name, [&](const Seat& seat) { play_part(seat, scenario); }});
  }
  return run(scenario.xml(), roles, deal);
}

Scheme scheme(const std::string& first, const std::string& second, const std::string& kind) {
  return {.first = first, .second = second, .kind = kind, .max_windows = 3};
}

void check_alike(const std::vector<Scheme>& schemes, const Deal& deal) {
  const bool initialize = schemes.front().kind.starts_with("serial");
  const Table one_name = seen(named(schemes, true, initialize), deal);
  const Table own_names = seen(named(schemes, false, initialize), deal);
  CHECK(one_name.size() == 2 * schemes.size());
  CHECK(difference(one_name, own_names) == "");
}

} // namespace

TEST_CASE("one name for the data of both directions means what two names mean") {
  for (const std::string kind :
       {"serial-explicit", "parallel-explicit", "serial-implicit", "parallel-implicit"}) {
    CAPTURE(kind);
    for (const Deal& deal : deals(2)) {
      check_alike({scheme("A", "B", kind)}, deal);
    }
  }
}

TEST_CASE("one name for all data of three participants means what several names mean" *
          on_ranks_for(3)) {
  for (const Deal& deal : deals(3)) {
    check_alike({scheme("A", "B", "serial-implicit"), scheme("B", "C", "serial-explicit")}, deal);
    check_alike({scheme("A", "B", "parallel-implicit"), scheme("C", "A", "parallel-explicit")},
                deal);
  }
}
