// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/search.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/host.hpp"
#include "isthmus/connect/address.hpp"
#include "isthmus/transport/peer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace isthmus::connect {

namespace {

namespace fs = std::filesystem;

std::string never_came(std::string_view participant) {
  return fmt::format("participant \"{}\" did not appear within ", participant);
}

bool awaits(const Announcement& announcement, const std::string& self) {
  const auto& all = announcement.awaits;
  return self.empty() || all.empty() || std::find(all.begin(), all.end(), self) != all.end();
}

/// It ended because `self` did not come.
bool missed(const Announcement& announcement, const std::string& self) {
  return !self.empty() && announcement.last_word.find(never_came(self)) != std::string::npos;
}

transport::Peer peer_of(const Announcement& announcement) {
  return {announcement.participant, 0, announcement.address.host, announcement.address.pid};
}

/// What else may be so of one that has not answered; nothing where its process is looked up.
std::string silence_of(const Address& address, std::string_view before) {
  if (address.process_space == process_space()) {
    return {};
  }
  return fmt::format("{}does not answer at {} port {}: {}", before, address.ip, address.port,
                     is_loopback(address.ip)
                         ? "only its own host reaches that; set network=\"…\" of <m2n:…> to an "
                           "interface that joins both hosts"
                         : "check network=\"…\" of <m2n:…>, and the firewall");
}

[[noreturn]] void throw_ended(const Announcement& announcement) {
  const transport::Peer peer = peer_of(announcement);
  if (announcement.last_word.empty()) {
    throw transport::PeerLost(fmt::format("{} ended before it was connected{}", peer,
                                          silence_of(announcement.address, ", or ")));
  }
  throw transport::PeerLost(fmt::format("{}: {}", peer, announcement.last_word));
}

[[noreturn]] void throw_ended_early(const Announcement& announcement, const std::string& self) {
  const transport::Peer peer = peer_of(announcement);
  if (missed(announcement, self)) {
    throw transport::PeerLost(fmt::format(
        "{} waited for participant \"{}\" in vain and ended before that came; start both again, "
        "and raise or unset ISTHMUS_TIMEOUT if one of them comes later",
        peer, self));
  }
  throw transport::PeerLost(fmt::format(
      "{} ended before participant \"{}\" was ready: {}; start both again", peer, self,
      announcement.last_word.empty()
          ? "without a word (killed or crashed)" + silence_of(announcement.address, ", or ")
          : announcement.last_word));
}

/// How an instance that has ended concerns one that waits for the participant.
enum class Past {
  leftover, // not at all, as far as can be known: another one will come
  vain,     // it waited for us in an earlier run; where both are started again, it comes, too
  recent,   // it may have meant this run; another one may be on its way
  news      // it ended since we are announced
};

std::string obstacle_of(const Announcement& announcement, Past past, const std::string& self) {
  const std::string process = fmt::format(
      "pid {} on host {}{}", announcement.address.pid, announcement.address.host,
      announcement.last_word.empty() ? silence_of(announcement.address, "; or it ") : "");
  if (missed(announcement, self)) {
    return fmt::format("it waited for participant \"{}\" in vain and has ended ({})", self,
                       process);
  }
  return fmt::format("{} ({}){}{}",
                     past == Past::recent
                         ? "it has ended just before this participant was announced"
                         : "the file is left over from a process that has ended",
                     process, announcement.last_word.empty() ? "" : ": ", announcement.last_word);
}

/// Whether instances run, asked again and again.
class Life {
 public:
  [[nodiscard]] bool goes_on(const Announcement& found) {
    if (!probe_ || token_ != found.token) {
      token_ = found.token;
      probe_.emplace(found.address);
      runs_ = true;
    }
    runs_ = runs_ && found.last_word.empty() && probe_->is_alive(); // the dead stay so
    return runs_;
  }
  /// Of one that does not go on.
  [[nodiscard]] bool may_start_again(const Announcement& found) {
    return found.last_word == ended_unused && probe_->is_alive();
  }

 private:
  Token token_{};
  std::optional<Probe> probe_;
  bool runs_ = true;
};

/// Finds what a file of an ended instance says about this run. Only tokens are compared: clocks are
/// coarse, and may differ.
class Memory {
 public:
  Memory(const fs::path& exchange_directory, std::string self) : self_(std::move(self)) {
    if (!self_.empty()) {
      own_ = read_announcement(announcement_path(exchange_directory, self_));
    }
  }

  /// `first`: nothing has been looked at before.
  [[nodiscard]] Past judge(const Announcement& found, bool first) {
    const auto is_in = [&found](const std::vector<Token>& tokens) {
      return std::find(tokens.begin(), tokens.end(), found.token) != tokens.end();
    };
    if (!own_ && first) {
      leftover_ = found.token;
    }
    const bool is_leftover = own_ ? is_in(own_->leftovers) : leftover_ == found.token;
    if (own_ && is_in(own_->recent)) {
      return Past::recent;
    }
    return !is_leftover ? Past::news : own_ && missed(found, self_) ? Past::vain : Past::leftover;
  }

 private:
  std::string self_;
  std::optional<Announcement> own_; // says what had ended before
  std::optional<Token> leftover_;   // where it is not there
};

} // namespace

Announcement find(const fs::path& exchange_directory, const std::string& participant,
                  const Deadline& deadline, const OnWait& on_wait, const std::string& self) {
  constexpr double moment_s = 2;
  constexpr double start_s = 20; // of an MPI job
  const fs::path path = announcement_path(exchange_directory, participant);
  std::chrono::milliseconds nap{1};
  Memory memory(exchange_directory, self);
  Life life;
  for (bool first = true;; first = false) {
    std::string obstacle = "there is no file";
    if (const auto found = read_announcement(path)) {
      if (life.goes_on(*found)) {
        if (awaits(*found, self)) {
          return *found;
        }
        obstacle =
            fmt::format("it is still coupled with another instance of participant \"{}\"", self);
      } else if (life.may_start_again(*found)) {
        obstacle = fmt::format("{}, and its process (pid {} on host {}) may start it again",
                               found->last_word, found->address.pid, found->address.host);
      } else {
        const Past past = memory.judge(*found, first);
        if (past == Past::news) {
          throw_ended(*found);
        }
        if ((past == Past::recent && deadline.elapsed() > moment_s) ||
            (past == Past::vain && deadline.elapsed() > start_s)) {
          throw_ended_early(*found, self);
        }
        obstacle = obstacle_of(*found, past, self);
      }
    } else if (is_foreign(path)) {
      obstacle = "there is a file of another user";
    }
    const std::string place = fmt::format(
        "{} in {}", obstacle, fs::absolute(path).parent_path().lexically_normal().string());
    check(!deadline.passed(),
          "{}{:g} s: {}. Is it started, and do both participants see the same "
          "exchange-directory (working directory, file system, user)? ISTHMUS_TIMEOUT sets the "
          "limit in seconds",
          never_came(participant), deadline.limit(), place);
    if (on_wait) {
      on_wait(place);
    }
    std::this_thread::sleep_for(nap);
    nap = std::min(nap * 2, std::chrono::milliseconds{20});
  }
}

void throw_last_word(const fs::path& exchange_directory, const Announcement& announcement,
                     const Deadline& deadline) {
  const fs::path path = announcement_path(exchange_directory, announcement.participant);
  constexpr std::chrono::milliseconds nap{5};
  while (true) {
    const auto current = read_announcement(path);
    const bool is_same = current && current->token == announcement.token;
    if (is_same && !current->last_word.empty()) {
      throw_ended(*current);
    }
    if (!is_same || deadline.passed()) {
      return;
    }
    std::this_thread::sleep_for(nap);
  }
}

Watch::Watch(const fs::path& exchange_directory, Announcement announcement)
    : path_(announcement_path(exchange_directory, announcement.participant)),
      announcement_(std::move(announcement)),
      probe_(announcement_.address) {}

void Watch::look() {
  const auto current = read_announcement(path_);
  if (current && current->token == announcement_.token && !current->last_word.empty()) {
    throw_ended(*current);
  }
  if (!probe_.is_alive()) {
    throw_ended(announcement_);
  }
}

bool is_outdated(const fs::path& exchange_directory, const Announcement& announcement,
                 const std::string& self, const Deadline& deadline) {
  const fs::path path = announcement_path(exchange_directory, announcement.participant);
  constexpr std::chrono::milliseconds nap{5};
  while (true) {
    const auto current = read_announcement(path);
    if (!current || current->token != announcement.token || !awaits(*current, self)) {
      return true;
    }
    if (deadline.passed()) {
      return false;
    }
    std::this_thread::sleep_for(nap);
  }
}

} // namespace isthmus::connect
