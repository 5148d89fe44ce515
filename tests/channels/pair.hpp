// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/endpoint.hpp"

#include <exception>
#include <functional>
#include <thread>

namespace isthmus::comm::testing {

/// Two hubs linked over the loopback, each to be used by a thread of its own.
struct Pair {
  Hub a;
  Hub b;
};

/// Runs both at once and rethrows what one of them threw, the first one's first.
inline void both(const std::function<void()>& one, const std::function<void()>& other) {
  std::exception_ptr failures[2];
  const auto guard = [&failures](int index, const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      failures[index] = std::current_exception();
    }
  };
  std::thread thread([&guard, &other]() { guard(1, other); });
  guard(0, one);
  thread.join();
  for (const auto& failure : failures) {
    if (failure) {
      std::rethrow_exception(failure);
    }
  }
}

/// Link 0 of a is linked to link 0 of b.
inline void link(Pair& pair, NetworkSettings::Transport transport) {
  NetworkSettings settings;
  settings.transport = transport;
  Endpoint a({"A", 0, 1, "same"}, settings);
  Endpoint b({"B", 0, 1, "same"}, settings);
  const Token token = make_token();
  const int ranks[] = {0};
  both([&]() { a.connect(pair.a, b.address(), "B", 0, token, Deadline(5)); },
       [&]() { b.accept(pair.b, "A", ranks, token, Deadline(5)); });
}

} // namespace isthmus::comm::testing
