// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/accelerator.hpp"

#include "isthmus/comm/collective.hpp"

namespace isthmus::acceleration {

void accelerate(Accelerator& accelerator, const comm::Comm& comm, std::span<const Iterate> fields) {
  std::vector<Twofold> sums;
  accelerator.measure(fields, sums);
  comm::allreduce_sum(comm, sums);
  accelerator.absorb(sums);
  accelerator.improve(fields);
}

} // namespace isthmus::acceleration
