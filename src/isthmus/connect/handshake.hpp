// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/connect/address.hpp"
#include "isthmus/transport/peer.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What two processes say until they trust each other and have a channel:
///
///   caller                                   called
///   greeting: its nonce                ->
///                                      <-    challenge: its nonce
///   proof: a seal of nothing           ->
///   hello: who it is, sealed           ->
///                                      <-    answer: yes or why not, sealed
///   confirmation of shared memory      ->
///
/// The token of the called one, which both have read in a file, is in none of them; seals show that
/// both know it. Until the proof is there, the called one takes messages of some bytes only.
namespace isthmus::connect {

[[nodiscard]] std::string library_version();

/// Who this rank is.
struct RankIdentity {
  std::string participant;
  int rank = 0;
  int size = 1;
  std::string fingerprint; // of the configuration: a line "what fingerprint" for each part of it
  std::string version = library_version();
};

/// What the caller says of itself.
struct Hello {
  RankIdentity from;
  Address address;
  std::string to_participant;
  int to_rank = 0;
  bool shm = false; // is able and willing
  std::uint64_t ring_capacity = 0;
};

/// A refusal: who calls has read the announcement of another instance, or is a stranger.
constexpr std::string_view wrong_token =
    "its token is wrong: it read an outdated or foreign file in precice-run/";

/// What the accepting side replies.
struct Answer {
  std::string refusal; // empty: accepted
  std::string segment; // empty: no shared memory
  std::uint64_t ring_capacity = 0;
};

[[nodiscard]] std::vector<std::byte> encode(const Hello& hello);
[[nodiscard]] std::vector<std::byte> encode(const Answer& answer);
/// Throw Error if the bytes are something else.
[[nodiscard]] Hello decode_hello(std::span<const std::byte> bytes);
[[nodiscard]] Answer decode_answer(std::span<const std::byte> bytes);

[[nodiscard]] transport::Peer peer_of(const Hello& hello);

/// The first part in which two fingerprints differ.
[[nodiscard]] std::string difference(const std::string& own, const std::string& other);

/// Why `self` cannot work with a peer that knows the token; empty if it can.
[[nodiscard]] std::string objection(const RankIdentity& self, const Hello& hello);

} // namespace isthmus::connect
