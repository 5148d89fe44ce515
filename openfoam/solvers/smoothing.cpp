// SPDX-License-Identifier: GPL-3.0-or-later
#include "smoothing.hpp"

#include "program.hpp"

#include "isthmus/comm/reduce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string>

namespace isthmus::openfoam {

namespace {

/// A field while it is swept: the sums over ranks that say how far it is, beside the next sweeps.
class Swept {
 public:
  Swept(const Foam::lduMatrix::solver& solver, Foam::scalarField& psi,
        const Foam::scalarField& source, Foam::direction component)
      : solver_(solver),
        psi_(psi),
        source_(source),
        component_(component),
        sums_(ranks_of(solver.matrix().mesh().comm()), 2) {}

  /// Collective. Begins the sums of OpenFOAM's norm and of the first residual.
  void begin() {
    sums_.begin(std::array{Foam::sum(psi_), static_cast<double>(psi_.size())});
    Foam::scalarField product(psi_.size());
    Foam::scalarField of_mean(psi_.size()); // the product of the matrix with the mean of psi
    const Foam::lduMatrix& matrix = solver_.matrix();
    matrix.Amul(product, psi_, solver_.interfaceBouCoeffs(), solver_.interfaces(), component_);
    sums_.progress();
    matrix.sumA(of_mean, solver_.interfaceBouCoeffs(), solver_.interfaces());
    const std::span<const double> sums = sums_.finish();
    of_mean *= sums[1] > 0 ? sums[0] / sums[1] : 0;
    double norm = 0;
    double residual = 0;
    for (Foam::label i = 0; i < psi_.size(); ++i) {
      norm += std::abs(product[i] - of_mean[i]) + std::abs(source_[i] - of_mean[i]);
      residual += std::abs(source_[i] - product[i]);
    }
    sums_.begin(std::array{residual, norm});
  }

  /// Collective. The sums that are under way: of the latest residual, and the first time of the
  /// norm.
  std::span<const double> finish() { return sums_.finish(); }

  /// Sweeps, also beside these sums.
  void sweep(const Foam::lduMatrix::smoother& smoother, Foam::label number) {
    smoother.smooth(psi_, source_, component_, number);
    sums_.progress();
    residual_ = Foam::sumMag(solver_.matrix().residual(psi_, source_, solver_.interfaceBouCoeffs(),
                                                       solver_.interfaces(), component_)());
    sums_.progress();
  }

  /// Collective. Begins the sum of the residual that the latest sweep has left.
  void begin_residual() { sums_.begin(std::array{residual_}); }

  [[nodiscard]] std::int64_t num_reductions() const { return sums_.counts().reductions; }

 private:
  const Foam::lduMatrix::solver& solver_;
  Foam::scalarField& psi_;
  const Foam::scalarField& source_;
  Foam::direction component_;
  comm::Reduction sums_;
  double residual_ = 0; // of this rank, after the latest sweep
};

/// What the last sweeps over a field have left of its residual; the same on all ranks.
Foam::scalar& share_left(const Foam::word& field) {
  static std::map<std::string, Foam::scalar> known;
  return known.try_emplace(field, 1).first->second;
}

} // namespace

Smoothing::Smoothing(const Foam::word& field, const Foam::lduMatrix& matrix,
                     const Foam::FieldField<Foam::Field, Foam::scalar>& outer,
                     const Foam::FieldField<Foam::Field, Foam::scalar>& inner,
                     const Foam::lduInterfaceFieldPtrsList& interfaces,
                     const Foam::dictionary& controls)
    : solver(field, matrix, outer, inner, interfaces, controls),
      sweeps_(controls.lookupOrDefault<Foam::label>("nSweeps", 1)) {
  check_version();
}

Foam::solverPerformance Smoothing::solve_as_openfoam(Foam::scalarField& psi,
                                                     const Foam::scalarField& source,
                                                     Foam::direction component) const {
  Foam::dictionary controls(controlDict_);
  controls.set("solver", Foam::word("smoothSolver"));
  const Foam::solverPerformance done =
      Foam::lduMatrix::solver::New(fieldName_, matrix_, interfaceBouCoeffs_, interfaceIntCoeffs_,
                                   interfaces_, controls)
          ->solve(psi, source, component);
  return {type(),
          fieldName_,
          done.initialResidual(),
          done.finalResidual(),
          done.nIterations(),
          done.converged(),
          done.singular()};
}

bool Smoothing::ends(Foam::solverPerformance& done, Foam::label sweeps) const {
  done.nIterations() += sweeps;
  if (sweeps > 0 && done.nIterations() >= maxIter_) {
    return done.nIterations() >= minIter_;
  }
  return done.checkConvergence(tolerance_, relTol_) && done.nIterations() >= minIter_;
}

bool Smoothing::may_end(const Foam::solverPerformance& done, Foam::scalar share) const {
  if (done.nIterations() + sweeps_ < minIter_) {
    return false;
  }
  const Foam::scalar limit = std::max(tolerance_, relTol_ * done.initialResidual());
  return done.finalResidual() * share < limit || done.nIterations() + sweeps_ >= maxIter_;
}

Foam::solverPerformance Smoothing::solve(Foam::scalarField& psi, const Foam::scalarField& source,
                                         Foam::direction component) const {
  if (sweeps_ <= 0 || ranks_of(matrix_.mesh().comm()).size() == 1) {
    return solve_as_openfoam(psi, source, component);
  }
  const auto smoother = Foam::lduMatrix::smoother::New(
      fieldName_, matrix_, interfaceBouCoeffs_, interfaceIntCoeffs_, interfaces_, controlDict_);
  Foam::solverPerformance done(type(), fieldName_);
  Foam::scalar& share = share_left(fieldName_);
  Foam::scalarField before(psi.size());
  Swept swept(*this, psi, source, component);
  swept.begin();
  double norm = 0;
  for (bool is_first = true, is_ahead = true;; is_first = false) {
    if (is_ahead) {
      before = psi;
      swept.sweep(*smoother, sweeps_);
    }
    const std::span<const double> sums = swept.finish();
    if (is_first) {
      norm = sums[1] + Foam::solverPerformance::small_;
      done.initialResidual() = sums[0] / norm;
    } else if (done.finalResidual() > 0) {
      share = sums[0] / norm / done.finalResidual();
    }
    done.finalResidual() = sums[0] / norm;
    if (ends(done, is_first ? 0 : sweeps_)) {
      if (is_ahead) {
        psi = before; // the latest sweep was one too many
      }
      break;
    }
    if (!is_ahead) {
      swept.sweep(*smoother, sweeps_);
    }
    swept.begin_residual();
    is_ahead = !may_end(done, share);
  }
  report_reductions(swept.num_reductions());
  return done;
}

} // namespace isthmus::openfoam
