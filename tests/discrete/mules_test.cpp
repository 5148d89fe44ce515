// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/mules.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/discrete/collapse.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

using namespace isthmus;
using discrete::Collapse;
using discrete::FaceMesh;
using discrete::Mules;

namespace {

/// Five iterations for every face.
Mules::Settings fixed() {
  return {.iterations = 5, .tolerance = -1, .negligible = -1};
}

/// As many as OpenFOAM's tutorial has.
Mules::Settings classic(discrete::Sizes sizes) {
  Mules::Settings settings = fixed();
  settings.from_one = true;
  settings.overlap = false;
  settings.split = true;
  settings.sizes = sizes;
  return settings;
}

/// Fractions of all cells, by number, on every rank.
std::vector<double> whole(const comm::Comm& comm, const FaceMesh& mesh,
                          const std::vector<double>& own) {
  const auto ids = comm::allgather(comm, std::span<const GlobalIndex>(mesh.cell_ids)).values;
  const auto values = comm::allgather(comm, std::span<const double>(own)).values;
  std::vector<double> found(ids.size());
  for (std::size_t k = 0; k < ids.size(); ++k) {
    found[static_cast<std::size_t>(ids[k])] = values[k];
  }
  return found;
}

std::vector<double> own_of(const FaceMesh& mesh, const std::vector<double>& all) {
  std::vector<double> own;
  for (const GlobalIndex cell : mesh.cell_ids) {
    own.push_back(all[static_cast<std::size_t>(cell)]);
  }
  return own;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), 8 * a.size()) == 0;
}

struct Run {
  std::vector<double> fractions; // of all cells
  double overshoot = 0;
  double mass_change = 0; // relative
  double iterations = 0;  // of a step, on the busiest rank
};

Run run(const comm::Comm& comm, const Collapse& collapse, const FaceMesh& mesh,
        const Mules::Settings& settings, int steps) {
  Mules mules(comm, mesh, settings);
  std::vector<double> own = collapse.fractions(mesh);
  const std::vector<double> flux = collapse.fluxes(mesh);
  const auto mass = [](const std::vector<double>& all) {
    double sum = 0;
    for (const double value : all) {
      sum += value;
    }
    return sum;
  };
  const double before = mass(whole(comm, mesh, own));
  Run found;
  std::vector<double> iterations;
  for (int step = 0; step < steps; ++step) {
    const Mules::Report report = mules.step(collapse.time_step(), flux, own);
    iterations.push_back(report.iterations);
    for (const double value : own) {
      found.overshoot = std::max({found.overshoot, value - 1, -value});
    }
  }
  comm::allreduce(comm, std::span<double>(iterations), comm::Op::max);
  found.iterations = std::accumulate(iterations.begin(), iterations.end(), 0.0) / steps;
  found.overshoot = comm::allreduce(comm, found.overshoot, comm::Op::max);
  found.fractions = whole(comm, mesh, own);
  found.mass_change = std::abs(mass(found.fractions) / before - 1);
  return found;
}

/// On few ranks cells without a pattern: everybody shares faces with everybody; else rows in turn.
FaceMesh scattered(const discrete::FaceGrid& grid, const comm::Comm& comm) {
  const auto rank_of = [&comm, &grid](GlobalIndex cell) {
    const GlobalIndex number = comm.size() <= 4 ? cell * 7919 / 13 : cell / grid.cells[0];
    return static_cast<int>(number % comm.size());
  };
  std::vector<GlobalIndex> own;
  for (GlobalIndex cell = 0; cell < grid.num_cells(); ++cell) {
    if (rank_of(cell) == comm.rank()) {
      own.push_back(cell);
    }
  }
  return discrete::make_face_mesh(grid, own, comm.rank(), rank_of);
}

/// One step on a plane of n x n cells, written as plainly as can be.
std::vector<double> plain_step(int n, double dt, const std::vector<double>& a,
                               const FaceMesh& serial, const std::vector<double>& flux,
                               int iterations) {
  const std::size_t cells = a.size();
  const double volume = 1.0 / (static_cast<double>(n) * n * n);
  std::vector<double> low(flux.size());
  std::vector<double> rest(flux.size());
  std::vector<double> upwind = a;
  std::vector<double> most = a;
  std::vector<double> least = a;
  const auto ends = [&serial](std::size_t f) {
    return std::pair(static_cast<std::size_t>(serial.faces[f].owner),
                     static_cast<std::size_t>(serial.faces[f].neighbour));
  };
  for (std::size_t f = 0; f < flux.size(); ++f) {
    const auto [i, j] = ends(f);
    low[f] = std::max(flux[f], 0.0) * a[i] + std::min(flux[f], 0.0) * a[j];
    const double mean = (a[i] + a[j]) / 2;
    const double sign = (a[j] - a[i]) / (std::abs(a[j] - a[i]) + 1e-8);
    rest[f] = flux[f] * mean - low[f] + std::abs(flux[f]) * sign * mean * (1 - mean);
    upwind[i] -= dt / volume * low[f];
    upwind[j] += dt / volume * low[f];
    most[i] = std::max(most[i], a[j]);
    most[j] = std::max(most[j], a[i]);
    least[i] = std::min(least[i], a[j]);
    least[j] = std::min(least[j], a[i]);
  }
  std::vector<double> limit(flux.size(), 0.0);
  for (int k = 0; k < iterations; ++k) {
    std::vector<double> gain(cells), loss(cells), sure_gain(cells), sure_loss(cells);
    for (std::size_t f = 0; f < flux.size(); ++f) {
      const auto [i, j] = ends(f);
      const std::size_t from = rest[f] > 0 ? i : j;
      const std::size_t to = rest[f] > 0 ? j : i;
      loss[from] += std::abs(rest[f]);
      gain[to] += std::abs(rest[f]);
      sure_loss[from] += limit[f] * std::abs(rest[f]);
      sure_gain[to] += limit[f] * std::abs(rest[f]);
    }
    for (std::size_t f = 0; f < flux.size(); ++f) {
      const auto [i, j] = ends(f);
      const std::size_t from = rest[f] > 0 ? i : j;
      const std::size_t to = rest[f] > 0 ? j : i;
      const double up = volume / dt * (most[to] - upwind[to]) + sure_loss[to];
      const double down = volume / dt * (upwind[from] - least[from]) + sure_gain[from];
      limit[f] = std::min({1.0, up / gain[to], down / loss[from]});
      limit[f] = rest[f] == 0 ? 0 : std::max(limit[f], 0.0);
    }
  }
  std::vector<double> next = upwind;
  for (std::size_t f = 0; f < flux.size(); ++f) {
    const auto [i, j] = ends(f);
    next[i] -= dt / volume * limit[f] * rest[f];
    next[j] += dt / volume * limit[f] * rest[f];
  }
  return next;
}

} // namespace

TEST_CASE("limited steps are those of plain loops over the faces") {
  const comm::Comm comm;
  constexpr int n = 12;
  const Collapse collapse(n);
  const FaceMesh mesh = discrete::make_face_block(collapse.grid, 1, 0);
  const std::vector<double> flux = collapse.fluxes(mesh);
  Mules mules(comm, mesh, fixed());
  std::vector<double> a = collapse.fractions(mesh);
  for (int step = 0; step < 15; ++step) {
    const auto wanted = plain_step(n, collapse.time_step(), a, mesh, flux, 5);
    mules.step(collapse.time_step(), flux, a);
    double worst = 0;
    for (std::size_t c = 0; c < a.size(); ++c) {
      worst = std::max(worst, std::abs(a[c] - wanted[c]));
    }
    CHECK(worst < 1e-13);
  }
}

TEST_CASE("limits and fractions have the bits of one rank, however the cells are dealt") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const int layers : {1, 3}) {
    const Collapse collapse(16, layers);
    const FaceMesh all = discrete::make_face_block(collapse.grid, 1, 0);
    for (const FaceMesh& mesh : {discrete::make_face_block(collapse.grid, comm.size(), comm.rank()),
                                 scattered(collapse.grid, comm)}) {
      for (const Mules::Settings& settings : {Mules::Settings{}, fixed()}) {
        const comm::Comm alone;
        Mules one(alone, all, settings);
        Mules many(comm, mesh, settings);
        std::vector<double> a = collapse.fractions(all);
        std::vector<double> own = collapse.fractions(mesh);
        std::size_t different = 0;
        for (int step = 0; step < 8; ++step) {
          one.step(collapse.time_step(), collapse.fluxes(all), a);
          many.step(collapse.time_step(), collapse.fluxes(mesh), own);
          for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
            const auto at =
                std::lower_bound(all.face_ids.begin(), all.face_ids.end(), mesh.face_ids[f]);
            different += one.limits()[static_cast<std::size_t>(at - all.face_ids.begin())] !=
                                 many.limits()[f]
                             ? 1
                             : 0;
          }
        }
        CHECK(different == 0);
        CHECK(same_bits(own, own_of(mesh, a)));
      }
    }
  }
}

TEST_CASE("water stays bounded and is kept, with fewer iterations than five and as sharp") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Collapse collapse(24);
  const FaceMesh mesh = discrete::make_face_block(collapse.grid, comm.size(), comm.rank());
  constexpr int steps = 30;
  const Run ours = run(comm, collapse, mesh, {}, steps);
  const comm::Comm alone;
  const FaceMesh all = discrete::make_face_block(collapse.grid, 1, 0);
  Mules::Settings from_one = classic(discrete::Sizes::planned);
  const Run five = run(alone, collapse, all, from_one, steps);
  CHECK(ours.overshoot < 1e-12);
  from_one.iterations = 3;
  CHECK(run(alone, collapse, all, from_one, steps).overshoot > 1e-6); // where they start matters
  CHECK(ours.mass_change < 1e-13);
  CHECK(ours.iterations <= 0.6 * five.iterations);
  double difference = 0;
  double mass = 0;
  for (std::size_t c = 0; c < ours.fractions.size(); ++c) {
    difference += std::abs(ours.fractions[c] - five.fractions[c]);
    mass += five.fractions[c];
  }
  CHECK(difference < 0.01 * mass);
}

TEST_CASE("one message to each neighbour for the values and one for each iteration, no sizes") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Collapse collapse(24);
  const FaceMesh mesh = discrete::make_face_block(collapse.grid, comm.size(), comm.rank());
  const auto neighbours = static_cast<std::int64_t>(mesh.patches.size());
  const auto report_of = [&](const Mules::Settings& settings) {
    Mules mules(comm, mesh, settings);
    std::vector<double> own = collapse.fractions(mesh);
    mules.step(collapse.time_step(), collapse.fluxes(mesh), own);
    return mules.step(collapse.time_step(), collapse.fluxes(mesh), own);
  };
  const Mules::Report five = report_of(fixed());
  CHECK(five.messages == neighbours * 6);
  CHECK(five.size_messages == 0);
  CHECK(five.iterations == 5);
  const Mules::Report ours = report_of({});
  CHECK(ours.messages <= neighbours * (ours.iterations + 1));
  CHECK(ours.size_messages == 0);
  CHECK(ours.bytes <= five.bytes);
  const Mules::Report naive = report_of(classic(discrete::Sizes::announced));
  CHECK(naive.messages == neighbours * 7);
  CHECK(naive.size_messages == naive.messages);
  const Mules::Report paper = report_of(classic(discrete::Sizes::remembered));
  CHECK(paper.messages == naive.messages);
  CHECK(paper.size_messages == 0); // since the second step
}

TEST_CASE("the work of inner faces is done while messages travel" *
          on_ranks(1, 4)) { // blocks of a few cells have no inside
  const comm::Comm comm(MPI_COMM_WORLD);
  const Collapse collapse(48);
  const FaceMesh mesh = discrete::make_face_block(collapse.grid, comm.size(), comm.rank());
  Mules mules(comm, mesh, fixed());
  std::vector<double> own = collapse.fractions(mesh);
  const auto report = mules.step(collapse.time_step(), collapse.fluxes(mesh), own);
  CHECK(report.hidden > 0.8 * static_cast<double>(report.work));
}

TEST_CASE("a change of the mesh is noticed without a message") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Collapse collapse(16);
  const discrete::FaceGrid& grid = collapse.grid;
  const FaceMesh all = discrete::make_face_block(grid, 1, 0);
  const comm::Comm alone;
  const Run wanted = run(alone, collapse, all, {}, 8);
  FaceMesh mesh = discrete::make_face_block(grid, comm.size(), comm.rank());
  Mules mules(comm, mesh);
  std::vector<double> own = collapse.fractions(mesh);
  std::int64_t sizes = 0;
  for (int step = 0; step < 8; ++step) {
    if (step == 4) { // cells move to other ranks
      const auto fractions = whole(comm, mesh, own);
      const std::int64_t epoch = mesh.epoch;
      mesh = scattered(grid, comm);
      mesh.epoch = epoch + 1;
      own = own_of(mesh, fractions);
    }
    const auto report = mules.step(collapse.time_step(), collapse.fluxes(mesh), own);
    sizes += report.size_messages;
    CHECK(report.messages <=
          static_cast<std::int64_t>(mesh.patches.size()) * (report.iterations + 1));
  }
  CHECK(sizes == 0);
  CHECK(same_bits(whole(comm, mesh, own), wanted.fractions));
}

TEST_CASE("ranks with different meshes are told so" * on_ranks(2, 2)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Collapse collapse(8);
  const int border = comm.rank() == 0 ? 3 : 4; // as if one of them had missed a change
  const auto rank_of = [border](GlobalIndex cell) { return cell % 8 < border ? 0 : 1; };
  std::vector<GlobalIndex> own;
  for (GlobalIndex cell = 0; cell < 64; ++cell) {
    if (rank_of(cell) == comm.rank()) {
      own.push_back(cell);
    }
  }
  const FaceMesh mesh = discrete::make_face_mesh(collapse.grid, own, comm.rank(), rank_of);
  Mules mules(comm, mesh);
  std::vector<double> fractions = collapse.fractions(mesh);
  CHECK_THROWS_WITH_AS(mules.step(0.01, collapse.fluxes(mesh), fractions),
                       doctest::Contains("do not share the same faces"), Error);
  CHECK_THROWS_WITH_AS(mules.step(0.01, {}, fractions), doctest::Contains("raise its epoch"),
                       Error);
}

TEST_CASE("sizes that were remembered forbid messages that shrink") {
  const comm::Comm alone;
  const FaceMesh mesh = discrete::make_face_block(Collapse(4).grid, 1, 0);
  CHECK_THROWS_WITH_AS(Mules(alone, mesh, {.sizes = discrete::Sizes::remembered}),
                       doctest::Contains("must be planned"), Error);
}
