// SPDX-License-Identifier: BSD-3-Clause
// A run that is interrupted and continued against the same run without an interruption.
#include "participant/couple.hpp"
#include "participant/working_directory.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace couple;

namespace {

constexpr int num_windows = 6;

/// An environment variable until the end of the scope.
class Environment {
 public:
  Environment(std::string name, const std::string& value) : name_(std::move(name)) {
    setenv(name_.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { unsetenv(name_.c_str()); }

 private:
  std::string name_;
};

struct Part {
  std::string name;
  std::vector<std::string> reads;
  std::string writes;
  int num_vertices = 6;
  double shift = 0; // of the vertices
  int steps = 1;    // per window
};

/// Has a state of its own, in each vertex, which it takes from `states` in a run that is continued.
/// Series NAME/WINDOW: by vertex, what it read and wrote in each step; NAME/state/WINDOW.
struct Solver {
  Part part;
  Table states;

  void operator()(const Seat& seat) const {
    isthmus::Participant participant = seat.make();
    const std::string mesh = part.name + "-Mesh";
    std::vector<int> vertices;
    std::vector<double> places;
    for (int v = seat.launch.rank; v < part.num_vertices; v += seat.launch.size) {
      vertices.push_back(v);
      places.insert(places.end(), {v + part.shift, 0.25});
    }
    std::vector<isthmus::VertexId> ids(vertices.size());
    participant.set_mesh_vertices(mesh, places, ids);
    std::vector<double> state(ids.size(), 0.5);
    if (participant.requires_initial_data()) {
      participant.write_data(mesh, part.writes, ids, state);
    }
    participant.initialize();
    int window = participant.restarted_window();
    double t = participant.restarted_time();
    CHECK(t == window);
    for (std::size_t i = 0; i < ids.size() && window > 0; ++i) {
      state[i] =
          states.at(fmt::format("{}/state/{}", part.name, window)).find(vertices[i])->second[0];
    }
    auto kept = std::pair(t, state);
    while (participant.is_coupling_ongoing()) {
      if (participant.requires_writing_checkpoint()) {
        kept = {t, state};
      }
      const double dt = std::min(participant.max_time_step_size(), 1.0 / part.steps);
      std::vector<std::vector<double>> seen(ids.size(), {t + dt});
      for (const std::string& data : part.reads) {
        std::vector<double> values(ids.size());
        participant.read_data(mesh, data, ids, dt, values);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          seen[i].push_back(values[i]);
        }
      }
      std::vector<double> written(ids.size());
      for (std::size_t i = 0; i < ids.size(); ++i) {
        for (const double value : seen[i]) {
          written[i] += 0.4 * std::sin(value + vertices[i]);
        }
        state[i] = 0.5 * state[i] + 0.1 * written[i];
        written[i] += state[i];
        seen[i].push_back(written[i]);
        seat.put(fmt::format("{}/{}", part.name, window), vertices[i], seen[i]);
      }
      participant.write_data(mesh, part.writes, ids, written);
      participant.advance(dt);
      t += dt;
      if (participant.requires_reading_checkpoint()) {
        std::tie(t, state) = kept;
      }
      if (participant.is_time_window_complete()) {
        ++window;
        for (std::size_t i = 0; i < ids.size(); ++i) {
          seat.put(fmt::format("{}/state/{}", part.name, window), vertices[i], {state[i]});
        }
      }
    }
    participant.finalize();
  }
};

/// A writes T and B writes F; what a <participant> has beside that, and the scheme.
struct Case {
  std::string kind = "parallel-explicit";
  std::string acceleration = ""; // element
  bool substeps = false;
  int windows = num_windows;
  std::string of_a = "";
};

std::string pair_xml(const Case& one) {
  std::string text =
      "<precice-configuration><log enabled=\"false\"/><data:scalar name=\"T\"/>"
      "<data:scalar name=\"F\"/>";
  for (const std::string mesh : {"A", "B"}) {
    text += fmt::format(
        "<mesh name=\"{}-Mesh\" dimensions=\"2\"><use-data name=\"T\"/><use-data "
        "name=\"F\"/></mesh>",
        mesh);
  }
  for (const auto& [self, other, writes, reads] :
       {std::array{"A", "B", "T", "F"}, std::array{"B", "A", "F", "T"}}) {
    text += fmt::format(
        "<participant name=\"{0}\"><provide-mesh name=\"{0}-Mesh\"/>"
        "<receive-mesh name=\"{1}-Mesh\" from=\"{1}\"/><write-data name=\"{2}\" mesh=\"{0}-Mesh\"/>"
        "<read-data name=\"{3}\" mesh=\"{0}-Mesh\"/><mapping:nearest-neighbor direction=\"read\" "
        "from=\"{1}-Mesh\" to=\"{0}-Mesh\" constraint=\"consistent\"/>{4}</participant>",
        self, other, writes, reads, std::string(self) == "A" ? one.of_a : "");
  }
  text += "<m2n:sockets acceptor=\"A\" connector=\"B\" exchange-directory=\"{directory}\"/>";
  const bool is_implicit = one.kind.find("implicit") != std::string::npos;
  const std::string control =
      is_implicit ? "<max-iterations value=\"40\"/><relative-convergence-measure data=\"F\" "
                    "mesh=\"B-Mesh\" limit=\"1e-9\"/>"
                  : "";
  text += fmt::format(
      "<coupling-scheme:{0}><participants first=\"A\" second=\"B\"/><time-window-size value=\"1\"/>"
      "<max-time-windows value=\"{1}\"/>{2}{3}"
      "<exchange data=\"T\" mesh=\"A-Mesh\" from=\"A\" to=\"B\" substeps=\"{4}\" "
      "initialize=\"{5}\"/><exchange data=\"F\" mesh=\"B-Mesh\" from=\"B\" to=\"A\" "
      "substeps=\"{4}\" initialize=\"true\"/></coupling-scheme:{0}></precice-configuration>",
      one.kind, one.windows, control, one.acceleration, one.substeps,
      one.kind.find("parallel") != std::string::npos);
  return text;
}

std::string exchanges(const std::string& side) {
  return fmt::format(
      "<exchange data=\"X{0}\" mesh=\"{0}-Mesh\" from=\"{0}\" to=\"C\"/><exchange data=\"C\" "
      "mesh=\"{0}-Mesh\" from=\"C\" to=\"{0}\"/>",
      side);
}

/// C maps from and to the meshes of A and B.
std::string xml_of_three(const std::string& schemes) {
  std::string text = "<precice-configuration><log enabled=\"false\"/>";
  std::string meshes;
  std::string others;
  std::string received;
  std::string uses;
  std::string mappings;
  std::string connections;
  for (const std::string side : {"A", "B"}) {
    text += fmt::format("<data:scalar name=\"X{}\"/>", side);
    meshes += fmt::format(
        "<mesh name=\"{0}-Mesh\" dimensions=\"2\"><use-data name=\"X{0}\"/><use-data name=\"C\"/>"
        "</mesh>",
        side);
    others += fmt::format(
        "<participant name=\"{0}\"><provide-mesh name=\"{0}-Mesh\"/><write-data name=\"X{0}\" "
        "mesh=\"{0}-Mesh\"/><read-data name=\"C\" mesh=\"{0}-Mesh\"/></participant>",
        side);
    received += fmt::format("<receive-mesh name=\"{0}-Mesh\" from=\"{0}\"/>", side);
    uses += fmt::format("<read-data name=\"X{0}\" mesh=\"C-Mesh\"/>", side);
    mappings += fmt::format(
        "<mapping:nearest-neighbor direction=\"read\" from=\"{0}-Mesh\" to=\"C-Mesh\" "
        "constraint=\"consistent\"/><mapping:nearest-neighbor direction=\"write\" from=\"C-Mesh\" "
        "to=\"{0}-Mesh\" constraint=\"conservative\"/>",
        side);
    connections += fmt::format(
        "<m2n:sockets acceptor=\"C\" connector=\"{}\" exchange-directory=\"{{directory}}\"/>",
        side);
  }
  return text + "<data:scalar name=\"C\"/>" + meshes +
         "<mesh name=\"C-Mesh\" dimensions=\"2\"><use-data name=\"XA\"/><use-data name=\"XB\"/>"
         "<use-data name=\"C\"/></mesh>" +
         others + "<participant name=\"C\"><provide-mesh name=\"C-Mesh\"/>" + received +
         "<write-data name=\"C\" mesh=\"C-Mesh\"/>" + uses + mappings + "</participant>" +
         connections + schemes + "</precice-configuration>";
}

std::vector<Role> roles(const std::vector<Part>& parts, const Table& states = {}) {
  std::vector<Role> all;
  for (const Part& part : parts) {
    all.push_back({part.name, Solver{part, states}});
  }
  return all;
}

const std::vector<Part> pair{{"A", {"F"}, "T"}, {"B", {"T"}, "F"}};

/// The series of windows from `first` on.
Table later(const Table& table, int first) {
  Table result;
  for (const auto& [series, entries] : table) {
    if (std::stoi(series.substr(series.rfind('/') + 1)) >=
        first + (series.find("state") != std::string::npos ? 1 : 0)) {
      result[series] = entries;
    }
  }
  return result;
}

double largest_difference(const Table& a, const Table& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (const auto& [series, entries] : a) {
    CAPTURE(series);
    REQUIRE(b.at(series).size() == entries.size());
    auto other = b.at(series).begin();
    for (const auto& [vertex, values] : entries) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        largest = std::max(largest, std::abs(values[i] - other->second[i]));
      }
      ++other;
    }
  }
  return largest;
}

std::string text_of(const std::string& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

Table run_saving(const std::string& xml, const std::vector<Part>& parts, const Deal& deal) {
  const Environment every("ISTHMUS_RESTART_EVERY", "2");
  return run(xml, roles(parts), deal);
}

Table run_from(const std::string& window, const std::string& xml, const std::vector<Part>& parts,
               const Table& whole, const Deal& deal) {
  const Environment from("ISTHMUS_RESTART", window);
  return run(xml, roles(parts, whole), deal);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases{{"serial-explicit"}, {"parallel-explicit"}};
  const std::string data =
      "<data name=\"F\" mesh=\"B-Mesh\"/><preconditioner type=\"residual-sum\"/>";
  for (const std::string kind : {"serial-implicit", "parallel-implicit"}) {
    for (const bool substeps : {false, true}) {
      for (const std::string& acceleration :
           {std::string(""),
            std::string("<acceleration:aitken><initial-relaxation value=\"0.7\"/>"
                        "<data name=\"F\" mesh=\"B-Mesh\"/></acceleration:aitken>"),
            "<acceleration:IQN-ILS>" + data +
                "<initial-relaxation value=\"0.7\"/><max-used-iterations value=\"8\"/>"
                "<time-windows-reused value=\"2\"/></acceleration:IQN-ILS>",
            "<acceleration:IQN-IMVJ>" + data +
                "<initial-relaxation value=\"0.7\"/><max-used-iterations value=\"8\"/>"
                "<time-windows-reused value=\"1\"/><imvj-restart-mode type=\"RS-LS\" "
                "chunk-size=\"3\" "
                "reused-time-windows-at-restart=\"2\"/></acceleration:IQN-IMVJ>"}) {
        cases.push_back({kind, acceleration, substeps});
      }
    }
  }
  return cases;
}

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
    const std::vector<Part> parts{{"A", {"F"}, "T", 6, 0, one.substeps ? 2 : 1},
                                  {"B", {"T"}, "F", turn % 2 == 0 ? 2 : 7, 0.3}};
    const std::string xml = pair_xml(one);
    const Table whole = run_saving(xml, parts, deal);
    const std::string log = text_of("precice-A-iterations.log");
    const std::string convergence = text_of("precice-B-convergence.log");
    const Table continued = run_from("4", xml, parts, whole, deal);
    CHECK(continued.size() == 8);
    CHECK(difference(later(whole, 4), continued) == "");
    CHECK(text_of("precice-A-iterations.log") == log);
    CHECK(text_of("precice-B-convergence.log") == convergence);
  }
}

TEST_CASE("a run is continued by other numbers of ranks") {
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

TEST_CASE("three participants continue together") {
  const std::vector<Part> parts{
      {"A", {"C"}, "XA"}, {"B", {"C"}, "XB", 5, 0.2}, {"C", {"XA", "XB"}, "C", 6, 0.1}};
  const std::string times = "<time-window-size value=\"1\"/><max-time-windows value=\"6\"/>";
  const std::string multi =
      "<coupling-scheme:multi><participant name=\"A\"/><participant name=\"B\"/><participant "
      "name=\"C\" control=\"true\"/>" +
      times +
      "<max-iterations value=\"30\"/><relative-convergence-measure data=\"XA\" mesh=\"A-Mesh\" "
      "limit=\"1e-8\"/><acceleration:IQN-ILS><data name=\"XA\" mesh=\"A-Mesh\"/><data name=\"C\" "
      "mesh=\"B-Mesh\"/><max-used-iterations value=\"6\"/><time-windows-reused value=\"2\"/>"
      "</acceleration:IQN-ILS>" +
      exchanges("A") + exchanges("B") + "</coupling-scheme:multi>";
  const std::string explicit_beside =
      "<coupling-scheme:serial-implicit><participants first=\"A\" second=\"C\"/>" + times +
      "<max-iterations value=\"4\"/>" + exchanges("A") +
      "</coupling-scheme:serial-implicit><coupling-scheme:parallel-explicit><participants "
      "first=\"B\" second=\"C\"/>" +
      times + exchanges("B") + "</coupling-scheme:parallel-explicit>";
  for (const std::string& schemes : {multi, explicit_beside}) {
    const auto ways = deals(3);
    if (ways.empty()) {
      continue;
    }
    const WorkingDirectory here;
    const std::string xml = xml_of_three(schemes);
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
      if (entry.is_regular_file() && entry.path().extension() != ".restart") {
        texts[entry.path()] = text_of(entry.path());
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

TEST_CASE("restart files that do not fit are refused with a reason") {
  const WorkingDirectory here;
  const Deal deal = serial(2);
  const std::string xml = pair_xml({});
  const auto error = [&](const std::string& window, const std::vector<Part>& parts,
                         const std::string& config, const std::string& what) {
    const Environment from("ISTHMUS_RESTART", window);
    const Outcome outcome = play(config, roles(parts), deal);
    CAPTURE(outcome.all_errors());
    CHECK(outcome.all_errors().find(what) != std::string::npos);
    isthmus::comm::barrier(isthmus::comm::Comm(MPI_COMM_WORLD));
  };
  const auto on_root = [&here](const auto& work) {
    if (here.is_root()) {
      work();
    }
    isthmus::comm::barrier(isthmus::comm::Comm(MPI_COMM_WORLD));
  };
  const std::filesystem::path folder = "isthmus-restart";
  error("latest", pair, xml, "there is no restart file of participant \"");
  static_cast<void>(run_saving(xml, pair, deal));
  CHECK(std::filesystem::exists(folder / "A.4.restart"));
  CHECK(std::filesystem::exists(folder / "A.6.restart"));
  CHECK(!std::filesystem::exists(folder / "A.2.restart"));
  error("2", pair, xml, "participant \"A\" has files of the time windows 4, 6");
  error("two", pair, xml, "ISTHMUS_RESTART=\"two\" is neither");
  error("latest", pair, pair_xml({.kind = "serial-explicit"}),
        "configuration differs from this one in <coupling-scheme:");
  error("4", {pair[0], {"B", {"T"}, "F", 6, 0.125}}, xml,
        "6 vertices have no values in the restart file, one of them at (0.125, 0.25)");
  error("4", {pair[0], {"B", {"T"}, "F", 5}}, xml,
        "the mesh had 6 vertices in the earlier run and has 5 now");

  on_root([&] { std::filesystem::rename(folder / "B.6.restart", folder / "B.5.restart"); });
  error("6", pair, xml, "there is no restart file \"isthmus-restart/B.6.restart\"");
  on_root([&] { // of another participant, under its name
    std::filesystem::copy(folder / "A.6.restart", folder / "B.6.restart");
  });
  error("6", pair, xml, "is of participant \"A\", not of \"B\"");
  on_root([&] {
    std::filesystem::resize_file(folder / "B.6.restart", 1000);
    std::ofstream(folder / "A.7.restart.part") << "unfinished";
  });
  error("6", pair, xml, "it was cut off");
  on_root([&] {
    std::filesystem::remove(folder / "B.6.restart");
    std::filesystem::remove(folder / "B.4.restart");
    std::filesystem::rename(folder / "B.5.restart", folder / "B.6.restart");
    std::filesystem::remove(folder / "A.6.restart");
  });
  error("latest", pair, xml, "\"A\" has 4 (time 4), \"B\" has 6 (time 6)");
  static_cast<void>(run_saving(xml, pair, deal));
  on_root([&] {
    const auto middle = std::filesystem::file_size(folder / "B.6.restart") / 2;
    std::fstream file(folder / "B.6.restart", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(middle)).put('?');
  });
  error("6", pair, xml, "damaged");
  on_root([&] { std::ofstream(folder / "A.6.restart") << std::string(100, 'x'); });
  error("6", pair, xml, "it is not a checkpoint");
}
