// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/mules.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/hash.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::discrete {

namespace {

constexpr double no_gradient = 1e-8; // difference of fractions without a side to compress to

/// A number that differs between meshes; never NaN, which would differ from itself.
double fingerprint_of(const FaceMesh& mesh, const FaceMesh::Patch& patch) {
  FowlerNollVo hash;
  for (const LocalIndex face : patch.faces) {
    hash.add(static_cast<std::uint64_t>(mesh.face_ids[static_cast<std::size_t>(face)]));
  }
  return static_cast<double>(hash.value() >> 12);
}

} // namespace

Mules::Mules(const comm::Comm& comm, const FaceMesh& mesh, Settings settings)
    : comm_(comm), mesh_(mesh), settings_(std::move(settings)), exchange_(comm, settings_.sizes) {
  check(settings_.sizes == Sizes::planned || settings_.tolerance < 0,
        "limiter: a tolerance of {} lets messages shrink, whose sizes must be planned",
        settings_.tolerance);
  plan();
}

void Mules::BothWays::resize(std::size_t cells) {
  up.resize(cells);
  down.resize(cells);
}

/// From the mesh alone: nothing is sent.
Mules::Layout Mules::layout_of(const FaceMesh& mesh) {
  Layout layout;
  layout.epoch = mesh.epoch;
  layout.cells = CellFaces(mesh);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    if (std::max(mesh.faces[f].owner, mesh.faces[f].neighbour) < mesh.num_cells()) {
      layout.inner_faces.push_back(static_cast<LocalIndex>(f));
    }
  }
  for (const FaceMesh::Patch& patch : mesh.patches) {
    layout.shared_faces.insert(layout.shared_faces.end(), patch.faces.begin(), patch.faces.end());
    layout.fingerprints.push_back(fingerprint_of(mesh, patch));
  }
  return layout;
}

void Mules::plan() {
  const auto cells = static_cast<std::size_t>(mesh_.num_cells());
  const std::size_t all = cells + mesh_.num_ghosts();
  layout_ = layout_of(mesh_);
  exchange_.reset(mesh_);
  counts_.resize(mesh_.patches.size());
  for (std::vector<double>* of_faces : {&fluxes_.low, &fluxes_.correction, &fluxes_.limit}) {
    of_faces->resize(mesh_.faces.size());
  }
  room_.resize(cells);
  limits_.resize(all);
  fraction_.resize(all);
}

Mules::Report Mules::step(double dt, std::span<const double> flux, std::span<double> fraction) {
  if (layout_.epoch != mesh_.epoch) {
    plan();
  }
  check(flux.size() == mesh_.faces.size() && fraction.size() == mesh_.volumes.size(),
        "limiter: {} fluxes and {} fractions for {} faces and {} cells; after a change of the mesh "
        "raise its epoch",
        flux.size(), fraction.size(), mesh_.faces.size(), mesh_.volumes.size());
  report_ = {};
  const comm::Traffic before = exchange_.traffic();
  const std::int64_t sizes_before = exchange_.num_size_messages();
  std::copy(fraction.begin(), fraction.end(), fraction_.begin());
  exchange_values();
  find_fluxes(layout_.inner_faces, flux, true);
  find_room(layout_.cells.inner(), dt, true);
  receive_values();
  find_fluxes(layout_.shared_faces, flux, false);
  find_room(layout_.cells.border(), dt, false);
  limit();
  update(dt, fraction);
  exchange_.remember();
  report_.messages = exchange_.traffic().messages - before.messages;
  report_.bytes = exchange_.traffic().bytes - before.bytes;
  report_.size_messages = exchange_.num_size_messages() - sizes_before;
  return report_;
}

void Mules::begin(std::span<const std::size_t> counts) {
  exchange_.begin(counts);
  if (!settings_.overlap) {
    exchange_.finish();
  }
}

/// Fluxes and extremes need the same values of the others: one message for both.
void Mules::exchange_values() {
  for (std::size_t p = 0; p < mesh_.patches.size(); ++p) {
    const auto& faces = mesh_.patches[p].faces;
    const std::span<double> out = exchange_.outgoing(p);
    for (std::size_t k = 0; k < faces.size(); ++k) {
      const auto [owner, neighbour] = mesh_.faces[static_cast<std::size_t>(faces[k])];
      const LocalIndex own = std::min(owner, neighbour); // ghosts have higher numbers
      out[k] = fraction_[static_cast<std::size_t>(own)];
    }
    out[faces.size()] = layout_.fingerprints[p];
    counts_[p] = faces.size() + 1;
  }
  if (settings_.split) {
    exchange_.begin(counts_);
    exchange_.finish();
  }
  begin(counts_);
}

void Mules::receive_values() {
  exchange_.finish();
  auto ghost = fraction_.begin() + mesh_.num_cells();
  for (std::size_t p = 0; p < mesh_.patches.size(); ++p) {
    const std::size_t faces = mesh_.patches[p].faces.size();
    const std::span<const double> in = exchange_.arrived(p);
    check(in[faces] == layout_.fingerprints[p],
          "ranks {} and {} do not share the same faces; both need the mesh of one epoch",
          comm_.rank(), mesh_.patches[p].rank);
    ghost = std::copy_n(in.begin(), faces, ghost);
  }
}

void Mules::find_fluxes(std::span<const LocalIndex> faces, std::span<const double> flux,
                        bool hidden) {
  for (const LocalIndex face : faces) {
    const auto f = static_cast<std::size_t>(face);
    const double owner = fraction_[static_cast<std::size_t>(mesh_.faces[f].owner)];
    const double neighbour = fraction_[static_cast<std::size_t>(mesh_.faces[f].neighbour)];
    const double q = flux[f];
    const double difference = neighbour - owner;
    const double middle = 0.5 * (owner + neighbour);
    const double side = difference / (std::abs(difference) + no_gradient);
    const double squeeze = settings_.compression * side * middle * (1 - middle);
    const double rest = std::abs(q) * (0.5 * difference + squeeze);
    fluxes_.low[f] = q > 0 ? q * owner : q * neighbour;
    fluxes_.correction[f] = std::abs(rest) > settings_.negligible * std::abs(q) ? rest : 0;
  }
  did(faces.size(), hidden);
}

/// Between the upwind solution and the extremes of the cell and its neighbours.
void Mules::find_room(const Cells& cells, double dt, bool hidden) {
  std::size_t visits = 0;
  for (const LocalIndex cell : cells) {
    const auto c = static_cast<std::size_t>(cell);
    double most = fraction_[c];
    double least = fraction_[c];
    double gain = 0;
    for (const CellFace& at : layout_.cells.of(cell)) {
      const double there = fraction_[static_cast<std::size_t>(at.other)];
      most = std::max(most, there);
      least = std::min(least, there);
      gain += at.sign * fluxes_.low[static_cast<std::size_t>(at.face)];
    }
    const double scale = mesh_.volumes[c] / dt;
    const double upwind = fraction_[c] + gain / scale;
    room_.up[c] = std::max(0.0, scale * (most - upwind));
    room_.down[c] = std::max(0.0, scale * (upwind - least));
    visits += layout_.cells.of(cell).size();
  }
  did(visits, hidden);
}

void Mules::limit() {
  start_limits();
  while (report_.iterations < settings_.iterations) {
    active_.find_cells(mesh_, layout_.cells);
    const bool is_done = active_.inner().empty() && active_.border_cells().empty();
    if (is_done) {
      break;
    }
    limit_cells(active_.border_cells(), false);
    send_limits();
    limit_cells(active_.inner_cells(), true);
    limit_inner_faces();
    receive_limits();
    ++report_.iterations;
  }
}

/// Both ends know which faces need no limit.
void Mules::start_limits() {
  std::fill(fluxes_.limit.begin(), fluxes_.limit.end(), settings_.from_one ? 1.0 : 0.0);
  const auto is_active = [this](LocalIndex face) {
    return settings_.tolerance < 0 || fluxes_.correction[static_cast<std::size_t>(face)] != 0;
  };
  active_.start(mesh_, layout_.inner_faces, is_active);
}

/// How much of what would enter, and of what would leave, there is room for, if no more leaves and
/// enters than the iteration before allowed.
void Mules::limit_cells(const Cells& cells, bool hidden) {
  std::size_t visits = 0;
  for (const LocalIndex cell : cells) {
    const auto c = static_cast<std::size_t>(cell);
    double gain = 0;
    double loss = 0;
    double sure_gain = 0;
    double sure_loss = 0;
    for (const CellFace& at : layout_.cells.of(cell)) {
      const auto f = static_cast<std::size_t>(at.face);
      const double enters = at.sign * fluxes_.correction[f];
      (enters > 0 ? gain : loss) += std::abs(enters);
      (enters > 0 ? sure_gain : sure_loss) += fluxes_.limit[f] * std::abs(enters);
    }
    limits_.up[c] = gain > room_.up[c] + sure_loss ? (room_.up[c] + sure_loss) / gain : 1;
    limits_.down[c] = loss > room_.down[c] + sure_gain ? (room_.down[c] + sure_gain) / loss : 1;
    visits += layout_.cells.of(cell).size();
  }
  did(visits, hidden);
}

/// Of a shared face the limit of the own cell that matters there: both know the sign.
void Mules::send_limits() {
  for (std::size_t p = 0; p < mesh_.patches.size(); ++p) {
    const std::span<double> out = exchange_.outgoing(p);
    std::size_t count = 0;
    for (const LocalIndex k : active_.shared(p)) {
      const auto f = static_cast<std::size_t>(mesh_.patches[p].faces[static_cast<std::size_t>(k)]);
      const auto [owner, neighbour] = mesh_.faces[f];
      const bool enters = (owner > neighbour) == (fluxes_.correction[f] > 0);
      const auto own = static_cast<std::size_t>(std::min(owner, neighbour));
      out[count++] = enters ? limits_.up[own] : limits_.down[own];
    }
    counts_[p] = count;
  }
  if (settings_.before_limits) {
    settings_.before_limits();
  }
  begin(counts_);
}

void Mules::receive_limits() {
  exchange_.finish();
  for (std::size_t p = 0; p < mesh_.patches.size(); ++p) {
    const double* from = exchange_.arrived(p).data();
    active_.visit_shared(p, [this, p, &from](LocalIndex k) {
      const auto f = static_cast<std::size_t>(mesh_.patches[p].faces[static_cast<std::size_t>(k)]);
      const auto ghost =
          static_cast<std::size_t>(std::max(mesh_.faces[f].owner, mesh_.faces[f].neighbour));
      limits_.up[ghost] = *from;
      limits_.down[ghost] = *from++;
      return limit_face(f);
    });
  }
}

void Mules::limit_inner_faces() {
  did(active_.inner().size(), true);
  active_.visit_inner(
      [this](LocalIndex face) { return limit_face(static_cast<std::size_t>(face)); });
}

/// Returns whether the face is done, which its cells on two ranks find alike.
bool Mules::limit_face(std::size_t face) {
  const auto owner = static_cast<std::size_t>(mesh_.faces[face].owner);
  const auto neighbour = static_cast<std::size_t>(mesh_.faces[face].neighbour);
  const double limit = fluxes_.correction[face] > 0
                           ? std::min(limits_.down[owner], limits_.up[neighbour])
                           : std::min(limits_.up[owner], limits_.down[neighbour]);
  const double change = std::abs(limit - std::exchange(fluxes_.limit[face], limit));
  const bool stays = report_.iterations > 0 && change < settings_.tolerance;
  return settings_.tolerance >= 0 && (limit == 1 || stays);
}

void Mules::update(double dt, std::span<double> fraction) {
  for (std::size_t c = 0; c < fraction.size(); ++c) {
    double gain = 0;
    for (const CellFace& at : layout_.cells.of(static_cast<LocalIndex>(c))) {
      const auto f = static_cast<std::size_t>(at.face);
      gain += at.sign * (fluxes_.low[f] + fluxes_.limit[f] * fluxes_.correction[f]);
    }
    fraction[c] += dt / mesh_.volumes[c] * gain;
  }
  if (settings_.on_work) {
    settings_.on_work(layout_.cells.size());
  }
}

void Mules::did(std::size_t visits, bool hidden) {
  report_.work += static_cast<std::int64_t>(visits);
  report_.hidden += hidden && settings_.overlap ? static_cast<std::int64_t>(visits) : 0;
  if (settings_.on_work) {
    settings_.on_work(visits);
  }
}

} // namespace isthmus::discrete
