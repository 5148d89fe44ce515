// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"
#include "isthmus/discrete/face_mesh.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::discrete {

/// How the receiver learns how long a message is.
enum class Sizes {
  announced,  // a message with the size before each, as in OpenFOAM 2.3
  remembered, // before the first ones only: right as long as no mesh changes (Lin et al.)
  planned     // both ends know it from the faces
};

/// Messages between the ranks that share faces, as many values both ways.
class FaceExchange {
 public:
  explicit FaceExchange(const comm::Comm& comm, Sizes sizes = Sizes::planned)
      : comm_(&comm), sizes_(sizes) {}

  /// For other faces from now on; up to one value more than faces for each patch.
  void reset(const FaceMesh& mesh);

  /// What to send with the next message, and what came with the latest one.
  [[nodiscard]] std::span<double> outgoing(std::size_t patch) {
    return std::span(out_).subspan(offsets_[patch], offsets_[patch + 1] - offsets_[patch]);
  }
  [[nodiscard]] std::span<const double> arrived(std::size_t patch) const {
    return std::span(in_).subspan(offsets_[patch], offsets_[patch + 1] - offsets_[patch]);
  }

  /// Starts a message of so many values to and from each patch; none where it is zero. Buffers must
  /// not be touched before finish().
  void begin(std::span<const std::size_t> counts);
  void finish();
  /// Sizes::remembered: all sizes are known from now on.
  void remember() { known_ = sizes_ == Sizes::remembered; }

  [[nodiscard]] const comm::Traffic& traffic() const { return traffic_; } ///< all but the sizes
  [[nodiscard]] std::int64_t num_size_messages() const { return num_size_messages_; }

 private:
  void announce(std::span<const std::size_t> counts);

  const comm::Comm* comm_;
  Sizes sizes_;
  bool known_ = false;
  std::vector<int> ranks_;              // of the patches
  std::vector<std::size_t> offsets_{0}; // of the patches' values
  std::vector<double> out_, in_;
  std::vector<std::int64_t> sizes_out_, sizes_in_;
  std::vector<MPI_Request> requests_;
  comm::Traffic traffic_;
  std::int64_t num_size_messages_ = 0;
};

} // namespace isthmus::discrete
