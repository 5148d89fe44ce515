// SPDX-License-Identifier: BSD-3-Clause
// Attributes of exports, sinks of the log and connections do what they say, end to end.
#include "message_of.hpp"
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "ranks.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <set>

using namespace couple;

namespace {

using Names = std::set<std::string>;

/// Two windows; A has an edge, B reads.
Scenario two_windows() {
  return {{{.first = "A", .second = "B", .max_windows = 2}},
          {{.from = "A", .to = "B", .data = "Heat"}}};
}

std::string exporting(const std::string& tag, bool implicit = false) {
  Scenario scenario = two_windows();
  scenario.inside["A"] = tag;
  if (implicit) {
    scenario.schemes[0].kind = "parallel-implicit";
    scenario.schemes[0].control = "<max-iterations value=\"2\"/>";
  }
  return scenario.xml();
}

void play_part(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const std::string mesh = seat.participant + "-Mesh";
  std::array<int, 2> ids{};
  participant.set_mesh_vertices(mesh, std::array{0.0, 0.0, 1.0, 0.0}, ids);
  participant.set_mesh_edges(mesh, ids);
  participant.initialize();
  while (participant.is_coupling_ongoing()) {
    static_cast<void>(participant.requires_writing_checkpoint());
    if (seat.participant == "A") {
      participant.write_data(mesh, "Heat", ids, std::array{1.0, 2.0});
    }
    participant.advance(1);
    static_cast<void>(participant.requires_reading_checkpoint());
    if (seat.participant == "B") {
      continue;
    }
    for (const auto& file : std::filesystem::directory_iterator(".")) {
      if (file.path().extension() == ".series" && participant.is_coupling_ongoing()) {
        seat.put("series before the end", 0, {1});
      }
    }
  }
  participant.finalize();
}

Names files_in(const std::string& folder, const std::string& extension) {
  Names names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.find("A-Mesh-A.") == 0 && entry.path().extension() != ".series" &&
        name.find("." + extension) != std::string::npos) {
      names.insert(name.substr(9, name.find("." + extension) - 9));
    }
  }
  return names;
}

const std::vector<Role> both{{"A", play_part}, {"B", play_part}};

} // namespace

TEST_CASE("exports of every format follow their attributes" * on_ranks(1, 1)) {
  for (const std::string format : {"vtk", "vtu", "vtp", "csv"}) {
    CAPTURE(format);
    const auto files = [&](const std::string& attributes, const std::string& folder = ".",
                           bool implicit = false) {
      const WorkingDirectory here;
      const Table reported =
          run(exporting(fmt::format("<export:{} {}/>", format, attributes), implicit), both,
              in_threads);
      CHECK((reported.count("series before the end") > 0) ==
            (attributes.find("update-series") != std::string::npos && format != "csv"));
      return here.is_root() ? files_in(folder, format) : Names{};
    };
    const auto check_files = [](const Names& found, const Names& expected) {
      CHECK((found == expected || found.empty())); // only the first process sees threads
    };
    check_files(files(""), {"init", "dt1", "dt2"});
    check_files(files("directory=\"out\"", "out"), {"init", "dt1", "dt2"});
    check_files(files("every-n-time-windows=\"2\""), {"init", "dt2"});
    check_files(files("update-series=\"true\""), {"init", "dt1", "dt2"});
    check_files(files("every-iteration=\"true\"", ".", true), {"init", "it1", "it2", "it3", "it4"});
    check_files(files("", ".", true), {"init", "dt1", "dt2"});
  }
}

TEST_CASE("sinks of the log follow their attributes" * on_ranks(1, 1)) {
  const WorkingDirectory here;
  Scenario scenario = two_windows();
  scenario.log = R"(<log>
    <sink type="file" output="all.txt" format="%Participant%/%Rank%|%Message%" />
    <sink type="file" output="errors.txt" filter="%Severity% >= error" />
    <sink type="file" output="off.txt" enabled="false" />
    <sink type="stream" output="stderr" filter="%Severity% >= error" /></log>)";
  // one participant after the other writes the same files: only A logs to them
  static_cast<void>(run(scenario.xml(), both, in_threads));
  if (here.is_root()) {
    CHECK(isthmus::content("all.txt").find("/0|") == 1);
    CHECK(std::filesystem::exists("errors.txt"));
    CHECK(isthmus::content("errors.txt").empty());
    CHECK(!std::filesystem::exists("off.txt"));
  }
}

TEST_CASE("a log has what is refused" * on_ranks(1, 1)) {
  const WorkingDirectory here;
  Scenario scenario = two_windows();
  scenario.log =
      R"(<log><sink type="file" output="all.txt" format="%Severity%|%Message%" /></log>)";
  static_cast<void>(run(scenario.xml(),
                        {{"A",
                          [](const Seat& seat) {
                            isthmus::Participant participant = seat.make();
                            const auto said = isthmus::message_of([&participant] {
                              participant.write_data("A-Mesh", "Heath", {}, {});
                            });
                            const std::string log = isthmus::content("all.txt");
                            CHECK(log.find("error|" + said + "\n") != std::string::npos);
                            CHECK(said.find("Heath") != std::string::npos);
                          }}},
                        in_threads));
}

TEST_CASE("a log that is not enabled is silent" * on_ranks(1, 1)) {
  const WorkingDirectory here;
  Scenario scenario = two_windows();
  scenario.log = R"(<log enabled="false"><sink type="file" output="all.txt" /></log>)";
  static_cast<void>(run(scenario.xml(), both, in_threads));
  CHECK(isthmus::content("all.txt").empty());
}

TEST_CASE("a summation adds its sources to its target at its time" * on_ranks(1, 1)) {
  for (const bool at_the_writer : {true, false}) {
    const std::string action = fmt::format(
        R"(<action:summation timing="{}-mapping-post" mesh="{}"><source-data name="One" />)"
        R"(<source-data name="Two" /><target-data name="Sum" /></action:summation>)",
        at_the_writer ? "write" : "read", at_the_writer ? "A-Mesh" : "B-Mesh");
    Scenario scenario{{{.first = "A", .second = "B", .max_windows = 1}},
                      {{.from = "A", .to = "B", .data = "One"},
                       {.from = "A", .to = "B", .data = "Two"},
                       {.from = "A", .to = "B", .data = "Sum"}}};
    scenario.inside[at_the_writer ? "A" : "B"] = action;
    const std::string text = scenario.xml();
    const auto play = [](const Seat& seat) {
      isthmus::Participant participant = seat.make();
      const std::string mesh = seat.participant + "-Mesh";
      const std::array ids{participant.set_mesh_vertex(mesh, std::array{0.0, 0.0})};
      participant.initialize();
      if (seat.participant == "A") {
        participant.write_data(mesh, "One", ids, std::array{3.0});
        participant.write_data(mesh, "Two", ids, std::array{4.0});
        participant.write_data(mesh, "Sum", ids, std::array{100.0}); // which it replaces
      }
      participant.advance(1);
      if (seat.participant == "B") {
        std::array<double, 1> sum{};
        participant.read_data(mesh, "Sum", ids, 0, sum);
        CHECK(sum[0] == 7);
      }
      participant.finalize();
    };
    CAPTURE(at_the_writer);
    static_cast<void>(run(text, {{"A", play}, {"B", play}}, in_threads));
  }
}

TEST_CASE("actions of one time act in the order in which they stand" * on_ranks(1, 1)) {
  const std::string sum =
      R"(<action:summation timing="write-mapping-post" mesh="A-Mesh"><source-data name="One" />)"
      R"(<target-data name="Sum" /></action:summation>)";
  const std::string share = R"(<action:multiply-by-area timing="write-mapping-post" mesh="A-Mesh">)"
                            R"(<target-data name="Sum" /></action:multiply-by-area>)";
  for (const bool sum_first : {true, false}) {
    Scenario scenario{
        {{.first = "A", .second = "B", .max_windows = 1}},
        {{.from = "A", .to = "B", .data = "One"}, {.from = "A", .to = "B", .data = "Sum"}}};
    scenario.inside["A"] = sum_first ? sum + share : share + sum;
    const auto play = [sum_first](const Seat& seat) {
      isthmus::Participant participant = seat.make();
      const std::string mesh = seat.participant + "-Mesh";
      std::array<int, 2> ids{};
      participant.set_mesh_vertices(mesh, std::array{0.0, 0.0, 1.0, 0.0}, ids);
      participant.set_mesh_edges(mesh, ids);
      participant.initialize();
      if (seat.participant == "A") {
        participant.write_data(mesh, "One", ids, std::array{3.0, 5.0});
      }
      participant.advance(1);
      if (seat.participant == "B") {
        std::array<double, 2> read{};
        participant.read_data(mesh, "Sum", ids, 0, read);
        CHECK(read == (sum_first ? std::array{1.5, 2.5} : std::array{3.0, 5.0}));
      }
      participant.finalize();
    };
    static_cast<void>(run(scenario.xml(), {{"A", play}, {"B", play}}, in_threads));
  }
}

TEST_CASE("network and port of <m2n:sockets> are those that are used" * on_ranks(1, 1)) {
  const WorkingDirectory here;
  const Environment sockets("ISTHMUS_TRANSPORT", "tcp");
  const ShortTimeout timeout;
  const Role alone{"A", [](const Seat& seat) {
                     isthmus::Participant participant = seat.make();
                     participant.finalize();
                   }};
  const auto error = [&](const std::string& attribute) {
    Scenario scenario = two_windows();
    scenario.connections.attributes = attribute;
    return play(scenario.xml(), {alone}, in_threads).all_errors();
  };
  CHECK(error("network=\"nowhere0\"").find("no network interface \"nowhere0\"") !=
        std::string::npos);

  const int taken = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof address;
  REQUIRE(bind(taken, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(listen(taken, 1) == 0);
  REQUIRE(getsockname(taken, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const int port = ntohs(address.sin_port);
  const std::string text = error(fmt::format("port=\"{}\"", port));
  CAPTURE(text);
  CHECK((!here.is_root() || // the first process plays, with a port of its own
         text.find(fmt::format("port {}: Address already in use", port)) != std::string::npos));
  close(taken);
}
