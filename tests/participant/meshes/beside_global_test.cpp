// SPDX-License-Identifier: BSD-3-Clause
// Mappings of several kinds that use one received mesh: a rank gets a share of it for systems and
// integrals, its surroundings for the others, and finds what one rank finds in all of it.
#include "participant/setup/fields.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace couple;

namespace {

struct Beside {
  std::string kind;
  std::string constraint;
  std::string basis = "";
  std::string options = "";
};

const std::string compact = "compact-polynomial-c4 support-radius=\"0.6\"";

const std::vector<Beside>& that_read() {
  static const std::vector<Beside> all{
      {"rbf-global-direct", "consistent", compact},
      {"nearest-neighbor", "consistent"},
      // one rank goes by the numbers of elements whose boxes are equally near
      {"nearest-projection", "consistent", "", R"(search="closest")"},
      {"rbf-global-direct", "scaled-consistent-surface", compact},
      {"nearest-projection", "scaled-consistent-surface"},
      {"rbf-pum-direct", "scaled-consistent-surface", compact},
      {"rbf-global-direct", "conservative", compact},
      {"nearest-projection", "conservative"},
      {"rbf-pum-direct", "conservative", compact},
      {"coarse-graining", "conservative", "", R"(radius="0.4")"}};
  return all;
}

const std::vector<Beside>& that_write() {
  static const std::vector<Beside> all{{"rbf-global-iterative", "consistent", compact},
                                       {"rbf-global-direct", "conservative", compact},
                                       {"nearest-neighbor", "conservative"},
                                       {"rbf-pum-direct", "conservative", compact},
                                       {"nearest-projection", "consistent"},
                                       {"nearest-neighbor", "scaled-consistent-surface"},
                                       {"rbf-pum-direct", "consistent", compact},
                                       {"rbf-pum-direct", "scaled-consistent-surface", compact},
                                       {"coarse-graining", "consistent", "", R"(radius="0.4")"}};
  return all;
}

/// B maps all of these between the mesh of A and one of its own for each.
Fields beside_each_other(const std::vector<Beside>& kinds, const std::string& direction,
                         int dimensions) {
  Fields fields;
  fields.scenario.schemes = {{"A", "B", "parallel-explicit", 1, 0, 1}};
  fields.scenario.experimental = true; // as coarse graining is
  fields.profile = waves;
  fields.surfaces["A-Mesh"] = islands(dimensions, dimensions == 2 ? 8 : 5, 4, 2);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const bool reads = direction == "read";
    Flow flow{reads ? "A" : "B", reads ? "B" : "A", "Data" + std::to_string(k)};
    flow.vector = k % 2 == 0;
    flow.mapping.kind = kinds[k].kind;
    flow.mapping.basis = kinds[k].basis;
    flow.mapping.options = kinds[k].options;
    flow.mapping.direction = direction;
    flow.mapping.constraint = kinds[k].constraint;
    flow.meshes.dimensions = dimensions;
    flow.meshes.own = "B-Mesh" + std::to_string(k);
    fields.surfaces[flow.meshes.own] =
        islands(dimensions, dimensions == 2 ? 7 : 4, 4, 3 + static_cast<unsigned>(k));
    fields.scenario.flows.push_back(flow);
  }
  return fields;
}

Table read_in(const Fields& fields, const Deal& deal) {
  const Outcome outcome = exchange_fields(fields, deal);
  REQUIRE(outcome.all_errors() == "");
  return starting(outcome.table, "read");
}

/// Series that differ by more than rounding, which systems magnify, and what a solver may leave.
std::string unlike(const Table& one, const Table& other) {
  REQUIRE(one.size() == other.size());
  std::string result;
  for (const auto& [series, rows] : one) {
    REQUIRE(rows.size() == other.at(series).size());
    for (const auto& [vertex, values] : rows) {
      const std::vector<double>& others = other.at(series).find(vertex)->second;
      for (std::size_t c = 0; c < values.size(); ++c) {
        if (!(std::abs(values[c] - others.at(c)) < 1e-6)) {
          result += series + " at " + std::to_string(vertex) + "\n";
        }
      }
    }
  }
  return result;
}

void compare_with_serial(const std::vector<Beside>& kinds, const std::string& direction,
                         const std::string& initialization) {
  for (const int dimensions : {2, 3}) {
    Fields fields = beside_each_other(kinds, direction, dimensions);
    const Table of_one = read_in(fields, serial(2));
    for (const Flow& flow : fields.scenario.flows) {
      REQUIRE_FALSE(of_one.at("read " + flow.data + "@" + flow.to_mesh()).empty());
    }
    fields.scenario.connections.initialization = initialization;
    std::size_t turn = 0;
    for (const Deal& deal : deals(2)) {
      const auto orders = all_orders(!deal.empty());
      for (int times = 0; times < (deal.empty() ? 1 : 3); ++times) {
        const Orders& order = orders[turn++ % orders.size()];
        fields.splits = {{"A", {order.first}}, {"B", {order.second}}};
        CAPTURE(order.first);
        CAPTURE(order.second);
        CHECK(unlike(of_one, read_in(fields, deal)) == "");
      }
    }
  }
}

} // namespace

TEST_CASE("every kind of mapping that reads stands beside global ones as it stands alone") {
  compare_with_serial(that_read(), "read", "rendezvous");
}

TEST_CASE("every kind of mapping that writes stands beside global ones as it stands alone") {
  compare_with_serial(that_write(), "write", "rendezvous");
}

TEST_CASE("mappings stand beside global ones whatever finds the partners") {
  for (const std::string initialization : {"two-level", "one-level"}) {
    compare_with_serial(that_read(), "read", initialization);
    compare_with_serial(that_write(), "write", initialization);
  }
}
