// SPDX-License-Identifier: GPL-3.0-or-later
// Schemes that correct gradients across faces for meshes whose faces are not normal to the line
// between cells: the correction takes a gradient, thus an exchange with all neighbours, even where
// it is zero. These functions are libfiniteVolume's; a program has ours where this library was
// loaded before it, by LD_PRELOAD.
#include "MeshObject.H"
#include "correctedSnGrad.H"
#include "fvMesh.H"
#include "surfaceFields.H"
#include "volFields.H"

namespace Foam {

/// Whether all faces of a mesh are normal, on all ranks; found out once for each state of the mesh,
/// with which it goes.
class isthmusOrthogonality : public MeshObject<fvMesh, GeometricMeshObject, isthmusOrthogonality> {
 public:
  TypeName("isthmusOrthogonality");

  /// Collective.
  explicit isthmusOrthogonality(const fvMesh& mesh)
      : MeshObject<fvMesh, GeometricMeshObject, isthmusOrthogonality>(mesh) {
    constexpr scalar rounding = 1e-10; // of a component of a unit vector
    const surfaceVectorField& corrections = mesh.nonOrthCorrectionVectors();
    scalar largest = 0;
    forAll(corrections, face) {
      largest = max(largest, mag(corrections[face]));
    }
    forAll(corrections.boundaryField(), patch) {
      forAll(corrections.boundaryField()[patch], face) {
        largest = max(largest, mag(corrections.boundaryField()[patch][face]));
      }
    }
    reduce(largest, maxOp<scalar>());
    is_orthogonal_ = largest < rounding;
  }

  [[nodiscard]] bool is_orthogonal() const { return is_orthogonal_; }

 private:
  bool is_orthogonal_ = false;
};

defineTypeNameAndDebug(isthmusOrthogonality, 0);

namespace {
bool needs_correction(const fvMesh& mesh) {
  return mesh.moving() || !isthmusOrthogonality::New(mesh).is_orthogonal();
}
} // namespace

#define ISTHMUS_CORRECTED(TYPE)                       \
  template <>                                         \
  bool fv::correctedSnGrad<TYPE>::corrected() const { \
    return needs_correction(mesh());                  \
  }
ISTHMUS_CORRECTED(scalar)
ISTHMUS_CORRECTED(vector)
ISTHMUS_CORRECTED(sphericalTensor)
ISTHMUS_CORRECTED(symmTensor)
ISTHMUS_CORRECTED(tensor)

} // namespace Foam
