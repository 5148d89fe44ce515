// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/alarm.hpp"

#include "handles.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/message.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <functional>

using namespace isthmus;
using namespace isthmus::comm;

#ifndef ISTHMUS_SIMULATED // nobody fails there
TEST_CASE("a rank that gives up ends every wait of the others, who pass it on" * on_ranks(2)) {
  const MayLeak kept;
  using Wait = std::function<void(const Comm&)>;
  const Wait waits[] = {
      [](const Comm& comm) { barrier(comm); },
      [](const Comm& comm) { agree(comm, [] {}); },
      [](const Comm& comm) { (void)allgather(comm, comm.rank()); },
      [](const Comm& comm) { (void)receive_message(comm, comm.size() - 1, tag_message); },
      [](const Comm& comm) { (void)sparse_exchange(comm, {}); },
      [](const Comm& comm) { (void)routed_exchange(comm, {}); },
  };
  for (const Wait& wait : waits) {
    const Comm comm(MPI_COMM_WORLD);
    comm.keep(); // unfinished operations
    if (comm.rank() == comm.size() - 1) {
      raise_alarm(comm, "rank 7: the solver diverged");
    } else {
      std::string reason;
      try {
        wait(comm);
      } catch (const Alarm& alarm) {
        reason = alarm.what();
        raise_alarm(comm, reason);
      }
      CHECK(reason == "rank 7: the solver diverged");
      CHECK_THROWS_AS(check_alarm(comm), Alarm); // as often as it is asked
    }
  }
}

TEST_CASE("a rank that gives up ends the waits of parts that it does not belong to" * on_ranks(3)) {
  const MayLeak kept;
  Comm comm(MPI_COMM_WORLD);
  comm.keep();
  comm.set_watch({}, 3599);
  const Comm part = comm.split(comm.rank() == 0 ? 0 : 1);
  part.keep();
  CHECK(part.progress_timeout() == 3599);
  if (comm.rank() == 0) {
    raise_alarm(comm, "rank 0: the solver diverged");
  } else if (comm.rank() + 1 < comm.size()) { // the last one never comes to the barrier
    CHECK_THROWS_WITH_AS(barrier(part), "rank 0: the solver diverged", Alarm);
    raise_alarm(comm, "rank 0: the solver diverged");
  }
}

TEST_CASE("what the watch throws ends a wait, and so does its limit" * on_ranks(2)) {
  const MayLeak kept;
  Comm comm(MPI_COMM_WORLD);
  comm.keep();
  if (comm.rank() == 0) {
    comm.set_watch([] { throw Error("a partner crashed"); }, 10);
    CHECK_THROWS_WITH_AS(barrier(comm), "a partner crashed", Error);
    comm.set_watch({}, 0.01);
    CHECK_THROWS_WITH_AS((void)receive_message(comm, 1, tag_message),
                         doctest::Contains("waited 0.01 s for other ranks of its participant"),
                         Error);
  }
}
#endif
