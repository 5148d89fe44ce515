// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/writing/joined_vertices.hpp"

#include "isthmus/exchange/make_halo.hpp"
#include "isthmus/planning/received_plan.hpp"
#include "isthmus/planning/writing/contributions.hpp"
#include "isthmus/protocol/messages.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace isthmus::planning {

namespace {

/// A vertex whose value goes to its owner.
struct HandedOver {
  std::int32_t provider_rank;
  std::int32_t vertex; // number on that rank
};

/// Collective. Values of rows whose vertices others own leave for them.
void hand_over(partner::Context& context, std::span<const transfer::Part> parts,
               const OwnersOfVertices& owners, PlannedMapping& mapping) {
  std::map<int, exchange::Sent<HandedOver>> leaving;   // entries are rows
  std::vector<std::pair<LocalIndex, LocalIndex>> held; // vertex, and which value of those at hand
  for (std::size_t row = 0; row < mapping.vertices.size(); ++row) {
    const LocalIndex vertex = mapping.vertices[row];
    const int owner = owners.owner[static_cast<std::size_t>(vertex)];
    if (owner == context.comm.rank()) {
      held.emplace_back(vertex, static_cast<LocalIndex>(row));
    } else {
      leaving[owner].entries.push_back(static_cast<LocalIndex>(row));
      leaving[owner].notes.push_back(
          {transfer::provider_of(parts, vertex), owners.vertex[static_cast<std::size_t>(vertex)]});
    }
  }
  LocalIndex next = mapping.rows.num_rows();
  exchange::Halo halo = exchange::halo_of_sent(
      context.comm, std::move(leaving), [&](std::span<const HandedOver> arrived) {
        for (const HandedOver& one : arrived) {
          held.emplace_back(owners.known.at({one.provider_rank, one.vertex}), next++);
        }
        return static_cast<LocalIndex>(arrived.size());
      });
  if (halo.empty()) {
    return;
  }
  std::sort(held.begin(), held.end());
  mapping.vertices.clear();
  std::vector<mapping::Entry> entries;
  for (const auto& [vertex, value] : held) {
    if (mapping.vertices.empty() || mapping.vertices.back() != vertex) {
      mapping.vertices.push_back(vertex);
    }
    entries.push_back({static_cast<LocalIndex>(mapping.vertices.size()) - 1, value, 1.0});
  }
  mapping.handover.emplace();
  mapping.handover->halo = std::move(halo);
  mapping.handover->rows =
      mapping::Rows::from_entries(static_cast<LocalIndex>(mapping.vertices.size()), entries);
}

} // namespace

void join_vertices(partner::Context& context, std::span<const transfer::Part> parts,
                   std::span<PlannedMapping> mappings) {
  std::vector<PlannedMapping*> joined;
  std::vector<char> contributed(transfer::num_transferred(parts), 0);
  for (PlannedMapping& mapping : mappings) {
    if (protocol::vertices_are_joined(*mapping.use, context.comm.size())) {
      joined.push_back(&mapping);
      mark(mapping.vertices, contributed);
    }
  }
  const OwnersOfVertices owners = ask_for_owners(context, parts, contributed);
  for (PlannedMapping* mapping : joined) {
    hand_over(context, parts, owners, *mapping);
    send_written(context, parts, *mapping);
  }
}

} // namespace isthmus::planning
