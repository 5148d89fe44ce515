// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/base/reason.hpp"
#include "isthmus/comm/comm.hpp"

#include <optional>
#include <string>
#include <utility>

namespace isthmus::comm {

/// What all ranks throw together: none needs to be notified.
class Agreed : public Error {
 public:
  using Error::Error;
};

/// Collective. Throws the same Agreed on all ranks if any of them brings a failure: the text of the
/// lowest such rank, preceded by "rank r: " unless that is rank 0.
void agree_on(const Comm& comm, const std::optional<std::string>& failure);

/// The same before there is a duplicate of the solver's communicator, so that none waits in
/// MPI_Comm_dup() for a rank that gave up. Its messages are collective ones only: they cannot meet
/// those of the solver. A rank that fails waits a moment for the others, no longer: they learn of
/// it when they come and it still calls MPI.
void agree_on(MPI_Comm parent, const std::optional<std::string>& failure);

/// Collective. Runs `work` on each rank; what throws on one rank throws on all, so that none waits
/// for a rank that gave up. `work` must not be collective. `Ranks`: Comm or MPI_Comm.
template <typename Ranks, typename Work>
void agree(const Ranks& comm, Work&& work) {
  std::optional<std::string> failure;
  try {
    std::forward<Work>(work)();
  } catch (...) {
    failure = current_reason();
  }
  agree_on(comm, failure);
}

} // namespace isthmus::comm
