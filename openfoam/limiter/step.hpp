// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "flux_limiter.hpp"

#include "localEulerDdtScheme.H"
#include "oneField.H"
#include "zeroField.H"

/// Of the many types that OpenFOAM's limiter takes (numbers, fields, fields that are one or zero
/// everywhere) the fields that ours works on.
namespace isthmus::openfoam {

inline Foam::scalarField values_of(const Foam::one& /*everywhere*/, Foam::label cells) {
  return {cells, Foam::scalar(1)};
}
inline Foam::scalarField values_of(const Foam::zero& /*everywhere*/, Foam::label cells) {
  return {cells, Foam::scalar(0)};
}
inline Foam::scalarField values_of(Foam::scalar value, Foam::label cells) {
  return {cells, value};
}
inline Foam::scalarField values_of(const Foam::UList<Foam::scalar>& values, Foam::label /*cells*/) {
  return Foam::scalarField(values);
}

/// A step from the value that `psi` has now.
template <class Rate, class Rho, class Sp, class Su>
Step corrected(const Rate& rate, const Rho& rho, const Foam::volScalarField& psi, const Sp& sp,
               const Su& su) {
  const Foam::label cells = psi.size();
  const Foam::scalarField density = values_of(rho, cells);
  const Foam::scalarField per_time = values_of(rate, cells);
  Step step;
  step.rate = density * per_time - values_of(sp, cells);
  step.source = values_of(su, cells);
  step.held = density * psi.primitiveField() * per_time;
  return step;
}

/// A step from the values at the time before, and in the volumes that the cells had then.
template <class Rate, class Rho, class Sp, class Su>
Step moved(const Rate& rate, const Rho& rho, const Foam::volScalarField& psi, const Sp& sp,
           const Su& su) {
  const Foam::label cells = psi.size();
  const Foam::scalarField per_time = values_of(rate, cells);
  Step step;
  step.rate = values_of(rho, cells) * per_time - values_of(sp, cells);
  step.source = values_of(su, cells);
  step.held = values_of(rho.oldTime(), cells) * psi.oldTime().primitiveField() * per_time;
  if (psi.mesh().moving()) {
    step.held *= psi.mesh().Vsc0()().field() / psi.mesh().Vsc()().field();
  }
  return step;
}

template <class Most, class Least>
void set_bounds(Step& step, const Most& most, const Least& least) {
  step.most = values_of(most, step.rate.size());
  step.least = values_of(least, step.rate.size());
}

/// Calls `action` with one over the time step: a number, or where each cell has its own the field.
template <class Action>
void with_rate(const Foam::fvMesh& mesh, const Action& action) {
  if (Foam::fv::localEulerDdt::enabled(mesh)) {
    action(Foam::fv::localEulerDdt::localRDeltaT(mesh));
  } else {
    action(1.0 / mesh.time().deltaTValue());
  }
}

} // namespace isthmus::openfoam
