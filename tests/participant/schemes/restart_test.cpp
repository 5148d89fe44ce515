// SPDX-License-Identifier: BSD-3-Clause
// A run that is interrupted and continued against the same run without an interruption.
#include "participant/setup/continued.hpp"
#include "participant/setup/working_directory.hpp"
#include "ranks.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

using namespace couple;

namespace {

const std::vector<Partner> pair{{"A", {"F"}, "T"}, {"B", {"T"}, "F"}};

} // namespace

TEST_CASE("a continued run has the same bits") {
  const auto ways = deals(2);
  const std::vector<Case> cases = all_cases();
  for (std::size_t turn = 0; turn < cases.size() && !ways.empty(); ++turn) {
    const Case& one = cases[turn];
    CAPTURE(one.kind);
    CAPTURE(one.acceleration);
    CAPTURE(one.substeps);
    const std::size_t way = turn % 4; // all cases are tested by few ranks, some by more
    if (ways.size() > 1 && way >= ways.size()) {
      continue;
    }
    const Deal deal = ways[way % ways.size()];
    const WorkingDirectory here;
    const std::vector<Partner> parts{{"A", {"F"}, "T", 6, 0, one.substeps ? 2 : 1},
                                     {"B", {"T"}, "F", turn % 2 == 0 ? 2 : 7, 0.3}};
    const std::string xml = pair_xml(one);
    const Table whole = run_saving(xml, parts, deal);
    const std::string log = isthmus::content("precice-A-iterations.log");
    const std::string convergence = isthmus::content("precice-B-convergence.log");
    const Table continued = run_from("4", xml, parts, whole, deal);
    CHECK(continued.size() == 8);
    CHECK(difference(later(whole, 4), continued) == "");
    CHECK(isthmus::content("precice-A-iterations.log") == log);
    CHECK(isthmus::content("precice-B-convergence.log") == convergence);
  }
}

TEST_CASE("a run is continued by other numbers of ranks" * on_ranks(3)) {
  const auto ways = deals(2);
  const std::vector<Case> cases = all_cases();
  for (std::size_t turn = 0; turn < cases.size() && ways.size() > 1; turn += 3) {
    CAPTURE(cases[turn].kind);
    CAPTURE(cases[turn].acceleration);
    const WorkingDirectory here;
    const std::string xml = pair_xml(cases[turn]);
    const Table whole = run_saving(xml, pair, ways.front());
    const Table continued = run_from("4", xml, pair, whole, ways.back());
    CHECK(continued.size() == 8);
    CHECK(largest_difference(later(whole, 4), continued) < 1e-12);
  }
}

TEST_CASE("a program asks for a restart file when it likes") {
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    const std::vector<Partner> asking{{"A", {"F"}, "T", 6, 0, 1, true},
                                      {"B", {"T"}, "F", 6, 0.2, 1, true}};
    const std::string xml = pair_xml({"parallel-implicit"});
    const Table whole = run(xml, roles(asking), deal);
    const Table continued = run_from("latest", xml, asking, whole, deal);
    CHECK(continued.empty());
    CHECK(difference(later(whole, 4), run_from("4", xml, asking, whole, deal)) == "");
  }
}

TEST_CASE("a single rank that holds more of a received mesh continues a run of several") {
  const std::vector<Partner> parts{{"A", {"F"}, "T", 9, 0.2}, {"B", {"T"}, "F", 5}};
  const std::string xml = pair_xml(all_cases()[4]);
  for (const Deal& before : deals(2)) {
    const WorkingDirectory here;
    const Table whole = run_saving(xml, parts, before);
    const Table continued = run_from("4", xml, parts, whole, serial(2));
    CHECK(largest_difference(later(whole, 4), continued) < 1e-4); // other equations
  }
}

TEST_CASE("gradients are measured nowhere, and continue with their data") {
  Case newton = all_cases()[4];
  CHECK(newton.acceleration.find("IQN-ILS") != std::string::npos);
  newton.mapping_of_a = "nearest-neighbor-gradient";
  const std::string xml = pair_xml(newton);
  const std::vector<Partner> parts{{"A", {"F"}, "T", 5, 0.2}, {"B", {"T"}, "F", 9}};
  const auto ways = deals(2);
  std::string residuals;
  for (std::size_t way = 0; way < ways.size(); ++way) {
    const WorkingDirectory here;
    const Table whole = run_saving(xml, parts, ways[way]);
    const std::string log = isthmus::content("precice-B-convergence.log");
    CHECK((residuals.empty() || log == residuals));
    residuals = log;
    CHECK(difference(later(whole, 4), run_from("4", xml, parts, whole, ways[way])) == "");
    const Table other = run_from("4", xml, parts, whole, ways[ways.size() - 1 - way]);
    CHECK(largest_difference(later(whole, 4), other) < 1e-12);
  }
}

TEST_CASE("three participants continue together" * on_ranks_for(3)) {
  const std::vector<Partner> parts{
      {"A", {"C"}, "XA"}, {"B", {"C"}, "XB", 5, 0.2}, {"C", {"XA", "XB"}, "C", 6, 0.1}};
  const std::string newton =
      R"(<max-iterations value="30"/>)"
      R"(<relative-convergence-measure data="XA" mesh="A-Mesh" limit="1e-8"/>)"
      R"(<acceleration:IQN-ILS><data name="XA" mesh="A-Mesh"/><data name="C" mesh="B-Mesh"/>)"
      R"(<max-used-iterations value="6"/><time-windows-reused value="2"/></acceleration:IQN-ILS>)";
  const std::vector<Scheme> multi{{.first = "A",
                                   .second = "C",
                                   .kind = "multi",
                                   .max_windows = 6,
                                   .control = newton,
                                   .others = {"B"},
                                   .controller = "C"}};
  const std::vector<Scheme> explicit_beside{{.first = "A",
                                             .second = "C",
                                             .kind = "serial-implicit",
                                             .max_windows = 6,
                                             .control = R"(<max-iterations value="4"/>)"},
                                            {.first = "B", .second = "C", .max_windows = 6}};
  for (const std::vector<Scheme>& schemes : {multi, explicit_beside}) {
    const auto ways = deals(3);
    if (ways.empty()) {
      continue;
    }
    const WorkingDirectory here;
    Scenario scenario{schemes, through_c("conservative")};
    for (Flow& flow : scenario.flows) {
      flow.substeps = std::any_of(schemes.begin(), schemes.end(), [&flow](const Scheme& scheme) {
        return scheme.has(flow) && scheme.is_implicit();
      });
    }
    const std::string xml = scenario.xml();
    const Table whole = run_saving(xml, parts, ways.front());
    const Table continued = run_from("latest", xml, parts, whole, ways.front());
    CHECK(continued.empty()); // nothing is left to do
    CHECK(difference(later(whole, 4), run_from("4", xml, parts, whole, ways.front())) == "");
  }
}

TEST_CASE("a finished run goes on to a later end") {
  const WorkingDirectory here;
  for (const std::string kind : {"serial-explicit", "serial-implicit"}) {
    const Table whole = run(pair_xml({kind}), roles(pair), serial(2));
    const Table half = run_saving(pair_xml({.kind = kind, .windows = 4}), pair, serial(2));
    const Table rest = run_from("latest", pair_xml({kind}), pair, half, serial(2));
    CHECK(difference(later(whole, 4), rest) == "");
    Table all = half;
    all.insert(rest.begin(), rest.end());
    CHECK(difference(whole, all) == "");
  }
}

TEST_CASE("outputs of a continued run follow those of the earlier one") {
  const std::string outputs =
      "<watch-point name=\"Tip\" mesh=\"A-Mesh\" coordinate=\"2.2; 0\"/>"
      "<watch-integral name=\"Sum\" mesh=\"A-Mesh\" "
      "scale-with-connectivity=\"false\"/>"
      "<export:vtu directory=\"out\" every-n-time-windows=\"1\" every-iteration=\"true\"/>";
  const Deal deal = serial(2);
  const std::string xml = pair_xml({.kind = "parallel-implicit", .of_a = outputs});
  const auto files = [] {
    std::map<std::string, std::string> texts;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(".")) {
      const bool has_times = entry.path().parent_path().filename() == "precice-profiling";
      if (entry.is_regular_file() && entry.path().extension() != ".restart" && !has_times) {
        texts[entry.path()] = isthmus::content(entry.path());
      }
    }
    return texts;
  };
  const WorkingDirectory here;
  const Table whole = run_saving(xml, pair, deal);
  const auto expected = files();
  CHECK(expected.size() > 20);
  const isthmus::comm::Comm world(MPI_COMM_WORLD);
  isthmus::comm::barrier(world);
  if (world.is_root()) {
    std::filesystem::rename("out", "out-before");
    std::filesystem::create_directory("out");
    for (const auto& entry :
         std::filesystem::directory_iterator("out-before")) { // before it stopped
      if (entry.path().string().find("init") != std::string::npos) {
        std::filesystem::copy(entry.path(), "out");
      }
    }
  }
  isthmus::comm::barrier(world);
  static_cast<void>(run_from("4", xml, pair, whole, deal));
  for (const auto& [file, text] : files()) {
    if (file.rfind("./out-before", 0) != 0) {
      CAPTURE(file);
      REQUIRE(expected.contains(file));
      CHECK(expected.at(file) == text);
    }
  }
}

namespace {

/// Runs that begin at a window, in a folder of their own, and what they say.
struct Restarts {
  WorkingDirectory here;
  Deal deal = serial(2);
  std::string xml = pair_xml({});
  std::filesystem::path folder = "isthmus-restart";

  void error(const std::string& window, const std::vector<Partner>& parts,
             const std::string& config, const std::string& what) const {
    const Environment from("ISTHMUS_RESTART", window);
    const Outcome outcome = play(config, roles(parts), deal);
    CAPTURE(outcome.all_errors());
    CHECK(outcome.all_errors().find(what) != std::string::npos);
    isthmus::comm::barrier(isthmus::comm::Comm(MPI_COMM_WORLD));
  }

  template <typename Work>
  void on_root(const Work& work) const {
    if (here.is_root()) {
      work();
    }
    isthmus::comm::barrier(isthmus::comm::Comm(MPI_COMM_WORLD));
  }
};

} // namespace

TEST_CASE("restart files of another case are refused with a reason") {
  const Restarts restarts;
  const std::string& xml = restarts.xml;
  const std::filesystem::path& folder = restarts.folder;
  restarts.error("latest", pair, xml, "there is no restart file of participant \"");
  static_cast<void>(run_saving(xml, pair, restarts.deal));
  CHECK(std::filesystem::exists(folder / "A.4.restart"));
  CHECK(std::filesystem::exists(folder / "A.6.restart"));
  CHECK(!std::filesystem::exists(folder / "A.2.restart"));
  restarts.error("2", pair, xml, "participant \"A\" has files of the time windows 4, 6");
  restarts.error("two", pair, xml, "ISTHMUS_RESTART=\"two\" is neither");
  restarts.error("latest", pair, pair_xml({.kind = "serial-explicit"}),
                 "configuration differs from this one in <coupling-scheme:");
  restarts.error("4", {pair[0], {"B", {"T"}, "F", 6, 0.125}}, xml,
                 "6 vertices have no values in the restart file, one of them at (0.125, 0.25)");
  restarts.error("4", {pair[0], {"B", {"T"}, "F", 5}}, xml,
                 "the mesh had 6 vertices in the earlier run and has 5 now");
}

TEST_CASE("restart files that are missing or damaged are refused with a reason") {
  const Restarts restarts;
  const std::string& xml = restarts.xml;
  const std::filesystem::path& folder = restarts.folder;
  static_cast<void>(run_saving(xml, pair, restarts.deal));
  restarts.on_root(
      [&] { std::filesystem::rename(folder / "B.6.restart", folder / "B.5.restart"); });
  restarts.error("6", pair, xml, "there is no restart file \"isthmus-restart/B.6.restart\"");
  restarts.on_root([&] { // of another participant, under its name
    std::filesystem::copy(folder / "A.6.restart", folder / "B.6.restart");
  });
  restarts.error("6", pair, xml, "is of participant \"A\", not of \"B\"");
  restarts.on_root([&] {
    std::filesystem::resize_file(folder / "B.6.restart", 1000);
    std::ofstream(folder / "A.7.restart.part") << "unfinished";
  });
  restarts.error("6", pair, xml, "it was cut off");
  restarts.on_root([&] {
    std::filesystem::remove(folder / "B.6.restart");
    std::filesystem::remove(folder / "B.4.restart");
    std::filesystem::rename(folder / "B.5.restart", folder / "B.6.restart");
    std::filesystem::remove(folder / "A.6.restart");
  });
  restarts.error("latest", pair, xml, "\"A\" has 4 (time 4), \"B\" has 6 (time 6)");
  static_cast<void>(run_saving(xml, pair, restarts.deal));
  restarts.on_root([&] {
    const auto middle = std::filesystem::file_size(folder / "B.6.restart") / 2;
    std::fstream file(folder / "B.6.restart", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(middle)).put('?');
  });
  restarts.error("6", pair, xml, "damaged");
  restarts.on_root([&] { std::ofstream(folder / "A.6.restart") << std::string(100, 'x'); });
  restarts.error("6", pair, xml, "it is not a checkpoint");
}
