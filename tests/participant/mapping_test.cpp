// SPDX-License-Identifier: BSD-3-Clause
// Mapped data does not depend on how meshes are dealt over ranks.
#include "participant/fields.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace couple;

namespace {

/// All combinations of mapping, direction, constraint and dimension, each on meshes of its own with
/// scalar and vector data, in one scenario. Odd ones go the other way.
Fields all_mappings(bool only_consistent, const std::function<Surface(int, unsigned)>& make) {
  Fields fields;
  fields.scenario.schemes = {{"A", "B", "parallel-explicit", 1, 0, 1}};
  fields.profile = waves;
  for (int k = 0; k < 16; ++k) {
    Flow flow{"A", "B", fmt::format("Scalar-{}", k)};
    flow.mapping = (k & 1) != 0 ? "nearest-projection" : "nearest-neighbor";
    flow.direction = (k & 2) != 0 ? "write" : "read";
    flow.constraint = (k & 4) != 0 ? "conservative" : "consistent";
    flow.dimensions = (k & 8) != 0 ? 3 : 2;
    flow.suffix = fmt::format("-{}", k);
    if (only_consistent && flow.constraint != "consistent") {
      continue;
    }
    if (k % 3 == 1) {
      std::swap(flow.from, flow.to);
    }
    fields.surfaces[flow.from_mesh()] = make(flow.dimensions, 2);
    fields.surfaces[flow.to_mesh()] = make(flow.dimensions, 3);
    fields.scenario.flows.push_back(flow);
    flow.data = fmt::format("Vector-{}", k);
    flow.vector = true;
    fields.scenario.flows.push_back(flow);
  }
  return fields;
}

const std::vector<std::pair<Split::Order, Split::Order>> orders{
    {Split::block, Split::block},        {Split::block, Split::strips},
    {Split::strips, Split::random},      {Split::random, Split::block},
    {Split::first_empty, Split::strips}, {Split::random, Split::first_empty},
    {Split::all_on_last, Split::random}, {Split::block, Split::all_on_last},
};

/// Only what was read, entries that stand twice once if they agree.
Table read_only(const Table& table) {
  Table result;
  for (const auto& [series, entries] : table) {
    if (series.rfind("read ", 0) != 0) {
      continue;
    }
    for (const auto& [entry, values] : entries) {
      auto& of_series = result[series];
      const auto [first, last] = of_series.equal_range(entry);
      const bool known =
          std::any_of(first, last, [&v = values](const auto& e) { return e.second == v; });
      if (!known) {
        of_series.emplace(entry, values);
      }
    }
  }
  return result;
}

Table result_of(const Fields& fields, const Deal& deal) {
  const Outcome outcome = exchange_fields(fields, deal);
  REQUIRE(outcome.all_errors() == "");
  return outcome.table;
}

void check_sums(const Fields& fields, const Table& table) {
  for (const Flow& flow : fields.scenario.flows) {
    if (flow.constraint == "conservative") {
      const auto written = sums(table, "written " + flow.data + "@" + flow.from_mesh());
      const auto read = sums(table, "read " + flow.data + "@" + flow.to_mesh());
      REQUIRE(written.size() == read.size());
      for (std::size_t c = 0; c < read.size(); ++c) {
        CHECK(std::abs(read[c] - written[c]) <= 1e-13 * (1 + std::abs(written[c])) * 100);
      }
    }
  }
}

} // namespace

TEST_CASE("every mapping gives the same bits however the meshes are dealt") {
  Fields fields = all_mappings(false, [](int dim, unsigned seed) {
    return dim == 2 ? islands(2, 5 + static_cast<int>(seed), 4, seed)
                    : islands(3, 2 + static_cast<int>(seed), 4, seed);
  });
  const Table serial = result_of(fields, in_threads);
  check_sums(fields, serial);
  for (const Deal& deal : deals(2)) {
    for (const auto& [of_a, of_b] : orders) {
      CAPTURE(of_a);
      CAPTURE(of_b);
      fields.splits = {{"A", {of_a}}, {"B", {of_b}}};
      const Table table = result_of(fields, deal);
      CHECK(difference(read_only(table), read_only(serial)) == "");
      check_sums(fields, table);
    }
  }
}

TEST_CASE("vertices that several ranks hold change no consistent result") {
  Fields fields = all_mappings(true, [](int dim, unsigned seed) {
    return sheet(dim, dim == 2 ? 20 + 3 * static_cast<int>(seed) : 5 + static_cast<int>(seed),
                 seed);
  });
  const Table serial = result_of(fields, in_threads);
  for (const Deal& deal : deals(2)) {
    for (const auto& [of_a, of_b] : orders) {
      CAPTURE(of_a);
      CAPTURE(of_b);
      fields.splits = {{"A", {of_a, true}}, {"B", {of_b, true}}};
      const Table table = result_of(fields, deal);
      CHECK(difference(read_only(table), read_only(serial)) == "");
    }
  }
}

TEST_CASE("sums are conserved where several ranks hold a vertex") {
  Fields fields = all_mappings(false, [](int dim, unsigned seed) {
    return sheet(dim, dim == 2 ? 20 + 3 * static_cast<int>(seed) : 5 + static_cast<int>(seed),
                 seed);
  });
  for (const Deal& deal : deals(2)) {
    for (const auto& [of_a, of_b] : orders) {
      CAPTURE(of_a);
      CAPTURE(of_b);
      fields.splits = {{"A", {of_a, true}}, {"B", {of_b, true}}};
      check_sums(fields, result_of(fields, deal));
    }
  }
}

TEST_CASE("nearest projection is exact for linear functions on planar meshes") {
  Fields fields = all_mappings(true, [](int dim, unsigned seed) {
    Surface surface =
        sheet(dim, 6 + static_cast<int>(seed), 7, 0); // same border vertices? no matter
    for (double& x : surface.coordinates) {
      x = seed == 3 ? 0.15 + 0.7 * x : x; // the reader's lies inside the writer's
    }
    if (seed == 3) {
      for (std::size_t i = static_cast<std::size_t>(dim) - 1; i < surface.coordinates.size();
           i += static_cast<std::size_t>(dim)) {
        surface.coordinates[i] = 0; // in its plane
      }
    }
    return surface;
  });
  fields.profile = slope;
  for (const Deal& deal : deals(2)) {
    fields.splits = {{"A", {Split::strips, true}}, {"B", {Split::random, true}}};
    const Table table = result_of(fields, deal);
    for (const Flow& flow : fields.scenario.flows) {
      if (flow.mapping != "nearest-projection") {
        continue;
      }
      const Surface& surface = fields.surfaces.at(flow.to_mesh());
      const auto dim = static_cast<std::size_t>(flow.dimensions);
      for (const auto& [vertex, values] : table.at("read " + flow.data + "@" + flow.to_mesh())) {
        const std::span place(surface.coordinates.data() + static_cast<std::size_t>(vertex) * dim,
                              dim);
        for (std::size_t c = 0; c < values.size(); ++c) {
          CHECK(values[c] == doctest::Approx(slope(place, static_cast<int>(c))).epsilon(1e-13));
        }
      }
    }
  }
}
