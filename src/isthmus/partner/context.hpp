// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/connect/announce.hpp"
#include "isthmus/connect/endpoint.hpp"
#include "isthmus/partner/joint_ranks.hpp"
#include "isthmus/transport/hub.hpp"

#include <vector>

namespace isthmus::partner {

/// What all connections of one participant share.
struct Context {
  const comm::Comm& comm;
  transport::Hub& hub;
  connect::RankIdentity identity;
  Token token;                 // of this participant
  connect::Endpoint* endpoint; // null if a joint job is given: then no socket is opened
  std::vector<connect::AnnouncementFile>* announcements; // null as the endpoint; those of this rank
  const JointJob* joint;                                 // may be null
  const Log& log;
  Trace& trace;
  double timeout;          // seconds until a peer that never came is an error
  double progress_timeout; // seconds that a living peer may take to come to a meeting point
};

} // namespace isthmus::partner
