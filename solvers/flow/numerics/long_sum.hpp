// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/twofold.hpp"

namespace isthmus::flow {

/// A sum of many numbers with twice their digits, so that its bits do not depend on how cells are
/// dealt to ranks and blocks are cut. Ogita, Rump, Oishi (2005), doi:10.1137/030601818.
class LongSum {
 public:
  void add(double term) {
    const Twofold step = exact_sum(sum_.value, term);
    sum_ = {step.value, sum_.rest + step.rest};
  }
  [[nodiscard]] Twofold value() const { return Twofold{sum_.value} + Twofold{sum_.rest}; }

 private:
  Twofold sum_;
};

} // namespace isthmus::flow
