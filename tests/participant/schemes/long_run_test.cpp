// SPDX-License-Identifier: BSD-3-Clause
// Many time windows: memory does not grow, time does not drift. More of them: bench_peer_iterate.
#include "isthmus/base/twofold.hpp"
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "ranks.hpp"
#include "sanitized.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace couple;

namespace {

constexpr double window_size = 0.1; // not a binary number
constexpr double step = window_size / 2;

std::string xml(const std::string& scheme, int windows) {
  const std::string control =
      R"(<max-iterations value="2"/><relative-convergence-measure data="X" mesh="A-Mesh" limit="1e-12"/>
<acceleration:IQN-ILS><data name="X" mesh="A-Mesh"/><data name="Y" mesh="A-Mesh"/><initial-relaxation value="0.5"/>
<max-used-iterations value="10"/><time-windows-reused value="3"/></acceleration:IQN-ILS>)";
  const Flow forth{.from = "A", .to = "B", .data = "X", .substeps = true};
  const Flow back{.from = "B",
                  .to = "A",
                  .data = "Y",
                  .mapping = {.direction = "write", .constraint = "conservative"},
                  .substeps = true};
  const Scenario scenario{{{.first = "A",
                            .second = "B",
                            .kind = scheme,
                            .window = window_size,
                            .max_time = windows * window_size,
                            .control = scheme == "parallel-implicit" ? control : ""}},
                          {forth, back}};
  return scenario.xml();
}

/// Bytes of this process, of both participants, without what they share: buffers between them are
/// used bit by bit.
double resident() {
  long total = 0;
  long pages = 0;
  long shared = 0;
  std::ifstream("/proc/self/statm") >> total >> pages >> shared;
  return static_cast<double>((pages - shared) * sysconf(_SC_PAGESIZE));
}

/// Series NAME: windows, steps, largest deviation of a step, sum of steps, growth of memory.
void solve(const Seat& seat, int windows) {
  isthmus::Participant participant = seat.make();
  const bool is_a = seat.participant == "A";
  const std::string mesh = seat.participant + "-Mesh";
  std::vector<isthmus::VertexId> id(1);
  participant.set_mesh_vertices(mesh, std::vector<double>{0, 0}, id);
  participant.initialize();
  std::vector<double> value(1);
  isthmus::Twofold time;
  isthmus::Twofold kept;
  double done = 0;
  double steps = 0;
  double deviation = 0;
  double early = 0;
  while (participant.is_coupling_ongoing()) {
    if (participant.requires_writing_checkpoint()) {
      kept = time;
    }
    const double dt = std::min(step, participant.max_time_step_size());
    deviation = std::max(deviation, std::abs(dt - step));
    participant.read_data(mesh, is_a ? "Y" : "X", id, dt, value);
    value[0] = std::sin(steps++ + 0.3 * value[0]);
    participant.write_data(mesh, is_a ? "X" : "Y", id, value);
    participant.advance(dt);
    time += isthmus::Twofold{dt, 0};
    if (participant.requires_reading_checkpoint()) {
      time = kept;
    }
    done += participant.is_time_window_complete() ? 1 : 0;
    if (done <= windows / 4) {
      early = resident();
    }
  }
  seat.put(seat.participant, 0, {done, steps, deviation, time.value, resident() - early});
  participant.finalize();
}

} // namespace

TEST_CASE("many time windows cost no memory, and their times do not drift" *
          on_ranks(1, 2)) { // few processes are enough
  const WorkingDirectory here;
  for (const auto& [scheme, windows, iterations] :
       {std::tuple("serial-explicit", 10'000, 1), std::tuple("parallel-implicit", 3'000, 2)}) {
    CAPTURE(std::string(scheme));
    const auto play_long = [count = windows](const Seat& seat) { solve(seat, count); };
    const Table table = run(xml(scheme, windows), {{"A", play_long}, {"B", play_long}}, in_threads);
    for (const char* name : {"A", "B"}) {
      const std::vector<double> found = table.at(name).begin()->second;
      const double end = windows * window_size;
      CHECK(found[0] == windows);
      CHECK(found[1] == 2.0 * windows * iterations); // no step of rounding
      CHECK(found[2] < 4e-16 * end);
      CHECK(std::abs(found[3] - end) < 1e-12 * end);
      CHECK((is_sanitized || found[4] < 500e3));
    }
  }
}
