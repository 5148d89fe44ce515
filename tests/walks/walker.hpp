// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/model.hpp"
#include "random.hpp"
#include "script.hpp"
#include "setting.hpp"

#include <memory>
#include <string>
#include <vector>

namespace walks {

/// Draws what all ranks of all participants call, and what must come of it.
class Walker {
 public:
  Walker(const Setting& setting, const Options& options);

  [[nodiscard]] Scripts take_scripts() { return std::move(scripts_); }

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

  // walker_local.cpp, walker_data.cpp, walker_meshes.cpp
  void local(int p, int r, Random& random);
  void draw_write(int p, int r, Random& random);
  void draw_read(int p, int r, Random& random);
  void expect_values(int r, int f, Call& call) const;
  void read_wrongly(int p, int r, int f, int wrong, Call call, Random& random);
  void draw_write_just_in_time(int p, int r, int f, Random& random);
  void draw_gradients(int p, int r, Random& random);
  void draw_read_just_in_time(int p, int r, int f, Random& random);
  [[nodiscard]] std::vector<double> draw_places(int p, int r, int f, Random& random);
  void draw_status(int p, int r, Random& random);
  void draw_query(int p, int r, Random& random);
  void draw_checkpoint(int p, int r, Random& random);
  void draw_vertices(int p, int r, Random& random);
  void draw_element(int p, int r, Random& random);
  void draw_region(int p, int r, Random& random);
  void draw_fetch(int p, int r, Random& random);
  void draw_section(int p, int r, Random& random);
  void draw_steering(int p, int r, Random& random);

  void add_vertices(int p, int r, int count, Random& random);
  [[nodiscard]] int filled_rank(int p) const;
  void set_region(int p, int r, int of, Random& random);
  /// Appends a call that must be refused with an error that holds these words.
  void refuse(int p, int r, Call call, std::vector<std::string> words);
  void add(int p, int r, Call call) {
    call.number = number_;
    scripts_[static_cast<std::size_t>(p)][static_cast<std::size_t>(r)].push_back(std::move(call));
  }
  [[nodiscard]] Rank& rank(int p, int r) {
    return model_->actor(p).ranks[static_cast<std::size_t>(r)];
  }
  [[nodiscard]] std::vector<int> flows(int p, bool outgoing) const;
  [[nodiscard]] const Flow& flow(int f) const {
    return setting_.flows[static_cast<std::size_t>(f)];
  }
  [[nodiscard]] bool has_ended(int p) const {
    return model_->actor(p).phase == Phase::running && !model_->is_ongoing(p);
  }
  [[nodiscard]] bool is_open(int p, int r);
  [[nodiscard]] int other_mesh(int p, bool received) const;

  const Setting& setting_;
  const Options& options_;
  std::unique_ptr<Model> model_;
  Scripts scripts_;
  std::vector<Steering> steered_;
  std::vector<Steering*> current_; // by participant
  std::vector<int> slots_;
  int life_ = 0;
  int counter_ = 0;
  int number_ = -1;
  bool is_early_ = false; // somebody has left before the end
  bool is_loose_ = false; // ... on one rank, so that nobody knows what is still sent
};

} // namespace walks
