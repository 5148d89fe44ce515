// SPDX-License-Identifier: BSD-3-Clause
// How a session starts its coupling, keeps what a later run needs, and takes it from an earlier
// one.
#include "isthmus/participant/factory.hpp"
#include "isthmus/participant/session.hpp"

namespace isthmus::participant {

void Session::start_coupling() {
  const planning::FindMesh find_mesh = [this](const std::string& mesh) -> const mesh::Mesh& {
    return own_mesh(mesh);
  };
  const coupling::Continuation continuation{
      [this] { return restart_files_->points(); },
      [this](fields::Snapshot& snapshot) { load_restart_file(snapshot); }};
  actions_->prepare(find_mesh);
  if (!restart_files_->settings().continues) { // else they go on with what was written
    outputs_->open(find_mesh);
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
                            return coupling_->is_iterated(field) ? start : config::infinity;
                          });
         if (repeated) {
           actions_->rewind(config::ActionTiming::write_mapping_post, start,
                            [this, start](const fields::Field& field) {
                              return coupling_->repeated_from(field, start);
                            });
         }
       },
       [this, find_mesh] { actions_->prepare(find_mesh); },
       [this] { actions_->weigh(coupling_->wiring()); },
       [this](const fields::Field& target) { actions_->act_again(target); }});
  coupling_->initialize({find_mesh,
                         [this](const config::Mapping& settings, const mesh::Mesh& searched) {
                           return make_noting_mapping(settings, searched);
                         },
                         regions_},
                        make_accelerator, continuation);
  outputs_->show_start(find_mesh, *coupling_);
}

void Session::write_restart_file() {
  const auto scope = trace_.scope("restart");
  fields::Snapshot snapshot = coupling_->save(
      [this](const std::string& mesh) -> const mesh::Mesh& { return own_mesh(mesh); });
  const std::vector<std::byte> outputs = outputs_->save(snapshot);
  restart_files_->save(snapshot, outputs);
  log_.debug("restart file of time window {}, time {:.6g}, in \"{}\"", snapshot.point.window,
             snapshot.point.time, restart_files_->settings().directory.string());
}

void Session::load_restart_file(fields::Snapshot& snapshot) {
  const std::vector<std::byte> outputs = restart_files_->load(snapshot);
  outputs_->reopen([this](const std::string& mesh) -> const mesh::Mesh& { return own_mesh(mesh); },
                   outputs, snapshot);
  actions_->resume(snapshot.point.time);
  restarted_from_ = snapshot.point;
  log_.info("continues an earlier run after time window {}, time {:.6g}", snapshot.point.window,
            snapshot.point.time);
}

} // namespace isthmus::participant
