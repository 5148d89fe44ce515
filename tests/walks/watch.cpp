// SPDX-License-Identifier: BSD-3-Clause
#include "watch.hpp"

#include <execinfo.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace walks {

namespace {

pthread_t watched;

void show_stack(int /*signal*/) {
  std::array<void*, 64> frames{};
  backtrace_symbols_fd(frames.data(), backtrace(frames.data(), 64), STDERR_FILENO);
}

int entries(const char* folder) {
  int count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++count;
  }
  return count;
}

} // namespace

Watch::Watch(double limit_s, std::function<std::string()> report)
    : limit_s_(limit_s), report_(std::move(report)), began_(now()) {
  watched = pthread_self();
  signal(SIGUSR2, show_stack);
  std::array<void*, 4> frames{};
  backtrace(frames.data(), 4); // loads what it needs
  thread_ = std::thread([this] { run(); });
}

Watch::~Watch() {
  stops_ = true;
  thread_.join();
}

double Watch::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Watch::run() {
  while (!stops_) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (now() - began_ < limit_s_) {
      continue;
    }
    const std::string text = report_();
    std::fprintf(stderr, "HANG after %.0f s\n%s\n", limit_s_, text.c_str());
    pthread_kill(watched, SIGUSR2);
    std::this_thread::sleep_for(std::chrono::seconds(3)); // others report as well
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
}

Holdings holdings() {
  Holdings held;
  held.files = entries("/proc/self/fd");
  held.threads = entries("/proc/self/task");
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    held.shared += line.find("/isthmus-") != std::string::npos ? 1 : 0;
  }
  std::ifstream statm("/proc/self/statm");
  long total = 0;
  statm >> total >> held.resident;
  held.resident *= sysconf(_SC_PAGESIZE) / 1024;
  return held;
}

} // namespace walks
