// SPDX-License-Identifier: BSD-3-Clause
// The main of every test program: MPI around doctest, cases in declared order on all ranks, and one
// verdict for all of them.
#define DOCTEST_CONFIG_IMPLEMENT
#include "checks.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

std::vector<std::pair<std::string, OnRanks>>& limits() {
  static std::vector<std::pair<std::string, OnRanks>> all;
  return all;
}

/// Cases that this number of ranks does not fit.
void leave_out(doctest::Context& context, int rank, int size) {
  for (auto [name, fits] : limits()) {
    if (fits.allows(size)) {
      continue;
    }
    if (rank == 0) {
      std::printf("left out with %d rank%s: %s\n", size, size == 1 ? "" : "s", name.c_str());
    }
    std::replace(name.begin(), name.end(), ',', '?'); // of a list of patterns
    context.addFilter("test-case-exclude", name.c_str());
  }
}

/// Whether each case has checked something on some rank.
bool all_check_somewhere(int rank) {
  Checks& own = checks();
  int differs[2] = {static_cast<int>(own.counts.size()), -static_cast<int>(own.counts.size())};
  MPI_Allreduce(MPI_IN_PLACE, differs, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (differs[0] != -differs[1]) { // a rank has ended in the middle
    return false;
  }
  MPI_Allreduce(MPI_IN_PLACE, own.counts.data(), differs[0], MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return all_check(own, rank == 0);
}

} // namespace

void OnRanks::fill(doctest::detail::TestCase& test) const {
  limits().emplace_back(test.m_name, *this);
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided); // participants may run in threads
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  doctest::Context context(argc, argv);
  context.setOption("order-by", "file");
  context.setOption("no-intro", true);
  context.setOption("minimal", rank != 0);
  leave_out(context, rank, size);
  int failed = context.run();
  if (!context.shouldExit()) { // not where cases were only listed
    const bool has_all = has_what_was_asked(checks(), argc, argv, rank == 0);
    failed = all_check_somewhere(rank) && has_all ? failed : 1;
  }
  failed = exit_code(failed);
  int worst = 0;
  MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return worst;
}
