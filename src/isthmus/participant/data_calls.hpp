// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/participant/vertex_id.hpp"

#include <span>
#include <string_view>

namespace isthmus {

namespace participant {
class Session;
}

/// What a participant writes and reads: values at vertices, and at positions that are mapped just
/// in time. Local; ids refer to this rank.
class DataCalls {
 public:
  DataCalls(const DataCalls&) = delete;
  DataCalls& operator=(const DataCalls&) = delete;

  /// Values per vertex: 1 for scalar data, the dimensions of the mesh for vector data. Error: the
  /// participant has no such mesh, or the mesh no such data.
  [[nodiscard]] int data_dimensions(std::string_view mesh, std::string_view data) const;

  /// `values`: one per id for scalar data, the components of one vertex after the other for vector
  /// data. Zero is sent where nothing is written. Error: sizes that do not fit, an id that is not
  /// of this rank, a value that is not finite, data that this participant does not write, a
  /// coupling that has ended.
  void write_data(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                  std::span<const double> values);

  /// Fills `values`, one per id for scalar data, the components of one vertex after the other for
  /// vector data, with those at `relative_time` after the current time, in the unit of the
  /// configuration's times, 0 to max_time_step_size(). Error: another time, sizes that do not fit,
  /// an id that is not of this rank, data that this participant does not read, before initialize().
  void read_data(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                 double relative_time, std::span<double> values) const;

  /// Whether a mapping needs the gradients of these data. Error: no such mesh or data.
  [[nodiscard]] bool requires_gradient_data_for(std::string_view mesh, std::string_view data) const;

  /// `gradients`: per id, of one component after the other, the derivative along each axis. Ignored
  /// where they are not required. Error: sizes that do not fit, an id that is not of this rank, a
  /// value that is not finite, data that this participant does not write.
  void write_gradient_data(std::string_view mesh, std::string_view data,
                           std::span<const VertexId> ids, std::span<const double> gradients);

  /// Just-in-time mapping to a received mesh. `positions`: the coordinates of one position after
  /// the other; `values`: one per position for scalar data, the components of one position after
  /// the other for vector data. Error: sizes that do not fit, a position outside of the access
  /// region, no such mapping, a value that is not finite.
  void write_and_map_data(std::string_view mesh, std::string_view data,
                          std::span<const double> positions, std::span<const double> values);

  /// Just-in-time mapping from a received mesh. `positions`: the coordinates of one position after
  /// the other; fills `values`, one per position for scalar data, the components of one position
  /// after the other for vector data, with those at `relative_time` after the current time, in the
  /// unit of the configuration's times, 0 to max_time_step_size(). Error: another time, sizes that
  /// do not fit, a position outside of the access region, no such mapping.
  void map_and_read_data(std::string_view mesh, std::string_view data,
                         std::span<const double> positions, double relative_time,
                         std::span<double> values) const;

 protected:
  /// `session` must outlive the calls.
  explicit DataCalls(participant::Session& session) : session_(session) {}
  ~DataCalls() = default;

 private:
  participant::Session& session_;
};

} // namespace isthmus
