// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/fixed_points.hpp"

#include <vector>

namespace walks {

/// What is read now.
class Reading {
 public:
  Reading(const Rules& rules, const Actors& actors, const FixedPoints& fixed_points)
      : rules_(rules), actors_(actors), fixed_points_(fixed_points) {}

  /// Of all values that a rank reads, at a time after the current one.
  [[nodiscard]] std::vector<double> read(int flow, int rank, double relative_time) const;
  /// Of what is read just in time: the values at the vertices that are nearest to these places.
  [[nodiscard]] std::vector<double> read_at(int flow, double relative_time,
                                            const std::vector<double>& places) const;
  [[nodiscard]] ByRank values_at(int flow, double time) const;
  /// The vertices of a received mesh in the region of a rank.
  [[nodiscard]] std::vector<double> accessed(int p, int rank, int of) const;
  /// Of numbers that rounding changes more in some data than in others.
  [[nodiscard]] double tolerance(int flow) const;
  /// Whether it is known what comes of a read then.
  [[nodiscard]] bool knows(int flow, double relative_time) const;

 private:
  [[nodiscard]] const Actor& actor(int p) const { return actor_of(actors_, p); }
  [[nodiscard]] const ByRank& source_points(int flow) const {
    return actor(rules_.flow(flow).to).source_points.at(flow);
  }

  const Rules& rules_;
  const Actors& actors_;
  const FixedPoints& fixed_points_;
};

} // namespace walks
