// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/iteration/sample_queue.hpp"

#include "isthmus/base/error.hpp"

#include <utility>

namespace isthmus::iteration {

std::vector<double> SampleQueue::take(const fields::Field& field) {
  std::deque<std::vector<double>>& left = samples_[&field];
  check(!left.empty() && left.front().size() == field.wave().size(),
        "the restart file lacks values of {}:{}", field.mesh(), field.data());
  std::vector<double> values = std::move(left.front());
  left.pop_front();
  return values;
}

} // namespace isthmus::iteration
