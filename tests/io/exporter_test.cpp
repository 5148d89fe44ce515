// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/export/exporter.hpp"

#include "folder.hpp"
#include "isthmus/base/error.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <filesystem>
#include <vector>

using namespace isthmus;

namespace {

/// One vertex on each rank except the last of several.
struct Points {
  std::vector<double> coordinates{1, 2, 3};

  explicit Points(const comm::Comm& comm) {
    if (comm.size() > 1 && comm.rank() == comm.size() - 1) {
      coordinates.clear();
    }
  }
  [[nodiscard]] io::MeshPiece piece() const {
    return {.dimensions = 3, .coordinates = coordinates};
  }
};

using Names = std::set<std::string>;

/// What an exporter leaves behind after two indices.
Names names_of(const comm::Comm& comm, io::ExportFormat format) {
  const Folder folder(comm);
  io::Exporter exporter(comm, {format, folder / "a/b", "M-P"});
  exporter.write("init", 0, Points(comm).piece());
  exporter.write("dt1", 0.5, Points(comm).piece());
  exporter.finish();
  comm::barrier(comm);
  return names_in(folder / "a/b");
}

} // namespace

TEST_CASE("files of one rank have the names that preCICE gives them" * on_ranks(1, 1)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  CHECK(names_of(comm, io::ExportFormat::vtu) ==
        Names{"M-P.init.vtu", "M-P.dt1.vtu", "M-P.vtu.series"});
  CHECK(names_of(comm, io::ExportFormat::vtk) ==
        Names{"M-P.init.vtk", "M-P.dt1.vtk", "M-P.vtk.series"});
  CHECK(names_of(comm, io::ExportFormat::csv) == Names{"M-P.init.csv", "M-P.dt1.csv"});
}

TEST_CASE("files of several ranks have the names that preCICE gives them" * on_ranks(2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  Names vtp{"M-P.init.pvtp", "M-P.dt1.pvtp", "M-P.pvtp.series"};
  Names csv;
  for (int rank = 0; rank < comm.size() - 1; ++rank) { // the last rank is empty
    for (const char* index : {"init", "dt1"}) {
      vtp.insert(fmt::format("M-P.{}_{}.vtp", index, rank));
      csv.insert(fmt::format("M-P.{}_{}.csv", rank, index));
    }
  }
  CHECK(names_of(comm, io::ExportFormat::vtp) == vtp);
  CHECK(names_of(comm, io::ExportFormat::csv) == csv);
  CHECK_THROWS_AS(names_of(comm, io::ExportFormat::vtk), Error);
}

TEST_CASE("without the name of a folder, files are in the working directory") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  io::Exporter exporter(comm, {io::ExportFormat::csv, "", "M-P"});
  exporter.write("init", 0, Points(comm).piece());
  exporter.finish();
  comm::barrier(comm);
  std::filesystem::current_path(before);
  CHECK(std::ssize(names_in(folder.path())) == std::max(1, comm.size() - 1));
}

TEST_CASE("the joint file names the pieces, the series the files with their times") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  io::Exporter exporter(comm,
                        {io::ExportFormat::vtu, folder.path(), "M-P", /*updates_series=*/true});
  exporter.write("init", 0, Points(comm).piece());
  exporter.write("it2", 0.25, Points(comm).piece());
  const std::string p = comm.size() == 1 ? "" : "p";
  const std::string expected = fmt::format(
      "{{ \"file-series-version\" : \"1.0\", \"files\" : [ {{ \"name\" : \"M-P.init.{0}vtu\", "
      "\"time\" : 0 }}, {{ \"name\" : \"M-P.it2.{0}vtu\", \"time\" : 0.25 }} ] }}\n",
      p);
  CHECK(content(folder / ("M-P." + p + "vtu.series")) == expected);
  if (comm.size() > 1) {
    const std::string joint = content(folder / "M-P.it2.pvtu");
    for (int rank = 0; rank < comm.size(); ++rank) {
      const bool named =
          joint.find(fmt::format("<Piece Source=\"M-P.it2_{}.vtu\"/>", rank)) != std::string::npos;
      CHECK(named == (rank < comm.size() - 1));
    }
  }
}

TEST_CASE("a file that is written again stands in the series once, with its latest time") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  io::Exporter exporter(comm, {io::ExportFormat::vtp, folder.path(), "M-P"});
  exporter.write("init", 0, Points(comm).piece());
  exporter.write("dt1", 1, Points(comm).piece());
  exporter.write("dt1", 1.5, Points(comm).piece());
  exporter.finish();
  const std::string p = comm.size() == 1 ? "" : "p";
  const std::string expected = fmt::format(
      "{{ \"file-series-version\" : \"1.0\", \"files\" : [ {{ \"name\" : \"M-P.init.{0}vtp\", "
      "\"time\" : 0 }}, {{ \"name\" : \"M-P.dt1.{0}vtp\", \"time\" : 1.5 }} ] }}\n",
      p);
  CHECK(content(folder / ("M-P." + p + "vtp.series")) == expected);
}

TEST_CASE("a folder that vanishes or cannot be made is an error on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  io::Exporter exporter(comm, {io::ExportFormat::vtu, folder / "gone", "M-P"});
  comm::barrier(comm);
  if (comm.is_root()) {
    std::filesystem::remove_all(folder / "gone");
    std::ofstream(folder / "file") << "not a folder";
  }
  comm::barrier(comm);
  std::string text;
  try {
    exporter.write("dt1", 1, Points(comm).piece());
  } catch (const Error& error) {
    text = error.what();
  }
  CHECK(text.find("gone/M-P.dt1") != std::string::npos);
  CHECK(text.find("No such file or directory") != std::string::npos);
  CHECK_THROWS_AS(io::Exporter(comm, {io::ExportFormat::csv, folder / "file", "M-P"}), Error);
}
