// SPDX-License-Identifier: BSD-3-Clause
// Names of shared memory, and what killed processes leave.
#include "isthmus/transport/channels/shared_segment.hpp"
#include "transport/child.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>

using namespace isthmus::transport;
using namespace isthmus::transport::testing;
using namespace std::chrono_literals;

namespace {

bool has_name(const SharedSegment& segment) {
  return std::filesystem::exists("/dev/shm" + segment.name());
}

} // namespace

TEST_CASE("a segment loses its name when the partner opens it, or with its creator") {
  SharedSegment created = SharedSegment::create(4096);
  REQUIRE(created);
  CHECK(has_name(created));
  {
    const SharedSegment opened = SharedSegment::open(created.name(), 4096);
    CHECK(opened);
    CHECK_FALSE(has_name(created));
    CHECK_FALSE(SharedSegment::open(created.name(), 4096));
  }
  const std::string name = [] {
    const SharedSegment unwanted = SharedSegment::create(4096);
    return unwanted.name();
  }();
  CHECK_FALSE(std::filesystem::exists("/dev/shm" + name));
}

TEST_CASE(
    "a segment whose creator was killed is removed by the next process, one of the living is not") {
  const SharedSegment living = SharedSegment::create(4096);
  REQUIRE(living);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  auto creator = std::make_unique<Child>([&ends] {
    const SharedSegment segment = SharedSegment::create(4096);
    if (write(ends[1], segment.name().data(), segment.name().size()) > 0) {
      pause();
    }
  });
  char text[64]{};
  REQUIRE(read(ends[0], text, sizeof(text) - 1) > 0);
  close(ends[0]);
  close(ends[1]);
  const std::string path = std::string("/dev/shm") + text;
  SharedSegment::sweep(0s);
  CHECK(std::filesystem::exists(path));
  creator.reset();
  SharedSegment::sweep(1h);
  CHECK(std::filesystem::exists(path));
  SharedSegment::sweep(0s);
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK(has_name(living));
}
