// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace isthmus::transport {

using LinkId = int;

/// A message of a step whose payload is produced where it leaves from, piece by piece in order.
/// Pieces begin at multiples of 8 bytes.
struct Outgoing {
  LinkId link = -1;
  Kind kind = Kind::data;
  std::size_t bytes = 0;
  void* context = nullptr;
  void (*fill)(void* context, std::size_t offset, std::span<std::byte> piece) = nullptr;
  // kept by Outbox
  std::size_t done = 0; // bytes
  Outgoing* next = nullptr;
};

/// A message of a step whose payload is consumed where it arrives, piece by piece in order, after
/// `begin` has received its size. Pieces begin at multiples of 8 bytes.
struct Incoming {
  LinkId link = -1;
  Kind kind = Kind::data;
  void* context = nullptr;
  void (*begin)(void* context, std::size_t bytes) = nullptr;
  void (*drain)(void* context, std::size_t offset, std::span<const std::byte> piece) = nullptr;
  // kept by Inbox
  Incoming* next = nullptr;
};

/// Adds a message behind the others of a list.
template <typename T>
void append(T*& list, T& message) {
  message.next = nullptr;
  T** end = &list;
  while (*end != nullptr) {
    end = &(*end)->next;
  }
  *end = &message;
}

/// What has passed one way.
struct OneWayTraffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0; // payload
};

/// What has passed one link.
struct LinkTraffic {
  std::uint64_t messages_out = 0;
  std::uint64_t messages_in = 0;
  std::uint64_t bytes_out = 0; // payload
  std::uint64_t bytes_in = 0;  // payload

  LinkTraffic& operator+=(const LinkTraffic& other) {
    messages_out += other.messages_out;
    messages_in += other.messages_in;
    bytes_out += other.bytes_out;
    bytes_in += other.bytes_in;
    return *this;
  }
};

} // namespace isthmus::transport
