// SPDX-License-Identifier: BSD-3-Clause
// Cubes of tetrahedra that fill the same space: intersections keep linear functions or sums, in
// both directions and on any ranks; automatic mappings become linear cells or intersections.
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

struct Kind {
  const char* direction; // of the mapping, at A
  const char* constraint;
  [[nodiscard]] bool keeps_sums() const { return std::string(constraint) == "conservative"; }
  [[nodiscard]] bool writes() const { return std::string(direction) == "write"; }
};
constexpr Kind kinds[] = {{"read", "consistent"},
                          {"write", "consistent"},
                          {"read", "conservative"},
                          {"write", "conservative"}};

std::string xml(const std::string& mapping) {
  Scenario scenario{{{.first = "A", .second = "B", .max_windows = 1}}, {}};
  for (int k = 0; k < 4; ++k) { // A maps
    const std::string number = std::to_string(k);
    scenario.flows.push_back({.from = kinds[k].writes() ? "A" : "B",
                              .to = kinds[k].writes() ? "B" : "A",
                              .data = "D" + number,
                              .mapping = {.kind = mapping,
                                          .direction = kinds[k].direction,
                                          .constraint = kinds[k].constraint},
                              .meshes = {.dimensions = 3, .suffix = number}});
  }
  return scenario.xml();
}

/// This rank's slab of a cube of n^3 cells, six tetrahedra each; borders stand on both ranks.
struct Slab {
  std::vector<double> places;
  std::vector<int> tetrahedra;

  Slab(int n, const Seat& seat) {
    const int first = n * seat.launch.rank / seat.launch.size;
    const int last = n * (seat.launch.rank + 1) / seat.launch.size;
    for (int x = first; x <= last && last > first; ++x) {
      for (int i = 0; i < (n + 1) * (n + 1); ++i) {
        const double y = static_cast<double>(i % (n + 1)) / n;
        const double z = static_cast<double>(i / (n + 1)) / n;
        places.insert(places.end(), {static_cast<double>(x) / n, y * y, z});
      }
    }
    for (int i = 0; i < (last - first) * (n + 1) * (n + 1); ++i) {
      if (i % (n + 1) == n || i / (n + 1) % (n + 1) == n) {
        continue;
      }
      int steps[3] = {1, n + 1, (n + 1) * (n + 1)};
      do {
        tetrahedra.insert(tetrahedra.end(), {i, i + steps[0], i + steps[0] + steps[1],
                                             i + steps[0] + steps[1] + steps[2]});
      } while (std::next_permutation(steps, steps + 3));
    }
  }

  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> result;
    for (std::size_t i = 0; i < places.size(); i += 3) {
      result.push_back(1 + places[i] - 2 * places[i + 1] + 3 * places[i + 2]);
    }
    return result;
  }
};

void play_side(const Seat& seat, const std::string& name) {
  isthmus::Participant participant = seat.make();
  const Slab slab(name == "A" ? 3 : 4, seat);
  std::vector<int> ids(slab.places.size() / 3);
  for (int k = 0; k < 4; ++k) {
    const std::string mesh = name + "-Mesh" + std::to_string(k);
    participant.set_mesh_vertices(mesh, slab.places, ids);
    if (participant.requires_mesh_connectivity_for(mesh)) {
      participant.set_mesh_tetrahedra(mesh, slab.tetrahedra);
    }
  }
  participant.initialize();
  const std::vector<double> values = slab.values();
  const auto each = [&](const auto& work) {
    for (int k = 0; k < 4; ++k) {
      const bool gives = kinds[k].writes() == (name == "A");
      work(k, name + "-Mesh" + std::to_string(k), "D" + std::to_string(k), gives);
    }
  };
  each([&](int k, const std::string& mesh, const std::string& data, bool gives) {
    if (gives) {
      participant.write_data(mesh, data, ids, values);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        seat.put("given " + std::to_string(k), seat.launch.rank * 1000 + static_cast<int>(i),
                 {values[i]});
      }
    }
  });
  participant.advance(1);
  each([&](int k, const std::string& mesh, const std::string& data, bool gives) {
    std::vector<double> got(ids.size());
    if (!gives) {
      participant.read_data(mesh, data, ids, 0, got);
    }
    for (std::size_t i = 0; i < got.size() && !gives; ++i) {
      seat.put("got " + std::to_string(k), seat.launch.rank * 1000 + static_cast<int>(i), {got[i]});
      CHECK((kinds[k].keeps_sums() || std::abs(got[i] - values[i]) < 1e-12));
    }
  });
}

} // namespace

TEST_CASE("volumes keep linear functions and sums on any ranks") {
  for (const char* mapping : {"intersection", "auto"}) {
    for (const Deal& deal : deals(2)) {
      const Table table = run(xml(mapping),
                              {{"A", [](const Seat& seat) { play_side(seat, "A"); }},
                               {"B", [](const Seat& seat) { play_side(seat, "B"); }}},
                              deal);
      for (int k = 0; k < 4; ++k) {
        const double given = sums(table, "given " + std::to_string(k)).at(0);
        const double got = sums(table, "got " + std::to_string(k)).at(0);
        CHECK((!kinds[k].keeps_sums() || std::abs(got - given) < 1e-12 * std::abs(given)));
      }
    }
  }
}
