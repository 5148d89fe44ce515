// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "local_calls.hpp"
#include "scene.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace walks {

/// Draws what all ranks of all participants call, and what must come of it.
class Walker {
 public:
  Walker(const Setting& setting, const Options& options);

  [[nodiscard]] Scripts take_scripts() { return std::move(scene_.scripts()); }

 private:
  struct Steering {
    int participant = 0;
    std::vector<std::size_t> at; // by rank, place in its script
    std::vector<std::shared_ptr<Message>> sent;
    bool is_broken = false;
  };

  void live();
  bool step(int p);
  bool wait(int p);
  void define(int p, Random& random);
  void go_on(int p, Random& random);
  void leave_alone(int p, int who);
  void end(int p, Kind how);
  void steer(int p, Call call);
  [[nodiscard]] bool prepare(int p, Random& random);
  void leave_early(int p, Random& random);
  void reset(int p, Random& random);
  void judge();

  Scene scene_;
  LocalCalls local_{scene_};
  std::vector<Steering> steered_;
  std::vector<Steering*> current_; // by participant
  std::vector<int> slots_;
  int life_ = 0;
  int counter_ = 0;
  bool is_early_ = false; // somebody has left before the end
};

} // namespace walks
