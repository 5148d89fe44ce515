// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mapping/moving_nearest.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/planning/search/access.hpp"
#include "isthmus/planning/search/gathered_mesh.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/planning/search/late_system.hpp"
#include "isthmus/planning/search/nearby_search.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/transfer/displacement.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::planning {

/// What is remembered of the searches of a relation.
struct SearchMemory {
  struct One {
    transfer::RememberedMesh own;                  // the vertices that searched
    std::optional<mapping::MovingNearest> nearest; // nearest neighbours
    mapping::Interpolation result;                 // of other mappings
  };
  std::deque<One> all;                   // searches point into it while it grows
  std::vector<protocol::Survey> surveys; // with which they were made
};

/// What the uses of a received mesh find; uses that find the same share it.
class Searches {
 public:
  /// The arguments must outlive the object.
  Searches(const comm::Comm& comm, const protocol::MeshRelation& relation, const Inputs& inputs)
      : comm_(comm), relation_(relation), inputs_(inputs) {}

  /// What is known of the whole received mesh, by use. Not called: all of it is received, or nobody
  /// has to know anything.
  void set_surveys(std::vector<protocol::Survey> surveys) { surveys_ = std::move(surveys); }
  /// Which of the received vertices are the share of this rank; none: all, where nothing else is
  /// received, or those of its share by their number, where all are.
  void set_share(std::optional<std::vector<LocalIndex>> share) { share_ = std::move(share); }
  /// Collective. Ranks fail together: what one of them cannot map, others may not even see.
  /// `region` of direct access. `memory`: null where nothing is remembered; else of these searches
  /// from now on. `moved`: received vertices that have moved since; null: all is searched anew.
  void run(const mesh::Mesh& received, const geometry::Box& region, SearchMemory* memory,
           const std::vector<LocalIndex>* moved);
  /// The same without the others, where all that has moved of both meshes is known: nothing that is
  /// collective may be needed.
  void run_alone(const mesh::Mesh& received, SearchMemory& memory,
                 const std::vector<LocalIndex>* moved);
  /// Nothing has moved for this rank: there are no results.
  [[nodiscard]] bool are_as_before() const { return are_as_before_; }

  /// Distance of the farthest answer to own vertices, and to any point of the region.
  [[nodiscard]] double farthest_answer() const;
  /// Nothing will be claimed any more.
  void forget_distances();
  [[nodiscard]] const mapping::Interpolation& result(std::size_t use) const {
    return searches_[search_of_[use]].found();
  }
  /// The received vertices that any use needs, or the provider awards, ascending.
  [[nodiscard]] std::vector<GlobalIndex> needed_vertices(const mesh::Mesh& received) const;
  /// The mapping of a use for which candidates_are_joined(), until distances are forgotten.
  [[nodiscard]] const mapping::Mapping& mapping(std::size_t use) const {
    return *searches_[search_of_[use]].mapping;
  }
  /// What has changed for each use; empty where one was searched anew.
  using Changes = std::vector<const std::vector<mapping::MovingNearest::Change>*>;
  [[nodiscard]] Changes changes() const;
  /// The result for one of its uses; the last one takes it away.
  [[nodiscard]] mapping::Interpolation take(std::size_t use);
  /// Collective. The result of a use that searches nearby on several ranks, when it is known which
  /// received vertices this rank got.
  [[nodiscard]] FoundNearby find_nearby(std::size_t use, const mesh::Mesh& received,
                                        std::span<const LocalIndex> awarded) const {
    const protocol::MappingUse& what = relation_.uses[use];
    return planning::find_nearby(comm_, what, received, awarded, own_mesh(what), *inputs_.mappings);
  }
  /// What is found for a use later, and nothing now; or null.
  [[nodiscard]] std::unique_ptr<mapping::LateInterpolation> take_late(std::size_t use) {
    return std::move(searches_[search_of_[use]].late);
  }
  /// The received vertices that are with this rank where each has to be with one.
  [[nodiscard]] std::vector<LocalIndex> share(const mesh::Mesh& received) const;
  /// The system that a use solves, if it does: its result picks the share of this rank then.
  [[nodiscard]] std::optional<LateSystem> system(std::size_t use, const mesh::Mesh& received) const;
  /// All ranks' vertices of the own mesh of a use that needs them; else null.
  [[nodiscard]] const GatheredMesh* gathered(const protocol::MappingUse& use) const;
  /// The mesh at the other end of a use.
  [[nodiscard]] const mesh::Mesh& own_mesh(const protocol::MappingUse& use) const {
    return use.direct ? accessed_.mesh : inputs_.meshes.at(use.own_mesh);
  }
  [[nodiscard]] Accessed take_accessed() { return std::move(accessed_); }

 private:
  struct Search {
    const protocol::MappingUse* use;
    mapping::Interpolation result;
    std::unique_ptr<mapping::Mapping> mapping{};        // that found it, where it is needed again
    const mapping::MovingNearest* nearest = nullptr;    // holds the result, if it is not null
    std::unique_ptr<mapping::LateInterpolation> late{}; // will find it, if it is not null
    int users = 0;                                      // that still need the result

    [[nodiscard]] const mapping::Interpolation& found() const {
      return nearest == nullptr ? result : nearest->result();
    }
  };

  /// Which vertices of own meshes have moved, by what is remembered; none: they are others.
  using Moves = std::vector<std::optional<std::vector<LocalIndex>>>;
  void run_all(const mesh::Mesh& received, const geometry::Box& region, SearchMemory* memory,
               const std::vector<LocalIndex>* moved, const Moves& moves);
  [[nodiscard]] Moves own_moves(const SearchMemory& memory) const;
  void find_again(Search& search, std::size_t use, const mesh::Mesh& received,
                  SearchMemory::One& one, const std::vector<LocalIndex>* moved,
                  const std::vector<LocalIndex>* own_moved) const;
  /// `kept`: the mapping that has searched, if it is needed again.
  [[nodiscard]] mapping::Interpolation find(std::size_t use, const mesh::Mesh& received,
                                            std::unique_ptr<mapping::Mapping>& kept) const;
  void find_once(Search& search, std::size_t use, const mesh::Mesh& received) const;

  const comm::Comm& comm_;
  const protocol::MeshRelation& relation_;
  const Inputs& inputs_;
  std::vector<protocol::Survey> surveys_; // by use
  std::optional<std::vector<LocalIndex>> share_;
  Accessed accessed_; // the vertices that the solver has access to
  double needed_by_access_ = 0;
  std::map<std::string, GatheredMesh> gathered_; // by own mesh
  std::vector<Search> searches_;
  std::vector<std::size_t> search_of_; // by use
  bool are_as_before_ = false;
};

} // namespace isthmus::planning
