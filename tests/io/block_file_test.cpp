// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/blocks/block_file.hpp"

#include "folder.hpp"
#include "isthmus/base/checksum/crc32c.hpp"
#include "isthmus/base/error.hpp"
#include "limits.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <mpi.h>
#include <sys/mount.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>

using namespace isthmus;
using io::Durability;

namespace {

constexpr std::uint32_t halo = 2;

/// Eleven blocks of unequal size, one of them empty, three variables, two snapshots.
io::BlockGrid grid() {
  io::BlockGrid result{{}, {"density", "momentum", "energy"}, 2};
  for (std::uint32_t b = 0; b < 11; ++b) {
    result.cells.push_back({1 + b % 4, 2 + b % 3, b == 5 ? 0 : 1 + b});
  }
  return result;
}

/// The value of the n-th interior number of a block, in the order of the file.
double value(std::size_t block, std::size_t n, double shift) {
  return 1000.0 * static_cast<double>(block) + static_cast<double>(n) / 7 + shift;
}

/// Blocks of one rank with halos, which hold -1.
struct Blocks {
  std::vector<std::size_t> numbers;
  std::vector<std::vector<double>> arrays;

  Blocks(std::vector<std::size_t> own, std::uint32_t layers) : numbers(std::move(own)) {
    for (const std::size_t block : numbers) {
      arrays.emplace_back(storage(block, layers).stored(), -1.0);
    }
  }
  static io::BlockStorage storage(std::size_t block, std::uint32_t layers) {
    return {grid().cells[block], layers, 6};
  }
  void set(double shift) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto block = storage(numbers[i], halo);
      std::vector<double> packed(block.interior());
      for (std::size_t n = 0; n < packed.size(); ++n) {
        packed[n] = value(numbers[i], n, shift);
      }
      io::unpack(block, packed.data(), arrays[i]);
    }
  }
  [[nodiscard]] std::vector<std::span<const double>> views() const {
    return {arrays.begin(), arrays.end()};
  }
  [[nodiscard]] std::vector<std::span<double>> rooms() { return {arrays.begin(), arrays.end()}; }
};

/// Deals the blocks unequally and not in order: rank 0 gets most.
std::vector<std::size_t> dealt(const comm::Comm& comm) {
  std::vector<std::size_t> own;
  for (std::size_t b = 0; b < grid().cells.size(); ++b) {
    const auto ranks = static_cast<std::size_t>(comm.size());
    const std::size_t owner = b % 2 == 0 ? 0 : (b * 7) % ranks;
    if (owner == static_cast<std::size_t>(comm.rank())) {
      own.push_back(b);
    }
  }
  return own;
}

/// Whether all ranks together read back what set(shift) made, each rank every block.
void check_file(const comm::Comm& comm, const std::filesystem::path& path, double shift) {
  const io::BlockReader reader(comm, path);
  CHECK(reader.grid().cells == grid().cells);
  CHECK(reader.grid().variables == grid().variables);
  std::vector<std::size_t> all(grid().cells.size());
  for (std::size_t b = 0; b < all.size(); ++b) {
    all[b] = (b + 3 * static_cast<std::size_t>(comm.rank())) % all.size();
  }
  Blocks blocks(all, 0);
  reader.read(blocks.numbers, 0, blocks.rooms());
  bool right = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t n = 0; n < blocks.arrays[i].size(); ++n) {
      right = right && blocks.arrays[i][n] == value(all[i], n, shift);
    }
  }
  CHECK(right);
}

std::string write(const comm::Comm& comm, const std::filesystem::path& path, double shift) {
  Blocks blocks(dealt(comm), halo);
  blocks.set(shift);
  io::BlockWriter writer(comm, grid(), blocks.numbers, halo);
  writer.write(path, {0.25, 17}, blocks.views());
  comm::barrier(comm);
  return content(path);
}

} // namespace

TEST_CASE("a file does not depend on the ranks that wrote it, and any ranks read it") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const std::string bytes = write(comm, folder / "all", 0);
  CHECK(names_in(folder.path()) == std::set<std::string>{"all"});
  check_file(comm, folder / "all", 0);
  {
    const io::BlockReader reader(comm, folder / "all");
    CHECK(reader.moment().time == 0.25);
    CHECK(reader.moment().step == 17);
  }

  const comm::Comm alone(MPI_COMM_SELF);
  const std::string name = fmt::format("by-{}", comm.rank());
  CHECK(write(alone, folder / name, 0) == bytes);
  const comm::Comm serial; // without MPI
  CHECK(write(serial, folder / ("serial-" + name), 0) == bytes);
  check_file(serial, folder / "all", 0);

  const comm::Comm half = comm.split(comm.rank() % 2);
  check_file(half, folder / "all", 0);
}

TEST_CASE("halos stay as they are") {
  const comm::Comm comm(MPI_COMM_SELF);
  const Folder folder(comm);
  write(comm, folder / "f", 0);
  Blocks blocks({4}, 3);
  io::BlockReader(comm, folder / "f").read(blocks.numbers, 3, blocks.rooms());
  const auto storage = Blocks::storage(4, 3);
  std::vector<double> packed(storage.interior());
  io::pack(storage, blocks.arrays[0], packed.data());
  for (std::size_t n = 0; n < packed.size(); ++n) {
    REQUIRE(packed[n] == value(4, n, 0));
  }
  const auto untouched = std::count(blocks.arrays[0].begin(), blocks.arrays[0].end(), -1.0);
  CHECK(static_cast<std::size_t>(untouched) == storage.stored() - storage.interior());
}

TEST_CASE("a file that is written in the background holds the values of its beginning") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  Blocks blocks(dealt(comm), halo);
  io::BlockWriter writer(comm, grid(), blocks.numbers, halo);
  for (int step = 0; step < 4; ++step) {
    blocks.set(step);
    writer.begin(folder / fmt::format("f{}", step), {0.5 * step, 0}, blocks.views(),
                 Durability::process);
    blocks.set(-99); // the solver goes on
  }
  writer.finish();
  writer.finish();
  comm::barrier(comm);
  CHECK(names_in(folder.path()) == std::set<std::string>{"f0", "f1", "f2", "f3"});
  for (int step = 0; step < 4; ++step) {
    check_file(comm, folder / fmt::format("f{}", step), step);
  }
  {
    io::BlockWriter gives_up(comm, grid(), blocks.numbers, halo);
    gives_up.begin(folder / "never", {}, blocks.views());
  }
  comm::barrier(comm);
  CHECK(names_in(folder.path()).size() == 4);
}

TEST_CASE("values may be lent instead of copied") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  Blocks even(dealt(comm), halo);
  Blocks odd(dealt(comm), halo);
  io::BlockWriter writer(comm, grid(), even.numbers, halo);
  for (int step = 0; step < 4; ++step) {
    Blocks& blocks = step % 2 == 0 ? even : odd;
    blocks.set(step);
    writer.lend(folder / fmt::format("f{}", step), {}, blocks.views(), Durability::process);
  }
  writer.finish();
  for (int step = 0; step < 4; ++step) {
    check_file(comm, folder / fmt::format("f{}", step), step);
  }
  writer.lend(folder / "f0", {}, {});
  CHECK_THROWS_WITH_AS(writer.finish(), doctest::Contains("arrays were given"), Error);
}

TEST_CASE("a full disk is an error on all ranks, and the earlier file stays") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const std::string before = write(comm, folder / "f", 1);
  Blocks blocks(dealt(comm), halo);
  io::BlockWriter writer(comm, grid(), blocks.numbers, halo);
  {
    const FileSizeLimit limit(6000);
    CHECK_THROWS_AS(writer.write(folder / "f", {}, blocks.views()), Error);
    const auto in_background = [&] {
      writer.begin(folder / "f", {}, blocks.views());
      writer.finish();
    };
    CHECK_THROWS_WITH_AS(in_background(), doctest::Contains("File too large"), Error);
  }
  CHECK_THROWS_WITH_AS(writer.write(folder / "no/f", {}, blocks.views()),
                       doctest::Contains("No such file"), Error);
  comm::barrier(comm);
  CHECK(names_in(folder.path()) == std::set<std::string>{"f"});
  CHECK(content(folder / "f") == before);
  blocks.set(2);
  writer.write(folder / "f", {}, blocks.views()); // when there is space again
  check_file(comm, folder / "f", 2);
}

TEST_CASE("a disk that becomes full while ranks write is an error on all of them" * on_ranks(2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  Blocks blocks(dealt(comm), halo);
  std::optional<FileSizeLimit> limit;
  if (!comm.is_root()) { // which finds space
    limit.emplace(100);
  }
  io::BlockWriter writer(comm, grid(), blocks.numbers, halo);
  writer.begin(folder / "f", {}, blocks.views());
  CHECK_THROWS_WITH_AS(writer.finish(), doctest::Contains("rank 1"), Error);
}

TEST_CASE("a file system that is full is an error on all ranks, and the earlier file stays" *
          depends_on_machine) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const std::string space = fmt::format("size={}", io::BlockLayout(grid()).size() * 5 / 2);
  const bool mounted =
      comm.is_root() && mount("tmpfs", folder.path().c_str(), "tmpfs", 0, space.c_str()) == 0;
  if (!comm::bcast(comm, mounted)) {
    MESSAGE("not tested: no file system can be mounted here");
    return;
  }
  Blocks blocks(dealt(comm), halo);
  blocks.set(0);
  io::BlockWriter writer(comm, grid(), blocks.numbers, halo);
  for (const char* name : {"a", "b"}) { // as many as fit
    writer.write(folder / name, {}, blocks.views());
  }
  const auto before = names_in(folder.path());
  const auto in_background = [&] {
    writer.lend(folder / "c", {}, blocks.views());
    writer.finish();
  };
  blocks.set(5);
  CHECK_THROWS_WITH_AS(writer.write(folder / "a", {}, blocks.views()),
                       doctest::Contains("No space left"), Error);
  CHECK_THROWS_WITH_AS(in_background(), doctest::Contains("No space left"), Error);
  comm::barrier(comm);
  CHECK(names_in(folder.path()) == before);
  check_file(comm, folder / "a", 0);
  comm::barrier(comm);
  if (comm.is_root()) {
    CHECK(umount(folder.path().c_str()) == 0);
  }
}

TEST_CASE("files that are foreign, cut off or damaged are refused with a reason on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const std::string good = write(comm, folder / "f", 0);
  const auto refused = [&](const std::string& bytes, const char* reason) {
    comm::barrier(comm);
    if (comm.is_root()) {
      std::ofstream(folder / "f", std::ios::binary) << bytes;
    }
    comm::barrier(comm);
    CHECK_THROWS_WITH_AS(check_file(comm, folder / "f", 0), doctest::Contains(reason), Error);
  };
  const auto changed = [&](std::size_t at) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    return bytes;
  };
  refused("", "cut off");
  refused(std::string(200, 'x'), "not a block file");
  refused(good.substr(0, good.size() - 1), "cut off");
  refused(good + "x", "appended");
  refused(changed(70), "header is damaged");
  refused(changed(90), "names of its variables are damaged");
  const std::size_t index = io::BlockLayout(grid()).index;
  refused(changed(index + 3 * io::block_entry_size + 9), "entry of block 3 is damaged");
  refused(changed(good.size() - 5), "block 10 is damaged");
  CHECK_THROWS_WITH_AS(io::BlockReader(comm, folder / "none"), doctest::Contains("No such file"),
                       Error);
  CHECK_THROWS_AS(io::BlockReader(comm, folder.path()), Error);
}

TEST_CASE("any bytes are read or refused") {
  const comm::Comm comm(MPI_COMM_SELF);
  const Folder folder(comm);
  const std::string good = write(comm, folder / "f", 0);
  const io::BlockLayout layout(grid());
  const auto end = layout.index + io::block_entry_size * grid().cells.size();
  std::minstd_rand random(1);
  int accepted = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string bytes = good.substr(0, end);
    const std::size_t at = random() % (trial % 2 == 0 ? 88 : bytes.size());
    const std::uint64_t wrong = random() % 3 == 0 ? ~std::uint64_t{0} : random();
    std::memcpy(bytes.data() + at, &wrong,
                std::min(std::size_t{1} + random() % 8, bytes.size() - at));
    if (trial % 4 < 2) { // a liar who knows how to make checksums
      const auto crc = crc32c(std::as_bytes(std::span(bytes)).first(84));
      std::memcpy(bytes.data() + 84, &crc, sizeof crc);
    }
    bytes.resize(random() % 5 == 0 ? random() % bytes.size() : bytes.size());
    try {
      (void)io::parse_index(std::as_bytes(std::span(bytes)), good.size());
      ++accepted;
    } catch (const Error&) { // the only way out
    }
  }
  CHECK(accepted < 20000 / 4); // time and step may be anything
}

TEST_CASE("a writer knows what it was given") {
  const comm::Comm comm(MPI_COMM_SELF);
  const Folder folder(comm);
  CHECK_THROWS_AS(io::BlockWriter(comm, grid(), {3, 2}, 0), Error);
  CHECK_THROWS_AS(io::BlockWriter(comm, grid(), {11}, 0), Error);
  io::BlockWriter writer(comm, grid(), {2}, 1);
  CHECK_THROWS_AS(writer.write(folder / "f", {}, {}), Error);
  const std::vector<double> too_short(5);
  const std::vector<std::span<const double>> values{too_short};
  CHECK_THROWS_WITH_AS(writer.write(folder / "f", {}, values), doctest::Contains("5 were given"),
                       Error);
}
