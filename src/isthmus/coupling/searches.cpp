// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/searches.hpp"

#include "isthmus/coupling/access.hpp"
#include "isthmus/coupling/part_changes.hpp"

#include <algorithm>

namespace isthmus::coupling {

namespace {

bool can_share(const MappingUse& a, const MappingUse& b) {
  return a.direct == b.direct &&
         (a.direct || (!a.mapping->radial_basis() && b.mapping->kind == a.mapping->kind)) &&
         a.searches_received == b.searches_received && a.own_mesh == b.own_mesh;
}

mapping::Interpolation interpolate(const SearchPlaces& places, const MappingUse& use) {
  const mesh::Mesh& own = places.own_mesh(use.own_mesh);
  const mesh::Mesh& searched = use.searches_received ? places.received : own;
  const mesh::Mesh& asking = use.searches_received ? own : places.received;
  return places.make_mapping(*use.mapping, searched)->interpolate(asking.coordinates());
}

/// Which vertices of own meshes have moved, by what is remembered.
using Moves = std::vector<std::optional<std::vector<LocalIndex>>>;

Moves own_moves(const SearchPlaces& places, const SearchMemory& memory) {
  Moves moves;
  for (const SearchMemory::One& one : memory.all) {
    moves.push_back(moved_vertices(one.own, places.own_mesh(one.own.name())));
  }
  return moves;
}

bool is_quiet(const Moves& moves) {
  return std::all_of(moves.begin(), moves.end(),
                     [](const auto& moved) { return moved && moved->empty(); });
}

/// The same from what is remembered, which is made anew where `moved` is null.
mapping::Interpolation interpolate_again(const SearchPlaces& places, const MappingUse& use,
                                         SearchMemory::One& one,
                                         const std::vector<LocalIndex>* moved,
                                         const std::vector<LocalIndex>* own_moved) {
  const mesh::Mesh& own = places.own_mesh(use.own_mesh);
  const auto vertices = places.received.coordinates();
  const bool nearest = use.mapping->kind == config::MappingKind::nearest_neighbor &&
                       places.received.num_vertices() > 0;
  const bool knows = moved != nullptr && own_moved != nullptr;
  if (nearest && knows && one.nearest) {
    one.nearest->update(vertices, *moved, own.coordinates(), *own_moved);
  } else if (nearest) {
    one.nearest.emplace(own.dimensions(), vertices, own.coordinates());
  } else if (!knows || !moved->empty() || !own_moved->empty()) {
    one.nearest.reset();
    one.result = interpolate(places, use);
  }
  if (!knows) {
    one.own = own;
  } else {
    for (const LocalIndex vertex : *own_moved) {
      one.own.move_vertices(std::span(&vertex, 1), own.vertex(vertex));
    }
  }
  return one.nearest ? one.nearest->result() : one.result;
}

} // namespace

Searches search_all(const SearchPlaces& places, SearchMemory* memory,
                    const std::vector<LocalIndex>* moved) {
  Searches searches;
  Moves moves;
  if (memory != nullptr && moved != nullptr) {
    moves = own_moves(places, *memory);
    searches.are_as_before = moved->empty() && is_quiet(moves);
    if (searches.are_as_before) {
      return searches;
    }
  }
  for (const MappingUse& use : places.relation.uses) {
    auto same = std::find_if(searches.all.begin(), searches.all.end(),
                             [&use](const Search& other) { return can_share(use, *other.use); });
    if (same == searches.all.end()) {
      const std::size_t number = searches.all.size();
      Search& search = searches.all.emplace_back(Search{&use, {}});
      if (use.direct) {
        searches.accessed = mesh::Mesh(places.relation.mesh, places.relation.dimensions);
        search.result = find_in(places.region, places.received, searches.accessed);
      } else if (memory == nullptr) {
        search.result = interpolate(places, use);
      } else {
        memory->all.resize(std::max(memory->all.size(), number + 1));
        const bool knows = number < moves.size() && moves[number];
        search.result = interpolate_again(places, use, memory->all[number], moved,
                                          knows ? &*moves[number] : nullptr);
      }
      same = searches.all.end() - 1;
    }
    ++same->users;
    searches.of.push_back(static_cast<std::size_t>(same - searches.all.begin()));
  }
  return searches;
}

} // namespace isthmus::coupling
