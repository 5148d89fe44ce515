// SPDX-License-Identifier: BSD-3-Clause
// Nearest neighbours corrected by gradients reproduce linear fields wherever the vertices are.
#include "participant/couple.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace couple;

namespace {

const std::string xml = R"(<precice-configuration experimental="true">
  <data:scalar name="S" /> <data:vector name="V" /> <data:vector name="W" />
  <mesh name="MA" dimensions="2"> <use-data name="S" /> <use-data name="V" /> <use-data name="W" /> </mesh>
  <mesh name="MB" dimensions="2"> <use-data name="S" /> <use-data name="V" /> <use-data name="W" /> </mesh>
  <mesh name="MN" dimensions="2"> <use-data name="S" /> </mesh>
  <participant name="A">
    <provide-mesh name="MA" /> <receive-mesh name="MB" from="B" />
    <write-data name="S" mesh="MA" /> <write-data name="V" mesh="MA" /> <write-data name="W" mesh="MA" />
    <mapping:nearest-neighbor-gradient direction="write" from="MA" to="MB" constraint="consistent" />
    <watch-point mesh="MA" name="Corner" coordinate="0; 0" />
  </participant>
  <participant name="B">
    <provide-mesh name="MB" /> <provide-mesh name="MN" /> <receive-mesh name="MA" from="A" />
    <read-data name="S" mesh="MB" /> <read-data name="V" mesh="MB" /> <read-data name="S" mesh="MN" />
    <read-data name="W" mesh="MB" />
    <mapping:nearest-neighbor-gradient direction="read" from="MA" to="MB" constraint="consistent" />
    <mapping:nearest-neighbor direction="read" from="MA" to="MN" constraint="consistent" />
  </participant>
  <m2n:sockets acceptor="A" connector="B" exchange-directory="{directory}" />
  <coupling-scheme:parallel-explicit>
    <participants first="A" second="B" /> <max-time-windows value="2" /> <time-window-size value="1" />
    <exchange data="S" mesh="MA" from="A" to="B" initialize="true" />
    <exchange data="V" mesh="MA" from="A" to="B" initialize="true" />
    <exchange data="W" mesh="MB" from="A" to="B" initialize="true" />
  </coupling-scheme:parallel-explicit>
</precice-configuration>)";

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
    const int components = a.data_dimensions("MA", data);
    std::vector<double> values;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      for (int c = 0; c < components; ++c) {
        values.push_back(linear(places[2 * i], places[2 * i + 1], c));
      }
    }
    CHECK(a.requires_gradient_data_for("MA", data));
    a.write_data("MA", data, ids, values);
    a.write_gradient_data("MA", data, ids, gradients(ids.size(), components));
  }
}

void play_a(const Seat& seat) {
  isthmus::Participant a = seat.make();
  const std::vector<double> places = points(seat, 40, 1);
  std::vector<int> ids(places.size() / 2);
  a.set_mesh_vertices("MA", places, ids);
  CHECK(a.requires_initial_data());
  write_all(a, ids, places);
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
  b.set_mesh_vertices("MB", places, ids);
  b.set_mesh_vertices("MN", places, others);
  CHECK(!b.requires_gradient_data_for("MB", "S"));
  b.initialize();
  const auto check = [&] {
    for (const std::string data : {"S", "V", "W"}) {
      const int components = b.data_dimensions("MB", data);
      std::vector<double> values(ids.size() * static_cast<std::size_t>(components));
      b.read_data("MB", data, ids, 0, values);
      for (std::size_t k = 0; k < values.size(); ++k) {
        const std::size_t i = k / static_cast<std::size_t>(components);
        const double exact =
            linear(places[2 * i], places[2 * i + 1], static_cast<int>(k) % components);
        CAPTURE(data);
        CHECK(std::abs(values[k] - exact) < 1e-12);
      }
    }
    std::vector<double> nearest(ids.size()); // the same data without its gradient
    b.read_data("MN", "S", others, 0, nearest);
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
    const Outcome outcome = play(xml, {{"A", play_a}, {"B", play_b}}, deal);
    CHECK(outcome.all_errors() == "");
    double largest = 0;
    for (const auto& [vertex, values] : outcome.table.at("error of nearest")) {
      largest = std::max(largest, values[0]);
    }
    CHECK(largest > 1e-3); // without gradients they are not
  }
}

TEST_CASE("an automatic mapping takes gradients if it is told of them and finds no elements") {
  std::string chosen = xml;
  const std::string asked = "mapping:nearest-neighbor-gradient";
  for (std::size_t at = 0; (at = chosen.find(asked)) != std::string::npos;) {
    chosen.replace(at, asked.size(), "mapping:auto gradients=\"true\"");
  }
  for (const Deal& deal : deals(2)) {
    CHECK(play(chosen, {{"A", play_a}, {"B", play_b}}, deal).all_errors() == "");
  }
}

TEST_CASE("gradients of a wrong size or of data that is not written are refused") {
  const auto error_of = [](const std::function<void(isthmus::Participant&)>& misuse) {
    const ShortTimeout timeout;
    const auto wrong = [&misuse](const Seat& seat) {
      isthmus::Participant a = seat.make();
      std::vector<int> id(1);
      a.set_mesh_vertices("MA", std::vector<double>{0, 0}, id);
      misuse(a);
    };
    return play(xml, {{"A", wrong}, {"B", play_b}}, in_threads).errors["A"];
  };
  const std::vector<int> id{0};
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(contains(
      error_of([&](auto& a) {
        a.write_gradient_data("MA", "V", id, std::vector<double>{1, 2, 3});
      }),
      "has 4 components, so 1 vertex ids need 4 values; the size of the given values is 3"));
  CHECK(contains(error_of([&](auto& a) {
                   a.write_gradient_data("MA", "S", id, std::vector<double>{1, NAN});
                 }),
                 "the gradient written for vertex id 0 is nan"));
  CHECK(contains(error_of([&](auto& a) {
                   a.write_gradient_data("MA", "S", std::vector<int>{4}, std::vector<double>{1, 1});
                 }),
                 "vertex id 4 of mesh \"MA\" is invalid"));
}
