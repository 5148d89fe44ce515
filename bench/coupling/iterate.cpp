// SPDX-License-Identifier: BSD-3-Clause
// Coupled iterations and many time windows between two processes: bench_iterate [vertices]
// [windows]
//
// "quasi-newton": advance() of the participant that accelerates, parallel-implicit with IQN-ILS, a
// vector forth and a scalar back on that many vertices, 8 iterations per window; the columns of so
// many earlier windows are reused. "serial-explicit" and "parallel-implicit" (one vertex, two
// steps per window, two iterations with IQN-ILS): that many windows of 0.1, the memory of the
// process that was resident after a tenth of them and at the end, and how far the sum of the steps
// is from the end. One line of comma separated values per case.
#include "isthmus/participant/participant.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/base/twofold.hpp"

#include "first_and_second.hpp"

#include <fmt/core.h>

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace isthmus;

constexpr double window_size = 0.1;

struct Case {
  std::string scheme;
  int vertices = 1;
  int windows = 1;
  int iterations = 1; // of each window
  int steps = 1;      // of each window
  int reused = 0;     // windows
};

std::string configuration(const Case& what, const std::string& directory) {
  std::string xml =
      "<precice-configuration><log enabled=\"false\" /><data:vector name=\"X\" />"
      "<data:scalar name=\"Y\" />";
  for (const char* mesh : {"First-Mesh", "Second-Mesh"}) {
    xml += fmt::format(
        "<mesh name=\"{}\" dimensions=\"3\"><use-data name=\"X\" /><use-data name=\"Y\" />"
        "</mesh>",
        mesh);
  }
  xml += fmt::format(
      R"(<m2n:sockets acceptor="First" connector="Second" exchange-directory="{}" />)", directory);
  xml += first_and_second();
  const bool is_implicit = what.scheme == "parallel-implicit";
  const std::string data =
      R"(<data name="X" mesh="First-Mesh" /><data name="Y" mesh="First-Mesh" />)";
  const std::string control = fmt::format(
      R"(<min-iterations value="{0}" /><max-iterations value="{0}" />
    <relative-convergence-measure data="X" mesh="First-Mesh" limit="1e-12" />
    <relative-convergence-measure data="Y" mesh="First-Mesh" limit="1e-12" />
    <acceleration:IQN-ILS>{1}<initial-relaxation value="0.1" /><max-used-iterations value="100" />
    <time-windows-reused value="{2}" /></acceleration:IQN-ILS>)",
      what.iterations, data, what.reused);
  return xml + fmt::format(R"(<coupling-scheme:{0}>
    <participants first="First" second="Second" />
    <max-time value="{1}" /><time-window-size value="{2}" />
    <exchange data="X" mesh="First-Mesh" from="First" to="Second" substeps="{4}" />
    <exchange data="Y" mesh="First-Mesh" from="Second" to="First" substeps="{4}" />{3}
  </coupling-scheme:{0}></precice-configuration>)",
                           what.scheme, what.windows * window_size, window_size,
                           is_implicit ? control : "", what.steps > 1);
}

/// MB of this process alone: of the buffers that it shares more and more is in use at first.
double resident_memory() {
  long total = 0;
  long resident = 0;
  long shared = 0;
  std::ifstream("/proc/self/statm") >> total >> resident >> shared;
  return 1e-6 * static_cast<double>((resident - shared) * ::sysconf(_SC_PAGESIZE));
}

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
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

/// Every vertex answers with a slope of its own, so that the residual stays rich.
void answer(bool first, int iteration, const std::vector<double>& read,
            std::vector<double>& written) {
  const std::size_t width = first ? 3 : 1; // of what is written
  for (std::size_t i = 0; i < written.size(); ++i) {
    const double slope = 0.9 * std::sin(0.37 * static_cast<double>(i + 1));
    const double other = read[first ? i / width : 3 * i];
    written[i] = 1 + 0.01 * std::cos(static_cast<double>(iteration % 7 + 1)) +
                 slope * other / (1 + other * other);
  }
}

Figures couple(const Case& what, const std::string& file, bool first) {
  const std::string mesh = first ? "First-Mesh" : "Second-Mesh";
  const auto count = static_cast<std::size_t>(what.vertices);
  Participant participant(first ? "First" : "Second", file, Launch{});
  std::vector<double> places(3 * count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    places[3 * i] = static_cast<double>(i) / static_cast<double>(count);
  }
  std::vector<VertexId> ids(count);
  participant.set_mesh_vertices(mesh, places, ids);
  participant.initialize();
  Figures figures;
  for (std::vector<double>* times : {&figures.seconds, &figures.busy}) {
    times->assign(static_cast<std::size_t>(what.windows * what.iterations * what.steps), 0);
    times->clear(); // its memory is there from the start
  }
  std::vector<double> written(first ? 3 * count : count);
  std::vector<double> read(first ? count : 3 * count);
  Twofold time;
  Twofold kept;
  for (int call = 0; participant.is_coupling_ongoing(); ++call) {
    if (participant.requires_writing_checkpoint()) {
      kept = time;
    }
    const double dt = std::min(window_size / what.steps, participant.max_time_step_size());
    participant.read_data(mesh, first ? "Y" : "X", ids, dt, read);
    answer(first, call, read, written);
    participant.write_data(mesh, first ? "X" : "Y", ids, written);
    const double start = now();
    const double busy = processor_time();
    participant.advance(dt);
    figures.seconds.push_back(now() - start);
    figures.busy.push_back(processor_time() - busy);
    time += Twofold{dt, 0};
    if (participant.requires_reading_checkpoint()) {
      time = kept;
    }
    figures.windows += participant.is_time_window_complete() ? 1 : 0;
    if (figures.windows <= what.windows / 10) {
      figures.early_memory = resident_memory();
    }
  }
  figures.memory = resident_memory();
  const double end = what.windows * window_size;
  figures.drift = std::abs(time.value - end) / end;
  participant.finalize();
  std::sort(figures.seconds.begin(), figures.seconds.end());
  std::sort(figures.busy.begin(), figures.busy.end());
  return figures;
}

void measure(const std::string& name, const Case& what, const std::string& directory) {
  const std::string file = directory + "/config.xml";
  std::ofstream(file) << configuration(what, directory);
  std::fflush(stdout);
  const pid_t child = fork();
  check(child >= 0, "cannot start a second process");
  const double begin = now();
  const Figures figures = couple(what, file, child == 0);
  if (child == 0) {
    std::_Exit(0);
  }
  const double seconds = now() - begin;
  waitpid(child, nullptr, 0);
  fmt::print("{},{},{},{},{},{:.4g},{:.4g},{:.4g},{:.4g},{:.4g},{:.4f},{:.4f},{:.3g}\n", name,
             what.vertices, what.windows, what.iterations, what.reused,
             figures.seconds.front() * 1e6, figures.seconds[figures.seconds.size() / 2] * 1e6,
             figures.busy[figures.busy.size() / 2] * 1e6, figures.seconds.back() * 1e6, seconds,
             figures.early_memory, figures.memory, figures.drift);
}

void run(int vertices, int windows) {
  std::string directory = std::filesystem::temp_directory_path() / "isthmus-iterate-XXXXXX";
  check(::mkdtemp(directory.data()) != nullptr, "cannot make a folder like {}", directory);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(directory); // where the logs are written
  measure("quasi-newton", {"parallel-implicit", vertices, 8, 8, 1, 0}, directory);
  measure("quasi-newton", {"parallel-implicit", vertices, 12, 8, 1, 5}, directory);
  measure("serial-explicit", {"serial-explicit", 1, windows, 1, 2, 0}, directory);
  measure("parallel-implicit", {"parallel-implicit", 1, windows, 2, 2, 2}, directory);
  std::filesystem::current_path(before);
  std::filesystem::remove_all(directory);
}

} // namespace

int main(int argc, char** argv) {
  try {
    fmt::print(
        "case,vertices,windows,iterations,reused,advance_us,advance_median_us,busy_median_us,"
        "advance_max_us,"
        "seconds,"
        "early_mb,mb,drift\n");
    run(argc > 1 ? std::atoi(argv[1]) : 100'000, argc > 2 ? std::atoi(argv[2]) : 100'000);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_iterate: {}\n", error.what());
    return 1;
  }
  return 0;
}
