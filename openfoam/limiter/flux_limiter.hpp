// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "surfaceFields.H"
#include "volFields.H"

/// How much of a correction of fluxes the cells have room for: flux correction of Zalesak, doi
/// 10.1016/0021-9991(79)90051-2, iterated so that what leaves a cell makes room; what OpenFOAM
/// calls MULES. Limits fall from what they are given as, in as many iterations as the case says.
namespace isthmus::openfoam {

/// A field and what happens to it in a step, per cell:
/// rate * (new value) = held + source - (fluxes out of the cell, per volume).
struct Step {
  Foam::scalarField rate;   ///< density over time step, less the coefficient of the source
  Foam::scalarField source; ///< per volume and time
  Foam::scalarField held;   ///< density times value, over time step
  Foam::scalarField least, most;
  /// The flux that goes on beside the correction. Nothing: `held` has it already.
  const Foam::surfaceScalarField* beside = nullptr;
  /// Of the borders the correction is limited where this leaves the mesh (or, together with the
  /// correction, `beside`).
  const Foam::surfaceScalarField* flux = nullptr;
};

/// Collective over the ranks that share faces, one message for each of them and iteration.
/// `limits`, of all faces of the mesh, hold at first what is admitted at most, and in the end the
/// share of `correction` that makes no value of `psi` larger or smaller than its neighbours are,
/// nor than `step.most` and `step.least`. The dictionary of the field's solver gives nLimiterIter,
/// smoothLimiter, extremaCoeff, boundaryExtremaCoeff.
void limit_correction(Foam::scalarField& limits, const Foam::volScalarField& psi,
                      const Foam::surfaceScalarField& correction, Step step);

/// Collective as psi.correctBoundaryConditions(). The step with a flux; sets psi.
void advance(Foam::volScalarField& psi, const Step& step, const Foam::surfaceScalarField& flux);

/// What `volume` carries of psi by upwind differences; at borders that are not coupled as `flux`.
[[nodiscard]] Foam::surfaceScalarField upwind_flux(const Foam::surfaceScalarField& volume,
                                                   const Foam::volScalarField& psi,
                                                   const Foam::surfaceScalarField& flux);

/// Multiplies a flux, at the borders too.
void scale(Foam::surfaceScalarField& flux, const Foam::scalarField& limits);

} // namespace isthmus::openfoam
