// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace walks {

/// What of a walk can be left out or turned off, to find out what it needs to fail, or because a
/// defect is known.
struct Options {
  std::vector<std::string> without; // kinds of calls or features
  int max_slots = 1000;             // of each participant
  std::vector<int> dropped;         // numbers of local calls

  [[nodiscard]] bool allows(const std::string& what) const;
  [[nodiscard]] bool drops(int number) const;
};

/// Data that one participant sends to another.
struct Flow {
  enum class Kind { read_mapping, write_mapping, direct };
  int from = 0;
  int to = 0;
  int scheme = 0;
  Kind kind = Kind::read_mapping;
  int components = 1;
  bool initialize = false;
  bool substeps = false;
  std::string data;
};

struct Scheme {
  int first = 0;
  int second = 1;
  bool serial = false;
  bool first_sets_window = false;
  int iterations = 0; // of each window; 0: explicit
  double window = 1;
  std::optional<int> max_windows;
  std::optional<double> max_time;
};

/// A coupled case: who takes part, with which ranks of the job, and what the configuration says.
struct Setting {
  Setting(std::uint64_t seed, int num_ranks, const Options& options);

  [[nodiscard]] int num_participants() const { return static_cast<int>(ranks.size()); }
  [[nodiscard]] int size(int participant) const {
    return static_cast<int>(ranks[static_cast<std::size_t>(participant)].size());
  }
  [[nodiscard]] std::string configuration() const;
  [[nodiscard]] std::string summary() const;

  std::uint64_t seed;
  std::vector<std::vector<int>> ranks; // of the job, by participant
  std::vector<Scheme> schemes;
  std::vector<Flow> flows;
  bool remeshing = false;
  int lives = 1;        // how often the participants come
  bool is_rude = false; // somebody may leave at any time
  std::string transport;
};

[[nodiscard]] std::string name_of(int participant);
[[nodiscard]] std::string mesh_of(int participant);

} // namespace walks
