// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/planned_mapping.hpp"

#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <array>

namespace isthmus::planning {

namespace {

constexpr std::size_t most_components = 3;

using Sums = std::array<double, 2 * most_components>;

/// `width`: values of a vertex, its components before all others.
void integrate(std::size_t components, std::span<const double> measures,
               std::span<const double> values, std::size_t width, double* integrals) {
  for (std::size_t i = 0; i < measures.size(); ++i) {
    for (std::size_t c = 0; c < components; ++c) {
      integrals[c] += measures[i] * values[i * width + c];
    }
  }
}

} // namespace

void PlannedMapping::apply(const comm::Comm& comm, int components, std::span<const double> in,
                           std::span<double> out) {
  if (!handover) {
    map(comm, components, in, out);
    return;
  }
  const auto width = static_cast<std::size_t>(components);
  const std::size_t mapped = static_cast<std::size_t>(rows.num_rows()) * width;
  handover->values.resize(mapped + static_cast<std::size_t>(handover->halo.num_ghosts()) * width);
  const std::span<double> all(handover->values);
  map(comm, components, in, all.first(mapped));
  handover->halo.forward(comm, components, all.first(mapped), all.subspan(mapped));
  handover->rows.apply(components, all, out);
}

void PlannedMapping::map(const comm::Comm& comm, int components, std::span<const double> in,
                         std::span<double> out) {
  if (solver) {
    apply_solver(components, in, out);
  } else if (halo.empty()) {
    rows.apply(components, in, out);
  } else {
    const auto ghosts =
        static_cast<std::size_t>(halo.num_ghosts()) * static_cast<std::size_t>(components);
    with_halo_.resize(in.size() + ghosts);
    std::copy(in.begin(), in.end(), with_halo_.begin());
    halo.forward(comm, components, in, std::span(with_halo_).subspan(in.size()));
    rows.apply(components, with_halo_, out);
  }
  if (use->axis() >= 0 && components > 1) { // domains of less dimensions know that one alone
    const auto width = static_cast<std::size_t>(components);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = i % width == static_cast<std::size_t>(use->axis()) ? out[i] : 0.0;
    }
  }
  if (use->scaled()) {
    scale(comm, components, in, out);
  }
}

void PlannedMapping::apply_solver(int components, std::span<const double> in,
                                  std::span<double> out) {
  const bool spreads = use->writes == use->searches_received;
  solved_.resize(static_cast<std::size_t>(rows.num_rows()) * static_cast<std::size_t>(components));
  if (!use->writes) {
    rows.apply(components, in, solved_);
  }
  const std::span<const double> from = use->writes ? in : std::span<const double>(solved_);
  const std::span<double> to = use->writes ? std::span<double>(solved_) : out;
  if (spreads) {
    solver->spread(components, from, to);
  } else {
    solver->interpolate(components, from, to);
  }
  if (use->writes) {
    rows.apply(components, solved_, out);
  }
}

void PlannedMapping::scale(const comm::Comm& comm, int components, std::span<const double> in,
                           std::span<double> out) const {
  const auto width = static_cast<std::size_t>(components);
  const bool has_gradients = use->takes_gradients() && !from_measures.empty();
  Sums integrals{};
  integrate(width, from_measures, in, has_gradients ? in.size() / from_measures.size() : width,
            integrals.data());
  integrate(width, to_measures, out, width, integrals.data() + most_components);
  comm::allreduce(comm, std::span<double>(integrals), comm::Op::sum);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double mapped = integrals[most_components + i % width];
    out[i] *= mapped != 0 ? integrals[i % width] / mapped : 0.0; // no factor would do; as preCICE
  }
}

} // namespace isthmus::planning
