// SPDX-License-Identifier: BSD-3-Clause
// How outputs follow meshes that change.
#include "isthmus/outputs/outputs.hpp"

namespace isthmus::outputs {

void Outputs::renew(const planning::FindMesh& own_mesh, const coupling::Coupling& coupling) {
  const std::set<std::string>& meshes = coupling.renewed_meshes();
  for (const fields::Field* field : fields_.all()) {
    if (meshes.count(field->mesh()) != 0) {
      latest_.forget(*field);
    }
  }
  exports_->set_meshes(own_mesh, coupling.wiring());
  const TableSizes sizes = table_sizes(); // another rank may go on with a table
  auto point = self_.watch_points.begin();
  for (WatchPoint& table : points_) {
    if (meshes.count(point->mesh) != 0) {
      table = WatchPoint(comm_, *point, self_.name, own_mesh(point->mesh), fields_on(point->mesh),
                         sizes.at("point " + point->name));
    }
    ++point;
  }
  auto integral = self_.watch_integrals.begin();
  for (WatchIntegral& table : integrals_) {
    if (meshes.count(integral->mesh) != 0) {
      table.measure(own_mesh(integral->mesh));
    }
    ++integral;
  }
}

} // namespace isthmus::outputs
