// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/contributions.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/exchange/make_halo.hpp"
#include "isthmus/planning/parts.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/protocol/messages.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace isthmus::planning {

OwnersOfVertices ask_for_owners(partner::Context& context, std::span<const transfer::Part> parts,
                                std::span<const char> contributed) {
  for (const transfer::Part& part : parts) {
    protocol::send(context, part.link,
                   protocol::Contributed{transfer::marked_positions(part, contributed)});
  }
  OwnersOfVertices owners;
  owners.owner.assign(contributed.size(), context.comm.rank());
  owners.vertex.assign(contributed.size(), -1);
  for (const transfer::Part& part : parts) {
    const std::vector<LocalIndex> positions = transfer::marked_positions(part, contributed);
    const std::vector<protocol::Ownership> ownerships =
        protocol::receive<protocol::Owners>(context, part.link, positions.size()).list;
    for (std::size_t k = 0; k < positions.size(); ++k) {
      const LocalIndex vertex = part.first + positions[k];
      owners.owner[static_cast<std::size_t>(vertex)] = ownerships[k].owner;
      owners.vertex[static_cast<std::size_t>(vertex)] = ownerships[k].vertex;
      owners.known[{part.rank, ownerships[k].vertex}] = vertex;
    }
  }
  return owners;
}

struct Contributions::Shipment {
  std::int32_t provider_rank;
  std::int32_t vertex; // number on that rank
  std::int32_t column; // own vertex of the sender
  double weight;
  geometry::Point coordinates; // of that vertex
};

Contributions::Contributions(partner::Context& context, int dimensions,
                             std::span<const transfer::Part> parts, const mesh::Mesh& own)
    : context_(context),
      dimensions_(dimensions),
      parts_(parts.begin(), parts.end()),
      own_(own),
      named_(transfer::num_transferred(parts), 0) {}

std::vector<LocalIndex> Contributions::vertices(const protocol::MappingUse& use) {
  if (protocol::owners_matter(use, context_.comm.size())) {
    owners_ = ask_for_owners(context_, parts_, named_);
  }
  std::vector<LocalIndex> written;
  for (std::size_t vertex = 0; vertex < named_.size(); ++vertex) {
    if (owners_ && owners_->owner[vertex] != context_.comm.rank()) {
      named_[vertex] = 0;
    }
    if (named_[vertex] != 0) {
      written.push_back(static_cast<LocalIndex>(vertex));
    }
  }
  return written;
}

/// Entries of rows that others own leave for them.
void Contributions::send_to_owners() {
  const std::vector<std::int32_t>& owner = owners_->owner;
  std::map<int, exchange::Sent<Shipment>> leaving;
  for (const mapping::Entry& entry : entries_) {
    const auto row = static_cast<std::size_t>(entry.row);
    if (owner[row] != context_.comm.rank()) {
      exchange::Sent<Shipment>& to_owner = leaving[owner[row]];
      to_owner.entries.push_back(entry.column);
      to_owner.notes.push_back({transfer::provider_of(parts_, entry.row), owners_->vertex[row],
                                entry.column, entry.weight,
                                geometry::point_at(dimensions_, own_.coordinates(),
                                                   static_cast<std::size_t>(entry.column))});
    }
  }
  for (auto& [rank, sent] : leaving) { // each vertex once
    sort_once(sent.entries);
  }
  std::erase_if(entries_, [&owner, this](const mapping::Entry& entry) {
    return owner[static_cast<std::size_t>(entry.row)] != context_.comm.rank();
  });
  LocalIndex next = own_.num_vertices();
  halo_ = exchange::halo_of_sent(context_.comm, std::move(leaving),
                                 [this, &next](std::span<const Shipment> shipments) {
                                   const LocalIndex num_ghosts = take_shipments(shipments, next);
                                   next += num_ghosts;
                                   return num_ghosts;
                                 });
}

/// Of one rank, whose ghosts begin at `first`; returns their number.
LocalIndex Contributions::take_shipments(std::span<const Shipment> shipments, LocalIndex first) {
  std::map<std::int32_t, geometry::Point> coordinates; // by column
  for (const Shipment& shipment : shipments) {
    coordinates[shipment.column] = shipment.coordinates;
  }
  std::map<std::int32_t, LocalIndex> ghost_of; // ascending, as the sender sorts
  for (const auto& [column, x] : coordinates) {
    ghost_of[column] = first++;
    ghost_coordinates_.insert(ghost_coordinates_.end(), x.begin(), x.begin() + dimensions_);
  }
  for (const Shipment& shipment : shipments) {
    entries_.push_back({owners_->known.at({shipment.provider_rank, shipment.vertex}),
                        ghost_of.at(shipment.column), shipment.weight});
  }
  return static_cast<LocalIndex>(coordinates.size());
}

void Contributions::add(const mapping::Interpolation& found) {
  found.for_each([this](LocalIndex point, LocalIndex column, double weight) {
    entries_.push_back({column, point, weight});
  });
}

void Contributions::add_taken(const mapping::Interpolation& found) {
  found.for_each([this](LocalIndex point, LocalIndex column, double weight) {
    entries_.push_back({point, column, weight});
  });
}

Contributions::Result Contributions::finish() {
  if (owners_) {
    send_to_owners();
  }
  std::vector<LocalIndex> numbers(named_.size(), -1);
  LocalIndex next = 0;
  for (std::size_t vertex = 0; vertex < named_.size(); ++vertex) {
    if (named_[vertex] != 0) {
      numbers[vertex] = next++;
    }
  }
  for (mapping::Entry& entry : entries_) {
    entry.row = numbers[static_cast<std::size_t>(entry.row)];
  }
  Result result;
  result.rows = mapping::Rows::from_entries(next, entries_);
  release(entries_);
  if (ghost_coordinates_.empty()) {
    result.rows.sort_by_place(dimensions_, own_.coordinates());
  } else {
    std::vector<double> coordinates(own_.coordinates().begin(), own_.coordinates().end());
    coordinates.insert(coordinates.end(), ghost_coordinates_.begin(), ghost_coordinates_.end());
    result.rows.sort_by_place(dimensions_, coordinates);
  }
  result.halo = std::move(halo_);
  return result;
}

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
      transfer::mark(mapping.vertices, contributed);
    }
  }
  const OwnersOfVertices owners = ask_for_owners(context, parts, contributed);
  for (PlannedMapping* mapping : joined) {
    hand_over(context, parts, owners, *mapping);
    mapping->routes = send_written(context, parts, mapping->vertices);
  }
}

} // namespace isthmus::planning
