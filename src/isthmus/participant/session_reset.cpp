// SPDX-License-Identifier: BSD-3-Clause
// Meshes that a solver replaces between two time windows.
#include "isthmus/base/error.hpp"
#include "isthmus/comm/alarm.hpp"
#include "isthmus/participant/session.hpp"

namespace isthmus::participant {

void Session::reset_mesh(std::string_view mesh) {
  const char* const call = "resetMesh()";
  check_initialized(call);
  const ProvidedMesh& reset = provided(call, mesh);
  check(configuration_.allow_remeshing,
        "{}: the configuration does not allow that meshes change; add experimental=\"true\" "
        "allow-remeshing=\"true\" to <precice-configuration>",
        call);
  check(coupling_->is_ongoing(), "{} cannot be called after the coupling has ended", call);
  check(!reset.is_reset,
        "{}: mesh \"{}\" is reset already; define its vertices, then call advance()", call, mesh);
  check(!coupling_->repeats_window(),
        "{}: the iterations of a time window need the same mesh \"{}\"; call it after an advance() "
        "that completed the window, where isTimeWindowComplete() is true",
        call, mesh);
  check(coupling_->is_between_windows(),
        "{} can be called only directly after an advance() that completed a time window of all "
        "coupling schemes of participant \"{}\"; ask isTimeWindowComplete()",
        call, name_);
  ProvidedMesh& open = meshes_.find(mesh)->second;
  coupling_->reset(open.mesh);
  open.mesh.clear();
  open.is_reset = true;
}

/// Before a sleep, and now and then.
void Session::heed_others() {
  comm::heed_alarm(comm_);
  check(!resets_ || resets_->is_complete(num_advances_),
        "rank {} has called resetMesh() and this one has not; all ranks of participant \"{}\" must "
        "call it for the same meshes in the same time window, also those whose part stays the same",
        (comm_.rank() + comm_.size() - 1) % comm_.size(), name_);
}

bool Session::is_open(std::string_view mesh) const {
  const auto found = meshes_.find(mesh);
  return state_ == State::defining || (found != meshes_.end() && found->second.is_reset);
}

void Session::check_resets(double dt) const {
  if (!coupling_->has_resets()) {
    return;
  }
  check(coupling_->ends_windows(dt),
        "a mesh was reset, so advance() must end the time window of all coupling schemes; the step "
        "of {} does not, use getMaxTimeStepSize()",
        dt);
}

/// To the other ranks; regions that follow from own meshes are others.
void Session::announce_resets() {
  if (coupling_->has_resets()) {
    resets_->answer(num_advances_);
    complete_regions();
    coupling_->set_regions(regions_);
  }
}

/// Their vertices stay as they are. Where meshes may change, elements are needed again.
void Session::close_meshes() {
  for (auto& [name, provided] : meshes_) {
    provided.is_reset = false;
    if (!configuration_.allow_remeshing) {
      provided.mesh.drop_connectivity();
    }
  }
}

void Session::show_new_meshes() {
  close_meshes();
  just_in_time_.clear();
  outputs_->renew([this](const std::string& mesh) -> const mesh::Mesh& { return own_mesh(mesh); },
                  *coupling_);
}

} // namespace isthmus::participant
