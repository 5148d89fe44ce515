// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/exchange/interface_sum.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::convection {

/// Whether a product works on edges inside while its sum travels; `alternating`: every other one
/// does, so that what this hides is measured in one run.
enum class ProductOverlap { always, never, alternating };

/// What sums over interfaces have taken on one rank, waits included; what was worked on while they
/// were under way does not count.
struct SumTime {
  double seconds = 0;
  std::int64_t sums = 0;
  std::int64_t messages = 0; // sent, as exchange::SumCost counts them
  std::int64_t bytes = 0;
  std::vector<double> beside, alone; // seconds of each sum that alternates, with work beside it or
                                     // none
  std::vector<double> local; // of those beside work that had all when it ended: to pack and to add
};

/// How partial sums become sums, and where their time is added up; `time` may be null.
struct SumWay {
  SumWay(exchange::SumStrategy of, SumTime* to = nullptr,
         ProductOverlap overlaps = ProductOverlap::always)
      : strategy(of), time(to), overlap(overlaps) {}

  exchange::SumStrategy strategy;
  SumTime* time;
  ProductOverlap overlap;
};

/// exchange::InterfaceSum with its time.
class TimedSum {
 public:
  /// Collective. All must outlive this.
  TimedSum(const comm::Comm& comm, const exchange::InterfacePlan& plan, int components,
           const SumWay& way)
      : sum_(comm, plan, components, way.strategy), time_(way.time), overlap_(way.overlap) {}

  /// Collective, as InterfaceSum.
  void operator()(std::span<double> values) {
    const double start = now();
    sum_(values);
    add(now() - start);
  }

  /// Collective. Sums, and works on what no other rank touches meanwhile, or afterwards. `work`
  /// gets a function to call now and then, by which the messages travel on, and partial sums are
  /// added as soon as all have come, while they are in caches; it says whether it wants to be
  /// called again.
  template <typename Work>
  void with_work(std::span<double> values, const Work& work) {
    is_beside_ =
        overlap_ == ProductOverlap::alternating ? !is_beside_ : overlap_ == ProductOverlap::always;
    const double start = now();
    sum_.begin(values);
    const double begun = now();
    if (is_beside_) {
      finish_beside(values, begun - start, work);
      return;
    }
    sum_.finish(values);
    add(now() - start);
    note(&SumTime::alone, now() - start);
    work([] { return false; });
  }

 private:
  template <typename Work>
  void finish_beside(std::span<double> values, double local, const Work& work) {
    double travel = 0;
    bool is_there = false;
    const auto finish = [this, values, &local] {
      const double start = now();
      sum_.finish(values);
      local += now() - start;
    };
    work([this, values, &travel, &is_there, &finish] {
      const double start = now();
      is_there = sum_.progress(values);
      travel += now() - start;
      if (is_there) {
        finish();
      }
      return !is_there;
    });
    if (!is_there) {
      finish();
    }
    add(local + travel);
    note(&SumTime::beside, local + travel);
    if (is_there) {
      note(&SumTime::local, local);
    }
  }

  void note(std::vector<double> SumTime::*of, double seconds) {
    if (time_ != nullptr && overlap_ == ProductOverlap::alternating) {
      (time_->*of).push_back(seconds);
    }
  }

  void add(double seconds) {
    if (time_ != nullptr) {
      time_->seconds += seconds;
      ++time_->sums;
      time_->messages += sum_.cost().messages;
      time_->bytes += sum_.cost().bytes;
    }
  }

  exchange::InterfaceSum sum_;
  SumTime* time_;
  ProductOverlap overlap_;
  bool is_beside_ = false;
};

} // namespace isthmus::convection
