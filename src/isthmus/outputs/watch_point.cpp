// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/watch_point.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/mapping/mapping.hpp"

#include <cmath>
#include <limits>

namespace isthmus::outputs {

WatchPoint::WatchPoint(const comm::Comm& comm, const config::WatchPoint& settings,
                       const std::string& participant, const mesh::Mesh& mesh,
                       std::vector<const fields::Field*> fields, std::optional<std::uint64_t> keep)
    : fields_(std::move(fields)) {
  find(mesh, settings.coordinate, comm);
  comm::agree(comm, [&] {
    if (is_here_) {
      table_ = WatchTable(fmt::format("precice-{}-watchpoint-{}.log", participant, settings.name),
                          columns(mesh), keep);
    }
  });
}

void WatchPoint::find(const mesh::Mesh& mesh, std::span<const double> coordinate,
                      const comm::Comm& comm) {
  const mapping::Interpolation found = mapping::make_linear_cell(mesh)->interpolate(coordinate);
  const double distance2 = found.distances2.front();
  const double closest = comm::allreduce(comm, distance2, comm::Op::min);
  check(std::isfinite(closest), "mesh \"{}\" has no vertices, so no point of it can be watched",
        mesh.name());
  const int candidate = distance2 == closest ? comm.rank() : comm.size();
  is_here_ = comm::allreduce(comm, candidate, comm::Op::min) == comm.rank();
  if (!is_here_) {
    return;
  }
  place_.assign(coordinate.size(), 0.0);
  for (std::size_t k = 0; k < found.columns.size(); ++k) {
    corners_.push_back({static_cast<std::size_t>(found.columns[k]), found.weights[k]});
    const auto corner = mesh.vertex(found.columns[k]);
    for (std::size_t c = 0; c < place_.size(); ++c) {
      place_[c] += found.weights[k] * corner[c];
    }
  }
}

std::vector<std::string> WatchPoint::columns(const mesh::Mesh& mesh) const {
  std::vector<std::string> names{"Time"};
  add_columns(names, "Coordinate", mesh.dimensions());
  for (const fields::Field* field : fields_) {
    add_columns(names, field->data(), field->components());
  }
  return names;
}

void WatchPoint::show(double time, const LatestValues& latest) {
  if (!is_here_) {
    return;
  }
  std::vector<double> row{time};
  row.insert(row.end(), place_.begin(), place_.end());
  for (const fields::Field* field : fields_) {
    const auto values = latest.at(*field, time);
    const auto width = static_cast<std::size_t>(field->components());
    for (std::size_t c = 0; c < width; ++c) {
      double value = 0;
      for (const Corner& corner : corners_) {
        value += values.empty() ? 0.0 : corner.weight * values[corner.vertex * width + c];
      }
      row.push_back(value);
    }
  }
  table_.row(row);
}

} // namespace isthmus::outputs
