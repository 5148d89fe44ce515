// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/protocol/mesh_relation.hpp"

/// B maps between the mesh M of A and its mesh N.
inline isthmus::config::Mapping nearest_neighbor(bool writes,
                                                 isthmus::config::Constraint constraint) {
  isthmus::config::Mapping mapping;
  mapping.direction = writes ? isthmus::config::Direction::write : isthmus::config::Direction::read;
  mapping.constraint = constraint;
  mapping.from = writes ? "N" : "M";
  mapping.to = writes ? "M" : "N";
  return mapping;
}

inline isthmus::protocol::MeshRelation relation_of(const isthmus::config::Mapping& mapping,
                                                   bool may_change) {
  isthmus::protocol::MeshRelation relation;
  relation.mesh = "M";
  relation.dimensions = 2;
  relation.provider = "A";
  relation.receiver = "B";
  relation.uses = {isthmus::protocol::use_of(mapping, "M")};
  relation.may_change = may_change;
  return relation;
}
