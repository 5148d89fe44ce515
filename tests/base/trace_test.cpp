// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/trace.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace isthmus;

namespace {

std::vector<std::string> names(const Trace& trace) {
  std::vector<std::string> found;
  for (const Span& span : trace.spans()) {
    CHECK(span.begin <= span.end);
    found.push_back(span.name);
  }
  return found;
}

} // namespace

TEST_CASE("a trace records what its detail includes") {
  for (const Detail detail : {Detail::nothing, Detail::phases, Detail::calls}) {
    Trace trace(detail);
    {
      const auto phase = trace.scope("phase");
      const auto call = trace.scope("call", Detail::calls);
    }
    const std::vector<std::string> all{"phase/call", "phase"};
    CHECK(names(trace) == (detail == Detail::nothing  ? std::vector<std::string>{}
                           : detail == Detail::phases ? std::vector<std::string>{"phase"}
                                                      : all));
  }
}

TEST_CASE("paths follow from what is open") {
  Trace trace(Detail::phases);
  for (int step = 0; step < 2; ++step) {
    const auto outer = trace.scope("advance");
    {
      const auto inner = trace.scope("map");
      trace.record("wait", 1.0, 2.0);
    }
    trace.open("exchange");
    trace.open("map");
    trace.close_all(); // the scope finds nothing to end
  }
  trace.close();
  const std::vector<std::string> step{"advance/map/wait", "advance/map", "advance/exchange/map",
                                      "advance/exchange", "advance"};
  std::vector<std::string> both = step;
  both.insert(both.end(), step.begin(), step.end());
  CHECK(names(trace) == both);
  CHECK(trace.paths().size() == 5);
  CHECK(trace.spans().front().end - trace.spans().front().begin == 1.0);
  trace.forget_events();
  CHECK(trace.events().empty());
}
