// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/exchange/interface_sum.hpp"

#include <cstdint>
#include <span>

namespace isthmus::convection {

/// What sums over interfaces have taken on one rank, waits included; what was worked on while they
/// were under way does not count.
struct SumTime {
  double seconds = 0;
  std::int64_t sums = 0;
};

/// How partial sums become sums, and where their time is added up; `time` may be null.
struct SumWay {
  SumWay(exchange::SumStrategy of, SumTime* to = nullptr) : strategy(of), time(to) {}

  exchange::SumStrategy strategy;
  SumTime* time;
};

/// exchange::InterfaceSum with its time.
class TimedSum {
 public:
  /// Collective. All must outlive this.
  TimedSum(const comm::Comm& comm, const exchange::InterfacePlan& plan, int components,
           const SumWay& way)
      : sum_(comm, plan, components, way.strategy), time_(way.time) {}

  /// Collective, both, as those of InterfaceSum.
  void begin(std::span<const double> values) {
    const double start = now();
    sum_.begin(values);
    add(start);
  }
  void finish(std::span<double> values) {
    const double start = now();
    sum_.finish(values);
    add(start);
    if (time_ != nullptr) {
      ++time_->sums;
    }
  }
  void operator()(std::span<double> values) {
    begin(values);
    finish(values);
  }

 private:
  void add(double start) {
    if (time_ != nullptr) {
      time_->seconds += now() - start;
    }
  }

  exchange::InterfaceSum sum_;
  SumTime* time_;
};

} // namespace isthmus::convection
