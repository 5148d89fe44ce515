// SPDX-License-Identifier: BSD-3-Clause
// Meshes that change, and vertices that look for their place among the candidates of several ranks:
// what is read has the bits of a run on one rank that starts with the meshes as they are then.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/surfaces.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace couple;

namespace {

/// Of the meshes with elements, on which places are looked for, and of those without. An odd one is
/// the one before it, but for a few vertices.
struct Versions {
  int sheet;
  int cloud;
};

/// Which ranks reset a mesh that has changed: all, or those whose part is another one.
enum class Who { all, changed };

void move_some(Surface& surface, int version) {
  for (std::size_t i = 0; version % 2 == 1 && i < surface.coordinates.size(); ++i) {
    surface.coordinates[i] += i % 29 == 3 ? 0.013 : 0.0;
  }
}

Surface sheet_of(int version) {
  Surface surface = islands(3, 3, 4, 7 + static_cast<unsigned>(version) / 2);
  move_some(surface, version);
  return surface;
}

Surface cloud_of(int version) {
  std::mt19937 engine(100 + static_cast<unsigned>(version) / 2);
  std::uniform_real_distribution<double> place(-0.1, 1.1);
  std::uniform_real_distribution<double> height(-0.4, 0.4);
  std::vector<double> coordinates;
  for (int i = 0; i < 150; ++i) {
    coordinates.insert(coordinates.end(), {place(engine), place(engine), height(engine)});
  }
  Surface surface = cloud(3, coordinates);
  move_some(surface, version);
  return surface;
}

/// The sender's mesh has the elements where a mapping is consistent, else the receiver's.
bool has_elements(const Flow& flow, const std::string& participant) {
  return (flow.mapping.constraint == "consistent") == (flow.from == participant);
}

/// Both ways: ranks search their own mesh (write consistent, read conservative), or the one that
/// they receive.
Scenario scenario_of(const std::string& scheme, std::size_t windows) {
  Scenario scenario;
  scenario.remeshing = true;
  scenario.schemes = {{"A", "B", scheme, 1, 0, static_cast<int>(windows)}};
  for (const char* direction : {"write", "read"}) {
    for (const char* constraint : {"consistent", "conservative"}) {
      for (const auto& [from, to] : {std::array{"A", "B"}, std::array{"B", "A"}}) {
        Flow flow{from, to, fmt::format("{}-{}-{}", from, direction, constraint)};
        flow.mapping.kind = "nearest-projection";
        flow.mapping.direction = direction;
        flow.mapping.constraint = constraint;
        flow.meshes.dimensions = 3;
        flow.meshes.suffix = flow.data;
        scenario.flows.push_back(flow);
      }
    }
  }
  return scenario;
}

/// One rank of a solver: meshes by flow, values by vertex.
class Solver {
 public:
  Solver(const Seat& seat, const Scenario& scenario, const std::vector<Versions>& windows,
         Split::Order order, Who resets)
      : seat_(seat),
        scenario_(scenario),
        windows_(windows),
        split_{order, false},
        resets_(resets),
        participant_(seat.make()),
        parts_(scenario.flows.size()) {}

  void play() {
    set_meshes(false);
    participant_.initialize();
    for (; participant_.is_coupling_ongoing(); ++window_) {
      if (window_ > 0) {
        set_meshes(true);
      }
      for (std::size_t f = 0; f < parts_.size(); ++f) {
        write(scenario_.flows[f], parts_[f]);
      }
      participant_.advance(1);
      for (std::size_t f = 0; f < parts_.size(); ++f) {
        read(scenario_.flows[f], parts_[f]);
      }
    }
    participant_.finalize();
  }

 private:
  [[nodiscard]] int version(const Flow& flow, std::size_t window) const {
    const Versions& its = windows_[window];
    return has_elements(flow, seat_.participant) ? its.sheet : its.cloud;
  }

  void set_meshes(bool again) {
    for (std::size_t f = 0; f < parts_.size(); ++f) {
      const Flow& flow = scenario_.flows[f];
      const bool has_sheet = has_elements(flow, seat_.participant);
      const Part before = parts_[f];
      parts_[f] =
          part_of(has_sheet ? sheet_of(version(flow, window_)) : cloud_of(version(flow, window_)),
                  split_, seat_.launch.rank, seat_.launch.size);
      const Part& part = parts_[f];
      const bool is_same = part.vertices == before.vertices && part.corners == before.corners &&
                           part.coordinates == before.coordinates;
      const bool has_changed = again && version(flow, window_) != version(flow, window_ - 1);
      if (again && (!has_changed || (resets_ == Who::changed && is_same))) {
        continue;
      }
      const std::string mesh = flow.from == seat_.participant ? flow.from_mesh() : flow.to_mesh();
      if (again) {
        participant_.reset_mesh(mesh);
      }
      std::vector<int> ids(part.vertices.size());
      participant_.set_mesh_vertices(mesh, part.coordinates, ids);
      participant_.set_mesh_triangles(mesh, part.corners);
    }
  }

  void write(const Flow& flow, const Part& part) {
    if (flow.from == seat_.participant) {
      std::vector<double> values;
      for (const int vertex : part.vertices) {
        values.push_back(std::sin(1.7 * vertex + version(flow, window_)));
      }
      participant_.write_data(flow.from_mesh(), flow.data, ids_of(part), values);
    }
  }

  void read(const Flow& flow, const Part& part) {
    if (flow.to == seat_.participant) {
      std::vector<double> values(part.vertices.size());
      participant_.read_data(flow.to_mesh(), flow.data, ids_of(part), 0, values);
      const auto& [of_sheet, of_cloud] = windows_[window_];
      for (std::size_t i = 0; i < values.size(); ++i) {
        seat_.put(fmt::format("{} of {} and {}", flow.data, of_sheet, of_cloud), part.vertices[i],
                  {values[i]});
      }
    }
  }

  [[nodiscard]] static std::vector<int> ids_of(const Part& part) {
    std::vector<int> ids(part.vertices.size());
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
  }

  const Seat& seat_;
  const Scenario& scenario_;
  const std::vector<Versions>& windows_;
  Split split_;
  Who resets_;
  isthmus::Participant participant_;
  std::vector<Part> parts_; // by flow
  std::size_t window_ = 0;
};

Table run_windows(const std::vector<Versions>& windows, const Deal& deal, Split::Order order,
                  Who resets) {
  const Scenario scenario = scenario_of("parallel-explicit", windows.size());
  const auto solver = [&](const Seat& seat) {
    Solver(seat, scenario, windows, order, resets).play();
  };
  return starting(couple::run(scenario.xml(), {{"A", solver}, {"B", solver}}, deal), "");
}

/// Without what one rank finds in a mesh that it receives: where boxes are equally near, its choice
/// follows from numbers, which are others where the mesh comes from several ranks.
Table without_numbers(const Table& table) {
  Table result = starting(table, "");
  std::erase_if(result, [](const auto& series) {
    return series.first.find("read-consistent") != std::string::npos ||
           series.first.find("write-conservative") != std::string::npos;
  });
  return result;
}

} // namespace

TEST_CASE("projections among candidates of several ranks follow meshes that are reset") {
  const std::vector<Versions> windows{{0, 0}, {1, 0}, {1, 1}, {2, 1},
                                      {2, 2}, {3, 3}, {3, 3}, {4, 3}};
  Table fresh;
  for (const Versions& its : windows) {
    fresh.merge(run_windows({its}, in_threads, Split::block, Who::all));
  }
  for (const Deal& deal : deals(2)) {
    for (const Split::Order order : {Split::random, Split::first_empty}) {
      for (const Who resets : {Who::all, Who::changed}) {
        CAPTURE(order);
        CAPTURE(static_cast<int>(resets));
        const Table moved = run_windows(windows, deal, order, resets);
        const bool is_mixed =
            !deal.empty() && deal[0] != deal[1] && std::min(deal[0], deal[1]) == 1;
        CHECK((is_mixed ? difference(without_numbers(moved), without_numbers(fresh))
                        : difference(moved, fresh)) == "");
      }
    }
  }
}
