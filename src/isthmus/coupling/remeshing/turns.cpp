// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/remeshing/turns.hpp"

#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <utility>
#include <vector>

namespace isthmus::coupling {

std::size_t Turns::next(std::span<Pending> all) {
  std::size_t chosen = 0;
  comm::agree(context_.comm, [this, all, &chosen] {
    if (context_.comm.is_root()) {
      chosen = choose(all);
    }
  });
  return comm::bcast(context_.comm, chosen);
}

/// Of the first rank.
std::size_t Turns::choose(std::span<Pending> all) {
  transport::Hub& hub = context_.hub;
  std::vector<transport::Hub::Expected> signs;
  std::vector<std::size_t> whose;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Pending& one = all[i];
    const std::string& partner = one.scheme->partners().front();
    if (one.awaits) {
      for (const transport::LinkId link : one.scheme->regular().links().sources) {
        signs.push_back({link, one.scheme->kind(transport::Kind::data)});
      }
    } else if (one.is_open()) {
      const transport::LinkId link = partners_.at(partner).link_to_first();
      if (!is_asked(partner) && !std::exchange(one.has_asked, true)) {
        hub.send(link, transport::Kind::turn, {});
      }
      signs.push_back({link, transport::Kind::turn});
    }
    whose.resize(signs.size(), i);
  }
  const std::size_t sign = hub.await_any(signs, context_.progress_timeout);
  const std::size_t chosen = whose[sign];
  if (!all[chosen].awaits) {
    const transport::LinkId link = signs[sign].link;
    static_cast<void>(hub.receive(link, transport::Kind::turn, context_.progress_timeout));
    if (is_asked(all[chosen].scheme->partners().front())) {
      hub.send(link, transport::Kind::turn, {});
    }
  }
  return chosen;
}

} // namespace isthmus::coupling
