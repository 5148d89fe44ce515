// SPDX-License-Identifier: BSD-3-Clause
#include "checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int skipped = 77; // what CTest takes for a test that this machine does not allow

void note(const doctest::TestCaseData& test) {
  checks().names.emplace(test.m_name);
  checks().files.emplace(test.m_file.c_str());
  checks().suites.emplace(test.m_test_suite);
}

struct Counter : doctest::IReporter {
  explicit Counter(const doctest::ContextOptions& /*options*/) {}
  void test_case_start(const doctest::TestCaseData& test) override {
    note(test);
    checks().cases.emplace_back(test.m_name);
    checks().is_excused = false;
  }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    checks().counts.push_back(stats.numAssertsCurrentTest + (checks().is_excused ? 1 : 0));
    checks().num_excused += checks().is_excused ? 1 : 0;
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData& message) override {
    const std::string text = message.m_string.c_str();
    checks().is_excused = checks().is_excused || text.rfind("not tested: ", 0) == 0;
  }
  void test_case_skipped(const doctest::TestCaseData& test) override { note(test); }
};

/// As doctest compares: * is any text, ? any letter, and capitals count as small ones.
bool fits(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) {
    return text.empty();
  }
  if (pattern.front() == '*') {
    return fits(pattern.substr(1), text) || (!text.empty() && fits(pattern, text.substr(1)));
  }
  const auto small = [](char letter) { return std::tolower(static_cast<unsigned char>(letter)); };
  return !text.empty() &&
         (pattern.front() == '?' || small(pattern.front()) == small(text.front())) &&
         fits(pattern.substr(1), text.substr(1));
}

struct Filter {
  std::string_view brief;
  std::string_view name;
  const std::set<std::string>* things; // that it chooses from, or leaves out of
};

/// The patterns of an argument that is this filter.
std::vector<std::string> patterns_in(std::string_view argument, const Filter& filter) {
  std::vector<std::string> patterns;
  for (const std::string_view option : {filter.brief, filter.name}) {
    for (const std::string& prefix :
         {"-" + std::string(option) + "=", "--" + std::string(option) + "="}) {
      if (!argument.starts_with(prefix)) {
        continue;
      }
      std::string_view rest = argument.substr(prefix.size());
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        if (end > 0) {
          patterns.emplace_back(rest.substr(0, end));
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
  }
  return patterns;
}

} // namespace

REGISTER_LISTENER("counter", 1, Counter);

Checks& checks() {
  static Checks all;
  return all;
}

bool all_check(const Checks& checks, bool tells) {
  for (std::size_t i = 0; i < checks.counts.size(); ++i) {
    if (checks.counts[i] == 0 && tells) {
      std::printf("CHECKS NOTHING: %s\n", checks.cases[i].c_str());
    }
  }
  return std::find(checks.counts.begin(), checks.counts.end(), 0) == checks.counts.end();
}

bool has_what_was_asked(const Checks& checks, int argc, const char* const* argv, bool tells) {
  const Filter filters[] = {
      {"tc", "test-case", &checks.names},   {"tce", "test-case-exclude", &checks.names},
      {"sf", "source-file", &checks.files}, {"sfe", "source-file-exclude", &checks.files},
      {"ts", "test-suite", &checks.suites}, {"tse", "test-suite-exclude", &checks.suites}};
  bool all = !checks.cases.empty();
  if (!all && tells) {
    std::printf("NOTHING RAN: no case is left by the filters and the number of ranks\n");
  }
  for (int i = 1; i < argc; ++i) {
    for (const Filter& filter : filters) {
      for (const std::string& pattern : patterns_in(argv[i], filter)) {
        const bool fits_one =
            std::any_of(filter.things->begin(), filter.things->end(),
                        [&pattern](const std::string& thing) { return fits(pattern, thing); });
        if (!fits_one && tells) {
          std::printf("FITS NOTHING: %s of %s\n", pattern.c_str(), argv[i]);
        }
        all = all && fits_one;
      }
    }
  }
  return all;
}

int exit_code(int failed) {
  return failed == 0 && checks().num_excused > 0 ? skipped : failed;
}
