// SPDX-License-Identifier: BSD-3-Clause
// How outputs follow meshes that change.
#include "isthmus/outputs/outputs.hpp"

namespace isthmus::outputs {

void Outputs::renew(const mesh::OwnMeshes& meshes, const coupling::Coupling& coupling) {
  const std::set<std::string>& renewed = coupling.renewed_meshes();
  for (const fields::Field* field : fields_.all()) {
    if (renewed.count(field->mesh()) != 0) {
      latest_.forget(*field);
    }
  }
  exports_->set_meshes(meshes, coupling.planned_fields());
  const TableSizes sizes = table_sizes(); // another rank may go on with a table
  auto point = self_.watch_points.begin();
  for (WatchPoint& table : points_) {
    if (renewed.count(point->mesh) != 0) {
      table = WatchPoint(comm_, *point, self_.name, meshes.at(point->mesh), fields_on(point->mesh),
                         sizes.at("point " + point->name));
    }
    ++point;
  }
  auto integral = self_.watch_integrals.begin();
  for (WatchIntegral& table : integrals_) {
    if (renewed.count(integral->mesh) != 0) {
      table.measure(meshes.at(integral->mesh));
    }
    ++integral;
  }
}

} // namespace isthmus::outputs
