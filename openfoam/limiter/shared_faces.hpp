// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "polyMesh.H"

#include <functional>
#include <vector>

namespace isthmus::openfoam {

/// The faces of a mesh that two cells of different patches are: those shared with other ranks, and
/// those of cyclic patches. Both sides have a value for each, and take the smaller one. One message
/// per neighbouring rank, whatever the number of patches, and sizes that both know.
class SharedFaces {
 public:
  /// Local.
  explicit SharedFaces(const Foam::polyMesh& mesh);

  /// Local. What is shared with a rank matters if it matters on either side; the first
  /// take_smaller() notifies the other side, later ones leave out what matters on none.
  void matter_where(const std::function<bool(Foam::label face)>& is_needed);

  /// Collective over the neighbours. `values` are of all faces of the mesh.
  void take_smaller(Foam::UList<Foam::scalar>& values);

 private:
  struct Neighbour {
    int rank = 0;
    std::vector<Foam::label> faces; // in an order that both ranks have
    bool matters = true;
    std::vector<Foam::scalar> outgoing, incoming;
  };
  struct Pair { // of faces of this rank, the first ones and their number
    Foam::label one, other, size;
  };
  void exchange(Foam::UList<Foam::scalar>& values);

  const Foam::label comm_;
  bool is_agreed_ = false; // each side knows what matters on the other
  std::vector<Neighbour> neighbours_;
  std::vector<Pair> pairs_;
};

} // namespace isthmus::openfoam
