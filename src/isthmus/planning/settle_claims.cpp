// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/settle_claims.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/planning/contest/found.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace isthmus::planning {

namespace {

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
      claims[at] = {std::numeric_limits<double>::infinity(), {}};
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

void run_contest(partner::Context& context, const protocol::MeshRelation& relation,
                 const mesh::Mesh& mesh, std::span<const Recipient> recipients, Contest& contest) {
  std::vector<const transfer::Selection*> selections;
  for (const Recipient& recipient : recipients) {
    selections.push_back(&recipient.selection);
  }
  contest.begin(selections);
  for (const Recipient& recipient : recipients) {
    if (protocol::contested_are_sent(relation)) {
      protocol::send(context, recipient.link,
                     protocol::Contested{contest.contested(recipient.selection)});
    }
  }
  for (std::size_t r = 0; r < recipients.size(); ++r) {
    const transfer::Selection& selection = recipients[r].selection;
    const LocalIndex count = selection.num_vertices(mesh);
    contest.enter(
        static_cast<int>(r), selection,
        protocol::receive<protocol::Claims>(context, recipients[r].link, relation, count));
  }
  contest.settle();
}

void send_awards(partner::Context& context, const protocol::MeshRelation& relation,
                 std::span<const Recipient> recipients, const Contest& contest) {
  for (std::size_t r = 0; r < recipients.size(); ++r) {
    protocol::send(context, recipients[r].link,
                   contest.awards(static_cast<int>(r), recipients[r].selection), relation);
  }
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

} // namespace isthmus::planning
