// SPDX-License-Identifier: BSD-3-Clause
// The main of every test program: MPI around doctest, cases in declared order on all ranks, and one
// verdict for all of them.
#define DOCTEST_CONFIG_IMPLEMENT
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int skipped = 77; // what CTest takes for a test that this machine does not allow

std::vector<std::pair<std::string, OnRanks>>& limits() {
  static std::vector<std::pair<std::string, OnRanks>> all;
  return all;
}

/// What the cases of this rank have checked.
struct Checks {
  std::vector<std::string> cases;
  std::vector<int> counts;
  bool is_excused = false; // the present one says that it cannot be tested on this machine
  int num_excused = 0;
};

Checks& checks() {
  static Checks all;
  return all;
}

struct Counter : doctest::IReporter {
  explicit Counter(const doctest::ContextOptions& /*options*/) {}
  void test_case_start(const doctest::TestCaseData& test) override {
    checks().cases.emplace_back(test.m_name);
    checks().is_excused = false;
  }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    checks().counts.push_back(stats.numAssertsCurrentTest + (checks().is_excused ? 1 : 0));
    checks().num_excused += checks().is_excused ? 1 : 0;
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData& message) override {
    const std::string text = message.m_string.c_str();
    checks().is_excused = checks().is_excused || text.rfind("not tested: ", 0) == 0;
  }
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

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
bool all_check(int rank) {
  Checks& own = checks();
  int differs[2] = {static_cast<int>(own.counts.size()), -static_cast<int>(own.counts.size())};
  MPI_Allreduce(MPI_IN_PLACE, differs, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (differs[0] != -differs[1]) { // a rank has ended in the middle
    return false;
  }
  MPI_Allreduce(MPI_IN_PLACE, own.counts.data(), differs[0], MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < own.counts.size(); ++i) {
    if (own.counts[i] == 0 && rank == 0) {
      std::printf("CHECKS NOTHING with these ranks: %s\n", own.cases[i].c_str());
    }
  }
  return std::find(own.counts.begin(), own.counts.end(), 0) == own.counts.end();
}

} // namespace

void OnRanks::fill(doctest::detail::TestCase& test) const {
  limits().emplace_back(test.m_name, *this);
}

REGISTER_LISTENER("counter", 1, Counter);

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
  if (!context.shouldExit() && !all_check(rank)) { // not where cases were only listed
    failed = 1;
  }
  if (failed == 0 && checks().num_excused > 0) {
    failed = skipped;
  }
  int worst = 0;
  MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return worst;
}
