// SPDX-License-Identifier: BSD-3-Clause
// Meshes in awkward places and numbers, and the three ways to find partners.
#include "participant/fields.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace couple;

namespace {

/// A run of A and B with all mappings between these surfaces.
Fields all_between(const Surface& of_a, const Surface& of_b) {
  Fields fields;
  fields.scenario.schemes = {{"A", "B", "parallel-explicit", 1, 0, 1}};
  fields.profile = waves;
  add_all_mappings(fields, of_a, of_b);
  return fields;
}

struct Pair {
  std::string name;
  Surface a;
  Surface b;
};

/// Points of an integer grid, moved.
Surface grid(int n, double shift) {
  std::vector<double> coordinates;
  for (int i = 0; i < n * n; ++i) {
    coordinates.insert(coordinates.end(), {i % n + shift, i / n + shift});
  }
  return cloud(2, coordinates);
}

/// A sheet and far from its edge one island more, of one small element.
Surface with_outlier(Surface surface, double distance) {
  const int first = surface.num_vertices();
  const int island = surface.island_of.back() + 1;
  for (int k = 0; k < surface.dimensions; ++k) {
    for (int axis = 0; axis < surface.dimensions; ++axis) {
      surface.coordinates.push_back(distance + (axis == k ? 1e-3 : 0.0));
    }
    surface.corners.push_back(first + k);
  }
  surface.island_of.push_back(island);
  return surface;
}

Surface line(std::initializer_list<double> x) {
  std::vector<double> coordinates;
  for (const double place : x) {
    coordinates.insert(coordinates.end(), {place, 0.0});
  }
  return cloud(2, coordinates);
}

const std::vector<Pair> pairs{
    {"ties", grid(6, 0), grid(5, 0.5)},
    {"the same places", grid(4, 0), grid(4, 0)},
    {"one vertex each", line({0.3}), line({0.9})},
    {"one vertex of one side", line({0.3}), grid(4, 0)},
    {"fewer vertices than ranks", line({0.1, 0.7}), line({0.2, 0.3, 0.6})},
    {"both ends of a line", line({1e-9, 1.1e-9, 1.2e-9}), line({0.1, 0.7, 1.0 / 3})},
    {"as far as can be", line({0.03}), line({1.62, 1})},
    {"no spacing", line({1, 1.0 + 1e-12, 1.0 + 2e-12, 1.0 + 3e-12}), line({1, 3})},
    {"far outliers in 2D", with_outlier(islands(2, 6, 5, 1), 7), islands(2, 5, 4, 2)},
    {"far outliers in 3D", with_outlier(islands(3, 3, 3, 1), 5),
     with_outlier(islands(3, 2, 4, 2), -9)},
    {"hardly any overlap", line({0, 0.1, 0.2, 0.3, 0.4}), line({0.7, 0.71, 0.72, 0.8, 0.9})},
};

} // namespace

TEST_CASE("awkward meshes give the same bits however they are dealt") {
  for (const Pair& pair : pairs) {
    Fields fields = all_between(pair.a, pair.b);
    const Outcome serial = exchange_fields(fields, couple::serial(2));
    for (const Deal& deal : deals(2)) {
      for (const auto& [of_a, of_b] : all_orders(deal != couple::serial(2))) {
        CAPTURE(pair.name);
        CAPTURE(of_a);
        CAPTURE(of_b);
        fields.splits = {{"A", {of_a}}, {"B", {of_b}}};
        const Outcome outcome = exchange_fields(fields, deal);
        CHECK(outcome.all_errors() == "");
        CHECK(difference(starting(outcome.table, "read"), starting(serial.table, "read")) == "");
      }
    }
  }
}

TEST_CASE("all ways to find partners lead to the same plan") {
  Fields fields = all_between(with_outlier(islands(3, 5, 3, 1), 3), islands(3, 4, 3, 2));
  for (const Deal& deal : deals(2)) {
    for (const Split::Order order : {Split::block, Split::random}) {
      fields.splits = {{"A", {Split::strips}}, {"B", {order}}};
      fields.scenario.initialization = "rendezvous";
      const Outcome first = exchange_fields(fields, deal);
      for (const std::string other : {"two-level", "one-level"}) {
        CAPTURE(other);
        fields.scenario.initialization = other;
        const Outcome outcome = exchange_fields(fields, deal);
        CHECK(outcome.all_errors() == "");
        CHECK(difference(outcome.table, first.table) == ""); // results and traffic
      }
    }
  }
}

TEST_CASE("meshes without any vertex and meshes far apart are errors on both sides") {
  struct Wrong {
    std::string name;
    Surface a;
    Surface b;
    std::vector<std::string> words;
  };
  const Surface here = islands(2, 3, 4, 1);
  Surface there = here;
  for (double& x : there.coordinates) {
    x += 100;
  }
  const std::vector<Wrong> wrong{
      {"no vertex on A", cloud(2, {}), here, {"\"A\"", "no vertices", "on any rank", "\"A-Mesh"}},
      {"no vertex on B", here, cloud(2, {}), {"\"B\"", "no vertices", "on any rank", "\"B-Mesh"}},
      {"far apart", here, there, {"do not overlap", "\"A-Mesh", "\"B-Mesh", "units"}},
  };
  for (const Wrong& one : wrong) {
    for (const Deal& deal : deals(2)) {
      CAPTURE(one.name);
      const Outcome outcome = exchange_fields(all_between(one.a, one.b), deal);
      for (const std::string participant : {"A", "B"}) {
        for (const std::string& word : one.words) {
          CAPTURE(outcome.errors.at(participant));
          CHECK(outcome.errors.at(participant).find(word) != std::string::npos);
        }
      }
    }
  }
}
