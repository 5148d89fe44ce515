// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/changes.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/message.hpp"

#include <algorithm>
#include <limits>

namespace isthmus::transfer {

void Changes::enclose(const geometry::Box& box) {
  if (box.empty()) {
    return;
  }
  if (num_boxes < max_boxes) {
    boxes[num_boxes++] = box;
    return;
  }
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < max_boxes; ++i) { // the one that grows least
    geometry::Box joined = boxes[i];
    joined.expand(box);
    const double growth = joined.diagonal() - boxes[i].diagonal();
    if (growth < least) {
      least = growth;
      best = i;
    }
  }
  boxes[best].expand(box);
}

void Changes::merge(const Changes& other) {
  is_small = std::min(is_small, other.is_small);
  moved_by = std::max(moved_by, other.moved_by);
  for (const geometry::Box& box : other.moved_boxes()) {
    enclose(box);
  }
}

bool Changes::reach(std::span<const geometry::Box> region) const {
  const auto all = moved_boxes();
  return !all.empty() &&
         (region.empty() || std::any_of(all.begin(), all.end(), [&](const geometry::Box& moved) {
            return std::any_of(region.begin(), region.end(), [&moved](const geometry::Box& box) {
              return box.intersects(moved);
            });
          }));
}

Changes merged_over_ranks(const comm::Comm& comm, Changes own) {
  const int rank = comm.rank();
  for (int step = 1; step < comm.size(); step *= 2) { // up a binomial tree
    if ((rank & step) != 0) {
      comm::send_message(comm, rank - step, std::as_bytes(std::span(&own, 1)));
      break;
    }
    if (rank + step < comm.size()) {
      const auto bytes = comm::receive_message(comm, rank + step);
      own.merge(Reader(bytes).get<Changes>());
    }
  }
  return comm::bcast(comm, own);
}

} // namespace isthmus::transfer
