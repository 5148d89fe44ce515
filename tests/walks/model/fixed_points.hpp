// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/acceleration.hpp"
#include "model/rules.hpp"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace walks {

/// What a scheme iterates whose acceleration remembers earlier iterations.
struct Iterations {
  Acceleration method;
  std::map<int, std::vector<Sample>> given{}; // by flow, on the mesh that is exchanged
  std::map<std::pair<int, int>, std::shared_ptr<Message>> sent{}; // by scheme and sender, now
};

/// The iterations of all schemes whose acceleration remembers earlier ones.
class FixedPoints {
 public:
  FixedPoints(const Rules& rules, const Actors& actors) : rules_(rules), actors_(actors) {}

  void start(int s, int p, const std::shared_ptr<Message>& initial);
  void iterate(int s, int p, const std::shared_ptr<Message>& sent);
  /// It is on its way, and somebody has not answered yet; or has left, and never will.
  [[nodiscard]] bool is_held(int s, const std::shared_ptr<Message>& sent) const;
  [[nodiscard]] bool is_lost(int s) const;
  [[nodiscard]] bool is_noisy(int s) const;

 private:
  [[nodiscard]] ByRank points(int p) const { return points_of(actor_of(actors_, p)); }
  [[nodiscard]] ByRank exchanged(const Flow& flow, const Sample& sample) const;
  [[nodiscard]] std::vector<std::vector<char>> counted(const Flow& flow) const;
  [[nodiscard]] Iterations& iterations(int s);

  const Rules& rules_;
  const Actors& actors_;
  std::map<int, Iterations> iterations_; // by group of schemes
};

} // namespace walks
