// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/protocol/ownership.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/planning/protocol/messages.hpp"

#include <algorithm>

namespace isthmus::planning {

namespace {

/// A vertex whose value goes to its owner.
struct HandedOver {
  std::int32_t provider_rank;
  std::int32_t vertex; // number on that rank
};

std::size_t num_transferred(std::span<const transfer::Part> parts) {
  return parts.empty() ? 0 : static_cast<std::size_t>(parts.back().first + parts.back().count);
}

void mark(std::span<const LocalIndex> vertices, std::vector<char>& marks) {
  for (const LocalIndex vertex : vertices) {
    marks[static_cast<std::size_t>(vertex)] = 1;
  }
}

std::vector<LocalIndex> marked_positions(const transfer::Part& part, std::span<const char> marks) {
  std::vector<LocalIndex> positions;
  for (LocalIndex i = 0; i < part.count; ++i) {
    if (marks[static_cast<std::size_t>(part.first + i)] != 0) {
      positions.push_back(i);
    }
  }
  return positions;
}

/// Collective. Values of rows whose vertices others own leave for them.
void hand_over(partner::Context& context, std::span<const transfer::Part> parts,
               const OwnersOfVertices& owners, PlannedMapping& mapping) {
  std::map<int, std::pair<std::vector<HandedOver>, std::vector<LocalIndex>>> leaving; // and rows
  std::vector<std::pair<LocalIndex, LocalIndex>> held; // vertex, and which value of those at hand
  for (std::size_t row = 0; row < mapping.vertices.size(); ++row) {
    const LocalIndex vertex = mapping.vertices[row];
    const int owner = owners.owner[static_cast<std::size_t>(vertex)];
    if (owner == context.comm.rank()) {
      held.emplace_back(vertex, static_cast<LocalIndex>(row));
    } else {
      leaving[owner].first.push_back(
          {provider_of(parts, vertex), owners.vertex[static_cast<std::size_t>(vertex)]});
      leaving[owner].second.push_back(static_cast<LocalIndex>(row));
    }
  }
  std::vector<comm::Parcel> parcels;
  std::vector<exchange::Halo::Neighbour> targets;
  for (auto& [rank, what] : leaving) {
    Writer writer;
    writer.put_array(what.first);
    parcels.push_back({rank, writer.take()});
    targets.push_back({rank, std::move(what.second)});
  }
  std::vector<exchange::Halo::Source> sources;
  LocalIndex next = mapping.rows.num_rows();
  for (const comm::Parcel& parcel : comm::sparse_exchange(context.comm, std::move(parcels))) {
    const auto arrived = Reader(parcel.bytes).get_array<HandedOver>();
    for (const HandedOver& one : arrived) {
      held.emplace_back(owners.known.at({one.provider_rank, one.vertex}), next++);
    }
    sources.push_back({parcel.rank, static_cast<LocalIndex>(arrived.size())});
  }
  if (targets.empty() && sources.empty()) {
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
  mapping.handover->halo = exchange::Halo(std::move(targets), std::move(sources));
  mapping.handover->rows =
      mapping::Rows::from_entries(static_cast<LocalIndex>(mapping.vertices.size()), entries);
}

} // namespace

OwnersOfVertices ask_for_owners(partner::Context& context, std::span<const transfer::Part> parts,
                                std::span<const char> contributed) {
  for (const transfer::Part& part : parts) {
    send(context, part.link, Contributed{marked_positions(part, contributed)});
  }
  OwnersOfVertices owners;
  owners.owner.assign(contributed.size(), context.comm.rank());
  owners.vertex.assign(contributed.size(), -1);
  for (const transfer::Part& part : parts) {
    const std::vector<LocalIndex> positions = marked_positions(part, contributed);
    const std::vector<Ownership> ownerships = receive<Owners>(context, part.link).list;
    check(ownerships.size() == positions.size(), "a message of owners is too short");
    for (std::size_t k = 0; k < positions.size(); ++k) {
      const LocalIndex vertex = part.first + positions[k];
      owners.owner[static_cast<std::size_t>(vertex)] = ownerships[k].owner;
      owners.vertex[static_cast<std::size_t>(vertex)] = ownerships[k].vertex;
      owners.known[{part.rank, ownerships[k].vertex}] = vertex;
    }
  }
  return owners;
}

int provider_of(std::span<const transfer::Part> parts, LocalIndex vertex) {
  return std::find_if(parts.begin(), parts.end(),
                      [vertex](const transfer::Part& part) {
                        return vertex >= part.first && vertex < part.first + part.count;
                      })
      ->rank;
}

void send_written(partner::Context& context, std::span<const transfer::Part> parts,
                  PlannedMapping& mapping) {
  std::vector<char> written(num_transferred(parts), 0);
  mark(mapping.vertices, written);
  LocalIndex first = 0;
  for (const transfer::Part& part : parts) {
    const std::vector<LocalIndex> positions = marked_positions(part, written);
    const auto count = static_cast<LocalIndex>(positions.size());
    if (count > 0) {
      mapping.routes.push_back({part.link, first, count, {}});
    }
    first += count;
    send(context, part.link, Written{positions});
  }
}

void join_vertices(partner::Context& context, std::span<const transfer::Part> parts,
                   std::span<PlannedMapping> mappings) {
  std::vector<PlannedMapping*> joined;
  std::vector<char> contributed(num_transferred(parts), 0);
  for (PlannedMapping& mapping : mappings) {
    if (vertices_are_joined(*mapping.use, context.comm.size())) {
      joined.push_back(&mapping);
      mark(mapping.vertices, contributed);
    }
  }
  if (joined.empty()) {
    return;
  }
  const OwnersOfVertices owners = ask_for_owners(context, parts, contributed);
  for (PlannedMapping* mapping : joined) {
    hand_over(context, parts, owners, *mapping);
    send_written(context, parts, *mapping);
  }
}

} // namespace isthmus::planning
