// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/routed_samples.hpp"

#include "isthmus/base/types.hpp"

#include <functional>

namespace isthmus::fields {

namespace {

template <std::size_t Components, typename Move>
void move_vertices(std::span<const LocalIndex> vertices, std::size_t to, Move move) {
  for (const LocalIndex vertex : vertices) {
    for (std::size_t c = 0; c < Components; ++c) {
      move(static_cast<std::size_t>(vertex) * Components + c, to++);
    }
  }
}

/// Calls move(entry of the field, word of the chunk) for `count` words of a route that lists its
/// vertices, from word `position` on. A chunk may begin and end within a vertex.
template <typename Move>
void move_listed(const planning::Route& route, std::size_t components, std::size_t position,
                 std::size_t count, Move move) {
  std::size_t done = 0;
  const auto single = [&](std::size_t end) {
    for (; done < end; ++done) {
      const std::size_t at = position + done;
      move(static_cast<std::size_t>(route.vertices[at / components]) * components + at % components,
           done);
    }
  };
  single(std::min((components - position % components) % components, count));
  const std::size_t whole = (count - done) / components;
  const auto vertices = std::span(route.vertices).subspan((position + done) / components, whole);
  switch (components) {
    case 1:
      move_vertices<1>(vertices, done, move);
      break;
    case 2:
      move_vertices<2>(vertices, done, move);
      break;
    case 3:
      move_vertices<3>(vertices, done, move);
      break;
    default: // with gradients
      return single(count);
  }
  done += whole * components;
  single(count);
}

/// The place of word `position` where the entries of a route lie in one piece.
std::size_t place_of(const planning::Route& route, std::size_t components, std::size_t position) {
  return static_cast<std::size_t>(route.first) * components + position;
}

} // namespace

void gather(const RoutedSample<const double>& block, std::size_t position, std::span<double> to) {
  const double* const values = block.values;
  if (block.route->vertices.empty()) {
    std::copy_n(values + place_of(*block.route, block.components, position), to.size(), to.begin());
    return;
  }
  double* const out = to.data();
  move_listed(*block.route, block.components, position, to.size(),
              [values, out](std::size_t entry, std::size_t i) { out[i] = values[entry]; });
}

void scatter(const RoutedSample<double>& block, std::size_t position,
             std::span<const double> from) {
  double* const values = block.values;
  if (block.route->vertices.empty()) {
    double* const to = values + place_of(*block.route, block.components, position);
    if (block.adds) {
      std::transform(from.begin(), from.end(), to, to, std::plus<>());
    } else {
      std::copy(from.begin(), from.end(), to);
    }
    return;
  }
  const double* const in = from.data();
  if (block.adds) {
    move_listed(*block.route, block.components, position, from.size(),
                [values, in](std::size_t entry, std::size_t i) { values[entry] += in[i]; });
  } else {
    move_listed(*block.route, block.components, position, from.size(),
                [values, in](std::size_t entry, std::size_t i) { values[entry] = in[i]; });
  }
}

} // namespace isthmus::fields
