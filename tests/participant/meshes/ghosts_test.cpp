// SPDX-License-Identifier: BSD-3-Clause
// The participant that leads holds ghosts of few vertices of its partner on all of its ranks.
#include "participant/setup/continued.hpp"
#include "participant/setup/working_directory.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace couple;

namespace {

const std::vector<Partner> pair{{"A", {"F"}, "T", 3}, {"B", {"T"}, "F", 9, 0.2}};

/// T, which B receives, is measured and accelerated.
std::string xml(const std::string& kind, const std::string& acceleration) {
  return pair_xml({.kind = kind,
                   .acceleration = acceleration,
                   .substeps = true,
                   .windows = 4,
                   .measures =
                       R"(<relative-convergence-measure data="T" mesh="A-Mesh" limit="1e-7"/>)"
                       R"(<absolute-convergence-measure data="T" mesh="A-Mesh" limit="1e-7"/>)"});
}

std::vector<std::string> accelerations() {
  const std::string data = "<data name=\"T\" mesh=\"A-Mesh\"/><data name=\"F\" mesh=\"B-Mesh\"/>";
  const std::string common = data +
                             "<initial-relaxation value=\"0.4\"/><max-used-iterations value=\"8\"/>"
                             "<time-windows-reused value=\"2\"/>";
  return {"<acceleration:constant><relaxation value=\"0.6\"/></acceleration:constant>",
          "<acceleration:aitken>" + data + "</acceleration:aitken>",
          "<acceleration:IQN-ILS>" + common + "</acceleration:IQN-ILS>",
          "<acceleration:IQN-IMVJ>" + common +
              "<imvj-restart-mode type=\"RS-LS\" chunk-size=\"2\"/></acceleration:IQN-IMVJ>"};
}

struct Result {
  std::string iterations;
  std::string residuals;
  Table table;
};

Result play(const std::string& text, const Deal& deal) {
  const WorkingDirectory here;
  Table table = run_saving(text, pair, deal);
  return {isthmus::content("precice-B-iterations.log"),
          isthmus::content("precice-B-convergence.log"), std::move(table)};
}

} // namespace

TEST_CASE("each vertex counts once in norms and equations, however many ranks have a ghost of it") {
  for (const std::string& acceleration : accelerations()) {
    CAPTURE(acceleration);
    const std::string text = xml("parallel-implicit", acceleration);
    const Result alone = play(text, in_threads);
    CHECK(alone.iterations.size() > 100);
    for (const Deal& deal : deals(2)) {
      const Result dealt = play(text, deal);
      CHECK(dealt.iterations == alone.iterations);
      CHECK(dealt.residuals == alone.residuals);
      CHECK(largest_difference(dealt.table, alone.table) < 1e-12);
    }
  }
  const std::string serial = xml("serial-implicit", "");
  const Result alone = play(serial, in_threads);
  for (const Deal& deal : deals(2)) {
    CHECK(play(serial, deal).residuals == alone.residuals);
  }
}

TEST_CASE("ghosts are restored on other ranks than they were kept on") {
  const auto ways = deals(2);
  for (std::size_t turn = 2; turn < accelerations().size() && !ways.empty(); ++turn) {
    const std::string text = xml("parallel-implicit", accelerations()[turn]);
    for (const auto& [before, after] :
         {std::pair(ways.front(), ways.back()), std::pair(ways.back(), ways.front())}) {
      const WorkingDirectory here;
      const Table whole = run_saving(text, pair, before);
      const std::string iterations = isthmus::content("precice-B-iterations.log");
      const Table continued = run_from("2", text, pair, whole, after);
      CHECK(largest_difference(later(whole, 2), continued) < 1e-11);
      CHECK(isthmus::content("precice-B-iterations.log") == iterations);
    }
  }
}
