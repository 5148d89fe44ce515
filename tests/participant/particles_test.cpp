// SPDX-License-Identifier: BSD-3-Clause
// A cloud of particles whose ranks deal it anew in every time window, coupled to a fluid: nothing
// of what the particles give is lost on the way, whoever holds them.
#include "participant/couple.hpp"

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

std::string xml(const std::string& mapping, const std::string& more) {
  return fmt::format(
      R"(<precice-configuration experimental="true" allow-remeshing="true">
  <log enabled="false" /> <data:scalar name="Force" /> <data:scalar name="Velocity" />
  <mesh name="Cloud" dimensions="2"><use-data name="Force" /><use-data name="Velocity" /></mesh>
  <mesh name="Grid" dimensions="2"><use-data name="Force" /><use-data name="Velocity" /></mesh>
  <participant name="Particles">
    <provide-mesh name="Cloud" /> <receive-mesh name="Grid" from="Fluid" />
    <write-data name="Force" mesh="Cloud" /> <read-data name="Velocity" mesh="Cloud" />
    <mapping:{0} direction="write" from="Cloud" to="Grid" constraint="conservative" {1}
    <mapping:{0} direction="read" from="Grid" to="Cloud" constraint="consistent" {1}
  </participant>
  <participant name="Fluid">
    <provide-mesh name="Grid" />
    <read-data name="Force" mesh="Grid" /> <write-data name="Velocity" mesh="Grid" />
  </participant>
  <m2n:sockets acceptor="Particles" connector="Fluid" exchange-directory="{{directory}}" />
  <coupling-scheme:parallel-explicit>
    <participants first="Particles" second="Fluid" />
    <time-window-size value="1" /> <max-time-windows value="{2}" />
    <exchange data="Force" mesh="Grid" from="Particles" to="Fluid" />
    <exchange data="Velocity" mesh="Grid" from="Fluid" to="Particles" />
  </coupling-scheme:parallel-explicit>
</precice-configuration>)",
      mapping, more, num_windows);
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
    participant.set_mesh_vertices("Cloud", places, ids);
  };
  define(0);
  participant.initialize();
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    if (window > 0) {
      participant.reset_mesh("Cloud");
      define(window);
    }
    std::vector<double> values;
    for (const int particle : own) {
      values.push_back(force(particle, window));
      seat.put(fmt::format("rank {}", window), particle, {double(seat.launch.rank)});
    }
    participant.write_data("Cloud", "Force", ids, values);
    participant.advance(1);
    participant.read_data("Cloud", "Velocity", ids, 0, values);
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
  participant.set_mesh_vertices("Grid", places, ids);
  participant.initialize();
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    std::vector<double> values;
    for (std::size_t i = 0; i < own.size(); ++i) {
      values.push_back(velocity(&places[2 * i], window));
    }
    participant.write_data("Grid", "Velocity", ids, values);
    participant.advance(1);
    participant.read_data("Grid", "Force", ids, 0, values);
    for (std::size_t i = 0; i < own.size(); ++i) {
      seat.put(fmt::format("force {}", window), own[i], {values[i]});
    }
  }
  participant.finalize();
}

void check_cloud(const std::string& mapping, const std::string& more, double error) {
  for (const Deal& deal : deals(2)) {
    const Table table = run(xml(mapping, more), {{"Particles", move}, {"Fluid", flow}}, deal);
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
  check_cloud("nearest-neighbor", "/>", 4 * 0.5 / (side - 1)); // by the nearest point of the fluid
}

TEST_CASE("particles cross ranks: a partition of unity") {
  check_cloud("rbf-pum-direct",
              "vertices-per-cluster=\"20\" relative-overlap=\"0.3\">"
              "<basis-function:compact-polynomial-c6 support-radius=\"0.6\" />"
              "</mapping:rbf-pum-direct>",
              1e-8);
}
