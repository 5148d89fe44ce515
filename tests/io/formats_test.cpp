// SPDX-License-Identifier: BSD-3-Clause
// What files are made of, without the files.
#include "isthmus/io/file_mark.hpp"

#include "folder.hpp"
#include "isthmus/base/exception.hpp"
#include "isthmus/io/atomic_file.hpp"
#include "isthmus/io/background_write.hpp"
#include "isthmus/io/blocks/block_index.hpp"
#include "isthmus/io/blocks/block_values.hpp"
#include "isthmus/io/checkpoint_format.hpp"
#include "isthmus/io/export/mesh_piece.hpp"
#include "isthmus/io/mpi_file.hpp"
#include "isthmus/io/part_types.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <numeric>

using namespace isthmus;

TEST_CASE("a mark tells kind, byte order and version of a file") {
  constexpr io::FileMark mark = io::make_mark("isthtest");
  io::check_mark(mark, mark, "a test");
  io::FileMark other = io::make_mark("isthmore");
  CHECK(contains(message_of([&] { io::check_mark(other, mark, "a test"); }), "it is not a test"));
  other = mark;
  other.byte_order = 0x04030201;
  CHECK(contains(message_of([&] { io::check_mark(other, mark, "a test"); }), "another byte order"));
  other = mark;
  other.version = 2;
  CHECK(contains(message_of([&] { io::check_mark(other, mark, "a test"); }), "version 2"));
  struct Fields {
    std::uint32_t a, b, crc;
  };
  const Fields fields{1, 2, 3};
  CHECK(io::crc_of(fields) == io::crc_of(Fields{1, 2, 4})); // of what stands before it
  CHECK(io::crc_of(fields) != io::crc_of(Fields{1, 3, 3}));
  CHECK(contains(message_of([] { io::reading("some.file", [] { fail("it is odd"); }); }),
                 "\"some.file\" cannot be read: it is odd"));
}

TEST_CASE("the interior of a block is packed row by row, and halos stay when it comes back") {
  const io::BlockStorage block{.cells = {3, 2, 4}, .halo = 2, .fields = 2};
  CHECK(block.stored() == 7 * 6 * 8 * 2);
  CHECK(block.interior() == 3 * 2 * 4 * 2);
  std::vector<double> stored(block.stored());
  std::iota(stored.begin(), stored.end(), 0.0);
  std::vector<double> packed(block.interior());
  io::pack(block, stored, packed.data());
  std::size_t next = 0;
  for (std::size_t field = 0; field < 2; ++field) {
    for (std::size_t k = 2; k < 6; ++k) {
      for (std::size_t j = 2; j < 4; ++j) {
        for (std::size_t i = 2; i < 5; ++i) {
          CHECK(packed[next++] == static_cast<double>(((field * 8 + k) * 6 + j) * 7 + i));
        }
      }
    }
  }
  std::vector<double> back(stored.size(), -1);
  io::unpack(block, packed.data(), back);
  std::size_t inside = 0;
  for (std::size_t n = 0; n < back.size(); ++n) {
    CHECK((back[n] == -1 || back[n] == stored[n]));
    inside += back[n] != -1 ? 1U : 0U;
  }
  CHECK(inside == packed.size());
}

TEST_CASE("an index of blocks is read as it was written, and refused where a bit differs") {
  const io::BlockGrid grid{{{1, 2, 3}, {4, 1, 1}}, {"density", "energy"}, 2};
  const io::BlockLayout layout(grid);
  CHECK(layout.bytes_of(0) == 8 * 6 * 4);
  CHECK(layout.bytes_of(1) == 8 * 4 * 4);
  auto bytes = io::encode_header(grid, layout, {.time = 0.5, .step = 7});
  bytes.resize(layout.index);
  for (std::size_t b = 0; b < 2; ++b) {
    const auto entry =
        io::encode_entry(grid.cells[b], layout.offsets[b], 11 + static_cast<unsigned>(b));
    bytes.insert(bytes.end(), entry.begin(), entry.end());
  }
  CHECK(io::index_end(std::span(bytes).first(io::block_header_size), layout.size()) ==
        bytes.size());
  const io::BlockIndex index = io::parse_index(bytes, layout.size());
  CHECK(index.grid.cells == grid.cells);
  CHECK(index.grid.variables == grid.variables);
  CHECK(index.grid.snapshots == 2);
  CHECK(index.moment.time == 0.5);
  CHECK(index.moment.step == 7);
  CHECK(index.crcs == std::vector<std::uint32_t>{11, 12});
  for (const std::size_t at : {std::size_t{3}, io::block_header_size - 1, bytes.size() - 9}) {
    auto damaged = bytes;
    damaged[at] ^= std::byte{1};
    CHECK(message_of([&] { static_cast<void>(io::parse_index(damaged, layout.size())); }) !=
          "no error");
  }
}

TEST_CASE("the table of a checkpoint is read as it was written") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const auto path = folder / fmt::format("{}.checkpoint", comm.rank());
  const std::vector<io::CheckpointSection> sections{
      {.name = "time", .width = 8, .count = 1, .crc = 5},
      {.name = "p", .first = 40, .width = 8, .count = 3, .crc = 6}};
  const auto table = io::impl::encode_table(sections);
  const std::uint64_t begin = io::impl::checkpoint_header_size + io::impl::checkpoint_entry_size;
  const auto chunk = io::impl::make_chunk(begin, table, 32);
  CHECK(chunk.size == table.size() + 32);
  auto bytes = io::impl::encode_checkpoint_header(1, begin + chunk.size);
  const auto entry = std::as_bytes(std::span(&chunk, 1));
  bytes.insert(bytes.end(), entry.begin(), entry.end());
  bytes.insert(bytes.end(), table.begin(), table.end());
  bytes.resize(bytes.size() + 32);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
  int ranks = 0;
  const auto read = io::impl::parse_contents(io::impl::read_contents(path), ranks);
  CHECK(ranks == 1);
  REQUIRE(read.size() == 2);
  CHECK(read[0].name == "time");
  CHECK(read[0].first == io::CheckpointSection::of_rank);
  CHECK(read[0].offset == begin + table.size());
  CHECK(read[1].first == 40);
  CHECK(read[1].count == 3);
  CHECK(read[1].crc == 6);
  CHECK(read[1].offset == read[0].offset + 8);
}

TEST_CASE("types describe all parts of a rank, and what goes through them arrives") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const auto path = folder / "parts";
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  const auto rank = static_cast<std::uint64_t>(comm.rank());
  const std::string near(3, static_cast<char>('a' + comm.rank()));
  const std::string far(2, static_cast<char>('A' + comm.rank()));
  const std::vector<io::FilePart> parts{{3 * rank, std::as_bytes(std::span(near))},
                                        {3 * ranks + 2 * rank, std::as_bytes(std::span(far))}};
  const io::PartTypes types(parts);
  CHECK(types.bytes() == 5);
  CHECK(types.runs() == 2);
  const auto half = [&near](std::size_t first, std::size_t count) {
    return std::as_bytes(std::span(near)).subspan(first, count);
  };
  CHECK(io::PartTypes(std::vector<io::FilePart>{{7, half(1, 2)}, {6, half(0, 1)}}).runs() == 1);
  if (comm.is_root()) {
    std::ofstream(path) << std::string(5 * ranks, '.');
  }
  comm::barrier(comm);
  io::write_through_mpi(comm, path, parts, io::Durability::process);
  std::string expected;
  for (const auto& [letter, count] : {std::pair('a', 3U), std::pair('A', 2U)}) {
    for (int r = 0; r < comm.size(); ++r) {
      expected += std::string(count, static_cast<char>(letter + r));
    }
  }
  CHECK(content(path) == expected);
  std::vector<std::byte> all(5 * ranks);
  io::read_through_mpi(comm, path, std::vector<io::FileRoom>{{0, all}});
  CHECK(std::string(reinterpret_cast<const char*>(all.data()), all.size()) == expected);
}

TEST_CASE("threads of all ranks write a file that appears when they have finished") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const auto path = folder / "late";
  const std::string letters(4, static_cast<char>('a' + comm.rank()));
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  const auto work = [&] {
    io::write_into_part(path,
                        std::vector<io::FilePart>{{4 * static_cast<std::uint64_t>(comm.rank()),
                                                   std::as_bytes(std::span(letters))}},
                        io::Durability::process);
  };
  { const io::BackgroundWrite given_up(comm, path, 4 * ranks, io::Durability::process, work); }
  comm::barrier(comm);
  CHECK(!std::filesystem::exists(path));
  comm::barrier(comm);
  io::BackgroundWrite writing(comm, path, 4 * ranks, io::Durability::process, work);
  writing.finish();
  CHECK(content(path).substr(4 * static_cast<std::size_t>(comm.rank()), 4) == letters);
  CHECK(content(path).size() == 4 * ranks);
  io::BackgroundWrite failing(comm, path, 4 * ranks, io::Durability::process,
                              [] { fail("the thread has failed"); });
  CHECK(contains(message_of([&] { failing.finish(); }), "the thread has failed"));
}

TEST_CASE("a piece of a mesh lists its cells by kind, and is refused where it does not fit") {
  const std::vector<double> coordinates{0, 0, 1, 0, 0, 1};
  const std::vector<LocalIndex> edges{0, 1, 1, 2};
  const std::vector<LocalIndex> triangles{0, 1, 2};
  const std::vector<double> values{1, 2, 3};
  const std::vector<io::PieceField> fields{{"p", 1, values}};
  io::MeshPiece piece{.dimensions = 2,
                      .coordinates = coordinates,
                      .edges = edges,
                      .triangles = triangles,
                      .fields = fields};
  io::check_piece(piece);
  CHECK(piece.num_vertices() == 3);
  const auto cells = io::cells_of(piece);
  CHECK(cells[0].count() == 0);
  CHECK(cells[1].kind == 5); // VTK's triangle
  CHECK(cells[1].cell(0)[2] == 2);
  CHECK(cells[2].kind == 3);
  CHECK(cells[2].count() == 2);
  const std::vector<LocalIndex> beyond{0, 3};
  piece.edges = beyond;
  CHECK(message_of([&] { io::check_piece(piece); }) != "no error");
  piece.edges = {};
  const std::vector<io::PieceField> few{{"p", 2, values}};
  piece.fields = few;
  CHECK(contains(message_of([&] { io::check_piece(piece); }), "p"));
}
