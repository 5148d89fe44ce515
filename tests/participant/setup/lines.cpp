// SPDX-License-Identifier: BSD-3-Clause
#include "participant/setup/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace couple {

namespace {

Line another_line(Dice& draw) {
  const int points = draw(12, 40);
  const double shift = 0.01 * draw(-3, 3);
  Line line{{}, draw(-1, 2), draw(0, 1) != 0};
  for (int i = 0; i < points; ++i) {
    line.x.push_back(shift + i / (points - 1.0));
  }
  return line;
}

/// One change, of any kind.
void change(Line& line, Dice& draw) {
  const auto some = [&] { return static_cast<std::size_t>(draw(0, int(line.x.size()) - 1)); };
  switch (draw(0, 9)) {
    case 0:
      line = another_line(draw);
      break;
    case 1: // fewer, in the middle or at an end
      line.x.erase(line.x.begin() + draw(0, 3), line.x.begin() + draw(4, 8));
      break;
    case 2:
      line.x.push_back(0.01 * draw(-5, 105));
      std::sort(line.x.begin(), line.x.end());
      break;
    case 3:
      line.empty_rank = draw(-1, 3);
      break;
    case 4: // far
      line.x[some()] = 0.01 * draw(-5, 105);
      break;
    case 5: // nothing
      break;
    default: // a little, and back again some day
      for (int moved = draw(1, 3); moved > 0; --moved) {
        line.x[some()] += 0.002 * draw(-6, 6);
      }
  }
}

} // namespace

Line line(const std::string& participant, int version) {
  const int which = participant == "A" ? 1 : 2;
  Dice draw(17 * std::min(version < per_seed ? version : version / per_seed * per_seed, 1 << 20) +
            which);
  if (version >= per_seed) {
    Line line = another_line(draw);
    for (int step = 0; step < version % per_seed; ++step) {
      change(line, draw);
    }
    return line;
  }
  if (version > 3) {
    Line moved = line(participant, 3);
    const auto step = 0.6 * (moved.x[1] - moved.x[0]);
    for (std::size_t i = 0; i < moved.x.size(); ++i) {
      moved.x[i] += (static_cast<int>(i) + version) % 11 == 0 ? step : 0.0;
    }
    return moved;
  }
  return another_line(draw);
}

Piece piece(const Line& line, int rank, int size) {
  std::vector<int> takers; // ranks that hold something
  for (int r = 0; r < size; ++r) {
    if (r != line.empty_rank || size == 1) {
      takers.push_back(r);
    }
  }
  const auto at = std::find(takers.begin(), takers.end(), rank) - takers.begin();
  const auto count = static_cast<int>(takers.size());
  Piece piece;
  if (at == count) {
    return piece;
  }
  const int points = static_cast<int>(line.x.size());
  const int first = (points - 1) * static_cast<int>(at) / count;
  const int last = (points - 1) * (static_cast<int>(at) + 1) / count;
  piece.entries.resize(static_cast<std::size_t>(last - first + 1));
  std::iota(piece.entries.begin(), piece.entries.end(), first);
  if (line.backwards) {
    std::reverse(piece.entries.begin(), piece.entries.end());
  }
  for (std::size_t i = 0; i < piece.entries.size(); ++i) {
    const double x = line.x[static_cast<std::size_t>(piece.entries[i])];
    piece.places.insert(piece.places.end(), {x, 0.1 * std::sin(9 * x)});
    if (i > 0) {
      piece.edges.insert(piece.edges.end(), {static_cast<int>(i) - 1, static_cast<int>(i)});
    }
  }
  return piece;
}

Scenario scenario(const std::string& scheme, int windows, const std::vector<Kind>& kinds) {
  Scenario scenario;
  scenario.remeshing = true;
  scenario.schemes = {{"A", "B", scheme, 1, 0, windows}};
  int number = 0;
  for (const auto& [mapping, direction, constraint] : kinds) {
    for (const auto& [from, to] : {std::array{"A", "B"}, std::array{"B", "A"}}) {
      Flow flow{from, to, fmt::format("{}{}", from, number)};
      flow.mapping.kind = mapping;
      flow.mapping.direction = direction;
      flow.mapping.constraint = constraint;
      flow.meshes.suffix = std::to_string(number * 2 / static_cast<int>(kinds.size()));
      scenario.flows.push_back(flow);
    }
    ++number;
  }
  return scenario;
}

} // namespace couple
