// SPDX-License-Identifier: BSD-3-Clause
// Partition of unity between meshes of many clusters: ranks that get a part of the mesh that is
// searched find what one rank finds in all of it.
#include "participant/setup/fields.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace couple;

namespace {

constexpr double rounding = 1e-9;

using Place = std::array<double, 3>;

/// A cloud of vertices from places in the unit cube.
struct Body {
  std::string name;
  int dimensions;
  bool is_surface; // the third coordinate does not count
  std::function<Place(double, double, double)> place;
  bool is_flat = false; // along z, for the mapping
  bool projects = true; // middles of clusters are vertices
};

const std::vector<Body>& bodies() {
  static const std::vector<Body> all{{"square", 2, true,
                                      [](double x, double y, double) {
                                        return Place{x, 2 * y, 0};
                                      }},
                                     {"graded square", 2, true,
                                      [](double x, double y, double) {
                                        return Place{x * x * x, y, 0};
                                      }},
                                     {"cube", 3, false,
                                      [](double x, double y, double z) {
                                        return Place{x, y, z};
                                      }},
                                     {"plane in space", 3, true,
                                      [](double x, double y, double) {
                                        return Place{x, y, 0.25};
                                      }},
                                     {"graded cube", 3, false,
                                      [](double x, double y, double z) {
                                        return Place{x * (0.5 + 0.5 * x), y, z};
                                      }},
                                     {"wavy sheet", 3, true,
                                      [](double x, double y, double) {
                                        return Place{x, y, 0.2 * std::sin(5 * x) * std::cos(3 * y)};
                                      }},
                                     {"wavy sheet without projection", 3, true,
                                      [](double x, double y, double) {
                                        return Place{x, y, 0.2 * std::sin(4 * x) * std::cos(3 * y)};
                                      },
                                      false, false},
                                     {"sheets one above the other", 3, true,
                                      [](double x, double y, double) {
                                        return Place{x * x, y, std::floor(20 * x) / 4};
                                      },
                                      true}};
  return all;
}

/// Vertices in rows with a little disorder, so that none are equally near to anything.
Surface surface_of(const Body& body, int along, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(0.1, 0.9);
  std::vector<double> coordinates;
  const int above = body.is_surface ? 1 : along;
  for (int i = 0; i < along * along * above; ++i) {
    const auto part = [&](int n) { return (n % along + uniform(engine)) / along; };
    const double x = part(i);
    const double y = part(i / along);
    const Place place = body.place(x, y, part(i / along / along));
    coordinates.insert(coordinates.end(), place.begin(), place.begin() + body.dimensions);
  }
  return cloud(body.dimensions, coordinates);
}

/// Direction and constraint of mappings, by which mesh is searched.
using Ways = std::vector<std::pair<std::string, std::string>>;
const Ways of_partner{{"read", "consistent"}, {"write", "conservative"}};
const Ways of_own_mesh{{"write", "consistent"}, {"read", "conservative"}};

Fields clusters_of(const Body& body, const Profile& profile, const Ways& ways = of_partner) {
  Fields fields;
  fields.scenario.schemes = {{"A", "B", "parallel-explicit", 1, 0, 1}};
  fields.profile = profile;
  for (const std::string basis :
       {"compact-polynomial-c4 support-radius=\"0.4\"", "thin-plate-splines"}) {
    for (const auto& [direction, constraint] : ways) {
      Flow flow{"A", "B", ""};
      flow.mapping.kind = body.is_flat ? "rbf" : "rbf-pum-direct"; // which has no dead axes
      flow.mapping.basis = basis;
      flow.mapping.options = body.is_flat ? R"(z-dead="true")" : R"(vertices-per-cluster="20")";
      flow.mapping.options += body.projects ? "" : R"( project-to-input="false")";
      flow.mapping.direction = direction;
      flow.mapping.constraint = constraint;
      flow.meshes.dimensions = body.dimensions;
      flow.meshes.suffix = std::to_string(fields.scenario.flows.size());
      flow.data = "Data" + flow.meshes.suffix;
      const bool is_searched = constraint == "consistent"; // that of A
      const int many = body.is_surface ? 26 : 9;
      const int few = body.is_surface ? 17 : 7;
      fields.surfaces[flow.from_mesh()] = surface_of(body, is_searched ? many : few, 1);
      fields.surfaces[flow.to_mesh()] = surface_of(body, is_searched ? few : many, 2);
      fields.scenario.flows.push_back(flow);
    }
  }
  return fields;
}

double largest_difference(const Table& one, const Table& other) {
  REQUIRE(one.size() == other.size());
  double largest = 0;
  for (const auto& [series, rows] : one) {
    REQUIRE(rows.size() == other.at(series).size());
    for (const auto& [vertex, values] : rows) {
      const std::vector<double>& others = other.at(series).find(vertex)->second;
      for (std::size_t c = 0; c < values.size(); ++c) {
        largest = std::max(largest, std::abs(values[c] - others.at(c)));
      }
    }
  }
  return largest;
}

Table played(const Fields& fields, const Deal& deal) {
  const Outcome outcome = exchange_fields(fields, deal);
  REQUIRE(outcome.all_errors() == "");
  return outcome.table;
}

void check_dealt_clusters(const Ways& ways) {
  std::size_t turn = 0;
  for (const Body& body : bodies()) {
    CAPTURE(body.name);
    Fields fields = clusters_of(body, waves, ways);
    const Table of_one = starting(played(fields, couple::serial(2)), "read");
    for (const Flow& flow : fields.scenario.flows) {
      REQUIRE(of_one.count("read " + flow.data + "@" + flow.to_mesh()) == 1);
    }
    for (const Deal& deal : deals(2)) {
      for (int times = 0; times < (deal.empty() ? 1 : 2); ++times) {
        const auto orders = all_orders(!deal.empty());
        const Orders& order = orders[turn++ % orders.size()];
        fields.splits = {{"A", {order.first}}, {"B", {order.second}}};
        CAPTURE(order.first);
        CAPTURE(order.second);
        const Table found = played(fields, deal);
        CHECK(largest_difference(of_one, starting(found, "read")) < rounding);
        for (const Flow& flow : fields.scenario.flows) {
          if (flow.mapping.constraint == "conservative") {
            const double written = sums(found, "written " + flow.data + "@" + flow.from_mesh())[0];
            const double read = sums(found, "read " + flow.data + "@" + flow.to_mesh())[0];
            CHECK(read == doctest::Approx(written).epsilon(rounding));
          }
        }
      }
    }
  }
}

} // namespace

TEST_CASE("every cluster is the same however large meshes are dealt") {
  check_dealt_clusters(of_partner);
}

TEST_CASE("every cluster of the own mesh is the same however its ranks have it") {
  check_dealt_clusters(of_own_mesh);
}

TEST_CASE("every linear field is mapped exactly by clusters of a part of a mesh") {
  for (const Body& body : bodies()) {
    if (!body.is_flat) { // a dead axis has no slope
      CAPTURE(body.name);
      Fields fields = clusters_of(body, slope);
      std::erase_if(fields.scenario.flows,
                    [](const Flow& flow) { return flow.mapping.direction != "read"; });
      fields.splits = {{"A", {Split::random}}, {"B", {Split::strips}}};
      for (const Deal& deal : deals(2)) {
        const Table found = played(fields, deal);
        for (const Flow& flow : fields.scenario.flows) {
          const Surface& surface = fields.surfaces.at(flow.to_mesh());
          const auto dim = static_cast<std::size_t>(body.dimensions);
          const auto& rows = found.at("read " + flow.data + "@" + flow.to_mesh());
          REQUIRE(rows.size() == static_cast<std::size_t>(surface.num_vertices()));
          for (const auto& [vertex, values] : rows) {
            const std::span place(&surface.coordinates[static_cast<std::size_t>(vertex) * dim],
                                  dim);
            CHECK(values[0] == doctest::Approx(slope(place, 0)).epsilon(rounding));
          }
        }
      }
    }
  }
}
