// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/searches.hpp"

#include "isthmus/comm/agree.hpp"
#include "isthmus/coupling/access.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::coupling {

void Searches::run(const mesh::Mesh& received, const geometry::Box& region) {
  solvers_.resize(relation_.uses.size());
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    prepare(u, received);
  }
  comm::agree(comm_, [&] { run_all(received, region); });
}

/// What is collective.
void Searches::prepare(std::size_t use, const mesh::Mesh& received) {
  const MappingUse& what = relation_.uses[use];
  if (what.gathers() && comm_.size() > 1 && gathered_.count(what.own_mesh) == 0) {
    gathered_[what.own_mesh] = gather_mesh(comm_, own_mesh_(what.own_mesh));
  }
  if (what.solves(comm_.size())) {
    solvers_[use] = make_mapping_(*what.mapping, received)
                        ->distribute(comm_, own_mesh_(what.own_mesh).coordinates());
  }
}

void Searches::run_all(const mesh::Mesh& received, const geometry::Box& region) {
  searches_.clear();
  search_of_.clear();
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    const MappingUse& use = relation_.uses[u];
    auto same = std::find_if(searches_.begin(), searches_.end(), [&use](const Search& other) {
      return other.use->finds_the_same(use);
    });
    if (same == searches_.end() && use.direct) {
      accessed_ = mesh::Mesh(relation_.mesh, relation_.dimensions);
      searches_.push_back({&use, find_in(region, received, accessed_)});
      same = searches_.end() - 1;
    } else if (same == searches_.end()) {
      searches_.push_back({&use, find(u, received)});
      same = searches_.end() - 1;
    }
    ++same->users;
    search_of_.push_back(static_cast<std::size_t>(same - searches_.begin()));
  }
}

mapping::Interpolation Searches::find(std::size_t u, const mesh::Mesh& received) const {
  const MappingUse& use = relation_.uses[u];
  if (solvers_[u]) {
    const std::span<const LocalIndex> vertices = solvers_[u]->vertices();
    return {std::vector<LocalIndex>(vertices.size(), 1),
            {vertices.begin(), vertices.end()},
            std::vector<double>(vertices.size(), 1.0),
            std::vector<double>(vertices.size(), 0.0)};
  }
  if (const GatheredMesh* all = gathered(use)) {
    return find_together(comm_, use, received, *all, make_mapping_);
  }
  const mesh::Mesh& own = own_mesh_(use.own_mesh);
  const mesh::Mesh& searched = use.searches_received ? received : own;
  const mesh::Mesh& asking = use.searches_received ? own : received;
  return make_mapping_(*use.mapping, searched)->onto(asking);
}

const GatheredMesh* Searches::gathered(const MappingUse& use) const {
  return use.gathers() && comm_.size() > 1 ? &gathered_.at(use.own_mesh) : nullptr;
}

mapping::Interpolation Searches::take(std::size_t use) {
  Search& search = searches_[search_of_[use]];
  return --search.users == 0 ? std::move(search.result) : search.result;
}

double Searches::farthest_answer() const {
  double farthest2 = 0;
  for (const Search& search : searches_) {
    if (search.use->searches_received) {
      for (double distance2 : search.result.distances2) {
        farthest2 = std::max(farthest2, distance2);
      }
    }
  }
  return std::sqrt(farthest2);
}

void Searches::forget_distances() {
  for (Search& search : searches_) {
    search.result.distances2 = {};
  }
}

} // namespace isthmus::coupling
