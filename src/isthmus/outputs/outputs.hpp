// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/coupling.hpp"
#include "isthmus/mesh/own_meshes.hpp"
#include "isthmus/outputs/exports.hpp"
#include "isthmus/outputs/latest_values.hpp"
#include "isthmus/outputs/shown_data.hpp"
#include "isthmus/outputs/watch_integral.hpp"
#include "isthmus/outputs/watch_point.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::outputs {

/// What a participant writes beside its coupling.
class Outputs {
 public:
  /// The arguments but `shown` must outlive the object.
  Outputs(const comm::Comm& comm, ShownMeshes shown, const config::Participant& self,
          fields::FieldSet& fields);

  /// Collective. Makes folders and files; before the coupling starts, when the provided meshes are
  /// complete.
  void open(const mesh::OwnMeshes& meshes) { open(meshes, {}); }
  /// Collective. The same in a run that continues another, from what its save() returned.
  void reopen(const mesh::OwnMeshes& meshes, std::span<const std::byte> kept,
              coupling::Snapshot& snapshot);
  /// To be called when what the solver wrote is about to be sent.
  void take_written() { latest_.take_written(); }
  /// Collective. The state after initialize(), unless an earlier run has shown it.
  void show_start(const mesh::OwnMeshes& meshes, const coupling::Coupling& coupling);
  /// Collective. After an advance() with new meshes, which tables and files show from then on.
  void renew(const mesh::OwnMeshes& meshes, const coupling::Coupling& coupling);
  /// Collective. After each advance().
  void show_step(const coupling::Coupling& coupling);
  /// Collective.
  void finish();
  /// Collective. What a run needs that continues this one: latest values behind the samples of
  /// their fields, the rest in bytes that are valid on the first rank.
  [[nodiscard]] std::vector<std::byte> save(coupling::Snapshot& snapshot) const;

 private:
  void observe(const std::string& mesh);
  [[nodiscard]] std::vector<const fields::Field*> fields_on(const std::string& mesh) const;
  using TableSizes = std::map<std::string, std::uint64_t>; // bytes
  void open(const mesh::OwnMeshes& meshes, const TableSizes& earlier);
  [[nodiscard]] TableSizes table_sizes() const;
  [[nodiscard]] std::vector<int> has_kept() const;
  void show(const Moment& moment);
  void show_watches(double time);

  const comm::Comm& comm_;
  ShownMeshes shown_;
  const config::Participant& self_;
  fields::FieldSet& fields_;
  LatestValues latest_;
  std::optional<Exports> exports_;
  std::list<WatchPoint> points_;
  std::list<WatchIntegral> integrals_;
  int advances_ = 0; // of this run and the earlier one
  bool is_continued_ = false;
};

} // namespace isthmus::outputs
