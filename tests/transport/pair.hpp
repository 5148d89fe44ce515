// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/connect/endpoint.hpp"
#include "message_of.hpp"

#include <functional>
#include <string>
#include <thread>

namespace isthmus::transport::testing {

/// For what happens soon; reached only where a test fails, whatever else the machine does.
constexpr double limit_s = 60;

struct Said {
  std::string one;
  std::string other;
};

/// Runs both at once, each in a thread; what their errors said.
inline Said both(const std::function<void()>& one, const std::function<void()>& other) {
  Said said;
  std::thread thread([&said, &other]() { said.other = error_of(other); });
  said.one = error_of(one);
  thread.join();
  return said;
}

/// Two hubs, each to be used by one thread. Link 0 of a is linked to link 0 of b.
struct Pair {
  transport::Hub a;
  transport::Hub b;

  explicit Pair(connect::NetworkSettings::Transport transport, bool checksums = false) {
    a.configure({}, checksums);
    b.configure({}, checksums);
    connect::NetworkSettings settings;
    settings.transport = transport;
    connect::Endpoint at_a({"A", 0, 1, "same"}, settings);
    connect::Endpoint at_b({"B", 0, 1, "same"}, settings);
    const Token token = make_token();
    const int ranks[] = {0};
    both(
        [&]() {
          at_a.connect(a, connect::Target{at_b.address(), "B", 0}, token, Deadline(limit_s));
        },
        [&]() { at_b.accept(b, "A", ranks, token, Deadline(limit_s)); });
  }
};

inline constexpr connect::NetworkSettings::Transport transports[] = {connect::NetworkSettings::tcp,
                                                                     connect::NetworkSettings::shm};

} // namespace isthmus::transport::testing
