// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/participant/participant.hpp"

namespace precice::impl {

/// The incomplete type of the public header: a participant of the native interface.
class ParticipantImpl : public isthmus::Participant {
 public:
  using isthmus::Participant::Participant;
};

} // namespace precice::impl
