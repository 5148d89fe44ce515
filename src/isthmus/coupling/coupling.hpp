// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/continuation.hpp"
#include "isthmus/coupling/history.hpp"
#include "isthmus/coupling/iteration/fixed_point.hpp"
#include "isthmus/coupling/iteration/iteration_log.hpp"
#include "isthmus/coupling/scheme.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/wiring.hpp"
#include "isthmus/partner/connection.hpp"

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// Makes the acceleration of an implicit scheme from its settings.
using MakeAccelerator = std::function<std::unique_ptr<acceleration::Accelerator>(
    const config::Acceleration&, const comm::Comm&)>;

/// Called in every step where somebody looks at the data beside the coupling.
struct Hooks {
  std::function<void()> written;  // what the solver wrote is mapped and not sent yet
  std::function<void()> received; // what arrived is mapped
  /// Before `received`, after an iteration of the window that begins at `start`: samples of this
  /// window come anew, those that the solver writes only if it is `repeated`.
  std::function<void(double start, bool repeated)> replaced;
  std::function<void()> reset;   // collective: provided meshes that were reset are complete
  std::function<void()> planned; // collective: received meshes have come, and nothing is mapped yet
  /// Before `written`: what the solver wrote is mapped once more, to a mesh that was reset.
  std::function<void(const fields::Field& target)> mapped_again;
};

/// All schemes of one participant, stepped together: stores what the solver writes, maps it, moves
/// it, and maps what arrives.
class Coupling {
 public:
  Coupling(partner::Context& context, const config::Configuration& configuration,
           const config::Participant& self, fields::FieldSet& fields);

  void set_hooks(Hooks hooks) { hooks_ = std::move(hooks); }
  /// Collective over all participants: connects, plans, and exchanges what the first window needs.
  void initialize(const planning::Inputs& inputs, const MakeAccelerator& make_accelerator,
                  const Continuation& continuation);
  /// Collective over all participants that share a window end. `dt` is checked already.
  void advance(double dt);

  /// The solver replaces a provided mesh, of which this is the old one, one of the first
  /// max_meshes_to_reset of the participant; between two windows. What
  /// it writes from now on, and has written since, is for the new one.
  void reset(const mesh::Mesh& old);
  /// The provided meshes that were reset since the last advance().
  [[nodiscard]] transfer::MeshBits resets() const { return reset_; }
  /// Those that other ranks have reset, too, where this one keeps its part.
  void join_resets(transfer::MeshBits all);
  /// Whether a step ends the current window of every scheme.
  [[nodiscard]] bool ends_windows(double dt) const;
  /// Meshes that were reset, or received anew, in the last advance().
  [[nodiscard]] const std::set<std::string>& renewed_meshes() const { return renewed_meshes_; }

  /// Whether a time window of all schemes was completed just now: only then save() makes sense.
  [[nodiscard]] bool is_between_windows() const;
  /// Collective. What initialize() of a later run needs to go on from here.
  [[nodiscard]] fields::Snapshot save(const planning::OwnMeshes& meshes) const;

  [[nodiscard]] bool is_ongoing() const;
  [[nodiscard]] bool is_window_complete() const { return window_complete_; }
  /// The solver has to keep its state: this is the start of a window that may be repeated.
  [[nodiscard]] bool starts_iterating() const { return starts_iterating_; }
  /// The solver has to go back to the state it kept.
  [[nodiscard]] bool repeats_window() const { return repeats_window_; }
  /// Whether a field is exchanged by the implicit scheme, as it is or mapped.
  [[nodiscard]] bool is_iterated(const fields::Field& field);
  /// When the window that begins at `start` is repeated: the time after which samples of a field
  /// come again, infinity if none do. What explicit schemes have sent meanwhile stays.
  [[nodiscard]] double repeated_from(const fields::Field& field, double start);
  [[nodiscard]] double step_limit() const; ///< 0 when the coupling is over
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] int windows_done() const;
  /// The vertices of a received mesh that the solver has access to; null without api-access.
  [[nodiscard]] const planning::Accessed* accessed(std::string_view mesh) const {
    return wiring_.accessed(mesh);
  }
  [[nodiscard]] const std::map<std::string, partner::Connection>& connections() const {
    return connections_;
  }
  [[nodiscard]] const fields::Wiring& wiring() const { return wiring_; }

 private:
  void connect();
  void start_fields();
  void exchange_initial_data();
  void receive_first_windows();
  void start_iterating(const MakeAccelerator& make_accelerator);
  void open_log(const std::optional<IterationLog::Sizes>& keep);
  [[nodiscard]] bool is_waiting(const Scheme& scheme) const;
  void step(double dt);
  [[nodiscard]] bool sends(const Scheme& scheme, const fields::Field& field);
  [[nodiscard]] double kept_from(const fields::Field& field);
  void store_written(const std::vector<Scheme*>& due);
  void map_written(std::span<Scheme* const> due);
  /// False if nothing of it is sent now.
  bool map_written(fields::FieldMapping& mapping, std::span<Scheme* const> due);
  void exchange(std::vector<Scheme*> due);
  void post(Scheme& scheme);
  void finish_windows(const std::vector<Scheme*>& due);
  void drop_sent();
  void prepare_incoming(Scheme& scheme);
  void set_arrival_times(Scheme& scheme);
  void map_received(const fields::MessageSet& messages);
  void notify_received(); // what belongs together is mapped
  void keep_last(const fields::MessageSet& messages);

  // coupling_restart.cpp
  [[nodiscard]] std::vector<double> coordinates_of(const fields::Field& field,
                                                   const planning::OwnMeshes& meshes) const;
  [[nodiscard]] fields::Snapshot list_fields(const planning::OwnMeshes& meshes) const;
  void restore(fields::Snapshot snapshot);

  // coupling_iterate.cpp
  bool iterate();
  void lead();
  void begin_next();
  void follow();
  void receive(Scheme& scheme, const fields::ChooseLink& chosen = {},
               const fields::ChooseLink& discard = {});
  void send_verdict(FixedPoint::Verdict verdict);
  [[nodiscard]] FixedPoint::Verdict receive_verdict();
  void end_iteration(bool by_arrival);
  void repeat_windows(double start);
  void log_iteration();
  void warn_if_not_converging(int window) const;

  // coupling_renew.cpp
  void connect_schemes(std::span<const fields::Renewal> renewals);
  void complete_resets();
  [[nodiscard]] transfer::MeshBits unsent_resets(const std::string& partner) const;
  [[nodiscard]] bool is_stale(const fields::FieldMapping& mapping) const;
  [[nodiscard]] fields::ChooseLink links_to(const std::vector<fields::Renewal>& renewals) const;
  [[nodiscard]] std::vector<fields::Renewal> renewals(const Scheme& scheme, bool listened) const;
  void renew(std::span<const fields::Renewal> renewals, std::span<Scheme* const> due);
  void exchange_again(std::vector<Scheme*> due);
  void send_resets_to_leader();
  void receive_resets_of_leader();
  void answer_resets();
  void map_for(std::span<const fields::Renewal> renewals, std::span<Scheme* const> due);
  void renew_iteration(std::span<const fields::Renewal> renewals);

  // coupling_patch.cpp
  void post_reset(Scheme& scheme);
  void patch(Scheme& scheme, const fields::Renewal& renewal);
  void keep_history(const std::string& mesh);

  void apply(fields::FieldMapping& mapping, std::size_t sample);
  void send_window_size(const Scheme& scheme);
  void follow_window_size(Scheme& scheme);

  partner::Context& context_;
  const config::Configuration& configuration_;
  const config::Participant& self_;
  fields::FieldSet& fields_;
  std::map<std::string, partner::Connection> connections_; // by partner
  std::list<Scheme> schemes_;
  fields::Wiring wiring_;
  Hooks hooks_;
  planning::Inputs inputs_; // of plans
  double time_ = 0;
  bool window_complete_ = false;

  Scheme* implicit_ = nullptr;            // at most one
  std::optional<FixedPoint> fixed_point_; // where this participant leads it
  IterationLog iteration_log_;
  std::optional<IterationLog::Sizes> kept_log_;               // of an earlier run
  FixedPoint::Verdict verdict_ = FixedPoint::Verdict::repeat; // of the last iteration
  int iteration_ = 0;                                         // in this window
  int total_iterations_ = 0;
  bool starts_iterating_ = false;
  bool awaits_next_ = false; // of the first one of the implicit scheme
  bool repeats_window_ = false;

  transfer::MeshBits reset_ = 0; // provided meshes, since the last advance()
  std::map<std::string, transfer::MeshBits> unsent_resets_; // by partner that is to know them
  std::map<std::string, transfer::Changes> sent_changes_;   // of those, in the last exchange
  std::map<std::string, fields::Listeners> listeners_;      // by partner
  History history_; // of fields whose vertices are replaced in this advance()
  std::set<std::string> renewed_meshes_;

  std::vector<Scheme*> due_;
  std::vector<transport::Outgoing> outgoing_;
  std::vector<transport::Incoming> incoming_;
  std::vector<double> plain_; // values without the gradients that came with them
};

} // namespace isthmus::coupling
