// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/base/reason.hpp"
#include "isthmus/participant/session/session.hpp"

#include <string>
#include <utility>

namespace isthmus::participant {

/// Makes a call of the solver. Whatever goes wrong is an Error, which is kept for the partners, in
/// case that it ends the solver.
template <typename Call>
decltype(auto) noted(Session& session, Call&& call) {
  try {
    return std::forward<Call>(call)(session);
  } catch (const Error& error) {
    session.note_failure(error.what());
    throw;
  } catch (...) {
    const std::string reason = current_reason();
    session.note_failure(reason);
    throw Error(reason);
  }
}

} // namespace isthmus::participant
