// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/channels/chunk_memory.hpp"

#include <cstdint>
#include <vector>

namespace isthmus::transport {

/// Chunks of bounded size between two ranks of a communicator that holds both participants, two
/// under way in each direction, more where widen() allows it. MPI itself ends the job if a peer
/// dies.
class MpiChannel final : public Channel {
 public:
  /// `joint` must outlive the channel, and is kept unless that ends on both sides; one channel per
  /// pair of ranks, made with the same `chunk_bytes` (a multiple of stream_unit) on both sides.
  MpiChannel(const comm::Comm& joint, int peer_rank, Peer peer,
             std::size_t chunk_bytes = std::size_t{1} << 16);
  ~MpiChannel() override;

  [[nodiscard]] std::span<std::byte> writable() override;
  void commit(std::size_t n) override;
  [[nodiscard]] std::span<const std::byte> readable() override;
  void consume(std::size_t n) override;
  void widen(std::size_t room) override { room_ = room; }
  [[nodiscard]] std::size_t held() override;
  void progress() override;
  void finish() override;
  [[nodiscard]] bool flushed() const override;
  [[nodiscard]] short arm() override;
  void disarm() override {}
  [[nodiscard]] std::span<MPI_Request> requests() override { return requests_; }
  [[nodiscard]] std::string_view kind() const override { return "mpi"; }
  [[nodiscard]] const Peer& peer() const override { return peer_; }

 private:
  // requests_ and chunks: 0 and 1 arrive, 2 and 3 leave; requests 4 and 5 are the marks of the end,
  // which are sent from chunk 4; request 6 + i belongs to more_[i], which leaves.
  static constexpr std::size_t end_mark = 4;
  static constexpr std::size_t first_more = 6;

  struct Chunk {
    ChunkMemory& memory;
    std::size_t index; // in it
  };
  struct Place {
    std::size_t chunk;
    std::size_t bytes; // of it that are done
  };

  [[nodiscard]] bool pending(std::size_t index) const;
  void receive_into(std::size_t index);
  void send_from(std::size_t index);
  void choose_leaving();
  [[nodiscard]] Chunk chunk_of(std::size_t index);
  void complete_requests();
  [[nodiscard]] std::uint64_t size_of(std::size_t index) const;
  [[nodiscard]] bool has_ended();
  void drain();

  const comm::Comm& joint_;
  int rank_;
  Peer peer_;
  ChunkMemory chunks_;
  std::vector<ChunkMemory> more_; // of one chunk each
  std::vector<MPI_Request> requests_;
  std::vector<int> done_; // which MPI says are
  Place arriving_{0, 0};  // to be read next
  Place leaving_{2, 0};   // to be filled next
  std::size_t room_ = 0;  // bytes that more_ may still get
  bool finished_ = false;
};

} // namespace isthmus::transport
