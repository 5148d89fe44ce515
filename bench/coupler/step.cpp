// SPDX-License-Identifier: BSD-3-Clause
// advance() between two processes through the public interface, beside the raw transport measured
// in the same run: bench_step [tcp|shm] [smallest] [largest number of vertices]
//
// Cases: "ping-pong" serial-explicit, one value per vertex in each direction, so that one advance()
// is a round trip; "iteration" the same serial-implicit with a measure, all steps iterations of one
// window; "one-way" and "two-way" parallel-explicit. One line of comma separated values
// for each number of vertices. Allocations are of the steady windows, of both processes.
#include "allocations.hpp"
#include "first_and_second.hpp"
#include "isthmus/participant/participant.hpp"
#include "raw.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"

#include <fmt/core.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace isthmus;

constexpr int warm_up = 20;              // windows
constexpr int last = 5;                  // windows in which the other one may already say goodbye
constexpr double bytes_per_case = 400e6; // that move in the steady windows

/// What both processes see.
struct Shared {
  raw::Ring rings[2];
  std::atomic<long> allocated;
  std::atomic<int> arrived;
  std::atomic<int> bounces; // of the raw transport
};

struct Case {
  std::string name;
  std::string scheme;
  bool back; // the second participant answers
  int vertices;

  [[nodiscard]] bool is_implicit() const { return scheme == "serial-implicit"; }
  /// Or iterations.
  [[nodiscard]] int windows() const {
    return static_cast<int>(std::clamp(bytes_per_case / (8.0 * vertices), 20.0, 5'000.0));
  }
};

std::string configuration(const Case& what, const std::string& directory) {
  const std::string control = fmt::format(
      "<min-iterations value=\"{0}\" /><max-iterations value=\"{0}\" />"
      "<relative-convergence-measure data=\"Y\" mesh=\"First-Mesh\" limit=\"1e-6\" />",
      warm_up + what.windows());
  return FirstAndSecond{
      .directory = directory,
      .scheme = what.scheme,
      .windows = fmt::format("<max-time-windows value=\"{}\" /><time-window-size value=\"1\" />",
                             what.is_implicit() ? 1 : warm_up + what.windows()),
      .goes_back = what.back,
      .control = what.is_implicit() ? control : ""}
      .xml();
}

struct Figures {
  double least = 0; // seconds of one advance()
  double median = 0;
  double whole = 0; // per window, reading and writing included
};

Figures couple(const Case& what, const std::string& file, bool first, Shared& shared) {
  const std::string name = first ? "First" : "Second";
  const std::string mesh = name + "-Mesh";
  const std::string writes = first ? "X" : "Y";
  const std::string reads = first ? "Y" : "X";
  const auto count = static_cast<std::size_t>(what.vertices);
  Participant participant(name, file, Launch{});
  std::vector<double> positions(2 * count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    positions[2 * i] = static_cast<double>(i) / static_cast<double>(count);
  }
  std::vector<VertexId> ids(count);
  participant.set_mesh_vertices(mesh, positions, ids);
  participant.initialize();
  std::vector<double> written(count, 1.0);
  std::vector<double> received(count);
  std::vector<double> seconds;
  seconds.reserve(static_cast<std::size_t>(what.windows()));
  long before = 0;
  double begin = 0;
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    if (window == warm_up) {
      before = allocations.load();
      begin = now();
    }
    if (window == warm_up + what.windows() - last) {
      shared.allocated += allocations.load() - before;
    }
    static_cast<void>(participant.requires_writing_checkpoint());
    if (first || what.back) {
      participant.write_data(mesh, writes, ids, written);
    }
    const double start = now();
    participant.advance(1);
    if (window >= warm_up) {
      seconds.push_back(now() - start);
    }
    static_cast<void>(participant.requires_reading_checkpoint());
    if (!first || what.back) {
      participant.read_data(mesh, reads, ids, 0, received);
    }
  }
  Figures figures;
  figures.whole = (now() - begin) / what.windows();
  std::sort(seconds.begin(), seconds.end());
  figures.least = seconds.front();
  figures.median = seconds[seconds.size() / 2];
  participant.finalize();
  return figures;
}

/// Both processes together.
void meet(Shared& shared, int times) {
  ++shared.arrived;
  while (shared.arrived < 2 * times) {
    ::usleep(100);
  }
}

/// `there` bytes to the second process and `back` bytes from it, many times but not for long: where
/// cores are shared, whoever only spins takes a whole slice of time from the one it waits for.
template <typename Send, typename Receive>
Figures bounce(std::size_t there, std::size_t back, bool first, Shared& shared, Send send,
               Receive receive) {
  constexpr double limit = 0.5; // seconds
  std::vector<std::byte> out(std::max(there, back));
  std::vector<std::byte> in(out.size());
  std::vector<double> seconds;
  const double begin = now();
  for (int i = 0; i < shared.bounces; ++i) {
    const double start = now();
    if (first) {
      send(out.data(), there);
      receive(in.data(), back);
    } else {
      receive(in.data(), there);
      send(out.data(), back);
    }
    seconds.push_back(now() - start);
    if (first && now() - begin > limit && shared.bounces > i + 2) {
      shared.bounces = i + 2; // the other one takes part in the next
    }
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds.front(), seconds[seconds.size() / 2], 0};
}

Figures raw_figures(const Case& what, bool over_tcp, int descriptor, bool first, Shared& shared) {
  const std::size_t there = 8 * static_cast<std::size_t>(what.vertices);
  const std::size_t back = what.back ? there : 8; // a sign that all has come
  if (over_tcp) {
    const raw::Tcp tcp(descriptor);
    return bounce(
        there, back, first, shared, [&tcp](auto* data, auto n) { tcp.send(data, n); },
        [&tcp](auto* data, auto n) { tcp.receive(data, n); });
  }
  raw::Ring& out = shared.rings[first ? 0 : 1];
  raw::Ring& in = shared.rings[first ? 1 : 0];
  return bounce(
      there, back, first, shared, [&out](auto* data, auto n) { out.send(data, n); },
      [&in](auto* data, auto n) { in.receive(data, n); });
}

/// Two ends of a TCP connection over loopback.
std::pair<int, int> connected() {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  check(::bind(listener, generic, size) == 0 && ::listen(listener, 1) == 0,
        "cannot listen on loopback");
  ::getsockname(listener, generic, &size);
  const int one = ::socket(AF_INET, SOCK_STREAM, 0);
  check(::connect(one, generic, size) == 0, "cannot connect over loopback");
  const int other = ::accept(listener, nullptr, nullptr);
  const int on = 1;
  ::setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(other, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::close(listener);
  return {one, other};
}

void measure(const Case& what, const std::string& transport, const std::string& directory) {
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  check(memory != MAP_FAILED, "no memory to share between the processes");
  auto& shared = *new (memory) Shared{};
  shared.bounces = what.windows();
  const std::string file = directory + "/config.xml";
  std::ofstream(file) << configuration(what, directory);
  const auto [one, other] = connected();
  std::fflush(stdout);
  const pid_t child = fork();
  check(child >= 0, "cannot start a second process");
  const bool first = child != 0;
  const Figures bare = raw_figures(what, transport == "tcp", first ? one : other, first, shared);
  meet(shared, 1);
  const Figures ours = couple(what, file, first, shared);
  meet(shared, 2);
  if (!first) {
    std::_Exit(0);
  }
  waitpid(child, nullptr, 0);
  ::close(one);
  ::close(other);
  fmt::print("{},{},{},{},{:.4g},{:.4g},{:.4g},{:.4g},{:.4g},{}\n", transport, what.name,
             what.vertices, what.windows(), bare.least * 1e6, bare.median * 1e6, ours.least * 1e6,
             ours.median * 1e6, ours.whole * 1e6, shared.allocated.load());
  munmap(memory, sizeof(Shared));
}

void run(const std::string& transport, int smallest, int largest) {
  ::setenv("ISTHMUS_TRANSPORT", transport.c_str(), 1);
  std::string directory = std::filesystem::temp_directory_path() / "isthmus-step-XXXXXX";
  check(::mkdtemp(directory.data()) != nullptr, "cannot make a folder like {}", directory);
  for (int vertices = smallest; vertices <= largest; vertices *= 10) {
    measure({"ping-pong", "serial-explicit", true, vertices}, transport, directory);
    measure({"iteration", "serial-implicit", true, vertices}, transport, directory);
    measure({"one-way", "parallel-explicit", false, vertices}, transport, directory);
    measure({"two-way", "parallel-explicit", true, vertices}, transport, directory);
  }
  std::filesystem::remove_all(directory);
}

} // namespace

int main(int argc, char** argv) {
  try {
    const int smallest = argc > 2 ? std::atoi(argv[2]) : 1;
    const int largest = argc > 3 ? std::atoi(argv[3]) : 1'000'000;
    check(smallest > 0, "the smallest number of vertices must be at least 1");
    fmt::print(
        "transport,case,vertices,windows,raw_us,raw_median_us,advance_us,advance_median_us,window_"
        "us,"
        "allocations\n");
    if (argc > 1) {
      run(argv[1], smallest, largest);
    } else {
      run("tcp", smallest, largest);
      run("shm", smallest, largest);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_step: {}\n", error.what());
    return 1;
  }
  return 0;
}
