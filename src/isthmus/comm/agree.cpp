// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/agree.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/settings.hpp"

#include <algorithm>
#include <array>
#include <memory>

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

void agree_on(MPI_Comm parent, const std::optional<std::string>& failure) {
  using Text = std::array<char, 2000>;
  Comm alone; // there is nothing to look at during a wait
  alone.set_watch({}, with_environment({}).patience_s);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(parent, &rank);
  MPI_Comm_size(parent, &size);
  auto failing = std::make_unique<int>(failure ? rank : size);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, failing.get(), 1, MPI_INT, MPI_MIN, parent, &request),
            "MPI_Iallreduce");
  await_collective(alone, request, failing);
  if (*failing == size) {
    return;
  }
  auto text = std::make_unique<Text>(Text{});
  if (*failing == rank) {
    std::copy_n(failure->begin(), std::min(failure->size(), text->size() - 1), text->begin());
  }
  check_mpi(MPI_Ibcast(text->data(), static_cast<int>(text->size()), MPI_CHAR, *failing, parent,
                       &request),
            "MPI_Ibcast");
  await_collective(alone, request, text);
  throw Error(*failing == 0 ? text->data() : fmt::format("rank {}: {}", *failing, text->data()));
}

} // namespace isthmus::comm
