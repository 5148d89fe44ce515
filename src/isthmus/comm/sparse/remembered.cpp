// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/remembered.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::comm {

namespace {
constexpr int rounds_to_forget = 64;
}

Remembered::Remembered(const Comm& comm)
    : comm_(&comm), rounds_(comm, Opening::at_once, 1), learns_(true), neighbours_(comm, {}) {}

Remembered::Remembered(const Comm& comm, std::span<const int> partners, Opening opening, int steps)
    : comm_(&comm), rounds_(comm, opening, steps), neighbours_(comm, partners) {}

void Remembered::reset(std::span<const int> partners, int steps) {
  rounds_.reset(steps);
  learns_ = false;
  neighbours_.reset(partners);
  found_.clear();
}

void Remembered::append(int rank, std::span<const std::byte> bytes) {
  if (rank == comm_->rank()) {
    to_self_.insert(to_self_.end(), bytes.begin(), bytes.end());
    return;
  }
  if (const std::size_t i = neighbours_.find(rank); i < neighbours_.size()) {
    neighbours_.append(i, bytes);
    return;
  }
  check(rounds_.is_known_open(),
        "rank {} is no partner of rank {}, and this round is not open; begin it with a wish", rank,
        comm_->rank());
  strangers_.append(rank, bytes);
}

std::span<const Remembered::Received> Remembered::finish(const std::optional<std::string>& failure,
                                                         Traffic* traffic) {
  for (auto& [rank, idle] : found_) {
    idle = neighbours_.waiting(neighbours_.find(rank)) == 0 ? idle + 1 : 0;
  }
  neighbours_.exchange(rounds_.countdown(), traffic, [this] { rounds_.progress(); });
  saved_.messages += static_cast<std::int64_t>(neighbours_.size());
  saved_.bytes += static_cast<std::int64_t>(neighbours_.size() * sizeof(std::uint64_t));
  received_.clear();
  for (std::size_t i = 0; i < neighbours_.size(); ++i) {
    if (const auto bytes = neighbours_.arrived(i); !bytes.empty()) {
      received_.push_back({neighbours_.rank(i), bytes});
    }
    rounds_.learn(neighbours_.note(i));
  }
  forget_idle();
  if (rounds_.finish()) {
    meet_strangers(failure, traffic);
  }
  std::swap(from_self_, to_self_);
  to_self_.clear();
  if (!from_self_.empty()) {
    received_.push_back({comm_->rank(), from_self_});
  }
  std::sort(received_.begin(), received_.end(),
            [](const Received& a, const Received& b) { return a.rank < b.rank; });
  return received_;
}

/// Both ends see the same silence.
void Remembered::forget_idle() {
  for (const Received& received : received_) {
    if (const auto found = found_.find(received.rank); found != found_.end()) {
      found->second = 0;
    }
  }
  std::erase_if(found_, [this](const auto& partner) {
    const bool forget = partner.second >= rounds_to_forget;
    if (forget) {
      neighbours_.erase(partner.first);
    }
    return forget;
  });
}

void Remembered::meet_strangers(const std::optional<std::string>& failure, Traffic* traffic) {
  strangers_.exchange(*comm_, failure, traffic);
  for (const Parcel& parcel : strangers_.arrived()) {
    received_.push_back({parcel.rank, parcel.bytes});
  }
  if (!learns_) {
    return;
  }
  for (const int rank : strangers_.met()) {
    if (neighbours_.find(rank) == neighbours_.size()) {
      neighbours_.insert(rank);
      found_[rank] = 0;
    }
  }
}

} // namespace isthmus::comm
