// SPDX-License-Identifier: BSD-3-Clause
#include "exports.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>

namespace random_runs {

namespace {

/// Parts of the names of files.
std::vector<std::string> times_of(const Export& one, const std::vector<StepEnd>& steps) {
  std::vector<std::string> times;
  if (one.every_windows < 0) {
    return times;
  }
  times.emplace_back("init");
  int windows = 0;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const auto [completes, repeats] = steps[step];
    windows += completes ? 1 : 0;
    if (one.every_iteration && (completes || repeats)) {
      times.push_back("it" + std::to_string(step + 1));
    } else if (!one.every_iteration && completes && windows % one.every_windows == 0) {
      times.push_back("dt" + std::to_string(windows));
    }
  }
  return times;
}

void put_table(const std::string& file, std::vector<double>& numbers) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const auto columns = std::count(line.begin(), line.end(), ';') + 1;
  std::string text{std::istreambuf_iterator<char>(in), {}};
  std::replace(text.begin(), text.end(), ';', ' ');
  std::istringstream cells(text);
  const std::vector<double> values(std::istream_iterator<double>(cells), {});
  numbers.push_back(double(values.size()) / double(columns));
  numbers.push_back(double(columns));
  numbers.insert(numbers.end(), values.begin(), values.end());
}

} // namespace

void put_exports(const Participant& participant, int rank, const std::vector<StepEnd>& steps,
                 std::vector<double>& numbers) {
  const std::string mine = std::to_string(rank);
  for (const Export& one : participant.exports) {
    for (const std::string& time : times_of(one, steps)) {
      for (const Mesh& mesh : participant.meshes) {
        const Piece& piece = mesh.pieces[static_cast<std::size_t>(rank)];
        if (mesh.access != Access::none || piece.coordinates.empty()) {
          continue;
        }
        const bool is_table = one.extension == "csv";
        const std::string index = participant.ranks == 1 ? time
                                  : is_table             ? mine + "_" + time
                                                         : time + "_" + mine;
        const std::string file = one.directory + "/" + mesh.name + "-" + participant.name + "." +
                                 index + "." + one.extension;
        if (!std::filesystem::exists(file)) {
          throw std::runtime_error(file + " is missing");
        }
        if (is_table) {
          put_table(file, numbers);
        }
        std::filesystem::remove(file);
      }
    }
  }
}

} // namespace random_runs
