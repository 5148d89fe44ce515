// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/writing/owners.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/planning/route.hpp"
#include "isthmus/protocol/messages.hpp"

#include <algorithm>

namespace isthmus::planning {

std::size_t num_transferred(std::span<const transfer::Part> parts) {
  return parts.empty() ? 0 : static_cast<std::size_t>(parts.back().first + parts.back().count);
}

OwnersOfVertices ask_for_owners(partner::Context& context, std::span<const transfer::Part> parts,
                                std::span<const char> contributed) {
  for (const transfer::Part& part : parts) {
    protocol::send(context, part.link, protocol::Contributed{marked_positions(part, contributed)});
  }
  OwnersOfVertices owners;
  owners.owner.assign(contributed.size(), context.comm.rank());
  owners.vertex.assign(contributed.size(), -1);
  for (const transfer::Part& part : parts) {
    const std::vector<LocalIndex> positions = marked_positions(part, contributed);
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

int provider_of(std::span<const transfer::Part> parts, LocalIndex vertex) {
  return std::find_if(parts.begin(), parts.end(),
                      [vertex](const transfer::Part& part) {
                        return vertex >= part.first && vertex < part.first + part.count;
                      })
      ->rank;
}

} // namespace isthmus::planning
