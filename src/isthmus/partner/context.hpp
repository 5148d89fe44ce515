// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/connect/endpoint.hpp"
#include "isthmus/partner/joint_ranks.hpp"
#include "isthmus/transport/hub.hpp"

#include <functional>
#include <string>

namespace isthmus::partner {

/// What all connections of one participant share.
struct Context {
  const comm::Comm& comm;
  transport::Hub& hub;
  connect::Identity identity;
  transport::Token token;      // of this participant
  connect::Endpoint* endpoint; // null if a joint job is given: then no socket is opened
  const JointJob* joint;       // may be null
  const Log& log;
  Trace& trace;
  /// To be called on the first rank before the partner can know that both have met.
  std::function<void(const std::string& partner)> met;
  double timeout;          // seconds until a peer that never came is an error
  double progress_timeout; // seconds that a living peer may take to come to a meeting point
};

} // namespace isthmus::partner
