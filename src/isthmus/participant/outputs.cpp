// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/outputs.hpp"

#include <algorithm>

namespace isthmus::participant {

Outputs::Outputs(const comm::Comm& comm, const config::Configuration& configuration,
                 const config::Participant& self, coupling::FieldSet& fields)
    : comm_(comm), configuration_(configuration), self_(self), fields_(fields) {
  if (!self.exports.empty()) {
    for (const config::ProvideMesh& mesh : self.provided) {
      watch(mesh.name);
    }
    for (const config::ReceiveMesh& mesh : self.received) {
      watch(mesh.name);
    }
  }
}

void Outputs::watch(const std::string& mesh) {
  for (const std::string& data : configuration_.find_mesh(mesh)->data) {
    const bool is_written =
        std::any_of(self_.written.begin(), self_.written.end(), [&](const config::UseData& use) {
          return use.name == data && (use.mesh == mesh || !self_.provides(mesh));
        });
    latest_.watch(fields_.at(mesh, data), is_written);
  }
}

void Outputs::open() {
  exports_.emplace(comm_, configuration_, self_, fields_, latest_);
}

void Outputs::show_start(const coupling::FindMesh& own_mesh, const coupling::Coupling& coupling) {
  latest_.settle();
  exports_->set_meshes(own_mesh, coupling.wiring());
  exports_->show({});
}

void Outputs::show_step(const coupling::Coupling& coupling) {
  if (coupling.is_window_complete()) {
    latest_.settle();
  } else if (coupling.repeats_window()) {
    latest_.discard();
  }
  exports_->show({coupling.time(), ++advances_, coupling.windows_done(),
                  coupling.is_window_complete(), coupling.repeats_window()});
}

void Outputs::finish() {
  if (exports_) {
    exports_->finish();
  }
}

} // namespace isthmus::participant
