// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/time/waveform.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace isthmus::fields {

/// One data field on the part of one mesh that this rank holds. Where a mapping needs gradients,
/// they follow the components of each vertex: all derivatives along x, then those along y, along z.
class Field {
 public:
  /// `derivatives`: how many axes there are gradients along; 0: none are needed.
  Field(std::string mesh, std::string data, int components, int waveform_degree,
        int derivatives = 0)
      : mesh_(std::move(mesh)),
        data_(std::move(data)),
        components_(components),
        derivatives_(derivatives),
        wave_(0, waveform_degree) {}

  /// Drops all samples; what is written already for the next one stays. No vertex is a ghost.
  void resize(LocalIndex num_vertices);
  /// By vertex: not 0 if a lower rank holds it, too; empty: none. `num_in_mesh`: of a received mesh
  /// that is known on this rank alone, all its vertices; else 0.
  void mark_ghosts(std::vector<char> ghosts, LocalIndex num_in_mesh = 0) {
    ghosts_ = std::move(ghosts);
    num_in_mesh_ = num_in_mesh;
  }
  /// Values of the mesh that no mapping reaches, and that are zero therefore.
  [[nodiscard]] std::size_t num_unreached() const {
    const std::size_t all =
        static_cast<std::size_t>(num_in_mesh_) * static_cast<std::size_t>(components_);
    const std::size_t held =
        wave_.size() / static_cast<std::size_t>(width()) * static_cast<std::size_t>(components_);
    return all > held ? all - held : 0;
  }
  [[nodiscard]] std::span<const char> ghosts() const { return ghosts_; }
  /// The same unless the size is right already.
  void fit(LocalIndex num_vertices);

  /// Values of the user for the vertices `ids`; what is not written before the next sample is zero.
  /// Error on NaN or infinite values, after which everything is as before.
  void write(std::span<const LocalIndex> ids, std::span<const double> values);
  /// Derivatives of what is written: of each component along all axes.
  void write_gradients(std::span<const LocalIndex> ids, std::span<const double> gradients);
  /// Adds `weight` times the values of one point to what is written for a vertex.
  void add(LocalIndex vertex, double weight, std::span<const double> values);
  /// What was written becomes the sample at `time`; the next one starts from zero.
  void store_written(double time);
  /// Forgets what was written since the last sample.
  void discard_written() { pending_ = false; }
  /// When somebody beside the coupling needs the data, whether they are sent or not.
  enum class Observed { never, window_ends, steps };
  void observe(Observed when) { observed_ = std::max(observed_, when); }
  [[nodiscard]] Observed observed() const { return observed_; }
  /// False until the user has written anything.
  [[nodiscard]] bool ever_written() const { return ever_written_; }

  /// On a received mesh, where actions make data of others: for each of those, and for what is
  /// mapped to the field itself, the values at the vertices that its mapping reaches begin at
  /// `first`; those of one use have the same. Their sum is what travels.
  struct Part {
    const Field* of;
    std::size_t use;  // of the mesh
    LocalIndex first; // vertex
  };
  void join(std::vector<Part> parts) { parts_ = std::move(parts); }
  [[nodiscard]] std::span<const Part> parts() const { return parts_; }

  [[nodiscard]] const std::string& mesh() const { return mesh_; }
  [[nodiscard]] const std::string& data() const { return data_; }
  [[nodiscard]] int components() const { return components_; }
  [[nodiscard]] bool has_gradients() const { return derivatives_ > 0; }
  /// Values of the waveform per vertex.
  [[nodiscard]] int width() const { return components_ * (1 + derivatives_); }
  [[nodiscard]] time::Waveform& wave() { return wave_; }
  [[nodiscard]] const time::Waveform& wave() const { return wave_; }

 private:
  void begin_writing(bool whole);
  [[noreturn]] void refuse(const char* what, std::span<const LocalIndex> ids,
                           std::span<const double> values, int count) const;

  std::string mesh_;
  std::string data_;
  int components_;
  int derivatives_;
  std::vector<char> ghosts_;
  LocalIndex num_in_mesh_ = 0;
  std::vector<Part> parts_;
  time::Waveform wave_;
  std::vector<double> written_; // valid while pending_
  bool pending_ = false;
  bool ever_written_ = false;
  Observed observed_ = Observed::never;
};

/// Whether an action makes the values of `field` of those of `other`.
[[nodiscard]] inline bool is_made_of(const Field& field, const Field& other) {
  return std::any_of(field.parts().begin(), field.parts().end(),
                     [&other](const Field::Part& part) { return part.of == &other; });
}

/// Values of all vertices of a field without their gradients, which need `scratch`.
[[nodiscard]] std::span<const double> plain(const Field& field, std::span<const double> values,
                                            std::vector<double>& scratch);

} // namespace isthmus::fields
