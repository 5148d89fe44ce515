// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/traffic.hpp"

namespace isthmus::comm {

void Traffic::count_allreduce(int ranks, std::size_t size) {
  for (std::int64_t distance = 1; distance < ranks; distance *= 2) {
    count(size);
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
