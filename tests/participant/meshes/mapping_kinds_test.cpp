// SPDX-License-Identifier: BSD-3-Clause
// Mappings whose results agree with those of a serial run to rounding.
#include "participant/setup/fields.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace couple;

namespace {

Flow flow_of(const Fields& fields, const std::string& mapping, const std::string& direction,
             const std::string& constraint, const std::string& basis = "") {
  Flow flow{"A", "B", ""};
  flow.mapping.kind = mapping;
  flow.mapping.direction = direction;
  flow.mapping.constraint = constraint;
  flow.mapping.basis = basis;
  flow.vector = true;
  flow.meshes.suffix = std::to_string(fields.scenario.flows.size());
  flow.data = "Data" + flow.meshes.suffix;
  return flow;
}

void add(Fields& fields, Flow flow, int dimensions, const Surface& of_a, const Surface& of_b) {
  flow.meshes.dimensions = dimensions;
  fields.surfaces[flow.from_mesh()] = of_a;
  fields.surfaces[flow.to_mesh()] = of_b;
  fields.scenario.flows.push_back(flow);
}

/// Mappings whose rows depend on all of a mesh, on the side where that is the own one too.
void add_gathered(Fields& fields, int dimensions, const Surface& of_a, const Surface& of_b) {
  const auto add_flow = [&](const std::string& options, const auto&... what) {
    Flow flow = flow_of(fields, what...);
    flow.mapping.options = options;
    add(fields, flow, dimensions, of_a, of_b);
  };
  const std::string compact = "compact-polynomial-c4 support-radius=\"0.6\"";
  add_flow("", "rbf-global-direct", "read", "conservative", compact);
  add_flow("", "rbf-pum-direct", "write", "consistent", compact);
  add_flow("", "rbf-pum-direct", "read", "conservative", compact);
  for (const char* direction : {"read", "write"}) {
    for (const char* constraint : {"consistent", "conservative"}) {
      add_flow("", "intersection", direction, constraint);
      add_flow("radius=\"0.4\"", "coarse-graining", direction, constraint);
    }
    for (const std::string type : {"spread", "collect"}) {
      const std::string options =
          "multiscale-axis=\"x\" multiscale-radius=\"9\" multiscale-type=\"" + type + "\"";
      add_flow(options, "radial-geometric-multiscale", direction, "consistent");
      add_flow(options + " multiscale-dimension=\"1d-2d\"", "axial-geometric-multiscale", direction,
               "consistent");
    }
  }
}

/// The surface of a participant, in two or three dimensions.
using MakeSurface = std::function<Surface(int dimensions)>;

Fields all_flows(const MakeSurface& make_a, const MakeSurface& make_b) {
  Fields fields;
  fields.scenario.schemes = {{"A", "B", "parallel-explicit", 1, 0, 1}};
  fields.scenario.experimental = true;
  fields.profile = waves;
  const std::string compact = "compact-polynomial-c4 support-radius=\"0.6\"";
  for (const int dimensions : {2, 3}) {
    const Surface of_a = make_a(dimensions);
    const Surface of_b = make_b(dimensions);
    const auto add_flow = [&](const auto&... what) {
      add(fields, flow_of(fields, what...), dimensions, of_a, of_b);
    };
    for (const char* kind :
         {"rbf-global-direct", "rbf-global-iterative", "rbf-pum-direct", "rbf"}) {
      add_flow(kind, "read", "consistent", compact);
      add_flow(kind, "write", "conservative", compact);
    }
    add_flow("rbf-pum-direct", "read", "consistent", "thin-plate-splines");
    for (const char* direction : {"read", "write"}) {
      add_flow("auto", direction, "consistent");
      add_flow("auto", direction, "conservative");
    }
    add_gathered(fields, dimensions, of_a, of_b);
    for (const char* direction : {"read", "write"}) {
      add_flow("nearest-neighbor", direction, "consistent");
      add_flow("nearest-neighbor", direction, "conservative");
      add_flow("nearest-projection", direction, "consistent");
      add_flow("nearest-projection", direction, "conservative");
      add_flow("nearest-projection", direction, "scaled-consistent-surface");
      add_flow("linear-cell-interpolation", direction, "consistent");
      add_flow("linear-cell-interpolation", direction, "conservative");
    }
  }
  return fields;
}

Surface of_a(int dimensions) {
  return islands(dimensions, dimensions == 2 ? 7 : 4, 4, 2);
}

Surface of_b(int dimensions) {
  return islands(dimensions, dimensions == 2 ? 8 : 5, 4, 3);
}

Surface without_vertices(int dimensions) {
  return cloud(dimensions, {});
}

/// Whether vertices of A look for their place on the mesh of B.
bool searches_b(const Flow& flow) {
  return flow.mapping.constraint == "conservative";
}

Table result_of(const Fields& fields, const Deal& deal) {
  const Outcome outcome = exchange_fields(fields, deal);
  REQUIRE(outcome.all_errors() == "");
  return outcome.table;
}

/// How much two results of a mapping may differ: by rounding, which systems of radial functions
/// magnify, or by what the tolerance of their solver may become.
double limit_of(const std::string& mapping) {
  if (mapping == "rbf-global-iterative") {
    return 1e-6;
  }
  return mapping == "rbf-global-direct" ? 1e-9 : 1e-10;
}

/// Series that differ by more, and how much.
std::string differences(const Fields& fields, const Table& one, const Table& other) {
  REQUIRE(one.size() == other.size());
  std::string result;
  for (const auto& [series, rows] : one) {
    double largest = 0;
    for (const auto& [vertex, values] : rows) {
      REQUIRE(other.at(series).count(vertex) == 1);
      for (std::size_t c = 0; c < values.size(); ++c) {
        largest =
            std::max(largest, std::abs(values[c] - other.at(series).find(vertex)->second.at(c)));
      }
    }
    for (const Flow& flow : fields.scenario.flows) {
      const bool is_of_flow = series.find(flow.data + "@") != std::string::npos;
      if (is_of_flow && !(largest < limit_of(flow.mapping.kind))) {
        result += series + " " + flow.mapping.kind + " " + flow.mapping.direction + " " +
                  flow.mapping.constraint + ": " + std::to_string(std::log10(largest)) + "\n";
      }
    }
  }
  return result;
}

/// Both surfaces in each of these orders, and every deal: as the serial run.
void check_dealt(Fields& fields, const Table& serial, const std::vector<Split::Order>& orders) {
  const std::vector<Deal> all = deals(2);
  for (std::size_t i = 0; !all.empty() && i < std::max(all.size(), orders.size()); ++i) {
    const Split split{orders[i % orders.size()], false};
    fields.splits = {{"A", split}, {"B", split}};
    CAPTURE(split.order);
    const Table table = result_of(fields, all[i % all.size()]);
    CHECK(differences(fields, serial, starting(table, "read")) == "");
  }
}

} // namespace

TEST_CASE("kinds of mappings give the same to rounding however the meshes are dealt") {
  Fields fields = all_flows(of_a, of_b);
  const Table serial = starting(result_of(fields, couple::serial(2)), "read");
  CHECK(
      static_cast<std::size_t>(std::count_if(serial.begin(), serial.end(), [](const auto& series) {
        return !series.second.empty();
      })) == fields.scenario.flows.size());
  check_dealt(fields, serial, {Split::block, Split::random, Split::first_empty});
}

TEST_CASE("every mapping finds the nearest places of meshes that do not overlap") {
  const auto far_away = [](int dimensions) {
    Surface surface = of_b(dimensions);
    for (std::size_t i = 0; i < surface.coordinates.size(); i += std::size_t(dimensions)) {
      surface.coordinates[i] += 5;
    }
    return surface;
  };
  Fields fields = all_flows(of_a, far_away);
  const Table serial = starting(result_of(fields, couple::serial(2)), "read");
  check_dealt(fields, serial, {Split::random, Split::block, Split::strips});
}

TEST_CASE(
    "a mesh without vertices takes part in every mapping in which nobody looks for a place on it") {
  struct Empty {
    bool a;
    bool b;
  };
  for (const Empty empty : {Empty{true, false}, Empty{false, true}, Empty{true, true}}) {
    CAPTURE(empty.a);
    CAPTURE(empty.b);
    Fields fields = all_flows(empty.a ? without_vertices : of_a, empty.b ? without_vertices : of_b);
    std::erase_if(fields.scenario.flows, [&empty](const Flow& flow) {
      return empty.a != empty.b && searches_b(flow) == empty.b;
    });
    for (const Deal& deal : deals(2)) {
      const Table table = starting(result_of(fields, deal), "read");
      std::size_t read = 0;
      for (const auto& [series, rows] : table) {
        CAPTURE(series);
        for (const auto& [vertex, values] : rows) {
          ++read;
          CHECK(values == std::vector<double>(values.size(), 0.0)); // nothing was written
        }
      }
      CHECK((read > 0) == !empty.b);
    }
  }
}

TEST_CASE("places on a mesh without vertices are an error on both sides") {
  const Fields all = all_flows(without_vertices, of_b);
  for (const Flow& flow : all.scenario.flows) {
    if (searches_b(flow)) {
      continue;
    }
    CAPTURE(flow.mapping.kind);
    CAPTURE(flow.mapping.direction);
    Fields fields = all;
    fields.scenario.flows = {flow};
    const Deal dealt = deals(2).empty() ? in_threads : deals(2).back();
    const Outcome outcome = exchange_fields(fields, dealt);
    for (const char* participant : {"A", "B"}) {
      const std::string& error = outcome.errors.at(participant);
      CHECK(error.find(fmt::format("<mapping:{}> in line", flow.mapping.kind == "auto"
                                                               ? "nearest-neighbor"
                                                               : flow.mapping.kind)) !=
            std::string::npos);
      CHECK(error.find(fmt::format("mesh \"{}\" of participant \"A\" has no vertices on any rank",
                                   flow.from_mesh())) != std::string::npos);
    }
  }
}

TEST_CASE("duplicate vertices on two ranks are refused by radial basis functions, on all") {
  Surface duplicates = sheet(3, 5, 1);
  for (int k = 0; k < 3; ++k) {
    duplicates.coordinates[static_cast<std::size_t>(3 + k)] =
        duplicates.coordinates[static_cast<std::size_t>(k)];
  }
  for (const char* direction : {"read", "write"}) { // the mesh of the partner, or the own one
    CAPTURE(direction);
    Fields fields;
    fields.scenario.schemes = {{"A", "B", "parallel-explicit", 1, 0, 1}};
    fields.profile = waves;
    add(fields, flow_of(fields, "rbf", direction, "consistent", "thin-plate-splines"), 3,
        duplicates, sheet(3, 6, 2));
    for (const Deal& deal : deals(2)) {
      const Outcome outcome = exchange_fields(fields, deal);
      CHECK(outcome.all_errors().find("has two vertices at (") != std::string::npos);
    }
  }
}
