// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/actors.hpp"
#include "model/fixed_points.hpp"
#include "model/reading.hpp"
#include "model/rules.hpp"

#include <map>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

namespace walks {

/// Who has come how far, and the messages on their way.
class Model {
 public:
  explicit Model(const Setting& setting);
  Model(const Model&) = delete; // its parts know each other
  Model& operator=(const Model&) = delete;

  [[nodiscard]] Actor& actor(int p) { return actors_[static_cast<std::size_t>(p)]; }
  [[nodiscard]] const Actor& actor(int p) const { return actor_of(actors_, p); }
  [[nodiscard]] const Rules& rules() const { return rules_; }
  [[nodiscard]] const Reading& reading() const { return reading_; }

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
  /// A window that the participant sets does not grow while it is repeated.
  [[nodiscard]] double longest_step(int p) const;

 private:
  [[nodiscard]] ByRank points(int p) const { return points_of(actor(p)); }
  void send(int s, int p, bool initial);
  void store(int p, const std::vector<int>& due);
  void start_data(int p);
  void receive(int s, int p, bool initial);
  void finish_explicit(int s, int p);
  void finish_implicit(int s, int p);
  void relax(int flow, std::vector<Sample>& arrived) const;

  Rules rules_;
  Actors actors_;
  FixedPoints fixed_points_{rules_, actors_};
  Reading reading_{rules_, actors_, fixed_points_};
  long num_messages_ = 0;
  std::map<std::pair<int, int>, std::queue<std::shared_ptr<Message>>> messages_; // scheme, sender
};

} // namespace walks
