// SPDX-License-Identifier: GPL-3.0-or-later
#include "spared_exchanges.hpp"

#include "PstreamReduceOps.H"
#include "coupledFvPatchField.H"
#include "extrapolatedCalculatedFvPatchFields.H"
#include "fvMesh.H"
#include "processorFvPatchField.H"
#include "vector2D.H"

namespace Foam {

namespace {

/// Adds to each cell what its faces have.
template <class Type>
void add_faces(Field<Type>& cells, const GeometricField<Type, fvsPatchField, surfaceMesh>& faces) {
  const labelUList& owner = faces.mesh().owner();
  const labelUList& neighbour = faces.mesh().neighbour();
  forAll(owner, face) {
    cells[owner[face]] += faces[face];
    cells[neighbour[face]] += faces[face];
  }
  forAll(faces.boundaryField(), patch) {
    const auto& border = faces.boundaryField()[patch];
    const labelUList& at = border.patch().faceCells();
    forAll(border, i) {
      cells[at[i]] += border[i];
    }
  }
}

} // namespace

template <>
bool GeometricField<scalar, fvPatchField, volMesh>::needReference() const {
  bool is_needed = true;
  bool depends_on_rank = false;
  for (const fvPatchField<scalar>& border : boundaryField()) {
    is_needed = is_needed && !border.fixesValue();
    depends_on_rank = depends_on_rank || (isA<coupledFvPatchField<scalar>>(border) &&
                                          !isA<processorFvPatchField<scalar>>(border));
  }
  if (depends_on_rank) {
    reduce(is_needed, andOp<bool>());
  }
  return is_needed;
}

template <>
dimensioned<scalar> DimensionedField<scalar, volMesh>::weightedAverage(
    const DimensionedField<scalar, volMesh>& weights) const {
  vector2D sums(sum(weights.field() * field()), sum(weights.field()));
  reduce(sums, sumOp<vector2D>());
  return {name() + ".weightedAverage(weights)", dimensions(), sums.x() / sums.y()};
}

template <>
tmp<volVectorField> fvc::reconstruct<scalar>(const surfaceScalarField& fluxes) {
  const fvMesh& mesh = fluxes.mesh();
  const surfaceVectorField normals(mesh.Sf() / mesh.magSf());
  tensorField areas(mesh.nCells(), Zero);
  vectorField sums(mesh.nCells(), Zero);
  add_faces<tensor>(areas, normals * mesh.Sf());
  add_faces<vector>(sums, normals * fluxes);
  auto result =
      tmp<volVectorField>::New(IOobject("volIntegrate(" + fluxes.name() + ')', fluxes.instance(),
                                        mesh, IOobject::NO_READ, IOobject::NO_WRITE),
                               mesh, dimensionedVector(fluxes.dimensions() / dimArea, Zero),
                               extrapolatedCalculatedFvPatchVectorField::typeName);
  result.ref().primitiveFieldRef() = inv(areas) & sums;
  result.ref().correctBoundaryConditions();
  return result;
}

} // namespace Foam
