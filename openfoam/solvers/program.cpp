// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.hpp"

#include "Pstream.H"
#include "error.H"
#include "foamVersion.H"

#include <map>
#include <vector>

/// Of libmpi_calls.so.
extern "C" __attribute__((weak)) void isthmus_count_reductions(std::int64_t number);

namespace isthmus::openfoam {

namespace {

/// Their ranks in the world: OpenFOAM numbers those of a communicator by its parent.
std::vector<int> world_ranks(Foam::label index) {
  const Foam::List<int>& ranks = Foam::UPstream::procID(index);
  std::vector<int> result(ranks.begin(), ranks.end());
  if (const Foam::label parent = Foam::UPstream::parent(index); parent >= 0) {
    const std::vector<int> all = world_ranks(parent);
    for (int& rank : result) {
      rank = all.at(static_cast<std::size_t>(rank));
    }
  }
  return result;
}

} // namespace

const comm::Comm& ranks_of(Foam::label index) {
  static std::map<Foam::label, comm::Comm> known;
  if (const auto found = known.find(index); found != known.end()) {
    return found->second;
  }
  if (!Foam::UPstream::parRun()) {
    return known.emplace(index, comm::Comm()).first->second;
  }
  const std::vector<int> ranks = world_ranks(index);
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm fresh = MPI_COMM_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &group);
  MPI_Comm_create_group(MPI_COMM_WORLD, group, index, &fresh);
  MPI_Comm_set_name(fresh, "isthmus"); // libmpi_calls.so knows it by that
  MPI_Group_free(&world);
  MPI_Group_free(&group);
  return known.emplace(index, comm::Comm::own(fresh)).first->second;
}

void check_version() {
  if (Foam::foamVersion::api != OPENFOAM) {
    FatalErrorInFunction << "this libisthmusSolvers.so was built for OpenFOAM " << OPENFOAM
                         << ", but the program is of " << Foam::foamVersion::api
                         << "; build it again with its headers (openfoam/setup.sh)"
                         << Foam::exit(Foam::FatalError);
  }
}

void report_reductions(std::int64_t number) {
  if (isthmus_count_reductions != nullptr) {
    isthmus_count_reductions(number);
  }
}

} // namespace isthmus::openfoam
