// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/bricks.hpp"
#include "particles/fluid/neighbours.hpp"

namespace isthmus::mps {

/// Domains on which all ranks are busy for equally long. A particle counts as its neighbours, and
/// those of a rank by what they have taken, by its processor, without waits.
class Balance {
 public:
  struct Settings {
    double bucket;    // cuts lie on multiples of it
    bool is_measured; // else ranks are thought equally fast, and a run has the same cuts each time
  };

  /// Measures the waits of `comm`, which must outlive it, from now on.
  Balance(const comm::Comm& comm, Settings settings);
  Balance(const Balance&) = delete;
  Balance& operator=(const Balance&) = delete;
  ~Balance() { comm_.meter_waits(nullptr); }

  /// Local. What follows is a step.
  void begin_step();
  /// Local. It has ended, after which these are the neighbours.
  void end_step(State& state, const Neighbours& neighbours);
  /// Collective. Domains for what the steps since the last call have taken, for the next migration.
  [[nodiscard]] exchange::Bricks divide(State& state, const Neighbours& neighbours);
  /// The largest of all ranks over their mean, of the steps since the last divide().
  struct Imbalance {
    double busy = 1;  // time
    double pairs = 1; // work in units of particles and pairs, whatever the clock says
  };
  /// Collective.
  [[nodiscard]] Imbalance imbalance() const;

 private:
  const comm::Comm& comm_;
  Settings settings_;
  double waited_ = 0;
  double start_ = 0;         // of the step: processor time without waits
  double busy_ = 0;          // since the last divide()
  double work_ = 0;          // the same in units of particles and pairs
  double seconds_each_ = -1; // of such a unit; not known yet
};

} // namespace isthmus::mps
