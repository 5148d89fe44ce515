// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/traffic.hpp"

namespace isthmus::comm {

void Traffic::count_allreduce(int ranks, std::size_t size) {
  for (std::int64_t distance = 1; distance < ranks; distance *= 2) {
    count(size);
    ++received;
  }
}

void Traffic::count_alltoall(int ranks, std::size_t size) {
  for (std::int64_t distance = 1; distance < ranks; distance *= 2) {
    std::int64_t entries = 0; // those whose way has this step in it
    for (std::int64_t way = 1; way < ranks; ++way) {
      entries += (way & distance) != 0 ? 1 : 0;
    }
    count(static_cast<std::size_t>(entries) * size);
    ++received;
  }
}

void Traffic::count_bcast(int rank, int ranks, std::size_t size) {
  std::int64_t distance = 1;
  for (; rank + distance < ranks && (rank & distance) == 0; distance *= 2) {
    count(size);
  }
  received += rank > 0 ? 1 : 0;
}

} // namespace isthmus::comm
