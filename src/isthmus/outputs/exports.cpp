// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/exports.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/config/names.hpp"
#include "isthmus/mesh/sides.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace isthmus::outputs {

namespace {

constexpr std::pair<config::ExportKind, io::ExportFormat> formats[] = {
    {config::ExportKind::vtk, io::ExportFormat::vtk},
    {config::ExportKind::vtu, io::ExportFormat::vtu},
    {config::ExportKind::vtp, io::ExportFormat::vtp},
    {config::ExportKind::csv, io::ExportFormat::csv}};

/// `name` of the files.
io::Exporter::Settings exporter_settings(const config::Export& settings, std::string name) {
  const auto* const found =
      std::find_if(std::begin(formats), std::end(formats),
                   [&](const auto& one) { return one.first == settings.kind; });
  check(found != std::end(formats), "\"{}\" is no format of exports", config::name(settings.kind));
  return {found->second, settings.directory, std::move(name), settings.updates_series};
}

} // namespace

Exports::Exports(const comm::Comm& comm, const ShownMeshes& shown, const config::Participant& self,
                 const fields::FieldSet& fields, const LatestValues& latest)
    : comm_(comm), shown_(shown), self_(self), fields_(fields), latest_(latest) {
  for (const config::Export& settings : self.exports) {
    if (settings.every_n_time_windows < 0) {
      continue; // no files
    }
    Sink& sink = sinks_.emplace_back(Sink{&settings, {}});
    const auto add = [&](const std::string& mesh) {
      sink.exporters.emplace_back(comm, exporter_settings(settings, mesh + "-" + self.name));
    };
    for (const config::ProvideMesh& mesh : self.provided) {
      add(mesh.name);
    }
    for (const config::ReceiveMesh& mesh : self.received) {
      add(mesh.name);
    }
  }
}

void Exports::set_meshes(const mesh::OwnMeshes& meshes, const fields::PlannedFields& planned) {
  if (sinks_.empty()) {
    return;
  }
  meshes_.clear();
  for (const config::ProvideMesh& provided : self_.provided) {
    add_mesh(meshes.at(provided.name), nullptr);
  }
  for (const config::ReceiveMesh& received : self_.received) {
    const planning::HeldMesh* held = planned.held(received.name);
    if (held != nullptr) {
      add_mesh(held->mesh, &planned);
    } else {
      meshes_.emplace_back(); // nothing of it came
    }
  }
}

void Exports::add_mesh(const mesh::Mesh& mesh, const fields::PlannedFields* receiving) {
  const bool text_only = std::all_of(sinks_.begin(), sinks_.end(), [](const Sink& s) {
    return s.settings->kind == config::ExportKind::csv;
  });
  Shown& shown = meshes_.emplace_back();
  shown.mesh = &mesh;
  if (!text_only) {
    shown.edges = mesh::all_edges(mesh);
    shown.triangles = mesh::all_triangles(mesh);
    shown.tetrahedra.assign(mesh.tetrahedra().begin(), mesh.tetrahedra().end());
  }
  for (const ShownData& data : shown_.at(mesh.name())) {
    if (!data.is_exported) {
      continue;
    }
    const fields::Field& field = fields_.at(mesh.name(), data.name);
    for (Shown::Values& values : columns_of(field)) {
      if (receiving != nullptr) {
        values.vertices = receiving->vertices_of(field);
      }
      shown.data.push_back(std::move(values));
    }
  }
}

std::vector<Exports::Shown::Values> Exports::columns_of(const fields::Field& field) {
  const int count = field.components();
  std::vector<Shown::Values> columns{{&field, field.data(), count, 0, {}, {}}};
  const int num_axes = field.width() / count - 1; // that gradients are along, one behind the other
  if (count == 1 && num_axes > 0) {
    columns.push_back({&field, field.data() + "_gradient", num_axes, 1, {}, {}});
  }
  for (int axis = 0; count > 1 && axis < num_axes; ++axis) {
    const std::string name = fmt::format("{}_d{}", field.data(), "xyz"[axis]);
    columns.push_back({&field, name, count, count * (1 + axis), {}, {}});
  }
  return columns;
}

std::span<const double> Exports::values_of(Shown::Values& values, std::size_t num_vertices) {
  const auto latest = latest_.with_gradients(*values.field);
  const auto stride = static_cast<std::size_t>(values.field->width());
  const auto count = static_cast<std::size_t>(values.components);
  const auto first = static_cast<std::size_t>(values.first);
  const bool is_whole = values.vertices.empty() && latest.size() == num_vertices * stride;
  if (is_whole && stride == count) {
    return latest;
  }
  values.scattered.assign(num_vertices * count, 0.0);
  const std::size_t known =
      is_whole ? num_vertices : std::min(latest.size() / stride, values.vertices.size());
  for (std::size_t i = 0; i < known; ++i) {
    const std::size_t vertex = is_whole ? i : static_cast<std::size_t>(values.vertices[i]);
    for (std::size_t c = 0; c < count; ++c) { // of a vertex: several parts of a sum
      values.scattered[vertex * count + c] += latest[i * stride + first + c];
    }
  }
  return values.scattered;
}

void Exports::show(const Moment& moment) {
  for (Sink& sink : sinks_) {
    const config::Export& settings = *sink.settings;
    if (moment.advances == 0) {
      write(sink, "init", moment.time);
    } else if (settings.every_iteration && (moment.completes_window || moment.repeats_window)) {
      write(sink, fmt::format("it{}", moment.advances), moment.time);
    } else if (!settings.every_iteration && moment.completes_window &&
               moment.windows % settings.every_n_time_windows == 0) {
      write(sink, fmt::format("dt{}", moment.windows), moment.time);
    }
  }
}

void Exports::write(Sink& sink, const std::string& index, double time) {
  for (std::size_t m = 0; m < meshes_.size(); ++m) {
    Shown& shown = meshes_[m];
    io::MeshPiece piece;
    std::vector<io::PieceField> fields;
    if (shown.mesh != nullptr) {
      const auto count = static_cast<std::size_t>(shown.mesh->num_vertices());
      for (Shown::Values& values : shown.data) {
        if (values.first == 0 || sink.settings->kind != config::ExportKind::csv) {
          fields.push_back({values.name, values.components, values_of(values, count)});
        }
      }
      piece.dimensions = shown.mesh->dimensions();
      piece.coordinates = shown.mesh->coordinates();
      piece.edges = shown.edges;
      piece.triangles = shown.triangles;
      piece.tetrahedra = shown.tetrahedra;
      piece.fields = fields;
    }
    sink.exporters[m].write(index, time, piece);
  }
}

void Exports::finish() {
  for (Sink& sink : sinks_) {
    for (io::Exporter& exporter : sink.exporters) {
      exporter.finish();
    }
  }
}

void Exports::save(Writer& writer) const {
  for (const Sink& sink : sinks_) {
    for (const io::Exporter& exporter : sink.exporters) {
      writer.put_text(exporter.series_file().string()).put(exporter.series().size());
      for (const io::Exporter::Entry& entry : exporter.series()) {
        writer.put_text(entry.file).put(entry.time);
      }
    }
  }
}

/// The exports may be configured in another way now.
void Exports::restore(Reader& reader) {
  std::map<std::string, std::vector<io::Exporter::Entry>> earlier;
  while (reader.left() > 0) {
    auto& series = earlier[reader.get_text()];
    for (auto left = reader.get<std::size_t>(); left > 0; --left) {
      const std::string file = reader.get_text();
      series.push_back({file, reader.get<double>()});
    }
  }
  for (Sink& sink : sinks_) {
    for (io::Exporter& exporter : sink.exporters) {
      exporter.resume(earlier[exporter.series_file().string()]);
    }
  }
}

} // namespace isthmus::outputs
