// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/actions/actions.hpp"
#include "isthmus/coupling/coupling.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/outputs/outputs.hpp"
#include "isthmus/outputs/restart_files.hpp"
#include "isthmus/participant/factory.hpp"

#include <optional>

namespace isthmus::participant {

/// The coupling of a participant and what goes along with it: fields, actions, exports and tables,
/// restart files.
class CoupledRun : private coupling::Hooks {
 public:
  /// Collective. The arguments must outlive the object.
  CoupledRun(const comm::Comm& comm, const Log& log, const config::Configuration& configuration,
             const config::Participant& self);

  /// Collective. The way to the partners is known; it must outlive the object.
  void join(partner::Context& context);
  /// Collective over all participants.
  void start(const mesh::OwnMeshes& own_meshes, const planning::Regions& regions);
  /// Collective over all participants that share a window end.
  void advance(double dt);
  /// Collective. After advance(): what it has changed goes to exports, tables and restart files.
  void show_step();
  /// Collective. Writes a restart file.
  void save();
  /// Collective. No step follows.
  void finish();

  /// Whether it goes on with an earlier run.
  [[nodiscard]] bool continues() const { return restart_files_.settings().continues; }
  /// Where an earlier run was left.
  [[nodiscard]] const coupling::RestartPoint& restarted_from() const { return restarted_from_; }
  [[nodiscard]] fields::FieldSet& fields() { return fields_; }
  [[nodiscard]] coupling::Coupling& coupling() { return *coupling_; }
  [[nodiscard]] const coupling::Coupling& coupling() const { return *coupling_; }
  [[nodiscard]] const planning::MappingFactory& mappings() const { return mappings_; }

 private:
  // Calls of the coupling
  void written() override;
  void received() override;
  void replaced(double start, bool repeated) override;
  void mapped_again(const fields::Field& target) override;

  void load(coupling::Snapshot& snapshot);
  void warn_never_written() const;
  void stay_near_partners();

  const config::Configuration& configuration_;
  const config::Participant& self_;
  AllMappings mappings_;
  fields::FieldSet fields_;
  outputs::RestartFiles restart_files_;
  partner::Context* context_ = nullptr; // null before join()
  std::optional<coupling::Coupling> coupling_;
  std::optional<actions::Actions> actions_;
  std::optional<outputs::Outputs> outputs_;
  mesh::OwnMeshes own_meshes_;
  coupling::RestartPoint restarted_from_;
};

} // namespace isthmus::participant
