// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/participant/participant.hpp"

#include <mpi.h>

namespace isthmus {

/// Of this rank of a participant whose ranks are those of `own`, in a job whose ranks are all those
/// of `joint`. Both must outlive what is launched. Not collective.
[[nodiscard]] inline Launch joint_launch(const MPI_Comm& own, const MPI_Comm& joint) {
  Launch launch;
  MPI_Comm_rank(own, &launch.rank);
  MPI_Comm_size(own, &launch.size);
  launch.communicator = &own;
  launch.joint_communicator = &joint;
  return launch;
}

} // namespace isthmus
