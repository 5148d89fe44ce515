// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/address.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/host.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ifaddrs.h>
#include <mpi.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <set>

namespace isthmus::connect {

namespace {

// Of OpenMPI 4 and 5, PRRTE and Slurm with PMIx. A name that two jobs shared would let them wait
// for each other inside MPI, so nothing is guessed.
std::string mpi_job() {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized == 0 || finalized != 0) { // started by mpirun, but by itself
    return {};
  }
  for (const char* variable : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"}) {
    if (const char* job = std::getenv(variable)) {
      return job;
    }
  }
  return {};
}

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

void put(Writer& writer, const Address& address) {
  writer.put_text(address.ip).put(address.port).put_text(address.host).put_text(address.host_id);
  writer.put_text(address.process_space).put(address.pid).put(address.started);
  writer.put_text(address.job);
}

Address get_address(Reader& reader) {
  Address address;
  address.ip = reader.get_text();
  address.port = reader.get<std::uint16_t>();
  address.host = reader.get_text();
  address.host_id = reader.get_text();
  address.process_space = reader.get_text();
  address.pid = reader.get<int>();
  address.started = reader.get<std::uint64_t>();
  address.job = reader.get_text();
  return address;
}

Address own_address() {
  Address address;
  address.host = host_name();
  address.host_id = host_id();
  address.process_space = process_space();
  address.pid = getpid();
  address.started = start_time(address.pid);
  address.job = mpi_job();
  return address;
}

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
