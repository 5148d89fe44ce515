// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/mesh_relation.hpp"
#include "isthmus/coupling/receive_mesh.hpp"
#include "isthmus/mapping/mapping.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// One search that one or more uses share.
struct Search {
  const MappingUse* use;
  mapping::Interpolation result;
  int users = 0; // that still need the result

  /// The result for one of its users; the last one takes it away.
  [[nodiscard]] mapping::Interpolation take() { return --users == 0 ? std::move(result) : result; }
};

/// What is searched, and where.
struct SearchPlaces {
  const MeshRelation& relation;
  const FindMesh& own_mesh;
  const MakeMapping& make_mapping;
  const geometry::Box& region; // of direct access
  const mesh::Mesh& received;
};

/// All searches of a relation.
struct Searches {
  std::vector<Search> all;
  std::vector<std::size_t> of; // by use
  mesh::Mesh accessed;         // the vertices that the solver has access to
  bool are_as_before = false;  // nothing has moved: then there are no results
};

/// Local. `memory`: null where nothing is remembered; else of these searches from now on. `moved`:
/// received vertices that have moved since; null: everything is searched anew.
[[nodiscard]] Searches search_all(const SearchPlaces& places, SearchMemory* memory,
                                  const std::vector<LocalIndex>* moved);

} // namespace isthmus::coupling
