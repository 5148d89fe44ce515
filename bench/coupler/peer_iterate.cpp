// SPDX-License-Identifier: BSD-3-Clause
// peer_iterate VERTICES WINDOWS FOLDER: coupled iterations on that many vertices, or that many time
// windows, between two processes; 0 leaves one of the two out. It knows the interface of preCICE
// only: the same source is built with Isthmus and with a preCICE that is installed, to be measured
// by turns.
//
// "quasi-newton": advance() of the participant that accelerates, parallel-implicit with IQN-ILS, a
// vector forth and a scalar back, 8 iterations per window; the columns of so many earlier windows
// are reused. "serial-explicit" and "parallel-implicit" (one vertex, two steps per window, two
// iterations with IQN-ILS): windows of 0.1, the memory of the process that was resident after a
// tenth of them and at the end, and how far the sum of the steps is from the end. One line of comma
// separated values per case.
#include <precice/precice.hpp>

#include "implicit_case.hpp"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// MB of this process alone: of the buffers that it shares more and more is in use at first.
double resident_memory() {
  long total = 0;
  long resident = 0;
  long shared = 0;
  std::ifstream("/proc/self/statm") >> total >> resident >> shared;
  return 1e-6 * static_cast<double>((resident - shared) * ::sysconf(_SC_PAGESIZE));
}

/// CLOCK_MONOTONIC, which never jumps, or the processor time of this process.
double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Figures {
  std::vector<double> seconds; // of advance(), sorted
  std::vector<double> busy;    // the same, of the processor
  double early_memory = 0;
  double memory = 0;
  int windows = 0;
  double drift = 0; // of the sum of all steps, relative
};

Figures couple(const Case& what, std::size_t count, const std::string& file, bool first) {
  const std::string mesh = first ? "First-Mesh" : "Second-Mesh";
  precice::Participant participant(first ? "First" : "Second", file, 0, 1);
  std::vector<precice::VertexID> ids(count);
  participant.setMeshVertices(mesh, places(count, 0), ids);
  participant.initialize();
  Figures figures;
  for (std::vector<double>* times : {&figures.seconds, &figures.busy}) {
    times->assign(static_cast<std::size_t>(what.windows * what.iterations * what.steps), 0);
    times->clear(); // its memory is there from the start
  }
  std::vector<double> written(first ? 3 * count : count);
  std::vector<double> read(first ? count : 3 * count);
  long double time = 0; // whose rounding does not show beside that of the steps
  long double kept = 0;
  for (int call = 0; participant.isCouplingOngoing(); ++call) {
    if (participant.requiresWritingCheckpoint()) {
      kept = time;
    }
    const double dt = std::min(window_size / what.steps, participant.getMaxTimeStepSize());
    participant.readData(mesh, first ? "Y" : "X", ids, dt, read);
    answer(first, call, read, written);
    participant.writeData(mesh, first ? "X" : "Y", ids, written);
    const double start = seconds_of(CLOCK_MONOTONIC);
    const double busy = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    participant.advance(dt);
    figures.seconds.push_back(seconds_of(CLOCK_MONOTONIC) - start);
    figures.busy.push_back(seconds_of(CLOCK_PROCESS_CPUTIME_ID) - busy);
    time += dt;
    if (participant.requiresReadingCheckpoint()) {
      time = kept;
    }
    figures.windows += participant.isTimeWindowComplete() ? 1 : 0;
    if (figures.windows <= what.windows / 10) {
      figures.early_memory = resident_memory();
    }
  }
  figures.memory = resident_memory();
  const double end = what.windows * window_size;
  figures.drift = std::abs(static_cast<double>(time) - end) / end;
  participant.finalize();
  std::sort(figures.seconds.begin(), figures.seconds.end());
  std::sort(figures.busy.begin(), figures.busy.end());
  return figures;
}

void measure(const std::string& name, const Case& what, int vertices, const std::string& folder) {
  const std::string file = folder + "/peer_iterate.xml";
  std::ofstream(file) << configuration(what, folder);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) {
    throw std::runtime_error("cannot start a second process");
  }
  const double begin = seconds_of(CLOCK_MONOTONIC);
  const Figures figures = couple(what, static_cast<std::size_t>(vertices), file, child == 0);
  if (child == 0) {
    std::_Exit(0);
  }
  const double seconds = seconds_of(CLOCK_MONOTONIC) - begin;
  waitpid(child, nullptr, 0);
  std::printf("%s,%d,%d,%d,%d,%.4g,%.4g,%.4g,%.4g,%.4g,%.4f,%.4f,%.3g\n", name.c_str(), vertices,
              what.windows, what.iterations, what.reused, figures.seconds.front() * 1e6,
              figures.seconds[figures.seconds.size() / 2] * 1e6,
              figures.busy[figures.busy.size() / 2] * 1e6, figures.seconds.back() * 1e6, seconds,
              figures.early_memory, figures.memory, figures.drift);
}

void run(int vertices, int windows, const std::string& folder) {
  std::filesystem::current_path(folder); // where the logs are written
  std::printf(
      "case,vertices,windows,iterations,reused,advance_us,advance_median_us,busy_median_us,"
      "advance_max_us,seconds,early_mb,mb,drift\n");
  if (vertices > 0) {
    measure("quasi-newton", {.windows = 8, .iterations = 8}, vertices, folder);
    measure("quasi-newton", {.windows = 12, .iterations = 8, .reused = 5}, vertices, folder);
  }
  if (windows > 0) {
    measure("serial-explicit", {.scheme = "serial-explicit", .windows = windows, .steps = 2}, 1,
            folder);
    measure("parallel-implicit", {.windows = windows, .iterations = 2, .steps = 2, .reused = 2}, 1,
            folder);
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "peer_iterate VERTICES WINDOWS FOLDER\n");
    return 2;
  }
  try {
    run(std::atoi(argv[1]), std::atoi(argv[2]), argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer_iterate: %s\n", error.what());
    return 1;
  }
}
