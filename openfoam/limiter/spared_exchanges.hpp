// SPDX-License-Identifier: GPL-3.0-or-later
// Included before the sources of isthmusInterFoam: functions of OpenFOAM without those of their
// exchanges that bring nothing new.
#pragma once

#include "fvcReconstruct.H"
#include "surfaceFields.H"
#include "volFields.H"

namespace Foam {

/// Whether no border fixes a value. OpenFOAM's asks all ranks; but all have the same borders, which
/// are of the same types on each, so only where a sliding border may fix values on some of its
/// faces this one does, too.
template <>
bool GeometricField<scalar, fvPatchField, volMesh>::needReference() const;

/// Collective. The sums of weights times values and of weights are one reduction and have the bits
/// of OpenFOAM's two, which a step makes for each error of continuity and volume of a phase.
template <>
dimensioned<scalar> DimensionedField<scalar, volMesh>::weightedAverage(
    const DimensionedField<scalar, volMesh>& weights) const;

namespace fvc {

/// Collective. Vectors in cells of fluxes through their faces. Of the two sums over faces that it
/// is made of, OpenFOAM's exchanges the values at borders, which nobody reads.
template <>
tmp<volVectorField> reconstruct<scalar>(const surfaceScalarField& fluxes);

} // namespace fvc
} // namespace Foam
