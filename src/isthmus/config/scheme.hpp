// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/kinds.hpp"

#include <optional>
#include <string>
#include <vector>

/// What the configuration language says of a coupling scheme.
namespace isthmus::config {

struct Exchange {
  std::string data;
  std::string mesh;
  std::string from;
  std::string to;
  bool initialize = false;
  bool substeps = false; // default true in implicit schemes
  int line = 0;
};

enum class MeasureKind { absolute, relative, residual_relative, absolute_or_relative };

struct ConvergenceMeasure {
  MeasureKind kind = MeasureKind::relative;
  std::string data;
  std::string mesh;
  double limit = 0;     // the relative limit of absolute-or-relative
  double abs_limit = 0; // only absolute-or-relative
  bool suffices = false;
  bool strict = false;
  int line = 0;
};

struct AccelerationData {
  std::string name;
  std::string mesh;
  double scaling = 1;
  int line = 0;
};

enum class AccelerationKind { constant, aitken, iqn_ils, iqn_imvj };

using isthmus::FilterType;
using isthmus::OnBoundViolation;
using isthmus::PreconditionerType;
using isthmus::RestartMode;

struct Preconditioner {
  PreconditionerType type = PreconditionerType::residual_sum;
  bool given = false;
  bool update_on_threshold = true;
  int freeze_after = -1;
};

struct Filter {
  FilterType type = FilterType::qr3;
  double limit = 1e-2;
};

struct ImvjRestart {
  RestartMode mode = RestartMode::svd;
  int chunk_size = 8;
  int reused_time_windows = 8;
  double truncation_threshold = 1e-4;
};

struct QuasiNewton {
  int max_used_iterations = 0;
  int time_windows_reused = 0;
  Filter filter;
  bool reduced_time_grid = true;
  OnBoundViolation on_bound_violation = OnBoundViolation::ignore;
  bool always_build_jacobian = false;
  ImvjRestart restart;
};

struct Acceleration {
  AccelerationKind kind = AccelerationKind::constant;
  double relaxation = 0; // in quasi-Newton schemes the initial one
  bool enforce_initial_relaxation = false;
  std::vector<AccelerationData> data;
  Preconditioner preconditioner;
  QuasiNewton quasi_newton; // of the kinds that is_quasi_newton() names
  int line = 0;

  [[nodiscard]] bool is_quasi_newton() const {
    switch (kind) {
      case AccelerationKind::constant:
      case AccelerationKind::aitken:
        return false;
      case AccelerationKind::iqn_ils:
      case AccelerationKind::iqn_imvj:
        break;
    }
    return true;
  }
};

enum class SchemeKind {
  serial_explicit,
  parallel_explicit,
  serial_implicit,
  parallel_implicit,
  multi
};

struct TimeWindow {
  double size = -1;
  bool set_by_first_participant = false; // method="first-participant"
};

struct CouplingScheme {
  SchemeKind kind = SchemeKind::parallel_explicit;
  std::vector<std::string> participants; // first, second; or all of a multi scheme
  std::string controller;                // multi only; empty unless there is exactly one
  std::optional<double> max_time;
  std::optional<int> max_time_windows;
  TimeWindow time_window;
  std::vector<Exchange> exchanges;
  std::vector<ConvergenceMeasure> measures;
  int min_iterations = 1;
  std::optional<int> max_iterations;
  std::optional<Acceleration> acceleration;
  int line = 0;

  [[nodiscard]] bool implicit() const {
    switch (kind) {
      case SchemeKind::serial_explicit:
      case SchemeKind::parallel_explicit:
        return false;
      case SchemeKind::serial_implicit:
      case SchemeKind::parallel_implicit:
      case SchemeKind::multi:
        break;
    }
    return true;
  }
  /// Of an implicit scheme: who decides about iterations.
  [[nodiscard]] const std::string& leader() const {
    switch (kind) {
      case SchemeKind::multi:
        return controller;
      case SchemeKind::serial_explicit:
      case SchemeKind::parallel_explicit:
      case SchemeKind::serial_implicit:
      case SchemeKind::parallel_implicit:
        break;
    }
    return participants[1];
  }
  [[nodiscard]] bool involves(const std::string& participant) const;
  /// Whether data goes from one to the other, or back.
  [[nodiscard]] bool joins(const std::string& one, const std::string& other) const;
};

} // namespace isthmus::config
