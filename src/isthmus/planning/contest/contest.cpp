// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/contest/contest.hpp"

#include "isthmus/mapping/mapping.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace isthmus::planning {

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

} // namespace

/// The elements of all partners as one mesh, without knowing what they share; where its vertices
/// come from.
mesh::Mesh Contest::join(const std::vector<Candidates>& candidates,
                         std::vector<Origin>& origins) const {
  std::vector<double> coordinates;
  std::vector<LocalIndex> edges;
  std::vector<LocalIndex> triangles;
  for (const auto& [partner, elements] : candidates) {
    const auto first = static_cast<LocalIndex>(origins.size());
    for (const LocalIndex vertex : elements.vertices) {
      origins.push_back({partner, vertex});
    }
    coordinates.insert(coordinates.end(), elements.coordinates.begin(), elements.coordinates.end());
    const auto number = [first](LocalIndex position) { return first + position; };
    std::transform(elements.edges.begin(), elements.edges.end(), std::back_inserter(edges), number);
    std::transform(elements.triangles.begin(), elements.triangles.end(),
                   std::back_inserter(triangles), number);
  }
  return {mesh_.name(), mesh_.dimensions(), std::move(coordinates), std::move(edges),
          std::move(triangles)};
}

void Contest::begin(const std::vector<const transfer::Selection*>& selections) {
  const auto count = static_cast<std::size_t>(mesh_.num_vertices());
  std::vector<char> is_selected(count, 0);
  is_contested_.assign(count, 0);
  for (const transfer::Selection* selection : selections) {
    for (LocalIndex i = 0; i < selection->num_vertices(mesh_); ++i) {
      const auto vertex = static_cast<std::size_t>(selection->vertex(i));
      is_contested_[vertex] = is_selected[vertex];
      is_selected[vertex] = 1;
    }
  }
  standings_.assign(relation_.uses.size(), {});
  candidates_.assign(relation_.uses.size(), {});
  choices_.clear();
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    if (protocol::speaks_for_others(relation_, u)) {
      standings_[u].assign(count, {{none, {}}});
    }
  }
}

std::vector<char> Contest::contested(const transfer::Selection& selection) const {
  std::vector<char> contested;
  for (LocalIndex i = 0; i < selection.num_vertices(mesh_); ++i) {
    contested.push_back(is_contested_[static_cast<std::size_t>(selection.vertex(i))]);
  }
  return contested;
}

void Contest::enter(int partner, const transfer::Selection& selection, protocol::Claims claims) {
  for (std::size_t u = 0; u < claims.lists.size(); ++u) {
    for (std::size_t i = 0; i < claims.lists[u].size(); ++i) {
      const auto vertex = static_cast<std::size_t>(selection.vertex(static_cast<LocalIndex>(i)));
      if (claims.lists[u][i].better_than(standings_[u][vertex].best)) {
        standings_[u][vertex] = {claims.lists[u][i], partner};
      }
    }
    if (protocol::candidates_are_joined(relation_, u)) {
      candidates_[u].push_back({partner, std::move(claims.candidates[u])});
    }
  }
}

void Contest::settle() {
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    if (protocol::candidates_are_joined(relation_, u)) {
      choose(u);
    }
  }
}

void Contest::choose(std::size_t use) {
  std::vector<LocalIndex> vertices; // that nobody has claimed
  for (LocalIndex v = 0; v < mesh_.num_vertices(); ++v) {
    if (standings_[use][static_cast<std::size_t>(v)].winner < 0) {
      vertices.push_back(v);
    }
  }
  std::vector<Origin> origins;
  const mesh::Mesh joined = join(std::exchange(candidates_[use], {}), origins);
  if (vertices.empty()) {
    return;
  }
  const mapping::Interpolation found =
      mapping::make_nearest_projection(joined, mapping::Outside::candidates)
          ->interpolate(mesh::coordinates_of(mesh_, vertices));
  std::size_t first = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (found.counts[i] > 0) {
      Standing& standing = standings_[use][static_cast<std::size_t>(vertices[i])];
      standing.best.distance2 = std::max(found.distances2[i], found.needed2[i]);
      standing.winner = origins[static_cast<std::size_t>(found.columns[first])].partner;
      standing.choice = static_cast<int>(choices_.size());
      geometry::Projection& choice = choices_.emplace_back();
      choice.size = found.counts[i];
      for (std::size_t k = 0; k < static_cast<std::size_t>(choice.size); ++k) {
        choice.vertex[k] = origins[static_cast<std::size_t>(found.columns[first + k])].vertex;
        choice.weight[k] = found.weights[first + k];
      }
    }
    first += static_cast<std::size_t>(found.counts[i]);
  }
}

double Contest::farthest() const {
  double farthest2 = 0;
  for (const std::vector<Standing>& of_use : standings_) {
    for (const Standing& standing : of_use) {
      farthest2 = std::max(farthest2, standing.best.distance2);
    }
  }
  return std::sqrt(farthest2);
}

protocol::Awards Contest::awards(int partner, const transfer::Selection& selection) const {
  protocol::Awards awards;
  awards.lists.resize(standings_.size());
  awards.choices.resize(standings_.size());
  for (std::size_t u = 0; u < standings_.size(); ++u) {
    for (LocalIndex i = 0; !standings_[u].empty() && i < selection.num_vertices(mesh_); ++i) {
      const Standing& standing = standings_[u][static_cast<std::size_t>(selection.vertex(i))];
      const bool has_won = standing.winner == partner;
      const bool is_chosen = has_won && standing.choice >= 0;
      awards.lists[u].push_back(is_chosen ? protocol::Award::as_chosen
                                : has_won ? protocol::Award::as_claimed
                                          : protocol::Award::no);
      if (is_chosen) {
        awards.choices[u].push_back(choices_[static_cast<std::size_t>(standing.choice)]);
      }
    }
  }
  return awards;
}

} // namespace isthmus::planning
