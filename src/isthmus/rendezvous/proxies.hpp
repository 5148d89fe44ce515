// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"
#include "isthmus/rendezvous/across.hpp"

#include <vector>

namespace isthmus::rendezvous {

/// Collective over both participants, of which the first ranks are linked. Links every provider's
/// rank with its proxy and returns who that is (receiver: its clients). The blocks of provider's
/// ranks are halved again and again: the first pair of a block, linked already, passes on the
/// addresses of the first pair of the upper half. log2(providers) rounds; nobody holds a list.
[[nodiscard]] std::vector<Partner> link_proxies(const comm::Comm& comm, Side side, int remote_size,
                                                const std::vector<std::byte>& address,
                                                Across& across, comm::Traffic* traffic = nullptr);

} // namespace isthmus::rendezvous
