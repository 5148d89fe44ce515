// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared_faces.hpp"

#include "UIPstream.H"
#include "UOPstream.H"
#include "cyclicPolyPatch.H"
#include "processorPolyPatch.H"

#include <algorithm>
#include <map>

namespace isthmus::openfoam {

namespace {

constexpr auto at_once = Foam::UPstream::commsTypes::nonBlocking;

char* bytes(std::vector<Foam::scalar>& values) {
  return reinterpret_cast<char*>(values.data());
}

std::streamsize num_bytes(const std::vector<Foam::scalar>& values) {
  return static_cast<std::streamsize>(values.size() * sizeof(Foam::scalar));
}

} // namespace

SharedFaces::SharedFaces(const Foam::polyMesh& mesh) : comm_(mesh.comm()) {
  using Patches = std::map<int, const Foam::processorPolyPatch*>; // by tag, alike on both ranks
  std::map<int, Patches> of_rank;
  forAll(mesh.boundaryMesh(), index) {
    const Foam::polyPatch& patch = mesh.boundaryMesh()[index];
    if (const auto* to = Foam::isA<Foam::processorPolyPatch>(patch) && Foam::UPstream::parRun()
                             ? &Foam::refCast<const Foam::processorPolyPatch>(patch)
                             : nullptr) {
      of_rank[to->neighbProcNo()].emplace(to->tag(), to);
    } else if (Foam::isA<Foam::cyclicPolyPatch>(patch)) {
      const auto& cyclic = Foam::refCast<const Foam::cyclicPolyPatch>(patch);
      if (cyclic.owner()) {
        pairs_.push_back({cyclic.start(), cyclic.neighbPatch().start(), cyclic.size()});
      }
    }
  }
  for (const auto& [rank, patches] : of_rank) {
    Neighbour& neighbour = neighbours_.emplace_back();
    neighbour.rank = rank;
    for (const auto& [tag, patch] : patches) {
      for (Foam::label i = 0; i < patch->size(); ++i) {
        neighbour.faces.push_back(patch->start() + i);
      }
    }
  }
}

void SharedFaces::matter_where(const std::function<bool(Foam::label face)>& is_needed) {
  for (Neighbour& neighbour : neighbours_) {
    neighbour.matters = std::any_of(neighbour.faces.begin(), neighbour.faces.end(), is_needed);
  }
  is_agreed_ = false;
}

void SharedFaces::take_smaller(Foam::UList<Foam::scalar>& values) {
  for (const Pair& pair : pairs_) {
    for (Foam::label i = 0; i < pair.size; ++i) {
      Foam::scalar& one = values[pair.one + i];
      Foam::scalar& other = values[pair.other + i];
      one = other = std::min(one, other);
    }
  }
  exchange(values);
}

void SharedFaces::exchange(Foam::UList<Foam::scalar>& values) {
  const Foam::label first = Foam::UPstream::nRequests();
  const int tag = Foam::UPstream::msgType();
  for (Neighbour& neighbour : neighbours_) {
    if (!neighbour.matters && is_agreed_) {
      continue;
    }
    neighbour.outgoing.clear();
    for (const Foam::label face : neighbour.faces) {
      neighbour.outgoing.push_back(values[face]);
    }
    if (!is_agreed_) {
      neighbour.outgoing.push_back(neighbour.matters ? 1 : 0);
    }
    neighbour.incoming.resize(neighbour.outgoing.size());
    Foam::UIPstream::read(at_once, neighbour.rank, bytes(neighbour.incoming),
                          num_bytes(neighbour.incoming), tag, comm_);
    Foam::UOPstream::write(at_once, neighbour.rank, bytes(neighbour.outgoing),
                           num_bytes(neighbour.outgoing), tag, comm_);
  }
  Foam::UPstream::waitRequests(first);
  for (Neighbour& neighbour : neighbours_) {
    if (!neighbour.matters && is_agreed_) {
      continue;
    }
    for (std::size_t i = 0; i < neighbour.faces.size(); ++i) {
      Foam::scalar& value = values[neighbour.faces[i]];
      value = std::min(value, neighbour.incoming[i]);
    }
    neighbour.matters = neighbour.matters || (!is_agreed_ && neighbour.incoming.back() != 0);
  }
  is_agreed_ = true;
}

} // namespace isthmus::openfoam
