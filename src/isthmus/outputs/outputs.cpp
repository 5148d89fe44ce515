// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/outputs.hpp"

#include "isthmus/comm/agree.hpp"

#include <utility>

namespace isthmus::outputs {

Outputs::Outputs(const comm::Comm& comm, ShownMeshes shown, const config::Participant& self,
                 fields::FieldSet& fields)
    : comm_(comm), shown_(std::move(shown)), self_(self), fields_(fields) {
  if (!self.exports.empty()) {
    for (const config::ProvideMesh& mesh : self.provided) {
      observe(mesh.name);
    }
    for (const config::ReceiveMesh& mesh : self.received) {
      observe(mesh.name);
    }
  }
  for (const config::WatchPoint& point : self.watch_points) {
    observe(point.mesh);
  }
  for (const config::WatchIntegral& integral : self.watch_integrals) {
    observe(integral.mesh);
  }
}

void Outputs::observe(const std::string& mesh) {
  for (const ShownData& data : shown_.at(mesh)) {
    latest_.observe(fields_.at(mesh, data.name), data.is_written);
  }
}

std::vector<const fields::Field*> Outputs::fields_on(const std::string& mesh) const {
  std::vector<const fields::Field*> fields;
  for (const ShownData& data : shown_.at(mesh)) {
    fields.push_back(&fields_.at(mesh, data.name));
  }
  return fields;
}

void Outputs::open(const mesh::OwnMeshes& meshes, const TableSizes& earlier) {
  const auto keep = [&earlier](const std::string& table) {
    const auto found = earlier.find(table);
    return found == earlier.end() ? std::nullopt : std::optional(found->second);
  };
  exports_.emplace(comm_, shown_, self_, fields_, latest_);
  for (const config::WatchPoint& point : self_.watch_points) {
    points_.emplace_back(comm_, point, self_.name, meshes.at(point.mesh), fields_on(point.mesh),
                         keep("point " + point.name));
  }
  for (const config::WatchIntegral& integral : self_.watch_integrals) {
    integrals_.emplace_back(comm_, integral, self_.name, meshes.at(integral.mesh),
                            fields_on(integral.mesh), keep("integral " + integral.name));
  }
}

void Outputs::show_start(const mesh::OwnMeshes& meshes, const coupling::Coupling& coupling) {
  exports_->set_meshes(meshes, coupling.planned_fields());
  if (!is_continued_) {
    latest_.keep();
    show({.completes_window = true});
  }
}

void Outputs::show_step(const coupling::Coupling& coupling) {
  if (coupling.is_window_complete()) {
    latest_.keep();
  } else if (coupling.repeats_window()) {
    latest_.discard();
  }
  const coupling::Schedule& schedule = coupling.schedule();
  show({schedule.time(), ++advances_, schedule.windows_done(), coupling.is_window_complete(),
        coupling.repeats_window()});
}

void Outputs::show(const Moment& moment) {
  exports_->show(moment);
  if (moment.completes_window && !(points_.empty() && integrals_.empty())) {
    show_watches(moment.time);
  }
}

void Outputs::show_watches(double time) {
  for (WatchIntegral& integral : integrals_) {
    integral.add_up(time, latest_);
  }
  comm::agree(comm_, [this, time] {
    for (WatchPoint& point : points_) {
      point.show(time, latest_);
    }
    for (WatchIntegral& integral : integrals_) {
      integral.show(time);
    }
  });
}

void Outputs::finish() {
  if (exports_) {
    exports_->finish();
  }
}

} // namespace isthmus::outputs
