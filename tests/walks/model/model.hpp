// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/acceleration.hpp"
#include "setting.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <queue>
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

/// What a scheme iterates whose acceleration remembers earlier iterations.
struct Iterations {
  Acceleration method;
  std::map<int, std::vector<Sample>> given{}; // by flow, on the mesh that is exchanged
  std::map<std::pair<int, int>, std::shared_ptr<Message>> sent{}; // by scheme and sender, now
};

enum class Phase { absent, defining, running, finalized, failed };

struct Actor {
  Phase phase = Phase::absent;
  std::vector<Rank> ranks;
  std::map<int, Clock> clocks;                 // by scheme
  std::map<int, std::vector<Sample>> outgoing; // by flow
  std::map<int, std::vector<Sample>> incoming; // by flow, on the mesh that is read
  std::map<int, ByRank> source_points;         // of direct access, by flow
  std::map<int, ByRank> received_points;       // by participant, at first
  double time = 0;
  bool complete = false;
  bool starts = false;
  bool repeats = false;
  bool is_reset = false;
  bool is_gone = false; // will send nothing any more

  enum class Waiting { nothing, partners, messages };
  Waiting waiting = Waiting::nothing;
  std::vector<int> awaited;                   // schemes
  bool initializes = false;                   // awaits the first window
  std::vector<std::shared_ptr<Message>> sent; // in the current call
};

class Model {
 public:
  explicit Model(const Setting& setting);

  [[nodiscard]] Actor& actor(int p) { return actors_[static_cast<std::size_t>(p)]; }
  [[nodiscard]] const Actor& actor(int p) const { return actors_[static_cast<std::size_t>(p)]; }

  void construct(int p);
  /// The steering calls; they may have to wait for others.
  void begin_initialize(int p);
  void begin_advance(int p, double dt);
  enum class Progress { waits, done, never };
  [[nodiscard]] Progress proceed(int p);
  void leave(int p);
  /// Sent so far, by all.
  [[nodiscard]] long num_messages() const { return num_messages_; }

  [[nodiscard]] bool is_ongoing(int p) const;
  [[nodiscard]] double step_limit(int p) const;
  /// Of all values that a rank reads, at a time after the current one.
  [[nodiscard]] std::vector<double> read(int flow, int rank, double relative_time) const;
  /// Of numbers that rounding changes more in some data than in others.
  [[nodiscard]] double tolerance(int flow) const;
  /// Whether it is known what comes of a read then.
  [[nodiscard]] bool knows(int flow, double relative_time) const;
  /// Of what is read just in time: the values at the vertices that are nearest to these places.
  [[nodiscard]] std::vector<double> read_at(int flow, double relative_time,
                                            const std::vector<double>& places) const;
  /// The vertices of a received mesh in the region of a rank.
  [[nodiscard]] std::vector<double> accessed(int p, int rank, int of) const;
  [[nodiscard]] bool provides_initial(int p) const;
  /// Writing just in time needs a mesh that is known.
  [[nodiscard]] ByRank points(int p) const;

 private:
  [[nodiscard]] const Scheme& scheme(int s) const {
    return setting_.schemes[static_cast<std::size_t>(s)];
  }
  [[nodiscard]] int partner(int s, int p) const {
    return scheme(s).first == p ? scheme(s).second : scheme(s).first;
  }
  [[nodiscard]] bool is_second_in_turn(int s, int p) const {
    return scheme(s).serial && scheme(s).second == p;
  }
  [[nodiscard]] double end_of_window(int s, const Clock& clock, int p) const;
  [[nodiscard]] bool is_over(int s, const Clock& clock, int windows, double time) const;
  void send(int s, int p, bool initial);
  void store(int p, const std::vector<int>& due);
  void start_data(int p);
  void receive(int s, int p, bool initial);
  void finish_explicit(int s, int p);
  void finish_implicit(int s, int p);
  [[nodiscard]] static ByRank map(const Flow& flow, const Sample& sample, const ByRank& from,
                                  const ByRank& to);
  [[nodiscard]] const ByRank& source_points(int flow) const {
    return actor(setting_.flows[static_cast<std::size_t>(flow)].to).source_points.at(flow);
  }
  [[nodiscard]] ByRank values_at(int flow, double time) const;
  [[nodiscard]] bool is_accelerated(const Flow& flow) const;

  // model_iterations.cpp
  [[nodiscard]] int leader(int s) const {
    return setting_.multi ? setting_.controller : scheme(s).second;
  }
  [[nodiscard]] int group(int s) const { return setting_.multi ? 0 : s; }
  [[nodiscard]] std::vector<int> accelerated_flows(int s) const;
  [[nodiscard]] bool remembers(int s) const;
  [[nodiscard]] bool is_modelled(int s) const;
  [[nodiscard]] ByRank exchanged(const Flow& flow, const Sample& sample) const;
  [[nodiscard]] std::vector<std::vector<char>> counted(const Flow& flow) const;
  [[nodiscard]] Iterations& iterations(int s);
  [[nodiscard]] std::vector<std::pair<int, int>> answering(int s) const;
  void start_iterations(int s, int p, const std::shared_ptr<Message>& initial);
  void iterate(int s, int p, const std::shared_ptr<Message>& sent);
  /// It is on its way, and somebody has not answered yet; or has left, and never will.
  [[nodiscard]] bool is_held(int s, const std::shared_ptr<Message>& sent) const;
  [[nodiscard]] bool is_lost(int s) const;
  void relax(int flow, std::vector<Sample>& arrived) const;
  [[nodiscard]] bool will_repeat(int s, const Clock& clock) const {
    return scheme(s).iterations > 0 && clock.iteration + 1 < scheme(s).iterations;
  }

  const Setting& setting_;
  std::vector<Actor> actors_;
  long num_messages_ = 0;
  std::map<std::pair<int, int>, std::queue<std::shared_ptr<Message>>> messages_; // scheme, sender
  std::map<int, Iterations> iterations_;                                         // by scheme
};

} // namespace walks
