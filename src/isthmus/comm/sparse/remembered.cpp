// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/remembered.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::comm {

namespace {
constexpr int rounds_to_forget = 64;
}

Remembered::Remembered(const Comm& comm) : comm_(&comm), learns_(true), neighbours_(comm, {}) {}

Remembered::Remembered(const Comm& comm, std::span<const int> partners, Notice notice, int steps)
    : comm_(&comm), notice_(notice), steps_(steps), neighbours_(comm, partners) {}

void Remembered::reset(std::span<const int> partners, int steps) {
  steps_ = steps;
  learns_ = false;
  countdown_ = 0;
  open_next_ = true;
  neighbours_.reset(partners);
  found_.clear();
}

bool Remembered::begin(bool wish, Traffic* traffic) {
  const bool known = std::exchange(open_next_, false);
  open_ = wish || known;
  if (known || comm_->size() == 1) {
    return open_;
  }
  if (notice_ == Notice::at_once) {
    if (traffic != nullptr) {
      traffic->count_allreduce(comm_->size(), sizeof(int));
    }
    open_ = allreduce(*comm_, wish ? 1 : 0, Op::max) == 1;
  } else if (notice_ == Notice::later) {
    open_ = countdown_ == 1;
    if (countdown_ > 0) {
      --countdown_;
    } else if (wish) {
      countdown_ = static_cast<std::uint32_t>(steps_);
    }
  }
  return open_;
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
  check(open_, "rank {} is no partner of rank {}, and this round is not open; begin it with a wish",
        rank, comm_->rank());
  std::vector<std::byte>& parcel = to_strangers_[rank];
  parcel.insert(parcel.end(), bytes.begin(), bytes.end());
}

std::span<const Remembered::Received> Remembered::finish(const std::optional<std::string>& failure,
                                                         Traffic* traffic) {
  for (auto& [rank, idle] : found_) {
    idle = neighbours_.waiting(neighbours_.find(rank)) == 0 ? idle + 1 : 0;
  }
  neighbours_.exchange(countdown_, traffic);
  saved_.messages += static_cast<std::int64_t>(neighbours_.size());
  saved_.bytes += static_cast<std::int64_t>(neighbours_.size() * sizeof(std::uint64_t));
  received_.clear();
  for (std::size_t i = 0; i < neighbours_.size(); ++i) {
    if (const auto bytes = neighbours_.arrived(i); !bytes.empty()) {
      received_.push_back({neighbours_.rank(i), bytes});
    }
    if (const std::uint32_t rounds = neighbours_.note(i); rounds > 0) {
      countdown_ = countdown_ == 0 ? rounds : std::min(countdown_, rounds);
    }
  }
  forget_idle();
  if (open_) {
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

/// By consensus.
void Remembered::meet_strangers(const std::optional<std::string>& failure, Traffic* traffic) {
  std::vector<Parcel> outgoing;
  std::vector<int> met;
  for (auto& [rank, bytes] : to_strangers_) {
    met.push_back(rank);
    outgoing.push_back({rank, std::move(bytes)});
  }
  to_strangers_.clear();
  from_strangers_.clear();
  const bool failed = diffuse(
      *comm_, std::move(outgoing),
      [this](Parcel parcel) {
        from_strangers_.push_back(std::move(parcel));
        return std::vector<Parcel>{};
      },
      failure.has_value(), traffic);
  if (failed) {
    agree_on(*comm_, failure);
  }
  for (const Parcel& parcel : from_strangers_) {
    met.push_back(parcel.rank);
    received_.push_back({parcel.rank, parcel.bytes});
  }
  if (learns_) {
    learn(met);
  }
}

void Remembered::learn(std::span<const int> ranks) {
  for (const int rank : ranks) {
    if (neighbours_.find(rank) == neighbours_.size()) {
      neighbours_.insert(rank);
      found_[rank] = 0;
    }
  }
}

} // namespace isthmus::comm
