// SPDX-License-Identifier: BSD-3-Clause
#include "replay_measure.hpp"

#include "isthmus/comm/collective.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace isthmus::replay {

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Memory memory() {
  Memory result;
  std::FILE* status = std::fopen("/proc/self/status", "r");
  if (status == nullptr) {
    return result;
  }
  char line[256];
  long kilobytes = 0;
  while (std::fgets(line, sizeof line, status) != nullptr) {
    if (std::sscanf(line, "VmHWM: %ld", &kilobytes) == 1) {
      result.peak = static_cast<double>(kilobytes) / 1024;
    } else if (std::sscanf(line, "VmRSS: %ld", &kilobytes) == 1) {
      result.now = static_cast<double>(kilobytes) / 1024;
    }
  }
  std::fclose(status);
  return result;
}

std::string Phases::json(const comm::Comm& comm) const {
  std::string json;
  for (const auto& [name, phase] : phases_) {
    std::vector<double> sorted = phase.seconds;
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> medians = comm::allgather(comm, sorted[sorted.size() / 2]);
    std::sort(medians.begin(), medians.end());
    const double cpu = phase.cpu / static_cast<double>(sorted.size());
    json += fmt::format(
        "{}\"{}\": {{\"min\": {:.9g}, \"median\": {:.9g}, \"max\": {:.9g}, "
        "\"best\": {:.9g}, \"first\": {:.9g}, \"cpu\": {:.9g}, \"cpu_sum\": {:.9g}, \"grown_mb\": "
        "{:.2f}, "
        "\"peak_grown_mb\": {:.2f}}}",
        json.empty() ? "" : ",\n  ", name, medians.front(), medians[medians.size() / 2],
        medians.back(), comm::allreduce(comm, sorted.front(), comm::Op::max),
        comm::allreduce(comm, phase.seconds.front(), comm::Op::max),
        comm::allreduce(comm, cpu, comm::Op::max), comm::allreduce(comm, cpu, comm::Op::sum),
        comm::allreduce(comm, phase.after.now - phase.before.now, comm::Op::max),
        comm::allreduce(comm, phase.after.peak - phase.before.now, comm::Op::max));
  }
  return json;
}

void line_up(const comm::Comm& job, const comm::Comm& participant) {
  if (job.size() == participant.size()) {
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(job.raw(), &request);
  int done = 0;
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), done == 0) {
    ::usleep(100);
  }
}

} // namespace isthmus::replay
