// SPDX-License-Identifier: BSD-3-Clause
// How a session starts its coupling, keeps what a later run needs, and takes it from an earlier
// one.
#include "isthmus/participant/factory.hpp"
#include "isthmus/participant/session.hpp"

#include <algorithm>
#include <memory>

namespace isthmus::participant {

planning::OwnMeshes Session::own_meshes() const {
  planning::OwnMeshes meshes;
  for (const auto& [name, provided] : meshes_) {
    meshes.add(provided.mesh);
  }
  return meshes;
}

namespace {

/// Of the implicit scheme that a participant leads; null if there is none.
std::unique_ptr<acceleration::Accelerator> make_own_accelerator(
    const config::Configuration& configuration, const std::string& self, const comm::Comm& comm) {
  const auto& schemes = configuration.schemes;
  const auto led = std::find_if(schemes.begin(), schemes.end(), [&self](const auto& scheme) {
    return scheme.implicit() && scheme.leader() == self && scheme.acceleration;
  });
  return led == schemes.end() ? nullptr : make_accelerator(*led->acceleration, comm);
}

} // namespace

void Session::start_coupling() {
  const planning::OwnMeshes meshes = own_meshes();
  const coupling::Continuation continuation{
      [this] { return restart_files_->points(); },
      [this](fields::Snapshot& snapshot) { load_restart_file(snapshot); }};
  actions_->prepare(meshes);
  if (!restart_files_->settings().continues) { // else they go on with what was written
    outputs_->open(meshes);
  }
  coupling_->set_hooks(
      {[this] {
         actions_->run(config::ActionTiming::write_mapping_post, coupling_->time());
         outputs_->take_written();
       },
       [this] { actions_->run(config::ActionTiming::read_mapping_post, coupling_->time()); },
       [this](double start, bool repeated) {
         actions_->rewind(config::ActionTiming::read_mapping_post, start,
                          [this, start](const fields::Field& field) {
                            return coupling_->samples().is_iterated(field) ? start
                                                                           : config::infinity;
                          });
         if (repeated) {
           actions_->rewind(config::ActionTiming::write_mapping_post, start,
                            [this, start](const fields::Field& field) {
                              return coupling_->samples().repeated_from(field, start);
                            });
         }
       },
       [this, meshes] { actions_->prepare(meshes); },
       [this] { actions_->weigh(coupling_->wiring()); },
       [this](const fields::Field& target) { actions_->act_again(target); }});
  coupling_->initialize({meshes, &*mappings_, regions_},
                        make_own_accelerator(configuration_, name_, comm_), continuation);
  outputs_->show_start(meshes, *coupling_);
}

void Session::write_restart_file() {
  const auto scope = trace_.scope("restart");
  fields::Snapshot snapshot = coupling_->save();
  const std::vector<std::byte> outputs = outputs_->save(snapshot);
  restart_files_->save(snapshot, outputs);
  log_.debug("restart file of time window {}, time {:.6g}, in \"{}\"", snapshot.point.window,
             snapshot.point.time, restart_files_->settings().directory.string());
}

void Session::load_restart_file(fields::Snapshot& snapshot) {
  const std::vector<std::byte> outputs = restart_files_->load(snapshot);
  outputs_->reopen(own_meshes(), outputs, snapshot);
  actions_->resume(snapshot.point.time);
  restarted_from_ = snapshot.point;
  log_.info("continues an earlier run after time window {}, time {:.6g}", snapshot.point.window,
            snapshot.point.time);
}

} // namespace isthmus::participant
