// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/lifecycle.hpp"

#include "isthmus/base/error.hpp"

namespace isthmus::participant {

void Lifecycle::check_not_failed(std::string_view call) const {
  check(state_ != State::failed, "{}() cannot be called after an error that ended the coupling",
        call);
}

void Lifecycle::check_not_finalized(std::string_view call) const {
  check(state_ != State::finalized, "{}() cannot be called after finalize()", call);
}

void Lifecycle::check_running(std::string_view call) const {
  check_not_failed(call);
  check_not_finalized(call);
  check(state_ == State::running, "{}() cannot be called before initialize()", call);
}

} // namespace isthmus::participant
