// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/config/named.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/plans.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus::fields {

/// A mapping between two fields of this participant.
struct FieldMapping {
  planning::PlannedMapping* plan;
  Field* from;
  Field* to;
};

/// The fields of one participant as its plans see them: which are mapped to which, and to which
/// vertices their values belong.
class PlannedFields {
 public:
  /// The arguments must outlive the object.
  PlannedFields(Plans& plans, std::span<const config::Mesh> meshes, const config::Participant& self,
                FieldSet& fields)
      : plans_(plans), meshes_(meshes), self_(self), fields_(fields) {}

  /// Plans were made: lists the mappings anew, and sizes what is written, or accessed, on received
  /// meshes with a new plan.
  void take_up();
  /// How many received meshes have come with a new plan so far: who keeps what belongs to their
  /// vertices makes it anew when there are more.
  [[nodiscard]] int num_taken_up() const { return num_taken_up_; }

  [[nodiscard]] std::vector<FieldMapping>& write_mappings() { return write_mappings_; }
  [[nodiscard]] const std::vector<FieldMapping>& write_mappings() const { return write_mappings_; }
  [[nodiscard]] std::vector<FieldMapping>& read_mappings() { return read_mappings_; }

  /// The vertices of a received mesh that the solver has access to; null without api-access.
  [[nodiscard]] const planning::Accessed* accessed(std::string_view mesh) const;
  /// How many vertices of a received mesh this rank keeps: all on a single rank, else those that
  /// the mapping with most of them reads or writes.
  [[nodiscard]] LocalIndex num_kept(std::string_view mesh) const;
  /// The received mesh of this name, where it is held; else null.
  [[nodiscard]] const planning::HeldMesh* held(std::string_view mesh) const;
  /// The vertices of a held mesh to which the values of a field on it belong, in their order; some
  /// twice where actions make the data of others.
  [[nodiscard]] std::vector<LocalIndex> vertices_of(const Field& field) const;
  /// Of the vertices of a field, in the order of its values.
  [[nodiscard]] std::vector<double> coordinates_of(const Field& field) const;
  [[nodiscard]] int dimensions_of(const Field& field) const {
    return config::mesh_named(field.mesh(), meshes_).dimensions;
  }

 private:
  void list_mappings(planning::ReceivedRelation& received);
  void size(const planning::ReceivedRelation& received);
  void join(Field& field, const planning::ReceivedPlan& plan);

  Plans& plans_;
  std::span<const config::Mesh> meshes_;
  const config::Participant& self_;
  FieldSet& fields_;
  std::vector<FieldMapping> write_mappings_;
  std::vector<FieldMapping> read_mappings_;
  int num_taken_up_ = 0;
};

} // namespace isthmus::fields
