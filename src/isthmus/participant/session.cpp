// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/reason.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/alarm.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/settings.hpp"
#include "isthmus/connect/handshake.hpp"
#include "isthmus/participant/factory.hpp"
#include "isthmus/transfer/mesh_relation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>

namespace isthmus::participant {

namespace {

bool trace_wanted() {
  const char* text = std::getenv("ISTHMUS_TRACE");
  return text != nullptr && std::string_view(text) == "1";
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

} // namespace

Session::Session(std::string_view name, std::string_view configuration_file, const Launch& launch,
                 bool& met)
    : name_(name),
      calls_(launch.call_names != nullptr ? *launch.call_names : native_call_names),
      trace_(trace_wanted() ? Detail::phases : Detail::nothing),
      profile_(trace_, comm_, log_),
      hub_(comm::SpinPolicy::for_processes(launch.size + 1)) {
  const double began = now();
  const std::string file(configuration_file);
  try {
    if (launch.joint_communicator != nullptr) { // other participants are to hear what fails
      comm::agree(*static_cast<const MPI_Comm*>(launch.joint_communicator),
                  [this, &file, &launch, &met] { load(file, launch, met); });
      joint_ = make_joint_job(launch, name_);
    } else {
      load(file, launch, met);
    }
    prepare();
  } catch (const comm::Agreed& agreed) { // partners may be on their way to the open door
    announce_failure();
    notify_partners(agreed.what(), agreed.what());
    throw;
  } catch (...) { // and ranks may wait for this one
    const std::string reason = current_reason();
    announce_failure();
    give_up(reason);
    throw;
  }
  profile_.start(configuration_.profiling, name_, began);
}

void Session::load(const std::string& configuration_file, const Launch& launch, bool& met) {
  comm_ = make_comm(name_, launch, initialized_mpi_, met);
  mpi_end_.emplace([this] { end(); });
  comm::agree(comm_, [this, &configuration_file, &launch] {
    configuration_ = load_configuration(configuration_file, name_, launch.size);
  });
  check_same(comm_, name_, configuration_.fingerprints.elements);
}

void Session::prepare() {
  self_ = configuration_.find_participant(name_);
  log_ = make_log(configuration_.log, name_, comm_.rank());
  for (const std::string& note : configuration_.notes) {
    if (comm_.is_root()) {
      log_.warning("{}", note);
    }
  }
  for (const config::ProvideMesh& provided : self_->provided) {
    const config::Mesh& mesh = *configuration_.find_mesh(provided.name);
    meshes_[provided.name] = {mesh::Mesh(mesh.name, mesh.dimensions),
                              transfer::connectivity_required(configuration_, mesh.name)};
  }
  leaving_.emplace(comm_);
  fields_.emplace(configuration_, *self_);
  restart_files_.emplace(comm_, name_, configuration_.fingerprints.of_case);
  owes_initial_data_ = provides_initial_data();
  comm::agree(comm_, [this] { announce(); });
  mappings_.emplace(log_, comm_.size() == 1);
  coupling_.emplace(*context_, configuration_, *self_, *fields_);
  actions_.emplace(comm_, *self_, *fields_);
  outputs_.emplace(comm_, configuration_, *self_, *fields_);
}

Session::~Session() {
  mpi_end_.reset();
  end();
  hub_.clear(); // before the communicators that links use
  coupling_.reset();
  leaving_.reset();
  joint_.reset();
  comm_ = comm::Comm();
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (initialized_mpi_ && finalized == 0) {
    MPI_Finalize();
  }
}

template <typename Work>
void Session::steer(Work&& work) {
  try {
    std::forward<Work>(work)();
    last_failure_.clear();
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

void Session::check_not_failed(const char* call) const {
  check(state_ != State::failed, "{}() cannot be called after an error that ended the coupling",
        call);
}

void Session::initialize() {
  check_not_failed("initialize");
  check(state_ != State::finalized, "initialize() cannot be called after finalize()");
  check(state_ == State::defining, "initialize() may be called only once");
  check_no_open_sections("initialize");
  check(!owes_initial_data_,
        "participant \"{}\" has to provide initial data: ask {}() and write it before "
        "initialize()",
        name_, calls_[Call::requires_initial_data]);
  complete_regions();
  ++num_calls_;
  const auto scope = profile_.call("initialize");
  steer([this] {
    profile_.synchronize();
    start_coupling();
  });
  owes_writing_ = coupling_->starts_iterating();
  announcements_.clear();
  watch_partners(context_->progress_timeout);
  close_meshes();
  state_ = State::running;
}

void Session::advance(double dt) {
  check_initialized("advance");
  check_no_open_sections("advance");
  check_step(dt);
  check_checkpoints();
  ++num_calls_;
  bool all_end = true;
  steer([&] { all_end = join_resets(dt); });
  check_resets(all_end, dt);
  const auto scope = profile_.call("advance");
  warn_never_written();
  steer([this, dt] {
    profile_.synchronize();
    coupling_->advance(dt);
    const auto output = trace_.scope("output");
    if (!coupling_->renewed_meshes().empty()) {
      show_new_meshes();
    }
    outputs_->show_step(*coupling_);
    if (coupling_->is_between_windows()) {
      const int every = restart_files_->settings().every;
      restart_files_->finish(); // of an earlier window
      if (every > 0 && coupling_->windows_done() % every == 0) {
        write_restart_file();
      }
    }
  });
  owes_writing_ = coupling_->starts_iterating();
  owes_reading_ = coupling_->repeats_window();
  report_progress();
}

void Session::save_restart() {
  check_initialized(calls_[Call::save_restart]);
  check(coupling_->is_between_windows(),
        "{}() can be called only directly after an advance() that completed a time window, of all "
        "coupling schemes of participant \"{}\"; ask {}()",
        calls_[Call::save_restart], name_, calls_[Call::is_time_window_complete]);
  steer([this] { write_restart_file(); });
}

void Session::check_step(double dt) const {
  check(coupling_->is_ongoing(), "advance() cannot be called after the coupling has ended");
  check(std::isfinite(dt),
        "advance() was called with a time step size of {}; it must be finite, also where "
        "method=\"first-participant\" lets the participant choose it",
        dt);
  check(dt != 0, "advance() was called with a time step size of 0 (zero); it must be positive");
  check(dt > 0, "advance() was called with the negative time step size {}; it must be positive",
        dt);
  const double limit = coupling_->step_limit();
  check(
      dt < std::numeric_limits<double>::max() && std::isfinite(coupling_->time() + dt),
      "the time step size {} given to advance() is no step: with method=\"first-participant\" and "
      "without <max-time> nothing limits participant \"{}\", which has to choose its own step, "
      "smaller than {}()",
      dt, name_, calls_[Call::max_time_step_size]);
  check(dt <= limit + 1e-10 * std::max(1.0, limit),
        "the time step size {} given to advance() exceeds the maximum allowed time step size {} in "
        "this time window; use the smaller of your own step and {}()",
        dt, limit, calls_[Call::max_time_step_size]);
}

void Session::warn_never_written() {
  if (coupling_->windows_done() > 0 || coupling_->time() > 0) {
    return;
  }
  for (const config::UseData& use : self_->written) {
    const fields::Field& field = fields_->of_solver(use.mesh, use.name);
    if (!field.ever_written() && field.wave().size() > 0) {
      log_.warning(
          "data \"{}\" on mesh \"{}\" was not written before the first advance(); zeros are "
          "sent where it is not written",
          use.name, use.mesh);
    }
  }
}

void Session::report_progress() {
  const double time = now();
  if (time - last_look_ > 0.1) { // a rank without partners waits for nobody
    last_look_ = time;
    steer([this] { check_other_ranks(); });
  }
  if (!coupling_->is_ongoing() || time - last_report_ > 0.5) {
    last_report_ = time;
    log_.info("time window {} done, time {:.6g}", coupling_->windows_done(), coupling_->time());
  }
}

void Session::finalize() {
  check_not_failed("finalize");
  check(state_ != State::finalized, "finalize() may be called only once");
  if (state_ == State::defining) { // nobody needs to wait for it any longer
    for (connect::AnnouncementFile& announcement : announcements_) {
      announcement.leave("it called finalize() before initialize()");
    }
  }
  announcements_.clear();
  steer([this] {
    const auto scope = profile_.call("finalize", "");
    int mpi_ended = 0;
    MPI_Finalized(&mpi_ended);
    if (mpi_ended == 0) {
      leaving_->leave(num_calls_);
    }
    outputs_->finish();
    restart_files_->finish();
    hub_.close(context_->progress_timeout);
    if (configuration_.run.wait_in_finalize) {
      hub_.await_goodbyes(context_->progress_timeout);
    } else if (!coupling_->is_ongoing()) {
      hub_.part_from_mpi();
    }
    // partners may end as they like
    comm_.set_watch([this] { check_other_ranks(); }, context_->progress_timeout);
    if (mpi_ended == 0) {
      comm::barrier(comm_); // ranks without partners end as the others do
    }
  });
  endpoint_.reset(); // nobody who looks for a later instance comes here
  profile_.finish();
  state_ = State::finalized;
}

void Session::check_initialized(const char* call) const {
  check_not_failed(call);
  check(state_ != State::finalized, "{}() cannot be called after finalize()", call);
  check(state_ == State::running, "{}() cannot be called before initialize()", call);
}

bool Session::is_coupling_ongoing() const {
  check_initialized(calls_[Call::is_coupling_ongoing]);
  return coupling_->is_ongoing();
}

bool Session::is_time_window_complete() const {
  check_initialized(calls_[Call::is_time_window_complete]);
  return coupling_->is_window_complete();
}

double Session::max_time_step_size() const {
  check_initialized(calls_[Call::max_time_step_size]);
  return coupling_->step_limit();
}

bool Session::requires_initial_data() {
  check(state_ == State::defining, "{}() has to be called before initialize()",
        calls_[Call::requires_initial_data]);
  owes_initial_data_ = false;
  return provides_initial_data();
}

/// A run that continues another starts with what that has exchanged.
bool Session::provides_initial_data() const {
  return !restart_files_->settings().continues &&
         std::any_of(configuration_.schemes.begin(), configuration_.schemes.end(),
                     [this](const auto& scheme) {
                       return std::any_of(
                           scheme.exchanges.begin(), scheme.exchanges.end(),
                           [this](const auto& e) { return e.initialize && e.from == name_; });
                     });
}

void Session::check_checkpoints() const {
  check(!owes_writing_,
        "a checkpoint has to be written: ask {}() after initialize() and after each advance(), and "
        "keep the state of the solver where it is true",
        calls_[Call::requires_writing_checkpoint]);
  check(!owes_reading_,
        "the time window is repeated, so the checkpoint has to be read: ask {}() after each "
        "advance(), and restore the state of the solver where it is true",
        calls_[Call::requires_reading_checkpoint]);
}

bool Session::requires_writing_checkpoint() {
  check_initialized(calls_[Call::requires_writing_checkpoint]);
  owes_writing_ = false;
  return coupling_->starts_iterating();
}

bool Session::requires_reading_checkpoint() {
  check_initialized(calls_[Call::requires_reading_checkpoint]);
  owes_reading_ = false;
  return coupling_->repeats_window();
}

} // namespace isthmus::participant
