// SPDX-License-Identifier: BSD-3-Clause
// Two participants in one process, each in a thread of its own.
#include "isthmus/participant/participant.hpp"

#include "isthmus/base/exception.hpp"
#include "participant/setup/scenario.hpp"

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

std::string configuration(const std::string& directory) {
  couple::Scenario scenario{{{.first = "One", .second = "Other", .max_windows = 10}},
                            {{.from = "One", .to = "Other", .data = "Heat"},
                             {.from = "Other",
                              .to = "One",
                              .data = "Flow",
                              .mapping = {.direction = "write", .constraint = "conservative"}}}};
  scenario.connections.directory = directory;
  return scenario.xml();
}

/// A directory with a configuration, removed in the end.
class Case {
 public:
  Case() {
    std::filesystem::create_directories(directory_);
    std::ofstream(file()) << configuration(directory_.string());
  }
  ~Case() { std::filesystem::remove_all(directory_); }
  [[nodiscard]] std::string file() const { return directory_ / "config.xml"; }

 private:
  std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / ("isthmus-threads-" + std::to_string(getpid()));
};

/// Runs one participant; `in_window` is called before each advance with the number of the window.
/// Returns its error.
std::string live(const std::string& name, const Case& where,
                 const std::function<void(int)>& in_window) {
  try {
    isthmus::Participant participant(name, where.file(), {});
    const std::array<double, 2> origin{0, 0};
    participant.set_mesh_vertex(name + "-Mesh", origin);
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
    std::thread thread([&] { one = live("One", where, first_fails ? diverge : nothing); });
    const std::string other = live("Other", where, first_fails ? nothing : diverge);
    thread.join();
    CHECK((first_fails ? one : other) == "the solver diverged");
    const std::string& survivor = first_fails ? other : one;
    const std::string culprit = first_fails ? "participant \"One\"" : "participant \"Other\"";
    CHECK(survivor.find(culprit) != std::string::npos);
    CHECK(survivor.find("it stopped because of an error of its own") != std::string::npos);
  }
}
