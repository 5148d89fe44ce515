// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/participant/participant.hpp"
#include "isthmus/participant/session/accessed_meshes.hpp"
#include "isthmus/participant/session/call_profile.hpp"
#include "isthmus/participant/session/duties.hpp"
#include "isthmus/participant/session/own_ranks.hpp"
#include "isthmus/participant/session/partner_links.hpp"
#include "isthmus/participant/session/provided_meshes.hpp"
#include "isthmus/participant/session/solver_data.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace isthmus::participant {

/// What stands behind a Participant: owns its parts, steers the coupling, and sees to it that all
/// ranks of all participants learn of a failure.
class Session {
 public:
  /// `met` becomes true when the ranks have agreed on something.
  Session(std::string_view name, std::string_view configuration_file, const Launch& launch,
          bool& met);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Calls of the solver; those about meshes and data go to the parts
  void initialize();
  void advance(double dt);
  void finalize();
  void save_restart();
  [[nodiscard]] bool is_coupling_ongoing() const;
  [[nodiscard]] bool is_time_window_complete() const;
  [[nodiscard]] double max_time_step_size() const;
  [[nodiscard]] const coupling::RestartPoint& restarted_from() const {
    return run_->restarted_from();
  }
  [[nodiscard]] Statistics statistics() const;

  [[nodiscard]] ProvidedMeshes& provided() { return *provided_; }
  [[nodiscard]] AccessedMeshes& accessed() { return *accessed_; }
  [[nodiscard]] SolverData& data() { return *data_; }
  [[nodiscard]] Duties& duties() { return *duties_; }
  [[nodiscard]] CallProfile& profile() { return profile_; }

  /// What went wrong in a call of the solver: the log says it, and partners learn it if the solver
  /// does not go on.
  void note_failure(std::string_view what);
  /// Ends the coupling because the solver says so.
  void leave(const std::string& reason);

 private:
  void load(const std::string& configuration_file, const Launch& launch, bool& met);
  void prepare(const CallNames& calls);
  /// Runs `work`; if it fails, reports to everybody why this rank gives up, then throws on.
  template <typename Work>
  void steer(Work&& work);
  /// Notifies partners and the other ranks of this participant; `from_alarm`: one of those did so.
  void give_up(const std::string& cause, bool from_alarm = false) noexcept;
  void notify_partners(const std::string& cause, std::string_view text) noexcept;
  void end_early();
  void end() noexcept;

  config::Configuration configuration_;
  CallOrder call_order_;
  Log log_;
  OwnRanks ranks_;
  CallProfile profile_;
  PartnerLinks partners_;
  std::optional<Declared> declared_;
  std::optional<CoupledRun> run_;
  std::optional<ProvidedMeshes> provided_;
  std::optional<AccessedMeshes> accessed_;
  std::optional<SolverData> data_;
  std::optional<Duties> duties_;
};

} // namespace isthmus::participant
