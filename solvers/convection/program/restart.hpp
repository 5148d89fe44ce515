// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/mesh/mesh.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/halo.hpp"
#include "isthmus/io/export/exporter.hpp"
#include "isthmus/la/global_ids.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace isthmus::convection {

/// Where a run stands.
struct State {
  std::int64_t steps = 0;                         // from the start
  double time = 0;                                // after them
  double step = 0;                                // length of the latest
  double next_step = 0;                           // of adaptive steps; 0: not known
  double last_change = 0;                         // StepControl::last_change()
  std::vector<double> values, temperature;        // of this rank's nodes, four and one each
  std::vector<double> values_before, heat_before; // one step earlier; empty: not known
  std::vector<io::Exporter::Entry> series;        // files written so far, on rank 0
};

/// The state of a run in one file (io::CheckpointWriter), from which any ranks go on: values lie in
/// the order of the nodes' ids, whichever rank wrote them. The file knows its mesh.
class Restart {
 public:
  /// Collective. Both must outlive this. The nodes of the mesh have the ids 0, 1, 2, ….
  Restart(const comm::Comm& comm, const Mesh& mesh);

  /// Collective. An earlier file stays unless all of it was written. Throws Error on all ranks.
  void write(const std::filesystem::path& path, const State& state);
  /// Collective. Throws Error on all ranks where the file is missing, cut short, damaged, none of
  /// this solver, of another mesh, or holds values that are no numbers.
  [[nodiscard]] State read(const std::filesystem::path& path);

 private:
  /// Values of ids in `range_` become those of the nodes, or the other way about.
  [[nodiscard]] std::vector<double> to_nodes(std::span<const double> slice);
  [[nodiscard]] std::vector<double> to_slice(std::span<const double> nodes);

  const comm::Comm& comm_;
  la::Range range_;               // of ids that this rank writes and reads
  std::vector<std::size_t> own_;  // nodes with such ids
  std::vector<std::size_t> away_; // the others, by id
  std::vector<GlobalIndex> ids_;
  std::vector<char> is_foreign_; // whether another rank owns the node
  exchange::Halo halo_;
  std::uint64_t mark_ = 0; // of the mesh
};

} // namespace isthmus::convection
