// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/atomic_file.hpp"

#include "folder.hpp"
#include "isthmus/base/error.hpp"
#include "limits.hpp"

#include <doctest/doctest.h>
#include <mpi.h>
#include <sys/wait.h>

#include <csignal>

using namespace isthmus;

TEST_CASE("a file is complete or as it was") {
  const comm::Comm comm(MPI_COMM_SELF);
  const Folder folder(comm);
  const auto path = folder / "f";
  {
    io::AtomicFile file(path);
    file.write("never seen");
    CHECK_FALSE(std::filesystem::exists(path));
  }
  CHECK(names_in(folder.path()).empty());

  io::write_file(path, "first", io::Durability::power);
  CHECK(content(path) == "first");
  {
    const FileSizeLimit limit(1000);
    io::AtomicFile file(path);
    CHECK_THROWS_WITH_AS(file.write(std::string(2000, 'x')), doctest::Contains("free space"),
                         Error);
  }
  CHECK(content(path) == "first");
  CHECK(names_in(folder.path()) == std::set<std::string>{"f"});
}

TEST_CASE("a writer that is killed leaves the earlier file") {
  const comm::Comm comm(MPI_COMM_SELF);
  const Folder folder(comm);
  const auto path = folder / "f";
  io::write_file(path, "earlier");
  const pid_t child = fork();
  if (child == 0) {
    io::AtomicFile file(path);
    file.write("half of");
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(content(path) == "earlier");
  io::write_file(path, "later"); // what the dead left behind is no hindrance
  CHECK(content(path) == "later");
  CHECK(names_in(folder.path()) == std::set<std::string>{"f"});
}
