// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/read/fingerprint.hpp"
#include "config/files.hpp"
#include "isthmus/grammar/check.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace isthmus;
using namespace isthmus::config;

namespace {

using Print = std::string (*)(const grammar::Node& root);

std::string print(Print print, const std::string& text) {
  const grammar::XmlElement tree = grammar::parse_xml(text, "c.xml");
  grammar::check_grammar(tree, "c.xml");
  return print(grammar::Node(tree, grammar::grammar()));
}

/// Whether an edit of the pipe leaves a print as it is.
bool keeps(Print of, const std::string& old, const std::string& by) {
  const std::string pipe = text_of("pipe.xml");
  return print(of, edited(pipe, old, by)) == print(of, pipe);
}

} // namespace

TEST_CASE("the fingerprint follows the meaning") {
  const std::string whole = print(fingerprint, text_of("pipe.xml"));
  CHECK(whole.size() == 16);
  CHECK(whole.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(keeps(fingerprint, "<!-- Water", "<!-- Hot water"));
  CHECK(keeps(fingerprint, "\n\n", "\n"));
  CHECK(keeps(fingerprint, "name=\"WaterMesh\" dimensions=\"3\"",
              "dimensions='3'  name='WaterMesh'"));
  CHECK(keeps(fingerprint, "value=\"0.5\"", "value=\"5.0e-1\""));
  CHECK(keeps(fingerprint, "<data:scalar name=\"Heat\" />",
              "<data:scalar name=\"Heat\" waveform-degree=\"1\"/>"));
  CHECK(keeps(fingerprint, "%Rank% = 0", "%Rank% = 1"));
  CHECK(keeps(fingerprint, "<m2n:", "<profiling mode=\"off\"/><m2n:"));
  CHECK(keeps(fingerprint, "</participant>", "<export:csv/></participant>"));
  CHECK(keeps(fingerprint, "</participant>",
              "<watch-point name=\"P\" mesh=\"M\" coordinate=\"0;0;0\" />"
              "<watch-integral name=\"I\" mesh=\"M\" scale-with-connectivity=\"no\" />"
              "</participant>"));
  CHECK_FALSE(keeps(fingerprint, "value=\"0.5\"", "value=\"0.25\""));
  CHECK_FALSE(keeps(fingerprint, "initialize=\"true\"", ""));
  CHECK_FALSE(keeps(fingerprint, "<data:scalar name=\"Heat\" />",
                    "<data:scalar name=\"Heat\" waveform-degree=\"0\"/>"));
  CHECK_FALSE(keeps(fingerprint, "exchange-directory=\"..\"", "exchange-directory=\".\""));
}

TEST_CASE("the digest has a line per element") {
  const std::string pipe = text_of("pipe.xml");
  const std::string before = print(digest, pipe);
  const std::string after = print(digest, edited(pipe, "value=\"0.5\"", "value=\"0.25\""));
  CHECK(before.find("<mesh name=\"WaterMesh\"> ") != std::string::npos);
  CHECK(before.find("<m2n:") != std::string::npos);
  CHECK(before.find("<log>") == std::string::npos);
  const auto scheme = before.find("<coupling-scheme:");
  CHECK(before.substr(0, scheme) == after.substr(0, scheme));
  CHECK(before != after);
  CHECK(std::count(before.begin(), before.end(), '\n') == 8); // 2 data, 2 meshes, 2 participants …
}

TEST_CASE("a run may be continued by other ways to talk and for longer, but not by another case") {
  const std::string pipe = text_of("pipe.xml");
  CHECK(print(case_digest, pipe).find("<m2n:") == std::string::npos);
  CHECK(keeps(case_digest, "exchange-directory=\"..\"", "exchange-directory=\".\""));
  CHECK(keeps(case_digest, "<m2n:sockets", "<m2n:mpi"));
  CHECK(keeps(case_digest, "<max-time value=\"2.5\" />", "<max-time value=\"7\" />"));
  CHECK(keeps(case_digest, "<max-time value=\"2.5\" />", "<max-time-windows value=\"7\" />"));
  CHECK(keeps(case_digest, "</participant>", "<export:csv/></participant>"));
  CHECK_FALSE(keeps(digest, "<max-time value=\"2.5\" />", "<max-time value=\"7\" />"));
  CHECK_FALSE(keeps(case_digest, "value=\"0.5\"", "value=\"0.25\""));
  CHECK_FALSE(keeps(case_digest, "initialize=\"true\"", ""));
  CHECK_FALSE(keeps(case_digest, "constraint=\"conservative\"", "constraint=\"consistent\""));
}
