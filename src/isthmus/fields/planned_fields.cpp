// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/planned_fields.hpp"

#include "isthmus/config/mapped_data.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace isthmus::fields {

void PlannedFields::take_up() {
  write_mappings_.clear();
  read_mappings_.clear();
  for (planning::ReceivedRelation& received : plans_.received) {
    list_mappings(received);
  }
  for (const planning::ReceivedRelation& received : plans_.received) {
    if (received.is_new) {
      ++num_taken_up_;
      size(received);
    }
  }
}

void PlannedFields::list_mappings(planning::ReceivedRelation& received) {
  const config::Mesh& mesh = config::mesh_named(received.relation->mesh, meshes_);
  for (planning::PlannedMapping& plan : received.plan.mappings) {
    for (const std::string& data : mesh.data) {
      const std::string& own = plan.use->own_mesh;
      if (plan.use->direct && plan.use->writes &&
          config::find_write_mapping(self_, data, mesh.name) != nullptr) {
        continue; // a field has the values of one use
      }
      if (plan.use->writes && self_.writes(data, own)) {
        write_mappings_.push_back(
            {&plan, &fields_.of_solver(own, data), &fields_.at(mesh.name, data)});
      } else if (!plan.use->writes && self_.reads(data, own)) {
        read_mappings_.push_back(
            {&plan, &fields_.at(mesh.name, data), &fields_.of_solver(own, data)});
      }
    }
  }
}

void PlannedFields::size(const planning::ReceivedRelation& received) {
  for (Field* field : fields_.on(received.relation->mesh)) {
    if (fields_.is_accessed(*field)) {
      field->resize(received.plan.accessed.mesh.num_vertices());
    }
  }
  for (const FieldMapping& mapping : write_mappings_) {
    if (mapping.to->mesh() == received.relation->mesh) {
      mapping.to->resize(mapping.plan->num_results());
    }
  }
  for (Field* field : fields_.on(received.relation->mesh)) {
    if (!fields_.is_accessed(*field) && config::is_made(self_, field->data(), field->mesh())) {
      join(*field, received.plan);
    }
  }
}

/// Mappings reach different vertices, so the field holds what comes of each of them one after the
/// other, its own first.
void PlannedFields::join(Field& field, const planning::ReceivedPlan& plan) {
  std::vector<Field::Part> parts;
  LocalIndex size = 0;
  for (const std::string& data : config::origins(self_, field.data(), field.mesh())) {
    const Field& origin = fields_.at(field.mesh(), data);
    for (const FieldMapping& mapping : write_mappings_) {
      if (mapping.to != &origin) {
        continue;
      }
      const auto use = static_cast<std::size_t>(mapping.plan - plan.mappings.data());
      const auto earlier = std::find_if(parts.begin(), parts.end(),
                                        [use](const Field::Part& part) { return part.use == use; });
      if (earlier != parts.end()) {
        parts.push_back({&origin, use, earlier->first});
      } else {
        parts.push_back({&origin, use, size});
        size += mapping.plan->num_results();
      }
    }
  }
  if (!parts.empty()) {
    field.fit(size);
  }
  field.join(std::move(parts));
}

const planning::Accessed* PlannedFields::accessed(std::string_view mesh) const {
  const planning::ReceivedRelation* received = plans_.find_received(mesh);
  const bool direct = received != nullptr &&
                      std::any_of(received->relation->uses.begin(), received->relation->uses.end(),
                                  [](const protocol::MappingUse& use) { return use.direct; });
  return direct ? &received->plan.accessed : nullptr;
}

LocalIndex PlannedFields::num_kept(std::string_view mesh) const {
  const planning::ReceivedRelation* received = plans_.find_received(mesh);
  if (received == nullptr) {
    return 0; // nobody sends it
  }
  const planning::ReceivedPlan& plan = received->plan;
  if (plan.is_whole) {
    return plan.num_transferred;
  }
  LocalIndex most = plan.num_read;
  for (const planning::PlannedMapping& mapping : plan.mappings) {
    most = std::max(most, mapping.use->writes ? mapping.num_results() : 0);
  }
  return most;
}

const planning::HeldMesh* PlannedFields::held(std::string_view mesh) const {
  const planning::ReceivedRelation* received = plans_.find_received(mesh);
  return received != nullptr && received->plan.held ? &*received->plan.held : nullptr;
}

std::vector<LocalIndex> PlannedFields::vertices_of(const Field& field) const {
  const planning::ReceivedPlan& plan = plans_.find_received(field.mesh())->plan;
  if (!field.parts().empty()) {
    std::vector<LocalIndex> all;
    std::set<std::size_t> uses;
    for (const Field::Part& part : field.parts()) {
      if (uses.insert(part.use).second) {
        const std::vector<LocalIndex>& some = plan.held->written[part.use];
        all.insert(all.end(), some.begin(), some.end());
      }
    }
    return all;
  }
  for (const FieldMapping& mapping : write_mappings_) {
    if (mapping.to == &field) {
      return plan.held->written[static_cast<std::size_t>(mapping.plan - plan.mappings.data())];
    }
  }
  return plan.held->read;
}

std::vector<double> PlannedFields::coordinates_of(const Field& field) const {
  const auto all_of = [](const mesh::Mesh& mesh) {
    const auto all = mesh.coordinates();
    return std::vector<double>(all.begin(), all.end());
  };
  if (self_.provides(field.mesh())) {
    return all_of(plans_.inputs.meshes.at(field.mesh()));
  }
  const planning::ReceivedPlan& plan = plans_.find_received(field.mesh())->plan;
  if (fields_.is_accessed(field)) {
    return all_of(plan.accessed.mesh);
  }
  return plan.held ? mesh::coordinates_of(plan.held->mesh, vertices_of(field))
                   : std::vector<double>();
}

} // namespace isthmus::fields
