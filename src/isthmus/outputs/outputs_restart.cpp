// SPDX-License-Identifier: BSD-3-Clause
// How outputs go on where those of an earlier run stopped.
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/outputs/outputs.hpp"

#include <utility>

namespace isthmus::outputs {

/// Of all ranks, each of which writes some tables.
Outputs::TableSizes Outputs::table_sizes() const {
  std::vector<std::string> names;
  std::vector<std::uint64_t> sizes;
  auto point = self_.watch_points.begin();
  for (const WatchPoint& table : points_) {
    names.push_back("point " + (point++)->name);
    sizes.push_back(table.table_size());
  }
  auto integral = self_.watch_integrals.begin();
  for (const WatchIntegral& table : integrals_) {
    names.push_back("integral " + (integral++)->name);
    sizes.push_back(table.table_size());
  }
  comm::allreduce(comm_, std::span(sizes), comm::Op::max);
  TableSizes all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    all[names[i]] = sizes[i];
  }
  return all;
}

/// Of each field: whether any rank has latest values of it that discard() would keep.
std::vector<int> Outputs::has_kept() const {
  std::vector<int> has;
  for (const fields::Field* field : fields_.all()) {
    const std::vector<double>* const kept = latest_.kept(*field);
    has.push_back(kept != nullptr && !kept->empty() ? 1 : 0);
  }
  comm::allreduce(comm_, std::span(has), comm::Op::max);
  return has;
}

std::vector<std::byte> Outputs::save(coupling::Snapshot& snapshot) const {
  const std::vector<int> has = has_kept();
  const std::vector<fields::Field*> fields = fields_.all();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (has[f] != 0) {
      const std::vector<double>* const kept = latest_.kept(*fields[f]);
      auto& sample = snapshot.fields[f].samples.emplace_back(*kept);
      sample.resize(fields[f]->wave().size(), 0.0);
    }
  }
  const TableSizes sizes = table_sizes();
  Writer writer;
  writer.put(advances_).put_array(has).put(sizes.size());
  for (const auto& [name, size] : sizes) {
    writer.put_text(name).put(size);
  }
  exports_->save(writer);
  return writer.take();
}

void Outputs::reopen(const mesh::OwnMeshes& meshes, std::span<const std::byte> kept,
                     coupling::Snapshot& snapshot) {
  Reader reader(kept);
  advances_ = reader.get<int>();
  const auto has = reader.get_array<int>();
  TableSizes sizes;
  for (auto left = reader.get<std::size_t>(); left > 0; --left) {
    const std::string name = reader.get_text();
    sizes[name] = reader.get<std::uint64_t>();
  }
  open(meshes, sizes);
  exports_->restore(reader);
  const std::vector<fields::Field*> fields = fields_.all();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (has.at(f) != 0) {
      if (latest_.kept(*fields[f]) != nullptr) { // else nobody looks at it any more
        latest_.keep(*fields[f], std::move(snapshot.fields[f].samples.back()));
      }
      snapshot.fields[f].samples.pop_back();
    }
  }
  is_continued_ = true;
}

} // namespace isthmus::outputs
