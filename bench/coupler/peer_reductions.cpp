// SPDX-License-Identifier: BSD-3-Clause
// peer_reductions VALUES COLUMNS FOLDER, under mpirun: what one advance() with IQN-ILS takes on
// several ranks when there are that many columns. The first half of the ranks is "First", the other
// half "Second", which accelerates VALUES entries of two data, each with a measure. It knows the
// interface of preCICE and MPI only: the same source is built with Isthmus and with a preCICE that
// is installed. One line: median in microseconds of the slowest rank of "Second", and the calls of
// MPI that reduce over its ranks.
#include <precice/precice.hpp>

#include "implicit_case.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr int windows = 5;
int reductions = 0; // of this rank since its start

struct Advance {
  double seconds = 0;
  int reductions = 0;
};

/// Those with all columns, one of each window. In iteration k of a window there are k - 1 columns.
std::vector<Advance> couple(bool first, int columns, std::size_t count, const std::string& file,
                            MPI_Comm ranks) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(ranks, &rank);
  MPI_Comm_size(ranks, &size);
  const std::string mesh = first ? "First-Mesh" : "Second-Mesh";
  precice::Participant participant(first ? "First" : "Second", file, rank, size, &ranks);
  std::vector<precice::VertexID> ids(count);
  participant.setMeshVertices(mesh, places(count, rank), ids);
  participant.initialize();
  std::vector<double> written(first ? 3 * count : count);
  std::vector<double> read(first ? count : 3 * count);
  std::vector<Advance> found;
  int iteration = 1;
  for (int call = 0; participant.isCouplingOngoing(); ++call) {
    participant.requiresWritingCheckpoint();
    participant.readData(mesh, first ? "Y" : "X", ids, window_size, read);
    answer(first, call, read, written);
    participant.writeData(mesh, first ? "X" : "Y", ids, written);
    const int before = reductions;
    const double begin = MPI_Wtime();
    participant.advance(window_size);
    if (iteration == columns + 1) {
      found.push_back({MPI_Wtime() - begin, reductions - before});
    }
    iteration = participant.requiresReadingCheckpoint() ? iteration + 1 : 1;
  }
  participant.finalize();
  return found;
}

void run(std::size_t values, int columns, const std::string& folder) {
  std::filesystem::current_path(folder); // where the logs are written
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const bool first = rank < size / 2;
  MPI_Comm ranks = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, first ? 0 : 1, 0, &ranks);
  const std::string file = folder + "/peer_reductions.xml";
  if (rank == 0) { // one iteration more, as the last one of a window is not accelerated
    const std::string all = R"(<filter type="QR1" limit="1e-14" />)";
    std::ofstream(file) << configuration(
        {.windows = windows, .iterations = columns + 2, .filter = all}, folder);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const std::size_t count =
      values / 4 / static_cast<std::size_t>(size / 2); // a vector and a scalar
  std::vector<double> seconds;
  int most = 0;
  for (Advance advance : couple(first, columns, count, file, ranks)) {
    MPI_Allreduce(MPI_IN_PLACE, &advance.seconds, 1, MPI_DOUBLE, MPI_MAX, ranks);
    seconds.push_back(advance.seconds);
    most = std::max(most, advance.reductions);
  }
  std::sort(seconds.begin(), seconds.end());
  if (rank == size / 2) {
    std::printf("advance_us,reductions\n%.3f,%d\n", 1e6 * seconds.at(seconds.size() / 2), most);
  }
  MPI_Comm_free(&ranks);
}

} // namespace

// What a library calls goes by way of these.
extern "C" {

int MPI_Allreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  ++reductions;
  return PMPI_Allreduce(data, result, count, type, op, comm);
}

int MPI_Iallreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  ++reductions;
  return PMPI_Iallreduce(data, result, count, type, op, comm, request);
}

int MPI_Reduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  ++reductions;
  return PMPI_Reduce(data, result, count, type, op, root, comm);
}

int MPI_Ireduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  ++reductions;
  return PMPI_Ireduce(data, result, count, type, op, root, comm, request);
}
}

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "peer_reductions VALUES COLUMNS FOLDER\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  try {
    run(static_cast<std::size_t>(std::atol(argv[1])), std::atoi(argv[2]), argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer_reductions: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
