// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/refuse.hpp"

#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using partition::refuse_parts;

TEST_CASE("a number of parts is refused on all ranks unless there is something for each") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto says = [&](int parts, GlobalIndex count, bool empty_parts) {
    return message_of([&] { refuse_parts(comm, parts, count, "pebbles", empty_parts); });
  };
  CHECK(says(1, 1, false) == "no error");
  CHECK(says(5, 5, false) == "no error");
  CHECK(says(6, 5, false) ==
        "6 parts are asked for of 5 pebbles; ask for fewer, or allow empty parts");
  CHECK(says(1, 0, false) ==
        "1 parts are asked for of 0 pebbles; ask for fewer, or allow empty parts");
  CHECK(says(6, 5, true) == "no error");
  CHECK(says(1, 0, true) == "no error");
  CHECK(says(0, 5, true) == "0 parts are asked for; 1 is the least");
  CHECK(says(-2, 5, false) == "-2 parts are asked for; 1 is the least");
}

TEST_CASE("ranks that ask for different numbers of parts are told so, all of them" * on_ranks(2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const int last = comm.size() - 1;
  const std::string text =
      message_of([&] { refuse_parts(comm, comm.rank() == last ? 3 : 2, 100, "points", false); });
  CHECK(text == fmt::format("rank {}: 3 parts are asked for here and 2 on rank 0", last));
}
