// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/sparse_exchange.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/sparse/dissemination.hpp"
#include "isthmus/comm/sparse/round_messages.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>

namespace isthmus::comm {

namespace {

constexpr std::uint8_t failed = 1;
constexpr std::uint8_t raised = 2;

using Kind = RoundHeader::Kind;

/// How a token of the barrier is sent.
struct SendToken {
  RoundMessages& messages;

  void operator()(int to, int step, std::uint8_t flags) const {
    messages.send(to, {Kind::token, flags, static_cast<std::uint16_t>(step), 0});
  }
};

/// One round of parcels that may cause parcels, with its termination. A rank enters the barrier
/// when everything that it started has been acknowledged; tokens and acknowledgements carry the
/// flags.
class Wave {
 public:
  Wave(const Comm& comm, const Reaction& react, Traffic* traffic)
      : comm_(comm), react_(react), messages_(comm, traffic), barrier_(comm) {}

  std::uint8_t run(std::vector<Parcel> first, std::uint8_t flags) {
    if (comm_.size() > 1) {
      messages_.post();
    }
    tasks_.push_back({comm_.rank(), 0, 0, flags});
    launch(0, [&first] { return std::move(first); });
    while (true) {
      react_to_own();
      if (!expecting()) {
        break;
      }
      handle_next();
    }
    messages_.finish();
    return barrier_.flags();
  }

  [[nodiscard]] std::exception_ptr error() const { return error_; }

 private:
  /// A parcel that arrived, until all that it caused is acknowledged. The first task has no parcel:
  /// it stands for what this rank sent unasked.
  struct Task {
    int source;
    std::uint32_t ticket; // of the task that caused it, on the source
    int open;             // parcels not yet acknowledged
    std::uint8_t flags;
  };
  struct OwnParcel {
    std::uint32_t cause;
    std::vector<std::byte> bytes;
  };

  /// A message is certain to come.
  [[nodiscard]] bool expecting() const { return unacknowledged_ > 0 || !barrier_.is_complete(); }

  /// What `cause` returns; nothing, and the task failed, if it throws.
  template <typename Cause>
  std::vector<Parcel> attempt(std::uint32_t task, Cause&& cause) {
    try {
      std::vector<Parcel> parcels = cause();
      for (const Parcel& parcel : parcels) {
        check(parcel.rank >= 0 && parcel.rank < comm_.size(),
              "a parcel is addressed to rank {}, but there are {} ranks", parcel.rank,
              comm_.size());
      }
      return parcels;
    } catch (const std::exception&) {
      error_ = error_ ? error_ : std::current_exception();
      tasks_[task].flags |= failed;
      return {};
    }
  }

  /// Sends what `cause` returns on behalf of the task.
  template <typename Cause>
  void launch(std::uint32_t task, Cause&& cause) {
    std::vector<Parcel> parcels = attempt(task, std::forward<Cause>(cause));
    tasks_[task].open = static_cast<int>(parcels.size());
    for (Parcel& parcel : parcels) {
      if (parcel.rank == comm_.rank()) {
        own_.push_back({task, std::move(parcel.bytes)});
      } else {
        ++unacknowledged_;
        messages_.send(parcel.rank, {Kind::parcel, 0, 0, task}, std::move(parcel.bytes));
      }
    }
    if (parcels.empty()) {
      finish(task);
    }
  }

  void finish(std::uint32_t task) {
    while (task != 0) {
      const Task done = tasks_[task];
      if (done.source != comm_.rank()) {
        messages_.send(done.source, {Kind::acknowledgement, done.flags, 0, done.ticket});
        return;
      }
      task = done.ticket;
      if (!acknowledge(task, done.flags)) {
        return;
      }
    }
    barrier_.enter(tasks_[0].flags, SendToken{messages_});
  }

  /// True if that was the last one.
  bool acknowledge(std::uint32_t task, std::uint8_t flags) {
    tasks_[task].flags |= flags;
    return --tasks_[task].open == 0;
  }

  void accept(Parcel parcel, std::uint32_t ticket) {
    tasks_.push_back({parcel.rank, ticket, 0, 0});
    launch(static_cast<std::uint32_t>(tasks_.size() - 1),
           [&] { return react_(std::move(parcel)); });
  }

  void react_to_own() {
    while (!own_.empty()) {
      OwnParcel next = std::move(own_.front());
      own_.pop_front();
      accept({comm_.rank(), std::move(next.bytes)}, next.cause);
    }
  }

  void handle_next() {
    RoundMessages::Received next = messages_.receive();
    const RoundHeader& header = next.header;
    switch (header.kind) {
      case Kind::parcel:
        accept({next.source, std::move(next.payload)}, header.ticket);
        break;
      case Kind::acknowledgement:
        --unacknowledged_;
        if (acknowledge(header.ticket, header.flags)) {
          finish(header.ticket);
        }
        break;
      case Kind::token:
        barrier_.receive(header.step, header.flags, SendToken{messages_});
        break;
    }
  }

  const Comm& comm_;
  const Reaction& react_;
  RoundMessages messages_;
  Dissemination barrier_;
  int unacknowledged_ = 0; // parcels sent to others
  std::vector<Task> tasks_;
  std::deque<OwnParcel> own_;
  std::exception_ptr error_;
};

} // namespace

bool diffuse(const Comm& comm, std::vector<Parcel> first, const Reaction& react, bool raise,
             Traffic* traffic) {
  Wave wave(comm, react, traffic);
  const std::uint8_t flags = wave.run(std::move(first), raise ? raised : std::uint8_t{0});
  if ((flags & failed) != 0) {
    agree(comm, [&wave] {
      if (wave.error()) {
        std::rethrow_exception(wave.error());
      }
    });
  }
  return (flags & raised) != 0;
}

std::vector<Parcel> sparse_exchange(const Comm& comm, std::vector<Parcel> outgoing,
                                    Traffic* traffic, const std::optional<std::string>& failure) {
  std::vector<Parcel> incoming;
  const bool failed = diffuse(
      comm, std::move(outgoing),
      [&incoming](Parcel parcel) {
        incoming.push_back(std::move(parcel));
        return std::vector<Parcel>{};
      },
      failure.has_value(), traffic);
  if (failed) {
    agree_on(comm, failure);
  }
  std::stable_sort(incoming.begin(), incoming.end(),
                   [](const Parcel& a, const Parcel& b) { return a.rank < b.rank; });
  return incoming;
}

} // namespace isthmus::comm
