// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/watch_integral.hpp"

#include "isthmus/base/twofold.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/mesh/measures.hpp"

#include <fmt/format.h>

#include <utility>

namespace isthmus::outputs {

WatchIntegral::WatchIntegral(const comm::Comm& comm, const config::WatchIntegral& settings,
                             const std::string& participant, const mesh::Mesh& mesh,
                             std::vector<const fields::Field*> fields,
                             std::optional<std::uint64_t> keep)
    : comm_(comm), settings_(settings), fields_(std::move(fields)) {
  shows_area_ = measure(mesh) > 0;
  comm::agree(comm, [&] {
    if (!comm.is_root()) {
      return;
    }
    std::vector<std::string> names{"Time"};
    for (const fields::Field* field : fields_) {
      add_columns(names, field->data(), field->components());
    }
    if (shows_area_) {
      names.emplace_back("SurfaceArea");
    }
    table_ = WatchTable(fmt::format("precice-{}-watchintegral-{}.log", participant, settings.name),
                        names, keep);
  });
}

int WatchIntegral::measure(const mesh::Mesh& mesh) {
  const int dimension = comm::allreduce(comm_, mesh::surface_dimension(mesh), comm::Op::max);
  std::vector<double> measures = mesh::vertex_measures(mesh, dimension);
  Twofold area;
  for (const double measure : measures) {
    area += Twofold{measure};
  }
  comm::allreduce_sum(comm_, std::span(&area, 1));
  area_ = area.value;
  weights_.clear();
  if (settings_.scale_with_connectivity && dimension > 0) {
    weights_ = std::move(measures);
  }
  return dimension;
}

void WatchIntegral::add_up(double time, const LatestValues& latest) {
  std::vector<Twofold> sums;
  for (const fields::Field* field : fields_) {
    const auto values = latest.at(*field, time);
    const auto width = static_cast<std::size_t>(field->components());
    const std::size_t first = sums.size();
    sums.resize(first + width);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double weight = weights_.empty() ? 1.0 : weights_[i / width];
      sums[first + i % width] += exact_product(weight, values[i]);
    }
  }
  comm::allreduce_sum(comm_, sums);
  sums_.clear();
  for (const Twofold& sum : sums) {
    sums_.push_back(sum.value);
  }
}

void WatchIntegral::show(double time) {
  std::vector<double> row{time};
  row.insert(row.end(), sums_.begin(), sums_.end());
  if (shows_area_) {
    row.push_back(area_);
  }
  table_.row(row);
}

} // namespace isthmus::outputs
