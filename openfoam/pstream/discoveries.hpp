// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "isthmus/comm/sparse/sparse_exchange.hpp"

#include <map>
#include <vector>

namespace isthmus::openfoam {

/// Messages to ranks that do not know of them, by the kit's consensus: those that have something to
/// say send, nobody else, and all know when everything has arrived.
class Discoveries {
 public:
  /// Collective over the communicator, which OpenFOAM knows by `index`. What came, by ascending
  /// rank in it; also what a rank sent to itself.
  [[nodiscard]] std::vector<comm::Parcel> exchange(int index, MPI_Comm comm,
                                                   std::vector<comm::Parcel> outgoing);
  /// Collective. The communicator goes, and its number may come again.
  void free(int index) { comms_.erase(index); }

 private:
  std::map<int, comm::Comm> comms_;
};

} // namespace isthmus::openfoam
