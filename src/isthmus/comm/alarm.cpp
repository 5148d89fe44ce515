// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/alarm.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/comm/comm.hpp"

#include <new>
#include <string_view>

namespace isthmus::comm {

namespace {

constexpr std::size_t max_text = 2000; // bytes; eager everywhere

/// `text` stays, as MPI may read it until the end.
void send(const Comm& comm, int rank, std::string_view text) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, tag_alarm, comm.raw(),
            &request);
  MPI_Request_free(&request);
}

} // namespace

void raise_alarm(const Comm& comm, std::string_view text) noexcept {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (comm.size() == 1 || finalized != 0) {
    return;
  }
  comm.keep(); // to another communicator of the same number the messages would be broken ones
  std::string_view lent = "a rank has failed, whose memory does not suffice (std::bad_alloc)";
  text = text.substr(0, max_text);
  if (auto* const copy = new (std::nothrow) char[text.size()]) {
    text.copy(copy, text.size());
    lent = {copy, text.size()};
  }
  for (int distance = 1; distance < comm.size(); distance *= 2) {
    send(comm, (comm.rank() + distance) % comm.size(), lent);
    if (2 * distance != comm.size()) {
      send(comm, (comm.rank() - distance + comm.size()) % comm.size(), lent);
    }
  }
}

#ifdef ISTHMUS_SIMULATED
void check_alarm(const Comm& /*comm*/) {} // nobody fails there, and looking takes simulated time
#else
void check_alarm(const Comm& comm) {
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
