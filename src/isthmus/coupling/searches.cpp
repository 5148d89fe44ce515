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

/// The same from what is remembered, which is made anew where that is not enough.
mapping::Interpolation interpolate_again(const SearchPlaces& places, const MappingUse& use,
                                         SearchMemory::One& one,
                                         const std::vector<LocalIndex>* moved) {
  const mesh::Mesh& own = places.own_mesh(use.own_mesh);
  const auto own_moved = moved != nullptr ? moved_vertices(one.own, own) : std::nullopt;
  const auto vertices = places.received.coordinates();
  const bool nearest = use.mapping->kind == config::MappingKind::nearest_neighbor &&
                       places.received.num_vertices() > 0;
  if (nearest && own_moved && one.nearest) {
    one.nearest->update(vertices, *moved, own.coordinates(), *own_moved);
  } else if (nearest) {
    one.nearest.emplace(own.dimensions(), vertices, own.coordinates());
  } else if (!own_moved || !moved->empty() || !own_moved->empty()) {
    one.nearest.reset();
    one.result = interpolate(places, use);
  }
  one.own = own;
  return one.nearest ? one.nearest->result() : one.result;
}

} // namespace

Searches search_all(const SearchPlaces& places, SearchMemory* memory,
                    const std::vector<LocalIndex>* moved) {
  Searches searches;
  if (memory != nullptr && memory->all.empty()) {
    moved = nullptr;
  }
  for (const MappingUse& use : places.relation.uses) {
    auto same =
        std::find_if(searches.all.begin(), searches.all.end(),
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
        search.result = interpolate_again(places, use, memory->all[number], moved);
      }
      same = searches.all.end() - 1;
    }
    ++same->users;
    searches.of.push_back(static_cast<std::size_t>(same - searches.all.begin()));
  }
  return searches;
}

} // namespace isthmus::coupling
