// SPDX-License-Identifier: BSD-3-Clause
// A cloud of particles whose ranks deal it anew in every time window, coupled to a fluid: nothing
// of what the particles give is lost on the way, whoever holds them.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int num_particles = 60;
constexpr int num_windows = 5;
constexpr int side = 9; // points of the fluid

std::string xml(const std::string& mapping, const std::string& options, const std::string& basis) {
  Scenario scenario{{{.first = "Particles", .second = "Fluid", .max_windows = num_windows}},
                    {{.from = "Particles",
                      .to = "Fluid",
                      .data = "Force",
                      .mapping = {.kind = mapping,
                                  .basis = basis,
                                  .options = options,
                                  .direction = "write",
                                  .constraint = "conservative"}},
                     {.from = "Fluid",
                      .to = "Particles",
                      .data = "Velocity",
                      .mapping = {.kind = mapping, .basis = basis, .options = options}}}};
  scenario.remeshing = true;
  return scenario.xml();
}

/// They circle around the middle of the square.
std::vector<double> place(int particle, int window) {
  const double angle = 0.7 * particle + 0.8 * window;
  const double radius = 0.05 + 0.4 * particle / num_particles;
  return {0.5 + radius * std::cos(angle), 0.5 + radius * std::sin(angle)};
}

double force(int particle, int window) {
  return 1 + 0.1 * particle + window;
}

double velocity(const double* x, int window) {
  return 2 + x[0] - 3 * x[1] + window;
}

/// Each rank has those in its strip of the square: other ones, more or fewer, in every window.
void move(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  std::vector<int> own;
  std::vector<double> places;
  std::vector<isthmus::VertexId> ids;
  const auto define = [&](int window) {
    own.clear();
    places.clear();
    for (int p = 0; p < num_particles; ++p) {
      const std::vector<double> x = place(p, window);
      if (std::min(static_cast<int>(x[0] * seat.launch.size), seat.launch.size - 1) ==
          seat.launch.rank) {
        own.push_back(p);
        places.insert(places.end(), x.begin(), x.end());
      }
    }
    ids.resize(own.size());
    participant.set_mesh_vertices("Particles-Mesh", places, ids);
  };
  define(0);
  participant.initialize();
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    if (window > 0) {
      participant.reset_mesh("Particles-Mesh");
      define(window);
    }
    std::vector<double> values;
    for (const int particle : own) {
      values.push_back(force(particle, window));
      seat.put(fmt::format("rank {}", window), particle, {double(seat.launch.rank)});
    }
    participant.write_data("Particles-Mesh", "Force", ids, values);
    participant.advance(1);
    participant.read_data("Particles-Mesh", "Velocity", ids, 0, values);
    for (std::size_t i = 0; i < own.size(); ++i) {
      seat.put(fmt::format("velocity {}", window), own[i],
               {values[i] - velocity(&places[2 * i], window)});
    }
  }
  participant.finalize();
}

void flow(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  std::vector<int> own;
  std::vector<double> places;
  for (int v = seat.launch.rank; v < side * side; v += seat.launch.size) {
    own.push_back(v);
    places.insert(places.end(), {v % side / (side - 1.0), v / side / (side - 1.0)});
  }
  std::vector<isthmus::VertexId> ids(own.size());
  participant.set_mesh_vertices("Fluid-Mesh", places, ids);
  participant.initialize();
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    std::vector<double> values;
    for (std::size_t i = 0; i < own.size(); ++i) {
      values.push_back(velocity(&places[2 * i], window));
    }
    participant.write_data("Fluid-Mesh", "Velocity", ids, values);
    participant.advance(1);
    participant.read_data("Fluid-Mesh", "Force", ids, 0, values);
    for (std::size_t i = 0; i < own.size(); ++i) {
      seat.put(fmt::format("force {}", window), own[i], {values[i]});
    }
  }
  participant.finalize();
}

void check_cloud(const std::string& text, double error) {
  for (const Deal& deal : deals(2)) {
    const Table table = run(text, {{"Particles", move}, {"Fluid", flow}}, deal);
    int wanderers = 0;
    for (int window = 0; window < num_windows; ++window) {
      double given = 0;
      for (int particle = 0; particle < num_particles; ++particle) {
        given += force(particle, window);
        const auto rank_in = [&](int w) {
          return table.at(fmt::format("rank {}", w)).find(particle)->second;
        };
        wanderers += rank_in(window) != rank_in(0) ? 1 : 0;
      }
      CHECK(sums(table, fmt::format("force {}", window))[0] == doctest::Approx(given));
      const auto& off = table.at(fmt::format("velocity {}", window));
      CHECK(off.size() == num_particles);
      for (const auto& [particle, by] : off) {
        CHECK(std::abs(by[0]) <= error);
      }
    }
    CHECK((wanderers > 0) == (!deal.empty() && deal[0] > 1));
  }
}

} // namespace

TEST_CASE("particles cross ranks: nearest neighbors") {
  check_cloud(xml("nearest-neighbor", "", ""),
              4 * 0.5 / (side - 1)); // by the nearest point of the fluid
}

TEST_CASE("particles cross ranks: a partition of unity") {
  check_cloud(xml("rbf-pum-direct", R"(vertices-per-cluster="20" relative-overlap="0.3")",
                  R"(compact-polynomial-c6 support-radius="0.6")"),
              1e-8);
}
