// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "environment.hpp"
#include "participant/setup/working_directory.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace couple {

/// An action whose module is one of Scripts.
[[nodiscard]] inline std::string action(const std::string& timing, const std::string& mesh,
                                        const std::string& rest) {
  return fmt::format(
      R"(<action:python timing="{}" mesh="{}"><path name="scripts" />{}</action:python>)", timing,
      mesh, rest);
}

/// A working directory with scripts; the environment's interpreter comes first.
struct Scripts {
  WorkingDirectory here;
  Environment path{"PATH", fmt::format("{}:{}", ISTHMUS_TEST_PYTHON, std::getenv("PATH"))};

  /// Collective. Texts of modules by their names.
  void write(const std::map<std::string, std::string>& modules) const {
    if (here.is_root()) {
      std::filesystem::create_directory("scripts");
      for (const auto& [name, text] : modules) {
        std::ofstream("scripts/" + name + ".py") << text;
      }
    }
    isthmus::comm::barrier(isthmus::comm::Comm(MPI_COMM_WORLD));
  }
};

} // namespace couple
