// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/agree.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

namespace isthmus::comm {

void agree_on(const Comm& comm, const std::optional<std::string>& failure) {
  const int failing = allreduce(comm, failure ? comm.rank() : comm.size(), Op::min);
  if (failing == comm.size()) {
    return;
  }
  std::string text = failure.value_or("");
  bcast(comm, text, failing);
  throw Error(failing == 0 ? text : fmt::format("rank {}: {}", failing, text));
}

} // namespace isthmus::comm
