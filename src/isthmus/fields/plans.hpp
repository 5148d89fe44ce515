// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/planning/provide_mesh.hpp"
#include "isthmus/planning/receive_mesh.hpp"
#include "isthmus/planning/search/inputs.hpp"

#include <algorithm>
#include <deque>
#include <string_view>

namespace isthmus::fields {

/// All plans of one participant, kept while no mesh changes, and what they were made of.
struct Plans {
  planning::Inputs inputs;
  std::deque<planning::ProvidedRelation> provided; // addresses of plans stay
  std::deque<planning::ReceivedRelation> received;

  /// Of a relation that this participant provides; there is one.
  [[nodiscard]] planning::ProvidedRelation& provided_for(const protocol::MeshRelation& relation) {
    return of(provided, relation);
  }
  /// Of a relation that it receives; there is one.
  [[nodiscard]] planning::ReceivedRelation& received_for(const protocol::MeshRelation& relation) {
    return of(received, relation);
  }
  /// Of a received mesh; null without one.
  [[nodiscard]] const planning::ReceivedRelation* find_received(std::string_view mesh) const {
    const auto found = std::find_if(
        received.begin(), received.end(),
        [mesh](const planning::ReceivedRelation& one) { return one.relation->mesh == mesh; });
    return found == received.end() ? nullptr : &*found;
  }
  /// Of a provided mesh with one of those who receive it; null without one.
  [[nodiscard]] const planning::ProvidedRelation* find_provided(std::string_view mesh,
                                                                std::string_view receiver) const {
    const auto found =
        std::find_if(provided.begin(), provided.end(), [&](const planning::ProvidedRelation& one) {
          return one.relation->mesh == mesh && one.relation->receiver == receiver;
        });
    return found == provided.end() ? nullptr : &*found;
  }

 private:
  template <class Side>
  [[nodiscard]] static Side& of(std::deque<Side>& sides, const protocol::MeshRelation& relation) {
    return *std::find_if(sides.begin(), sides.end(),
                         [&relation](const Side& one) { return one.relation == &relation; });
  }
};

} // namespace isthmus::fields
