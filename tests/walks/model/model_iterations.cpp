// SPDX-License-Identifier: BSD-3-Clause
// Accelerations that remember earlier iterations, in the model.
#include "model/model.hpp"

#include <algorithm>
#include <limits>

namespace walks {

namespace {

/// Those that count, one after the other.
Values flat(const ByRank& values, const std::vector<std::vector<char>>& counted) {
  Values all;
  for (std::size_t r = 0; r < values.size(); ++r) {
    for (std::size_t i = 0; i < values[r].size(); ++i) {
      if (counted[r].empty() || counted[r][i * counted[r].size() / values[r].size()] != 0) {
        all.push_back(values[r][i]);
      }
    }
  }
  return all;
}

void put_back(const Values& all, const std::vector<std::vector<char>>& counted, ByRank& values) {
  auto next = all.begin();
  for (std::size_t r = 0; r < values.size(); ++r) {
    for (std::size_t i = 0; i < values[r].size(); ++i) {
      if (counted[r].empty() || counted[r][i * counted[r].size() / values[r].size()] != 0) {
        values[r][i] = *next++;
      }
    }
  }
}

ByRank zeros_like(ByRank values) {
  for (std::vector<double>& part : values) {
    std::fill(part.begin(), part.end(), 0.0);
  }
  return values;
}

ByRank between(ByRank a, const ByRank& b, double weight) {
  for (std::size_t r = 0; r < a.size(); ++r) {
    for (std::size_t i = 0; i < a[r].size(); ++i) {
      a[r][i] = (1 - weight) * a[r][i] + weight * b[r][i];
    }
  }
  return a;
}

/// What was given for a time, where the window was another one in the iteration before: a first
/// participant that sets it may take another step.
Sample at_time(const std::vector<Sample>& given, double time, int degree) {
  const Sample& start = given.front();
  const Sample& end = given.back();
  if (time >= end.time || degree == 0) {
    return end;
  }
  const double weight = (time - start.time) / (end.time - start.time);
  return {time, between(start.values, end.values, weight),
          between(start.gradients, end.gradients, weight)};
}

} // namespace

std::vector<int> Model::accelerated_flows(int s) const {
  std::vector<int> found;
  for (std::size_t f = 0; f < setting_.flows.size(); ++f) {
    const Flow& flow = setting_.flows[f];
    if (group(flow.scheme) == group(s) && is_accelerated(flow)) {
      found.push_back(static_cast<int>(f));
    }
  }
  return found;
}

bool Model::remembers(int s) const {
  const std::string& kind = scheme(s).acceleration;
  return !kind.empty() && kind != "constant";
}

/// Of a mesh to which it has access the leader holds what is in its region, or around it.
bool Model::is_modelled(int s) const {
  const auto is_open = [this, s](const Flow& flow) {
    const bool is_of_group = group(flow.scheme) == group(s);
    return (is_of_group && is_accelerated(flow) && flow.substeps) || flow.accessor() == leader(s);
  };
  return std::none_of(setting_.flows.begin(), setting_.flows.end(), is_open);
}

/// The values as they travel.
ByRank Model::exchanged(const Flow& flow, const Sample& sample) const {
  if (!flow.ends_there()) {
    return sample.values;
  }
  return map(flow, sample, sample.places.empty() ? points(flow.from) : sample.places,
             points(flow.to));
}

/// The vertices of a received mesh that a leader on several ranks holds: those that it reads, or
/// maps to; by rank, nothing: all.
std::vector<std::vector<char>> Model::counted(const Flow& flow) const {
  std::vector<std::vector<char>> all(actor(flow.ends_there() ? flow.to : flow.from).ranks.size());
  const int leader = this->leader(flow.scheme);
  const bool maps_to = flow.from == leader && flow.kind == Flow::Kind::write_mapping;
  const bool reads = flow.to == leader && !flow.ends_there();
  if (!(maps_to || reads) || setting_.size(leader) == 1) {
    return all;
  }
  const ByRank from = points(maps_to ? flow.to : flow.from);
  for (std::size_t r = 0; r < from.size(); ++r) {
    all[r].assign(from[r].size() / 2, 0);
  }
  for (const std::vector<double>& part : points(leader)) {
    for (std::size_t i = 0; i + 1 < part.size(); i += 2) {
      double least = std::numeric_limits<double>::max();
      char* nearest = nullptr;
      for (std::size_t r = 0; r < from.size(); ++r) {
        for (std::size_t k = 0; k < from[r].size() / 2; ++k) {
          const double dx = from[r][2 * k] - part[i];
          const double dy = from[r][2 * k + 1] - part[i + 1];
          if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            nearest = &all[r][k];
          }
        }
      }
      if (nearest != nullptr) {
        *nearest = 1;
      }
    }
  }
  return all;
}

Iterations& Model::iterations(int s) {
  return iterations_.try_emplace(group(s), Iterations{Acceleration(scheme(s).acceleration)})
      .first->second;
}

/// What the leader gets before the first iteration does not count.
void Model::start_iterations(int s, int p, const std::shared_ptr<Message>& initial) {
  if (!remembers(s) || !is_modelled(s) || p != leader(s)) {
    return;
  }
  for (const auto& [f, samples] : initial->samples) {
    const Flow& flow = setting_.flows[static_cast<std::size_t>(f)];
    if (is_accelerated(flow)) {
      iterations(s).given[f] = {{0, exchanged(flow, samples.back()), samples.back().gradients}};
    }
  }
}

/// By scheme and sender: whose messages wait for each other in an iteration. That of the first of a
/// serial scheme goes on.
std::vector<std::pair<int, int>> Model::answering(int s) const {
  std::vector<std::pair<int, int>> found;
  for (int other = 0; other < static_cast<int>(setting_.schemes.size()); ++other) {
    if (group(other) == group(s)) {
      found.emplace_back(other, scheme(other).second);
      if (!scheme(other).serial) {
        found.emplace_back(other, scheme(other).first);
      }
    }
  }
  return found;
}

/// Once all have answered, what is on its way becomes what is given next.
void Model::iterate(int s, int p, const std::shared_ptr<Message>& sent) {
  if (!remembers(s) || !is_modelled(s)) {
    return;
  }
  Iterations& its = iterations(s);
  const auto all = answering(s);
  if (std::find(all.begin(), all.end(), std::pair(s, p)) != all.end()) {
    its.sent[{s, p}] = sent;
  }
  if (its.sent.size() < all.size()) {
    return;
  }
  const auto sample_of = [&](const Flow& flow, int f) -> Sample& {
    return its.sent.at({flow.scheme, flow.from})->samples.at(f).back();
  };
  const std::vector<int> flows = accelerated_flows(s);
  std::vector<Iterated> data;
  for (const int f : flows) {
    const Flow& flow = setting_.flows[static_cast<std::size_t>(f)];
    Sample& sample = sample_of(flow, f);
    sample.values = exchanged(flow, sample);
    sample.is_mapped = flow.ends_there();
    const auto at = counted(flow);
    std::vector<Sample>& before = its.given[f];
    if (before.empty()) {
      before = {{0, zeros_like(sample.values), zeros_like(sample.gradients)}};
    }
    const Sample given = at_time(before, sample.time, flow.degree);
    data.push_back({flat(given.values, at), flat(sample.values, at)});
    if (flow.gradients) {
      data.push_back({flat(given.gradients, at), flat(sample.gradients, at), false});
    }
  }
  const bool repeats = will_repeat(s, actor(p).clocks.at(s));
  its.method.iterate(data, repeats);
  auto next = data.begin();
  for (const int f : flows) {
    const Flow& flow = setting_.flows[static_cast<std::size_t>(f)];
    Sample& sample = sample_of(flow, f);
    const auto at = counted(flow);
    put_back((next++)->given, at, sample.values);
    if (flow.gradients) {
      put_back((next++)->given, at, sample.gradients);
    }
    std::vector<Sample>& given = its.given.at(f);
    given.resize(repeats ? 1 : 0);
    given.push_back({sample.time, sample.values, sample.gradients});
  }
  its.sent.clear();
}

bool Model::is_held(int s, const std::shared_ptr<Message>& sent) const {
  const auto its = iterations_.find(group(s));
  return its != iterations_.end() &&
         std::any_of(its->second.sent.begin(), its->second.sent.end(),
                     [&sent](const auto& entry) { return entry.second == sent; });
}

/// Somebody has left without the answer for which others are held.
bool Model::is_lost(int s) const {
  const auto its = iterations_.find(group(s));
  const auto all = answering(s);
  return its != iterations_.end() && std::any_of(all.begin(), all.end(), [&](const auto& one) {
           return its->second.sent.count(one) == 0 && actor(one.second).is_gone;
         });
}

} // namespace walks
