// SPDX-License-Identifier: BSD-3-Clause
// Mappings that search the mesh of who maps and take several of its vertices: its ranks bring
// together what lies around each vertex of the partner, for every sample of a step.
#include "participant/setup/couple.hpp"
#include "participant/setup/fields.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/surfaces.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace couple;

namespace {

struct Searched {
  Scenario scenario;
  std::map<std::string, Surface> surfaces; // by mesh
};

/// A writes, in two steps of each window; vertices of the one mesh look for their place on the
/// mesh of who maps.
Searched searched_by(const std::string& initialization) {
  Searched all;
  all.scenario.schemes = {{"A", "B", "serial-explicit", 1, 0, 2}};
  all.scenario.connections.initialization = initialization;
  all.scenario.experimental = true; // as coarse graining is
  for (const std::string kind : {"rbf-pum-direct", "coarse-graining"}) {
    const bool is_radial = kind == "rbf-pum-direct";
    for (const std::string direction : {"read", "write"}) {
      Flow flow{"A", "B", fmt::format("D{}", all.scenario.flows.size())};
      flow.vector = direction == "read";
      flow.substeps = true;
      flow.mapping.kind = kind;
      flow.mapping.basis = is_radial ? R"(compact-polynomial-c4 support-radius="0.4")" : "";
      flow.mapping.options = is_radial ? R"(vertices-per-cluster="20")" : R"(radius="0.15")";
      flow.mapping.direction = direction;
      flow.mapping.constraint = direction == "read" ? "conservative" : "consistent";
      flow.meshes.dimensions = 3;
      flow.meshes.suffix = std::to_string(all.scenario.flows.size());
      all.surfaces[flow.from_mesh()] = islands(3, 5, 4, 2);
      all.surfaces[flow.to_mesh()] = islands(3, 4, 4, 3);
      all.scenario.flows.push_back(flow);
    }
  }
  return all;
}

/// Series: data and time, by vertex of the surface.
void couple_side(const Seat& seat, const Searched& all, const Split& split) {
  isthmus::Participant participant = seat.make();
  const bool gives = seat.participant == "A";
  std::vector<Part> parts; // by flow
  std::vector<std::vector<isthmus::VertexId>> ids;
  for (const Flow& flow : all.scenario.flows) {
    const std::string mesh = gives ? flow.from_mesh() : flow.to_mesh();
    parts.push_back(part_of(all.surfaces.at(mesh), split, seat.launch.rank, seat.launch.size));
    ids.emplace_back(parts.back().vertices.size());
    participant.set_mesh_vertices(mesh, parts.back().coordinates, ids.back());
  }
  participant.initialize();
  const double step = gives ? 0.5 : 1;
  for (double time = 0; participant.is_coupling_ongoing(); time += step) {
    for (std::size_t f = 0; f < parts.size(); ++f) {
      const Flow& flow = all.scenario.flows[f];
      const int width = flow.vector ? 3 : 1;
      std::vector<double> values;
      for (std::size_t i = 0; gives && i < ids[f].size(); ++i) {
        for (int c = 0; c < width; ++c) {
          values.push_back((1 + time + step) * waves({&parts[f].coordinates[3 * i], 3}, c));
        }
      }
      if (gives) {
        participant.write_data(flow.from_mesh(), flow.data, ids[f], values);
        continue;
      }
      values.resize(ids[f].size() * static_cast<std::size_t>(width));
      for (const double at : {0.25, 0.5, 1.0}) {
        participant.read_data(flow.to_mesh(), flow.data, ids[f], at, values);
        for (std::size_t i = 0; i < ids[f].size(); ++i) {
          const auto first = values.begin() + static_cast<std::ptrdiff_t>(i) * width;
          seat.put(fmt::format("{} at {}", flow.data, time + at), parts[f].vertices[i],
                   {first, first + width});
        }
      }
    }
    participant.advance(step);
  }
  participant.finalize();
}

Table coupled(const Searched& all, const Orders& orders, const Deal& deal) {
  const auto side = [&](const Seat& seat) {
    couple_side(seat, all, {seat.participant == "A" ? orders.first : orders.second});
  };
  return run(all.scenario.xml(), {{"A", side}, {"B", side}}, deal);
}

/// Series with values that differ by more than rounding.
std::string unlike_series(const Table& one, const Table& other) {
  std::string result = one.size() == other.size() ? "" : "not as many series";
  for (const auto& [series, rows] : one) {
    bool is_same = other.contains(series) && rows.size() == other.at(series).size();
    for (auto row = rows.begin(); is_same && row != rows.end(); ++row) {
      const auto same = other.at(series).find(row->first);
      is_same = same != other.at(series).end();
      for (std::size_t c = 0; is_same && c < row->second.size(); ++c) {
        const double value = row->second[c];
        is_same = std::abs(value - same->second.at(c)) < 1e-9 * std::max(1.0, std::abs(value));
      }
    }
    result += is_same ? "" : series + "\n";
  }
  return result;
}

} // namespace

TEST_CASE("every sample is mapped from the own mesh, also by ranks that nothing is sent to") {
  const std::vector<Orders> some_orders{{Split::block, Split::first_empty},
                                        {Split::all_on_last, Split::random},
                                        {Split::random, Split::all_on_last},
                                        {Split::first_empty, Split::strips}};
  const Table of_one = coupled(searched_by("rendezvous"), {}, serial(2));
  CHECK(of_one.size() == 4 * 2 * 3); // flows, windows, times
  std::size_t turn = 0;
  for (const std::string initialization : {"rendezvous", "two-level", "one-level"}) {
    const Searched all = searched_by(initialization);
    for (const Deal& deal : deals(2)) {
      for (int times = 0; times < (deal.empty() ? 1 : 2); ++times) {
        const Orders& orders = some_orders[turn++ % some_orders.size()];
        CAPTURE(initialization);
        CAPTURE(orders.first);
        CAPTURE(orders.second);
        CHECK(unlike_series(of_one, coupled(all, orders, deal)) == "");
      }
    }
  }
}
