// SPDX-License-Identifier: BSD-3-Clause
// What one participant can do on its ranks.
#include "config/files.hpp"
#include "isthmus/config/validate/validate.hpp"

#include <doctest/doctest.h>

#include <utility>

using namespace isthmus;
using namespace isthmus::config;

namespace {

std::string parallel_message(const std::string& text, const std::string& participant, int size) {
  return message_of([&] {
    const Configuration configuration = parse(text, "c.xml");
    validate(configuration);
    validate_for(configuration, participant, size);
  });
}

} // namespace

TEST_CASE("what a participant can do depends on its size") {
  const std::string pipe = text_of("pipe.xml");
  CHECK(parallel_message(pipe, "Water", 4) == "no error");
  CHECK(parallel_message(pipe, "Wall", 1) == "no error");
  CHECK(parallel_message(pipe, "Watr", 1).find("did you mean \"Water\"?") != std::string::npos);
  CHECK(parallel_message(pipe, "Water", 0).find("size") != std::string::npos);
  const std::string vtk = edited(pipe, "</participant>", "<export:vtk /></participant>");
  CHECK(parallel_message(vtk, "Water", 2).find("use <export:vtu>") != std::string::npos);
  CHECK(parallel_message(vtk, "Wall", 2) == "no error");
  const std::string idle = edited(pipe, "<m2n:", "<participant name=\"Idle\" /><m2n:");
  CHECK(parallel_message(idle, "Idle", 1).find("takes part in no coupling scheme") !=
        std::string::npos);
}

TEST_CASE(
    "several ranks use only the mappings that preCICE lets them, unless parallel says otherwise") {
  const std::string pipe = text_of("pipe.xml");
  const std::string reading = "from=\"WallMesh\" to=\"WaterMesh\" constraint=\"consistent\"";
  const std::string writing = "from=\"WaterMesh\" to=\"WallMesh\" constraint=\"conservative\"";
  const auto with = [](const std::string& ends, const std::string& constraint) {
    return ends.substr(0, ends.find("constraint")) + constraint;
  };
  for (const auto& [ends, constraint] : {std::pair{writing, "constraint=\"consistent\""},
                                         {writing, "constraint=\"scaled-consistent-surface\""},
                                         {reading, "constraint=\"conservative\""},
                                         {reading, "constraint=\"scaled-consistent-surface\""}}) {
    const std::string other = edited(pipe, ends, with(ends, constraint));
    CHECK(parallel_message(other, "Water", 1) == "no error");
    CHECK(parallel_message(other, "Wall", 2) == "no error"); // maps nothing
    const std::string refusal = parallel_message(other, "Water", 2);
    CAPTURE(refusal);
    CHECK(refusal.find(fmt::format("{} {}>", constraint,
                                   ends.substr(0, ends.find(" constraint")))) != std::string::npos);
    CHECK(refusal.find("participant \"Water\" runs on 2 ranks; as in preCICE, several ranks need "
                       "constraint=\"consistent\" with direction=\"read\" and constraint="
                       "\"conservative\" with direction=\"write\"; add parallel=\"true\"") !=
          std::string::npos);
    const std::string lifted = edited(pipe, ends, with(ends, constraint) + " parallel=\"true\"");
    CHECK(parallel_message(lifted, "Water", 2) == "no error");
  }

  const std::string joining = edited(
      edited(edited(pipe, "<precice-configuration", "<precice-configuration experimental=\"true\""),
             "<mapping:nearest-projection", "<mapping:radial-geometric-multiscale"),
      reading,
      reading + " multiscale-type=\"spread\" multiscale-axis=\"x\" multiscale-radius=\"1\"");
  CHECK(parallel_message(joining, "Water", 1) == "no error");
  CHECK(parallel_message(joining, "Water", 2).find("are joined on one rank only") !=
        std::string::npos);
  for (const char* const ours : {"auto", "intersection"}) { // preCICE has no rule for these
    const std::string other = edited(edited(pipe, "nearest-neighbor", ours), writing,
                                     with(writing, "constraint=\"consistent\""));
    CHECK(parallel_message(other, "Water", 2) == "no error");
  }
}
