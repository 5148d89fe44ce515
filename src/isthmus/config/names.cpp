// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/names.hpp"

#include <array>

namespace isthmus::config {

namespace {

template <typename Enum, std::size_t N>
std::string_view pick(const std::array<std::string_view, N>& words, Enum enumerator) {
  return words[static_cast<std::size_t>(enumerator)];
}

} // namespace

std::string_view name(Direction direction) {
  return direction == Direction::write ? "write" : "read";
}

std::string_view name(Constraint constraint) {
  constexpr std::array<std::string_view, 4> words = {
      "conservative", "consistent", "scaled-consistent-surface", "scaled-consistent-volume"};
  return pick(words, constraint);
}

std::string_view name(MappingKind kind) {
  constexpr std::array<std::string_view, 13> words = {"nearest-neighbor",
                                                      "nearest-projection",
                                                      "nearest-neighbor-gradient",
                                                      "linear-cell-interpolation",
                                                      "rbf-global-direct",
                                                      "rbf-global-iterative",
                                                      "rbf-pum-direct",
                                                      "rbf",
                                                      "coarse-graining",
                                                      "axial-geometric-multiscale",
                                                      "radial-geometric-multiscale",
                                                      "intersection",
                                                      "auto"};
  return pick(words, kind);
}

std::string_view name(SchemeKind kind) {
  constexpr std::array<std::string_view, 5> words = {
      "serial-explicit", "parallel-explicit", "serial-implicit", "parallel-implicit", "multi"};
  return pick(words, kind);
}

std::string_view name(MeasureKind kind) {
  constexpr std::array<std::string_view, 4> words = {
      "absolute-convergence-measure", "relative-convergence-measure",
      "residual-relative-convergence-measure", "absolute-or-relative-convergence-measure"};
  return pick(words, kind);
}

std::string_view name(GeometricFilter filter) {
  constexpr std::array<std::string_view, 3> words = {"on-secondary-ranks", "on-primary-rank",
                                                     "no-filter"};
  return pick(words, filter);
}

std::string_view name(Initialization initialization) {
  constexpr std::array<std::string_view, 3> words = {"rendezvous", "two-level", "one-level"};
  return pick(words, initialization);
}

} // namespace isthmus::config
