// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/profile/profile.hpp"
#include "environment.hpp"
#include "message_of.hpp"
#include "participant/setup/working_directory.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace isthmus;
using config::ProfilingMode;
using couple::WorkingDirectory;
using outputs::Profile;

namespace {

/// A participant with nothing but its profile.
struct Run {
  comm::Comm comm{MPI_COMM_WORLD};
  Trace trace;
  Log log{"P", comm.rank()};
  std::vector<std::string> warnings;
  Profile profile{trace, comm, log};

  explicit Run(Detail detail = Detail::nothing) : trace(detail) {
    log.add_sink([this](const LogRecord& record) { warnings.emplace_back(record.text); });
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void end() {
    { const auto call = profile.call("finalize", ""); }
    profile.finish();
  }
  void step() {
    const auto call = profile.call("advance");
    const auto phase = trace.scope("exchange");
    const auto detail = trace.scope("read", Detail::calls);
  }
};

config::Profiling settings(ProfilingMode mode, bool one_file = false) {
  config::Profiling result;
  result.mode = mode;
  result.one_file = one_file;
  result.directory = "here";
  result.line = 1;
  return result;
}

std::string own_file(const comm::Comm& comm) {
  return fmt::format("here/precice-profiling/P-{}-{}.txt", comm.rank(), comm.size());
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) {
    ++found;
  }
  return found;
}

const std::string shared_file = "here/isthmus-profiling/P.jsonl";

} // namespace

TEST_CASE("the environment decides about the profile, and wants one file") {
  const config::Profiling configured = settings(ProfilingMode::api);
  {
    const Environment none("ISTHMUS_PROFILE", "");
    CHECK(outputs::with_environment(configured).mode == ProfilingMode::api);
    CHECK_FALSE(outputs::with_environment(configured).one_file);
  }
  const Environment off("ISTHMUS_PROFILE", "off");
  CHECK(outputs::with_environment(configured).mode == ProfilingMode::off);
  const Environment all("ISTHMUS_PROFILE", "all");
  CHECK(outputs::with_environment(configured).mode == ProfilingMode::all);
  CHECK(outputs::with_environment(configured).one_file);
  CHECK(outputs::with_environment(configured).directory == "here");
  const Environment wrong("ISTHMUS_PROFILE", "some");
  CHECK(message_of([&] { (void)outputs::with_environment(configured); }) ==
        "environment variable ISTHMUS_PROFILE=\"some\" is none of off, fundamental, api, all");
}

TEST_CASE("each rank writes a file of its calls, and of what is in them where all is wanted") {
  for (const ProfilingMode mode : {ProfilingMode::fundamental, ProfilingMode::all}) {
    const WorkingDirectory here;
    Run run;
    run.profile.start(settings(mode), "P", now());
    for (int step = 0; step < 3; ++step) {
      run.step();
    }
    run.end();
    CHECK(run.warnings.empty());
    const std::string text = content(own_file(run.comm));
    for (const char* name : {":_GLOBAL\n", ":construction\n", ":solver.initialize\n", ":advance\n",
                             ":solver.advance\n"}) {
      CHECK_MESSAGE(count(text, name) == 1, name);
    }
    const bool is_all = mode == ProfilingMode::all;
    CHECK(contains(text, ":exchange\n") == is_all); // repeated: a file would grow too fast
    CHECK(contains(text, ":read\n") == is_all);
    const int begun = count(text, "\nB");
    CHECK(begun == 3 + (is_all ? 4 : 2) * 3 + 1); // before the steps, they, the end
    CHECK(count(text, "\nE") == begun);
    CHECK_FALSE(std::filesystem::exists(shared_file));
  }
}

TEST_CASE("the first rank writes one file of all ranks, where that is wanted") {
  const WorkingDirectory here;
  Run run;
  run.profile.start(settings(ProfilingMode::fundamental, true), "P", now());
  run.step();
  run.profile.finish();
  CHECK(run.warnings.empty());
  CHECK_FALSE(std::filesystem::exists("here/precice-profiling"));
  if (here.is_root()) {
    const std::string text = content(shared_file);
    CHECK(contains(text, fmt::format(R"("participant": "P", "ranks": {})", run.comm.size())));
    for (int rank = 0; rank < run.comm.size(); ++rank) {
      CHECK(contains(text, fmt::format(R"({{"rank": {},)", rank)));
    }
    CHECK(count(text, "\"advance/exchange\"") == run.comm.size());
    CHECK(contains(text, R"({"end": "finalized", "reason": ""})"));
  }
}

TEST_CASE("where nothing is wanted nothing is recorded, but for who asks for spans") {
  const WorkingDirectory here;
  Run off;
  off.profile.start(settings(ProfilingMode::off), "P", now());
  CHECK_FALSE(off.profile.keeps_spans());
  off.step();
  off.profile.finish();
  CHECK(off.trace.events().empty());
  Run spans(Detail::phases);
  spans.profile.start(settings(ProfilingMode::off), "P", now());
  CHECK(spans.profile.keeps_spans());
  spans.step();
  spans.profile.finish();
  const std::vector<Span> kept = spans.trace.spans();
  CHECK(std::count_if(kept.begin(), kept.end(),
                      [](const Span& span) { return span.name == "advance/exchange"; }) == 1);
  CHECK_FALSE(std::filesystem::exists("here"));
}

TEST_CASE("spans are kept beside a file that is written as it goes") {
  const WorkingDirectory here;
  Run run(Detail::phases);
  config::Profiling often = settings(ProfilingMode::all);
  often.flush_every = 1;
  run.profile.start(often, "P", now());
  run.step();
  run.step();
  const std::string text = content(own_file(run.comm)); // before the end
  CHECK(count(text, "\nE") >= 8);
  const std::vector<Span> kept = run.trace.spans();
  CHECK(std::count_if(kept.begin(), kept.end(),
                      [](const Span& span) { return span.name == "advance"; }) == 2);
  run.profile.finish();
}

TEST_CASE("the one file of all ranks is written as it goes where somebody looks on") {
  {
    const Environment live("ISTHMUS_LIVE", "1");
    CHECK(outputs::with_environment(settings(ProfilingMode::all)).longest_s == 1);
  }
  const WorkingDirectory here;
  for (const bool is_live : {false, true}) {
    Run run;
    config::Profiling profiling = settings(ProfilingMode::fundamental, true);
    profiling.longest_s = is_live ? 0 : config::infinity;
    run.profile.start(profiling, "P", now());
    run.step();
    run.step();
    if (here.is_root()) { // its own steps at least
      CHECK(contains(content(shared_file), "\"advance/exchange\"") == is_live);
    }
    comm::barrier(run.comm); // before others send what is left
    run.end();
  }
}

TEST_CASE("ranks wait for each other where that is wanted, and that is measured") {
  const WorkingDirectory here;
  for (const bool is_wanted : {true, false}) {
    Run run(Detail::phases);
    config::Profiling profiling = settings(ProfilingMode::all);
    profiling.synchronize = is_wanted;
    run.profile.start(profiling, "P", now());
    run.profile.synchronize();
    run.profile.finish();
    CHECK(contains(content(own_file(run.comm)), ":synchronize\n") == is_wanted);
  }
}

TEST_CASE("a run that fails leaves what the first rank knows, and the reason") {
  const WorkingDirectory here;
  Run run;
  run.profile.start(settings(ProfilingMode::fundamental, true), "P", now());
  run.step();
  run.profile.fail("it \"broke\"");
  if (here.is_root()) {
    const std::string text = content(shared_file);
    CHECK(contains(text, "\"advance/exchange\""));
    CHECK(contains(text, R"({"end": "failed", "reason": "it \"broke\""})"));
  }
  comm::barrier(run.comm);
}

TEST_CASE("a profile that cannot be written is a warning of the first rank") {
  const WorkingDirectory here;
  if (here.is_root()) {
    std::ofstream("here") << "a file in place of the folder";
  }
  comm::barrier(comm::Comm(MPI_COMM_WORLD));
  for (const bool one_file : {false, true}) {
    Run run;
    run.profile.start(settings(ProfilingMode::all, one_file), "P", now());
    run.step();
    run.profile.finish();
    CHECK(run.warnings.size() == (here.is_root() ? 1 : 0));
    if (here.is_root()) {
      CHECK(contains(run.warnings.at(0), "there is no profile: "));
    }
  }
}
