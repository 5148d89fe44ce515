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
#include <span>
#include <string>
#include <vector>

namespace isthmus::outputs {

/// The values at the place of a provided mesh that is closest to a point, written to
/// precice-PARTICIPANT-watchpoint-NAME.log by the rank that holds it, the lowest of several.
class WatchPoint {
 public:
  /// Collective. Error on all ranks if the mesh has no vertex or the file cannot be written. The
  /// fields must outlive the object.
  WatchPoint(const comm::Comm& comm, const config::WatchPoint& settings,
             const std::string& participant, const mesh::Mesh& mesh,
             std::vector<const fields::Field*> fields, std::optional<std::uint64_t> keep);

  /// One line. Error if it cannot be written, on the rank that writes.
  void show(double time, const LatestValues& latest);
  /// Bytes of the table so far; 0 on ranks that do not write it.
  [[nodiscard]] std::uint64_t table_size() const { return table_.size(); }

 private:
  struct Corner {
    std::size_t vertex;
    double weight;
  };

  void find(const mesh::Mesh& mesh, std::span<const double> coordinate, const comm::Comm& comm);
  [[nodiscard]] std::vector<std::string> columns(const mesh::Mesh& mesh) const;

  std::vector<const fields::Field*> fields_;
  bool is_here_ = false;
  std::vector<Corner> corners_;
  std::vector<double> place_; // on the mesh
  WatchTable table_;
};

} // namespace isthmus::outputs
