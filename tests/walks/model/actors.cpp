// SPDX-License-Identifier: BSD-3-Clause
#include "model/actors.hpp"

#include <limits>

namespace walks {

ByRank points_of(const Actor& actor) {
  ByRank all;
  for (const Rank& rank : actor.ranks) {
    all.push_back(rank.points);
  }
  return all;
}

ByRank map(const Flow& flow, const Sample& sample, const ByRank& from, const ByRank& to) {
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

} // namespace walks
