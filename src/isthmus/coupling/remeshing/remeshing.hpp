// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/remeshing/turns.hpp"
#include "isthmus/coupling/step/history.hpp"
#include "isthmus/coupling/step/iterations.hpp"
#include "isthmus/coupling/step/step_parts.hpp"
#include "isthmus/fields/small_changes.hpp"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// Meshes that change between two time windows. Whoever has reset one says so in place of its data,
/// on every link; ranks without data listen to one link. Who receives it plans anew with the one
/// who sent it; then the data are sent that belong to the new mesh. Where nothing is reset no
/// message is longer, and none is sent beside those of the data.
///
/// Where only a few vertices have moved the data travel with the changes in one message. Ranks that
/// see something of them make their plan again, and where they need other vertices than before data
/// travel once more. The others have neither a message nor a wait more than in any step.
class Remeshing {
 public:
  /// `schemes`: all of the run.
  Remeshing(StepParts& step, Iterations& iterations,
            std::span<const config::CouplingScheme> schemes)
      : step_(step),
        iterations_(iterations),
        small_(step.partners, schemes, step.self, step.fields),
        turns_(step.context, step.partners, step.self.name) {}

  /// The solver replaces a provided mesh, of which this is the old one. What it writes from now on,
  /// and has written since the last step, is for the new one.
  void reset(const mesh::Mesh& old);
  /// These were reset, here or on other ranks.
  void join(transfer::MeshBits all);
  /// At the begin of a step: new meshes are there.
  void complete_resets();
  /// Meshes that were reset, or received anew, since complete_resets() began.
  [[nodiscard]] const std::set<std::string>& renewed_meshes() const { return renewed_meshes_; }

  /// In place of StepExchange::post(), for a scheme of which the partner must learn of resets.
  void post(Scheme& scheme);
  /// Moves what was posted for these schemes, each with one partner, at the end of a window. With
  /// whom speaks of resets plans are made anew, and what is missing is exchanged on these.
  void exchange(std::span<Scheme* const> due);

  // Where meshes of an implicit scheme were reset, before an iteration
  /// Of a follower that has reset meshes. Where all step at the same time the leader answers what
  /// it has reset itself.
  void send_resets_to_leader();
  /// The leader may have answered that it has reset meshes: then what was sent is void, except
  /// where the leader has computed with it.
  void receive_resets_of_leader();
  /// Of the leader: followers have sent what they have reset, and get its notices.
  void answer_resets();

 private:
  void keep_history(const std::string& mesh);
  void give_history_back();
  void renew(std::span<const fields::Renewal> renewals, std::span<Scheme* const> due);
  void plan_small(Scheme& scheme, const fields::Renewal& renewal);
  void look_for_changes(Pending& one) const;
  void exchange_in_turn(std::span<Pending> all);
  void complete_begun(std::span<Pending> all);
  void receive(Pending& one);
  void renew_and_send(Pending& one);

  StepParts& step_;
  Iterations& iterations_;
  fields::SmallChanges small_;
  Turns turns_;
  History history_; // of fields whose vertices are replaced in this step
  std::set<std::string> renewed_meshes_;
};

} // namespace isthmus::coupling
