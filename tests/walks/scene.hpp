// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/model.hpp"
#include "random.hpp"
#include "script.hpp"
#include "setting.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace walks {

/// The model as a walk has brought it so far, and the scripts of the calls that did.
class Scene {
 public:
  Scene(const Setting& setting, const Options& options);

  [[nodiscard]] const Setting& setting() const { return setting_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] Model& model() { return *model_; }
  [[nodiscard]] Scripts& scripts() { return scripts_; }
  [[nodiscard]] std::vector<Call>& script(int p, int r) {
    return scripts_[static_cast<std::size_t>(p)][static_cast<std::size_t>(r)];
  }

  /// All participants are absent again.
  void begin_life() { model_ = std::make_unique<Model>(setting_); }
  /// Calls that come now have this number.
  void number(int number) { number_ = number; }
  void add(int p, int r, Call call) {
    call.number = number_;
    script(p, r).push_back(std::move(call));
  }
  /// Appends a call that must be refused with an error that holds these words.
  void refuse(int p, int r, Call call, std::vector<std::string> words);

  [[nodiscard]] Actor& actor(int p) { return model_->actor(p); }
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
  /// Its mesh may be defined.
  [[nodiscard]] bool is_open(int p, int r);
  /// A mesh that the participant receives, or one that it does not know; -1: there is none.
  [[nodiscard]] int other_mesh(int p, bool received) const;

 private:
  const Setting& setting_;
  const Options& options_;
  std::unique_ptr<Model> model_;
  Scripts scripts_;
  int number_ = -1;
};

} // namespace walks
