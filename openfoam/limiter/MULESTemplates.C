// SPDX-License-Identifier: GPL-3.0-or-later
// MULES.H of OpenFOAM includes this file by its name, for the templates that it declares: explicit
// transport, whose flux is an upwind one and as much of the rest as there is room for. Its
// limitSum() for lists of fluxes is not here: no program of two phases calls it.
#include "flux_limiter.hpp"
#include "step.hpp"

#include "fvcSurfaceIntegrate.H"
#include "localEulerDdtScheme.H"
#include "upwind.H"

namespace Foam {

template <class RdeltaTType, class RhoType, class SpType, class SuType>
void MULES::explicitSolve(const RdeltaTType& rate, const RhoType& rho, volScalarField& psi,
                          const surfaceScalarField& flux, const SpType& sp, const SuType& su) {
  Info << "MULES: Solving for " << psi.name() << endl;
  isthmus::openfoam::advance(psi, isthmus::openfoam::moved(rate, rho, psi, sp, su), flux);
}

template <class RhoType>
void MULES::explicitSolve(const RhoType& rho, volScalarField& psi, const surfaceScalarField& flux) {
  explicitSolve(rho, psi, flux, zeroField(), zeroField());
}

template <class RhoType, class SpType, class SuType>
void MULES::explicitSolve(const RhoType& rho, volScalarField& psi, const surfaceScalarField& flux,
                          const SpType& sp, const SuType& su) {
  isthmus::openfoam::with_rate(
      psi.mesh(), [&](const auto& rate) { explicitSolve(rate, rho, psi, flux, sp, su); });
}

template <class RhoType, class PsiMaxType, class PsiMinType>
void MULES::explicitSolve(const RhoType& rho, volScalarField& psi, const surfaceScalarField& volume,
                          surfaceScalarField& flux, const PsiMaxType& most,
                          const PsiMinType& least) {
  explicitSolve(rho, psi, volume, flux, zeroField(), zeroField(), most, least);
}

template <class RhoType, class SpType, class SuType, class PsiMaxType, class PsiMinType>
void MULES::explicitSolve(const RhoType& rho, volScalarField& psi, const surfaceScalarField& volume,
                          surfaceScalarField& flux, const SpType& sp, const SuType& su,
                          const PsiMaxType& most, const PsiMinType& least) {
  psi.correctBoundaryConditions();
  isthmus::openfoam::with_rate(psi.mesh(), [&](const auto& rate) {
    limit(rate, rho, psi, volume, flux, sp, su, most, least, false);
    explicitSolve(rate, rho, psi, flux, sp, su);
  });
}

template <class RdeltaTType, class RhoType, class SpType, class SuType, class PsiMaxType,
          class PsiMinType>
void MULES::limiter(scalarField& limits, const RdeltaTType& rate, const RhoType& rho,
                    const volScalarField& psi, const surfaceScalarField& bounded,
                    const surfaceScalarField& correction, const SpType& sp, const SuType& su,
                    const PsiMaxType& most, const PsiMinType& least) {
  isthmus::openfoam::Step step = isthmus::openfoam::moved(rate, rho, psi, sp, su);
  isthmus::openfoam::set_bounds(step, most, least);
  step.beside = &bounded;
  isthmus::openfoam::limit_correction(limits, psi, correction, step);
}

template <class RdeltaTType, class RhoType, class SpType, class SuType, class PsiMaxType,
          class PsiMinType>
void MULES::limit(const RdeltaTType& rate, const RhoType& rho, const volScalarField& psi,
                  const surfaceScalarField& volume, surfaceScalarField& flux, const SpType& sp,
                  const SuType& su, const PsiMaxType& most, const PsiMinType& least,
                  const bool gives_correction) {
  const surfaceScalarField bounded = isthmus::openfoam::upwind_flux(volume, psi, flux);
  flux -= bounded;
  scalarField limits(psi.mesh().nFaces(), scalar(1));
  limiter(limits, rate, rho, psi, bounded, flux, sp, su, most, least);
  isthmus::openfoam::scale(flux, limits);
  if (!gives_correction) {
    flux += bounded;
  }
}

template <class RhoType, class SpType, class SuType, class PsiMaxType, class PsiMinType>
void MULES::limit(const RhoType& rho, const volScalarField& psi, const surfaceScalarField& volume,
                  surfaceScalarField& flux, const SpType& sp, const SuType& su,
                  const PsiMaxType& most, const PsiMinType& least, const bool gives_correction) {
  isthmus::openfoam::with_rate(psi.mesh(), [&](const auto& rate) {
    limit(rate, rho, psi, volume, flux, sp, su, most, least, gives_correction);
  });
}

} // namespace Foam
