// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/exports.hpp"
#include "isthmus/outputs/moment.hpp"
#include "isthmus/outputs/shown_data.hpp"
#include "iteration/one_mesh.hpp"
#include "participant/setup/working_directory.hpp"
#include "text_files.hpp"

#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::outputs;
using couple::WorkingDirectory;

namespace {

using Names = std::set<std::string>;

/// "B" and its mesh, of which each rank has the edge from (rank, 0) to (rank, 1).
struct Exporting {
  comm::Comm comm{MPI_COMM_WORLD};
  config::Configuration configuration = iteration::make_configuration();
  config::Participant& self = configuration.participants.back();
  mesh::Mesh mesh{"B-Mesh", 2};
  mesh::OwnMeshes meshes;
  LatestValues latest;

  explicit Exporting(std::vector<config::Export> exports) {
    self.exports = std::move(exports);
    const double x = comm.rank();
    mesh.add_vertices(std::vector<double>{x, 0, x, 1});
    mesh.add_edges(std::vector<LocalIndex>{0, 1});
    meshes.add(mesh);
  }
  Exporting(const Exporting&) = delete;
  Exporting& operator=(const Exporting&) = delete;

  /// Its exports with plans of nothing, for what is provided needs none.
  void play(const std::function<void(Exports&, fields::FieldSet&)>& steps) {
    fields::FieldSet fields(config::declared_fields(configuration, self));
    for (fields::Field* field : fields.all()) {
      field->resize(2);
    }
    fields::Plans plans;
    const fields::PlannedFields planned(plans, configuration.meshes, self, fields);
    const ShownMeshes shown = shown_meshes(configuration, self);
    Exports exports(comm, shown, self, fields, latest);
    exports.set_meshes(meshes, planned);
    steps(exports, fields);
    comm::barrier(comm);
  }
  /// The name of the csv file of a rank.
  [[nodiscard]] std::string csv(const std::string& index, int rank) const {
    return comm.size() == 1 ? fmt::format("out/B-Mesh-B.{}.csv", index)
                            : fmt::format("out/B-Mesh-B.{}_{}.csv", rank, index);
  }
};

config::Export settings(config::ExportKind kind) {
  config::Export result;
  result.kind = kind;
  result.directory = "out";
  return result;
}

Names files_in(const std::string& folder) {
  Names names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(folder + "/" + entry.path().filename().string());
  }
  return names;
}

void show_windows(Exports& exports, int windows) {
  exports.show(Moment{.completes_window = true});
  for (int window = 1; window <= windows; ++window) {
    exports.show(Moment{.time = 0.5 * window - 0.25,
                        .advances = 2 * window - 1,
                        .windows = window - 1,
                        .repeats_window = true});
    exports.show(Moment{
        .time = 0.5 * window, .advances = 2 * window, .windows = window, .completes_window = true});
  }
}

} // namespace

TEST_CASE("files are written after so many windows, after each iteration, or not at all") {
  for (const bool every_iteration : {false, true}) {
    for (const int every : {1, 2, -1}) {
      const WorkingDirectory here;
      config::Export csv = settings(config::ExportKind::csv);
      csv.every_n_time_windows = every;
      csv.every_iteration = every_iteration;
      Exporting exporting({csv});
      Names expected;
      const auto expect = [&](const std::vector<std::string>& indices) {
        for (int rank = 0; rank < exporting.comm.size(); ++rank) {
          for (const std::string& index : indices) {
            expected.insert(exporting.csv(index, rank));
          }
        }
      };
      if (every < 0) {
        expect({});
      } else if (every_iteration) {
        expect({"init", "it1", "it2", "it3", "it4", "it5", "it6"});
      } else {
        expect(every == 1 ? std::vector<std::string>{"init", "dt1", "dt2", "dt3"}
                          : std::vector<std::string>{"init", "dt2"});
      }
      exporting.play([](Exports& exports, fields::FieldSet&) {
        show_windows(exports, 3);
        exports.finish();
      });
      const bool has_folder = std::filesystem::exists("out");
      CHECK(has_folder == (every > 0)); // made at the start
      CHECK((has_folder ? files_in("out") : Names{}) == expected);
      comm::barrier(exporting.comm);
    }
  }
}

TEST_CASE("files show the latest values, zeros where there are none") {
  const WorkingDirectory here;
  Exporting exporting({settings(config::ExportKind::csv)});
  exporting.play([&](Exports& exports, fields::FieldSet& fields) {
    fields::Field& x = fields.at("B-Mesh", "x");
    exporting.latest.observe(x, false);
    exports.show(Moment{.completes_window = true});
    x.wave().append(1, {7, 8.5});
    exports.show(Moment{.time = 1, .advances = 1, .windows = 1, .completes_window = true});
  });
  const int rank = exporting.comm.rank();
  CHECK(content(exporting.csv("init", rank)) ==
        fmt::format("PosX;PosY;Rank;x;y\n{0};0;{0};0;0\n{0};1;{0};0;0\n", rank));
  CHECK(content(exporting.csv("dt1", rank)) ==
        fmt::format("PosX;PosY;Rank;x;y\n{0};0;{0};7;0\n{0};1;{0};8.5;0\n", rank));
}

TEST_CASE("several exports stand beside each other, with the elements of the mesh") {
  const WorkingDirectory here;
  Exporting exporting({settings(config::ExportKind::vtu), settings(config::ExportKind::csv)});
  exporting.play([](Exports& exports, fields::FieldSet&) { show_windows(exports, 1); });
  const std::string piece = exporting.comm.size() == 1
                                ? "out/B-Mesh-B.dt1.vtu"
                                : fmt::format("out/B-Mesh-B.dt1_{}.vtu", exporting.comm.rank());
  CHECK(content(piece).find("NumberOfPoints=\"2\" NumberOfCells=\"1\"") != std::string::npos);
  CHECK(std::filesystem::exists(exporting.csv("dt1", exporting.comm.rank())));
  comm::barrier(exporting.comm);
}

TEST_CASE("a run that continues another goes on with its lists of files") {
  const WorkingDirectory here;
  Exporting exporting({settings(config::ExportKind::vtu)});
  const bool is_root = exporting.comm.is_root();
  const std::string extension = exporting.comm.size() == 1 ? "vtu" : "pvtu";
  const std::string list = "out/B-Mesh-B." + extension + ".series";
  std::vector<std::byte> kept;
  exporting.play([&](Exports& exports, fields::FieldSet&) {
    show_windows(exports, 1);
    Writer writer;
    exports.save(writer);
    kept = writer.take();
  });
  CHECK_FALSE(std::filesystem::exists(list)); // the run was interrupted
  comm::barrier(exporting.comm);
  exporting.play([&](Exports& exports, fields::FieldSet&) {
    Reader reader(kept);
    exports.restore(reader);
    exports.show(Moment{.time = 1, .advances = 4, .windows = 2, .completes_window = true});
    exports.finish();
  });
  if (is_root) {
    std::string entries;
    for (const char* entry : {"init 0", "dt1 0.5", "dt2 1"}) {
      const std::string text = entry;
      const std::size_t blank = text.find(' ');
      entries += fmt::format("{} {{ \"name\" : \"B-Mesh-B.{}.{}\", \"time\" : {} }}",
                             entries.empty() ? "" : ",", text.substr(0, blank), extension,
                             text.substr(blank + 1));
    }
    CHECK(content(list) ==
          "{ \"file-series-version\" : \"1.0\", \"files\" : [" + entries + " ] }\n");
  }
}
