// SPDX-License-Identifier: BSD-3-Clause
// Nearest neighbours corrected by gradients reproduce linear fields wherever the vertices are.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "ranks.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <random>

using namespace couple;

namespace {

/// A writes S, V and W; B reads S a second time on a mesh of its own, by nearest neighbours.
Scenario linear_run(const std::string& mapping, const std::string& options = "") {
  const Flow s{.from = "A",
               .to = "B",
               .data = "S",
               .mapping = {.kind = mapping, .options = options},
               .initialize = true};
  Flow plain = s;
  plain.mapping.kind = "nearest-neighbor";
  plain.mapping.options = "";
  plain.meshes.own = "B-Nearest";
  Flow v = s;
  v.data = "V";
  v.vector = true;
  Flow w = v;
  w.data = "W";
  w.mapping.direction = "write";
  Scenario scenario{{{.first = "A", .second = "B", .max_windows = 2}}, {s, v, w, plain}};
  scenario.experimental = true;
  scenario.inside["A"] = R"(<watch-point mesh="A-Mesh" name="Corner" coordinate="0; 0" />)";
  return scenario;
}

std::string xml(const std::string& mapping, const std::string& options = "") {
  return linear_run(mapping, options).xml();
}

/// This rank's share of so many random points.
std::vector<double> points(const Seat& seat, int total, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0, 1);
  std::vector<double> coordinates;
  for (int i = 0; i < total; ++i) {
    const double x = place(random);
    const double y = place(random);
    if (i % seat.launch.size == seat.launch.rank) {
      coordinates.insert(coordinates.end(), {x, y});
    }
  }
  return coordinates;
}

/// Component c of a linear field, and its derivatives.
double linear(double x, double y, int c) {
  return 3 + c + (2 - c) * x - (1 + 4 * c) * y;
}

std::vector<double> gradients(std::size_t count, int components) {
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i) {
    for (int c = 0; c < components; ++c) {
      result.insert(result.end(), {2.0 - c, -(1.0 + 4 * c)});
    }
  }
  return result;
}

void write_all(isthmus::Participant& a, const std::vector<int>& ids,
               const std::vector<double>& places) {
  for (const std::string data : {"S", "V", "W"}) {
    const int components = a.data_dimensions("A-Mesh", data);
    std::vector<double> values;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      for (int c = 0; c < components; ++c) {
        values.push_back(linear(places[2 * i], places[2 * i + 1], c));
      }
    }
    CHECK(a.requires_gradient_data_for("A-Mesh", data));
    a.write_data("A-Mesh", data, ids, values);
    a.write_gradient_data("A-Mesh", data, ids, gradients(ids.size(), components));
  }
}

void play_a(const Seat& seat) {
  isthmus::Participant a = seat.make();
  const std::vector<double> places = points(seat, 40, 1);
  std::vector<int> ids(places.size() / 2);
  a.set_mesh_vertices("A-Mesh", places, ids);
  CHECK(a.requires_initial_data());
  write_all(a, ids, places);
  a.initialize();
  while (a.is_coupling_ongoing()) {
    write_all(a, ids, places);
    a.advance(1);
  }
}

/// The same with initial data of each vertex before the next one comes.
void grow_a(const Seat& seat) {
  isthmus::Participant a = seat.make();
  const std::vector<double> places = points(seat, 40, 1);
  std::vector<int> ids;
  CHECK(a.requires_initial_data());
  for (std::size_t i = 0; 2 * i < places.size(); ++i) {
    const std::vector<double> place{places[2 * i], places[2 * i + 1]};
    ids.push_back(a.set_mesh_vertex("A-Mesh", place));
    write_all(a, {ids.back()}, place);
  }
  a.initialize();
  while (a.is_coupling_ongoing()) {
    write_all(a, ids, places);
    a.advance(1);
  }
}

void play_b(const Seat& seat) {
  isthmus::Participant b = seat.make();
  const std::vector<double> places = points(seat, 30, 2);
  std::vector<int> ids(places.size() / 2);
  std::vector<int> others(ids.size());
  b.set_mesh_vertices("B-Mesh", places, ids);
  b.set_mesh_vertices("B-Nearest", places, others);
  CHECK(!b.requires_gradient_data_for("B-Mesh", "S"));
  b.initialize();
  const auto check = [&] {
    for (const std::string data : {"S", "V", "W"}) {
      const int components = b.data_dimensions("B-Mesh", data);
      std::vector<double> values(ids.size() * static_cast<std::size_t>(components));
      b.read_data("B-Mesh", data, ids, 0, values);
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::size_t i = k / static_cast<std::size_t>(components);
        const double exact =
            linear(places[2 * i], places[2 * i + 1], static_cast<int>(k) % components);
        CAPTURE(data);
        CHECK(std::abs(values[k] - exact) < 1e-12);
      }
    }
    std::vector<double> nearest(ids.size()); // the same data without its gradient
    b.read_data("B-Nearest", "S", others, 0, nearest);
    for (std::size_t i = 0; i < nearest.size(); ++i) {
      const double exact = linear(places[2 * i], places[2 * i + 1], 0);
      CHECK(std::abs(nearest[i] - exact) < 1.0);
      seat.put("error of nearest", static_cast<int>(i), {std::abs(nearest[i] - exact)});
    }
  };
  check();
  while (b.is_coupling_ongoing()) {
    b.advance(1);
    check();
  }
}

} // namespace

TEST_CASE("gradients make nearest neighbours exact for linear fields") {
  std::vector<Deal> all = deals(2);
  all.push_back(in_threads);
  for (const Deal& deal : all) {
    const Outcome outcome =
        play(xml("nearest-neighbor-gradient"), {{"A", play_a}, {"B", play_b}}, deal);
    CHECK(outcome.all_errors() == "");
    double largest = 0;
    for (const auto& [vertex, values] : outcome.table.at("error of nearest")) {
      largest = std::max(largest, values[0]);
    }
    CHECK(largest > 1e-3); // without gradients they are not
  }
}

TEST_CASE("exports show gradients under the names of preCICE" * on_ranks(1, 1)) {
  const WorkingDirectory here;
  for (const std::string format : {"vtk", "csv"}) {
    Scenario scenario = linear_run("nearest-neighbor-gradient");
    for (const std::string name : {"A", "B"}) {
      scenario.inside[name] += fmt::format("<export:{} directory=\".\" />", format);
    }
    CHECK(play(scenario.xml(), {{"A", play_a}, {"B", play_b}}, in_threads).all_errors() == "");
    for (const std::string file :
         {"A-Mesh-A.init", "A-Mesh-A.dt2", "A-Mesh-B.init", "A-Mesh-B.dt2"}) {
      const std::string shown = isthmus::content(file + "." + format);
      const auto has_all = [&](const std::string& name, const std::string& vector) {
        std::string wanted = fmt::format("VECTORS {} double\n", name);
        for (int i = 0; i < 40; ++i) {
          wanted += vector + "\n";
        }
        return shown.find(wanted) != std::string::npos;
      };
      CAPTURE(file);
      if (format == "vtk") {
        CHECK(has_all("S_gradient", "2 -1 0"));
        CHECK(has_all("V_dx", "2 1 0"));
        CHECK(has_all("V_dy", "-1 -5 0"));
        CHECK(shown.find("V_dz") == std::string::npos);
      } else {
        CHECK(!shown.empty());
        CHECK(shown.find("gradient") == std::string::npos);
      }
    }
  }
}

TEST_CASE("gradients may be written between the vertices that they belong to") {
  for (const Deal& deal : deals(2)) {
    const Outcome outcome =
        play(xml("nearest-neighbor-gradient"), {{"A", grow_a}, {"B", play_b}}, deal);
    CHECK(outcome.all_errors() == "");
  }
}

namespace {

/// B maps S with its gradients, and has access to it, directly and just in time.
void look_at_a(const Seat& seat) {
  isthmus::Participant b = seat.make();
  b.set_mesh_access_region("A-Mesh", std::vector<double>{-1, 2, -1, 2});
  const std::vector<double> places = points(seat, 30, 2);
  std::vector<int> own(places.size() / 2);
  b.set_mesh_vertices("B-Mesh", places, own);
  b.initialize();
  std::vector<int> ids(static_cast<std::size_t>(b.mesh_vertex_size("A-Mesh")));
  CHECK(ids.size() == 40);
  std::vector<double> vertices(2 * ids.size());
  b.mesh_vertex_ids_and_coordinates("A-Mesh", ids, vertices);
  while (b.is_coupling_ongoing()) {
    std::vector<double> direct(ids.size());
    std::vector<double> nearest(ids.size());
    std::vector<double> mapped(own.size());
    b.read_data("A-Mesh", "S", ids, 0, direct);
    b.map_and_read_data("A-Mesh", "S", vertices, 0, nearest);
    b.read_data("B-Mesh", "S", own, 0, mapped);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      CHECK(direct[i] == linear(vertices[2 * i], vertices[2 * i + 1], 0));
      CHECK(nearest[i] == direct[i]);
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      CHECK(std::abs(mapped[i] - linear(places[2 * i], places[2 * i + 1], 0)) < 1e-12);
    }
    b.advance(1);
  }
  b.finalize();
}

} // namespace

TEST_CASE("data with gradients are accessed directly and just in time beside their mapping") {
  const Flow s{.from = "A",
               .to = "B",
               .data = "S",
               .mapping = {.kind = "nearest-neighbor-gradient"},
               .initialize = true};
  Flow accessed = s;
  accessed.mapping.kind = "";
  Scenario scenario{{{.first = "A", .second = "B", .max_windows = 2}}, {s, accessed}};
  scenario.experimental = true;
  scenario.inside["B"] =
      R"(<mapping:nearest-neighbor direction="read" from="A-Mesh" constraint="consistent"/>)";
  const auto write_s = [](const Seat& seat) {
    isthmus::Participant a = seat.make();
    const std::vector<double> places = points(seat, 40, 1);
    std::vector<int> ids(places.size() / 2);
    a.set_mesh_vertices("A-Mesh", places, ids);
    CHECK(a.requires_initial_data());
    std::vector<double> values;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      values.push_back(linear(places[2 * i], places[2 * i + 1], 0));
    }
    const auto write = [&] {
      a.write_data("A-Mesh", "S", ids, values);
      a.write_gradient_data("A-Mesh", "S", ids, gradients(ids.size(), 1));
    };
    write();
    a.initialize();
    while (a.is_coupling_ongoing()) {
      write();
      a.advance(1);
    }
    a.finalize();
  };
  for (const Deal& deal : deals(2)) {
    static_cast<void>(run(scenario.xml(), {{"A", write_s}, {"B", look_at_a}}, deal));
  }
}

TEST_CASE("an automatic mapping takes gradients if it is told of them and finds no elements") {
  const std::string chosen = xml("auto", R"(gradients="true")");
  for (const Deal& deal : deals(2)) {
    CHECK(play(chosen, {{"A", play_a}, {"B", play_b}}, deal).all_errors() == "");
  }
}

TEST_CASE("gradients of a wrong size or of data that is not written are refused" * on_ranks(1, 1)) {
  const auto error_of = [](const std::function<void(isthmus::Participant&)>& misuse) {
    const ShortTimeout timeout;
    const auto wrong = [&misuse](const Seat& seat) {
      isthmus::Participant a = seat.make();
      std::vector<int> id(1);
      a.set_mesh_vertices("A-Mesh", std::vector<double>{0, 0}, id);
      misuse(a);
    };
    return play(xml("nearest-neighbor-gradient"), {{"A", wrong}, {"B", play_b}}, in_threads)
        .errors["A"];
  };
  const std::vector<int> id{0};
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(contains(
      error_of([&](auto& a) {
        a.write_gradient_data("A-Mesh", "V", id, std::vector<double>{1, 2, 3});
      }),
      "has 4 components, so 1 vertex ids need 4 values; the size of the given values is 3"));
  CHECK(contains(error_of([&](auto& a) {
                   a.write_gradient_data("A-Mesh", "S", id, std::vector<double>{1, NAN});
                 }),
                 "the gradient written for vertex id 0 is nan"));
  CHECK(contains(
      error_of([&](auto& a) {
        a.write_gradient_data("A-Mesh", "S", std::vector<int>{4}, std::vector<double>{1, 1});
      }),
      "vertex id 4 of mesh \"A-Mesh\" is invalid"));
}
