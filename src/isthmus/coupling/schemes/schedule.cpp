// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/schemes/schedule.hpp"

#include <algorithm>
#include <limits>

namespace isthmus::coupling {

namespace {

/// Whether neither of the two has another scheme.
bool stands_alone(const config::CouplingScheme& scheme,
                  std::span<const config::CouplingScheme> all) {
  return std::none_of(all.begin(), all.end(), [&scheme](const config::CouplingScheme& other) {
    return &other != &scheme &&
           std::any_of(scheme.participants.begin(), scheme.participants.end(),
                       [&other](const std::string& one) { return other.involves(one); });
  });
}

} // namespace

Schedule::Schedule(std::span<const config::CouplingScheme> schemes, const std::string& self) {
  int number = 0;
  for (const config::CouplingScheme& settings : schemes) {
    if (settings.involves(self)) {
      schemes_.emplace_back(settings, self, number);
      if (settings.implicit()) {
        implicit_ = &schemes_.back();
        keeps_window_ = implicit_->sends_window_size() && !stands_alone(settings, schemes);
      }
    }
    ++number;
  }
  due_.reserve(schemes_.size());
}

Scheme* Schedule::find(const std::string& partner) {
  const auto found = std::find_if(schemes_.begin(), schemes_.end(), [&](const Scheme& scheme) {
    const std::vector<std::string>& partners = scheme.partners();
    return std::find(partners.begin(), partners.end(), partner) != partners.end();
  });
  return found == schemes_.end() ? nullptr : &*found;
}

std::set<std::string> Schedule::partners() const {
  std::set<std::string> all;
  for (const Scheme& scheme : schemes_) {
    all.insert(scheme.partners().begin(), scheme.partners().end());
  }
  return all;
}

double Schedule::step_limit() const {
  double limit = std::numeric_limits<double>::max();
  bool ongoing = false;
  for (const Scheme& scheme : schemes_) {
    if (scheme.window().ongoing() && !is_waiting(scheme)) {
      ongoing = true;
      limit = std::min(limit, scheme.window().step_limit());
    }
  }
  if (takes_step_again()) {
    limit = std::min(limit, repeated_size());
  }
  return ongoing ? limit : 0;
}

double Schedule::least_step() const {
  return takes_step_again() ? step_limit() : 0;
}

double Schedule::repeated_size() const {
  return repeats_ && implicit_->sends_window_size() ? repeated_end_ - time_
                                                    : std::numeric_limits<double>::max();
}

bool Schedule::is_ongoing() const {
  return std::any_of(schemes_.begin(), schemes_.end(),
                     [](const Scheme& scheme) { return scheme.window().ongoing(); });
}

int Schedule::windows_done() const {
  int most = 0;
  for (const Scheme& scheme : schemes_) {
    most = std::max(most, scheme.window().number());
  }
  return most;
}

bool Schedule::ends_windows(double dt) const {
  return std::all_of(schemes_.begin(), schemes_.end(), [dt, this](const Scheme& scheme) {
    Window window = scheme.window();
    if (window.ongoing() && !is_waiting(scheme)) {
      window.advance(dt);
    }
    return !window.ongoing() || window.complete();
  });
}

bool Schedule::is_between_windows() const {
  return std::all_of(schemes_.begin(), schemes_.end(), [](const Scheme& scheme) {
    return !scheme.window().ongoing() || scheme.window().time() == scheme.window().start();
  });
}

/// Those that come to an end together with the implicit scheme wait there until it has converged.
bool Schedule::is_waiting(const Scheme& scheme) const {
  return repeats_ && &scheme != implicit_;
}

std::vector<Scheme*>& Schedule::step(double dt) {
  for (Scheme& scheme : schemes_) {
    if (scheme.window().ongoing() && !is_waiting(scheme)) {
      scheme.window().advance(dt);
      time_ = scheme.window().time();
    }
  }
  const bool implicit_ends = implicit_ != nullptr && implicit_->window().complete();
  due_.clear();
  for (Scheme& scheme : schemes_) {
    if (scheme.window().complete() && (implicit_ends || !is_waiting(scheme))) {
      due_.push_back(&scheme);
    }
  }
  return due_;
}

void Schedule::repeat(double start) {
  repeated_end_ = time_;
  for (Scheme& scheme : schemes_) {
    if (scheme.window().ongoing() && &scheme != implicit_) {
      scheme.set_back(start);
    }
  }
  time_ = start;
  repeats_ = true;
}

} // namespace isthmus::coupling
