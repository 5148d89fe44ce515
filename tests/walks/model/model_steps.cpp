// SPDX-License-Identifier: BSD-3-Clause
// Time in the model: windows, iterations, and who waits for whom.
#include "model/model.hpp"

#include <algorithm>
#include <limits>

namespace walks {

bool Model::is_ongoing(int p) const {
  const auto& clocks = actor(p).clocks;
  return std::any_of(clocks.begin(), clocks.end(), [](const auto& c) { return c.second.ongoing; });
}

double Model::step_limit(int p) const {
  double limit = std::numeric_limits<double>::max();
  for (const auto& [s, clock] : actor(p).clocks) {
    if (clock.ongoing) {
      limit = std::min(limit, rules_.end_of_window(s, clock, p) - actor(p).time);
    }
  }
  return is_ongoing(p) ? limit : 0;
}

double Model::longest_step(int p) const {
  double longest = step_limit(p);
  for (const auto& [s, clock] : actor(p).clocks) {
    if (clock.ongoing && clock.iteration > 0 && rules_.is_set_by(s, p)) {
      longest = std::min(longest, clock.size);
    }
  }
  return longest;
}

void Model::begin_advance(int p, double dt) {
  Actor& actor = this->actor(p);
  actor.wait.sent.clear();
  actor.wait.schemes.clear();
  actor.wait.initializes = false;
  actor.time += dt;
  std::vector<int> due;
  for (auto& [s, clock] : actor.clocks) {
    const bool sets = rules_.is_set_by(s, p);
    if (sets) {
      clock.size = actor.time - clock.start;
    }
    if (clock.ongoing && (sets || actor.time >= rules_.end_of_window(s, clock, p))) {
      due.push_back(s);
    }
  }
  const bool repeats = std::any_of(
      due.begin(), due.end(), [&](int s) { return rules_.will_repeat(s, actor.clocks.at(s)); });
  if (repeats) { // explicit schemes wait until the implicit one has converged
    std::erase_if(due, [this](int s) { return rules_.scheme(s).iterations == 0; });
  }
  store(p, due);
  for (Rank& rank : actor.ranks) {
    rank.written.clear();
    rank.places.clear();
    rank.gradients.clear();
    rank.is_reset = false;
  }
  actor.is_reset = false;
  actor.steered.starts = false;
  actor.steered.repeats = false;
  actor.steered.complete = !due.empty();
  for (const int s : due) {
    send(s, p, false);
    if (!rules_.is_second_in_turn(s, p)) {
      actor.wait.schemes.push_back(s);
      continue;
    }
    if (rules_.scheme(s).iterations > 0) {
      finish_implicit(s, p);
    } else {
      finish_explicit(s, p);
    }
    if (actor.clocks.at(s).ongoing) {
      actor.wait.schemes.push_back(s);
    }
  }
  actor.wait.what = Wait::For::messages;
}

/// Opens the next window.
void Model::finish_explicit(int s, int p) {
  Actor& actor = this->actor(p);
  Clock& clock = actor.clocks.at(s);
  clock.ongoing = !rules_.is_over(s, clock.windows + 1, actor.time);
  ++clock.windows;
  clock.start = actor.time;
  for (std::size_t f = 0; f < rules_.setting().flows.size(); ++f) {
    auto& samples = actor.incoming[static_cast<int>(f)];
    if (rules_.setting().flows[f].scheme == s && rules_.setting().flows[f].to == p &&
        clock.ongoing) {
      samples.erase(samples.begin(), samples.end() - 1);
    }
  }
}

/// Opens the next window or goes back to the start of this one.
void Model::finish_implicit(int s, int p) {
  Actor& actor = this->actor(p);
  Clock& clock = actor.clocks.at(s);
  if (++clock.iteration >= rules_.scheme(s).iterations) {
    clock.iteration = 0;
    finish_explicit(s, p);
    actor.steered.starts = clock.ongoing;
    return;
  }
  actor.steered.repeats = true;
  actor.steered.complete = false;
  actor.time = clock.start;
  for (auto& [f, stored] : actor.outgoing) {
    stored.clear();
  }
  for (std::size_t f = 0; f < rules_.setting().flows.size(); ++f) {
    if (rules_.setting().flows[f].scheme == s && rules_.setting().flows[f].to == p &&
        rules_.is_second_in_turn(s, p)) {
      auto& samples = actor.incoming[static_cast<int>(f)];
      samples.erase(samples.begin() + 1, samples.end());
    }
  }
}

/// Towards what was read in the iteration before. What the leader received before the first one
/// does not count: it begins with zeros, as preCICE's does.
void Model::relax(int flow, std::vector<Sample>& arrived) const {
  constexpr double relaxation = 0.5;
  const Flow& its = rules_.flow(flow);
  const Clock& clock = actor(its.to).clocks.at(its.scheme);
  const bool is_first =
      clock.windows == 0 && clock.iteration == 0 && its.to == rules_.leader(its.scheme);
  for (Sample& sample : arrived) {
    const ByRank before = reading_.values_at(flow, sample.time);
    for (std::size_t r = 0; r < before.size(); ++r) {
      for (std::size_t i = 0; i < before[r].size(); ++i) {
        sample.values[r][i] =
            relaxation * sample.values[r][i] + (is_first ? 0 : (1 - relaxation) * before[r][i]);
      }
    }
  }
}

void Model::receive(int s, int p, bool initial) {
  Actor& actor = this->actor(p);
  auto& queue = messages_[{s, rules_.partner(s, p)}];
  const std::shared_ptr<Message> message = queue.front();
  queue.pop();
  message->is_consumed = true;
  const bool in_turn = rules_.is_second_in_turn(s, p);
  for (const auto& [f, arrived] : message->samples) {
    std::vector<Sample>& samples = actor.incoming.at(f);
    const Flow& flow = rules_.flow(f);
    std::vector<Sample> mapped;
    for (const Sample& sample : arrived) {
      const ByRank& from = sample.places.empty() ? message->points : sample.places;
      const bool stays = flow.reads_there() || sample.is_mapped;
      mapped.push_back({sample.time, stays ? sample.values : map(flow, sample, from, points(p))});
    }
    if (!initial && rules_.is_accelerated(flow) && !rules_.remembers(s) &&
        rules_.will_repeat(s, actor.clocks.at(s))) {
      relax(f, mapped);
    }
    if (initial || (!in_turn && rules_.scheme(s).iterations == 0)) {
      samples.clear();
    } else if (!in_turn) { // of the iteration before
      samples.erase(samples.begin() + 1, samples.end());
    }
    actor.source_points[f] = message->points;
    samples.insert(samples.end(), mapped.begin(), mapped.end());
  }
  if (in_turn && rules_.scheme(s).first_sets_window) {
    actor.clocks.at(s).size = message->window_size;
  }
}

Model::Progress Model::proceed(int p) {
  Actor& actor = this->actor(p);
  if (actor.wait.what == Wait::For::partners) {
    for (const auto& [s, clock] : actor.clocks) {
      const Actor& other = this->actor(rules_.partner(s, p));
      if (other.is_gone && messages_[{s, rules_.partner(s, p)}].empty()) {
        return Progress::never;
      }
      if (!other.wait.initializes && other.phase != Phase::running &&
          messages_[{s, rules_.partner(s, p)}].empty()) {
        return Progress::waits;
      }
    }
    start_data(p);
    actor.wait.what = Wait::For::messages;
    actor.wait.schemes.clear();
    for (const auto& [s, clock] : actor.clocks) {
      actor.wait.schemes.push_back(s);
    }
  }
  for (const int s : actor.wait.schemes) {
    if (messages_[{s, rules_.partner(s, p)}].empty()) {
      return this->actor(rules_.partner(s, p)).is_gone ? Progress::never : Progress::waits;
    }
    if (fixed_points_.is_held(s, messages_[{s, rules_.partner(s, p)}].front())) {
      return fixed_points_.is_lost(s) ? Progress::never : Progress::waits;
    }
  }
  const std::vector<int> awaited = actor.wait.schemes;
  actor.wait.schemes.clear();
  for (const int s : awaited) {
    const bool first_window = actor.wait.initializes && actor.phase == Phase::running;
    const bool initial = actor.wait.initializes && !first_window;
    receive(s, p, initial);
    if (!initial && !rules_.is_second_in_turn(s, p)) {
      if (rules_.scheme(s).iterations > 0) {
        finish_implicit(s, p);
      } else {
        finish_explicit(s, p);
      }
    }
    if (initial && rules_.is_second_in_turn(s, p)) {
      actor.wait.schemes.push_back(s);
    }
  }
  if (actor.wait.initializes && actor.phase != Phase::running) {
    actor.phase = Phase::running;
    for (const auto& [s, clock] : actor.clocks) {
      actor.steered.starts |= rules_.scheme(s).iterations > 0;
    }
    return actor.wait.schemes.empty() ? Progress::done : proceed(p);
  }
  actor.wait.what = Wait::For::nothing;
  return Progress::done;
}

void Model::leave(int p) {
  actor(p).is_gone = true;
  actor(p).wait.what = Wait::For::nothing;
}

} // namespace walks
