// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/wire.hpp"
#include "isthmus/planning/route.hpp"
#include "planning/two_participants.hpp"

#include <doctest/doctest.h>

#include <span>
#include <vector>

/// What travels through routes: the values of their vertices, in their order, from the ranks that
/// have `from` to those that have `to`. `values`: what this rank gives; returns what it gets, added
/// up by vertex.
inline std::vector<double> carry(TwoParticipants& both,
                                 const std::vector<isthmus::planning::Route>& from,
                                 const std::vector<isthmus::planning::Route>& to,
                                 std::span<const double> values, std::size_t size) {
  isthmus::transport::Hub& hub = both.hub;
  const auto vertex = [](const isthmus::planning::Route& route, isthmus::LocalIndex i) {
    return static_cast<std::size_t>(
        route.vertices.empty() ? route.first + i : route.vertices[static_cast<std::size_t>(i)]);
  };
  for (const isthmus::planning::Route& route : from) {
    isthmus::Writer writer;
    std::vector<double> some;
    for (isthmus::LocalIndex i = 0; i < route.count; ++i) {
      some.push_back(values[vertex(route, i)]);
    }
    writer.put_array(some);
    hub.send(route.link, isthmus::transport::Kind::control, writer.take());
  }
  std::vector<double> result(size, 0.0);
  for (const isthmus::planning::Route& route : to) {
    const auto bytes = hub.receive(route.link, isthmus::transport::Kind::control, 60);
    const auto some = isthmus::Reader(bytes).get_array<double>();
    REQUIRE(some.size() == static_cast<std::size_t>(route.count));
    for (isthmus::LocalIndex i = 0; i < route.count; ++i) {
      result[vertex(route, i)] += some[static_cast<std::size_t>(i)];
    }
  }
  hub.flush(60);
  return result;
}
