// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/call_order.hpp"

#include "isthmus/base/error.hpp"

namespace isthmus::participant {

void CallOrder::check_not_failed(std::string_view call) const {
  check(stage_ != Stage::failed, "{}() cannot be called after an error that ended the coupling",
        call);
}

void CallOrder::check_not_finalized(std::string_view call) const {
  check(stage_ != Stage::finalized, "{}() cannot be called after finalize()", call);
}

void CallOrder::check_running(std::string_view call) const {
  check_not_failed(call);
  check_not_finalized(call);
  check(stage_ == Stage::running, "{}() cannot be called before initialize()", call);
}

} // namespace isthmus::participant
