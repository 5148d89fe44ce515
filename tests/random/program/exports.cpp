// SPDX-License-Identifier: BSD-3-Clause
#include "exports.hpp"

#include "export_files.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace random_runs {

namespace {

/// Parts of the names of files.
std::vector<std::string> times_of(const Export& one, const Participant& participant,
                                  const std::vector<StepEnd>& steps) {
  std::vector<std::string> times;
  if (one.every_windows < 0) {
    return times;
  }
  times.emplace_back("init");
  std::size_t ends = 0;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const auto [completes, repeats] = steps[step];
    const int number = completes ? participant.window_numbers.at(ends++) : 0;
    if (one.every_iteration && (completes || repeats)) {
      times.push_back("it" + std::to_string(step + 1));
    } else if (!one.every_iteration && completes && number % one.every_windows == 0) {
      times.push_back("dt" + std::to_string(number));
    }
  }
  times.erase(std::unique(times.begin(), times.end()), times.end()); // the last one stays
  return times;
}

void put_table(const std::string& file, int dimensions, std::vector<double>& numbers) {
  const Table table = read_export(file, dimensions);
  numbers.push_back(double(table.values.size()) / double(table.columns));
  numbers.push_back(double(table.columns));
  numbers.insert(numbers.end(), table.values.begin(), table.values.end());
  std::filesystem::remove(file);
}

/// The times of the files of a mesh, if any rank has vertices of it; and the files that name them.
void put_series(const Participant& participant, const Export& one, const Mesh& mesh,
                const std::vector<std::string>& times, std::vector<double>& numbers) {
  const bool is_empty = std::all_of(mesh.pieces.begin(), mesh.pieces.end(),
                                    [](const Piece& piece) { return piece.coordinates.empty(); });
  if (times.empty() || is_empty || one.extension == "csv") {
    return;
  }
  const std::string name = mesh.name + "-" + participant.name + ".";
  const std::string extension = (participant.ranks == 1 ? "" : "p") + one.extension;
  const std::string file = one.directory + "/" + name + extension + ".series";
  const std::vector<SeriesEntry> entries = read_series(file);
  std::filesystem::remove(file);
  if (entries.size() != times.size()) {
    throw std::runtime_error(file + " names other files than there are");
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (entries[i].file != name + times[i] + "." + extension) {
      throw std::runtime_error(file + " names " + entries[i].file);
    }
    if (participant.ranks > 1 && !std::filesystem::remove(one.directory + "/" + entries[i].file)) {
      throw std::runtime_error(entries[i].file + " is missing");
    }
    numbers.push_back(entries[i].time);
  }
}

} // namespace

void put_exports(const Participant& participant, int rank, const std::vector<StepEnd>& steps,
                 std::vector<double>& numbers) {
  const std::string mine = std::to_string(rank);
  for (const Export& one : participant.exports) {
    const std::vector<std::string> times = times_of(one, participant, steps);
    for (const std::string& time : times) {
      for (const Mesh& mesh : participant.meshes) {
        const Piece& piece = mesh.pieces[static_cast<std::size_t>(rank)];
        if (mesh.access != Access::none || piece.coordinates.empty()) {
          continue;
        }
        const std::string index = participant.ranks == 1   ? time
                                  : one.extension == "csv" ? mine + "_" + time
                                                           : time + "_" + mine;
        put_table(one.directory + "/" + mesh.name + "-" + participant.name + "." + index + "." +
                      one.extension,
                  mesh.dimensions, numbers);
      }
    }
    for (const Mesh& mesh : participant.meshes) {
      if (rank == 0 && mesh.access == Access::none) {
        put_series(participant, one, mesh, times, numbers);
      }
    }
  }
}

} // namespace random_runs
