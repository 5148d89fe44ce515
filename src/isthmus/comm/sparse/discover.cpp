// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/discover.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/message.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>

namespace isthmus::comm {

namespace {

enum class Kind : std::uint8_t { parcel, acknowledgement, token };

constexpr std::uint8_t failed = 1;
constexpr std::uint8_t raised = 2;

/// In front of every message of a round, so that one receive serves all kinds.
struct Header {
  Kind kind;
  std::uint8_t flags;   // acknowledgement, token: what happened behind it
  std::uint16_t step;   // token: step of the barrier
  std::uint32_t ticket; // parcel: task of the sender; acknowledgement: the same
  std::uint64_t
      size; // parcel: bytes, behind the header or, where they do not fit, in a second message
};

constexpr std::size_t slot =
    4000; // bytes of the largest message with a parcel in it; eager everywhere

/// One round of parcels that may cause parcels, with its termination. A rank enters the
/// dissemination barrier when everything that it started has been acknowledged; tokens and
/// acknowledgements carry the flags. The single receive is posted only while a message of this
/// round is certain to come, so that none is left behind; the parity in the tags keeps the next
/// round's messages apart.
class Wave {
 public:
  Wave(const Comm& comm, const Reaction& react, Traffic* traffic)
      : comm_(comm),
        react_(react),
        traffic_(traffic),
        parity_(comm.next_parity()),
        steps_(std::bit_width(static_cast<unsigned>(comm.size() - 1))) {}

  std::uint8_t run(std::vector<Parcel> first, std::uint8_t flags) {
    if (comm_.size() > 1) {
      post();
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
    sends_.wait();
    return flags_;
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

  [[nodiscard]] bool expecting() const {
    return unacknowledged_ > 0 || arrived_ != (std::uint32_t{1} << steps_) - 1;
  }

  void post() {
    check_mpi(MPI_Irecv(buffer_.data(), static_cast<int>(slot), MPI_BYTE, MPI_ANY_SOURCE,
                        tag_round + parity_, comm_.raw(), &receive_),
              "MPI_Irecv");
  }

  void send(int to, Header header, std::vector<std::byte> payload = {}) {
    std::vector<std::byte> bytes(sizeof header);
    std::memcpy(bytes.data(), &header, sizeof header);
    const bool fits = sizeof header + payload.size() <= slot;
    if (fits) {
      bytes.insert(bytes.end(), payload.begin(), payload.end());
    }
    dispatch(to, tag_round, std::move(bytes));
    if (!fits) {
      dispatch(to, tag_bulk, std::move(payload));
    }
  }

  void dispatch(int to, int tag, std::vector<std::byte> bytes) {
    if (traffic_ != nullptr) {
      traffic_->count(bytes.size());
    }
    sends_.add(comm_, to, tag + parity_, std::move(bytes));
  }

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
        const std::uint64_t size = parcel.bytes.size();
        send(parcel.rank, {Kind::parcel, 0, 0, task, size}, std::move(parcel.bytes));
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
        send(done.source, {Kind::acknowledgement, done.flags, 0, done.ticket, 0});
        return;
      }
      task = done.ticket;
      if (!acknowledge(task, done.flags)) {
        return;
      }
    }
    flags_ |= tasks_[0].flags;
    entered_ = true;
    advance();
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

  /// Dissemination barrier: step s goes to the rank 2^s above once step s-1 has come from below.
  void advance() {
    const auto ranks = static_cast<std::int64_t>(comm_.size());
    while (entered_ && step_ < steps_ && (step_ == 0 || (arrived_ >> (step_ - 1) & 1U) != 0)) {
      const auto to = static_cast<int>((comm_.rank() + (std::int64_t{1} << step_)) % ranks);
      send(to, {Kind::token, flags_, static_cast<std::uint16_t>(step_), 0, 0});
      ++step_;
    }
  }

  void note_received() {
    if (traffic_ != nullptr) {
      ++traffic_->received;
    }
  }

  void handle_next() {
    if (receive_ == MPI_REQUEST_NULL) {
      post();
    }
    MPI_Status status;
    await(comm_, std::span(&receive_, 1), &status);
    Header header;
    std::memcpy(&header, buffer_.data(), sizeof header);
    note_received();
    switch (header.kind) {
      case Kind::parcel:
        accept({status.MPI_SOURCE, payload(status.MPI_SOURCE, header.size)}, header.ticket);
        break;
      case Kind::acknowledgement:
        --unacknowledged_;
        if (acknowledge(header.ticket, header.flags)) {
          finish(header.ticket);
        }
        break;
      case Kind::token:
        flags_ |= header.flags;
        arrived_ |= std::uint32_t{1} << header.step;
        advance();
        break;
    }
  }

  std::vector<std::byte> payload(int source, std::uint64_t size) {
    const std::byte* begin = buffer_.data() + sizeof(Header);
    if (sizeof(Header) + size <= slot) {
      return {begin, begin + size};
    }
    std::vector<std::byte> bytes(size);
    receive(comm_, source, tag_bulk + parity_, bytes);
    note_received();
    return bytes;
  }

  const Comm& comm_;
  const Reaction& react_;
  Traffic* traffic_;
  int parity_;
  int steps_;                 // of the barrier
  int step_ = 0;              // next to send
  std::uint32_t arrived_ = 0; // one bit per step
  bool entered_ = false;
  std::uint8_t flags_ = 0; // known so far of all ranks
  int unacknowledged_ = 0; // parcels sent to others
  std::vector<Task> tasks_;
  std::deque<OwnParcel> own_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(slot);
  MPI_Request receive_ = MPI_REQUEST_NULL;
  Sends sends_;
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
                                    Traffic* traffic) {
  std::vector<Parcel> incoming;
  diffuse(
      comm, std::move(outgoing),
      [&incoming](Parcel parcel) {
        incoming.push_back(std::move(parcel));
        return std::vector<Parcel>{};
      },
      false, traffic);
  std::stable_sort(incoming.begin(), incoming.end(),
                   [](const Parcel& a, const Parcel& b) { return a.rank < b.rank; });
  return incoming;
}

} // namespace isthmus::comm
