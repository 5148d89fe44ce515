// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/schemes/window.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isthmus::coupling {

Window::Window(Size kind, double size, std::optional<double> max_time,
               std::optional<int> max_windows)
    : kind_(kind), size_(size), max_time_(max_time), max_windows_(max_windows) {}

double Window::end() const {
  const double limit = max_time_.value_or(std::numeric_limits<double>::max());
  if (kind_ == Size::fixed) {
    return std::min((number_ + 1) * size_, limit);
  }
  if (kind_ == Size::followed) {
    return std::min(start_ + size_, limit);
  }
  return limit;
}

double Window::step_limit() const {
  if (!ongoing_) {
    return 0;
  }
  const double end = this->end();
  return end == std::numeric_limits<double>::max() ? end : end - time_;
}

void Window::advance(double dt) {
  const double step = dt - compensation_;
  const double sum = time_ + step;
  compensation_ = (sum - time_) - step;
  time_ = sum;
  const double end = this->end();
  if (kind_ == Size::dictated) {
    complete_ = true;
    size_ = time_ - start_;
    if (std::abs(end - time_) <= negligible_rest(end, end)) {
      time_ = end;
    }
  } else if (end - time_ <= negligible_rest(end - start_, end)) {
    complete_ = true;
    time_ = end;
    compensation_ = 0;
  }
}

bool Window::is_over(int windows) const {
  const bool enough = max_windows_ && windows >= *max_windows_;
  const bool late =
      max_time_ && *max_time_ - time_ <= negligible_rest(std::max(size_, *max_time_ * 1e-3), time_);
  return enough || late;
}

void Window::open_next() {
  ongoing_ = !is_last();
  ++number_;
  start_ = time_;
  complete_ = false;
}

void Window::repeat() {
  time_ = start_;
  compensation_ = 0;
  complete_ = false;
}

void Window::resume(const Start& start) {
  number_ = start.number;
  start_ = time_ = start.time;
  compensation_ = start.compensation;
  size_ = start.size;
  complete_ = false;
  ongoing_ = !is_over(number_);
  const double rest = number_ * size_ - time_;
  check(!ongoing_ || kind_ != Size::fixed || rest <= negligible_rest(size_, time_),
        "the earlier run ended at time {} within a time window, which cannot be continued; restart "
        "from an earlier one, and let max-time be a multiple of the time-window-size {}",
        time_, size_);
}

} // namespace isthmus::coupling
