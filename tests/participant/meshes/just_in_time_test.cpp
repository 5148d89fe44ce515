// SPDX-License-Identifier: BSD-3-Clause
// Just-in-time mapping finds the vertices that matter, also those around the region of a rank.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include "isthmus/base/error.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>

using namespace couple;

namespace {

constexpr int num_vertices = 90;
constexpr int num_points = 150;
constexpr double radius = 0.3; // of coarse graining

Scenario mapped_in_time(int dimensions, const std::string& read, const std::string& write,
                        const std::string& received = "") {
  const auto mapping = [](const std::string& kind, const char* ends) {
    return kind.empty()
               ? std::string()
               : fmt::format("<mapping:{0} {1} {2}</mapping:{0}>", kind.substr(0, kind.find(' ')),
                             ends, kind.substr(kind.find(' ') + 1));
  };
  Scenario scenario{{{.first = "B", .second = "A", .kind = "serial-explicit", .max_windows = 2}},
                    {{.from = "B",
                      .to = "A",
                      .data = "T",
                      .mapping = {.kind = ""},
                      .meshes = {.dimensions = dimensions}},
                     {.from = "A",
                      .to = "B",
                      .data = "F",
                      .vector = true,
                      .mapping = {.kind = "", .direction = "write"},
                      .meshes = {.dimensions = dimensions}}}};
  scenario.experimental = true;
  scenario.inside["A"] =
      mapping(read, R"(direction="read" from="B-Mesh" constraint="consistent")") +
      mapping(write, R"(direction="write" to="B-Mesh" constraint="conservative")");
  scenario.received["A"] = received;
  return scenario;
}

std::string xml(int dimensions, const std::string& read, const std::string& write,
                const std::string& received = "") {
  return mapped_in_time(dimensions, read, write, received).xml();
}

using Place = std::vector<double>;

std::vector<Place> cloud(int dimensions, int count, double low, double high, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> draw(low, high);
  std::vector<Place> places(static_cast<std::size_t>(count),
                            Place(static_cast<std::size_t>(dimensions)));
  for (Place& place : places) {
    std::generate(place.begin(), place.end(), [&] { return draw(engine); });
  }
  return places;
}

std::vector<Place> vertices(int dimensions) {
  return cloud(dimensions, num_vertices, -0.1, 1.1, 11);
}

std::vector<Place> points(int dimensions) {
  return cloud(dimensions, num_points, 0, 1, 12);
}

double distance(const Place& a, const Place& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += (a[k] - b[k]) * (a[k] - b[k]);
  }
  return std::sqrt(sum);
}

int nearest(const std::vector<Place>& places, const Place& point) {
  return static_cast<int>(std::min_element(places.begin(), places.end(),
                                           [&](const Place& a, const Place& b) {
                                             return distance(a, point) < distance(b, point);
                                           }) -
                          places.begin());
}

double force(int point, int component) {
  return 1 + 0.1 * point + component;
}

double linear(const Place& place) {
  return 2 + place[0] - 3 * place[1] + (place.size() > 2 ? 0.5 * place[2] : 0);
}

/// Vertex i is with rank i modulo their number; its value is `value(i)` in all windows.
std::function<void(const Seat&)> provide(int dimensions, const std::function<double(int)>& value) {
  return [=](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    const std::vector<Place> places = vertices(dimensions);
    std::vector<double> positions;
    std::vector<double> values;
    std::vector<int> own;
    for (int v = seat.launch.rank; v < num_vertices; v += seat.launch.size) {
      const Place& place = places[static_cast<std::size_t>(v)];
      positions.insert(positions.end(), place.begin(), place.end());
      values.push_back(value(v));
      own.push_back(v);
    }
    std::vector<isthmus::VertexId> ids(own.size());
    participant.set_mesh_vertices("B-Mesh", positions, ids);
    participant.initialize();
    const auto width = static_cast<std::size_t>(dimensions);
    std::vector<double> forces(width * ids.size());
    while (participant.is_coupling_ongoing()) {
      participant.write_data("B-Mesh", "T", ids, values);
      participant.advance(1);
      participant.read_data("B-Mesh", "F", ids, 0, forces);
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto first = forces.begin() + static_cast<std::ptrdiff_t>(i * width);
      seat.put("force", own[i], {first, first + dimensions});
    }
    participant.finalize();
  };
}

/// Every rank has a strip of the unit square or cube as its region, or if `reach` is given all from
/// minus to plus that, and maps the points in the strip.
std::function<void(const Seat&)> map_in_strips(int dimensions, bool reads, bool writes,
                                               double reach = 0) {
  return [=](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    const double low = double(seat.launch.rank) / seat.launch.size;
    const double high = double(seat.launch.rank + 1) / seat.launch.size;
    std::vector<double> region{low, high, 0, 1, 0, 1};
    region.resize(2 * static_cast<std::size_t>(dimensions));
    for (std::size_t i = 0; reach > 0 && i < region.size(); ++i) {
      region[i] = i % 2 == 0 ? -reach : reach;
    }
    participant.set_mesh_access_region("B-Mesh", region);
    participant.initialize();
    const auto inside = [&](const Place& place) {
      return reach > 0 ||
             (place[0] >= low && place[0] <= high &&
              std::all_of(place.begin(), place.end(), [](double x) { return x >= 0 && x <= 1; }));
    };
    const std::vector<Place> all = vertices(dimensions);
    CHECK(participant.mesh_vertex_size("B-Mesh") == std::count_if(all.begin(), all.end(), inside));
    while (participant.is_coupling_ongoing()) {
      const std::vector<Place> places = points(dimensions);
      for (int p = 0; p < num_points; ++p) {
        const Place& place = places[static_cast<std::size_t>(p)];
        if (place[0] < low || place[0] >= high) {
          continue;
        }
        if (reads) {
          std::vector<double> value(1);
          participant.map_and_read_data("B-Mesh", "T", place, 1, value);
          seat.put("value", p, value);
        }
        if (writes) {
          std::vector<double> values;
          for (int c = 0; c < dimensions; ++c) {
            values.push_back(force(p, c));
          }
          participant.write_and_map_data("B-Mesh", "F", place, values);
        }
      }
      participant.advance(1);
    }
    participant.finalize();
  };
}

void check_forces(const Table& table, int dimensions,
                  const std::function<double(int point, int vertex)>& weight) {
  CHECK(table.at("force").size() == num_vertices);
  for (const auto& [vertex, values] : table.at("force")) {
    for (int c = 0; c < dimensions; ++c) {
      double expected = 0;
      for (int p = 0; p < num_points; ++p) {
        expected += weight(p, vertex) * force(p, c);
      }
      CHECK(values[static_cast<std::size_t>(c)] == doctest::Approx(expected).epsilon(1e-12));
    }
  }
}

const auto number = [](int vertex) { return double(vertex); };

} // namespace

TEST_CASE("every position is mapped from and to its nearest vertex, inside the region or not") {
  using Limits = std::numeric_limits<double>; // by which a region may be everything
  const std::vector<std::pair<std::string, double>> settings{
      {"", 0}, {"safety-factor=\"0\"", 0}, {"", Limits::max()}, {"", Limits::infinity()}};
  for (const int dimensions : {2, 3}) {
    for (const auto& [received, reach] : settings) {
      const std::string config =
          xml(dimensions, "nearest-neighbor >", "nearest-neighbor >", received);
      const std::vector<Place> mesh = vertices(dimensions);
      std::vector<int> expected;
      for (const Place& point : points(dimensions)) {
        expected.push_back(nearest(mesh, point));
      }
      for (const Deal& deal : deals(2)) {
        const Table table = run(config,
                                {{"A", map_in_strips(dimensions, true, true, reach)},
                                 {"B", provide(dimensions, number)}},
                                deal);
        CHECK(table.at("value").size() == 2 * num_points);
        for (const auto& [point, value] : table.at("value")) {
          CHECK(value[0] == expected[static_cast<std::size_t>(point)]);
        }
        check_forces(table, dimensions, [&](int point, int vertex) {
          return expected[static_cast<std::size_t>(point)] == vertex ? 1.0 : 0.0;
        });
      }
    }
  }
}

TEST_CASE("densities of particles reach all vertices within the radius, whatever their region") {
  for (const int dimensions : {2, 3}) {
    const std::string config =
        xml(dimensions, "", fmt::format("coarse-graining radius=\"{}\" >", radius));
    const double factor = dimensions == 3 ? 105 / (16 * std::numbers::pi * std::pow(radius, 3))
                                          : 5 / (std::numbers::pi * radius * radius);
    const std::vector<Place> mesh = vertices(dimensions);
    const std::vector<Place> particles = points(dimensions);
    for (const Deal& deal : deals(2)) {
      const Table table =
          run(config,
              {{"A", map_in_strips(dimensions, false, true)}, {"B", provide(dimensions, number)}},
              deal);
      check_forces(table, dimensions, [&](int point, int vertex) {
        const double r = distance(particles[static_cast<std::size_t>(point)],
                                  mesh[static_cast<std::size_t>(vertex)]) /
                         radius;
        return r < 1 ? factor * (1 + 3 * r) * std::pow(1 - r, 3) : 0.0;
      });
    }
  }
}

TEST_CASE("radial basis functions just in time keep linear functions and sums on any ranks") {
  for (const std::string kind : {"rbf", "rbf-pum-direct"}) {
    const std::string mapping =
        kind + " ><basis-function:compact-polynomial-c4 support-radius=\"0.8\" />";
    for (const Deal& deal : deals(2)) {
      const std::vector<Place> mesh = vertices(2);
      const auto value = [&mesh](int v) { return linear(mesh[static_cast<std::size_t>(v)]); };
      const Table table =
          run(xml(2, mapping, mapping),
              {{"A", map_in_strips(2, true, true)}, {"B", provide(2, value)}}, deal);
      const std::vector<Place> places = points(2);
      for (const auto& [point, found] : table.at("value")) {
        CHECK(found[0] ==
              doctest::Approx(linear(places[static_cast<std::size_t>(point)])).epsilon(1e-9));
      }
      double given = 0;
      for (int p = 0; p < num_points; ++p) {
        given += force(p, 0);
      }
      CHECK(sums(table, "force")[0] == doctest::Approx(given));
    }
  }
}

namespace {

/// The last rank has a region without vertices, the first one all of them. The others none.
void look_aside(const Seat& seat, bool catches) {
  isthmus::Participant participant = seat.make();
  const bool has_some = seat.launch.rank == 0;
  participant.set_mesh_access_region(
      "B-Mesh", has_some ? std::vector<double>{-1, 2, -1, 2} : std::vector<double>{8, 9, 8, 9});
  participant.initialize();
  CHECK(participant.mesh_vertex_size("B-Mesh") == (has_some ? num_vertices : 0));
  std::vector<double> value(1);
  const std::vector<double> place = has_some ? points(2)[0] : std::vector<double>{8.5, 8.5};
  const std::vector<double> force{1, 2};
  while (participant.is_coupling_ongoing()) {
    if (has_some || !catches) {
      participant.map_and_read_data("B-Mesh", "T", place, 1, value);
      CHECK(value[0] == nearest(vertices(2), place));
      participant.write_and_map_data("B-Mesh", "F", place, force);
    } else {
      CHECK_THROWS_WITH(participant.map_and_read_data("B-Mesh", "T", place, 1, value),
                        doctest::Contains("mesh \"B-Mesh\" has no vertices in or around the access "
                                          "region of this rank"));
      CHECK_THROWS_WITH(participant.write_and_map_data("B-Mesh", "F", place, force),
                        doctest::Contains("mesh \"B-Mesh\" has no vertices"));
      participant.map_and_read_data("B-Mesh", "T", {}, 1, {}); // nothing to map, nothing wrong
    }
    participant.advance(1);
  }
  participant.finalize();
}

} // namespace

TEST_CASE("mapping in a region without vertices is an error of this rank, others go on") {
  for (const Deal& deal : deals(2)) {
    const Table table = run(
        xml(2, "nearest-neighbor >", "nearest-neighbor >"),
        {{"A", [](const Seat& seat) { look_aside(seat, true); }}, {"B", provide(2, number)}}, deal);
    CHECK(sums(table, "force")[0] == 1);
  }
}

namespace {

/// The first rank maps all points. The others have no vertices in their region, and no points.
void map_on_first(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const bool maps = seat.launch.rank == 0;
  participant.set_mesh_access_region(
      "B-Mesh", maps ? std::vector<double>{-1, 2, -1, 2} : std::vector<double>{8, 9, 8, 9});
  participant.initialize();
  std::vector<double> places;
  std::vector<double> exact;
  std::vector<double> forces;
  for (int p = 0; maps && p < num_points; ++p) {
    const Place place = points(2)[static_cast<std::size_t>(p)];
    places.insert(places.end(), place.begin(), place.end());
    exact.push_back(linear(place));
    forces.insert(forces.end(), {force(p, 0), force(p, 1)});
  }
  std::vector<double> values(exact.size());
  while (participant.is_coupling_ongoing()) {
    participant.map_and_read_data("B-Mesh", "T", places, 1, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(values[i] == doctest::Approx(exact[i]).epsilon(1e-9));
    }
    participant.write_and_map_data("B-Mesh", "F", places, forces);
    participant.advance(1);
  }
  participant.finalize();
}

} // namespace

TEST_CASE("who has neither vertices nor positions maps nothing, whatever the mapping") {
  const std::string radial =
      "rbf-pum-direct ><basis-function:compact-polynomial-c4 support-radius=\"0.8\" />";
  const std::vector<Place> mesh = vertices(2);
  const auto value = [&mesh](int v) { return linear(mesh[static_cast<std::size_t>(v)]); };
  double given = 0;
  for (int p = 0; p < num_points; ++p) {
    given += force(p, 0);
  }
  for (const std::string& write : {radial, std::string("nearest-neighbor >")}) {
    for (const Deal& deal : deals(2)) {
      const Table table =
          run(xml(2, radial, write), {{"A", map_on_first}, {"B", provide(2, value)}}, deal);
      CHECK(sums(table, "force")[0] == doctest::Approx(given));
    }
  }
}

TEST_CASE("safety-factor widens a region before mapping in one without vertices is an error") {
  const std::string config =
      xml(2, "nearest-neighbor >", "nearest-neighbor >", "safety-factor=\"20\"");
  for (const Deal& deal : deals(2)) {
    const Table table =
        run(config,
            {{"A", [](const Seat& seat) { look_aside(seat, false); }}, {"B", provide(2, number)}},
            deal);
    CHECK(sums(table, "force")[0] == (deal.empty() ? 1 : deal[0])); // of every rank
  }
}

TEST_CASE("a rank that ends by mapping in a region without vertices ends everybody" *
          on_ranks(3)) { // one rank alone sees the whole mesh
  const ShortTimeout timeout;
  for (const Deal& deal : deals(2)) {
    if (deal.empty() || deal[0] == 1) {
      continue; // one rank sees the whole mesh
    }
    Scenario endless = mapped_in_time(2, "nearest-neighbor >", "nearest-neighbor >");
    endless.schemes[0].max_windows = 1'000'000'000;
    Outcome outcome =
        play(endless.xml(),
             {{"A", [](const Seat& seat) { look_aside(seat, false); }}, {"B", provide(2, number)}},
             deal);
    CHECK(outcome.errors["A"].find("no vertices in or around") != std::string::npos);
    CHECK(outcome.errors["B"].find("no vertices in or around") != std::string::npos);
  }
}
