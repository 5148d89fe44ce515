// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/planned_fields.hpp"
#include "isthmus/io/export/exporter.hpp"
#include "isthmus/mesh/own_meshes.hpp"
#include "isthmus/outputs/latest_values.hpp"
#include "isthmus/outputs/moment.hpp"
#include "isthmus/outputs/shown_data.hpp"

#include <deque>
#include <string>
#include <vector>

namespace isthmus::outputs {

/// All <export:…> of a participant: every mesh that it provides or receives, with all data.
class Exports {
 public:
  /// Collective. Makes the folders. The arguments must outlive the object.
  Exports(const comm::Comm& comm, const ShownMeshes& shown, const config::Participant& self,
          const fields::FieldSet& fields, const LatestValues& latest);

  /// The meshes are complete; their vertices must outlive the object, their elements are copied.
  void set_meshes(const mesh::OwnMeshes& meshes, const fields::PlannedFields& planned);
  /// Collective. Writes what is due after a step, or after initialize().
  void show(const Moment& moment);
  /// Collective. Completes the lists of files.
  void finish();

  /// The lists of files, on the first rank, for a run that continues this one.
  void save(Writer& writer) const;
  void restore(Reader& reader);

 private:
  /// A mesh as files show it, with arrays for what must be put together.
  struct Shown {
    const mesh::Mesh* mesh = nullptr;
    std::vector<LocalIndex> edges;
    std::vector<LocalIndex> triangles;
    std::vector<LocalIndex> tetrahedra;
    /// Of the numbers that a field has at a vertex: its values, or derivatives along an axis.
    struct Values {
      const fields::Field* field;
      std::string name;
      int components;
      int first;                        // the place of the first one
      std::vector<LocalIndex> vertices; // that have values; empty: all
      std::vector<double> scattered;
    };
    std::vector<Values> data{};
  };
  struct Sink {
    const config::Export* settings;
    std::deque<io::Exporter> exporters; // by mesh
  };

  /// The values of a field, and its gradients under the names that preCICE gives them.
  [[nodiscard]] static std::vector<Shown::Values> columns_of(const fields::Field& field);
  void add_mesh(const mesh::Mesh& mesh, const fields::PlannedFields* receiving);
  [[nodiscard]] std::span<const double> values_of(Shown::Values& values, std::size_t num_vertices);
  void write(Sink& sink, const std::string& index, double time);

  const comm::Comm& comm_;
  const ShownMeshes& shown_;
  const config::Participant& self_;
  const fields::FieldSet& fields_;
  const LatestValues& latest_;
  std::vector<Shown> meshes_;
  std::vector<Sink> sinks_;
};

} // namespace isthmus::outputs
