// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/ghosts.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/planning/protocol/messages.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace isthmus::planning {

Ghosts number_ghosts(std::span<const transfer::Part> parts, const std::vector<char>& needed) {
  Ghosts ghosts;
  ghosts.of_vertex.assign(needed.size(), -1);
  for (const transfer::Part& part : parts) {
    std::vector<LocalIndex>& positions = ghosts.positions.emplace_back();
    for (LocalIndex i = 0; i < part.count; ++i) {
      const auto vertex = static_cast<std::size_t>(part.first + i);
      if (needed[vertex] != 0) {
        ghosts.of_vertex[vertex] = ghosts.count++;
        positions.push_back(i);
      }
    }
  }
  return ghosts;
}

std::vector<Route> routes_of(const Ghosts& ghosts, std::span<const transfer::Part> parts) {
  std::vector<Route> routes;
  LocalIndex first = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto count = static_cast<LocalIndex>(ghosts.positions[p].size());
    if (count > 0) {
      routes.push_back({parts[p].link, first, count, {}});
    }
    first += count;
  }
  return routes;
}

std::vector<char> receive_shared(partner::Context& context, std::span<const Route> routes) {
  std::vector<char> shared;
  for (const Route& route : routes) {
    const std::vector<char> of_route = receive<Shared>(context, route.link).list;
    check(of_route.size() == static_cast<std::size_t>(route.count),
          "a message of shared vertices is too short");
    shared.insert(shared.end(), of_route.begin(), of_route.end());
  }
  return shared;
}

void read_ghosts(const Ghosts& ghosts, PlannedMapping& mapping) {
  for (LocalIndex& column : mapping.rows.columns()) {
    column = ghosts.of_vertex[static_cast<std::size_t>(column)];
  }
  const std::vector<double> measures = std::exchange(mapping.from_measures, {});
  mapping.from_measures.resize(measures.empty() ? 0 : static_cast<std::size_t>(ghosts.count));
  for (std::size_t i = 0; i < measures.size(); ++i) {
    if (ghosts.of_vertex[i] >= 0) {
      mapping.from_measures[static_cast<std::size_t>(ghosts.of_vertex[i])] = measures[i];
    }
  }
}

GhostUsers::GhostUsers(const Ghosts& ghosts, std::span<const PlannedMapping> mappings)
    : of_vertex_(ghosts.of_vertex), num_users_(ghosts.of_vertex.size(), 0) {
  std::vector<std::int32_t> of_ghost(static_cast<std::size_t>(ghosts.count), 0);
  for (const PlannedMapping& mapping : mappings) {
    for (const LocalIndex column : mapping.rows.columns()) {
      ++of_ghost[static_cast<std::size_t>(column)];
    }
  }
  for (std::size_t v = 0; v < of_vertex_.size(); ++v) {
    if (of_vertex_[v] >= 0) {
      num_users_[v] = of_ghost[static_cast<std::size_t>(of_vertex_[v])];
    }
  }
}

bool GhostUsers::update(
    std::span<const std::vector<mapping::MovingNearest::Change>* const> changes) {
  for (const auto* of_use : changes) {
    for (const auto& change : *of_use) {
      --num_users_[static_cast<std::size_t>(change.before)];
      ++num_users_[static_cast<std::size_t>(change.now)];
    }
  }
  return std::all_of(changes.begin(), changes.end(), [this](const auto* of_use) {
    return std::all_of(of_use->begin(), of_use->end(), [this](const auto& change) {
      return num_users_[static_cast<std::size_t>(change.before)] != 0 && ghost(change.now) >= 0;
    });
  });
}

namespace {

/// The elements whose corners are all held, in new numbers.
std::vector<LocalIndex> held_elements(std::span<const LocalIndex> elements, std::size_t corners,
                                      std::span<const LocalIndex> numbers) {
  std::vector<LocalIndex> held;
  for (std::size_t first = 0; first < elements.size(); first += corners) {
    const auto element = elements.subspan(first, corners);
    const auto number = [numbers](LocalIndex v) { return numbers[static_cast<std::size_t>(v)]; };
    if (std::all_of(element.begin(), element.end(), [&](LocalIndex v) { return number(v) >= 0; })) {
      std::transform(element.begin(), element.end(), std::back_inserter(held), number);
    }
  }
  return held;
}

} // namespace

HeldMesh hold(const mesh::Mesh& transferred, const Ghosts& ghosts,
              std::span<const PlannedMapping> mappings, std::span<const double> measures) {
  std::vector<LocalIndex> numbers = ghosts.of_vertex; // -1: not held
  for (const PlannedMapping& mapping : mappings) {
    for (const LocalIndex vertex : mapping.vertices) {
      numbers[static_cast<std::size_t>(vertex)] = 0;
    }
  }
  HeldMesh held;
  held.read.resize(static_cast<std::size_t>(ghosts.count));
  std::vector<double> coordinates;
  LocalIndex next = 0;
  for (LocalIndex v = 0; v < transferred.num_vertices(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    if (numbers[at] >= 0) {
      const auto x = transferred.vertex(v);
      coordinates.insert(coordinates.end(), x.begin(), x.end());
      if (ghosts.of_vertex[at] >= 0) {
        held.read[static_cast<std::size_t>(ghosts.of_vertex[at])] = next;
      }
      if (!measures.empty()) {
        held.measures.push_back(measures[at]);
      }
      numbers[at] = next++;
    }
  }
  for (const PlannedMapping& mapping : mappings) {
    std::vector<LocalIndex>& written = held.written.emplace_back();
    for (const LocalIndex vertex : mapping.vertices) {
      written.push_back(numbers[static_cast<std::size_t>(vertex)]);
    }
  }
  held.mesh = mesh::Mesh(transferred.name(), transferred.dimensions(), std::move(coordinates),
                         held_elements(transferred.edges(), 2, numbers),
                         held_elements(transferred.triangles(), 3, numbers),
                         held_elements(transferred.tetrahedra(), 4, numbers));
  return held;
}

} // namespace isthmus::planning
