// SPDX-License-Identifier: GPL-3.0-or-later
// CMULES.H of OpenFOAM includes this file by its name, for the templates that it declares: limited
// corrections of what has been transported already.
#include "flux_limiter.hpp"
#include "step.hpp"

#include "fvcSurfaceIntegrate.H"
#include "localEulerDdtScheme.H"
#include "upwind.H"

namespace Foam {

template <class RdeltaTType, class RhoType, class SpType, class SuType>
void MULES::correct(const RdeltaTType& rate, const RhoType& rho, volScalarField& psi,
                    const surfaceScalarField& correction, const SpType& sp, const SuType& su) {
  Info << "MULES: Correcting " << psi.name() << endl;
  isthmus::openfoam::advance(psi, isthmus::openfoam::corrected(rate, rho, psi, sp, su), correction);
}

template <class RhoType>
void MULES::correct(const RhoType& rho, volScalarField& psi, const surfaceScalarField& correction) {
  correct(rho, psi, correction, zeroField(), zeroField());
}

template <class RhoType, class SpType, class SuType>
void MULES::correct(const RhoType& rho, volScalarField& psi, const surfaceScalarField& correction,
                    const SpType& sp, const SuType& su) {
  isthmus::openfoam::with_rate(
      psi.mesh(), [&](const auto& rate) { correct(rate, rho, psi, correction, sp, su); });
}

template <class RhoType, class PsiMaxType, class PsiMinType>
void MULES::correct(const RhoType& rho, volScalarField& psi, const surfaceScalarField& flux,
                    surfaceScalarField& correction, const PsiMaxType& most,
                    const PsiMinType& least) {
  correct(rho, psi, flux, correction, zeroField(), zeroField(), most, least);
}

template <class RhoType, class SpType, class SuType, class PsiMaxType, class PsiMinType>
void MULES::correct(const RhoType& rho, volScalarField& psi, const surfaceScalarField& flux,
                    surfaceScalarField& correction, const SpType& sp, const SuType& su,
                    const PsiMaxType& most, const PsiMinType& least) {
  isthmus::openfoam::with_rate(psi.mesh(), [&](const auto& rate) {
    limitCorr(rate, rho, psi, flux, correction, sp, su, most, least);
    correct(rate, rho, psi, correction, sp, su);
  });
}

template <class RdeltaTType, class RhoType, class SpType, class SuType, class PsiMaxType,
          class PsiMinType>
void MULES::limiterCorr(scalarField& limits, const RdeltaTType& rate, const RhoType& rho,
                        const volScalarField& psi, const surfaceScalarField& flux,
                        const surfaceScalarField& correction, const SpType& sp, const SuType& su,
                        const PsiMaxType& most, const PsiMinType& least) {
  isthmus::openfoam::Step step = isthmus::openfoam::corrected(rate, rho, psi, sp, su);
  isthmus::openfoam::set_bounds(step, most, least);
  step.flux = &flux;
  isthmus::openfoam::limit_correction(limits, psi, correction, step);
}

template <class RdeltaTType, class RhoType, class SpType, class SuType, class PsiMaxType,
          class PsiMinType>
void MULES::limitCorr(const RdeltaTType& rate, const RhoType& rho, const volScalarField& psi,
                      const surfaceScalarField& flux, surfaceScalarField& correction,
                      const SpType& sp, const SuType& su, const PsiMaxType& most,
                      const PsiMinType& least) {
  scalarField limits(psi.mesh().nFaces(), scalar(1));
  limiterCorr(limits, rate, rho, psi, flux, correction, sp, su, most, least);
  isthmus::openfoam::scale(correction, limits);
}

} // namespace Foam
