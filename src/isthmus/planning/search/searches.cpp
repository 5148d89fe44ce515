// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/searches.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/mapping/candidate_projection.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/part_changes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace isthmus::planning {

namespace {

/// On the mesh in which the use looks. `surveys`: by use, or none.
std::unique_ptr<mapping::Mapping> make_for_use(const Inputs& inputs,
                                               const protocol::MeshRelation& relation,
                                               std::span<const protocol::Survey> surveys,
                                               std::size_t u, const mesh::Mesh& received) {
  const protocol::MappingUse& use = relation.uses[u];
  const mesh::Mesh& searched = use.searches_received ? received : inputs.meshes.at(use.own_mesh);
  return !surveys.empty() && use.is_surveyed()
             ? inputs.mappings->make_for_part(*use.mapping, searched, surveys[u])
             : inputs.mappings->make(*use.mapping, searched);
}

/// Some vertices of a mesh, without elements.
mesh::Mesh vertices_of(const mesh::Mesh& mesh, std::span<const LocalIndex> vertices) {
  return {mesh.name(), mesh.dimensions(), mesh::coordinates_of(mesh, vertices), {}, {}};
}

} // namespace

void Searches::run(const mesh::Mesh& received, const geometry::Box& region, SearchMemory* memory,
                   const std::vector<LocalIndex>* moved) {
  for (const protocol::MappingUse& use : relation_.uses) { // what is collective
    if (use.gathers() && comm_.size() > 1 && gathered_.count(use.own_mesh) == 0) {
      gathered_[use.own_mesh] = gather_mesh(comm_, inputs_.meshes.at(use.own_mesh));
    }
  }
  comm::agree(comm_, [&] {
    if (memory != nullptr && memory->surveys != surveys_) { // whatever has moved here
      memory->surveys = surveys_;
      moved = nullptr;
    }
    const bool knows = memory != nullptr && moved != nullptr;
    run_all(received, region, memory, moved, knows ? own_moves(*memory) : Moves());
  });
}

void Searches::run_alone(const mesh::Mesh& received, SearchMemory& memory,
                         const std::vector<LocalIndex>* moved) {
  Moves moves;
  for (SearchMemory::One& one : memory.all) {
    moves.emplace_back(std::exchange(one.own.moved, {}));
  }
  run_all(received, {}, &memory, moved, moves);
}

std::optional<LateSystem> Searches::system(std::size_t use, const mesh::Mesh& received) const {
  const protocol::MappingUse& what = relation_.uses[use];
  if (!what.solves()) {
    return std::nullopt;
  }
  return LateSystem{&what, vertices_of(received, share(received)),
                    &inputs_.meshes.at(what.own_mesh)};
}

std::vector<LocalIndex> Searches::share(const mesh::Mesh& received) const {
  if (share_) {
    return *share_;
  }
  const GlobalIndex count = received.num_vertices();
  const Share own =
      relation_.sends_regions() ? share_of(comm_.rank(), comm_.size(), count) : Share{0, count};
  std::vector<LocalIndex> vertices(static_cast<std::size_t>(own.count));
  std::iota(vertices.begin(), vertices.end(), static_cast<LocalIndex>(own.first));
  return vertices;
}

Searches::Moves Searches::own_moves(const SearchMemory& memory) const {
  Moves moves;
  for (const SearchMemory::One& one : memory.all) {
    moves.push_back(transfer::moved_vertices(one.own.mesh, inputs_.meshes.at(one.own.mesh.name())));
  }
  return moves;
}

void Searches::run_all(const mesh::Mesh& received, const geometry::Box& region,
                       SearchMemory* memory, const std::vector<LocalIndex>* moved,
                       const Moves& moves) {
  searches_.clear();
  search_of_.clear();
  for (std::size_t i = 0; memory != nullptr && i < memory->all.size(); ++i) {
    memory->all[i].own.moved.clear();
  }
  are_as_before_ =
      memory != nullptr && moved != nullptr && moved->empty() &&
      std::all_of(moves.begin(), moves.end(), [](const auto& of) { return of && of->empty(); });
  if (are_as_before_) {
    return;
  }
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    const protocol::MappingUse& use = relation_.uses[u];
    auto same = std::find_if(searches_.begin(), searches_.end(), [&use](const Search& other) {
      return other.use->finds_the_same(use);
    });
    if (same == searches_.end()) {
      const std::size_t number = searches_.size();
      Search& search = searches_.emplace_back(Search{&use, {}, nullptr});
      if (use.direct) {
        Found found = find_in(region, use.around, comm_.size() == 1, received);
        accessed_ = std::move(found.accessed);
        search.result = std::move(found.origins);
        needed_by_access_ = found.needed;
      } else if (memory == nullptr) {
        find_once(search, u, received);
      } else {
        memory->all.resize(std::max(memory->all.size(), number + 1));
        const bool knows = moved != nullptr && number < moves.size() && moves[number];
        find_again(search, u, received, memory->all[number], moved,
                   knows ? &*moves[number] : nullptr);
      }
      same = searches_.end() - 1;
    }
    ++same->users;
    search_of_.push_back(static_cast<std::size_t>(same - searches_.begin()));
  }
}

/// The same from what is remembered, which is made anew where `moved` is null.
void Searches::find_again(Search& search, std::size_t use, const mesh::Mesh& received,
                          SearchMemory::One& one, const std::vector<LocalIndex>* moved,
                          const std::vector<LocalIndex>* own_moved) const {
  const protocol::MappingUse& what = relation_.uses[use];
  const mesh::Mesh& own = inputs_.meshes.at(what.own_mesh);
  const auto vertices = received.coordinates();
  const bool nearest =
      what.mapping->kind == config::MappingKind::nearest_neighbor && received.num_vertices() > 0;
  const bool knows = moved != nullptr && own_moved != nullptr;
  if (nearest && knows && one.nearest) {
    one.nearest->update(vertices, *moved, own.coordinates(), *own_moved);
  } else if (nearest) {
    one.nearest.emplace(own.dimensions(), vertices, own.coordinates(),
                        comm_.size() == 1 ? geometry::Ties::by_number : geometry::Ties::by_place);
  } else if (!knows || !moved->empty() || !own_moved->empty()) {
    one.nearest.reset();
    one.result = find(use, received, search.mapping);
    if (what.searches_received && what.has_candidates()) {
      mapping::note_needed(received, own.coordinates(), true, one.result);
    }
  }
  transfer::remember_mesh(own, knows ? own_moved : nullptr, one.own.mesh);
  if (one.nearest) {
    search.nearest = &*one.nearest;
  } else {
    search.result = one.result;
  }
}

mapping::Interpolation Searches::find(std::size_t u, const mesh::Mesh& received,
                                      std::unique_ptr<mapping::Mapping>& kept) const {
  const protocol::MappingUse& use = relation_.uses[u];
  if (use.solves()) {
    std::vector<LocalIndex> columns = share(received);
    const std::size_t count = columns.size();
    return {std::vector<LocalIndex>(count, 1), std::move(columns), std::vector<double>(count, 1.0),
            std::vector<double>(count, 0.0)};
  }
  if (const GatheredMesh* all = gathered(use)) {
    return find_gathered(comm_, use, received, *all, *inputs_.mappings);
  }
  const mesh::Mesh& own = inputs_.meshes.at(use.own_mesh);
  if (use.searches_nearby() && comm_.size() > 1) {
    return nearest_own(received, own);
  }
  auto mapping = make_for_use(inputs_, relation_, surveys_, u, received);
  mapping::Interpolation found = mapping->onto(use.searches_received ? own : received);
  if (comm_.size() > 1 && protocol::candidates_are_joined(relation_, u)) {
    kept = std::move(mapping);
  }
  return found;
}

/// Now or, where weights are late, later. These are of no other use.
void Searches::find_once(Search& search, std::size_t u, const mesh::Mesh& received) const {
  const protocol::MappingUse& use = relation_.uses[u];
  if (use.is_late() && (use.searches_received || comm_.size() == 1)) { // else see find_nearby()
    const mesh::Mesh& own = inputs_.meshes.at(use.own_mesh);
    search.late = make_for_use(inputs_, relation_, surveys_, u, received)
                      ->later(use.searches_received ? own : received);
  }
  if (!search.late) {
    search.result = find(u, received, search.mapping);
  }
}

const GatheredMesh* Searches::gathered(const protocol::MappingUse& use) const {
  return use.gathers() && comm_.size() > 1 ? &gathered_.at(use.own_mesh) : nullptr;
}

std::vector<GlobalIndex> Searches::needed_vertices(const mesh::Mesh& received) const {
  const bool scaled = std::any_of(relation_.uses.begin(), relation_.uses.end(),
                                  [](const protocol::MappingUse& use) { return use.scaled(); });
  std::vector<GlobalIndex> vertices;
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    const protocol::MappingUse& use = relation_.uses[u];
    const Search& search = searches_[search_of_[u]];
    if (search.late && !scaled) {
      const std::vector<LocalIndex> taken = search.late->vertices();
      vertices.insert(vertices.end(), taken.begin(), taken.end());
    } else if ((use.searches_received || use.solves()) && !scaled) {
      const std::vector<LocalIndex>& columns = result(u).columns;
      vertices.insert(vertices.end(), columns.begin(), columns.end());
    } else { // its vertices are claimed, or their values integrated
      for (GlobalIndex vertex = 0; vertex < received.num_vertices(); ++vertex) {
        vertices.push_back(vertex);
      }
    }
  }
  sort_once(vertices);
  return vertices;
}

Searches::Changes Searches::changes() const {
  Changes all;
  for (const std::size_t number : search_of_) {
    const mapping::MovingNearest* nearest = searches_[number].nearest;
    if (nearest == nullptr || nearest->changes() == nullptr) {
      return {};
    }
    all.push_back(nearest->changes());
  }
  return all;
}

mapping::Interpolation Searches::take(std::size_t use) {
  Search& search = searches_[search_of_[use]];
  return --search.users == 0 && search.nearest == nullptr ? std::move(search.result)
                                                          : search.found();
}

double Searches::farthest_answer() const {
  double farthest2 = 0;
  double farthest = needed_by_access_;
  for (const Search& search : searches_) {
    if (search.late) {
      farthest = std::max(farthest, search.late->needed());
    }
    if (search.use->searches_received) {
      const mapping::Interpolation& found = search.found();
      for (const std::vector<double>* all : {&found.distances2, &found.needed2}) {
        for (const double distance2 : *all) {
          farthest2 = std::max(farthest2, distance2);
        }
      }
    }
  }
  return std::max(std::sqrt(farthest2), farthest);
}

void Searches::forget_distances() {
  for (Search& search : searches_) {
    release(search.result.distances2, search.result.needed2);
    search.mapping.reset();
  }
}

} // namespace isthmus::planning
