// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/multilevel/metis.hpp"

#include "isthmus/base/error.hpp"

#ifdef ISTHMUS_WITH_METIS
#include <metis.h>
#endif

#include <algorithm>
#include <limits>
#include <numeric>

namespace isthmus::partition {

#ifdef ISTHMUS_WITH_METIS

namespace {

// METIS counts with 32 bits: numbers whose sum is larger are scaled down, positive ones to 1 at
// least.
std::vector<idx_t> counted(std::span<const GlobalIndex> values, std::size_t stride,
                           std::size_t size) {
  if (values.empty()) {
    return std::vector<idx_t>(size, 1);
  }
  constexpr GlobalIndex most = std::numeric_limits<idx_t>::max() / 2;
  std::vector<idx_t> result(values.size());
  for (std::size_t first = 0; first < stride; ++first) {
    GlobalIndex sum = 0;
    for (std::size_t i = first; i < values.size(); i += stride) {
      sum += values[i];
    }
    const GlobalIndex unit = sum / most + 1;
    for (std::size_t i = first; i < values.size(); i += stride) {
      result[i] = static_cast<idx_t>(
          values[i] == 0 ? 0 : std::max<GlobalIndex>(1, (values[i] + unit / 2) / unit));
    }
  }
  return result;
}

// Gives each empty part a vertex of the part with the most vertices.
void fill_empty(Parts& of, int parts) {
  std::vector<std::size_t> sizes(static_cast<std::size_t>(parts), 0);
  for (const int part : of) {
    ++sizes[static_cast<std::size_t>(part)];
  }
  for (int part = 0; part < parts; ++part) {
    if (sizes[static_cast<std::size_t>(part)] == 0) {
      const auto most = std::max_element(sizes.begin(), sizes.end());
      const auto giver = static_cast<int>(most - sizes.begin());
      *std::find(of.begin(), of.end(), giver) = part;
      --*most;
      ++sizes[static_cast<std::size_t>(part)];
    }
  }
}

} // namespace

Parts divide_by_metis(const Graph& graph, int parts, const Settings& settings) {
  if (parts == 1) {
    return Parts(graph.num_vertices(), 0);
  }
  check(graph.targets.size() < static_cast<std::size_t>(std::numeric_limits<idx_t>::max()),
        "METIS cannot count {} edges; use Method::scotch, bisect or cut_curve",
        graph.targets.size());
  auto vertices = static_cast<idx_t>(graph.num_vertices());
  idx_t constraints = graph.constraints;
  idx_t count = parts;
  std::vector<idx_t> offsets(graph.offsets.begin(), graph.offsets.end());
  std::vector<idx_t> targets(graph.targets.begin(), graph.targets.end());
  const auto n = static_cast<std::size_t>(constraints);
  std::vector<idx_t> weights = counted(graph.weights, n, graph.num_vertices() * n);
  std::vector<idx_t> edge_weights = counted(graph.edge_weights, 1, targets.size());
  std::vector<real_t> shares(settings.shares.begin(), settings.shares.end());
  std::vector<real_t> bounds(n, static_cast<real_t>(settings.tolerances.front()));
  if (settings.tolerances.size() == n) {
    bounds.assign(settings.tolerances.begin(), settings.tolerances.end());
  }
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = settings.seed;
  idx_t cut = 0;
  std::vector<idx_t> found(graph.num_vertices());
  const auto divide =
      settings.method == Method::recursive ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  const int status =
      divide(&vertices, &constraints, offsets.data(), targets.data(), weights.data(), nullptr,
             edge_weights.data(), &count, shares.empty() ? nullptr : shares.data(), bounds.data(),
             options, &cut, found.data());
  check(status == METIS_OK, "METIS could not divide {} vertices into {} parts (code {})", vertices,
        parts, status);
  Parts of(found.begin(), found.end());
  fill_empty(of, parts);
  return of;
}

#else

Parts divide_by_metis(const Graph&, int, const Settings&) {
  fail("this build has no METIS; install libmetis-dev and build again, or use bisect or cut_curve");
}

#endif

} // namespace isthmus::partition
