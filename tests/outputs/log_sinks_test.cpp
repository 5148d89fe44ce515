// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/log_sinks.hpp"
#include "isthmus/base/exception.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

using namespace isthmus;

namespace {} // namespace

TEST_CASE("a sink writes the lines that pass its filter to its file, in its format") {
  std::string folder = std::filesystem::temp_directory_path() / "isthmus-sinks-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const auto sink = [&](const std::string& name) {
    config::Sink settings;
    settings.type = config::SinkType::file;
    settings.output = std::filesystem::path(folder) / name;
    return settings;
  };
  config::Log settings;
  settings.sinks = {sink("usual"), sink("chosen"), sink("absent")};
  settings.sinks[1].format = "%Rank%|%Message%";
  settings.sinks[1].filter = "%Severity% >= warning";
  settings.sinks[2].enabled = false;
  const Log log = outputs::make_log(settings, "Fluid", 0);
  log.debug("a detail");
  log.info("a step");
  log.warning("a doubt");
  CHECK(content(settings.sinks[0].output) == "Fluid:0 info a step\nFluid:0 warning a doubt\n");
  CHECK(content(settings.sinks[1].output) == "0|a doubt\n");
  CHECK_FALSE(std::filesystem::exists(settings.sinks[2].output));

  for (config::Sink& one : settings.sinks) {
    one.enabled = false;
  }
  CHECK_FALSE(outputs::make_log(settings, "Fluid", 0).is_silent()); // the console, as without sinks
  settings.sinks[0].enabled = true;
  settings.sinks[0].output = folder; // no file
  CHECK_THROWS_AS((void)outputs::make_log(settings, "Fluid", 0), Error);
  settings.enabled = false;
  CHECK(outputs::make_log(settings, "Fluid", 0).is_silent());
  std::filesystem::remove_all(folder);
}
