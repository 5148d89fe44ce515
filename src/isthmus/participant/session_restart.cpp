// SPDX-License-Identifier: BSD-3-Clause
// What a session keeps for a later run, and takes from an earlier one.
#include "isthmus/participant/session.hpp"

namespace isthmus::participant {

void Session::write_restart_file() {
  const auto scope = trace_.scope("restart");
  coupling::Snapshot snapshot = coupling_->save(
      [this](const std::string& mesh) -> const mesh::Mesh& { return own_mesh(mesh); });
  const std::vector<std::byte> outputs = outputs_->save(snapshot);
  restart_files_->save(snapshot, outputs);
  log_.debug("restart file of time window {}, time {:.6g}, in \"{}\"", snapshot.point.window,
             snapshot.point.time, restart_files_->settings().directory.string());
}

void Session::load_restart_file(coupling::Snapshot& snapshot) {
  const std::vector<std::byte> outputs = restart_files_->load(snapshot);
  outputs_->reopen([this](const std::string& mesh) -> const mesh::Mesh& { return own_mesh(mesh); },
                   outputs, snapshot);
  actions_->resume(snapshot.point.time);
  restarted_from_ = snapshot.point;
  log_.info("continues an earlier run after time window {}, time {:.6g}", snapshot.point.window,
            snapshot.point.time);
}

} // namespace isthmus::participant
