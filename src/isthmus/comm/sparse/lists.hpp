// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"

#include <map>
#include <utility>
#include <vector>

namespace isthmus::comm {

/// What goes to each rank, or came from it.
template <typename T>
using Lists = std::map<int, std::vector<T>>;

/// Collective. Brings each list to its rank by sparse_exchange(), empty ones, too; returns what
/// came, by source.
template <Plain T>
[[nodiscard]] Lists<T> swap_lists(const Comm& comm, const Lists<T>& outgoing) {
  std::vector<Parcel> parcels;
  parcels.reserve(outgoing.size());
  for (const auto& [rank, list] : outgoing) {
    parcels.push_back({rank, Writer().put_array(list).take()});
  }
  Lists<T> incoming;
  for (const Parcel& parcel : sparse_exchange(comm, std::move(parcels))) {
    incoming[parcel.rank] = Reader(parcel.bytes).get_array<T>();
  }
  return incoming;
}

/// Puts what came behind what is in `to`, by source.
template <typename T>
void append(const Lists<T>& lists, std::vector<T>& to) {
  for (const auto& [rank, list] : lists) {
    to.insert(to.end(), list.begin(), list.end());
  }
}

} // namespace isthmus::comm
