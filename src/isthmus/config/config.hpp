// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/mapping.hpp"
#include "isthmus/config/participant.hpp"
#include "isthmus/config/scheme.hpp"

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// A coupled run as plain data: what the configuration language says, nothing of what is done with
/// it. Every struct knows the line it came from, for messages.
namespace isthmus::config {

constexpr double infinity = std::numeric_limits<double>::infinity();

enum class SinkType { stream, file };

struct Sink {
  SinkType type = SinkType::stream;
  std::string output = "stdout";
  std::string format;
  std::string filter;
  bool enabled = true;
  int line = 0;
};

struct Log {
  bool enabled = true;
  std::vector<Sink> sinks;
  int line = 0;
};

enum class ProfilingMode { off, fundamental, api, all };

struct Profiling {
  ProfilingMode mode = ProfilingMode::fundamental;
  int flush_every = 50;
  std::string directory = ".";
  bool synchronize = false;
  int line = 0;
  bool one_file = false;       // of all ranks, as the environment may want it
  double longest_s = infinity; // until that file has what has happened, likewise
};

struct Data {
  std::string name;
  bool vector = false; // as many components as the mesh has dimensions, else one
  int waveform_degree = 1;
  std::array<double, 3> lower{-infinity, -infinity, -infinity};
  std::array<double, 3> upper{infinity, infinity, infinity};
  int line = 0;
};

struct Mesh {
  std::string name;
  int dimensions = 0;
  std::vector<std::string> data;
  int line = 0;

  [[nodiscard]] bool uses(std::string_view data_name) const;
};

enum class Initialization { rendezvous, two_level, one_level };

enum class M2NKind { sockets, mpi, mpi_multiple_ports };

struct M2N {
  M2NKind kind = M2NKind::sockets;
  std::string acceptor;
  std::string connector;
  std::string exchange_directory = ".";
  std::string network = "lo";
  int port = 0;
  bool enforce_gather_scatter = false;
  bool two_level = false;
  Initialization initialization = Initialization::rendezvous; // attribute of our own
  int line = 0;

  [[nodiscard]] bool joins(const std::string& one, const std::string& other) const;
};

/// Equal for files that mean the same.
struct Fingerprints {
  std::string whole;
  std::string elements; // a line "element fingerprint" per element, to find what differs
  std::string of_case;  // the same without connections and the end of the run
};

/// What holds for the run as a whole.
struct Run {
  bool experimental = false;
  bool allow_remeshing = false;
  bool wait_in_finalize = false;
  bool carries_iterations = false; // of the environment: to new vertices where meshes are reset
};

struct Configuration {
  std::string file;
  Fingerprints fingerprints;
  std::vector<std::string> notes; // what is old or has no effect; to be logged once
  Run run;
  Log log;
  Profiling profiling;
  std::vector<Data> data;
  std::vector<Mesh> meshes;
  std::vector<M2N> m2ns;
  std::vector<Participant> participants;
  std::vector<CouplingScheme> schemes;

  // null if there is none
  [[nodiscard]] const Data* find_data(const std::string& name) const;
  [[nodiscard]] const Mesh* find_mesh(std::string_view name) const;
  [[nodiscard]] const Participant* find_participant(const std::string& name) const;
  [[nodiscard]] const Participant* find_provider(const std::string& mesh) const;
  [[nodiscard]] const M2N* find_m2n(const std::string& one, const std::string& other) const;
};

} // namespace isthmus::config
