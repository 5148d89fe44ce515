// SPDX-License-Identifier: BSD-3-Clause
#include "model/reading.hpp"

namespace walks {

std::vector<double> Reading::accessed(int p, int rank, int of) const {
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

bool Reading::knows(int flow, double relative_time) const {
  const Flow& its = rules_.flow(flow);
  const bool is_open = its.degree > 1 ||
                       (rules_.remembers(its.scheme) && !rules_.is_modelled(its.scheme)) ||
                       fixed_points_.is_noisy(its.scheme);
  if (rules_.is_accelerated(its) && is_open) { // to the splines, or the steps, of each iteration
    return false;
  }
  const std::vector<Sample>& samples = actor(its.to).incoming.at(flow);
  const double time = actor(its.to).time + relative_time;
  return its.degree < 2 || static_cast<int>(samples.size()) <= its.degree + 1 ||
         time <= samples.front().time || time >= samples.back().time;
}

double Reading::tolerance(int flow) const {
  const Flow& its = rules_.flow(flow);
  return rules_.is_accelerated(its) && rules_.remembers(its.scheme) ? 1e-6 : 1e-10;
}

/// Constant, linear, or the polynomial through all samples.
ByRank Reading::values_at(int flow, double time) const {
  const Flow& its = rules_.flow(flow);
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

std::vector<double> Reading::read_at(int flow, double relative_time,
                                     const std::vector<double>& places) const {
  const Flow& its = rules_.flow(flow);
  const Sample sample{0, values_at(flow, actor(its.to).time + relative_time)};
  return map(its, sample, source_points(flow), {places})[0];
}

std::vector<double> Reading::read(int flow, int rank, double relative_time) const {
  const Flow& its = rules_.flow(flow);
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
