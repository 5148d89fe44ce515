// SPDX-License-Identifier: BSD-3-Clause
// The dummy solver of apps/replay.cpp once more: same command line, files, phases and waits. It
// knows the interface of preCICE, MPI and the standard library only, so that the same source is
// built with Isthmus and with a preCICE that is installed, whose program then takes the place of
// isthmus-replay. The report has no errors, which are found from the values, and no counts.
#include <precice/precice.hpp>

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Options = std::map<std::string, std::string>;

Options parse_options(int argc, char** argv) {
  const std::vector<std::string> needed = {"--participant", "--config", "--mesh", "--part",
                                           "--out"};
  Options options = {{"--function", "cosine"}, {"--windows", "?"}, {"--write", ""}, {"--read", ""}};
  for (const std::string& name : needed) {
    options[name] = "";
  }
  for (int i = 1; i < argc; i += 2) {
    const auto option = options.find(argv[i]);
    if (option == options.end() || i + 1 == argc) {
      throw std::invalid_argument(std::string(argv[i]) + " is not known or has no value");
    }
    option->second = argv[i + 1];
  }
  for (const std::string& name : needed) {
    if (options[name].empty()) {
      throw std::invalid_argument("the option " + name + " is needed");
    }
  }
  if (options["--function"] != "cosine") {
    throw std::invalid_argument("there is no function " + options["--function"] + ", only cosine");
  }
  return options;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    names.push_back(name);
  }
  return names;
}

void check_written(std::ofstream& file, const std::string& name) {
  if (!file.flush()) {
    throw std::runtime_error("cannot write the file \"" + name + "\"; is the disk full?");
  }
}

template <typename T>
void read_into(std::ifstream& file, const std::string& name, std::vector<T>& values) {
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(sizeof(T) * values.size()));
  if (!file) {
    throw std::runtime_error("the file \"" + name + "\" is not there or too short");
  }
}

struct Part {
  std::size_t dimensions = 0;
  std::size_t vertices = 0;
  std::vector<double> coordinates;
  std::vector<std::int32_t> triangles; // triples of local vertices
  std::vector<std::int64_t> global;    // not used, but memory that isthmus-replay has, too
};

Part read_part(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  std::vector<std::int64_t> head(4);
  read_into(file, name, head);
  if (head[0] != 0x5452415054534931 || head[1] < 2 || head[1] > 3 || head[2] < 0 || head[3] < 0) {
    throw std::runtime_error("the file \"" + name + "\" is no part file");
  }
  Part part;
  part.dimensions = static_cast<std::size_t>(head[1]);
  part.vertices = static_cast<std::size_t>(head[2]);
  part.coordinates.resize(part.dimensions * part.vertices);
  part.triangles.resize(3 * static_cast<std::size_t>(head[3]));
  part.global.resize(part.vertices);
  read_into(file, name, part.coordinates);
  read_into(file, name, part.triangles);
  read_into(file, name, part.global);
  return part;
}

/// 0.78 + cos(10 (x + y + z)); of a vector that times (x, z, 1), or (x, 1) in two dimensions.
std::vector<double> sample(const Part& part, int components) {
  std::vector<double> values;
  values.reserve(part.vertices * static_cast<std::size_t>(components));
  for (std::size_t i = 0; i < part.vertices; ++i) {
    const double* point = part.coordinates.data() + i * part.dimensions;
    const double z = part.dimensions == 3 ? point[2] : 0.0;
    const double f = 0.78 + std::cos(10 * (point[0] + point[1] + z));
    if (components > 1) {
      values.push_back(f * point[0]);
    }
    if (components > 2) {
      values.push_back(f * z);
    }
    values.push_back(f);
  }
  return values;
}

/// CLOCK_MONOTONIC, which never jumps, or the processor time of all threads of this process.
double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Largest and present resident memory of this process in MB.
struct Memory {
  double peak = 0;
  double now = 0;
};

Memory memory() {
  Memory result;
  std::ifstream status("/proc/self/status");
  long kilobytes = 0;
  for (std::string line; std::getline(status, line);) {
    if (std::sscanf(line.c_str(), "VmHWM: %ld", &kilobytes) == 1) {
      result.peak = static_cast<double>(kilobytes) / 1024;
    } else if (std::sscanf(line.c_str(), "VmRSS: %ld", &kilobytes) == 1) {
      result.now = static_cast<double>(kilobytes) / 1024;
    }
  }
  return result;
}

struct Phase {
  std::vector<double> seconds;
  double cpu = 0;
  Memory before, after; // of the first repetition
};

struct Ranks { // of this participant; job_size: of both, if one mpirun started them
  MPI_Comm all = MPI_COMM_NULL;
  int rank = 0, size = 1, job_size = 1;
};

struct Run {
  Options options;
  std::vector<std::string> write, read; // names of data
  Ranks ranks;
  int windows = 0;
  double reported_at = 0;
  Part part;
  std::vector<precice::VertexID> ids;
  std::vector<int> read_components;
  std::vector<std::vector<double>> written, read_values;
  std::map<std::string, Phase> phases;
};

template <typename Work>
void timed(Run& run, const std::string& name, Work&& work) {
  Phase& phase = run.phases[name];
  if (phase.seconds.empty()) {
    phase.before = memory();
  }
  const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const double begin = seconds_of(CLOCK_MONOTONIC);
  std::forward<Work>(work)();
  const double end = seconds_of(CLOCK_MONOTONIC);
  phase.cpu += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  phase.seconds.push_back(end - begin);
  if (phase.seconds.size() == 1) {
    phase.after = memory();
  }
}

/// Collective over all ranks of the job: those of the same participant get a communicator.
void split_job(Run& run) {
  constexpr std::size_t longest = 64;
  std::array<char, longest> name{};
  const std::string& own = run.options.at("--participant");
  if (own.size() >= longest) {
    throw std::runtime_error("the name of the participant is too long: " + own);
  }
  std::copy(own.begin(), own.end(), name.begin());
  MPI_Comm_size(MPI_COMM_WORLD, &run.ranks.job_size);
  std::vector<std::array<char, longest>> names(static_cast<std::size_t>(run.ranks.job_size));
  MPI_Allgather(name.data(), longest, MPI_CHAR, names.data(), longest, MPI_CHAR, MPI_COMM_WORLD);
  const auto first = std::find(names.begin(), names.end(), name) - names.begin();
  MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(first), 0, &run.ranks.all);
  MPI_Comm_rank(run.ranks.all, &run.ranks.rank);
  MPI_Comm_size(run.ranks.all, &run.ranks.size);
}

/// Collective over all ranks of the job. Sleeps until all have come, so that a rank that waits
/// takes no time from those that work.
void line_up(const Run& run) {
  if (run.ranks.job_size == run.ranks.size) {
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  int done = 0;
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), done == 0) {
    ::usleep(100);
  }
}

void define_mesh(Run& run, precice::Participant& participant) {
  const std::string& mesh = run.options.at("--mesh");
  run.ids.resize(run.part.vertices);
  participant.setMeshVertices(mesh, run.part.coordinates, run.ids);
  if (participant.requiresMeshConnectivityFor(mesh)) {
    std::vector<precice::VertexID> corners(run.part.triangles.size());
    std::transform(run.part.triangles.begin(), run.part.triangles.end(), corners.begin(),
                   [&run](std::int32_t v) { return run.ids.at(static_cast<std::size_t>(v)); });
    participant.setMeshTriangles(mesh, corners);
  }
}

void prepare_data(Run& run, const precice::Participant& participant) {
  const std::string& mesh = run.options.at("--mesh");
  for (const std::string& data : run.write) {
    run.written.push_back(sample(run.part, participant.getDataDimensions(mesh, data)));
  }
  for (const std::string& data : run.read) {
    run.read_components.push_back(participant.getDataDimensions(mesh, data));
    run.read_values.emplace_back(run.ids.size() *
                                 static_cast<std::size_t>(run.read_components.back()));
  }
}

/// Seldom: a line of every window would take longer than the window.
void report_progress(Run& run, bool last) {
  constexpr double interval = 0.1;
  const double now = seconds_of(CLOCK_MONOTONIC);
  if (run.ranks.rank == 0 && (last || now - run.reported_at > interval)) {
    run.reported_at = now;
    std::printf("isthmus-progress %s window %d/%s\n", run.options.at("--participant").c_str(),
                run.windows, run.options.at("--windows").c_str());
    std::fflush(stdout);
  }
}

void step_through(Run& run, precice::Participant& participant) {
  const std::string& mesh = run.options.at("--mesh");
  const auto write = [&run, &participant, &mesh] {
    for (std::size_t d = 0; d < run.written.size(); ++d) {
      participant.writeData(mesh, run.write[d], run.ids, run.written[d]);
    }
  };
  const auto read = [&run, &participant, &mesh](double relative_time) {
    for (std::size_t d = 0; d < run.read_values.size(); ++d) {
      participant.readData(mesh, run.read[d], run.ids, relative_time, run.read_values[d]);
    }
  };
  if (participant.requiresInitialData()) {
    write();
  }
  line_up(run);
  timed(run, "initialize", [&participant] { participant.initialize(); });
  while (participant.isCouplingOngoing()) {
    const double dt = participant.getMaxTimeStepSize();
    timed(run, "read", [&read, dt] { read(dt); });
    timed(run, "write", write);
    timed(run, "advance", [&participant, dt] { participant.advance(dt); });
    ++run.windows;
    report_progress(run, !participant.isCouplingOngoing());
  }
  read(0);
  timed(run, "finalize", [&participant] { participant.finalize(); });
}

void write_values(const Run& run) {
  const std::string name =
      run.options.at("--out") + "." + std::to_string(run.ranks.rank) + ".values";
  std::ofstream file(name, std::ios::binary);
  for (std::size_t d = 0; d < run.read_values.size(); ++d) {
    const std::vector<double>& values = run.read_values[d];
    const std::int64_t head[2] = {run.read_components[d],
                                  static_cast<std::int64_t>(run.ids.size())};
    file.write(reinterpret_cast<const char*>(head), sizeof head);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(sizeof(double) * values.size()));
  }
  check_written(file, name);
}

/// Collective.
double of_all(const Run& run, double value, MPI_Op op) {
  double result = 0;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, op, run.ranks.all);
  return result;
}

/// Collective. What the numbers mean says Phases::json of apps/replay_measure.hpp.
std::string phase_json(const Run& run, const Phase& phase) {
  std::vector<double> sorted = phase.seconds;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> medians(static_cast<std::size_t>(run.ranks.size));
  MPI_Allgather(&sorted[sorted.size() / 2], 1, MPI_DOUBLE, medians.data(), 1, MPI_DOUBLE,
                run.ranks.all);
  std::sort(medians.begin(), medians.end());
  const double cpu = phase.cpu / static_cast<double>(sorted.size());
  const std::vector<std::pair<const char*, double>> members{
      {"min", medians.front()},
      {"median", medians[medians.size() / 2]},
      {"max", medians.back()},
      {"best", of_all(run, sorted.front(), MPI_MAX)},
      {"first", of_all(run, phase.seconds.front(), MPI_MAX)},
      {"cpu", of_all(run, cpu, MPI_MAX)},
      {"cpu_sum", of_all(run, cpu, MPI_SUM)},
      {"grown_mb", of_all(run, phase.after.now - phase.before.now, MPI_MAX)},
      {"peak_grown_mb", of_all(run, phase.after.peak - phase.before.now, MPI_MAX)}};
  std::string json;
  for (const auto& [name, value] : members) {
    char text[64];
    std::snprintf(text, sizeof text, "%s\"%s\": %.9g", json.empty() ? "" : ", ", name, value);
    json += text;
  }
  return "{" + json + "}";
}

/// Collective.
void report(const Run& run) {
  const double peak = of_all(run, memory().peak, MPI_MAX);
  std::string phases;
  for (const auto& [name, phase] : run.phases) { // in the same order on all ranks
    phases += phases.empty() ? "" : ",\n  ";
    phases += "\"" + name + "\": " + phase_json(run, phase);
  }
  if (run.ranks.rank == 0) {
    const std::string name = run.options.at("--out") + ".json";
    std::ofstream file(name);
    file << "{\"participant\": \"" << run.options.at("--participant")
         << "\", \"ranks\": " << run.ranks.size << ", \"windows\": " << run.windows
         << ",\n \"errors\": {},\n \"phases\": {" << phases
         << "},\n \"counters\": {}, \"partners\": [], \"transports\": {},\n"
         << " \"peak_memory_mb\": " << peak << ", \"spans\": []}\n";
    check_written(file, name);
  }
}

void play(Run& run) {
  split_job(run);
  run.part = read_part(run.options.at("--part") + "." + std::to_string(run.ranks.rank) + ".part");
  std::unique_ptr<precice::Participant> participant;
  line_up(run);
  timed(run, "construct", [&run, &participant] {
    participant = std::make_unique<precice::Participant>(run.options.at("--participant"),
                                                         run.options.at("--config"), run.ranks.rank,
                                                         run.ranks.size, &run.ranks.all);
  });
  line_up(run);
  timed(run, "set_mesh", [&run, &participant] { define_mesh(run, *participant); });
  prepare_data(run, *participant);
  step_through(run, *participant);
  write_values(run);
  report(run);
}

} // namespace

int main(int argc, char** argv) {
  Run run;
  try {
    run.options = parse_options(argc, argv);
    run.write = split(run.options["--write"]);
    run.read = split(run.options["--read"]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer_replay: %s\n", error.what());
    return 2;
  }
  MPI_Init(&argc, &argv);
  try {
    play(run);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer_replay: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
