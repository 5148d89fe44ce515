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
};

} // namespace isthmus::fields
