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
  enum class Kind { read_mapping, write_mapping, direct, just_in_time_read, just_in_time_write };
  int from = 0;
  int to = 0;
  int scheme = 0;
  Kind kind = Kind::read_mapping;
  int components = 1;
  bool initialize = false;
  bool substeps = false;
  int degree = 1;         // of the waveform
  bool gradients = false; // the mapping takes them
  std::string data;

  /// The reader has access to the mesh of the sender.
  [[nodiscard]] bool reads_there() const {
    return kind == Kind::direct || kind == Kind::just_in_time_read;
  }
  /// The values are written or mapped to the mesh of the reader by the sender.
  [[nodiscard]] bool ends_there() const {
    return kind == Kind::write_mapping || kind == Kind::just_in_time_write;
  }
  /// Who needs a region of whose mesh; -1: nobody.
  [[nodiscard]] int accessor() const {
    return reads_there() ? to : kind == Kind::just_in_time_write ? from : -1;
  }
  [[nodiscard]] int accessed() const { return reads_there() ? from : to; }
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
  std::string acceleration; // none, constant, aitken, IQN-ILS, IQN-IMVJ
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

  /// What came later: drawn apart, so that the walks of older seeds can be had without it.
  void widen(const Options& options);
  void iterate_more(const Options& options);
  [[nodiscard]] std::string acceleration(const Scheme& scheme) const;
  [[nodiscard]] std::string exchanges(int scheme) const;
  [[nodiscard]] std::string mesh(int participant) const;
  [[nodiscard]] std::string participant(int participant) const;
  [[nodiscard]] std::string multi_scheme() const;
  [[nodiscard]] std::string pair_scheme(int scheme) const;

  std::uint64_t seed;
  std::vector<std::vector<int>> ranks; // of the job, by participant
  std::vector<Scheme> schemes;
  std::vector<Flow> flows;
  bool remeshing = false;
  bool multi = false;       // the schemes are one
  int controller = 1;       // of it
  std::vector<char> native; // participants that use the native interface
  int lives = 1;            // how often the participants come
  bool is_rude = false;     // somebody may leave at any time
  std::string transport;
};

[[nodiscard]] std::string name_of(int participant);
[[nodiscard]] std::string mesh_of(int participant);

} // namespace walks
