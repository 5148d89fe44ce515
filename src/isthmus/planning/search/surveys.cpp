// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/surveys.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::planning {

namespace {

void widen(const protocol::MeshRelation& relation, const std::vector<protocol::Survey>& surveys,
           Margin& margin) {
  for (const protocol::Survey& survey : surveys) {
    margin.widen(survey.reach, relation.may_change);
  }
}

} // namespace

void send_surveys(partner::Connection& receiver, const protocol::MeshRelation& relation,
                  const mesh::Mesh& own, const MappingFactory* mappings, Margin& margin) {
  protocol::Surveys surveys;
  check(mappings != nullptr, "nobody surveys mesh \"{}\"", relation.mesh);
  for (const protocol::MappingUse& use : relation.uses) {
    surveys.list.push_back(use.is_surveyed()
                               ? mappings->survey(receiver.context().comm, *use.mapping, own)
                               : protocol::Survey());
  }
  static_cast<void>(receiver.swap(surveys));
  widen(relation, surveys.list, margin);
}

std::vector<protocol::Survey> receive_surveys(partner::Connection& provider,
                                              const protocol::MeshRelation& relation,
                                              Margin& margin) {
  std::vector<protocol::Survey> surveys = provider.swap(protocol::Surveys()).list;
  check(surveys.size() == relation.uses.size(),
        "participant \"{}\" has sent {} surveys of mesh \"{}\" for {} uses", provider.partner(),
        surveys.size(), relation.mesh, relation.uses.size());
  widen(relation, surveys, margin);
  return surveys;
}

geometry::Box along_dead_axes(geometry::Box box, const protocol::MappingUse& use,
                              const Margin& margin) {
  constexpr double room = 0.04; // of the diagonal, for vertices that move: see boxes_around()
  const double beyond = room * margin.joint().diagonal();
  for (std::size_t k = 0; k < 3; ++k) {
    if (use.mapping->radial_basis.dead[k]) {
      box.lo[k] = std::min(box.lo[k], margin.joint().lo[k] - beyond);
      box.hi[k] = std::max(box.hi[k], margin.joint().hi[k] + beyond);
    }
  }
  return box;
}

} // namespace isthmus::planning
