// SPDX-License-Identifier: BSD-3-Clause
// test_program passes | fails: a program whose main() is run_program(). Each rank looks at its own
// exit code, and at what it said: nothing, or on rank 0 the reason, once, which was thrown on the
// last rank only.
#include "isthmus/comm/program.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

int rank = -1;
int size = 0;

void work(const isthmus::comm::Comm& comm, const std::vector<std::string>& words) {
  rank = comm.rank();
  size = comm.size();
  isthmus::comm::agree(comm, [&words] {
    isthmus::check(words[0] != "fails" || rank + 1 < size, "it rains on {} ranks", size);
  });
}

} // namespace

int main(int argc, char** argv) {
  char name[] = "/tmp/isthmus-test-program-XXXXXX";
  const int file = mkstemp(name);
  const int terminal = dup(STDERR_FILENO);
  dup2(file, STDERR_FILENO);
  const int code = isthmus::comm::run_program(argc, argv, work);
  std::fflush(stderr);
  dup2(terminal, STDERR_FILENO);
  std::ifstream stream(name);
  const std::string said{std::istreambuf_iterator<char>(stream), {}};
  unlink(name);
  const bool fails = std::string(argv[1]) == "fails";
  const std::string who = size == 1 ? "" : "rank " + std::to_string(size - 1) + ": ";
  const std::string expected =
      fails && rank == 0 ? "error: " + who + "it rains on " + std::to_string(size) + " ranks\n"
                         : "";
  if (rank < 0 || code != (fails ? 1 : 0) || said != expected) {
    std::fprintf(stderr, "rank %d: exit code %d, said '%s' and not '%s'\n", rank, code,
                 said.c_str(), expected.c_str());
    return 1;
  }
  return 0;
}
