// SPDX-License-Identifier: BSD-3-Clause
// What tells processes and their hosts apart.
#include "isthmus/base/host.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

using namespace isthmus;

TEST_CASE("a token is read as it was written, and no two are the same") {
  const Token one = make_token();
  CHECK(one != make_token());
  CHECK(to_hex(one).size() == 32);
  CHECK(token_from_hex(to_hex(one)) == one);
  CHECK(message_of([] { (void)token_from_hex("12"); }) != "no error");
  CHECK(message_of([] { (void)token_from_hex(std::string(32, 'x')); }) != "no error");
}

TEST_CASE("a process that runs has a time at which it started, another one has none") {
  CHECK(start_time(::getpid()) > 0);
  CHECK(start_time(::getpid()) == start_time(::getpid()));
  CHECK(seconds_since_start(start_time(::getpid())) >= 0);
  CHECK(start_time(-1) == 0);
  CHECK_FALSE(host_name().empty());
  CHECK(host_id().find(host_name()) != std::string::npos);
  CHECK(process_space() == process_space());
}
