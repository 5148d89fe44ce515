// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace isthmus::connect {

/// Address of a network interface such as "lo": of IPv4 if it has one, else of IPv6. Throws Error
/// listing the interfaces there are.
[[nodiscard]] std::string interface_address(std::string_view interface);

/// Whether only the host itself can reach this address.
[[nodiscard]] bool is_loopback(const std::string& ip);

} // namespace isthmus::connect
