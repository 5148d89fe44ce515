// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/integrals.hpp"
#include "isthmus/planning/receive_mesh.hpp"
#include "isthmus/planning/search/extent.hpp"
#include "isthmus/planning/search/margin.hpp"
#include "isthmus/planning/search/searches.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <map>
#include <optional>
#include <vector>

namespace isthmus::planning {

/// The making of a plan on the receiver's side.
class Reception {
 public:
  Reception(partner::Connection& provider, const transfer::MeshRelation& relation,
            const FindMesh& own_mesh, const MakeMapping& make_mapping, const Regions& regions,
            std::optional<ReceptionMemory>* memory, ReceivedPlan last);

  ReceivedPlan run();
  /// With the partners of the last plan alone.
  ReceivedPlan patch(bool comes, transfer::Bundles& bundles);

 private:
  void get_and_search(const Margin& margin);
  Extent extent(bool knows);
  bool start_anew();
  ReceivedPlan keep_plan();
  void transfer_changes();
  /// Where vertices and elements of the provider matter to this rank.
  std::vector<geometry::Box> region(const Margin& margin);
  void transfer(const Margin& margin);
  [[nodiscard]] bool one_level() const;
  void transfer_all();
  /// After a one-level transfer: links the ranks from which something is needed, forgets the
  /// others.
  void link_needed();
  /// The provider compares what all ranks found for its vertices.
  void send_claims() const;
  ReceivedPlan plan();
  PlannedMapping plan_read(std::size_t use, const std::vector<char>& awarded,
                           std::vector<char>& needed);
  PlannedMapping plan_write(std::size_t use, const std::vector<char>& awarded);
  void prepare_integrals();
  [[nodiscard]] std::vector<std::vector<char>> receive_awards();
  [[nodiscard]] bool shows_all() const;
  [[nodiscard]] std::vector<double> weigh() const;
  static void renumber(ReceivedPlan& plan, const std::vector<LocalIndex>& numbers);
  void remember_users(const ReceivedPlan& plan, std::vector<LocalIndex> numbers);
  bool update_rows();

  partner::Connection& provider_;
  partner::Context& context_;
  const transfer::MeshRelation& relation_;
  const FindMesh& own_mesh_;
  geometry::Box region_; // of direct access; empty without
  std::optional<ReceptionMemory>* memory_;
  ReceivedPlan last_;
  bool patches_ = false;                         // only changes travel
  std::optional<std::vector<LocalIndex>> moved_; // received vertices; none: they are others
  transfer::TransferredMesh received_;
  std::map<std::size_t, Integrals> integrals_; // by use that is scaled
  Searches searches_;
  transfer::SendPiece send_piece_ = [this](transport::LinkId link, std::vector<std::byte> bytes) {
    context_.hub.send(link, transport::Kind::read, std::move(bytes));
  };
  transfer::ReceivePiece receive_piece_ = [this](transport::LinkId link) {
    return context_.hub.receive(link, transport::Kind::mesh, context_.progress_timeout);
  };
};

} // namespace isthmus::planning
