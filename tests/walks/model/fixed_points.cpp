// SPDX-License-Identifier: BSD-3-Clause
#include "model/fixed_points.hpp"

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

/// The values as they travel.
ByRank FixedPoints::exchanged(const Flow& flow, const Sample& sample) const {
  if (!flow.ends_there()) {
    return sample.values;
  }
  return map(flow, sample, sample.places.empty() ? points(flow.from) : sample.places,
             points(flow.to));
}

/// The vertices of a received mesh that a leader on several ranks holds: those that it reads, or
/// maps to; by rank, nothing: all.
std::vector<std::vector<char>> FixedPoints::counted(const Flow& flow) const {
  std::vector<std::vector<char>> all(
      actor_of(actors_, flow.ends_there() ? flow.to : flow.from).ranks.size());
  const int leader = rules_.leader(flow.scheme);
  const bool maps_to = flow.from == leader && flow.kind == Flow::Kind::write_mapping;
  const bool reads = flow.to == leader && !flow.ends_there();
  if (!(maps_to || reads) || rules_.setting().size(leader) == 1) {
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

Iterations& FixedPoints::iterations(int s) {
  return iterations_
      .try_emplace(rules_.group(s), Iterations{Acceleration(rules_.scheme(s).acceleration)})
      .first->second;
}

/// What the leader gets before the first iteration does not count.
void FixedPoints::start(int s, int p, const std::shared_ptr<Message>& initial) {
  if (!rules_.remembers(s) || !rules_.is_modelled(s) || p != rules_.leader(s)) {
    return;
  }
  for (const auto& [f, samples] : initial->samples) {
    const Flow& flow = rules_.flow(f);
    if (rules_.is_accelerated(flow)) {
      iterations(s).given[f] = {{0, exchanged(flow, samples.back()), samples.back().gradients}};
    }
  }
}

/// Once all have answered, what is on its way becomes what is given next.
void FixedPoints::iterate(int s, int p, const std::shared_ptr<Message>& sent) {
  if (!rules_.remembers(s) || !rules_.is_modelled(s)) {
    return;
  }
  Iterations& its = iterations(s);
  const auto all = rules_.answering(s);
  if (std::find(all.begin(), all.end(), std::pair(s, p)) != all.end()) {
    its.sent[{s, p}] = sent;
  }
  if (its.sent.size() < all.size()) {
    return;
  }
  const auto sample_of = [&](const Flow& flow, int f) -> Sample& {
    return its.sent.at({flow.scheme, flow.from})->samples.at(f).back();
  };
  const std::vector<int> flows = rules_.accelerated_flows(s);
  std::vector<Iterated> data;
  for (const int f : flows) {
    const Flow& flow = rules_.flow(f);
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
  const bool repeats = rules_.will_repeat(s, actor_of(actors_, p).clocks.at(s));
  its.method.iterate(data, repeats);
  auto next = data.begin();
  for (const int f : flows) {
    const Flow& flow = rules_.flow(f);
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

bool FixedPoints::is_noisy(int s) const {
  const auto its = iterations_.find(rules_.group(s));
  return its != iterations_.end() && its->second.method.is_noisy();
}

bool FixedPoints::is_held(int s, const std::shared_ptr<Message>& sent) const {
  const auto its = iterations_.find(rules_.group(s));
  return its != iterations_.end() &&
         std::any_of(its->second.sent.begin(), its->second.sent.end(),
                     [&sent](const auto& entry) { return entry.second == sent; });
}

/// Somebody has left without the answer for which others are held.
bool FixedPoints::is_lost(int s) const {
  const auto its = iterations_.find(rules_.group(s));
  const auto all = rules_.answering(s);
  return its != iterations_.end() && std::any_of(all.begin(), all.end(), [&](const auto& one) {
           return its->second.sent.count(one) == 0 && actor_of(actors_, one.second).is_gone;
         });
}

} // namespace walks
