// SPDX-License-Identifier: BSD-3-Clause
// Scaled mappings give each component the integral that it has on the other mesh: over lines and
// triangles (surface), triangles and tetrahedra (volume), both directions, on any ranks.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

using namespace couple;

namespace {

struct Shape {
  int dimensions; // of the meshes
  int axes;       // that the elements fill: cells of a grid, cut into simplices
  [[nodiscard]] std::string constraint() const {
    return axes == dimensions ? "scaled-consistent-volume" : "scaled-consistent-surface";
  }
};

/// This rank's strip of the unit interval, square or cube, with a gap to the next one.
struct Strip {
  std::vector<double> places;
  std::vector<int> corners; // of simplices
  std::vector<double> shares;

  Strip(const Shape& shape, int n, const Seat& seat);

 private:
  void add_cell(const std::array<int, 3>& first, const Shape& shape);
};

Strip::Strip(const Shape& shape, int n, const Seat& seat) {
  const int begin = n * seat.launch.rank / seat.launch.size;
  const int end = n * (seat.launch.rank + 1) / seat.launch.size;
  const std::array<int, 3> sizes{end - begin, shape.axes > 1 ? n : 0, shape.axes > 2 ? n : 0};
  const auto place = [n](double i) { return std::pow(i / n, 1.3); }; // not evenly
  if (end == begin) {
    return;
  }
  for (int z = 0; z <= sizes[2]; ++z) {
    for (int y = 0; y <= sizes[1]; ++y) {
      for (int x = 0; x <= sizes[0]; ++x) {
        const std::array<double, 3> at{place(begin + 0.97 * x), place(y), place(z)};
        places.insert(places.end(), at.begin(), at.begin() + shape.dimensions);
      }
    }
  }
  shares.resize(places.size() / static_cast<std::size_t>(shape.dimensions));
  for (int z = 0; z < std::max(sizes[2], 1); ++z) {
    for (int y = 0; y < std::max(sizes[1], 1); ++y) {
      for (int x = 0; x < sizes[0]; ++x) {
        const int row = sizes[0] + 1;
        const int first = x + row * (y + (sizes[1] + 1) * z);
        add_cell({first, row, row * (sizes[1] + 1)}, shape);
      }
    }
  }
}

/// `first`: the first vertex, then the strides along y and z.
void Strip::add_cell(const std::array<int, 3>& first, const Shape& shape) {
  std::vector<int> steps{1, first[1], first[2]};
  steps.resize(static_cast<std::size_t>(shape.axes));
  std::sort(steps.begin(), steps.end());
  const int last = first[0] + std::accumulate(steps.begin(), steps.end(), 0);
  double measure = 1;
  for (int axis = 0; axis < shape.axes; ++axis) {
    const auto coordinate = [&](int v) {
      return places[static_cast<std::size_t>(v * shape.dimensions + axis)];
    };
    measure *= coordinate(last) - coordinate(first[0]);
  }
  double simplices = 1;
  for (int k = 2; k <= shape.axes; ++k) {
    simplices *= k;
  }
  do {
    int vertex = first[0];
    corners.push_back(vertex);
    for (const int step : steps) {
      corners.push_back(vertex += step);
    }
    for (int k = 0; k <= shape.axes; ++k) {
      shares[static_cast<std::size_t>(corners[corners.size() - 1 - static_cast<std::size_t>(k)])] +=
          measure / simplices / (shape.axes + 1);
    }
  } while (std::next_permutation(steps.begin(), steps.end()));
}

double profile(const double* place, int component, double time) {
  return 2 + component + std::sin(9 * place[0] + component) +
         time * std::cos(7 * place[0] * place[0]);
}

const std::vector<std::string> kinds{"nearest-neighbor", "nearest-neighbor-gradient",
                                     "nearest-projection", "linear-cell-interpolation",
                                     "rbf-global-direct"};

Scenario scenario_of(const Shape& shape, bool scaled) {
  Scenario scenario{{{.first = "A", .second = "B", .max_windows = 2}}, {}};
  scenario.experimental = true; // of gradients
  for (std::size_t k = 0; k < 2 * kinds.size(); ++k) {
    Flow flow{.from = "A", .to = "B", .data = "D" + std::to_string(k), .vector = k % 3 != 0};
    flow.meshes = {.dimensions = shape.dimensions, .suffix = std::to_string(k)};
    flow.mapping.kind = kinds[k / 2];
    flow.mapping.direction = k % 2 == 0 ? "read" : "write";
    flow.mapping.constraint = scaled ? shape.constraint() : "consistent";
    if (flow.mapping.kind == "rbf-global-direct") {
      flow.mapping.basis = "compact-polynomial-c2 support-radius=\"0.5\"";
      if (shape.axes < shape.dimensions) { // the meshes are flat along the last axis
        flow.mapping.options = shape.dimensions == 2 ? "y-dead=\"true\"" : "z-dead=\"true\"";
      }
    }
    scenario.flows.push_back(flow);
  }
  return scenario;
}

void set_elements(isthmus::Participant& participant, const std::string& mesh, const Shape& shape,
                  const std::vector<int>& corners) {
  if (participant.requires_mesh_connectivity_for(mesh)) {
    shape.axes == 1   ? participant.set_mesh_edges(mesh, corners)
    : shape.axes == 2 ? participant.set_mesh_triangles(mesh, corners)
                      : participant.set_mesh_tetrahedra(mesh, corners);
  }
}

/// Series "NAME DATA WINDOW": integrals of the components, by rank.
void play_side(const Seat& seat, const Shape& shape, const Scenario& scenario) {
  isthmus::Participant participant = seat.make();
  const bool gives = seat.participant == "A";
  const Strip strip(shape, gives ? 5 : 4, seat);
  std::vector<int> ids(strip.shares.size());
  for (const Flow& flow : scenario.flows) {
    const std::string mesh = gives ? flow.from_mesh() : flow.to_mesh();
    participant.set_mesh_vertices(mesh, strip.places, ids);
    set_elements(participant, mesh, shape, strip.corners);
  }
  participant.initialize();
  for (int window = 1; participant.is_coupling_ongoing(); ++window) {
    std::vector<std::vector<double>> values;
    for (const Flow& flow : scenario.flows) {
      const std::size_t width = flow.vector ? static_cast<std::size_t>(shape.dimensions) : 1;
      std::vector<double>& all = values.emplace_back(width * ids.size());
      for (std::size_t i = 0; gives && i < all.size(); ++i) {
        all[i] = profile(&strip.places[i / width * static_cast<std::size_t>(shape.dimensions)],
                         static_cast<int>(i % width), window);
      }
      if (gives) {
        participant.write_data(flow.from_mesh(), flow.data, ids, all);
        if (participant.requires_gradient_data_for(flow.from_mesh(), flow.data)) {
          const std::vector<double> gradients(
              all.size() * static_cast<std::size_t>(shape.dimensions), 0.5);
          participant.write_gradient_data(flow.from_mesh(), flow.data, ids, gradients);
        }
      }
    }
    participant.advance(1);
    for (std::size_t f = 0; f < values.size(); ++f) {
      const Flow& flow = scenario.flows[f];
      const std::size_t width = flow.vector ? static_cast<std::size_t>(shape.dimensions) : 1;
      if (!gives) {
        participant.read_data(flow.to_mesh(), flow.data, ids, 0, values[f]);
      }
      std::vector<double> integrals(width);
      for (std::size_t i = 0; i < values[f].size(); ++i) {
        integrals[i % width] += values[f][i] * strip.shares[i / width];
      }
      seat.put(seat.participant + " " + flow.data + " " + std::to_string(window), seat.launch.rank,
               integrals);
    }
  }
  participant.finalize();
}

/// The largest relative difference of two integrals that should be the same, of a flow.
std::vector<double> differences(const Shape& shape, bool scaled, const Deal& deal) {
  const Scenario scenario = scenario_of(shape, scaled);
  const auto side = [&](const Seat& seat) { play_side(seat, shape, scenario); };
  const Table table = run(scenario.xml(), {{"A", side}, {"B", side}}, deal);
  std::vector<double> result;
  for (const Flow& flow : scenario.flows) {
    double& largest = result.emplace_back(0);
    for (const std::string window : {" 1", " 2"}) {
      const std::vector<double> given = sums(table, "A " + flow.data + window);
      const std::vector<double> got = sums(table, "B " + flow.data + window);
      REQUIRE(given.size() == (flow.vector ? static_cast<std::size_t>(shape.dimensions) : 1));
      for (std::size_t c = 0; c < given.size(); ++c) {
        largest = std::max(largest, std::abs(got.at(c) / given[c] - 1));
      }
    }
  }
  return result;
}

} // namespace

TEST_CASE("scaled mappings keep the integral of each component at every time") {
  for (const Shape& shape : {Shape{2, 1}, Shape{2, 2}, Shape{3, 2}, Shape{3, 3}}) {
    CAPTURE(shape.dimensions);
    CAPTURE(shape.axes);
    for (const Deal& deal : deals(2)) {
      for (const double difference : differences(shape, true, deal)) {
        CHECK(difference < 1e-12);
      }
    }
    for (const double difference : differences(shape, false, in_threads)) {
      CHECK(difference > 1e-6); // others do not
    }
  }
}
