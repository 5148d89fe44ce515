// SPDX-License-Identifier: BSD-3-Clause
#include "config/files.hpp"
#include "isthmus/config/describe.hpp"
#include "isthmus/config/validate/support.hpp"
#include "isthmus/config/validate/validate.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace isthmus;
using namespace isthmus::config;

namespace {

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t end) {
  return end == 0 ? 0 : random() % end;
}

/// A piece of `text` between two quotation marks or of any few letters.
std::pair<std::size_t, std::size_t> some_piece(Random& random, const std::string& text) {
  const std::size_t begin = below(random, text.size());
  const std::size_t quote = text.find('"', begin);
  if (random() % 4 != 0 && quote != std::string::npos) {
    const std::size_t end = text.find('"', quote + 1);
    return {quote + 1, end == std::string::npos ? 0 : end - quote - 1};
  }
  return {begin, below(random, 40)};
}

std::string mutated(Random& random, std::string text) {
  const std::vector<std::string> words = {
      "",   "-1",   "0",          "1e999", "nan", "true",      "&#0;",        "<",
      ">",  "/>",   "\"",         "%",     "inf", "0;0",       "Wall",        "Core",
      "on", "\xff", "4294967296", "<!--",  "]]>", "two-level", "conservative"};
  for (std::size_t edits = 1 + below(random, 3); edits > 0; --edits) {
    const auto [begin, size] = some_piece(random, text);
    switch (random() % 4) {
      case 0:
        text.erase(begin, size);
        break;
      case 1:
        text.replace(begin, size, words[below(random, words.size())]);
        break;
      case 2: {
        const auto [from, length] = some_piece(random, text);
        text.replace(begin, size, std::string(text, from, length));
        break;
      }
      default: {
        const auto [from, length] = some_piece(random, text);
        const std::size_t line = text.find('\n', from);
        text.insert(begin, text, from, line == std::string::npos ? length : line - from);
      }
    }
  }
  return text;
}

enum class Outcome { valid, refused, crashed };

template <typename Action>
Outcome outcome_of(const Action& action) {
  try {
    action();
    return Outcome::valid;
  } catch (const Error&) {
    return Outcome::refused;
  } catch (...) {
    return Outcome::crashed;
  }
}

/// What reading does, or, if that went well, the worst of what may follow.
Outcome outcome_of_text(const std::string& text) {
  Configuration configuration;
  const Outcome outcome = outcome_of([&] {
    configuration = parse(text, "fuzz.xml");
    validate(configuration);
  });
  bool crashed = outcome_of([&] { (void)describe(configuration); }) != Outcome::valid;
  for (const Participant& participant : configuration.participants) {
    const auto follow = [&] { validate_for(configuration, participant.name, 2); };
    const auto refuse = [&] { check_supported(configuration, participant.name); };
    crashed =
        crashed || outcome_of(follow) == Outcome::crashed || outcome_of(refuse) == Outcome::crashed;
  }
  return crashed ? Outcome::crashed : outcome;
}

} // namespace

TEST_CASE("damaged configurations end in an Error and nothing else") {
  Random random(20240601);
  int valid = 0;
  int refused = 0;
  for (const char* file : {"pipe.xml", "flap.xml", "reactor.xml"}) {
    const std::string good = text_of(file);
    for (int round = 0; round < 1500; ++round) {
      const std::string bad = mutated(random, good);
      const Outcome outcome = outcome_of_text(bad);
      CHECK_MESSAGE(outcome != Outcome::crashed, bad);
      valid += outcome == Outcome::valid ? 1 : 0;
      refused += outcome == Outcome::refused ? 1 : 0;
    }
  }
  CHECK(valid > 50); // the mutations reach deep
  CHECK(refused > 1000);
}
