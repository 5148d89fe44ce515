// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/discrete/active_faces.hpp"
#include "isthmus/discrete/cell_faces.hpp"
#include "isthmus/discrete/face_exchange.hpp"
#include "isthmus/discrete/face_mesh.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isthmus::discrete {

/// Explicit transport of a volume fraction that makes no new extremes: upwind fluxes and as much of
/// the rest as the cells have room for (flux correction: Zalesak, doi 10.1016/0021-9991(79)90051-2;
/// iterated so that what leaves a cell makes room: Schaer, Smolarkiewicz, doi
/// 10.1006/jcph.1996.0190; known as MULES in OpenFOAM). The rest is that of central differences and
/// of a compression of the interface.
///
/// Limits grow from zero: every iteration is bounded, so that a face may be done as soon as its own
/// limit stays. Both of its cells see that: who is done sends nothing, and nobody must be notified.
/// Limits and fractions have the same bits on any number of ranks.
class Mules {
 public:
  struct Settings {
    int iterations = 3;     ///< at most
    double tolerance = 0.2; ///< a face is done if its limit changes by less; negative: none ever is
    double negligible = 1e-6; ///< difference of the fraction at a face that is not corrected
    double compression = 1;
    bool from_one = false;        ///< limits fall from one, as in OpenFOAM: bounded in the end only
    bool overlap = true;          ///< work on inner cells while messages travel
    bool split = false;           ///< largest and smallest values in two messages
    Sizes sizes = Sizes::planned; ///< others need a negative tolerance
    std::function<void(std::size_t)> on_work = {}; ///< so many faces of cells were visited
    std::function<void()> before_limits = {};      ///< before each message of limits
  };
  /// Of one step and rank.
  struct Report {
    int iterations = 0;
    std::int64_t messages = 0; ///< sent, without sizes
    std::int64_t bytes = 0;
    std::int64_t size_messages = 0;
    std::int64_t work = 0;   ///< visits of faces, and of faces of cells, to find the limits
    std::int64_t hidden = 0; ///< those while a message was under way
  };

  /// The mesh stays where it is, and may change between steps (see FaceMesh::epoch).
  Mules(const comm::Comm& comm, const FaceMesh& mesh, Settings settings);
  Mules(const comm::Comm& comm, const FaceMesh& mesh) : Mules(comm, mesh, Settings{}) {}

  /// Collective over the neighbours. Moves the fractions of the own cells for `dt` with `flux`
  /// (volume per time, for every face). No more may leave a cell in a step than it holds.
  Report step(double dt, std::span<const double> flux, std::span<double> fraction);

  /// Share of the correction that went through each face in the latest step.
  [[nodiscard]] std::span<const double> limits() const { return fluxes_.limit; }

 private:
  using CellFace = CellFaces::CellFace;
  using Cells = std::vector<LocalIndex>;

  /// What follows from one epoch of the mesh.
  struct Layout {
    std::int64_t epoch = 0;
    CellFaces cells;
    std::vector<LocalIndex> inner_faces, shared_faces; // the latter patch by patch
    std::vector<double> fingerprints;                  // of the patches
  };
  struct FaceFluxes { // of every face
    std::vector<double> low, correction;
    std::vector<double> limit; // share of the correction
  };
  struct BothWays { // of every cell, for what enters and what leaves it
    std::vector<double> up, down;
    void resize(std::size_t cells);
  };

  [[nodiscard]] static Layout layout_of(const FaceMesh& mesh);
  void plan();
  void begin(std::span<const std::size_t> counts);
  void exchange_values();
  void receive_values();
  void find_fluxes(std::span<const LocalIndex> faces, std::span<const double> flux, bool hidden);
  void find_room(const Cells& cells, double dt, bool hidden);
  void limit();
  void start_limits();
  void send_limits();
  void receive_limits();
  void limit_cells(const Cells& cells, bool hidden);
  void limit_inner_faces();
  bool limit_face(std::size_t face);
  void update(double dt, std::span<double> fraction);
  void did(std::size_t visits, bool hidden);

  const comm::Comm& comm_;
  const FaceMesh& mesh_;
  Settings settings_;
  FaceExchange exchange_;
  Report report_;

  Layout layout_;
  std::vector<std::size_t> counts_; // of values in the next messages
  std::vector<double> fraction_;    // with ghosts
  FaceFluxes fluxes_;
  BothWays room_;   // volume per time
  BothWays limits_; // with ghosts
  ActiveFaces active_;
};

} // namespace isthmus::discrete
