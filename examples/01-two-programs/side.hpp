// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <isthmus/isthmus.hpp>

#include <span>
#include <string_view>
#include <vector>

/// The interface as one program sees it: points on the line x = 0, 0 <= y <= 1, dealt over the
/// ranks. Neighbouring ranks share a point, so that together their edges cover the line.
class Side {
 public:
  Side(isthmus::Participant& participant, std::string_view mesh, int points)
      : participant_(participant), mesh_(mesh) {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int edges = points - 1;
    std::vector<double> positions;
    for (int i = edges * rank / size; i <= edges * (rank + 1) / size; ++i) {
      y.push_back(static_cast<double>(i) / edges);
      positions.insert(positions.end(), {0.0, y.back()});
    }
    ids_.resize(y.size());
    participant_.set_mesh_vertices(mesh_, positions, ids_);
    for (std::size_t i = 1; i < ids_.size(); ++i) {
      participant_.set_mesh_edges(mesh_, std::vector{ids_[i - 1], ids_[i]});
    }
  }

  void write(std::string_view data, std::span<const double> values) {
    participant_.write_data(mesh_, data, ids_, values);
  }

  /// Values at the beginning of the time step.
  [[nodiscard]] std::vector<double> read(std::string_view data) const {
    std::vector<double> values(ids_.size());
    participant_.read_data(mesh_, data, ids_, 0.0, values);
    return values;
  }

  std::vector<double> y; // of this rank's points

 private:
  isthmus::Participant& participant_;
  std::string_view mesh_;
  std::vector<isthmus::VertexId> ids_;
};
