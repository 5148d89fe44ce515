// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/base/parallel_for.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace isthmus::flow {

/// Values from which on threads are worth their start.
constexpr std::size_t least_shared = 20000;

/// Threads for work on so many values.
[[nodiscard]] inline int threads_for(std::size_t values) {
  return values < least_shared ? 1 : thread_count();
}

/// Calls work(n) for all n below `count`, none of which depends on another one, and adds their
/// processor time to busy_of(n); on threads if the `values` of all are worth it.
template <typename BusyOf, typename Work>
void share(std::size_t count, std::size_t values, BusyOf&& busy_of, Work&& work) {
  std::vector<double> times(count, 0.0);
  parallel_for(threads_for(values), count, 1, [&times, &work](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const BusyTime busy(times[n]);
      work(n);
    }
  });
  for (std::size_t n = 0; n < count; ++n) {
    busy_of(n) += times[n];
  }
}

/// The same of work(begin, end) on parts of [0, count), some for each thread: one sum of times.
template <typename Work>
void share_parts(std::size_t count, std::size_t values, double& busy, Work&& work) {
  const auto threads = static_cast<std::size_t>(threads_for(values));
  const std::size_t parts = std::min(count, threads == 1 ? 1 : 4 * threads);
  share(
      parts, values, [&busy](std::size_t /*part*/) -> double& { return busy; },
      [&work, count, parts](std::size_t part) {
        work(part * count / parts, (part + 1) * count / parts);
      });
}

} // namespace isthmus::flow
