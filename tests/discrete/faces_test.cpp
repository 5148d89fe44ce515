// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/active_faces.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/discrete/cell_faces.hpp"
#include "isthmus/discrete/face_exchange.hpp"
#include "isthmus/discrete/face_mesh.hpp"
#include "isthmus/discrete/face_operator.hpp"
#include "isthmus/discrete/pressure_equation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace isthmus;
using namespace isthmus::discrete;

namespace {

const FaceGrid grid{{12, 10, 8}, {1, 1, 1}};

FaceMesh own_block(const comm::Comm& comm) {
  return make_face_block(grid, comm.size(), comm.rank());
}

/// Of a cell, by its number: no pattern.
double value_of(GlobalIndex cell) {
  return std::sin(static_cast<double>(cell * cell + 1));
}

/// Numbers of the own cells and of those behind shared faces, of which only the faces tell.
std::vector<GlobalIndex> with_ghosts(const comm::Comm& comm, const FaceMesh& mesh) {
  std::vector<double> ids(mesh.cell_ids.begin(), mesh.cell_ids.end());
  ids.resize(ids.size() + mesh.num_ghosts());
  auto halo = make_halo(mesh);
  const std::span<double> all = ids;
  const std::size_t own = mesh.cell_ids.size();
  halo.forward(comm, 1, all.first(own), all.subspan(own));
  return {ids.begin(), ids.end()};
}

} // namespace

TEST_CASE(
    "each cell has its faces in the order of their numbers, and fluxes that enter count once") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const FaceMesh mesh = own_block(comm);
  const CellFaces cells(mesh);
  const auto ids = with_ghosts(comm, mesh);
  std::vector<int> seen(mesh.faces.size());
  std::size_t visits = 0;
  for (LocalIndex cell = 0; cell < mesh.num_cells(); ++cell) {
    const auto at = grid.place_of(ids[static_cast<std::size_t>(cell)]);
    std::size_t neighbours = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      neighbours += (at[a] > 0 ? 1U : 0U) + (at[a] + 1 < grid.cells[a] ? 1U : 0U);
    }
    const auto faces = cells.of(cell);
    CHECK(faces.size() == neighbours);
    visits += faces.size();
    bool is_border = false;
    for (std::size_t k = 0; k < faces.size(); ++k) {
      const auto f = static_cast<std::size_t>(faces[k].face);
      CHECK((k == 0 ||
             mesh.face_ids[static_cast<std::size_t>(faces[k - 1].face)] < mesh.face_ids[f]));
      const auto there = grid.place_of(ids[static_cast<std::size_t>(faces[k].other)]);
      const std::size_t axis = axis_of(mesh.face_ids[f]);
      for (std::size_t a = 0; a < 3; ++a) { // behind the face, one step across it
        CHECK(std::abs(there[a] - at[a]) == (a == axis ? 1 : 0));
      }
      CHECK(faces[k].sign == (mesh.faces[f].owner == cell ? -1 : 1));
      is_border = is_border || faces[k].other >= mesh.num_cells();
      ++seen[f];
    }
    CHECK(cells.is_border(cell) == is_border);
  }
  CHECK(cells.size() == visits);
  CHECK(cells.inner().size() + cells.border().size() == static_cast<std::size_t>(mesh.num_cells()));
  for (std::size_t f = 0; f < seen.size(); ++f) {
    const bool is_shared =
        std::max(mesh.faces[f].owner, mesh.faces[f].neighbour) >= mesh.num_cells();
    CHECK(seen[f] == (is_shared ? 1 : 2));
  }
}

TEST_CASE("ranks that share faces send each other as many values as both say") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const FaceMesh mesh = own_block(comm);
  for (const Sizes sizes : {Sizes::planned, Sizes::announced, Sizes::remembered}) {
    FaceExchange exchange(comm, sizes);
    exchange.reset(mesh);
    for (const std::size_t count : {std::size_t{2}, std::size_t{0}, std::size_t{1}}) {
      std::vector<std::size_t> counts;
      for (std::size_t p = 0; p < mesh.patches.size(); ++p) {
        counts.push_back(std::min(count, mesh.patches[p].faces.size()));
        for (std::size_t k = 0; k < counts[p]; ++k) {
          exchange.outgoing(p)[k] = static_cast<double>(
              10 * mesh.face_ids[static_cast<std::size_t>(mesh.patches[p].faces[k])] + comm.rank());
        }
      }
      exchange.begin(counts);
      exchange.finish();
      for (std::size_t p = 0; p < mesh.patches.size(); ++p) {
        for (std::size_t k = 0; k < counts[p]; ++k) {
          CHECK(exchange.arrived(p)[k] ==
                static_cast<double>(
                    10 * mesh.face_ids[static_cast<std::size_t>(mesh.patches[p].faces[k])] +
                    mesh.patches[p].rank));
        }
      }
      exchange.remember();
    }
    const auto patches = static_cast<std::int64_t>(mesh.patches.size());
    CHECK(exchange.traffic().messages == 2 * patches); // none where there is nothing
    CHECK(exchange.num_size_messages() == (sizes == Sizes::planned     ? 0
                                           : sizes == Sizes::announced ? 3 * patches
                                                                       : patches));
  }
}

TEST_CASE("faces stay active until they are done, with the cells beside them") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const FaceMesh mesh = own_block(comm);
  const CellFaces cells(mesh);
  std::vector<LocalIndex> inner;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    if (std::max(mesh.faces[f].owner, mesh.faces[f].neighbour) < mesh.num_cells()) {
      inner.push_back(static_cast<LocalIndex>(f));
    }
  }
  ActiveFaces active;
  active.start(mesh, inner, [](LocalIndex face) { return face % 3 != 0; });
  for (int round = 0; round < 3; ++round) {
    active.find_cells(mesh, cells);
    std::set<LocalIndex> beside;
    const auto add = [&](LocalIndex face) {
      const auto [owner, neighbour] = mesh.faces[static_cast<std::size_t>(face)];
      beside.insert(owner);
      beside.insert(neighbour);
    };
    for (const LocalIndex face : active.inner()) {
      CHECK(face % 3 != 0);
      add(face);
    }
    for (std::size_t p = 0; p < mesh.patches.size(); ++p) {
      for (const LocalIndex k : active.shared(p)) {
        add(mesh.patches[p].faces[static_cast<std::size_t>(k)]);
      }
    }
    beside.erase(beside.lower_bound(mesh.num_cells()), beside.end());
    std::vector<LocalIndex> found = active.inner_cells();
    found.insert(found.end(), active.border_cells().begin(), active.border_cells().end());
    std::sort(found.begin(), found.end());
    CHECK(found == std::vector<LocalIndex>(beside.begin(), beside.end()));
    CHECK(std::none_of(active.inner_cells().begin(), active.inner_cells().end(),
                       [&](LocalIndex cell) { return cells.is_border(cell); }));
    const std::size_t before = active.inner().size();
    std::size_t done = 0;
    active.visit_inner([&](LocalIndex face) {
      done += face % 2 == round % 2 ? 1U : 0U;
      return face % 2 == round % 2;
    });
    CHECK(active.inner().size() == before - done);
    for (std::size_t p = 0; p < mesh.patches.size(); ++p) {
      active.visit_shared(p, [round](LocalIndex) { return round == 1; });
      CHECK((round == 0 || active.shared(p).empty()));
    }
  }
  CHECK(active.inner().empty());
}

TEST_CASE("the operator sums weighted differences over the faces of a cell") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const FaceMesh mesh = own_block(comm);
  const CellFaces cells(mesh);
  FaceOperator matrix(comm, mesh, cells);
  std::vector<double> weights;
  for (const GlobalIndex face : mesh.face_ids) {
    weights.push_back(2 + std::cos(static_cast<double>(face)));
  }
  matrix.set(weights);
  std::vector<double> x;
  for (const GlobalIndex cell : mesh.cell_ids) {
    x.push_back(value_of(cell));
  }
  std::vector<double> y(x.size());
  matrix.apply(x, y);
  const auto ids = with_ghosts(comm, mesh);
  for (LocalIndex cell = 0; cell < mesh.num_cells(); ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    double sum = 0;
    double diagonal = 0;
    for (const auto& at : cells.of(cell)) {
      const double weight = weights[static_cast<std::size_t>(at.face)];
      sum += weight * (x[c] - value_of(ids[static_cast<std::size_t>(at.other)]));
      diagonal += weight;
    }
    sum += ids[c] == 0 ? diagonal * x[c] : 0; // fixes the level
    CHECK(y[c] == doctest::Approx(sum).epsilon(1e-12));
  }
}

TEST_CASE("the pressure makes fluxes free of divergence, however it is preconditioned") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const FaceMesh mesh = own_block(comm);
  const CellFaces cells(mesh);
  for (const bool factor : {true, false}) {
    PressureEquation equation(comm, mesh, cells);
    std::vector<double> flux;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      const auto id = static_cast<double>(mesh.face_ids[f]);
      equation.weights()[f] = 1.5 + std::cos(id);
      flux.push_back(std::sin(3 * id));
    }
    equation.find_sources(flux);
    CHECK(equation.solve({.relative = 1e-12}, factor).is_converged());
    std::vector<double>& pressure = equation.pressure();
    const auto own = static_cast<std::size_t>(mesh.num_cells());
    auto halo = make_halo(mesh);
    halo.forward(comm, 1, std::span(pressure).first(own), std::span(pressure).subspan(own));
    for (std::size_t f = 0; f < flux.size(); ++f) {
      flux[f] -=
          equation.weights()[f] * (pressure[static_cast<std::size_t>(mesh.faces[f].neighbour)] -
                                   pressure[static_cast<std::size_t>(mesh.faces[f].owner)]);
    }
    for (LocalIndex cell = 0; cell < mesh.num_cells(); ++cell) {
      double stays = 0;
      for (const auto& at : cells.of(cell)) {
        stays += at.sign * flux[static_cast<std::size_t>(at.face)];
      }
      CHECK(std::abs(stays) < 1e-9);
    }
  }
}
