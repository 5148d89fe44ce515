// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace isthmus::convection {

/// What goes to each rank, or came from it.
template <typename T>
using Lists = std::map<int, std::vector<T>>;

/// Collective. Brings each list to its rank; returns what came, by source.
template <Plain T>
Lists<T> swap_lists(const comm::Comm& comm, const Lists<T>& outgoing) {
  std::vector<comm::Parcel> parcels;
  for (const auto& [rank, list] : outgoing) {
    parcels.push_back({rank, Writer().put_array(list).take()});
  }
  Lists<T> incoming;
  for (const comm::Parcel& parcel : comm::sparse_exchange(comm, std::move(parcels))) {
    incoming[parcel.rank] = Reader(parcel.bytes).get_array<T>();
  }
  return incoming;
}

template <typename T>
void sort_once(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

} // namespace isthmus::convection
