// SPDX-License-Identifier: BSD-3-Clause
// peer_step VERTICES WINDOWS FOLDER: advance() of the first of two processes that send one value
// per vertex each way, serial-explicit over sockets, so that it is a round trip. It knows the
// interface of preCICE only: the same source is built with Isthmus and with a preCICE that is
// installed, to be measured by turns. One line: median and quartiles in microseconds, number of
// windows.
#include <precice/precice.hpp>

#include "first_and_second.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr int warm_up = 20; // windows

/// Microseconds of each advance() after the first ones.
std::vector<double> couple(bool is_first, const std::string& file, std::size_t vertices) {
  const std::string mesh = is_first ? "First-Mesh" : "Second-Mesh";
  precice::Participant participant(is_first ? "First" : "Second", file, 0, 1);
  std::vector<double> coordinates(2 * vertices);
  std::iota(coordinates.begin(), coordinates.end(), 0.0);
  std::vector<precice::VertexID> ids(vertices);
  participant.setMeshVertices(mesh, coordinates, ids);
  std::vector<double> values(vertices, 1.0);
  participant.initialize();
  std::vector<double> times;
  for (int window = 0; participant.isCouplingOngoing(); ++window) {
    participant.readData(mesh, is_first ? "Y" : "X", ids, 0.0, values);
    participant.writeData(mesh, is_first ? "X" : "Y", ids, values);
    const auto begin = std::chrono::steady_clock::now();
    participant.advance(1.0);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    if (window >= warm_up) {
      times.push_back(took.count());
    }
  }
  participant.finalize();
  return times;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "peer_step VERTICES WINDOWS FOLDER\n");
    return 2;
  }
  const auto vertices = static_cast<std::size_t>(std::atoi(argv[1]));
  const std::string folder = argv[3];
  const std::string file = folder + "/peer_step.xml";
  const std::string windows = std::to_string(warm_up + std::atoi(argv[2]));
  const FirstAndSecond run{
      .directory = folder,
      .windows = "<max-time-windows value=\"" + windows + "\" /><time-window-size value=\"1\" />"};
  std::ofstream(file) << run.xml();
  const pid_t other = fork();
  if (other == 0) {
    couple(false, file, vertices);
    std::_Exit(0);
  }
  std::vector<double> times = couple(true, file, vertices);
  int status = 0;
  waitpid(other, &status, 0);
  std::sort(times.begin(), times.end());
  const auto quantile = [&times](double share) {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  if (times.empty() || status != 0) {
    return 1;
  }
  std::printf("median_us,low_us,high_us,windows\n%.3f,%.3f,%.3f,%zu\n", quantile(0.5),
              quantile(0.25), quantile(0.75), times.size());
}
