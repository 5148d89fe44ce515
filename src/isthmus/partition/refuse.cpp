// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/refuse.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

namespace isthmus::partition {

void refuse_parts(const comm::Comm& comm, int parts, GlobalIndex count, const char* things,
                  bool empty_parts) {
  const int asked = comm::bcast(comm, parts);
  comm::agree(comm, [&] {
    check(parts == asked, "{} parts are asked for here and {} on rank 0", parts, asked);
    check(parts >= 1, "{} parts are asked for; 1 is the least", parts);
    check(empty_parts || parts <= count,
          "{} parts are asked for of {} {}; ask for fewer, or allow empty parts", parts, count,
          things);
  });
}

} // namespace isthmus::partition
