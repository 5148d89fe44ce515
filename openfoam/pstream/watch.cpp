// SPDX-License-Identifier: GPL-3.0-or-later
#include "watch.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <thread>

namespace isthmus::openfoam {

namespace {

constexpr int look_ms = 200;
constexpr int news_ms =
    300; // after a signal: a launcher may learn of a death before the watch does

int signals_go_to = -1;

double time() {
  using std::chrono::duration;
  return duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string clock_of(double time) {
  const auto seconds = static_cast<std::time_t>(time);
  std::tm parts{};
  localtime_r(&seconds, &parts);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%H:%M:%S", &parts);
  return text.data();
}

std::string describe(Board::Failure failure) {
  const std::string rank = "rank " + std::to_string(failure.rank);
  constexpr const char* remedy =
      ", but this program reads from it. Where parts of a case disagree on their patches, type "
      "decomposePar -force; if the program runs with the packaged library, start it without "
      "LD_PRELOAD=libPstream.so";
  switch (failure.cause) {
    case Board::Cause::none:
    case Board::Cause::death:
      break;
    case Board::Cause::end:
      return rank + " has ended without taking part in it";
    case Board::Cause::silence:
      return rank + " has sent nothing in an exchange and has gone on" + remedy;
    case Board::Cause::hour:
      return rank + " has sent nothing for an hour" + remedy;
  }
  return rank + " has died";
}

void note_signal(int) {
  const char byte = 0;
  [[maybe_unused]] const auto written = write(signals_go_to, &byte, 1);
}

} // namespace

Watch*& watch() {
  static Watch* the_watch = nullptr;
  return the_watch;
}

Watch::Watch() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  receives_.assign(static_cast<std::size_t>(ranks), 0);
  for (const int rank : board_.others()) {
    const auto descriptor = static_cast<int>(syscall(SYS_pidfd_open, board_.process(rank), 0));
    if (descriptor >= 0) {
      fcntl(descriptor, F_SETFD, FD_CLOEXEC);
      others_.push_back({rank, descriptor});
    }
  }
  std::array<int, 2> ends{-1, -1};
  struct sigaction before {};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0 &&
      sigaction(SIGTERM, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
    signal_pipe_ = ends[0];
    signals_go_to = ends[1];
    struct sigaction ours {};
    ours.sa_handler = note_signal;
    ours.sa_flags = SA_RESTART;
    sigaction(SIGTERM, &ours, nullptr);
  }
  sigset_t all;
  sigset_t mask;
  sigfillset(&all); // signals are the program's
  pthread_sigmask(SIG_BLOCK, &all, &mask);
  std::thread([this] { run(); }).detach();
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

void Watch::run() {
  for (;;) {
    look_at_processes(look_ms);
    look_at_wait();
  }
}

void Watch::look_at_processes(int milliseconds) {
  std::vector<pollfd> looks{{signal_pipe_, POLLIN, 0}};
  for (const Other& other : others_) {
    looks.push_back({other.descriptor, POLLIN, 0});
  }
  if (poll(looks.data(), looks.size(), milliseconds) <= 0) {
    return;
  }
  for (std::size_t i = others_.size(); i-- > 0;) {
    if (looks[i + 1].revents == 0) {
      continue;
    }
    const int rank = others_[i].rank;
    close(others_[i].descriptor);
    others_.erase(others_.begin() + static_cast<std::ptrdiff_t>(i));
    if (board_.state(rank) == Board::State::works) {
      end({Board::Cause::death, rank});
    }
  }
  if (looks[0].revents != 0) {
    end_by_signal();
  }
}

void Watch::end_by_signal() {
  std::signal(SIGTERM, SIG_DFL);
  signal_pipe_ = -1; // poll() passes over it
  look_at_processes(news_ms);
  if (const auto failure = board_.first(); failure.cause != Board::Cause::none) {
    end(failure);
  }
  kill(getpid(), SIGTERM);
}

bool Watch::is_missing(int rank) {
  auto& receives = receives_[static_cast<std::size_t>(rank)];
  return board_.state(rank) == Board::State::ended &&
         (board_.num_messages_from(rank) < std::atomic_ref(receives).load() ||
          board_.num_collectives(rank) < board_.num_collectives(board_.rank()));
}

void Watch::look_at_wait() {
  if (wait_.what.load() == nullptr) {
    return;
  }
  for (const int rank : board_.others()) {
    if (is_missing(rank)) {
      end({Board::Cause::end, rank});
    }
  }
}

void Watch::count_receives(int from, int number) {
  std::atomic_ref(receives_[static_cast<std::size_t>(from)]) += number;
}

std::string Watch::describe_wait() {
  const std::string own = "rank " + std::to_string(board_.rank());
  const char* what = wait_.what.load();
  if (what == nullptr) {
    return own + " did not wait for anybody then";
  }
  const double since = wait_.since.load();
  std::array<char, 32> seconds{};
  std::snprintf(seconds.data(), seconds.size(), "%.1f", time() - since);
  const int num_ranks = wait_.num_ranks.load();
  std::string whom = num_ranks == 0 ? " of all ranks" : num_ranks == 1 ? " of rank" : " of ranks";
  for (int i = 0; i < std::min(num_ranks, Wait::most_ranks); ++i) {
    whom += (i == 0 ? " " : ", ") + std::to_string(wait_.ranks[static_cast<std::size_t>(i)].load());
  }
  return own + " has waited for " + what + whom + " since " + clock_of(since) + ", for " +
         seconds.data() + " s";
}

void Watch::end(Board::Failure failure) {
  static std::atomic<bool> is_ending = false;
  while (is_ending.exchange(true)) { // the other thread says it
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  const std::string text = "\n--> libPstream.so of Isthmus: " + describe(board_.first(failure)) +
                           "; " + describe_wait() + "\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  board_.set(Board::State::gave_up);
  std::signal(SIGALRM, SIG_DFL); // where MPI cannot end it any more
  alarm(2);
  MPI_Abort(MPI_COMM_WORLD, 1);
  _exit(1);
}

namespace {

void begin_wait(const char* what, std::span<const int> ranks) {
  Wait& wait = watch()->wait();
  wait.since.store(time(), std::memory_order_relaxed);
  wait.num_ranks.store(static_cast<int>(ranks.size()), std::memory_order_relaxed);
  for (std::size_t i = 0; i < std::min(ranks.size(), wait.ranks.size()); ++i) {
    wait.ranks[i].store(ranks[i], std::memory_order_relaxed);
  }
  wait.what.store(what, std::memory_order_release);
}

} // namespace

Waiting::Waiting(const char* what, int index) {
  if (watch() != nullptr) {
    if (index == 0) {
      watch()->board().begin_collective();
    }
    begin_wait(what, {});
  }
}

Waiting::Waiting(const char* what, std::span<const int> ranks) {
  if (watch() != nullptr) {
    begin_wait(what, ranks);
  }
}

Waiting::~Waiting() {
  if (watch() != nullptr) {
    watch()->wait().what.store(nullptr, std::memory_order_release);
  }
}

} // namespace isthmus::openfoam
