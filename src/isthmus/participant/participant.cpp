// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/participant.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/reason.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/connect/handshake.hpp"
#include "isthmus/participant/session/noted_call.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <utility>

namespace isthmus {

namespace {

/// Of a rank that fails before the ranks have met, where the others would wait for it: does not
/// return if there are any, but throws what they throw.
void fail_before_comm(const Launch& launch, const std::string& reason) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  const MPI_Comm parent = launch.communicator == nullptr
                              ? MPI_COMM_WORLD
                              : *static_cast<const MPI_Comm*>(launch.communicator);
  int size = 1;
  if (initialized != 0 && parent != MPI_COMM_NULL) {
    MPI_Comm_size(parent, &size);
  }
  if (size == 1) {
    return;
  }
  if (launch.joint_communicator == nullptr) {
    comm::agree_on(parent, reason);
  }
  comm::agree(*static_cast<const MPI_Comm*>(launch.joint_communicator),
              [&] { comm::agree_on(parent, reason); });
}

std::unique_ptr<participant::Session> make_session(std::string_view name,
                                                   std::string_view configuration_file,
                                                   const Launch& launch) {
  bool met = false;
  try {
    return std::make_unique<participant::Session>(name, configuration_file, launch, met);
  } catch (const Error&) {
    throw; // before the ranks meet: what is wrong with the communicator
  } catch (...) {
    const std::string reason = current_reason();
    if (!met) {
      fail_before_comm(launch, reason);
    }
    throw Error(reason);
  }
}

} // namespace

Participant::Participant(std::string_view name, std::string_view configuration_file,
                         const Launch& launch)
    : Participant(make_session(name, configuration_file, launch)) {}

Participant::Participant(std::unique_ptr<participant::Session> session)
    : MeshCalls(*session),
      DataCalls(*session),
      session_(std::move(session)),
      process_(::getpid()) {}

Participant::~Participant() {
  if (::getpid() != process_) {
    static_cast<void>(session_.release()); // links and files are its parent's
  }
}

void Participant::initialize() {
  noted(*session_, [&](auto& s) { s.initialize(); });
}
void Participant::advance(double dt) {
  noted(*session_, [&](auto& s) { s.advance(dt); });
}
void Participant::finalize() {
  noted(*session_, [&](auto& s) { s.finalize(); });
}
void Participant::give_up(std::string_view reason) {
  session_->leave(std::string(reason));
}

void Participant::save_restart() {
  noted(*session_, [&](auto& s) { s.save_restart(); });
}
int Participant::restarted_window() const {
  return noted(*session_, [&](auto& s) { return s.restarted_from().window; });
}
double Participant::restarted_time() const {
  return noted(*session_, [&](auto& s) { return s.restarted_from().time; });
}

bool Participant::is_coupling_ongoing() const {
  return noted(*session_, [&](auto& s) { return s.is_coupling_ongoing(); });
}
bool Participant::is_time_window_complete() const {
  return noted(*session_, [&](auto& s) { return s.is_time_window_complete(); });
}
double Participant::max_time_step_size() const {
  return noted(*session_, [&](auto& s) { return s.max_time_step_size(); });
}
bool Participant::requires_initial_data() {
  return noted(*session_, [&](auto& s) { return s.duties().requires_initial_data(); });
}
bool Participant::requires_writing_checkpoint() {
  return noted(*session_, [&](auto& s) { return s.duties().requires_writing_checkpoint(); });
}
bool Participant::requires_reading_checkpoint() {
  return noted(*session_, [&](auto& s) { return s.duties().requires_reading_checkpoint(); });
}

Statistics Participant::statistics() const {
  return noted(*session_, [&](auto& s) { return s.statistics(); });
}

void Participant::start_profiling_section(std::string_view name) {
  noted(*session_, [&](auto& s) { s.profile().start_section(name); });
}
void Participant::stop_last_profiling_section() {
  noted(*session_, [&](auto& s) { s.profile().stop_section(); });
}

std::string version() {
  return connect::library_version();
}

std::string version_information(std::string_view interface) {
#if defined(__clang__)
  constexpr std::string_view compiler = "Clang";
#elif defined(__GNUC__)
  constexpr std::string_view compiler = "GNU";
#else
  constexpr std::string_view compiler = "unknown";
#endif
  return fmt::format(
      "{};no-info [Isthmus {}];PRECICE_FEATURE_MPI_COMMUNICATION=Y;PRECICE_FEATURE_PETSC_MAPPING=Y;"
      "PRECICE_FEATURE_GINKGO_MAPPING=N;PRECICE_FEATURE_PYTHON_ACTIONS=Y;PRECICE_BINDINGS_C=Y;"
      "PRECICE_BINDINGS_FORTRAN=Y;CXX={};CXXFLAGS=;LDFLAGS=",
      interface, version(), compiler);
}

} // namespace isthmus
