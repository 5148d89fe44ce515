// SPDX-License-Identifier: BSD-3-Clause
#include "participant/setup/fields.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace couple {

namespace {

/// One rank of one participant of a run with fields.
class Holder {
 public:
  Holder(const Seat& seat, const Fields& fields)
      : seat_(seat), fields_(fields), participant_(seat.make()) {
    const auto split = fields.splits.find(seat.participant);
    for (const Flow& flow : fields.scenario.flows) {
      if (flow.from == seat.participant) {
        hold(flow.from_mesh(), split == fields.splits.end() ? Split{} : split->second);
      } else if (flow.to == seat.participant) {
        hold(flow.to_mesh(), split == fields.splits.end() ? Split{} : split->second);
      }
    }
  }

  void run() {
    if (participant_.requires_initial_data()) {
      write();
    }
    participant_.initialize();
    while (participant_.is_coupling_ongoing()) {
      write();
      const auto before = participant_.statistics();
      participant_.advance(participant_.max_time_step_size());
      const auto after = participant_.statistics();
      seat_.put("traffic " + seat_.participant, seat_.launch.rank,
                {static_cast<double>(after.messages_sent - before.messages_sent),
                 static_cast<double>(after.bytes_sent - before.bytes_sent)});
    }
    read();
    participant_.finalize();
  }

 private:
  struct Held {
    Part part;
    std::vector<isthmus::VertexId> ids;
  };

  void hold(const std::string& mesh, Split split) {
    const Surface& surface = fields_.surfaces.at(mesh);
    if (held_.contains(mesh)) {
      return;
    }
    Held& held = held_[mesh];
    held.part = part_of(surface, split, seat_.launch.rank, seat_.launch.size);
    held.ids.resize(held.part.vertices.size());
    participant_.set_mesh_vertices(mesh, held.part.coordinates, held.ids);
    if (participant_.requires_mesh_connectivity_for(mesh)) {
      std::vector<isthmus::VertexId> corners;
      for (const int corner : held.part.corners) {
        corners.push_back(held.ids[static_cast<std::size_t>(corner)]);
      }
      surface.dimensions == 2 ? participant_.set_mesh_edges(mesh, corners)
                              : participant_.set_mesh_triangles(mesh, corners);
    }
  }

  void write() {
    for (const Flow& flow : fields_.scenario.flows) {
      if (flow.from != seat_.participant) {
        continue;
      }
      const Held& held = held_.at(flow.from_mesh());
      const auto dim = static_cast<std::size_t>(flow.meshes.dimensions);
      std::vector<double> values;
      for (std::size_t i = 0; i < held.ids.size(); ++i) {
        const std::span place(held.part.coordinates.data() + i * dim, dim);
        for (int c = 0; c < (flow.vector ? flow.meshes.dimensions : 1); ++c) {
          values.push_back(fields_.profile(place, c));
        }
      }
      participant_.write_data(flow.from_mesh(), flow.data, held.ids, values);
      report("written " + flow.data + "@" + flow.from_mesh(), held, values);
    }
  }

  void read() {
    for (const Flow& flow : fields_.scenario.flows) {
      if (flow.to != seat_.participant) {
        continue;
      }
      const Held& held = held_.at(flow.to_mesh());
      std::vector<double> values(
          held.ids.size() * static_cast<std::size_t>(flow.vector ? flow.meshes.dimensions : 1));
      participant_.read_data(flow.to_mesh(), flow.data, held.ids, 0, values);
      report("read " + flow.data + "@" + flow.to_mesh(), held, values);
    }
  }

  void report(const std::string& series, const Held& held,
              const std::vector<double>& values) const {
    const std::size_t width = held.ids.empty() ? 0 : values.size() / held.ids.size();
    for (std::size_t i = 0; i < held.ids.size(); ++i) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * width);
      seat_.put(series, held.part.vertices[i], {first, first + static_cast<std::ptrdiff_t>(width)});
    }
  }

  const Seat& seat_;
  const Fields& fields_;
  isthmus::Participant participant_;
  std::map<std::string, Held> held_; // by mesh
};

} // namespace

void add_all_mappings(Fields& fields, const Surface& of_a, const Surface& of_b) {
  for (int k = 0; k < 8; ++k) {
    Flow flow{"A", "B", ""};
    flow.mapping.kind = (k & 1) != 0 ? "nearest-projection" : "nearest-neighbor";
    flow.mapping.direction = (k & 2) != 0 ? "write" : "read";
    flow.mapping.constraint = (k & 4) != 0 ? "conservative" : "consistent";
    flow.data = fmt::format("{}-scalar-{}D-{}", flow.mapping.constraint, of_a.dimensions, k);
    flow.meshes.dimensions = of_a.dimensions;
    flow.meshes.suffix = fmt::format("-{}D-{}", of_a.dimensions, k);
    fields.surfaces["A-Mesh" + flow.meshes.suffix] = of_a;
    fields.surfaces["B-Mesh" + flow.meshes.suffix] = of_b;
    if (k % 3 == 1) {
      std::swap(flow.from, flow.to);
    }
    fields.scenario.flows.push_back(flow);
    flow.data = fmt::format("{}-vector-{}D-{}", flow.mapping.constraint, of_a.dimensions, k);
    flow.vector = true;
    fields.scenario.flows.push_back(flow);
  }
}

Outcome exchange_fields(const Fields& fields, const Deal& deal) {
  std::vector<Role> roles;
  for (const std::string& participant : fields.scenario.participants()) {
    roles.push_back({participant, [&fields](const Seat& seat) { Holder(seat, fields).run(); }});
  }
  return play(fields.scenario.xml(), roles, deal);
}

std::vector<DealAndOrders> each_deal_and_order(std::size_t first) {
  const std::vector<Deal> all = deals(2);
  std::vector<DealAndOrders> result;
  if (!all.empty()) {
    for (const Orders& orders : all_orders(all.front() != serial(2))) {
      result.emplace_back(all[first++ % all.size()], orders);
    }
  }
  return result;
}

double waves(std::span<const double> place, int component) {
  double sum = 0.3 * component;
  for (std::size_t k = 0; k < place.size(); ++k) {
    sum += std::sin((3.0 + static_cast<double>(k) + component) * place[k]);
  }
  return sum;
}

double slope(std::span<const double> place, int component) {
  double sum = 1 - component;
  for (std::size_t k = 0; k < place.size(); ++k) {
    sum += (static_cast<double>(k) + 2) * place[k];
  }
  return sum;
}

} // namespace couple
