// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/coupling/implicit_step.hpp"
#include "isthmus/coupling/progress.hpp"
#include "isthmus/coupling/remeshing/remeshing.hpp"
#include "isthmus/coupling/restart.hpp"
#include "isthmus/coupling/snapshot.hpp"
#include "isthmus/coupling/step/hooks.hpp"
#include "isthmus/coupling/step/iterations.hpp"
#include "isthmus/coupling/step/step_parts.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/planned_fields.hpp"
#include "isthmus/partner/connection.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// All schemes of one participant, stepped together: stores what the solver writes, maps it, moves
/// it, and maps what arrives.
class Coupling {
 public:
  /// The arguments must outlive the object. `hooks`: who is called in the midst of a step.
  Coupling(partner::Context& context, const Settings& settings, const config::Participant& self,
           fields::FieldSet& fields, Hooks& hooks)
      : num_participants_(settings.participants.size()),
        step_(context, settings, self, fields, hooks),
        iterations_(step_, settings.data, settings.carries_iterations),
        remeshing_(step_, iterations_, settings.schemes) {}

  /// Collective over all participants. Meets the partners.
  void connect();
  /// Collective over all participants, after connect(). Makes the plans. `points`: where this
  /// participant can go on with an earlier run; none: this is a new run. Returns what is to be
  /// filled in with what was kept there; fields come with the places of their vertices.
  [[nodiscard]] std::optional<Snapshot> plan(
      const planning::Inputs& inputs, const std::optional<std::vector<RestartPoint>>& points);
  /// Collective over all participants, after plan(). Exchanges what the first window needs, or goes
  /// on with an earlier run. `accelerator`: of the implicit scheme where this participant leads it;
  /// null: none.
  void start(std::unique_ptr<acceleration::Accelerator> accelerator,
             const std::optional<Snapshot>& earlier);
  /// Collective over all participants that share a window end. `dt` is checked already.
  void advance(double dt);

  /// The solver replaces a provided mesh, of which this is the old one, one of the first
  /// max_meshes_to_reset of the participant; between two windows. What it writes from now on, and
  /// has written since, is for the new one.
  void reset(const mesh::Mesh& old) { remeshing_.reset(old); }
  /// The provided meshes that were reset since the last advance().
  [[nodiscard]] transfer::MeshBits resets() const { return step_.resets.since_last_step(); }
  /// Those that other ranks have reset, too, where this one keeps its part.
  void join_resets(transfer::MeshBits all) { remeshing_.join(all); }
  /// Meshes that were reset, or received anew, in the last advance().
  [[nodiscard]] const std::set<std::string>& renewed_meshes() const {
    return remeshing_.renewed_meshes();
  }

  /// Whether a time window of all schemes was completed just now: only then save() makes sense.
  [[nodiscard]] bool is_between_windows() const {
    return window_complete_ && step_.schedule.is_between_windows();
  }
  /// Collective. What initialize() of a later run needs to go on from here.
  [[nodiscard]] Snapshot save() const { return coupling::save(step_, iterations_); }

  /// The time of this participant, and how far it may step.
  [[nodiscard]] const Schedule& schedule() const { return step_.schedule; }
  [[nodiscard]] bool is_window_complete() const { return window_complete_; }
  /// The solver has to keep its state: this is the start of a window that may be repeated.
  [[nodiscard]] bool starts_iterating() const { return implicit_step_.starts_iterating(); }
  /// The solver has to go back to the state it kept.
  [[nodiscard]] bool repeats_window() const { return implicit_step_.repeats_window(); }
  /// Which samples come again where a window is repeated.
  [[nodiscard]] const Samples& samples() const { return step_.samples; }
  [[nodiscard]] const fields::PlannedFields& planned_fields() const { return step_.planned; }

 private:
  void exchange_initial_data();
  void receive_first_windows();
  void exchange(std::vector<Scheme*>& due);
  void finish_windows(std::span<Scheme* const> due);

  std::size_t num_participants_; // of the run
  StepParts step_;
  Iterations iterations_;
  Remeshing remeshing_;
  Progress progress_{step_.context.log};
  ImplicitStep implicit_step_{step_, iterations_, remeshing_, progress_};
  bool window_complete_ = false;
};

} // namespace isthmus::coupling
