// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"
#include "isthmus/transport/hub.hpp"

#include <vector>

namespace isthmus::planning {

/// A rank of the receiver, and what it gets of the provided mesh.
struct Recipient {
  int rank = 0;
  transport::LinkId link = -1;
  std::vector<geometry::Box> region; // where vertices matter to it
  transfer::Selection selection;
  protocol::Read read;
  bool is_new = false; // gets other vertices than in the last plan
};

} // namespace isthmus::planning
