// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/face_exchange.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/await.hpp"

namespace isthmus::discrete {

namespace {
constexpr int value_tag = 281;
constexpr int size_tag = 282;
} // namespace

void FaceExchange::reset(const FaceMesh& mesh) {
  ranks_.clear();
  offsets_ = {0};
  for (const FaceMesh::Patch& patch : mesh.patches) {
    ranks_.push_back(patch.rank);
    offsets_.push_back(offsets_.back() + patch.faces.size() + 1);
  }
  out_.resize(offsets_.back());
  in_.resize(offsets_.back());
  sizes_out_.resize(ranks_.size());
  sizes_in_.resize(ranks_.size());
  requests_.reserve(2 * ranks_.size());
}

void FaceExchange::begin(std::span<const std::size_t> counts) {
  if (sizes_ != Sizes::planned && !known_) {
    announce(counts);
  }
  requests_.clear();
  for (std::size_t p = 0; p < ranks_.size(); ++p) {
    if (counts[p] > 0) {
      MPI_Irecv(&in_[offsets_[p]], static_cast<int>(counts[p]), MPI_DOUBLE, ranks_[p], value_tag,
                comm_->raw(), &requests_.emplace_back());
    }
  }
  for (std::size_t p = 0; p < ranks_.size(); ++p) {
    if (counts[p] > 0) {
      MPI_Isend(&out_[offsets_[p]], static_cast<int>(counts[p]), MPI_DOUBLE, ranks_[p], value_tag,
                comm_->raw(), &requests_.emplace_back());
      traffic_.count(counts[p] * sizeof(double));
    }
  }
}

void FaceExchange::finish() {
  if (!requests_.empty()) {
    comm::await(*comm_, requests_);
    requests_.clear();
  }
}

/// The sizes are known here all the same, which checks them.
void FaceExchange::announce(std::span<const std::size_t> counts) {
  requests_.clear();
  for (std::size_t p = 0; p < ranks_.size(); ++p) {
    MPI_Irecv(&sizes_in_[p], 1, MPI_INT64_T, ranks_[p], size_tag, comm_->raw(),
              &requests_.emplace_back());
    sizes_out_[p] = static_cast<std::int64_t>(counts[p]);
    MPI_Isend(&sizes_out_[p], 1, MPI_INT64_T, ranks_[p], size_tag, comm_->raw(),
              &requests_.emplace_back());
    ++num_size_messages_;
  }
  finish();
  for (std::size_t p = 0; p < ranks_.size(); ++p) {
    check(sizes_in_[p] == sizes_out_[p],
          "rank {} sends {} values of the faces that it shares with rank {}, which has {}; both "
          "need the same mesh",
          ranks_[p], sizes_in_[p], comm_->rank(), sizes_out_[p]);
  }
}

} // namespace isthmus::discrete
