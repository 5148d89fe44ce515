// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "setting.hpp"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace walks {

// What preCICE 3.4 documents and does, in a form that is too simple to be wrong in the same way as
// the library: all participants in one place, whole windows as messages, mapping by brute force.

using ByRank = std::vector<std::vector<double>>; // values or coordinates

struct Sample {
  double time = 0;
  ByRank values;
  ByRank gradients{};     // of each component along x, y
  ByRank places{};        // of the values; nothing: the vertices of the sender
  bool is_mapped = false; // by the sender
};

/// What goes one way at the end of a window.
struct Message {
  std::map<int, std::vector<Sample>> samples; // by flow, on the mesh of the sender
  ByRank points;                              // of that mesh
  double window_size = 0;
  bool is_consumed = false;
};

struct Rank {
  std::vector<double> points;                   // of the own mesh
  std::map<int, std::vector<double>> written;   // by flow; absent: nothing
  std::map<int, std::vector<double>> gradients; // by flow, as values
  std::map<int, std::vector<double>> places;    // of what is written just in time
  std::map<int, std::array<double, 4>> regions; // by participant that provides
  int sections = 0;
  bool is_reset = false;
  bool owes_initial = false;
  bool owes_writing = false;
  bool owes_reading = false;
};

/// A scheme as one participant sees it.
struct Clock {
  double start = 0;
  double size = 0;
  int windows = 0;
  int iteration = 0;
  bool ongoing = true;
};

enum class Phase { absent, defining, running, finalized, failed };

/// What the last steering call has come to.
struct Steered {
  bool complete = false; // the time window
  bool starts = false;   // checkpoints are to be written
  bool repeats = false;  // ... and read
};

/// What a steering call waits for.
struct Wait {
  enum class For { nothing, partners, messages };
  For what = For::nothing;
  std::vector<int> schemes;                   // awaited
  bool initializes = false;                   // awaits the first window
  std::vector<std::shared_ptr<Message>> sent; // in the current call
};

struct Actor {
  Phase phase = Phase::absent;
  std::vector<Rank> ranks;
  std::map<int, Clock> clocks;                 // by scheme
  std::map<int, std::vector<Sample>> outgoing; // by flow
  std::map<int, std::vector<Sample>> incoming; // by flow, on the mesh that is read
  std::map<int, ByRank> source_points;         // of direct access, by flow
  std::map<int, ByRank> received_points;       // by participant, at first
  double time = 0;
  Steered steered;
  bool is_reset = false;
  bool is_gone = false; // will send nothing any more
  Wait wait;
};

using Actors = std::vector<Actor>; // by participant

[[nodiscard]] inline const Actor& actor_of(const Actors& actors, int p) {
  return actors[static_cast<std::size_t>(p)];
}
/// Of its mesh, by rank.
[[nodiscard]] ByRank points_of(const Actor& actor);

/// From the vertices at `from` to those at `to`, each to or from the nearest one.
[[nodiscard]] ByRank map(const Flow& flow, const Sample& sample, const ByRank& from,
                         const ByRank& to);

} // namespace walks
