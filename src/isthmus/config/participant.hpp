// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/mapping.hpp"

#include <string>
#include <string_view>
#include <vector>

/// What the configuration language says of a participant.
namespace isthmus::config {

struct ProvideMesh {
  std::string name;
  int line = 0;
};

enum class GeometricFilter { on_secondary_ranks, on_primary_rank, no_filter };

struct ReceiveMesh {
  std::string name;
  std::string from;
  double safety_factor = 0.5;
  GeometricFilter filter = GeometricFilter::on_secondary_ranks;
  bool api_access = false;
  int line = 0;
};

struct UseData { // <write-data> and <read-data>
  std::string name;
  std::string mesh;
  int line = 0;
};

enum class ActionKind { multiply_by_area, divide_by_area, summation, recorder, python };
enum class ActionTiming { write_mapping_post, read_mapping_post };

struct Action {
  ActionKind kind = ActionKind::recorder;
  ActionTiming timing = ActionTiming::write_mapping_post;
  std::string mesh;
  std::vector<std::string> source_data;
  std::string target_data;
  std::string path;
  std::string module;
  int line = 0;

  [[nodiscard]] bool needs_areas() const {
    return kind == ActionKind::multiply_by_area || kind == ActionKind::divide_by_area;
  }
};

enum class ExportKind { vtk, vtu, vtp, csv };

struct Export {
  ExportKind kind = ExportKind::vtu;
  std::string directory = ".";
  int every_n_time_windows = 1;
  bool every_iteration = false;
  bool updates_series = false;
  int line = 0;
};

struct WatchPoint {
  std::string name;
  std::string mesh;
  std::vector<double> coordinate;
  int line = 0;
};

struct WatchIntegral {
  std::string name;
  std::string mesh;
  bool scale_with_connectivity = false;
  int line = 0;
};

struct Participant {
  std::string name;
  std::vector<ProvideMesh> provided;
  std::vector<ReceiveMesh> received;
  std::vector<UseData> written;
  std::vector<UseData> read;
  std::vector<Mapping> mappings;
  std::vector<Action> actions;
  std::vector<Export> exports;
  std::vector<WatchPoint> watch_points;
  std::vector<WatchIntegral> watch_integrals;
  int line = 0;

  [[nodiscard]] bool writes(std::string_view data, std::string_view mesh) const;
  [[nodiscard]] bool reads(std::string_view data, std::string_view mesh) const;
  [[nodiscard]] bool provides(std::string_view mesh) const;
  [[nodiscard]] const ReceiveMesh* receives(std::string_view mesh) const; // null if it does not
};

} // namespace isthmus::config
