// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/neighbours.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/message.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace isthmus::comm {

namespace {

/// In front of every message.
struct LinkHeader {
  std::uint64_t size; // of the bytes behind it, those of a second message included
  std::uint32_t note;
  std::uint32_t round;
};

constexpr std::size_t first_room = 1024;

LinkHeader header_of(std::span<const std::byte> message) {
  LinkHeader header;
  std::memcpy(&header, message.data(), sizeof header);
  return header;
}

/// Both ends follow this rule, so they agree on where a message is cut.
std::size_t grown(std::size_t room, std::size_t length) {
  return std::min(std::max(room, std::bit_ceil(length)), most_bytes);
}

} // namespace

Neighbours::Neighbours(const Comm& comm, std::span<const int> ranks) : comm_(&comm) {
  reset(ranks);
}

std::size_t Neighbours::find(int rank) const {
  const auto at = std::lower_bound(links_.begin(), links_.end(), rank,
                                   [](const Link& link, int r) { return link.rank < r; });
  return at != links_.end() && at->rank == rank ? static_cast<std::size_t>(at - links_.begin())
                                                : size();
}

void Neighbours::insert(int rank) {
  check(rank >= 0 && rank < comm_->size() && rank != comm_->rank() && find(rank) == size(),
        "rank {} cannot become a neighbour of rank {} of {}", rank, comm_->rank(), comm_->size());
  const auto at = std::lower_bound(links_.begin(), links_.end(), rank,
                                   [](const Link& link, int r) { return link.rank < r; });
  links_.insert(
      at, Link{rank, 0, std::vector<std::byte>(sizeof(LinkHeader)), {}, first_room, first_room});
}

void Neighbours::erase(int rank) {
  links_.erase(links_.begin() + static_cast<std::ptrdiff_t>(find(rank)));
}

void Neighbours::reset(std::span<const int> ranks) {
  std::erase_if(links_, [ranks](const Link& link) {
    return !std::binary_search(ranks.begin(), ranks.end(), link.rank);
  });
  for (const int rank : ranks) {
    if (find(rank) == size()) {
      insert(rank);
    }
  }
}

void Neighbours::append(std::size_t i, std::span<const std::byte> bytes) {
  std::vector<std::byte>& message = links_[i].outgoing;
  message.insert(message.end(), bytes.begin(), bytes.end());
}

std::size_t Neighbours::waiting(std::size_t i) const {
  return links_[i].outgoing.size() - sizeof(LinkHeader);
}

std::span<const std::byte> Neighbours::arrived(std::size_t i) const {
  const std::vector<std::byte>& message = links_[i].incoming;
  return message.empty() ? std::span<const std::byte>()
                         : std::span(message).subspan(sizeof(LinkHeader), header_of(message).size);
}

std::uint32_t Neighbours::note(std::size_t i) const {
  return header_of(links_[i].incoming).note;
}

void Neighbours::exchange(std::uint32_t note, Traffic* traffic,
                          const std::function<void()>& meanwhile) {
  receives_.assign(size(), MPI_REQUEST_NULL);
  sends_.assign(size(), MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < size(); ++i) {
    Link& link = links_[i];
    link.incoming.resize(std::max(link.incoming.size(), link.in_room));
    check_mpi(MPI_Irecv(link.incoming.data(), static_cast<int>(link.in_room), MPI_BYTE, link.rank,
                        tag_neighbour, comm_->raw(), &receives_[i]),
              "MPI_Irecv");
  }
  for (std::size_t i = 0; i < size(); ++i) {
    start(links_[i], i, note, traffic);
  }
  await(*comm_, receives_, meanwhile);
  receive_rest(traffic);
  await(*comm_, sends_);
  for (Link& link : links_) {
    link.out_room = grown(link.out_room, link.outgoing.size());
    link.outgoing.resize(sizeof(LinkHeader));
    ++link.round;
  }
}

void Neighbours::start(Link& link, std::size_t i, std::uint32_t note, Traffic* traffic) {
  const LinkHeader header{link.outgoing.size() - sizeof header, note, link.round};
  std::memcpy(link.outgoing.data(), &header, sizeof header);
  const auto send = [&](std::size_t begin, std::size_t end, int tag, MPI_Request& request) {
    check_mpi(MPI_Isend(link.outgoing.data() + begin, static_cast<int>(end - begin), MPI_BYTE,
                        link.rank, tag, comm_->raw(), &request),
              "MPI_Isend");
    if (traffic != nullptr) {
      traffic->count(end - begin);
    }
  };
  std::size_t sent = std::min(link.outgoing.size(), link.out_room);
  send(0, sent, tag_neighbour, sends_[i]);
  while (sent < link.outgoing.size()) {
    const std::size_t end = std::min(link.outgoing.size(), sent + most_bytes);
    sends_.push_back(MPI_REQUEST_NULL);
    send(sent, end, tag_rest, sends_.back());
    sent = end;
  }
}

/// Of messages that are longer than all before.
void Neighbours::receive_rest(Traffic* traffic) {
  for (Link& link : links_) {
    const LinkHeader header = header_of(link.incoming);
    check(
        header.round == link.round,
        "rank {} is in round {} of its messages to rank {}, which is in round {} (modulo 256): do "
        "all ranks call the same functions?",
        link.rank, header.round, comm_->rank(), link.round);
    const std::size_t length = sizeof header + header.size;
    if (traffic != nullptr) {
      traffic->received += length > link.in_room ? 2 : 1;
    }
    if (length > link.in_room) {
      link.incoming.resize(std::max(link.incoming.size(), length));
      receive(*comm_, link.rank, tag_rest,
              std::span(link.incoming).subspan(link.in_room, length - link.in_room));
      link.in_room = grown(link.in_room, length);
    }
  }
}

} // namespace isthmus::comm
