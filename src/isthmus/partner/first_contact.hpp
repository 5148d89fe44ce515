// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/host.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/partner/context.hpp"
#include "isthmus/transport/hub.hpp"

#include <string>

namespace isthmus::partner {

/// What the first rank knows of a partner once it has met that's first rank.
struct FirstContact {
  transport::LinkId link = -1;
  int remote_size = 0;
  Token token{};        // of the accepting side
  bool use_mpi = false; // both sides want to
};

/// Blocking, on the first ranks of both participants: they find each other by their announcements.
/// `accepts`: on one of the two sides.
[[nodiscard]] FirstContact meet(Context& context, const config::M2N& m2n,
                                const std::string& partner, bool accepts);

/// Blocking, on the first ranks of both participants, which have a link: they send each other what
/// both sides must know, and that they run the same case.
[[nodiscard]] FirstContact shake_hands(Context& context, const std::string& partner,
                                       transport::LinkId link, bool wants_mpi);

} // namespace isthmus::partner
