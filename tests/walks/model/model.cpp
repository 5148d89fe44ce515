// SPDX-License-Identifier: BSD-3-Clause
#include "model/model.hpp"

#include <algorithm>
#include <limits>

namespace walks {

Model::Model(const Setting& setting)
    : setting_(setting), actors_(static_cast<std::size_t>(setting.num_participants())) {}

void Model::construct(int p) {
  Actor& actor = this->actor(p);
  actor = {};
  actor.phase = Phase::defining;
  actor.ranks.resize(static_cast<std::size_t>(setting_.size(p)));
  for (int s = 0; s < static_cast<int>(setting_.schemes.size()); ++s) {
    if (scheme(s).first == p || scheme(s).second == p) {
      actor.clocks[s].size = scheme(s).window;
    }
  }
  for (Rank& rank : actor.ranks) {
    rank.owes_initial = provides_initial(p);
  }
}

bool Model::provides_initial(int p) const {
  return std::any_of(setting_.flows.begin(), setting_.flows.end(),
                     [p](const Flow& flow) { return flow.from == p && flow.initialize; });
}

ByRank Model::points(int p) const {
  ByRank all;
  for (const Rank& rank : actor(p).ranks) {
    all.push_back(rank.points);
  }
  return all;
}

void Model::begin_initialize(int p) {
  actor(p).sent.clear();
  actor(p).initializes = true;
  actor(p).waiting = Actor::Waiting::partners;
}

/// Everything that is read is zero, unless initial data come.
void Model::start_data(int p) {
  Actor& actor = this->actor(p);
  for (const auto& [s, clock] : actor.clocks) {
    actor.received_points[partner(s, p)] = points(partner(s, p));
  }
  for (std::size_t f = 0; f < setting_.flows.size(); ++f) {
    const Flow& flow = setting_.flows[f];
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
  for (std::size_t f = 0; f < setting_.flows.size(); ++f) {
    const Flow& flow = setting_.flows[f];
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
  actor.sent.push_back(message);
  if (initial) {
    start_iterations(s, p, message);
  } else {
    iterate(s, p, message);
  }
}

void Model::store(int p, const std::vector<int>& due) {
  Actor& actor = this->actor(p);
  for (std::size_t f = 0; f < setting_.flows.size(); ++f) {
    const Flow& flow = setting_.flows[f];
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

ByRank Model::map(const Flow& flow, const Sample& sample, const ByRank& from, const ByRank& to) {
  const ByRank& values = sample.values;
  const bool conservative = flow.ends_there();
  const ByRank& origins = conservative ? from : to;
  const ByRank& targets = conservative ? to : from;
  const auto width = static_cast<std::size_t>(flow.components);
  ByRank result(to.size());
  for (std::size_t r = 0; r < to.size(); ++r) {
    result[r].assign(to[r].size() / 2 * width, 0);
  }
  for (std::size_t r = 0; r < origins.size(); ++r) {
    for (std::size_t i = 0; i < origins[r].size() / 2; ++i) {
      double least = std::numeric_limits<double>::max();
      std::size_t rank = 0;
      std::size_t vertex = 0;
      for (std::size_t q = 0; q < targets.size(); ++q) {
        for (std::size_t k = 0; k < targets[q].size() / 2; ++k) {
          const double dx = targets[q][2 * k] - origins[r][2 * i];
          const double dy = targets[q][2 * k + 1] - origins[r][2 * i + 1];
          if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            rank = q;
            vertex = k;
          }
        }
      }
      for (std::size_t c = 0; c < width; ++c) {
        if (conservative) {
          result[rank][vertex * width + c] += values[r][i * width + c];
        } else {
          double& value = result[r][i * width + c];
          value = values[rank][vertex * width + c];
          for (std::size_t d = 0; d < 2 && flow.gradients && !sample.gradients.empty(); ++d) {
            value += sample.gradients[rank][2 * (vertex * width + c) + d] *
                     (origins[r][2 * i + d] - targets[rank][2 * vertex + d]);
          }
        }
      }
    }
  }
  return result;
}

std::vector<double> Model::accessed(int p, int rank, int of) const {
  const auto& region = actor(p).ranks[static_cast<std::size_t>(rank)].regions.at(of);
  std::vector<double> inside;
  for (const std::vector<double>& part : actor(p).received_points.at(of)) {
    for (std::size_t i = 0; i + 1 < part.size(); i += 2) {
      if (part[i] >= region[0] && part[i] <= region[1] && part[i + 1] >= region[2] &&
          part[i + 1] <= region[3]) {
        inside.insert(inside.end(), {part[i], part[i + 1]});
      }
    }
  }
  return inside;
}

bool Model::knows(int flow, double relative_time) const {
  const Flow& its = setting_.flows[static_cast<std::size_t>(flow)];
  const auto iterations = iterations_.find(group(its.scheme));
  const bool is_open = its.degree > 1 || (remembers(its.scheme) && !is_modelled(its.scheme)) ||
                       (iterations != iterations_.end() && iterations->second.method.is_noisy());
  if (is_accelerated(its) && is_open) { // to the splines, or the steps, of each iteration
    return false;
  }
  const std::vector<Sample>& samples = actor(its.to).incoming.at(flow);
  const double time = actor(its.to).time + relative_time;
  return its.degree < 2 || static_cast<int>(samples.size()) <= its.degree + 1 ||
         time <= samples.front().time || time >= samples.back().time;
}

double Model::tolerance(int flow) const {
  const Flow& its = setting_.flows[static_cast<std::size_t>(flow)];
  return is_accelerated(its) && remembers(its.scheme) ? 1e-6 : 1e-10;
}

bool Model::is_accelerated(const Flow& flow) const {
  const Scheme& scheme = this->scheme(flow.scheme);
  const bool is_led =
      !setting_.multi || flow.from == setting_.controller || flow.to == setting_.controller;
  return !scheme.acceleration.empty() && is_led && (!scheme.serial || flow.from == scheme.second);
}

/// Constant, linear, or the polynomial through all samples.
ByRank Model::values_at(int flow, double time) const {
  const Flow& its = setting_.flows[static_cast<std::size_t>(flow)];
  const std::vector<Sample>& samples = actor(its.to).incoming.at(flow);
  std::size_t after = 0;
  while (after + 1 < samples.size() && samples[after].time < time) {
    ++after;
  }
  std::size_t first = after;
  std::size_t last = after;
  if (after > 0 && samples[after].time > time && its.degree > 0) {
    first = its.degree == 1 ? after - 1 : 0;
    last = its.degree == 1 ? after : samples.size() - 1;
  }
  ByRank values = samples[first].values;
  for (std::size_t k = first; k <= last; ++k) {
    double weight = 1;
    for (std::size_t other = first; other <= last; ++other) {
      if (other != k) {
        weight *= (time - samples[other].time) / (samples[k].time - samples[other].time);
      }
    }
    for (std::size_t r = 0; r < values.size(); ++r) {
      for (std::size_t i = 0; i < values[r].size(); ++i) {
        values[r][i] = (k == first ? 0 : values[r][i]) + weight * samples[k].values[r][i];
      }
    }
  }
  return values;
}

std::vector<double> Model::read_at(int flow, double relative_time,
                                   const std::vector<double>& places) const {
  const Flow& its = setting_.flows[static_cast<std::size_t>(flow)];
  const Sample sample{0, values_at(flow, actor(its.to).time + relative_time)};
  return map(its, sample, source_points(flow), {places})[0];
}

std::vector<double> Model::read(int flow, int rank, double relative_time) const {
  const Flow& its = setting_.flows[static_cast<std::size_t>(flow)];
  const Actor& reader = actor(its.to);
  const ByRank values = values_at(flow, reader.time + relative_time);
  if (its.kind != Flow::Kind::direct) {
    return values[static_cast<std::size_t>(rank)];
  }
  const auto& region = reader.ranks[static_cast<std::size_t>(rank)].regions.at(its.from);
  const ByRank& points = source_points(flow);
  const auto width = static_cast<std::size_t>(its.components);
  std::vector<double> inside;
  for (std::size_t r = 0; r < points.size(); ++r) {
    for (std::size_t i = 0; i < points[r].size() / 2; ++i) {
      const double x = points[r][2 * i];
      const double y = points[r][2 * i + 1];
      if (x >= region[0] && x <= region[1] && y >= region[2] && y <= region[3]) {
        const double* const at = values[r].data() + i * width;
        inside.insert(inside.end(), at, at + width);
      }
    }
  }
  return inside;
}

} // namespace walks
