// SPDX-License-Identifier: BSD-3-Clause
// Heat conduction in two unit squares that touch at x = 0, each a job of its own on any ranks.
//   heat Dirichlet|Neumann CONFIGURATION CELLS [FOLDER]
// Dirichlet (x < 0) is given the temperature of the interface and answers with the flux through it,
// Neumann (x > 0) is given the flux and answers with the temperature. FOLDER gets the fields.
#include "plate.hpp"

#include <mpi.h>
#include <isthmus/isthmus.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

/// Returns the largest error.
double couple(const std::string& name, const char* configuration, int cells, const char* folder) {
  isthmus::Launch launch;
  MPI_Comm_rank(MPI_COMM_WORLD, &launch.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &launch.size);
  const bool dirichlet = name == "Dirichlet";
  Plate plate{.rows = {.rank = launch.rank, .size = launch.size, .n = cells},
              .side = dirichlet ? -1.0 : 1.0,
              .k = 1,
              .c = dirichlet ? 20.0 : 1.0,
              .first = dirichlet ? 1 : 0};
  plate.set(0, true);
  plate.old = plate.u;

  isthmus::Participant participant(name, configuration, launch);
  const std::string mesh = name + "-Mesh";
  const std::string input = dirichlet ? "Temperature" : "Flux";
  const std::string output = dirichlet ? "Flux" : "Temperature";
  Values positions;
  for (int j = plate.rows.begin; j < plate.rows.end; ++j) {
    positions.insert(positions.end(), {0.0, j * plate.rows.h});
  }
  std::vector<isthmus::VertexId> ids(positions.size() / 2);
  participant.set_mesh_vertices(mesh, positions, ids);
  if (participant.requires_initial_data()) {
    participant.write_data(mesh, output, ids, plate.answer(1.0));
  }
  participant.initialize();

  double t = 0;
  Values given(ids.size());
  while (participant.is_coupling_ongoing()) {
    if (participant.requires_writing_checkpoint()) {
      plate.old = plate.u;
    }
    const double dt = participant.max_time_step_size();
    participant.read_data(mesh, input, ids, dt, given);
    plate.step(t + dt, dt, given);
    participant.write_data(mesh, output, ids, plate.answer(dt));
    participant.advance(dt);
    if (!participant.requires_reading_checkpoint()) {
      t += dt;
    }
  }
  const double error = plate.error(name, t, folder);
  if (launch.rank == 0) {
    std::printf("%s at t = %g: largest error %.2e\n", name.c_str(), t, error);
  }
  return error;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1;
  if (argc < 4) {
    std::fputs("usage: heat Dirichlet|Neumann CONFIGURATION CELLS [FOLDER]\n", stderr);
  } else {
    error = couple(argv[1], argv[2], std::stoi(argv[3]), argc > 4 ? argv[4] : nullptr);
  }
  MPI_Finalize();
  return error < 1e-2 ? 0 : 1;
}
