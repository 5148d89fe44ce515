// SPDX-License-Identifier: BSD-3-Clause
// Two participants in one process, each in a thread of its own.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "isthmus/participant/participant.hpp"

#include "isthmus/base/exception.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

constexpr const char* text = R"(<precice-configuration>
  <log enabled="false"/>
  <data:scalar name="Heat"/>
  <data:scalar name="Flow"/>
  <mesh name="Near" dimensions="2"><use-data name="Heat"/><use-data name="Flow"/></mesh>
  <mesh name="Far" dimensions="2"><use-data name="Heat"/><use-data name="Flow"/></mesh>
  <participant name="One">
    <provide-mesh name="Near"/>
    <write-data name="Heat" mesh="Near"/>
    <read-data name="Flow" mesh="Near"/>
  </participant>
  <participant name="Other">
    <provide-mesh name="Far"/>
    <receive-mesh name="Near" from="One"/>
    <read-data name="Heat" mesh="Far"/>
    <write-data name="Flow" mesh="Far"/>
    <mapping:nearest-neighbor direction="read" from="Near" to="Far" constraint="consistent"/>
    <mapping:nearest-neighbor direction="write" from="Far" to="Near" constraint="conservative"/>
  </participant>
  <m2n:sockets acceptor="One" connector="Other" exchange-directory="DIRECTORY"/>
  <coupling-scheme:parallel-explicit>
    <participants first="One" second="Other"/>
    <time-window-size value="1"/><max-time-windows value="10"/>
    <exchange data="Heat" mesh="Near" from="One" to="Other"/>
    <exchange data="Flow" mesh="Near" from="Other" to="One"/>
  </coupling-scheme:parallel-explicit>
</precice-configuration>)";

/// A directory with a configuration, removed in the end.
class Case {
 public:
  Case() {
    std::filesystem::create_directories(directory_);
    std::string configuration = text;
    configuration.replace(configuration.find("DIRECTORY"), 9, directory_.string());
    std::ofstream(file()) << configuration;
  }
  ~Case() { std::filesystem::remove_all(directory_); }
  [[nodiscard]] std::string file() const { return directory_ / "config.xml"; }

 private:
  std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / ("isthmus-threads-" + std::to_string(getpid()));
};

/// Runs one participant; `in_window` is called before each advance with the number of the window.
/// Returns its error.
std::string live(const std::string& name, const std::string& mesh, const Case& where,
                 const std::function<void(int)>& in_window) {
  try {
    isthmus::Participant participant(name, where.file(), {});
    const std::array<double, 2> origin{0, 0};
    participant.set_mesh_vertex(mesh, origin);
    participant.initialize();
    for (int window = 1; participant.is_coupling_ongoing(); ++window) {
      in_window(window);
      participant.advance(participant.max_time_step_size());
    }
    participant.finalize();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

} // namespace

TEST_CASE("an exception in one participant ends the other one, whichever it is") {
  const Case where;
  const std::function<void(int)> diverge = [](int window) {
    if (window == 4) {
      throw std::runtime_error("the solver diverged");
    }
  };
  const std::function<void(int)> nothing = [](int) {};
  for (const bool first_fails : {true, false}) {
    std::string one;
    std::thread thread([&] { one = live("One", "Near", where, first_fails ? diverge : nothing); });
    const std::string other = live("Other", "Far", where, first_fails ? nothing : diverge);
    thread.join();
    CHECK((first_fails ? one : other) == "the solver diverged");
    const std::string& survivor = first_fails ? other : one;
    const std::string culprit = first_fails ? "participant \"One\"" : "participant \"Other\"";
    CHECK(survivor.find(culprit) != std::string::npos);
    CHECK(survivor.find("it stopped because of an error of its own") != std::string::npos);
  }
}
