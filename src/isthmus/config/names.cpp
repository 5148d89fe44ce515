// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/names.hpp"

namespace isthmus::config {

Words words_of(SinkType) {
  static constexpr std::string_view words[] = {"stream", "file"};
  return words;
}

Words words_of(ProfilingMode) {
  static constexpr std::string_view words[] = {"off", "fundamental", "api", "all"};
  return words;
}

Words words_of(M2NKind) {
  static constexpr std::string_view words[] = {"sockets", "mpi", "mpi-multiple-ports"};
  return words;
}

Words words_of(Initialization) {
  static constexpr std::string_view words[] = {"rendezvous", "two-level", "one-level"};
  return words;
}

Words words_of(GeometricFilter) {
  static constexpr std::string_view words[] = {"on-secondary-ranks", "on-primary-rank",
                                               "no-filter"};
  return words;
}

Words words_of(Direction) {
  static constexpr std::string_view words[] = {"write", "read"};
  return words;
}

Words words_of(Constraint) {
  static constexpr std::string_view words[] = {
      "conservative", "consistent", "scaled-consistent-surface", "scaled-consistent-volume"};
  return words;
}

Words words_of(MappingKind) {
  static constexpr std::string_view words[] = {"nearest-neighbor",
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
  return words;
}

Words words_of(BasisKind) {
  static constexpr std::string_view words[] = {"compact-polynomial-c0",
                                               "compact-polynomial-c2",
                                               "compact-polynomial-c4",
                                               "compact-polynomial-c6",
                                               "compact-polynomial-c8",
                                               "compact-tps-c2",
                                               "gaussian",
                                               "multiquadrics",
                                               "inverse-multiquadrics",
                                               "thin-plate-splines",
                                               "volume-splines"};
  return words;
}

Words words_of(ExecutorKind) {
  static constexpr std::string_view words[] = {"cpu", "cuda", "hip", "sycl", "openmp"};
  return words;
}

Words words_of(Polynomial) {
  static constexpr std::string_view words[] = {"off", "on", "separate"};
  return words;
}

Words words_of(MultiscaleDimension) {
  static constexpr std::string_view words[] = {"1d-3d", "1d-2d", "2d-3d"};
  return words;
}

Words words_of(MultiscaleType) {
  static constexpr std::string_view words[] = {"spread", "collect"};
  return words;
}

Words words_of(Axis) {
  static constexpr std::string_view words[] = {"x", "y", "z"};
  return words;
}

Words words_of(CrossSectionProfile) {
  static constexpr std::string_view words[] = {"uniform", "parabolic"};
  return words;
}

Words words_of(CrossSection) {
  static constexpr std::string_view words[] = {"circle", "square"};
  return words;
}

Words words_of(ActionKind) {
  static constexpr std::string_view words[] = {"multiply-by-area", "divide-by-area", "summation",
                                               "recorder", "python"};
  return words;
}

Words words_of(ActionTiming) {
  static constexpr std::string_view words[] = {"write-mapping-post", "read-mapping-post"};
  return words;
}

Words words_of(ExportKind) {
  static constexpr std::string_view words[] = {"vtk", "vtu", "vtp", "csv"};
  return words;
}

Words words_of(SchemeKind) {
  static constexpr std::string_view words[] = {"serial-explicit", "parallel-explicit",
                                               "serial-implicit", "parallel-implicit", "multi"};
  return words;
}

Words words_of(MeasureKind) {
  static constexpr std::string_view words[] = {
      "absolute-convergence-measure", "relative-convergence-measure",
      "residual-relative-convergence-measure", "absolute-or-relative-convergence-measure"};
  return words;
}

Words words_of(AccelerationKind) {
  static constexpr std::string_view words[] = {"constant", "aitken", "IQN-ILS", "IQN-IMVJ"};
  return words;
}

Words words_of(PreconditionerType) {
  static constexpr std::string_view words[] = {"constant", "value", "residual", "residual-sum"};
  return words;
}

Words words_of(FilterType) {
  static constexpr std::string_view words[] = {"QR1", "QR1-absolute", "QR2", "QR3"};
  return words;
}

Words words_of(OnBoundViolation) {
  static constexpr std::string_view words[] = {"ignore", "clamp", "discard", "scale"};
  return words;
}

Words words_of(RestartMode) {
  static constexpr std::string_view words[] = {"no-restart", "RS-0", "RS-LS", "RS-SVD", "RS-SLIDE"};
  return words;
}

} // namespace isthmus::config
