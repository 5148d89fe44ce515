// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/mules.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::discrete {

namespace {

constexpr double no_gradient = 1e-8; // difference of fractions without a side to compress to

/// A number that differs between meshes; never NaN, which would differ from itself.
double fingerprint_of(const FaceMesh& mesh, const FaceMesh::Patch& patch) {
  std::uint64_t hash = 0xcbf29ce484222325; // Fowler, Noll, Vo
  for (const LocalIndex face : patch.faces) {
    hash = (hash ^ static_cast<std::uint64_t>(mesh.face_ids[static_cast<std::size_t>(face)])) *
           0x100000001b3;
  }
  return static_cast<double>(hash >> 12);
}

} // namespace

Mules::Mules(const comm::Comm& comm, const FaceMesh& mesh, Settings settings)
    : comm_(comm), mesh_(mesh), settings_(std::move(settings)), exchange_(comm, settings_.sizes) {
  check(settings_.sizes == Sizes::planned || settings_.tolerance < 0,
        "limiter: a tolerance of {} lets messages shrink, whose sizes must be planned",
        settings_.tolerance);
  plan();
}

/// From the mesh alone: nothing is sent.
void Mules::plan() {
  const auto cells = static_cast<std::size_t>(mesh_.num_cells());
  const std::size_t all = cells + mesh_.num_copies();
  epoch_ = mesh_.epoch;
  cells_ = CellFaces(mesh_);
  inner_faces_.clear();
  for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
    if (std::max(mesh_.faces[f].owner, mesh_.faces[f].neighbour) < mesh_.num_cells()) {
      inner_faces_.push_back(static_cast<LocalIndex>(f));
    }
  }
  shared_faces_.clear();
  fingerprints_.clear();
  for (const FaceMesh::Patch& patch : mesh_.patches) {
    shared_faces_.insert(shared_faces_.end(), patch.faces.begin(), patch.faces.end());
    fingerprints_.push_back(fingerprint_of(mesh_, patch));
  }
  exchange_.reset(mesh_);
  counts_.resize(mesh_.patches.size());
  active_shared_.resize(mesh_.patches.size());
  for (std::vector<double>* of_faces : {&low_, &correction_, &limit_}) {
    of_faces->resize(mesh_.faces.size());
  }
  for (std::vector<double>* of_cells : {&room_up_, &room_down_}) {
    of_cells->resize(cells);
  }
  for (std::vector<double>* with_copies : {&fraction_, &up_, &down_}) {
    with_copies->resize(all);
  }
  marks_.resize(cells);
}

Mules::Report Mules::step(double dt, std::span<const double> flux, std::span<double> fraction) {
  if (epoch_ != mesh_.epoch) {
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
  find_fluxes(inner_faces_, flux, true);
  find_room(cells_.inner(), dt, true);
  receive_values();
  find_fluxes(shared_faces_, flux, false);
  find_room(cells_.border(), dt, false);
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
      const LocalIndex own = std::min(owner, neighbour); // copies have higher numbers
      out[k] = fraction_[static_cast<std::size_t>(own)];
    }
    out[faces.size()] = fingerprints_[p];
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
  auto copy = fraction_.begin() + mesh_.num_cells();
  for (std::size_t p = 0; p < mesh_.patches.size(); ++p) {
    const std::size_t faces = mesh_.patches[p].faces.size();
    const std::span<const double> in = exchange_.arrived(p);
    check(in[faces] == fingerprints_[p],
          "ranks {} and {} do not share the same faces; both need the mesh of one epoch",
          comm_.rank(), mesh_.patches[p].rank);
    copy = std::copy_n(in.begin(), faces, copy);
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
    low_[f] = q > 0 ? q * owner : q * neighbour;
    correction_[f] = std::abs(rest) > settings_.negligible * std::abs(q) ? rest : 0;
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
    for (const CellFace& at : cells_.of(cell)) {
      const double there = fraction_[static_cast<std::size_t>(at.other)];
      most = std::max(most, there);
      least = std::min(least, there);
      gain += at.sign * low_[static_cast<std::size_t>(at.face)];
    }
    const double scale = mesh_.volumes[c] / dt;
    const double upwind = fraction_[c] + gain / scale;
    room_up_[c] = std::max(0.0, scale * (most - upwind));
    room_down_[c] = std::max(0.0, scale * (upwind - least));
    visits += cells_.of(cell).size();
  }
  did(visits, hidden);
}

void Mules::limit() {
  start_limits();
  while (report_.iterations < settings_.iterations) {
    select_active();
    const bool is_done = active_faces_.empty() && active_border_.empty();
    if (is_done) {
      break;
    }
    limit_cells(active_border_, false);
    send_limits();
    limit_cells(active_inner_, true);
    limit_faces(active_faces_);
    receive_limits();
    ++report_.iterations;
  }
}

/// Both ends know which faces need no limit.
void Mules::start_limits() {
  std::fill(limit_.begin(), limit_.end(), settings_.from_one ? 1.0 : 0.0);
  const auto is_active = [this](LocalIndex face) {
    return settings_.tolerance < 0 || correction_[static_cast<std::size_t>(face)] != 0;
  };
  active_faces_.clear();
  std::copy_if(inner_faces_.begin(), inner_faces_.end(), std::back_inserter(active_faces_),
               is_active);
  for (std::size_t p = 0; p < mesh_.patches.size(); ++p) {
    active_shared_[p].clear();
    for (std::size_t k = 0; k < mesh_.patches[p].faces.size(); ++k) {
      if (is_active(mesh_.patches[p].faces[k])) {
        active_shared_[p].push_back(static_cast<LocalIndex>(k));
      }
    }
  }
  std::fill(marks_.begin(), marks_.end(), -1);
}

/// The cells of faces that are not done.
void Mules::select_active() {
  active_inner_.clear();
  active_border_.clear();
  const auto add = [this](LocalIndex cell) {
    if (cell < mesh_.num_cells()) {
      const auto c = static_cast<std::size_t>(cell);
      if (marks_[c] != report_.iterations) {
        marks_[c] = report_.iterations;
        (cells_.is_border(cell) ? active_border_ : active_inner_).push_back(cell);
      }
    }
  };
  const auto add_both = [this, &add](LocalIndex face) {
    add(mesh_.faces[static_cast<std::size_t>(face)].owner);
    add(mesh_.faces[static_cast<std::size_t>(face)].neighbour);
  };
  for (const LocalIndex face : active_faces_) {
    add_both(face);
  }
  for (std::size_t p = 0; p < mesh_.patches.size(); ++p) {
    for (const LocalIndex k : active_shared_[p]) {
      add_both(mesh_.patches[p].faces[static_cast<std::size_t>(k)]);
    }
  }
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
    for (const CellFace& at : cells_.of(cell)) {
      const auto f = static_cast<std::size_t>(at.face);
      const double enters = at.sign * correction_[f];
      (enters > 0 ? gain : loss) += std::abs(enters);
      (enters > 0 ? sure_gain : sure_loss) += limit_[f] * std::abs(enters);
    }
    up_[c] = gain > room_up_[c] + sure_loss ? (room_up_[c] + sure_loss) / gain : 1;
    down_[c] = loss > room_down_[c] + sure_gain ? (room_down_[c] + sure_gain) / loss : 1;
    visits += cells_.of(cell).size();
  }
  did(visits, hidden);
}

/// Of a shared face the limit of the own cell that matters there: both know the sign.
void Mules::send_limits() {
  for (std::size_t p = 0; p < mesh_.patches.size(); ++p) {
    const std::span<double> out = exchange_.outgoing(p);
    std::size_t count = 0;
    for (const LocalIndex k : active_shared_[p]) {
      const auto f = static_cast<std::size_t>(mesh_.patches[p].faces[static_cast<std::size_t>(k)]);
      const auto [owner, neighbour] = mesh_.faces[f];
      const bool enters = (owner > neighbour) == (correction_[f] > 0);
      const auto own = static_cast<std::size_t>(std::min(owner, neighbour));
      out[count++] = enters ? up_[own] : down_[own];
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
    std::erase_if(active_shared_[p], [this, p, &from](LocalIndex k) {
      const auto f = static_cast<std::size_t>(mesh_.patches[p].faces[static_cast<std::size_t>(k)]);
      const auto copy =
          static_cast<std::size_t>(std::max(mesh_.faces[f].owner, mesh_.faces[f].neighbour));
      up_[copy] = *from;
      down_[copy] = *from++;
      return limit_face(f);
    });
  }
}

void Mules::limit_faces(std::vector<LocalIndex>& faces) {
  did(faces.size(), true);
  std::erase_if(faces,
                [this](LocalIndex face) { return limit_face(static_cast<std::size_t>(face)); });
}

/// Returns whether the face is done, which its cells on two ranks find alike.
bool Mules::limit_face(std::size_t face) {
  const auto owner = static_cast<std::size_t>(mesh_.faces[face].owner);
  const auto neighbour = static_cast<std::size_t>(mesh_.faces[face].neighbour);
  const double limit = correction_[face] > 0 ? std::min(down_[owner], up_[neighbour])
                                             : std::min(up_[owner], down_[neighbour]);
  const double change = std::abs(limit - std::exchange(limit_[face], limit));
  const bool stays = report_.iterations > 0 && change < settings_.tolerance;
  return settings_.tolerance >= 0 && (limit == 1 || stays);
}

void Mules::update(double dt, std::span<double> fraction) {
  for (std::size_t c = 0; c < fraction.size(); ++c) {
    double gain = 0;
    for (const CellFace& at : cells_.of(static_cast<LocalIndex>(c))) {
      const auto f = static_cast<std::size_t>(at.face);
      gain += at.sign * (low_[f] + limit_[f] * correction_[f]);
    }
    fraction[c] += dt / mesh_.volumes[c] * gain;
  }
  if (settings_.on_work) {
    settings_.on_work(cells_.size());
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
