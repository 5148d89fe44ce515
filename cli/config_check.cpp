// SPDX-License-Identifier: BSD-3-Clause
// isthmus-config-check FILE [PARTICIPANT [SIZE]]: prints what a configuration makes happen, as
// JSON.
#include "isthmus/base/error.hpp"
#include "isthmus/config/describe.hpp"
#include "isthmus/config/read/read.hpp"
#include "isthmus/config/validate/support.hpp"
#include "isthmus/config/validate/validate.hpp"
#include "isthmus/grammar/values.hpp"

#include <cstdio>

namespace {

using namespace isthmus;

enum ExitCode { good = 0, broken = 1, misused = 2 };

/// What Isthmus lacks is worth a word but no fault of the file.
void note_unsupported(const config::Configuration& configuration, const std::string& participant) {
  try {
    config::check_supported(configuration, participant);
  } catch (const Error& error) {
    fmt::print(stderr, "note: {}\n", error.what());
  }
}

void run(const std::string& file, const std::string& participant, int size) {
  const config::Configuration configuration = config::read(file);
  config::validate(configuration);
  if (!participant.empty()) {
    config::validate_for(configuration, participant, size);
    note_unsupported(configuration, participant);
  }
  fmt::print("{}\n", config::describe(configuration));
}

} // namespace

int main(int argc, char** argv) {
  const auto size = grammar::to_integer(argc > 3 ? argv[3] : "1");
  if (argc < 2 || argc > 4 || !size || argv[1][0] == '-') {
    fmt::print(stderr, "usage: {} FILE [PARTICIPANT [SIZE]]\n", argc > 0 ? argv[0] : "");
    return misused;
  }
  try {
    run(argv[1], argc > 2 ? argv[2] : "", *size);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return broken;
  }
  return good;
}
