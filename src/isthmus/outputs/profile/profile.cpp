// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/profile/profile.hpp"

#include "isthmus/base/environment.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/config/names.hpp"
#include "isthmus/io/atomic_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace isthmus::outputs {

namespace {

using config::ProfilingMode;

constexpr std::size_t fewest_events = 1000; // of a rank that are worth a message
constexpr int most_files = 256;             // of a participant that did not ask for profiles

} // namespace

config::Profiling with_environment(config::Profiling settings) {
  if (const char* const mode = environment_variable("ISTHMUS_PROFILE")) {
    const config::Words modes = config::words_of(settings.mode);
    check(std::find(modes.begin(), modes.end(), mode) != modes.end(),
          "environment variable ISTHMUS_PROFILE=\"{}\" is none of {}", mode,
          fmt::join(modes, ", "));
    settings.mode = config::from_name<ProfilingMode>(mode);
    settings.one_file = true;
  }
  if (environment_switch("ISTHMUS_LIVE")) {
    settings.longest_s = 1;
  }
  return settings;
}

void Profile::start(const config::Profiling& settings, const std::string& participant,
                    double began) {
  settings_ = settings;
  keeps_spans_ = trace_.records(Detail::phases);
  if (settings.mode != ProfilingMode::off && has_part()) {
    zero_ = began;
    trace_.set_detail(detail_of("construct"));
    if (!settings.one_file) {
      open_own(participant);
    } else {
      shared_.emplace(comm_, zero_);
      if (comm_.is_root()) {
        open_shared(participant);
      }
    }
  }
  if (trace_.records(Detail::steering)) {
    trace_.record("construct", began, now());
    trace_.open("solver.initialize");
  }
}

/// A file per rank has, of what is repeated, the calls as a whole unless more is wanted: it would
/// grow too fast.
Detail Profile::detail_of(std::string_view call) const {
  if (settings_.mode == ProfilingMode::off || settings_.mode == ProfilingMode::fundamental) {
    const bool brief = !settings_.one_file && !keeps_spans_ && call == "advance";
    return brief ? Detail::steering : Detail::phases;
  }
  return Detail::calls;
}

void Profile::begin_call(std::string_view name) {
  trace_.close_all(); // the time of the solver, and sections that it left open
  trace_.set_detail(detail_of(name));
  trace_.open(name);
}

void Profile::end_call(std::string_view next) noexcept {
  if (!trace_.records(Detail::steering)) { // the call has failed
    return;
  }
  trace_.close();
  try {
    if (!next.empty()) {
      trace_.open(next);
    }
    flush();
  } catch (const std::exception& error) {
    log_.warning("the profile is incomplete: {}", error.what());
  }
}

void Profile::synchronize() {
  if (settings_.synchronize && settings_.mode != ProfilingMode::off) {
    const auto scope = trace_.scope("synchronize");
    comm::barrier(comm_);
  }
}

bool Profile::has_part() const {
  const int step = (comm_.size() + most_files - 1) / most_files;
  return settings_.one_file || settings_.line > 0 || comm_.rank() % step == 0;
}

void Profile::open_own(const std::string& participant) {
  const auto folder = std::filesystem::path(settings_.directory) / "precice-profiling";
  try {
    io::make_folder(folder);
    own_.emplace(folder, participant, comm_.rank(), comm_.size(), zero_);
  } catch (const std::exception& error) {
    if (comm_.is_root()) {
      log_.warning("there is no profile: {}", error.what());
    }
    trace_.set_detail(keeps_spans_ ? Detail::phases : Detail::nothing);
  }
}

void Profile::flush() {
  if (own_) {
    own_->take(trace_, settings_.flush_every, events_written_);
    events_written_ = trace_.events().size();
    forget_written();
    return;
  }
  if (!shared_) {
    return;
  }
  shared_->receive();
  const auto limit = static_cast<std::size_t>(settings_.flush_every);
  const std::size_t count = trace_.events().size() - events_written_;
  const bool is_late =
      std::isfinite(settings_.longest_s) && now() - flushed_ >= settings_.longest_s;
  if (limit > 0 && count > 0 && (count >= std::max(limit, fewest_events) || is_late)) {
    events_written_ = shared_->take(trace_, events_written_);
    forget_written();
    flushed_ = now();
  }
}

void Profile::take_all() {
  while (events_written_ < trace_.events().size()) {
    events_written_ = shared_->take(trace_, events_written_);
    forget_written();
  }
}

void Profile::forget_written() {
  if (!keeps_spans_ && events_written_ == trace_.events().size()) {
    trace_.forget_events();
    events_written_ = 0;
  }
}

void Profile::open_shared(const std::string& participant) {
  const auto folder = std::filesystem::path(settings_.directory) / "isthmus-profiling";
  try {
    shared_->open(folder, participant, config::name(settings_.mode));
  } catch (const std::exception& error) {
    log_.warning("there is no profile: {}", error.what());
  }
}

void Profile::end_own() noexcept {
  if (!own_) {
    return;
  }
  try {
    flush();
    own_->end();
  } catch (const std::exception& error) {
    log_.warning("the profile is incomplete: {}", error.what());
  }
  own_.reset();
}

void Profile::finish() noexcept {
  trace_.set_detail(Detail::nothing);
  end_own();
  if (!shared_) {
    return;
  }
  try {
    int mpi_ended = 0;
    MPI_Finalized(&mpi_ended);
    if (mpi_ended == 0) {
      if (!comm_.is_root()) {
        take_all();
      }
      shared_->finish();
    }
    if (comm_.is_root()) {
      take_all();
      shared_->end("finalized", "");
    }
  } catch (const std::exception& error) {
    log_.warning("the profile is incomplete: {}", error.what());
  }
}

void Profile::fail(std::string_view reason) noexcept {
  trace_.close_all();
  trace_.set_detail(Detail::nothing);
  end_own();
  if (!shared_ || !shared_->is_open()) {
    return;
  }
  try {
    shared_->receive();
    take_all();
    shared_->end("failed", reason);
  } catch (const std::exception& error) {
    log_.warning("the profile is incomplete: {}", error.what());
  }
}

} // namespace isthmus::outputs
