// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/seal.hpp"

#include "isthmus/base/error.hpp"

#include <sodium.h>

#include <algorithm>

namespace isthmus::connect {

namespace {

const unsigned char* chars(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}

void add(crypto_auth_hmacsha256_state& state, std::span<const std::byte> bytes) {
  crypto_auth_hmacsha256_update(&state, chars(bytes.data()), bytes.size());
}

} // namespace

Nonce make_nonce() {
  Nonce nonce{};
  fill_at_random(nonce);
  return nonce;
}

Nonce nonce_from(std::span<const std::byte> bytes) {
  Nonce nonce{};
  check(bytes.size() == nonce.size(), "a nonce has {} bytes instead of {}", bytes.size(),
        nonce.size());
  std::copy(bytes.begin(), bytes.end(), nonce.begin());
  return nonce;
}

std::vector<std::byte> Sealer::seal(transport::Kind kind, std::vector<std::byte> message) const {
  const Seal seal = make(kind, message);
  message.insert(message.end(), seal.begin(), seal.end());
  return message;
}

std::optional<std::span<const std::byte>> Sealer::open(transport::Kind kind,
                                                       std::span<const std::byte> sealed) const {
  if (sealed.size() < seal_bytes) {
    return std::nullopt;
  }
  const auto message = sealed.first(sealed.size() - seal_bytes);
  const Seal right = make(kind, message);
  const auto given = sealed.last(seal_bytes);
  return sodium_memcmp(right.data(), given.data(), seal_bytes) == 0 ? std::optional(message)
                                                                    : std::nullopt;
}

Sealer::Seal Sealer::make(transport::Kind kind, std::span<const std::byte> message) const {
  check(sodium_init() >= 0, "libsodium cannot be used on this system"); // any number of times
  static_assert(crypto_auth_hmacsha256_BYTES == seal_bytes);
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, chars(token_.data()), token_.size());
  add(state, of_caller_);
  add(state, of_called_);
  add(state, std::as_bytes(std::span(&kind, 1)));
  add(state, message);
  Seal seal{};
  crypto_auth_hmacsha256_final(&state, reinterpret_cast<unsigned char*>(seal.data()));
  sodium_memzero(&state, sizeof state);
  return seal;
}

} // namespace isthmus::connect
