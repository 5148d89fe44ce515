// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/session.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/base/reason.hpp"
#include "isthmus/base/rounding.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/alarm.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/progress_timeout.hpp"
#include "isthmus/connect/announce.hpp"
#include "isthmus/connect/handshake.hpp"
#include "isthmus/outputs/log_sinks.hpp"
#include "isthmus/participant/factory.hpp"
#include "isthmus/participant/session/introduction.hpp"
#include "isthmus/radial/kernels/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#if defined(__GLIBC__) && !defined(ISTHMUS_SIMULATED)
#include <malloc.h>
#endif

namespace isthmus::participant {

namespace {

using Stage = CallOrder::Stage;

const CallNames& names_of(const Launch& launch) {
  return launch.call_names != nullptr ? *launch.call_names : native_call_names;
}

/// Collective. All ranks play the same participant of the same case.
void check_same(const comm::Comm& comm, const std::string& name, const std::string& digest) {
  std::string first_name = name;
  std::string first_digest = digest;
  comm::bcast(comm, first_name);
  comm::bcast(comm, first_digest);
  comm::agree(comm, [&] {
    check(name == first_name,
          "this rank is one of participant \"{}\", rank 0 of the same communicator one of "
          "participant \"{}\"; give each participant a communicator of its own ranks, and its own "
          "rank and size",
          name, first_name);
    check(digest == first_digest,
          "this rank has read another configuration than rank 0: they differ in {}; give all ranks "
          "the same file",
          connect::difference(first_digest, digest));
  });
}

/// What partners learn of this rank.
connect::RankIdentity identity_of(const OwnRanks& ranks, const config::Fingerprints& fingerprints) {
  return {ranks.participant(), ranks.comm().rank(), ranks.comm().size(), fingerprints.elements};
}

/// Gives to the system what the C library holds free. Planning leaves holes between what is kept;
/// messages of steps, which are larger than these, would come on top. Simulated ranks share one
/// heap, which is not searched for each of them.
void give_back_free_memory() {
#if defined(__GLIBC__) && !defined(ISTHMUS_SIMULATED)
  malloc_trim(0);
#endif
}

void check_step(const coupling::Coupling& coupling, const Declared& declared, double dt) {
  const std::string_view max_step = declared.calls()[Call::max_time_step_size];
  check(coupling.schedule().is_ongoing(),
        "advance() cannot be called after the coupling has ended");
  check(std::isfinite(dt),
        "advance() was called with a time step size of {}; it must be finite, also where "
        "method=\"first-participant\" lets the participant choose it",
        dt);
  check(dt != 0,
        "advance() cannot be called with a time step size of 0 (zero); it must be positive");
  check(dt > 0, "advance() was called with the negative time step size {}; it must be positive",
        dt);
  const double limit = coupling.schedule().step_limit();
  check(
      dt < std::numeric_limits<double>::max() && std::isfinite(coupling.schedule().time() + dt),
      "the time step size {} given to advance() is no step: with method=\"first-participant\" and "
      "without <max-time> nothing limits participant \"{}\", which has to choose its own step, "
      "smaller than {}()",
      dt, declared.self().name, max_step);
  const double time = coupling.schedule().time();
  check(dt <= limit + rounding(1e-10, limit, time + limit),
        "the time step size {} given to advance() exceeds the maximum allowed time step size {} in "
        "this time window; use the smaller of your own step and {}()",
        dt, limit, max_step);
  const double before = coupling.schedule().repeated_size();
  check(dt <= before + rounding(1e-10, before, time + before),
        "the time step size {} given to advance() is larger than {}, that of the iteration before: "
        "the data of the second participant end there, so a time window that participant \"{}\" "
        "sets with method=\"first-participant\" cannot grow while it is repeated; take at most "
        "the step of the iteration before",
        dt, before, declared.self().name);
  const double least = coupling.schedule().least_step();
  check(
      dt >= least - rounding(1e-10, least, time + least),
      "the time step size {} given to advance() is smaller than {}, that of the first iteration: "
      "other schemes have exchanged for its end, so method=\"first-participant\" lets participant "
      "\"{}\" choose a step once for all iterations of a time window; take {}()",
      dt, least, declared.self().name, max_step);
}

/// Logs what ends the constructor; on the console if there is no log yet.
void log_early(Log& log, const OwnRanks& ranks, const config::Log& settings,
               const std::string& reason) noexcept {
  try {
    if (log.participant().empty()) {
      log = Log(ranks.participant(), ranks.comm().rank());
      if (settings.enabled) {
        log.add_sink(console_sink(Severity::info, false));
      }
    }
    log.error("{}", reason);
  } catch (const std::exception&) {
    // The solver learns it by the exception.
  }
}

} // namespace

Session::Session(std::string_view name, std::string_view configuration_file, const Launch& launch,
                 bool& met)
    : ranks_(name), profile_(names_of(launch), ranks_.comm(), log_) {
  const double began = now();
  const std::string file(configuration_file);
  try {
    if (launch.joint_communicator != nullptr) { // other participants are to learn what fails
      comm::agree(*static_cast<const MPI_Comm*>(launch.joint_communicator),
                  [this, &file, &launch, &met] { load(file, launch, met); });
      partners_.share_job(make_joint_job(launch, ranks_.comm(), ranks_.participant()));
    } else {
      load(file, launch, met);
    }
    prepare(names_of(launch));
  } catch (const comm::Agreed& agreed) { // partners may be on their way to the open door
    if (ranks_.comm().is_root()) {
      log_early(log_, ranks_, configuration_.log, agreed.what());
    }
    partners_.announce_failure(ranks_.comm(), configuration_.m2ns,
                               identity_of(ranks_, configuration_.fingerprints), log_,
                               profile_.trace());
    notify_partners(agreed.what(), agreed.what());
    throw;
  } catch (...) { // and ranks may wait for this one
    const std::string reason = current_reason();
    log_early(log_, ranks_, configuration_.log, reason);
    partners_.announce_failure(ranks_.comm(), configuration_.m2ns,
                               identity_of(ranks_, configuration_.fingerprints), log_,
                               profile_.trace());
    give_up(reason);
    throw;
  }
  profile_.steering().start(configuration_.profiling, ranks_.participant(), began);
  ranks_.own_mpi();
}

void Session::load(const std::string& configuration_file, const Launch& launch, bool& met) {
  ranks_.gather(
      launch, [this] { end(); }, met);
  comm::agree(ranks_.comm(), [this, &configuration_file, &launch] {
    ranks_.watch({}, comm::progress_timeout_or(comm::default_progress_timeout_s));
    configuration_ = load_configuration(configuration_file); // what fails next, partners learn
    profile_.look_at_environment();
    static_cast<void>(thread_count());
    radial::check_instructions();
    complete_configuration(configuration_, ranks_.participant(), launch.size);
  });
  check_same(ranks_.comm(), ranks_.participant(), configuration_.fingerprints.elements);
}

void Session::prepare(const CallNames& calls) {
  const comm::Comm& comm = ranks_.comm();
  const config::Participant& self = *configuration_.find_participant(ranks_.participant());
  log_ = outputs::make_log(configuration_.log, self.name, comm.rank());
  introduce(log_, configuration_, self, comm.size(), calls.interface());
  for (const std::string& note : configuration_.notes) {
    if (comm.is_root()) {
      log_.warning("{}", note);
    }
  }
  declared_.emplace(configuration_, self, calls);
  run_.emplace(comm, log_, configuration_, self);
  provided_.emplace(*declared_, call_order_, *run_);
  accessed_.emplace(*declared_, call_order_, *run_);
  data_.emplace(*declared_, call_order_, *run_, *provided_, *accessed_, profile_.trace());
  duties_.emplace(calls, call_order_, *run_, declared_->sends_initial_data() && !run_->continues());
  comm::agree(comm, [&] {
    partners_.open(comm, configuration_.m2ns, identity_of(ranks_, configuration_.fingerprints),
                   log_, profile_.trace());
    partners_.hub().set_watch([this] { ranks_.check_others(); });
    const partner::Context& context = partners_.context();
    ranks_.watch([this] { partners_.hub().progress(); }, // the first rank waits for partners
                 context.timeout + context.progress_timeout);
  });
  run_->join(partners_.context());
}

void Session::note_failure(std::string_view what) {
  call_order_.note_failure(what);
  if (!call_order_.is(Stage::failed)) { // else steer() has said it
    log_.error("{}", what);
  }
}

Session::~Session() {
  ranks_.ignore_mpi_end();
  end();
  partners_.clear(); // before the communicators that links use
}

template <typename Work>
void Session::steer(Work&& work) {
  try {
    std::forward<Work>(work)();
    call_order_.forget_failure();
  } catch (const comm::Alarm& alarm) {
    log_.error("{}", alarm.what());
    give_up(alarm.what(), true);
    throw;
  } catch (...) {
    const std::string reason = current_reason();
    log_.error("{}", reason);
    give_up(reason);
    throw;
  }
}

void Session::initialize() {
  call_order_.check_not_failed("initialize");
  call_order_.check_not_finalized("initialize");
  check(call_order_.is(Stage::defining), "initialize() may only be called once");
  profile_.check_no_open_sections("initialize");
  duties_->check_initial_data(declared_->self().name);
  accessed_->complete_regions(ranks_.comm().size());
  ranks_.begin_step();
  const auto scope = profile_.steering().call("initialize");
  steer([this] {
    profile_.steering().synchronize();
    run_->start(provided_->all(), accessed_->regions());
  });
  duties_->impose();
  partners_.hide();
  ranks_.watch([this] { partners_.hub().progress(); }, partners_.context().progress_timeout);
  provided_->close();
  give_back_free_memory();
  call_order_.enter(Stage::running);
}

void Session::advance(double dt) {
  call_order_.check_running("advance");
  try {
    profile_.check_no_open_sections("advance");
    check_step(run_->coupling(), *declared_, dt);
    duties_->check_checkpoints();
  } catch (const Error& error) {
    if (call_order_.refuse_step()) {
      give_up(error.what());
    }
    throw;
  }
  ranks_.begin_step();
  bool all_end = true;
  steer([&] { all_end = provided_->join_resets(ranks_.comm(), dt); });
  provided_->check_ends_windows(all_end, dt);
  const auto scope = profile_.steering().call("advance");
  steer([this, dt] {
    profile_.steering().synchronize();
    run_->advance(dt);
    if (!run_->coupling().renewed_meshes().empty()) {
      provided_->close();
      accessed_->forget_mappings();
    }
    run_->show_step();
  });
  duties_->impose();
  steer([this] { ranks_.check_others_seldom(); });
}

void Session::save_restart() {
  const CallNames& calls = declared_->calls();
  call_order_.check_running(calls[Call::save_restart]);
  check(run_->coupling().is_between_windows(),
        "{}() can be called only directly after an advance() that completed a time window, of all "
        "coupling schemes of participant \"{}\"; ask {}()",
        calls[Call::save_restart], declared_->self().name, calls[Call::is_time_window_complete]);
  steer([this] { run_->save(); });
}

void Session::finalize() {
  call_order_.check_not_failed("finalize");
  check(!call_order_.is(Stage::finalized), "finalize() may only be called once");
  if (call_order_.is(Stage::defining)) { // nobody needs to wait for it any longer
    partners_.decline("it called finalize() before initialize()");
  }
  partners_.hide();
  steer([this] {
    const auto scope = profile_.steering().call("finalize", "");
    const bool has_mpi_ended = OwnRanks::has_mpi_ended();
    if (!has_mpi_ended) {
      ranks_.leave();
    }
    run_->finish();
    partners_.part(configuration_.run.wait_in_finalize, !run_->coupling().schedule().is_ongoing());
    // partners may end as they like
    ranks_.watch([this] { ranks_.check_others(); }, partners_.context().progress_timeout);
    if (!has_mpi_ended) {
      comm::barrier(ranks_.comm()); // ranks without partners end as the others do
    }
  });
  partners_.close_door();
  profile_.steering().finish();
  call_order_.enter(Stage::finalized);
}

bool Session::is_coupling_ongoing() const {
  call_order_.check_running(declared_->calls()[Call::is_coupling_ongoing]);
  return run_->coupling().schedule().is_ongoing();
}

bool Session::is_time_window_complete() const {
  call_order_.check_running(declared_->calls()[Call::is_time_window_complete]);
  return run_->coupling().is_window_complete();
}

double Session::max_time_step_size() const {
  call_order_.check_running(declared_->calls()[Call::max_time_step_size]);
  return run_->coupling().schedule().step_limit();
}

Statistics Session::statistics() const {
  Statistics result;
  const transport::Hub& hub = partners_.hub();
  const transport::LinkTraffic traffic = hub.traffic();
  result.messages_sent = traffic.messages_out;
  result.bytes_sent = traffic.bytes_out;
  result.messages_received = traffic.messages_in;
  result.bytes_received = traffic.bytes_in;
  result.wait_seconds = hub.wait_seconds();
  result.most_bytes_queued = hub.most_queued();
  for (transport::LinkId link = 0; link < hub.size(); ++link) {
    ++result.partners[hub.peer(link).participant];
    ++result.transports[std::string(hub.transport(link))];
  }
  result.spans = profile_.spans();
  return result;
}

/// Gives up if others count on more than this rank has done.
void Session::end_early() {
  const bool unwinding = std::uncaught_exceptions() > 0;
  const std::string& failure = call_order_.last_failure();
  const bool runs = call_order_.is(Stage::running);
  const bool failed = runs && !failure.empty() && run_->coupling().schedule().is_ongoing();
  if (call_order_.is(Stage::defining) || (runs && unwinding) || failed) {
    give_up(!failure.empty() ? failure
            : unwinding      ? "it stopped because of an error of its own"
                             : std::string(connect::ended_unused));
  }
}

/// What the destructor does for the others, and MPI_Finalize() where that comes first.
void Session::end() noexcept {
  try {
    end_early();
    if (call_order_.is(Stage::running)) {
      finalize();
    }
  } catch (...) {
    log_.warning("while ending: {}", current_reason());
  }
}

void Session::leave(const std::string& reason) {
  if (call_order_.is(Stage::defining) || call_order_.is(Stage::running)) {
    give_up(reason);
  }
}

void Session::give_up(const std::string& cause, bool from_alarm) noexcept {
  notify_partners(cause, ranks_.raise_alarm(cause, from_alarm));
}

/// `text`: says which rank has failed.
void Session::notify_partners(const std::string& cause, std::string_view text) noexcept {
  call_order_.enter(Stage::failed);
  partners_.abort(cause, text);
  profile_.steering().fail(text);
}

} // namespace isthmus::participant
