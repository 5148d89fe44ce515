// SPDX-License-Identifier: BSD-3-Clause
// Attributes of mappings change what is mapped (attributes_test.cpp says why).
#include "participant/setup/attributes.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace couple;

namespace {

/// Places without two equal coordinates on any axis (van der Corput).
double place(int number, int base) {
  double fraction = 1;
  double value = 0;
  for (int n = number + 1; n > 0; n /= base) {
    fraction /= base;
    value += fraction * (n % base);
  }
  return value;
}

std::vector<double> cloud(int count, int first) {
  std::vector<double> places;
  for (int i = first; i < first + count; ++i) {
    places.insert(places.end(), {place(i, 2), place(i, 3), place(i, 5)});
  }
  return places;
}

/// One window of a parallel scheme: what B reads through the mapping. `cells`: A has one of its
/// first vertices.
History mapped(const std::string& mapping, const std::string& kind = "scalar", bool cells = false) {
  Scenario scenario{{{.first = "A", .second = "B", .max_windows = 1}},
                    {{.from = "A",
                      .to = "B",
                      .data = "V",
                      .vector = kind == "vector",
                      .mapping = {.element = mapping},
                      .meshes = {.dimensions = 3}}}};
  scenario.experimental = true;
  const std::string xml = scenario.xml();
  const auto play = [&](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    const bool is_a = seat.participant == "A";
    const std::vector<double> places = is_a ? cloud(60, 0) : cloud(20, 400);
    std::vector<int> ids(places.size() / 3);
    participant.set_mesh_vertices(is_a ? "A-Mesh" : "B-Mesh", places, ids);
    if (is_a && cells) {
      participant.set_mesh_tetrahedra("A-Mesh", std::array{ids[0], ids[1], ids[2], ids[3]});
    }
    participant.initialize();
    std::vector<double> values;
    const std::size_t width = kind == "vector" ? 3 : 1;
    for (std::size_t i = 0; i < ids.size() * width; ++i) {
      const double* at = &places[i / width * 3];
      values.push_back(std::sin(4 * at[0]) + std::cos(5 * at[1] + static_cast<double>(i % width)) +
                       at[2]);
    }
    if (is_a) {
      participant.write_data("A-Mesh", "V", ids, values);
    }
    participant.advance(1);
    if (!is_a) {
      participant.read_data("B-Mesh", "V", ids, 0, values);
      seat.put("read", 0, values);
    }
    participant.finalize();
  };
  const Table reported = run(xml, {{"A", play}, {"B", play}}, in_threads);
  return reported.at("read").begin()->second;
}

} // namespace

TEST_CASE("every attribute of a radial basis mapping changes what is mapped" * on_ranks(1, 1)) {
  const std::string common =
      R"(direction="read" from="A-Mesh" to="B-Mesh" constraint="consistent" )";
  for (const std::string kind : {"rbf-global-direct", "rbf-global-iterative", "rbf"}) {
    const std::string polynomial = kind == "rbf" ? "" : R"(polynomial="separate" )";
    const std::string text = fmt::format(
        R"(<mapping:{0} {1}{2}x-dead="false" y-dead="false" z-dead="false">)"
        R"(<basis-function:compact-polynomial-c4 support-radius="0.9" /></mapping:{0}>)",
        kind, common, polynomial);
    std::vector<Change> changes{{"x-dead=\"false\"", "x-dead=\"true\""},
                                {"y-dead=\"false\"", "y-dead=\"true\""},
                                {"z-dead=\"false\"", "z-dead=\"true\""},
                                {"radius=\"0.9\"", "radius=\"1.3\""}};
    if (kind != "rbf") {
      changes.push_back({"\"separate\"", "\"off\""});
    }
    CAPTURE(kind);
    check_changes(text, changes, [](const auto& mapping) { return mapped(mapping); });
  }
  const std::string clusters =
      fmt::format(R"(<mapping:rbf-pum-direct {}polynomial="separate" vertices-per-cluster="10" )"
                  R"(relative-overlap="0.3" project-to-input="true">)"
                  R"(<basis-function:compact-polynomial-c4 support-radius="0.9" />)"
                  R"(</mapping:rbf-pum-direct>)",
                  common);
  check_changes(clusters,
                {{"\"separate\"", "\"off\""},
                 {"cluster=\"10\"", "cluster=\"30\""},
                 {"overlap=\"0.3\"", "overlap=\"0.6\""},
                 {"input=\"true\"", "input=\"false\""}},
                [](const auto& mapping) { return mapped(mapping); });
}

TEST_CASE("every basis function and its parameter change what is mapped" * on_ranks(1, 1)) {
  const auto text = [](const std::string& function) {
    return R"(<mapping:rbf-global-direct direction="read" from="A-Mesh" to="B-Mesh" constraint="consistent">)"
           "<basis-function:" +
           function + " /></mapping:rbf-global-direct>";
  };
  std::vector<History> all;
  for (const std::string function :
       {"compact-polynomial-c0", "compact-polynomial-c2", "compact-polynomial-c4",
        "compact-polynomial-c6", "compact-polynomial-c8", "compact-tps-c2", "gaussian"}) {
    const std::string one = text(function + " support-radius=\"0.9\"");
    check_changes(one, {{"0.9", "1.1"}}, [](const auto& mapping) { return mapped(mapping); });
    all.push_back(mapped(one));
  }
  for (const std::string function : {"multiquadrics", "inverse-multiquadrics", "gaussian"}) {
    const std::string one = text(function + " shape-parameter=\"3\"");
    check_changes(one, {{"\"3\"", "\"4\""}}, [](const auto& mapping) { return mapped(mapping); });
    all.push_back(mapped(one));
  }
  all.push_back(mapped(text("thin-plate-splines")));
  all.push_back(mapped(text("volume-splines")));
  std::sort(all.begin(), all.end());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}

TEST_CASE("attributes of joined scales and of coarse graining change what is mapped" *
          on_ranks(1, 1)) {
  const auto vectors = [](const std::string& mapping) { return mapped(mapping, "vector"); };
  const std::string common =
      R"(direction="read" from="A-Mesh" to="B-Mesh" constraint="consistent" )";
  check_changes("<mapping:axial-geometric-multiscale " + common +
                    R"(multiscale-dimension="1d-3d" multiscale-type="spread" )"
                    R"(multiscale-axis="x" multiscale-radius="9" )"
                    R"(multiscale-cross-section-profile="parabolic" )"
                    R"(multiscale-cross-section="circle" />)",
                {{"1d-3d", "1d-2d"},
                 {"1d-3d", "2d-3d"},
                 {"spread", "collect"},
                 {"axis=\"x\"", "axis=\"y\""},
                 {"radius=\"9\"", "radius=\"19\""},
                 {"parabolic", "uniform"},
                 {"circle", "square"}},
                vectors);
  check_changes("<mapping:radial-geometric-multiscale " + common +
                    R"(multiscale-type="spread" multiscale-axis="x" multiscale-radius="9" />)",
                {{"spread", "collect"}, {"axis=\"x\"", "axis=\"y\""}}, vectors);
  check_changes(R"(<mapping:coarse-graining direction="read" from="A-Mesh" to="B-Mesh" )"
                R"(constraint="conservative" radius="0.4" />)",
                {{"0.4", "0.6"}}, vectors);
}

TEST_CASE(
    "a projection goes to the closest place or to preCICE's candidates, as the attribute says" *
    on_ranks(1, 1)) {
  const std::string common =
      R"(direction="read" from="A-Mesh" to="B-Mesh" constraint="consistent" )";
  const auto tetrahedra = [](const std::string& mapping) {
    return mapped(mapping, "scalar", true);
  };
  check_changes("<mapping:nearest-projection " + common + R"(search="candidates" />)",
                {{"candidates", "closest"}}, tetrahedra);
}

TEST_CASE("what lies outside of cells is mapped as the attribute says" * on_ranks(1, 1)) {
  const std::string common =
      R"(direction="read" from="A-Mesh" to="B-Mesh" constraint="consistent" )";
  const auto tetrahedra = [](const std::string& mapping) {
    return mapped(mapping, "scalar", true);
  };
  check_changes("<mapping:linear-cell-interpolation " + common + R"(outside="candidates" />)",
                {{"candidates", "closest"}}, tetrahedra);
}

namespace {

/// What remains of the equations of a mapping from a grid to the same grid, which gives the values
/// back but for that, relative to them. `attributes` are those of an iterative mapping without
/// polynomial.
double residual(const std::string& attributes, const Deal& deal) {
  constexpr int side = 16;
  Scenario scenario{{{.first = "A", .second = "B", .max_windows = 1}},
                    {{.from = "A",
                      .to = "B",
                      .data = "T",
                      .mapping = {.kind = "rbf-global-iterative",
                                  .basis = "compact-polynomial-c4 support-radius=\"2.5\"",
                                  .options = "polynomial=\"off\" " + attributes}}}};
  const auto value = [](int i) { return std::sin(1.7 * i) + 0.01 * i; };
  const auto play = [&](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    const std::string mesh = seat.participant + "-Mesh";
    std::vector<int> ids;
    std::vector<double> values;
    for (int i = seat.launch.rank; i < side * side; i += seat.launch.size) {
      const std::vector<double> place{1.0 * (i % side), 1.0 * (i / side)};
      ids.push_back(participant.set_mesh_vertex(mesh, place));
      values.push_back(value(i));
    }
    participant.initialize();
    if (seat.participant == "A") {
      participant.write_data(mesh, "T", ids, values);
    }
    participant.advance(1);
    if (seat.participant == "B") {
      std::vector<double> read(values.size());
      participant.read_data(mesh, "T", ids, 0, read);
      double square = 0;
      double of_values = 0;
      for (std::size_t i = 0; i < read.size(); ++i) {
        square += (read[i] - values[i]) * (read[i] - values[i]);
        of_values += values[i] * values[i];
      }
      seat.put("sums", seat.launch.rank, {square, of_values});
    }
    participant.finalize();
  };
  const auto both = sums(run(scenario.xml(), {{"A", play}, {"B", play}}, deal), "sums");
  return std::sqrt(both[0] / both[1]);
}

} // namespace

TEST_CASE("an iterative mapping solves its equations to solver-rtol, on any ranks") {
  for (const Deal& deal : deals(2)) {
    const double coarse = residual("solver-rtol=\"1e-2\"", deal);
    const double fine = residual("solver-rtol=\"1e-12\"", deal);
    const double usual = residual("", deal);
    CAPTURE(coarse);
    CAPTURE(usual);
    CAPTURE(fine);
    CHECK(coarse <= 1e-2);
    CHECK(usual <= 1e-9);
    CHECK(fine <= 1e-12);
    if (!deal.empty() && deal[1] > 1) { // a single rank solves at once
      CHECK(coarse > 1e-6);
      CHECK(usual > 1e-13);
      CHECK(usual < 1e-3 * coarse);
    }
  }
}
