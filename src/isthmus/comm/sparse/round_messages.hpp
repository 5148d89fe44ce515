// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/message.hpp"
#include "isthmus/comm/sparse/traffic.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isthmus::comm {

/// In front of every message of a round, so that one receive serves all kinds.
struct RoundHeader {
  enum class Kind : std::uint8_t { parcel, acknowledgement, token };

  Kind kind;
  std::uint8_t flags;     // acknowledgement, token: what happened behind it
  std::uint16_t step;     // token: step of the barrier
  std::uint32_t ticket;   // parcel: task of the sender; acknowledgement: the same
  std::uint64_t size = 0; // of the payload (bytes): behind the header or, where it does not fit, in
                          // a second message
};

/// The messages of one round between ranks that do not expect them. The single receive is posted
/// only while a message of this round is certain to come, so that none is left behind; the parity
/// in the tags keeps the next round's messages apart.
class RoundMessages {
 public:
  struct Received {
    int source;
    RoundHeader header;
    std::vector<std::byte> payload;
  };

  /// Collective, without communication.
  RoundMessages(const Comm& comm, Traffic* traffic);

  /// Posts the receive, where the next message is certain to come.
  void post();
  void send(int to, RoundHeader header, std::vector<std::byte> payload = {});
  /// Blocking. The next message, which must be certain to come.
  [[nodiscard]] Received receive();
  /// Until all that was sent is delivered to MPI.
  void finish() { sends_.wait(); }

 private:
  void dispatch(int to, int tag, std::vector<std::byte> bytes);

  const Comm& comm_;
  Traffic* traffic_;
  int parity_;
  std::vector<std::byte> buffer_;
  MPI_Request receive_ = MPI_REQUEST_NULL;
  Sends sends_;
};

} // namespace isthmus::comm
