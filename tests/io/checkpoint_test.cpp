// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/checkpoint.hpp"

#include "folder.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/shared_file.hpp"
#include "limits.hpp"

#include <doctest/doctest.h>
#include <mpi.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdint>

using namespace isthmus;

namespace {

constexpr GlobalIndex length = 50; // of the global array

double entry(GlobalIndex i) {
  return static_cast<double>(i) / 3;
}

/// Rank r adds r + 1 integers, its slices of a global array, and rank 0 the time.
void write(const comm::Comm& comm, const std::filesystem::path& path, double time) {
  io::CheckpointWriter writer(comm);
  const std::vector<int> own(static_cast<std::size_t>(comm.rank() + 1), comm.rank());
  writer.add<int>("own", own);
  for (GlobalIndex first = 10 * comm.rank(); first < length; first += 10 * comm.size()) {
    std::vector<double> values;
    for (GlobalIndex i = first; i < first + 10; ++i) {
      values.push_back(entry(i));
    }
    writer.add_slice<double>("array", first, values);
  }
  if (comm.is_root()) {
    writer.add<double>("time", std::span<const double>(&time, 1));
    writer.add<char>("nothing", {});
  }
  writer.write(path);
}

void check_file(const comm::Comm& comm, const std::filesystem::path& path, int writers) {
  const io::CheckpointReader reader(comm, path);
  REQUIRE(reader.num_ranks() == writers);
  CHECK(reader.has("time"));
  CHECK_FALSE(reader.has("time", 1));
  CHECK_FALSE(reader.has("tim"));
  CHECK(reader.of_rank<double>("time", 0) == std::vector{2.5});
  CHECK(reader.of_rank<char>("nothing", 0).empty());
  for (int rank = 0; rank < writers; ++rank) {
    CHECK(reader.of_rank<int>("own", rank) ==
          std::vector<int>(static_cast<std::size_t>(rank + 1), rank));
  }
  CHECK(reader.length("array") == length);
  for (const GlobalIndex first : {0, 7, 49, 50}) {
    const auto part = reader.slice<double>("array", first, length - first);
    bool right = static_cast<GlobalIndex>(part.size()) == length - first;
    for (std::size_t i = 0; i < part.size(); ++i) {
      right = right && part[i] == entry(first + static_cast<GlobalIndex>(i));
    }
    CHECK(right);
  }
  CHECK_THROWS_AS((void)reader.of_rank<int>("own", writers), Error);
  CHECK_THROWS_AS((void)reader.of_rank<double>("own", 0), Error);
  CHECK_THROWS_AS((void)reader.slice<double>("array", 1, length), Error);
}

} // namespace

TEST_CASE("a checkpoint is read by any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  write(comm, folder / "c", 2.5);
  check_file(comm, folder / "c", comm.size());
  check_file(comm::Comm(), folder / "c", comm.size());
  comm::barrier(comm);
  if (comm.is_root()) {
    write(comm::Comm(), folder / "serial", 2.5);
  }
  comm::barrier(comm);
  check_file(comm, folder / "serial", 1);
}

TEST_CASE("a section is named once, and arrays have no gaps") {
  const comm::Comm comm;
  const Folder folder(comm);
  const std::vector<int> values{1, 2};
  io::CheckpointWriter writer(comm);
  writer.add<int>("a", values);
  CHECK_THROWS_AS(writer.add<int>("a", values), Error);
  CHECK_THROWS_AS(writer.add_slice<int>("a", 0, values), Error);
  CHECK_THROWS_AS(writer.add_slice<int>("b", -1, values), Error);
  writer.add_slice<int>("b", 0, values);
  writer.add_slice<int>("b", 3, values);
  writer.write(folder / "c");
  const io::CheckpointReader reader(comm, folder / "c");
  CHECK_THROWS_WITH_AS((void)reader.slice<int>("b", 0, 5), doctest::Contains("gaps"), Error);
  CHECK(reader.slice<int>("b", 3, 2) == values);
}

TEST_CASE("a checkpoint that fails or is killed leaves the earlier one") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  write(comm, folder / "c", 2.5);
  {
    const FileSizeLimit limit(200);
    CHECK_THROWS_AS(write(comm, folder / "c", 3), Error);
  }
  check_file(comm, folder / "c", comm.size());
  if (comm.is_root()) {
    const pid_t child = fork();
    if (child == 0) { // dies between its write and the renaming
      io::create_part(folder / "c", 1000);
      raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
  }
  check_file(comm, folder / "c", comm.size());
}

TEST_CASE("every changed or missing byte is noticed") {
  const comm::Comm comm(MPI_COMM_SELF);
  const Folder folder(comm);
  write(comm, folder / "c", 2.5);
  const std::string good = content(folder / "c");
  const auto read = [&](const std::string& bytes) {
    std::ofstream(folder / "c", std::ios::binary) << bytes;
    const io::CheckpointReader reader(comm, folder / "c");
    const auto own = reader.of_rank<int>("own", 0);
    return reader.of_rank<double>("time", 0)[0] + reader.slice<double>("array", 0, length)[1] +
           own[0];
  };
  const double right = read(good);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    const bool is_padding = at >= 36 && at < 40;
    if (is_padding) {
      CHECK(read(bytes) == right);
    } else {
      CHECK_THROWS_AS((void)read(bytes), Error);
    }
    CHECK_THROWS_AS((void)read(good.substr(0, at)), Error);
  }
}
