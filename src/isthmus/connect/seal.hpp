// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/host.hpp"
#include "isthmus/transport/frame.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace isthmus::connect {

/// 256 random bits that one side of a connection says once.
using Nonce = std::array<std::byte, 32>;
[[nodiscard]] Nonce make_nonce();
/// Throws Error unless these are the bytes of a nonce.
[[nodiscard]] Nonce nonce_from(std::span<const std::byte> bytes);

/// Shows that who says a message knows the token, which itself is never said: a seal is a keyed
/// hash (HMAC-SHA256 of libsodium) of what both sides have said that is new, of the kind of the
/// message, and of the message. So the seal of one connection, direction or message is worth
/// nothing in another one.
class Sealer {
 public:
  static constexpr std::size_t seal_bytes = 32;
  using Seal = std::array<std::byte, seal_bytes>;

  Sealer(const Token& token, const Nonce& of_caller, const Nonce& of_called)
      : token_(token), of_caller_(of_caller), of_called_(of_called) {}

  /// The message with its seal behind it.
  [[nodiscard]] std::vector<std::byte> seal(transport::Kind kind,
                                            std::vector<std::byte> message) const;
  /// The message without its seal; nothing if the seal is another one. How long it takes does not
  /// show where they differ.
  [[nodiscard]] std::optional<std::span<const std::byte>> open(
      transport::Kind kind, std::span<const std::byte> sealed) const;

 private:
  [[nodiscard]] Seal make(transport::Kind kind, std::span<const std::byte> message) const;

  Token token_;
  Nonce of_caller_;
  Nonce of_called_;
};

} // namespace isthmus::connect
