// SPDX-License-Identifier: BSD-3-Clause
// A heat exchanger of three programs: a hot stream (0 to 1), a cold stream (1 to 0) and the wall
// between them, which is thin and as warm as the mean of both. A stream that is given the wall:
//   dT/ds = h (wall - T) / capacity       along its way s, T(0) given
//   exchanger Hot|Cold|Wall CONFIGURATION CELLS
#include <isthmus/isthmus.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using Values = std::vector<double>;

constexpr double h = 10; // of heat transfer, on both sides
constexpr double hot_capacity = 1;
constexpr double cold_capacity = 2;
constexpr double cold_inlet = 20;

/// The hot inlet grows warmer with every time window; the streams follow at once.
double hot_inlet(double t) {
  return 60 + 5 * t;
}

/// The difference of both streams decays exponentially along x; the rest follows from it.
double exact(const std::string& name, double x, double t) {
  const double through = h / 2; // both sides in a row
  const double decay = through * (1 / hot_capacity - 1 / cold_capacity);
  const auto given_away = [&](double at) { return through * (1 - std::exp(-decay * at)) / decay; };
  const double difference =
      (hot_inlet(t) - cold_inlet) / (std::exp(-decay) + given_away(1) / hot_capacity); // at x = 0
  const double hot = hot_inlet(t) - difference * given_away(x) / hot_capacity;
  const double cold = hot - difference * std::exp(-decay * x);
  return name == "Hot" ? hot : name == "Cold" ? cold : (hot + cold) / 2;
}

/// Trapezoidal rule along the stream, from its inlet.
Values flow(const Values& wall, double inlet, double capacity) {
  Values temperature(wall.size(), inlet);
  const double a = h / capacity / static_cast<double>(wall.size() - 1) / 2;
  for (std::size_t i = 1; i < wall.size(); ++i) {
    temperature[i] = ((1 - a) * temperature[i - 1] + a * (wall[i - 1] + wall[i])) / (1 + a);
  }
  return temperature;
}

/// A participant with its mesh on the x axis.
struct Side {
  std::string name;
  isthmus::Participant participant;
  Values x;
  std::vector<isthmus::VertexId> ids;

  Side(const std::string& as, const char* configuration, int cells)
      : name(as), participant(as, configuration, {}), ids(cells + 1) {
    Values positions;
    for (int i = 0; i <= cells; ++i) {
      x.push_back(static_cast<double>(i) / cells);
      positions.insert(positions.end(), {x.back(), 0.0});
    }
    participant.set_mesh_vertices(name + "-Mesh", positions, ids);
    for (int i = 0; i < cells; ++i) {
      participant.set_mesh_edges(name + "-Mesh", std::vector{ids[i], ids[i + 1]});
    }
  }

  [[nodiscard]] Values read(const std::string& data, double dt) const {
    Values values(ids.size());
    participant.read_data(name + "-Mesh", data, ids, dt, values);
    return values;
  }

  /// What the participant answers to what it is given at time t.
  [[nodiscard]] Values answer(double t, double dt) const {
    if (name == "Hot") {
      return flow(read("Wall", dt), hot_inlet(t), hot_capacity);
    }
    if (name == "Cold") {
      Values wall = read("Wall", dt);
      std::reverse(wall.begin(), wall.end());
      Values temperature = flow(wall, cold_inlet, cold_capacity);
      std::reverse(temperature.begin(), temperature.end());
      return temperature;
    }
    Values wall = read("Hot", dt);
    const Values cold = read("Cold", dt);
    std::transform(wall.begin(), wall.end(), cold.begin(), wall.begin(),
                   [](double a, double b) { return (a + b) / 2; });
    return wall;
  }
};

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: exchanger Hot|Cold|Wall CONFIGURATION CELLS\n", stderr);
    return 2;
  }
  Side side(argv[1], argv[2], std::stoi(argv[3]));
  isthmus::Participant& participant = side.participant;
  participant.initialize();

  Values temperature;
  double t = 0;
  while (participant.is_coupling_ongoing()) {
    if (participant.requires_writing_checkpoint()) {
      // nothing is stored anywhere: there is no state to keep
    }
    const double dt = participant.max_time_step_size();
    temperature = side.answer(t + dt, dt);
    participant.write_data(side.name + "-Mesh", side.name, side.ids, temperature);
    participant.advance(dt);
    t += participant.requires_reading_checkpoint() ? 0 : dt;
  }

  double error = 0;
  for (std::size_t i = 0; i < side.x.size(); ++i) {
    error = std::max(error, std::abs(temperature[i] - exact(side.name, side.x[i], t)));
  }
  std::printf("%s at t = %g: %.4f to %.4f, off by %.2e\n", argv[1], t, temperature.front(),
              temperature.back(), error);
  return error < 0.1 ? 0 : 1;
}
