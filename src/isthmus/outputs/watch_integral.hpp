// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/fields/field.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/outputs/latest_values.hpp"
#include "isthmus/outputs/watch_table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace isthmus::outputs {

/// The integrals of all data over a provided mesh, or their sums over its vertices, written to
/// precice-PARTICIPANT-watchintegral-NAME.log by the first rank. Each rank adds what it gave: a
/// vertex that two ranks gave counts twice in a sum.
class WatchIntegral {
 public:
  /// Collective. Error on all ranks if the file cannot be written. The arguments but the mesh must
  /// outlive the object.
  WatchIntegral(const comm::Comm& comm, const config::WatchIntegral& settings,
                const std::string& participant, const mesh::Mesh& mesh,
                std::vector<const fields::Field*> fields, std::optional<std::uint64_t> keep);

  /// Collective. The mesh is another one from now on. Returns the dimension of its cells; 0: none.
  int measure(const mesh::Mesh& mesh);
  /// Collective. Adds up for show(), what the solver reads at this time.
  void add_up(double time, const LatestValues& latest);
  /// One line. Error if it cannot be written, on the first rank.
  void show(double time);
  /// Bytes of the table so far; 0 on ranks that do not write it.
  [[nodiscard]] std::uint64_t table_size() const { return table_.size(); }

 private:
  const comm::Comm& comm_;
  const config::WatchIntegral& settings_;
  std::vector<const fields::Field*> fields_;
  std::vector<double> weights_; // by vertex; empty: 1
  bool shows_area_ = false;     // there were cells at the start
  double area_ = 0;             // of all cells
  std::vector<double> sums_;
  WatchTable table_;
};

} // namespace isthmus::outputs
