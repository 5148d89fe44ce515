// SPDX-License-Identifier: BSD-3-Clause
// Plays coupled cases one after the other, both participants in threads: play_cases FOLDER…
//
// A folder holds config.xml and problem.txt: vertices n, steps per window, then g (n), g' (n),
// M (n × n) and c of A, which answers T = g + g' t + M (F + c F³), and the same of B, which answers
// with F. Every participant writes NAME.txt there: per step what it read and what it answered.
#include "isthmus/participant/participant.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Problem {
  std::size_t n = 0;
  double steps = 0; // per window of length 1
  std::vector<double> constant;
  std::vector<double> slope;
  std::vector<double> matrix;
  double cubic = 0;

  [[nodiscard]] std::vector<double> answer(double t, const std::vector<double>& read) const {
    std::vector<double> result(n);
    for (std::size_t i = 0; i < n; ++i) {
      result[i] = constant[i] + slope[i] * t;
      for (std::size_t j = 0; j < n; ++j) {
        result[i] += matrix[i * n + j] * (read[j] + cubic * read[j] * read[j] * read[j]);
      }
    }
    return result;
  }
};

std::vector<Problem> read_problems() {
  std::ifstream file("problem.txt");
  std::vector<Problem> both(2);
  file >> both[0].n >> both[0].steps;
  for (Problem& problem : both) {
    problem.n = both[0].n;
    problem.steps = both[0].steps;
    problem.constant.resize(problem.n);
    problem.slope.resize(problem.n);
    problem.matrix.resize(problem.n * problem.n);
    for (auto* numbers : {&problem.constant, &problem.slope, &problem.matrix}) {
      for (double& number : *numbers) {
        file >> number;
      }
    }
    file >> problem.cubic;
  }
  return both;
}

void write_row(std::ofstream& file, const std::vector<double>& read,
               const std::vector<double>& answer) {
  for (const auto* values : {&read, &answer}) {
    for (const double value : *values) {
      file << fmt::format("{} ", value);
    }
  }
  file << '\n';
}

void solve(const std::string& name, const std::string& writes, const std::string& reads,
           const Problem& problem) {
  const MPI_Comm self = MPI_COMM_SELF;
  isthmus::Participant participant(name, "config.xml", {0, 1, &self, nullptr});
  const std::string mesh = name + "-Mesh";
  std::vector<double> places(2 * problem.n, 0.0);
  for (std::size_t i = 0; i < problem.n; ++i) {
    places[2 * i] = static_cast<double>(i);
  }
  std::vector<isthmus::VertexId> ids(problem.n);
  participant.set_mesh_vertices(mesh, places, ids);
  participant.initialize();
  std::ofstream file(name + ".txt");
  std::vector<double> read(problem.n);
  double t = 0;
  double kept = 0;
  while (participant.is_coupling_ongoing()) {
    kept = participant.requires_writing_checkpoint() ? t : kept;
    const double dt = std::min(participant.max_time_step_size(), 1 / problem.steps);
    participant.read_data(mesh, reads, ids, dt, read);
    const std::vector<double> answer = problem.answer(t + dt, read);
    write_row(file, read, answer);
    participant.write_data(mesh, writes, ids, answer);
    participant.advance(dt);
    t = participant.requires_reading_checkpoint() ? kept : t + dt;
  }
  participant.finalize();
}

void play(const std::filesystem::path& folder) {
  std::filesystem::current_path(folder); // where logs are written, too
  const std::vector<Problem> problems = read_problems();
  const auto guarded = [&folder](const char* name, const char* writes, const char* reads,
                                 const Problem& problem) {
    try {
      solve(name, writes, reads, problem);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}, {}: {}\n", folder.string(), name, error.what());
      std::exit(1);
    }
  };
  std::thread first(guarded, "A", "T", "F", problems[0]);
  guarded("B", "F", "T", problems[1]);
  first.join();
}

} // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  std::vector<std::filesystem::path> folders(argv + 1, argv + argc);
  for (std::filesystem::path& folder : folders) {
    folder = std::filesystem::absolute(folder); // before the working directory changes
  }
  for (const std::filesystem::path& folder : folders) {
    play(folder);
  }
  MPI_Finalize();
}
