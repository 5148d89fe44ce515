// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/channels/chunk_memory.hpp"

#include <cstdint>
#include <vector>

namespace isthmus::transport {

/// Chunks of bounded size between two ranks of a communicator that holds both participants, two
/// under way in each direction, more where widen() allows it. They are small at first, as most
/// links carry little: the chunk after the next is twice as large where one was full, as both sides
/// see. MPI itself ends the job if a peer dies.
class MpiChannel final : public Channel {
 public:
  /// `joint` must outlive the channel, and is kept unless that ends on both sides; one channel per
  /// pair of ranks, made with the same largest `chunk_bytes` (a multiple of stream_unit) on both
  /// sides.
  MpiChannel(const comm::Comm& joint, int peer_rank, Peer peer,
             std::size_t chunk_bytes = std::size_t{1} << 16);
  ~MpiChannel() override;

  [[nodiscard]] std::span<std::byte> writable() override;
  void commit(std::size_t n) override;
  [[nodiscard]] std::span<const std::byte> readable() override;
  void consume(std::size_t n) override;
  void widen(std::size_t room) override { room_ = room; }
  [[nodiscard]] std::size_t held() override;
  /// Memory of all chunks.
  [[nodiscard]] std::size_t bytes() const;
  void progress() override;
  void finish() override;
  void abandon() override { ending_.is_abandoned = true; }
  [[nodiscard]] bool flushed() const override;
  [[nodiscard]] short arm() override;
  [[nodiscard]] std::span<MPI_Request> requests() override { return requests_; }
  [[nodiscard]] bool ends_with_mpi() const override { return true; }
  [[nodiscard]] std::string_view kind() const override { return "mpi"; }
  [[nodiscard]] const Peer& peer() const override { return peer_; }

 private:
  // requests_ and chunks_: 0 and 1 arrive, 2 and 3 leave; requests 4 and 5 are the marks of the
  // end, both sent from chunk 4; what follows leaves, too, while there is room_.
  static constexpr std::size_t end_mark = 4;
  static constexpr std::size_t first_more = 6;

  struct Place {
    std::size_t chunk;
    std::size_t bytes; // of it that are done
    int number = 0;    // of the chunk that is posted next
  };
  struct Ending {
    bool is_marked = false;    // the marks of the end are sent
    bool is_abandoned = false; // nobody is waited for
  };

  [[nodiscard]] bool pending(std::size_t index) const;
  void receive_into(std::size_t index);
  void send_from(std::size_t index);
  void choose_leaving();
  void complete_requests();
  [[nodiscard]] std::uint64_t size_of(std::size_t index) const;
  [[nodiscard]] bool end();

  const comm::Comm& joint_;
  int rank_;
  Peer peer_;
  ChunkSizes capacities_; // of what the other side receives into
  std::vector<ChunkMemory> chunks_;
  std::vector<MPI_Request> requests_;
  std::vector<int> done_; // which MPI says are
  Place arriving_{0, 0};  // to be read next
  Place leaving_{2, 0};   // to be filled next
  std::size_t room_ = 0;  // bytes that further chunks may still get
  Ending ending_;
};

} // namespace isthmus::transport
