// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/claims.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace isthmus::planning {

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

template <typename T>
void append(const std::vector<T>& more, std::vector<T>& all) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Instead of claiming the contested vertices of a part that were not found in a cell, a rank names
/// its candidates for them. Returns their coordinates.
std::vector<double> give_up(const mesh::Mesh& received, const transfer::Part& part,
                            const mapping::Interpolation& found, std::span<const char> contested,
                            std::vector<protocol::Claim>& claims) {
  std::vector<LocalIndex> given_up;
  for (LocalIndex i = 0; i < part.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const LocalIndex vertex = part.first + i;
    const bool is_in_cell = found.counts[static_cast<std::size_t>(vertex)] > received.dimensions();
    if (!is_in_cell && (contested.empty() || contested[at] != 0)) {
      claims[at] = {none, {}};
      given_up.push_back(vertex);
    }
  }
  return mesh::coordinates_of(received, given_up);
}

/// For the vertices of each part. `contested`: of each part those that other ranks got, too; empty:
/// all.
std::vector<protocol::Claims> make_claims(const protocol::MeshRelation& relation,
                                          const transfer::TransferredMesh& received,
                                          std::span<const std::vector<char>> contested,
                                          const Searches& searches) {
  std::vector<protocol::Claims> claims(received.parts.size());
  for (protocol::Claims& of_part : claims) {
    of_part.lists.resize(relation.uses.size());
    of_part.candidates.resize(relation.uses.size());
  }
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    if (!protocol::speaks_for_others(relation, u)) {
      continue;
    }
    const mesh::Mesh& own = searches.own_mesh(relation.uses[u]);
    const std::vector<protocol::Claim> all = claims_of(own, searches.result(u));
    for (std::size_t p = 0; p < received.parts.size(); ++p) {
      const transfer::Part& part = received.parts[p];
      const auto begin = all.begin() + part.first;
      claims[p].lists[u].assign(begin, begin + part.count);
      if (protocol::candidates_are_joined(relation, u)) {
        const std::vector<double> points =
            give_up(received.mesh, part, searches.result(u),
                    contested.empty() ? std::span<const char>() : contested[p], claims[p].lists[u]);
        claims[p].candidates[u] = candidates_of(own, searches.mapping(u).candidates(points));
      }
    }
  }
  return claims;
}

} // namespace

std::vector<protocol::Claim> claims_of(const mesh::Mesh& own, const mapping::Interpolation& found) {
  std::vector<protocol::Claim> claims(found.num_points());
  std::size_t entry = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const double needed2 = found.needed2.empty() ? 0.0 : found.needed2[i];
    claims[i] = {std::max(found.distances2[i], needed2), {}};
    if (found.counts[i] > 0) {
      claims[i].corner = geometry::point_at(own.dimensions(), own.coordinates(),
                                            static_cast<std::size_t>(found.columns[entry]));
    }
    entry += static_cast<std::size_t>(found.counts[i]);
  }
  return claims;
}

protocol::CandidateElements candidates_of(const mesh::Mesh& own,
                                          std::span<const geometry::Element> elements) {
  protocol::CandidateElements result;
  for (const geometry::Element& element : elements) {
    for (const LocalIndex vertex : element) {
      if (vertex >= 0) {
        result.vertices.push_back(vertex);
      }
    }
  }
  sort_once(result.vertices);
  result.coordinates = mesh::coordinates_of(own, result.vertices);
  for (const geometry::Element& element : elements) {
    if (element[1] >= 0) {
      std::vector<LocalIndex>& corners = element[2] >= 0 ? result.triangles : result.edges;
      for (const LocalIndex vertex : element) {
        if (vertex >= 0) {
          corners.push_back(static_cast<LocalIndex>(
              std::lower_bound(result.vertices.begin(), result.vertices.end(), vertex) -
              result.vertices.begin()));
        }
      }
    }
  }
  return result;
}

void send_claims(partner::Context& context, const protocol::MeshRelation& relation,
                 const transfer::TransferredMesh& received, const Searches& searches) {
  std::vector<std::vector<char>> contested; // by part
  for (const transfer::Part& part : received.parts) {
    if (protocol::contested_are_sent(relation)) {
      const auto count = static_cast<std::size_t>(part.count);
      contested.push_back(protocol::receive<protocol::Contested>(context, part.link, count).list);
    }
  }
  const std::vector<protocol::Claims> claims = make_claims(relation, received, contested, searches);
  for (std::size_t p = 0; p < claims.size(); ++p) {
    protocol::send(context, received.parts[p].link, claims[p], relation);
  }
}

void Contest::run(partner::Context& context, std::span<const Recipient> recipients) {
  std::vector<const transfer::Selection*> selections;
  for (const Recipient& recipient : recipients) {
    selections.push_back(&recipient.selection);
  }
  begin(selections);
  for (const Recipient& recipient : recipients) {
    if (protocol::contested_are_sent(relation_)) {
      protocol::send(context, recipient.link, protocol::Contested{contested(recipient.selection)});
    }
  }
  for (std::size_t r = 0; r < recipients.size(); ++r) {
    const transfer::Selection& selection = recipients[r].selection;
    const LocalIndex count = selection.num_vertices(mesh_);
    enter(static_cast<int>(r), selection,
          protocol::receive<protocol::Claims>(context, recipients[r].link, relation_, count));
  }
  settle();
}

void Contest::send_awards(partner::Context& context, std::span<const Recipient> recipients) const {
  for (std::size_t r = 0; r < recipients.size(); ++r) {
    protocol::send(context, recipients[r].link,
                   awards(static_cast<int>(r), recipients[r].selection), relation_);
  }
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

protocol::Awards receive_awards(partner::Context& context, const protocol::MeshRelation& relation,
                                std::span<const transfer::Part> parts) {
  protocol::Awards all;
  all.lists.resize(relation.uses.size());
  all.choices.resize(relation.uses.size());
  for (const transfer::Part& part : parts) {
    const auto of_part =
        protocol::receive<protocol::Awards>(context, part.link, relation, part.count);
    for (std::size_t u = 0; u < relation.uses.size(); ++u) {
      append(of_part.lists[u], all.lists[u]);
      append(of_part.choices[u], all.choices[u]);
    }
  }
  return all;
}

mapping::Interpolation keep_awarded(const mapping::Interpolation& found,
                                    std::span<const protocol::Award> awards,
                                    std::span<const geometry::Projection> choices,
                                    const mesh::Mesh& own) {
  mapping::Interpolation kept;
  kept.counts.assign(found.counts.size(), 0);
  auto choice = choices.begin();
  std::ptrdiff_t entry = 0;
  for (std::size_t i = 0; i < found.counts.size(); ++i) {
    const std::ptrdiff_t next = entry + found.counts[i];
    if (awards[i] == protocol::Award::as_claimed) {
      kept.counts[i] = found.counts[i];
      kept.columns.insert(kept.columns.end(), found.columns.begin() + entry,
                          found.columns.begin() + next);
      kept.weights.insert(kept.weights.end(), found.weights.begin() + entry,
                          found.weights.begin() + next);
    } else if (awards[i] == protocol::Award::as_chosen) {
      kept.counts[i] = choice->size;
      for (std::size_t k = 0; k < static_cast<std::size_t>(choice->size); ++k) {
        check(choice->vertex[k] >= 0 && choice->vertex[k] < own.num_vertices(),
              "a message of awards names a vertex that is not there");
        kept.columns.push_back(choice->vertex[k]);
        kept.weights.push_back(choice->weight[k]);
      }
      ++choice;
    }
    entry = next;
  }
  return kept;
}

} // namespace isthmus::planning
