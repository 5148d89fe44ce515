// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/profile.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/json_text.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/config/names.hpp"
#include "isthmus/io/atomic_file.hpp"
#include "isthmus/transport/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>

namespace isthmus::outputs {

namespace {

using config::ProfilingMode;

constexpr int format_version = 1;
constexpr std::size_t fewest_events = 1000;    // of a rank that are worth a message
constexpr std::size_t most_events = 1'000'000; // of a line
constexpr int most_files = 256;                // of a participant that did not ask for profiles

std::int64_t nanoseconds(double seconds) {
  return std::llround(seconds * 1e9);
}

/// What the clock of this process shows at `time` of now(), for comparison with others.
std::string describe_clock(double time) {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  const double before = now() - time;
  return fmt::format(R"("host": {}, "clock": {}, "wall": {})", json_text(transport::host_id()),
                     nanoseconds(time),
                     std::chrono::nanoseconds(since_epoch).count() - nanoseconds(before));
}

} // namespace

config::Profiling with_environment(config::Profiling settings) {
  const char* mode = std::getenv("ISTHMUS_PROFILE");
  if (mode != nullptr && *mode != '\0') {
    const config::Words modes = config::words_of(settings.mode);
    check(std::find(modes.begin(), modes.end(), mode) != modes.end(),
          "environment variable ISTHMUS_PROFILE=\"{}\" is none of {}", mode,
          fmt::join(modes, ", "));
    settings.mode = config::from_name<ProfilingMode>(mode);
    settings.one_file = true;
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
      post_.emplace(comm_);
      if (comm_.is_root()) {
        open(participant);
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
  if (!post_) {
    return;
  }
  post_->receive([this](const std::string& text) { write(text); });
  const auto limit = static_cast<std::size_t>(settings_.flush_every);
  if (limit == 0 || trace_.events().size() - events_written_ < std::max(limit, fewest_events)) {
    return;
  }
  std::string line = next_line();
  if (comm_.is_root()) {
    write(line);
  } else {
    post_->send(std::move(line));
  }
}

/// The events that have not been told; the trace forgets them unless it is to keep them.
std::string Profile::next_line() {
  fmt::memory_buffer line;
  const auto to = std::back_inserter(line);
  fmt::format_to(to, R"({{"rank": {})", comm_.rank());
  if (!introduced_) {
    fmt::format_to(to, ", {}", describe_clock(zero_));
    introduced_ = true;
  }
  fmt::format_to(to, R"(, "paths": [)");
  const std::vector<std::string>& paths = trace_.paths();
  for (const char* comma = ""; paths_written_ < paths.size(); comma = ", ") {
    fmt::format_to(to, "{}{}", comma, json_text(paths[paths_written_++]));
  }
  fmt::format_to(to, R"(], "events": [)");
  const std::vector<Trace::Event>& events = trace_.events();
  const std::size_t end = std::min(events.size(), events_written_ + most_events);
  for (const char* comma = ""; events_written_ < end; comma = ",") {
    const Trace::Event& event = events[events_written_++];
    fmt::format_to(to, "{}{},{},{}", comma, event.path, nanoseconds(event.begin - zero_),
                   nanoseconds(event.end - zero_) - nanoseconds(event.begin - zero_));
  }
  fmt::format_to(to, "]}}\n");
  forget_written();
  return fmt::to_string(line);
}

void Profile::forget_written() {
  if (!keeps_spans_ && events_written_ == trace_.events().size()) {
    trace_.forget_events();
    events_written_ = 0;
  }
}

void Profile::open(const std::string& participant) {
  try {
    const auto folder = std::filesystem::path(settings_.directory) / "isthmus-profiling";
    io::make_folder(folder);
    path_ = folder / (participant + ".jsonl");
    file_.reset(std::fopen(path_.c_str(), "w"));
    if (file_ == nullptr) {
      io::fail_on_file("write", path_, errno);
    }
    write(fmt::format(R"({{"isthmus-profile": {}, "participant": {}, "ranks": {}, "mode": {}}})"
                      "\n",
                      format_version, json_text(participant), comm_.size(),
                      json_text(config::name(settings_.mode))));
  } catch (const std::exception& error) {
    log_.warning("there is no profile: {}", error.what());
  }
}

void Profile::write(const std::string& text) {
  if (file_ == nullptr) {
    return;
  }
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
      std::fflush(file_.get()) != 0) {
    const int code = errno;
    file_.reset(); // what else comes is dropped
    io::fail_on_file("write", path_, code);
  }
}

void Profile::end(std::string_view how, std::string_view reason) {
  while (events_written_ < trace_.events().size()) {
    write(next_line());
  }
  write(fmt::format(R"({{"end": {}, "reason": {}}})"
                    "\n",
                    json_text(how), json_text(reason)));
  file_.reset();
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
  if (!post_) {
    return;
  }
  try {
    int mpi_ended = 0;
    MPI_Finalized(&mpi_ended);
    if (mpi_ended == 0) {
      while (!comm_.is_root() && events_written_ < trace_.events().size()) {
        post_->send(next_line());
      }
      post_->finish([this](const std::string& text) { write(text); });
    }
    if (comm_.is_root()) {
      end("finalized", "");
    }
  } catch (const std::exception& error) {
    log_.warning("the profile is incomplete: {}", error.what());
  }
}

void Profile::fail(std::string_view reason) noexcept {
  trace_.close_all();
  trace_.set_detail(Detail::nothing);
  end_own();
  if (file_ == nullptr) {
    return;
  }
  try {
    post_->receive([this](const std::string& text) { write(text); });
    end("failed", reason);
  } catch (const std::exception& error) {
    log_.warning("the profile is incomplete: {}", error.what());
  }
}

} // namespace isthmus::outputs
