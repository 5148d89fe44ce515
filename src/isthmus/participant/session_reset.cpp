// SPDX-License-Identifier: BSD-3-Clause
// Meshes that a solver replaces between two time windows.
#include "isthmus/base/error.hpp"
#include "isthmus/comm/alarm.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/participant/session.hpp"
#include "isthmus/transfer/mesh_bits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace isthmus::participant {

void Session::reset_mesh(std::string_view mesh) {
  const char* const call = calls_[Call::reset_mesh];
  check_initialized(call);
  const ProvidedMesh& reset = provided(call, mesh);
  check(configuration_.run.allow_remeshing,
        "{}(): the configuration does not allow that meshes change; add experimental=\"true\" "
        "allow-remeshing=\"true\" to <precice-configuration>",
        call);
  check(coupling_->is_ongoing(), "{}() cannot be called after the coupling has ended", call);
  check(!reset.is_reset,
        "{}(): mesh \"{}\" is reset already; define its vertices, then call advance()", call, mesh);
  check(
      !coupling_->repeats_window(),
      "{}(): the iterations of a time window need the same mesh \"{}\"; call it after an advance() "
      "that completed the window, where {}() is true",
      call, mesh, calls_[Call::is_time_window_complete]);
  check(coupling_->is_between_windows(),
        "{}() can be called only directly after an advance() that completed a time window of all "
        "coupling schemes of participant \"{}\"; ask {}()",
        call, name_, calls_[Call::is_time_window_complete]);
  const auto& all = self_->provided;
  const auto place =
      std::find_if(all.begin(), all.end(), [mesh](const auto& one) { return one.name == mesh; }) -
      all.begin();
  check(place < transfer::max_meshes_to_reset,
        "{}(): participant \"{}\" provides more than {} meshes, and only as many of them can be "
        "reset; name mesh \"{}\" among its first <provide-mesh>",
        call, name_, transfer::max_meshes_to_reset, mesh);
  ProvidedMesh& open = meshes_.find(mesh)->second;
  coupling_->reset(open.mesh);
  open.mesh.clear();
  open.is_reset = true;
}

/// Collective where a mesh may have been reset. Ranks that have done so tell the others, whose
/// parts stay as they are. False, and nothing is changed, if a step does not end the window then.
bool Session::join_resets(double dt) {
  if (!configuration_.run.allow_remeshing || !coupling_->is_between_windows()) {
    return true;
  }
  std::array<std::uint64_t, 2> flags{coupling_->resets(), coupling_->ends_windows(dt) ? 0U : 1U};
  comm::allreduce<std::uint64_t>(comm_, flags, comm::Op::bit_or);
  if (flags[0] != 0 && flags[1] != 0) {
    return false;
  }
  coupling_->join_resets(flags[0]);
  return true;
}

void Session::check_resets(bool all_end, double dt) const {
  check(all_end,
        "a mesh was reset, so advance() must end the time window of all coupling schemes on all "
        "ranks; {}, use {}()",
        coupling_->ends_windows(dt) ? "the step of another rank does not"
                                    : fmt::format("the step of {} does not", dt),
        calls_[Call::max_time_step_size]);
}

/// Before a sleep, and now and then.
void Session::check_other_ranks() {
  comm::check_alarm(comm_);
  check(leaving_->is_complete(num_calls_),
        "rank {} has called finalize(), and this one has gone on; all ranks of participant \"{}\" "
        "must call advance() equally often, and finalize() after it",
        (comm_.rank() + comm_.size() - 1) % comm_.size(), name_);
}

bool Session::is_open(std::string_view mesh) const {
  const auto found = meshes_.find(mesh);
  return state_ == State::defining || (found != meshes_.end() && found->second.is_reset);
}

/// Their vertices stay as they are. Where meshes may change, elements are needed again.
void Session::close_meshes() {
  for (auto& [name, provided] : meshes_) {
    provided.is_reset = false;
    if (!configuration_.run.allow_remeshing) {
      provided.mesh.drop_connectivity();
    }
  }
}

void Session::show_new_meshes() {
  close_meshes();
  just_in_time_.clear();
  outputs_->renew(own_meshes(), *coupling_);
}

} // namespace isthmus::participant
