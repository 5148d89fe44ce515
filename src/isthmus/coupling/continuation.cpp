// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/continuation.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/time/waveform.hpp"

#include <algorithm>

namespace isthmus::coupling {

namespace {

std::string described(const std::vector<fields::RestartPoint>& points) {
  std::string text;
  for (const fields::RestartPoint& point : points) {
    text += fmt::format("{}{} (time {})", text.empty() ? "" : ", ", point.window, point.time);
  }
  return text.empty() ? "none" : text;
}

/// Removes the points that the partner does not have. Windows are told apart by their time: where
/// schemes differ, so do the numbers.
void keep_common(std::vector<fields::RestartPoint>& points,
                 const std::vector<fields::RestartPoint>& others, const std::string& self,
                 const std::string& partner) {
  const std::string own = described(points);
  std::erase_if(points, [&others](const fields::RestartPoint& point) {
    return std::none_of(others.begin(), others.end(), [&point](const fields::RestartPoint& other) {
      return time::same_time(point.time, other.time, point.time);
    });
  });
  check(!points.empty(),
        "participants \"{}\" and \"{}\" cannot continue from the same time window: \"{}\" has {}, "
        "\"{}\" has {}; choose one that both have with ISTHMUS_RESTART",
        self, partner, self, own, partner, described(others));
}

} // namespace

std::optional<fields::RestartPoint> agree_on_start(
    std::map<std::string, partner::Connection>& connections, const std::string& self,
    std::size_t num_participants, const std::optional<std::vector<fields::RestartPoint>>& own) {
  std::vector<fields::RestartPoint> points = own.value_or(std::vector<fields::RestartPoint>{});
  // what one participant lacks has to reach all others, along chains of partners
  const std::size_t rounds = own ? std::max<std::size_t>(num_participants, 2) - 1 : 1;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (auto& [partner, connection] : connections) {
      Writer writer;
      writer.put(own.has_value()).put_array(points);
      const auto bytes = connection.swap(writer.take());
      Reader reader(bytes);
      const bool continues = reader.get<bool>();
      check(continues == own.has_value(),
            "participant \"{}\" continues an earlier run and participant \"{}\" starts anew; set "
            "ISTHMUS_RESTART for all participants or for none",
            continues ? partner : self, continues ? self : partner);
      if (own) {
        keep_common(points, reader.get_array<fields::RestartPoint>(), self, partner);
      }
    }
  }
  if (!own) {
    return {};
  }
  return *std::max_element(points.begin(), points.end(),
                           [](const auto& a, const auto& b) { return a.time < b.time; });
}

} // namespace isthmus::coupling
