// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/strangers.hpp"

#include "isthmus/comm/agree.hpp"

#include <utility>

namespace isthmus::comm {

void Strangers::append(int rank, std::span<const std::byte> bytes) {
  std::vector<std::byte>& parcel = outgoing_[rank];
  parcel.insert(parcel.end(), bytes.begin(), bytes.end());
}

void Strangers::exchange(const Comm& comm, const std::optional<std::string>& failure,
                         Traffic* traffic) {
  std::vector<Parcel> parcels;
  met_.clear();
  for (auto& [rank, bytes] : outgoing_) {
    met_.push_back(rank);
    parcels.push_back({rank, std::move(bytes)});
  }
  outgoing_.clear();
  arrived_.clear();
  const bool failed = diffuse(
      comm, std::move(parcels),
      [this](Parcel parcel) {
        arrived_.push_back(std::move(parcel));
        return std::vector<Parcel>{};
      },
      failure.has_value(), traffic);
  if (failed) {
    agree_on(comm, failure);
  }
  for (const Parcel& parcel : arrived_) {
    met_.push_back(parcel.rank);
  }
}

} // namespace isthmus::comm
