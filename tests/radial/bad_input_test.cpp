// SPDX-License-Identifier: BSD-3-Clause
// What each mapping does with meshes that nobody wants.
#include "isthmus/base/log.hpp"
#include "isthmus/mapping/multiscale.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/clusters/partition_of_unity.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::mapping;
using isthmus::mesh::Mesh;
using Kind = radial::RadialFunction::Kind;

namespace {

using Make = std::function<std::unique_ptr<Mapping>(const Mesh&)>;

Make global(Kind kind, double radius,
            radial::Polynomial polynomial = radial::Polynomial::separate) {
  return [=](const Mesh& mesh) {
    return radial::make_global_radial_basis(mesh, {{kind, radius}, polynomial, {}, "here"});
  };
}

Make clustered(Kind kind, double radius, int vertices) {
  return [=](const Mesh& mesh) {
    return radial::make_partition_of_unity(
        mesh, {{kind, radius}, radial::Polynomial::separate, {}, "here"}, {vertices, 0.15, true});
  };
}

const std::map<std::string, Make> mappings = {
    {"nearest-neighbor", [](const Mesh& mesh) { return make_nearest_neighbor(mesh); }},
    {"nearest-projection", [](const Mesh& mesh) { return make_nearest_projection(mesh); }},
    {"linear-cell", [](const Mesh& mesh) { return make_linear_cell(mesh); }},
    {"coarse-graining",
     [](const Mesh& mesh) { return make_coarse_graining(mesh, 0.4, Grain::average); }},
    {"radial collect",
     [](const Mesh& mesh) {
       MultiscaleSettings settings;
       settings.join = MultiscaleSettings::Join::radial;
       settings.type = MultiscaleSettings::Type::collect;
       return make_geometric_multiscale(mesh, settings);
     }},
    {"global", global(Kind::compact_polynomial_c6, 0.5)},
    {"global, splines", global(Kind::thin_plate_splines, 1)},
    {"global, tiny support", global(Kind::compact_polynomial_c6, 1e-9)},
    {"global, enormous support", global(Kind::compact_polynomial_c6, 1e9)},
    {"global, enormous support, rough", global(Kind::compact_polynomial_c0, 1e3)},
    {"clusters", clustered(Kind::compact_polynomial_c4, 0.5, 20)},
    {"clusters of one", clustered(Kind::compact_polynomial_c4, 0.5, 1)},
    {"clusters, splines", clustered(Kind::thin_plate_splines, 1, 20)},
    {"clusters, enormous support", clustered(Kind::compact_polynomial_c6, 1e9, 20)},
    {"clusters of two, tiny support", clustered(Kind::compact_polynomial_c4, 1e-9, 2)}};

/// 64 points whose coordinates are made from three digits of a number.
Mesh cloud(const std::function<std::vector<double>(double, double, double)>& place) {
  Mesh mesh("Cloud", 3);
  for (int i = 0; i < 64; ++i) {
    mesh.add_vertices(place(0.3 * (i % 4), 0.31 * (i / 4 % 4), 0.29 * (i / 16)));
  }
  return mesh;
}

Mesh duplicates() {
  Mesh mesh = cloud([](double x, double y, double z) { return std::vector{x, y, z}; });
  mesh.add_vertices(std::vector{0.3, 0.31, 0.29});
  return mesh;
}

std::map<std::string, Mesh> clouds() {
  Mesh single("Single", 3);
  single.add_vertices(std::vector{0.2, 0.3, 0.4});
  Mesh pair("Pair", 3);
  pair.add_vertices(std::vector{0.2, 0.3, 0.4, 0.5, 0.3, 0.4});
  return {{"usual", cloud([](double x, double y, double z) {
             return std::vector{x, y, z};
           })},
          {"duplicates", duplicates()},
          {"plane", cloud([](double x, double y, double z) {
             return std::vector{x + 0.25 * z, y + 0.26 * z, 0.0};
           })},
          {"tilted plane", cloud([](double x, double y, double z) {
             return std::vector{x + 0.25 * z, y + 0.26 * z, x + 0.25 * z};
           })},
          {"line", cloud([](double x, double y, double z) {
             return std::vector{x + 4 * y + 17 * z, 0.0, 0.0};
           })},
          {"far away", cloud([](double x, double y, double z) {
             return std::vector{1e6 + x, y, z};
           })},
          {"single", single},
          {"pair", pair},
          {"empty", Mesh("Empty", 3)}};
}

/// The beginning of the error, "nothing", or "ok" if all weights are finite and sum to one.
std::string outcome(const Make& make, const Mesh& mesh, double tolerance) {
  const std::vector<double> points{0.1, 0.2, 0.3, 0.3, 0.31, 0.29, -7.0, 8.0, 9.0};
  try {
    const Interpolation found = make(mesh)->interpolate(points);
    if (found.columns.empty()) {
      return "nothing";
    }
    std::size_t entry = 0;
    for (const auto count : found.counts) {
      double sum = 0;
      for (auto k = count; k > 0; --k) {
        sum += found.weights[entry++];
      }
      if (!(std::abs(sum - 1) < tolerance)) {
        return "a sum of " + std::to_string(sum);
      }
    }
    return "ok";
  } catch (const std::exception& error) {
    for (const char* phrase : {"two vertices at", "not positive definite", "is singular"}) {
      if (std::string(error.what()).find(phrase) != std::string::npos) {
        return phrase;
      }
    }
    return error.what();
  }
}

} // namespace

TEST_CASE("meshes that nobody wants are mapped by a rule or refused by a reason") {
  // all others are "ok"
  std::map<std::pair<std::string, std::string>, std::string> expected;
  for (const auto& [mapping, make] : mappings) {
    expected[{mapping, "empty"}] = "nothing";
    if (mapping.starts_with("global") || mapping.starts_with("clusters")) {
      expected[{mapping, "duplicates"}] = "two vertices at";
    }
  }
  for (const char* name : {"usual", "plane", "tilted plane", "line", "far away"}) {
    expected[{"global, enormous support", name}] = "not positive definite";
    expected[{"clusters, enormous support", name}] = "not positive definite";
  }
  expected[{"global, splines", "single"}] = "is singular"; // they are zero at their centers
  expected[{"clusters, splines", "single"}] = "is singular";
  for (const auto& [mapping, make] : mappings) {
    for (const auto& [name, mesh] : clouds()) {
      CAPTURE(mapping);
      CAPTURE(name);
      const auto known = expected.find({mapping, name});
      const double tolerance = name == "far away" ? 0.1 : 1e-6; // a million diameters from there
      CHECK(outcome(make, mesh, tolerance) == (known == expected.end() ? "ok" : known->second));
    }
  }
}

TEST_CASE("without a polynomial, radial functions of tiny support end near their vertices") {
  const Mesh mesh = clouds().at("usual");
  const auto mapping = global(Kind::compact_polynomial_c2, 1e-9, radial::Polynomial::off)(mesh);
  const Interpolation found =
      mapping->interpolate(std::vector<double>{0.3, 0.31, 0.29, 0.1, 0.2, 0.3});
  double sums[2] = {0, 0};
  for (std::size_t k = 0; k < found.weights.size(); ++k) {
    sums[k / 64] += found.weights[k];
  }
  CHECK(sums[0] == doctest::Approx(1));
  CHECK(sums[1] == 0);
}

TEST_CASE("what is not a number is no vertex") {
  Mesh mesh("Numbers", 3);
  for (const double bad : {std::nan(""), static_cast<double>(INFINITY)}) {
    CHECK_THROWS_WITH(mesh.add_vertices(std::vector{0.0, bad, 0.0}), doctest::Contains("Numbers"));
  }
}

TEST_CASE("clusters say where they fall back on something simpler") {
  const auto notes_of = [](const char* name, int vertices, const std::vector<double>& points) {
    std::vector<std::string> notes;
    Log log("A", 0);
    log.add_sink([&notes](const LogRecord& record) { notes.emplace_back(record.text); });
    LogOnce once(log);
    radial::RadialBasisSettings settings{
        {Kind::compact_polynomial_c2, 0.5}, radial::Polynomial::separate, {}, "here"};
    settings.log = &once;
    const Mesh mesh = clouds().at(name);
    (void)radial::make_partition_of_unity(mesh, settings, {vertices, 0.15, true})
        ->interpolate(points);
    return notes;
  };
  const std::vector<double> within{0.3, 0.3, 0.3};
  CHECK(notes_of("usual", 20, within).empty());
  CHECK(notes_of("empty", 20, within).empty());
  CHECK(notes_of("usual", 64, within) ==
        std::vector<std::string>{"here, from mesh \"Cloud\"; its 64 vertices are one cluster"});
  const auto flat = notes_of("tilted plane", 20, {0.5, 0.6, 0.5});
  REQUIRE(flat.size() == 1);
  CHECK(flat.front().find("plane") != std::string::npos);
  const auto outside = notes_of("usual", 20, {9.0, 9.0, 9.0, 0.3, 0.3, 0.3});
  REQUIRE(outside.size() == 1);
  CHECK(outside.front().find("1 points are in no cluster") != std::string::npos);
}
