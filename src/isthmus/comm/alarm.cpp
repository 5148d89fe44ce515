// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/alarm.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/comm/tags.hpp"

#include <set>
#include <string>
#include <vector>

namespace isthmus::comm {

namespace {

constexpr std::size_t max_text = 2000; // bytes; eager everywhere

std::set<int> neighbours(const Comm& comm) {
  std::set<int> ranks;
  for (int distance = 1; distance < comm.size(); distance *= 2) {
    ranks.insert((comm.rank() + distance) % comm.size());
    ranks.insert((comm.rank() - distance + comm.size()) % comm.size());
  }
  ranks.erase(comm.rank());
  return ranks;
}

} // namespace

void raise_alarm(const Comm& comm, std::string_view text) noexcept {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (comm.size() == 1 || finalized != 0) {
    return;
  }
  comm.keep(); // to another communicator of the same number the messages would be broken ones
  try {
    const auto* lent = new std::string(text.substr(0, max_text)); // MPI may read it until the end
    for (const int rank : neighbours(comm)) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(lent->data(), static_cast<int>(lent->size()), MPI_CHAR, rank, tag_alarm, comm.raw(),
                &request);
      MPI_Request_free(&request);
    }
  } catch (const std::bad_alloc&) {
    // The others will run into their limits.
  }
}

#ifdef ISTHMUS_SIMULATED
void heed_alarm(const Comm& /*comm*/) {} // nobody fails there, and looking takes simulated time
#else
void heed_alarm(const Comm& comm) {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (comm.size() == 1 || finalized != 0) {
    return;
  }
  constexpr double moment_s = 0.3;
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag_alarm, comm.raw(), &there, &status);
  if (there != 0 && comm.alarm().empty()) {
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    comm.alarm().resize(static_cast<std::size_t>(length));
    MPI_Recv(comm.alarm().data(), length, MPI_CHAR, status.MPI_SOURCE, tag_alarm, comm.raw(),
             MPI_STATUS_IGNORE);
    comm.alarm_time() = now();
  }
  if (!comm.alarm().empty() && now() - comm.alarm_time() > moment_s) {
    throw Alarm(comm.alarm());
  }
}
#endif

} // namespace isthmus::comm
