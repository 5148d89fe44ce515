// SPDX-License-Identifier: BSD-3-Clause
// Round trip and throughput of Hub::exchange() beside the raw transport, in one run:
//   bench_channel                 TCP and shared memory between two processes on this host
//   mpirun -n 2 bench_channel     MPI
// The raw figures move bytes without messages: TCP by send and recv on the user's array, shared
// memory by two counters and by a copy into a ring of 256 KiB. Minima over many repetitions.
#include "allocations.hpp"
#include "raw_transports.hpp"

#include "isthmus/connect/endpoint.hpp"
#include "isthmus/transport/channels/mpi_channel.hpp"
#include "isthmus/transport/channels/shm_channel.hpp"
#include "isthmus/transport/channels/tcp_channel.hpp"

#include <fmt/core.h>

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace isthmus;
using namespace isthmus::bench;
using namespace isthmus::comm;
using isthmus::connect::NetworkSettings;

constexpr std::size_t sizes[] = {800'000, 2'000'000, 20'000'000}; // bytes
constexpr int trips = 20'000;

struct Array {
  std::vector<std::byte> bytes;

  transport::Outgoing outgoing() {
    return {.link = 0,
            .bytes = bytes.size(),
            .context = this,
            .fill = [](void* self, std::size_t offset, std::span<std::byte> piece) {
              std::memcpy(piece.data(), static_cast<Array*>(self)->bytes.data() + offset,
                          piece.size());
            }};
  }
  transport::Incoming incoming() {
    return {.link = 0,
            .context = this,
            .begin = [](void*, std::size_t) {},
            .drain =
                [](void* self, std::size_t offset, std::span<const std::byte> piece) {
                  std::memcpy(static_cast<Array*>(self)->bytes.data() + offset, piece.data(),
                              piece.size());
                }};
  }
};

struct Figures {
  double round_trip_us = 0;
  std::vector<double> gigabytes_per_s;
};

double minimum_seconds(int repetitions, const std::function<void()>& work) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < repetitions; ++i) {
    const double begin = now();
    work();
    best = std::min(best, now() - begin);
  }
  return best;
}

Figures measure(const Transport& transport, bool first) {
  Figures figures;
  std::vector<std::byte> small(8);
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < trips; ++i) {
    const double begin = now();
    transport.ping(small, first);
    best = std::min(best, now() - begin);
  }
  figures.round_trip_us = best * 1e6;
  for (const std::size_t size : sizes) {
    std::vector<std::byte> large(size, std::byte{1});
    const int repetitions = static_cast<int>(400'000'000 / size);
    const double seconds = minimum_seconds(repetitions, [&]() { transport.push(large, first); });
    figures.gigabytes_per_s.push_back(static_cast<double>(size) / seconds * 1e-9);
  }
  return figures;
}

// Through a hub

void exchange(transport::Hub& hub, Array* out, Array* in) {
  transport::Outgoing outgoing;
  transport::Incoming incoming;
  if (out != nullptr) {
    outgoing = out->outgoing();
  }
  if (in != nullptr) {
    incoming = in->incoming();
  }
  hub.exchange(std::span(&outgoing, out != nullptr ? 1 : 0),
               std::span(&incoming, in != nullptr ? 1 : 0), 60);
}

Transport through(transport::Hub& hub) {
  const auto both = [&hub](std::vector<std::byte>& bytes, std::size_t back, bool first) {
    static Array there;
    static Array sign;
    sign.bytes.resize(back);
    std::swap(there.bytes, bytes);
    if (first) {
      exchange(hub, &there, &sign);
    } else {
      exchange(hub, nullptr, &there);
      exchange(hub, &sign, nullptr);
    }
    std::swap(there.bytes, bytes);
  };
  return {[both](auto& bytes, bool first) { both(bytes, bytes.size(), first); },
          [both](auto& bytes, bool first) { both(bytes, 8, first); }};
}

void report(const std::string& name, const Figures& raw, const Figures& ours, long allocated) {
  fmt::print("{:4}  round trip  raw {:7.2f} us  exchange {:7.2f} us  ratio {:.2f}\n", name,
             raw.round_trip_us, ours.round_trip_us, ours.round_trip_us / raw.round_trip_us);
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    fmt::print("{:4}  {:8} B  raw {:7.2f} GB/s  exchange {:5.2f} GB/s  ratio {:.2f}\n", name,
               sizes[i], raw.gigabytes_per_s[i], ours.gigabytes_per_s[i],
               ours.gigabytes_per_s[i] / raw.gigabytes_per_s[i]);
  }
  fmt::print("{:4}  allocations in 1000 exchanges: {}\n", name, allocated);
}

long count_allocations(const Transport& transport, bool first) {
  std::vector<std::byte> some(3000);
  transport.push(some, first);
  const long before = allocations.load();
  for (int i = 0; i < 1000; ++i) {
    transport.push(some, first);
  }
  return allocations.load() - before;
}

void compare(const std::string& name, transport::Hub& hub, const Transport& raw, bool first) {
  const Figures raw_figures = measure(raw, first);
  const Transport ours = through(hub);
  const Figures figures = measure(ours, first);
  const long allocated = count_allocations(ours, first);
  if (first) {
    report(name, raw_figures, figures, allocated);
  }
  hub.close(10);
}

void compare_sockets(NetworkSettings::Transport transport, raw::Ring* rings) {
  NetworkSettings settings;
  settings.transport = transport;
  connect::Endpoint a({"A", 0, 1, ""}, settings);
  connect::Endpoint b({"B", 0, 1, ""}, settings);
  const Token token = make_token();
  const int ranks[] = {0};
  std::fflush(stdout);
  const pid_t child = fork();
  const bool first = child != 0;
  transport::Hub hub(SpinPolicy::for_processes(2));
  if (first) {
    a.connect(hub, connect::Target{b.address(), "B", 0}, token, Deadline(10));
  } else {
    b.accept(hub, "A", ranks, token, Deadline(10));
  }
  transport::Socket socket;
  if (transport == NetworkSettings::tcp) {
    if (first) {
      socket = transport::begin_connect(b.address().ip, b.address().port);
    } else {
      const connect::Endpoint& self = b;
      pollfd wait{self.listener().descriptor(), POLLIN, 0};
      ::poll(&wait, 1, 10'000);
      socket = std::move(*transport::accept_at(self.listener()));
    }
    raw::Tcp stream(socket.descriptor());
    compare("tcp", hub, raw_streams(stream, stream), first);
  } else {
    compare("shm", hub, raw_streams(rings[0], rings[1]), first);
  }
  if (!first) {
    std::_Exit(0);
  }
  waitpid(child, nullptr, 0);
}

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double bytes_per_cpu_second(transport::Link& one, transport::Link& other, std::size_t size) {
  Array from{std::vector<std::byte>(size, std::byte{1})};
  Array to{std::vector<std::byte>(size)};
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < 20; ++i) {
    transport::Outgoing outgoing = from.outgoing();
    transport::Incoming incoming = to.incoming();
    const double begin = cpu_seconds();
    one.post(outgoing);
    other.post(incoming);
    while (!one.is_done() || !other.is_done()) {
      one.pump(false);
      other.pump(false);
    }
    best = std::min(best, cpu_seconds() - begin);
  }
  return static_cast<double>(size) / best;
}

double bytes_per_cpu_second_of_copies(std::size_t size) {
  std::vector<std::byte> from(size, std::byte{1});
  std::vector<std::byte> middle(std::size_t{1} << 18);
  std::vector<std::byte> to(size);
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < 20; ++i) {
    const double begin = cpu_seconds();
    for (std::size_t at = 0; at < size; at += middle.size()) {
      const std::size_t n = std::min(middle.size(), size - at);
      std::memcpy(middle.data(), from.data() + at, n);
      std::memcpy(to.data() + at, middle.data(), n);
    }
    best = std::min(best, cpu_seconds() - begin);
  }
  return static_cast<double>(size) / best;
}

void compare_cpu_time() {
  const transport::Socket listener = transport::listen_at("127.0.0.1", 0);
  const auto connection = [&listener]() {
    transport::Socket one = transport::begin_connect("127.0.0.1", transport::local_port(listener));
    pollfd wait{listener.descriptor(), POLLIN, 0};
    ::poll(&wait, 1, 10'000);
    return std::pair(std::move(one), std::move(*transport::accept_at(listener)));
  };
  auto plain = connection();
  transport::Link tcp_a(
      std::make_unique<transport::TcpChannel>(std::move(plain.first), transport::Peer{}), false);
  transport::Link tcp_b(
      std::make_unique<transport::TcpChannel>(std::move(plain.second), transport::Peer{}), false);
  auto bell = connection();
  auto segment = transport::SharedSegment::create(raw::Ring::capacity);
  auto same = transport::SharedSegment::open(segment.name(), raw::Ring::capacity);
  segment.unlink();
  transport::Link shm_a(std::make_unique<transport::ShmChannel>(
                            std::move(segment), 0, std::move(bell.first), transport::Peer{}),
                        false);
  transport::Link shm_b(std::make_unique<transport::ShmChannel>(
                            std::move(same), 1, std::move(bell.second), transport::Peer{}),
                        false);
  for (const std::size_t size : sizes) {
    fmt::print("cpu   {:8} B  two copies {:.2f} GB/s  shm {:.2f} GB/s  tcp {:.2f} GB/s\n", size,
               bytes_per_cpu_second_of_copies(size) * 1e-9,
               bytes_per_cpu_second(shm_a, shm_b, size) * 1e-9,
               bytes_per_cpu_second(tcp_a, tcp_b, size) * 1e-9);
  }
}

void compare_mpi() {
  MPI_Init(nullptr, nullptr);
  {
    const Comm world(MPI_COMM_WORLD);
    const Comm joint(MPI_COMM_WORLD);
    transport::Hub hub(SpinPolicy::for_processes(2));
    hub.add(std::make_unique<transport::MpiChannel>(joint, 1 - world.rank(),
                                                    transport::Peer{"other", 0, "here", 0}));
    compare("mpi", hub, raw_mpi(world), world.is_root());
  }
  MPI_Finalize();
}

} // namespace

int main() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr) {
    compare_mpi();
    return 0;
  }
  void* memory = mmap(nullptr, 2 * sizeof(raw::Ring), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  raw::Ring* rings = new (memory) raw::Ring[2];
  compare_sockets(NetworkSettings::tcp, rings);
  compare_sockets(NetworkSettings::shm, rings);
  compare_cpu_time();
  return 0;
}
