// SPDX-License-Identifier: BSD-3-Clause
// Mapped data does not depend on how meshes are dealt over ranks.
#include "participant/setup/fields.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

using namespace couple;

namespace {

/// All mappings in 2D and 3D between surfaces that `make` gives for a dimension and a seed.
Fields all_mappings(const std::function<Surface(int, int)>& make) {
  Fields fields;
  fields.scenario.schemes = {{"A", "B", "parallel-explicit", 1, 0, 1}};
  fields.profile = waves;
  for (const int dimensions : {2, 3}) {
    add_all_mappings(fields, make(dimensions, 2), make(dimensions, 3));
  }
  return fields;
}

/// One piece, so that ranks share vertices.
Surface one_piece(int dimensions, int seed) {
  return sheet(dimensions, dimensions == 2 ? 20 + 3 * seed : 5 + seed, static_cast<unsigned>(seed));
}

Table result_of(const Fields& fields, const Deal& deal) {
  const Outcome outcome = exchange_fields(fields, deal);
  REQUIRE(outcome.all_errors() == "");
  return outcome.table;
}

void check_sums(const Fields& fields, const Table& table) {
  for (const Flow& flow : fields.scenario.flows) {
    if (flow.mapping.constraint == "conservative") {
      const auto written = sums(table, "written " + flow.data + "@" + flow.from_mesh());
      const auto read = sums(table, "read " + flow.data + "@" + flow.to_mesh());
      REQUIRE(written.size() == read.size());
      for (std::size_t c = 0; c < read.size(); ++c) {
        CHECK(std::abs(read[c] - written[c]) <= 1e-11);
      }
    }
  }
}

/// Runs the scenario dealt in many ways. Read series that start so must have the bits of a serial
/// run; conservative mappings must keep sums.
void check_all_ways(Fields fields, bool cuts_islands, const std::string& start) {
  const Table serial = result_of(fields, couple::serial(2));
  check_sums(fields, serial);
  for (const Deal& deal : deals(2)) {
    for (const auto& [of_a, of_b] : all_orders(deal != couple::serial(2))) {
      CAPTURE(of_a);
      CAPTURE(of_b);
      fields.splits = {{"A", {of_a, cuts_islands}}, {"B", {of_b, cuts_islands}}};
      const Table table = result_of(fields, deal);
      CHECK(difference(starting(table, start), starting(serial, start)) == "");
      check_sums(fields, table);
    }
  }
}

} // namespace

TEST_CASE("every mapping gives the same bits however the meshes are dealt") {
  const auto pieces = [](int dimensions, int seed) {
    return islands(dimensions, (dimensions == 2 ? 5 : 2) + seed, 4, static_cast<unsigned>(seed));
  };
  check_all_ways(all_mappings(pieces), false, "read");
}

TEST_CASE("vertices that several ranks hold change no consistent result and no conserved sum") {
  check_all_ways(all_mappings(one_piece), true, "read consistent");
}

TEST_CASE("nearest projection is exact for linear functions on planar meshes") {
  Fields fields = all_mappings(one_piece);
  for (auto& [mesh, surface] : fields.surfaces) {
    const bool inner = mesh[0] == 'B';
    for (std::size_t i = 0; i < surface.coordinates.size(); ++i) {
      const bool last_axis = (i + 1) % static_cast<std::size_t>(surface.dimensions) == 0;
      double& x = surface.coordinates[i];
      x = last_axis ? 0 : inner ? 0.15 + 0.7 * x : x;
    }
  }
  fields.profile = slope;
  for (const Deal& deal : deals(2)) {
    fields.splits = {{"A", {Split::strips, true}}, {"B", {Split::random, true}}};
    const Table table = result_of(fields, deal);
    for (const Flow& flow : fields.scenario.flows) {
      if (flow.mapping.kind != "nearest-projection" || flow.mapping.constraint != "consistent" ||
          flow.to != "B") {
        continue;
      }
      const Surface& surface = fields.surfaces.at(flow.to_mesh());
      const auto dim = static_cast<std::size_t>(flow.meshes.dimensions);
      for (const auto& [vertex, values] : table.at("read " + flow.data + "@" + flow.to_mesh())) {
        const double* place = surface.coordinates.data() + static_cast<std::size_t>(vertex) * dim;
        for (std::size_t c = 0; c < values.size(); ++c) {
          CHECK(values[c] ==
                doctest::Approx(slope({place, dim}, static_cast<int>(c))).epsilon(1e-13));
        }
      }
    }
  }
}
