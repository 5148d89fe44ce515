// SPDX-License-Identifier: BSD-3-Clause
// Just-in-time mapping, direct access and usual mappings, each with data of its own, of one
// received mesh: none disturbs the others.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int num_vertices = 8; // of B, at x = 0, 1, 2, …
constexpr int num_windows = 3;

/// A maps T and G between B's mesh and its own, S and F just in time, and accesses U and H.
std::string xml(Scheme scheme) {
  scheme.first = "B";
  scheme.second = "A";
  scheme.max_time = num_windows;
  Scenario scenario{.schemes = {scheme}, .flows = mapped_and_accessed(true)};
  scenario.experimental = true;
  scenario.inside["A"] =
      R"(<mapping:nearest-neighbor direction="read" from="B-Mesh" constraint="consistent"/>)"
      R"(<mapping:nearest-neighbor direction="write" to="B-Mesh" constraint="conservative"/>)";
  return scenario.xml();
}

/// What B gives in a window, T, S and U being 1, 2 and 3.
double given(int data, double vertex, int window) {
  return data * vertex + 100 * window;
}

void provide(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const DealtLine line = dealt_line(seat.launch, num_vertices);
  const std::vector<isthmus::VertexId> ids = define_line(participant, "B-Mesh", line);
  participant.initialize();
  std::vector<double> values(ids.size());
  for (int window = 1; participant.is_coupling_ongoing();) {
    static_cast<void>(participant.requires_writing_checkpoint());
    for (const int data : {1, 2, 3}) {
      for (std::size_t i = 0; i < ids.size(); ++i) {
        values[i] = given(data, line.numbers[i], window);
      }
      participant.write_data("B-Mesh", data == 1 ? "T" : data == 2 ? "S" : "U", ids, values);
    }
    participant.advance(1);
    if (participant.requires_reading_checkpoint()) {
      continue;
    }
    std::vector<double> vectors(2 * ids.size());
    participant.read_data("B-Mesh", "F", ids, 0, vectors);
    const double wrote = window == 1 ? 1 : 0; // A did in the first window only
    for (std::size_t i = 0; i < ids.size(); ++i) {
      CHECK(vectors[2 * i] == wrote * (1 + line.numbers[i]));
      CHECK(vectors[2 * i + 1] == -2 * wrote * (1 + line.numbers[i]));
    }
    participant.read_data("B-Mesh", "G", ids, 0, values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      CHECK(values[i] == 2 + line.numbers[i] + window);
    }
    participant.read_data("B-Mesh", "H", ids, 0, values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      CHECK(values[i] == wrote * (5 + line.numbers[i]));
    }
    ++window;
  }
  participant.finalize();
}

/// One rank of A. Its part is a block of the line, in which it has points, vertices and access.
class Looker {
 public:
  explicit Looker(const Seat& seat) : participant_(seat.make()) {
    for (int v = 0; v < num_vertices; ++v) {
      if (v * seat.launch.size / num_vertices == seat.launch.rank) {
        numbers_.push_back(v);
        points_.insert(points_.end(), {v + 0.2, 0.1});
        own_places_.insert(own_places_.end(), {v + 0.4, -0.1});
      }
    }
    participant_.set_mesh_access_region(
        "B-Mesh", std::vector<double>{numbers_.front() - 0.3, numbers_.back() + 0.3, -1, 1});
    own_.resize(numbers_.size());
    participant_.set_mesh_vertices("A-Mesh", own_places_, own_);
    participant_.initialize();
    accessed_.resize(static_cast<std::size_t>(participant_.mesh_vertex_size("B-Mesh")));
    places_.resize(2 * accessed_.size());
    participant_.mesh_vertex_ids_and_coordinates("B-Mesh", accessed_, places_);
    CHECK(accessed_.size() == numbers_.size());
  }

  void run() {
    for (int window = 1; participant_.is_coupling_ongoing();) {
      static_cast<void>(participant_.requires_writing_checkpoint());
      const double dt = participant_.max_time_step_size();
      read(window, dt);
      if (window == 1) {
        write_once();
      }
      std::vector<double> mapped;
      for (const int v : numbers_) {
        mapped.push_back(2 + v + window);
      }
      participant_.write_data("A-Mesh", "G", own_, mapped);
      participant_.advance(dt);
      window += participant_.requires_reading_checkpoint() ? 0 : 1;
    }
    participant_.finalize();
  }

 private:
  void read(int window, double dt) const {
    std::vector<double> t(own_.size());
    std::vector<double> s(own_.size());
    std::vector<double> u(accessed_.size());
    participant_.read_data("A-Mesh", "T", own_, dt, t);
    participant_.map_and_read_data("B-Mesh", "S", points_, dt, s);
    participant_.read_data("B-Mesh", "U", accessed_, dt, u);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      CHECK(t[i] == given(1, numbers_[i], window));
      CHECK(s[i] == given(2, numbers_[i], window));
      CHECK(u[i] == given(3, places_[2 * i], window));
    }
  }

  void write_once() {
    std::vector<double> forces;
    std::vector<double> direct;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      forces.insert(forces.end(), {1.0 + numbers_[i], -2.0 * (1 + numbers_[i])});
      direct.push_back(5 + places_[2 * i]);
    }
    participant_.write_and_map_data("B-Mesh", "F", points_, forces);
    participant_.write_data("B-Mesh", "H", accessed_, direct);
  }

  isthmus::Participant participant_;
  std::vector<int> numbers_;
  std::vector<double> points_;
  std::vector<double> own_places_;
  std::vector<isthmus::VertexId> own_;
  std::vector<isthmus::VertexId> accessed_;
  std::vector<double> places_; // of the accessed ones
};

} // namespace

TEST_CASE("points are mapped beside usual mappings and direct access to the same mesh") {
  const std::vector<Scheme> schemes{
      {.first = "", .second = "", .kind = "serial-explicit"},
      {.first = "", .second = "", .kind = "serial-explicit", .window = 0}, // B sets it
      {.first = "",
       .second = "",
       .kind = "serial-implicit",
       .control = "<max-iterations value=\"2\"/>"}};
  for (const Scheme& scheme : schemes) {
    CAPTURE(scheme.kind);
    CAPTURE(scheme.window);
    for (const Deal& deal : deals(2)) {
      static_cast<void>(run(xml(scheme),
                            {{"A", [](const Seat& seat) { Looker(seat).run(); }}, {"B", provide}},
                            deal));
    }
  }
}

namespace {

/// The data that A maps to B's mesh are declared to be written there directly, too.
std::string declared_twice() {
  const FlowMapping mapped{.direction = "write", .constraint = "conservative"};
  Scenario scenario{
      {{.first = "A", .second = "B", .max_windows = 2}},
      {{.from = "A", .to = "B", .data = "F", .vector = true, .mapping = mapped},
       {.from = "A", .to = "B", .data = "H", .mapping = {.kind = "", .direction = "write"}}}};
  scenario.inside["A"] = R"(<write-data name="F" mesh="B-Mesh"/>)";
  return scenario.xml();
}

void write_mapped(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  participant.set_mesh_access_region("B-Mesh", std::vector<double>{-1, 100, -1, 1});
  const DealtLine line = dealt_line(seat.launch, 3);
  const std::vector<isthmus::VertexId> ids = define_line(participant, "A-Mesh", line);
  participant.initialize();
  CHECK(participant.mesh_vertex_size("B-Mesh") == num_vertices);
  while (participant.is_coupling_ongoing()) {
    std::vector<double> forces;
    for (const int v : line.numbers) {
      forces.insert(forces.end(), {7.0 + v, -7.0 - v});
    }
    CHECK_THROWS_WITH(
        participant.write_data("B-Mesh", "F", std::vector<int>{0}, std::vector<double>{1, 2}),
        doctest::Contains("data \"F\" comes to mesh \"B-Mesh\" by the mapping in line"));
    participant.write_data("A-Mesh", "F", ids, forces);
    if (seat.launch.rank == 0) {
      participant.write_data("B-Mesh", "H", std::vector<int>{0, 1}, std::vector<double>{1, 1});
    }
    participant.advance(1);
  }
  participant.finalize();
}

void read_mapped(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const DealtLine line = dealt_line(seat.launch, num_vertices);
  const std::vector<isthmus::VertexId> ids = define_line(participant, "B-Mesh", line);
  participant.initialize();
  while (participant.is_coupling_ongoing()) {
    participant.advance(1);
    std::vector<double> forces(2 * ids.size());
    participant.read_data("B-Mesh", "F", ids, 0, forces);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const double expected = line.numbers[i] < 3 ? 7 + line.numbers[i] : 0;
      CHECK(forces[2 * i] == expected);
      CHECK(forces[2 * i + 1] == -expected);
    }
    std::vector<double> direct(ids.size());
    participant.read_data("B-Mesh", "H", ids, 0, direct);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      seat.put("direct", line.numbers[i], {direct[i]});
    }
  }
  participant.finalize();
}

} // namespace

TEST_CASE("what a mapping brings to a received mesh is not written there directly, too") {
  for (const Deal& deal : deals(2)) {
    const Table table = run(declared_twice(), {{"A", write_mapped}, {"B", read_mapped}}, deal);
    CHECK(sums(table, "direct")[0] == 2 * 2);
  }
}
