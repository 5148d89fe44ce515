// SPDX-License-Identifier: BSD-3-Clause
// How a participant shows itself to its partners, and how it leaves them early.
#include "isthmus/participant/session.hpp"

#include "isthmus/base/reason.hpp"
#include "isthmus/comm/alarm.hpp"
#include "isthmus/comm/settings.hpp"

#include <exception>
#include <map>
#include <new>

namespace isthmus::participant {

/// Opens the door for partners, long before they are needed; the first ranks, up to this one, say
/// where it is.
void Session::announce(int last_rank) {
  comm::NetworkSettings settings;
  std::map<std::string, std::vector<std::string>> partners; // by exchange directory
  for (const config::M2N& m2n : configuration_.m2ns) {
    if (m2n.acceptor == name_ || m2n.connector == name_) {
      settings.network = m2n.network;
      settings.port = m2n.port != 0 ? m2n.port : settings.port;
      partners[m2n.exchange_directory].push_back(m2n.acceptor == name_ ? m2n.connector
                                                                       : m2n.acceptor);
    }
  }
  settings = comm::with_environment(settings);
  const connect::Identity identity{name_, comm_.rank(), comm_.size(),
                                   configuration_.fingerprints.elements};
  const transport::Token token = transport::make_token();
  if (!joint_) {
    endpoint_.emplace(identity, settings);
    for (auto& [directory, awaited] : partners) {
      if (comm_.rank() <= last_rank) {
        announcements_.push_back(
            connect::announce(directory, {name_, endpoint_->address(), token, std::move(awaited)}));
      }
    }
  }
  const auto met = [this](const std::string& partner) {
    for (connect::AnnouncementFile& announcement : announcements_) {
      announcement.met(partner);
    }
  };
  context_.emplace(partner::Context{comm_, hub_, identity, token, endpoint_ ? &*endpoint_ : nullptr,
                                    joint_ ? &*joint_ : nullptr, log_, trace_, met,
                                    settings.timeout_s, settings.progress_timeout_s});
  hub_.set_trace(&trace_);
  hub_.set_watch([this] { check_other_ranks(); });
  // the first rank waits for partners
  watch_partners(settings.timeout_s + settings.progress_timeout_s);
}

/// Who fails before the door is open leaves its last word where partners look for the door. Rank 0
/// may be who has failed.
void Session::announce_failure() noexcept {
  if (context_ || joint_ || configuration_.m2ns.empty()) {
    return;
  }
  try {
    announce(1);
  } catch (...) {
    log_.debug("no last word for partners: {}", current_reason());
  }
}

/// While this rank waits for others of its participant; they may need so many seconds.
void Session::watch_partners(double progress_timeout_s) {
  comm_.set_watch([this] { hub_.progress(); }, progress_timeout_s);
}

/// Gives up if others count on more than this rank has done.
void Session::end_early() {
  const bool unwinding = std::uncaught_exceptions() > 0;
  const bool failed = state_ == State::running && !last_failure_.empty() && coupling_->is_ongoing();
  if (state_ == State::defining || (state_ == State::running && unwinding) || failed) {
    give_up(!last_failure_.empty() ? last_failure_
            : unwinding            ? "it stopped because of an error of its own"
                                   : "it ended before initialize()");
  }
}

/// What the destructor does for the others, and MPI_Finalize() where that comes first.
void Session::end() noexcept {
  try {
    end_early();
    if (state_ == State::running) {
      finalize();
    }
  } catch (...) {
    log_.warning("while ending: {}", current_reason());
  }
}

void Session::leave(const std::string& reason) {
  if (state_ == State::defining || state_ == State::running) {
    give_up(reason);
  }
}

void Session::give_up(const std::string& cause, bool from_alarm) noexcept {
  std::string text;
  try {
    text =
        from_alarm || comm_.size() == 1 ? cause : fmt::format("rank {}: {}", comm_.rank(), cause);
  } catch (const std::bad_alloc&) {
    text = "std::bad_alloc"; // short enough to need no memory
  }
  comm::raise_alarm(comm_, text);
  notify_partners(cause, text);
}

/// `text`: says which rank has failed.
void Session::notify_partners(const std::string& cause, std::string_view text) noexcept {
  state_ = State::failed;
  for (connect::AnnouncementFile& announcement : announcements_) {
    announcement.leave(text);
  }
  hub_.abort(cause);
  endpoint_.reset(); // whoever is about to connect sees it close
  profile_.fail(text);
}

} // namespace isthmus::participant
