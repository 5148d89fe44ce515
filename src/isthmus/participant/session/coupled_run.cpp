// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/coupled_run.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace isthmus::participant {

using config::ActionTiming;

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

CoupledRun::CoupledRun(const comm::Comm& comm, const Log& log,
                       const config::Configuration& configuration, const config::Participant& self)
    : configuration_(configuration),
      self_(self),
      mappings_(log, comm.size() == 1),
      fields_(config::declared_fields(configuration, self)),
      restart_files_(comm, self.name, configuration.fingerprints.of_case) {}

void CoupledRun::join(partner::Context& context) {
  context_ = &context;
  coupling_.emplace(context, coupling::settings_of(configuration_), self_, fields_,
                    static_cast<coupling::Hooks&>(*this));
  actions_.emplace(context.comm, context.log, self_, fields_, coupling_->planned_fields());
  outputs_.emplace(context.comm, outputs::shown_meshes(configuration_, self_), self_, fields_);
}

void CoupledRun::written() {
  actions_->run(ActionTiming::write_mapping_post, coupling_->schedule().time());
  outputs_->take_written();
}

void CoupledRun::received() {
  actions_->run(ActionTiming::read_mapping_post, coupling_->schedule().time());
}

void CoupledRun::replaced(double start, bool repeated) {
  actions_->rewind(ActionTiming::read_mapping_post, start,
                   [this, start](const fields::Field& field) {
                     return coupling_->samples().is_iterated(field) ? start : config::infinity;
                   });
  if (repeated) {
    actions_->rewind(ActionTiming::write_mapping_post, start,
                     [this, start](const fields::Field& field) {
                       return coupling_->samples().repeated_from(field, start);
                     });
  }
}

void CoupledRun::mapped_again(const fields::Field& target) {
  actions_->act_again(target);
}

void CoupledRun::start(const mesh::OwnMeshes& own_meshes, const planning::Regions& regions) {
  own_meshes_ = own_meshes;
  actions_->prepare(own_meshes_);
  if (!continues()) { // else they go on with what was written
    outputs_->open(own_meshes_);
  }
  auto accelerator = make_own_accelerator(configuration_, self_.name, context_->comm);
  coupling_->connect();
  std::optional<coupling::Snapshot> earlier =
      coupling_->plan({own_meshes_, &mappings_, regions}, restart_files_.points());
  if (earlier) {
    load(*earlier);
  }
  if (restart_files_.settings().every > 0) {
    stay_near_partners();
  }
  coupling_->start(std::move(accelerator), earlier);
  outputs_->show_start(own_meshes_, *coupling_);
}

void CoupledRun::warn_never_written() const {
  if (coupling_->schedule().windows_done() > 0 || coupling_->schedule().time() > 0) {
    return;
  }
  for (const config::UseData& use : self_.written) {
    const fields::Field& field = fields_.of_solver(use.mesh, use.name);
    if (!field.ever_written() && field.wave().size() > 0) {
      context_->log.warning(
          "data \"{}\" on mesh \"{}\" was not written before the first advance(); zeros are "
          "sent where it is not written",
          use.name, use.mesh);
    }
  }
}

void CoupledRun::advance(double dt) {
  warn_never_written();
  if (coupling_->resets() != 0) { // provided meshes are complete
    actions_->prepare(own_meshes_);
  }
  coupling_->advance(dt);
}

void CoupledRun::show_step() {
  const auto scope = context_->trace.scope("output");
  if (!coupling_->renewed_meshes().empty()) {
    outputs_->renew(own_meshes_, *coupling_);
  }
  outputs_->show_step(*coupling_);
  if (coupling_->is_between_windows()) {
    const int every = restart_files_.settings().every;
    restart_files_.finish(); // of an earlier window
    if (every > 0 && coupling_->schedule().windows_done() % every == 0) {
      save();
    }
  }
}

/// Files of windows far ahead of those of the partners are of no use.
void CoupledRun::stay_near_partners() {
  context_->hub.set_queue_limit(0);
}

void CoupledRun::save() {
  const auto scope = context_->trace.scope("restart");
  coupling::Snapshot snapshot = coupling_->save();
  stay_near_partners();
  const std::vector<std::byte> outputs = outputs_->save(snapshot);
  restart_files_.save(snapshot, outputs);
  context_->log.debug("restart file of time window {}, time {:.6g}, in \"{}\"",
                      snapshot.point.window, snapshot.point.time,
                      restart_files_.settings().directory.string());
}

void CoupledRun::load(coupling::Snapshot& snapshot) {
  const auto scope = context_->trace.scope("data");
  const std::vector<std::byte> outputs = restart_files_.load(snapshot);
  outputs_->reopen(own_meshes_, outputs, snapshot);
  actions_->resume(snapshot.point.time);
  restarted_from_ = snapshot.point;
  context_->log.info("continues an earlier run after time window {}, time {:.6g}",
                     snapshot.point.window, snapshot.point.time);
}

void CoupledRun::finish() {
  outputs_->finish();
  restart_files_.finish();
}

} // namespace isthmus::participant
