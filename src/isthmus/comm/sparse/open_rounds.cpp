// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/open_rounds.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::comm {

bool OpenRounds::begin(bool wish, Traffic* traffic) {
  const bool known = std::exchange(open_next_, false);
  open_ = wish || known;
  if (known || comm_->size() == 1) {
    return open_;
  }
  if (any_wish_) {
    any_wish_->begin(wish, traffic);
  } else if (opening_ == Opening::later) {
    open_ = countdown_ == 1;
    if (countdown_ > 0) {
      --countdown_;
    } else if (wish) {
      countdown_ = static_cast<std::uint32_t>(steps_);
    }
  }
  return open_;
}

void OpenRounds::progress() {
  if (any_wish_) {
    any_wish_->progress();
  }
}

bool OpenRounds::finish() {
  if (any_wish_ && any_wish_->under_way()) {
    open_ = any_wish_->finish();
  }
  return open_;
}

void OpenRounds::learn(std::uint32_t countdown) {
  if (countdown > 0) {
    countdown_ = countdown_ == 0 ? countdown : std::min(countdown_, countdown);
  }
}

void OpenRounds::reset(int steps) {
  steps_ = steps;
  countdown_ = 0;
  open_next_ = true;
}

} // namespace isthmus::comm
