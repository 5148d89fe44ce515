// SPDX-License-Identifier: BSD-3-Clause
#include "model/model.hpp"

#include <algorithm>

namespace walks {

Model::Model(const Setting& setting)
    : rules_(setting), actors_(static_cast<std::size_t>(setting.num_participants())) {}

void Model::construct(int p) {
  Actor& actor = this->actor(p);
  actor = {};
  actor.phase = Phase::defining;
  actor.ranks.resize(static_cast<std::size_t>(rules_.setting().size(p)));
  for (int s = 0; s < static_cast<int>(rules_.setting().schemes.size()); ++s) {
    if (rules_.scheme(s).first == p || rules_.scheme(s).second == p) {
      actor.clocks[s].size = rules_.scheme(s).window;
    }
  }
  for (Rank& rank : actor.ranks) {
    rank.owes_initial = rules_.provides_initial(p);
  }
}

void Model::begin_initialize(int p) {
  actor(p).wait.sent.clear();
  actor(p).wait.initializes = true;
  actor(p).wait.what = Wait::For::partners;
}

/// Everything that is read is zero, unless initial data come.
void Model::start_data(int p) {
  Actor& actor = this->actor(p);
  for (const auto& [s, clock] : actor.clocks) {
    actor.received_points[rules_.partner(s, p)] = points(rules_.partner(s, p));
  }
  for (std::size_t f = 0; f < rules_.setting().flows.size(); ++f) {
    const Flow& flow = rules_.setting().flows[f];
    if (flow.to == p) {
      ByRank zeros = points(flow.reads_there() ? flow.from : p);
      actor.source_points[static_cast<int>(f)] = points(flow.from);
      for (std::vector<double>& values : zeros) {
        values.assign(values.size() / 2 * static_cast<std::size_t>(flow.components), 0);
      }
      actor.incoming[static_cast<int>(f)] = {{0, zeros}};
    }
  }
  for (const auto& [s, clock] : actor.clocks) {
    send(s, p, true);
  }
  actor.outgoing.clear(); // what was written and is no initial data is lost
  for (Rank& rank : actor.ranks) {
    rank.written.clear();
    rank.places.clear();
    rank.gradients.clear();
  }
}

/// The initial data, or what was stored since the start of the window.
void Model::send(int s, int p, bool initial) {
  Actor& actor = this->actor(p);
  auto message = std::make_shared<Message>();
  message->points = points(p);
  message->window_size = actor.time - actor.clocks.at(s).start;
  for (std::size_t f = 0; f < rules_.setting().flows.size(); ++f) {
    const Flow& flow = rules_.setting().flows[f];
    if (flow.scheme != s || flow.from != p || (initial && !flow.initialize)) {
      continue;
    }
    if (initial) {
      actor.outgoing[static_cast<int>(f)].clear();
      store(p, {s});
    }
    std::vector<Sample>& stored = actor.outgoing[static_cast<int>(f)];
    if (!flow.substeps) {
      stored.erase(stored.begin(), stored.end() - 1);
    }
    message->samples[static_cast<int>(f)] = stored;
    stored.clear();
  }
  messages_[{s, p}].push(message);
  ++num_messages_;
  actor.wait.sent.push_back(message);
  if (initial) {
    fixed_points_.start(s, p, message);
  } else {
    fixed_points_.iterate(s, p, message);
  }
}

void Model::store(int p, const std::vector<int>& due) {
  Actor& actor = this->actor(p);
  for (std::size_t f = 0; f < rules_.setting().flows.size(); ++f) {
    const Flow& flow = rules_.setting().flows[f];
    const bool is_due = std::find(due.begin(), due.end(), flow.scheme) != due.end();
    if (flow.from != p) {
      continue;
    }
    Sample sample{actor.time, points(p)};
    if (flow.kind == Flow::Kind::just_in_time_write) {
      for (Rank& rank : actor.ranks) {
        sample.places.push_back(rank.places[static_cast<int>(f)]);
      }
      sample.values = sample.places;
    }
    for (std::size_t r = 0; r < actor.ranks.size(); ++r) {
      std::vector<double>& gradients = sample.gradients.emplace_back();
      gradients = actor.ranks[r].gradients[static_cast<int>(f)];
      gradients.resize(sample.values[r].size() * static_cast<std::size_t>(flow.components));
      std::vector<double>& values = sample.values[r];
      values.assign(values.size() / 2 * static_cast<std::size_t>(flow.components), 0);
      const auto written = actor.ranks[r].written.find(static_cast<int>(f));
      if (written != actor.ranks[r].written.end()) {
        std::copy(written->second.begin(), written->second.end(), values.begin());
      }
    }
    if (is_due || flow.substeps) {
      actor.outgoing[static_cast<int>(f)].push_back(std::move(sample));
    }
  }
}

} // namespace walks
