// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/message.hpp"
#include "isthmus/rendezvous/across.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <set>
#include <string>

/// Two participants in one job: the first ranks of MPI_COMM_WORLD provide, the rest receive. The
/// way between them checks that only ranks are named that are linked.
struct TwoSides final : isthmus::rendezvous::Across {
  isthmus::comm::Comm world{MPI_COMM_WORLD};
  int providers;
  isthmus::rendezvous::Side side;
  isthmus::comm::Comm mine;
  std::set<int> linked{}; // ranks of the other side that may be named

  explicit TwoSides(int provider_count)
      : providers(provider_count),
        side(world.rank() < provider_count ? isthmus::rendezvous::Side::provider
                                           : isthmus::rendezvous::Side::receiver),
        mine(world.split(provides() ? 0 : 1)) {
    if (mine.rank() == 0) {
      linked.insert(0);
    }
  }
  [[nodiscard]] bool provides() const { return side == isthmus::rendezvous::Side::provider; }
  [[nodiscard]] int receivers() const { return world.size() - providers; }
  [[nodiscard]] int remote_size() const { return provides() ? receivers() : providers; }
  [[nodiscard]] int world_rank(int remote) const {
    return provides() ? providers + remote : remote;
  }

  void send(int remote, std::vector<std::byte> bytes) override {
    REQUIRE(linked.contains(remote));
    isthmus::comm::send_message(world, world_rank(remote), bytes);
  }
  std::vector<std::byte> receive(int remote) override {
    REQUIRE(linked.contains(remote));
    return isthmus::comm::receive_message(world, world_rank(remote));
  }
  void link(const isthmus::rendezvous::Partner& partner) override { linked.insert(partner.rank); }
};

/// The address of a rank in these tests.
inline std::vector<std::byte> address_of(isthmus::rendezvous::Side side, int rank) {
  const std::string text =
      (side == isthmus::rendezvous::Side::provider ? "provider " : "receiver ") +
      std::to_string(rank);
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Runs f(sides) for every way to divide the job into two participants, or a few of them.
template <typename F>
void for_all_splits(F&& f) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::set<int> splits{size / 4, size / 2};
  if (size < 64) { // simulation takes its time
    splits.insert({1, 3 * size / 4, size - 1});
  }
  for (const int providers : splits) {
    if (providers > 0 && providers < size) {
      TwoSides sides(providers);
      f(sides);
    }
  }
}
