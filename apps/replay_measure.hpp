// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/comm/comm.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::replay {

/// CPU seconds of this process, all threads.
[[nodiscard]] double cpu_seconds();

/// Largest and present resident memory of this process in MB, without what ran in it before exec.
struct Memory {
  double peak = 0;
  double now = 0;
};
[[nodiscard]] Memory memory();

/// Wall seconds, CPU seconds and memory of the phases of this rank.
class Phases {
 public:
  template <typename Work>
  void time(const std::string& name, Work&& work) {
    Phase& phase = phases_[name];
    if (phase.seconds.empty()) {
      phase.before = memory();
    }
    const double cpu = cpu_seconds();
    const double begin = now();
    std::forward<Work>(work)();
    const double end = now();
    phase.cpu += cpu_seconds() - cpu;
    phase.seconds.push_back(end - begin);
    if (phase.seconds.size() == 1) {
      phase.after = memory();
    }
  }

  /// Collective. Members of a JSON object: of the ranks' medians of repeated phases the smallest,
  /// the middle and the largest; `best`, the largest of their minima; `cpu`, of the busiest rank
  /// per repetition, and `cpu_sum` of all; resident MB of the largest rank after the first
  /// repetition.
  [[nodiscard]] std::string json(const comm::Comm& comm) const;

 private:
  struct Phase {
    std::vector<double> seconds;
    double cpu = 0;
    Memory before, after; // of the first repetition
  };

  std::map<std::string, Phase> phases_;
};

/// Collective over all ranks of the MPI job. Sleeps until all have come, so that a rank that waits
/// takes no time from those that work; does nothing where one participant is alone in its job.
void line_up(const comm::Comm& job, const comm::Comm& participant);

} // namespace isthmus::replay
