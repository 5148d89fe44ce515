// SPDX-License-Identifier: BSD-3-Clause
#include "exports.hpp"

#include "export_files.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace random_runs {

namespace {

struct ExportTime {
  std::string name; // part of the names of files
  int windows;      // complete ones before the step
};

std::vector<ExportTime> times_of(const Export& one, const Participant& participant,
                                 const std::vector<StepEnd>& steps) {
  std::vector<ExportTime> times;
  if (one.every_windows < 0) {
    return times;
  }
  times.push_back({"init", 0});
  int windows = 0;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const auto [completes, repeats] = steps[step];
    const auto end = static_cast<std::size_t>(windows);
    const int number = completes ? participant.exports.window_numbers.at(end) : 0;
    if (one.every_iteration && (completes || repeats)) {
      times.push_back({"it" + std::to_string(step + 1), windows});
    } else if (!one.every_iteration && completes && number % one.every_windows == 0) {
      times.push_back({"dt" + std::to_string(number), windows});
    }
    windows += completes ? 1 : 0;
  }
  const auto same = [](const ExportTime& a, const ExportTime& b) { return a.name == b.name; };
  times.erase(std::unique(times.begin(), times.end(), same), times.end()); // the last file stays
  return times;
}

/// By rank.
const std::vector<Piece>& pieces_after(const Mesh& mesh, int windows) {
  const auto next = std::find_if(mesh.resets.begin(), mesh.resets.end(),
                                 [windows](const Reset& reset) { return reset.windows > windows; });
  return next == mesh.resets.begin() ? mesh.pieces : (next - 1)->pieces;
}

void put_table(const std::string& file, int dimensions, std::vector<double>& numbers) {
  const Table table = read_export(file, dimensions);
  numbers.push_back(double(table.values.size()) / double(table.columns));
  numbers.push_back(double(table.columns));
  numbers.insert(numbers.end(), table.values.begin(), table.values.end());
  std::filesystem::remove(file);
}

/// What stands in the name of a file of this rank: the time, and the rank where there are several.
std::string index_of(const Export& one, const Participant& participant, int rank,
                     const std::string& time) {
  const std::string mine = std::to_string(rank);
  if (participant.ranks == 1) {
    return time;
  }
  return one.extension == "csv" ? mine + "_" + time : time + "_" + mine;
}

/// Of a mesh of others; a rank that has no vertices of it has no file.
void put_received(const std::string& file, int dimensions, std::vector<double>& numbers) {
  if (std::filesystem::exists(file)) {
    put_table(file, dimensions, numbers);
  } else {
    numbers.insert(numbers.end(), {0, 0});
  }
}

/// The times of the files of a mesh, if any rank has vertices of it; and the files that name them.
void put_series(const Participant& participant, const Export& one, const Mesh& mesh,
                const std::vector<ExportTime>& times, std::vector<double>& numbers) {
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
    if (entries[i].file != name + times[i].name + "." + extension) {
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
  for (const Export& one : participant.exports.all) {
    const std::vector<ExportTime> times = times_of(one, participant, steps);
    for (const auto& [time, windows] : times) {
      const std::string end = "-" + participant.name + "." +
                              index_of(one, participant, rank, time) + "." + one.extension;
      for (const Mesh& mesh : participant.meshes) {
        const Piece& piece = pieces_after(mesh, windows)[static_cast<std::size_t>(rank)];
        if (mesh.access != Access::none || piece.coordinates.empty()) {
          continue;
        }
        put_table(one.directory + "/" + mesh.name + end, mesh.dimensions, numbers);
      }
      for (const ReceivedMesh& mesh : participant.exports.received) {
        put_received(one.directory + "/" + mesh.name + end, mesh.dimensions, numbers);
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
