// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/interface.hpp"

#include "isthmus/base/error.hpp"

#include <fmt/format.h>

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <set>

namespace isthmus::connect {

namespace {

// The lower the better: IPv4, IPv6, IPv6 of this link only.
constexpr int no_address = std::numeric_limits<int>::max();
int preference(const sockaddr* address) {
  if (address != nullptr && address->sa_family == AF_INET) {
    return 0;
  }
  if (address == nullptr || address->sa_family != AF_INET6) {
    return no_address;
  }
  const auto* ipv6 = reinterpret_cast<const sockaddr_in6*>(address);
  return IN6_IS_ADDR_LINKLOCAL(&ipv6->sin6_addr) ? 2 : 1;
}

std::string text_of(const sockaddr* address) {
  std::array<char, NI_MAXHOST> text{};
  const socklen_t size = address->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  const int error = getnameinfo(address, size, text.data(), static_cast<socklen_t>(text.size()),
                                nullptr, 0, NI_NUMERICHOST);
  check(error == 0, "an address of this host cannot be read: {}", gai_strerror(error));
  return text.data();
}

} // namespace

std::string interface_address(std::string_view interface) {
  ifaddrs* list = nullptr;
  const int listed = getifaddrs(&list);
  check(listed == 0, "cannot list the network interfaces: {}", std::strerror(errno));
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, freeifaddrs);
  std::set<std::string> usable;
  const sockaddr* best = nullptr;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    const bool is_up = (entry->ifa_flags & IFF_UP) != 0;
    if (is_up && preference(entry->ifa_addr) != no_address) {
      usable.insert(entry->ifa_name);
      if (interface == entry->ifa_name && preference(entry->ifa_addr) < preference(best)) {
        best = entry->ifa_addr;
      }
    }
  }
  check(best != nullptr,
        "this host has no network interface \"{}\" that is up and has an address; set "
        "network=\"…\" to one of: {}",
        interface, fmt::join(usable, ", "));
  return text_of(best);
}

bool is_loopback(const std::string& ip) {
  return ip.starts_with("127.") || ip == "::1";
}

} // namespace isthmus::connect
