// SPDX-License-Identifier: GPL-3.0-or-later
#include "gradients.hpp"

#include "iterations.hpp"
#include "program.hpp"
#include "rank_functions.hpp"

#include "isthmus/comm/comm.hpp"

#include "Pstream.H"
#include "PstreamReduceOps.H"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace isthmus::openfoam {

namespace {

/// Numbers of the kit as a field of OpenFOAM, without a copy.
class View {
 public:
  explicit View(std::span<const double> values) {
    auto* first = const_cast<double*>(values.data()); // who may write is said by const on the field
    list().shallowCopy(Foam::UList<Foam::scalar>(first, static_cast<Foam::label>(values.size())));
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  ~View() { list().shallowCopy(Foam::UList<Foam::scalar>()); } // else the field would free them

  [[nodiscard]] Foam::scalarField& field() { return field_; }

 private:
  [[nodiscard]] Foam::UList<Foam::scalar>& list() { return field_; }
  Foam::scalarField field_;
};

class Matrix final : public la::Operator {
 public:
  Matrix(const Foam::lduMatrix::solver& solver, Foam::direction component)
      : solver_(solver), component_(component), comm_(ranks_of(solver.matrix().mesh().comm())) {}

  [[nodiscard]] const comm::Comm& comm() const override { return comm_; }
  [[nodiscard]] LocalIndex num_rows() const override { return solver_.matrix().diag().size(); }

  void apply(std::span<const double> x, std::span<double> y, la::Overlap overlap) override {
    View from(x);
    View to(y);
    overlap.progress();
    solver_.matrix().Amul(to.field(), from.field(), solver_.interfaceBouCoeffs(),
                          solver_.interfaces(), component_);
    overlap.progress();
  }

  void apply_to_constant(double value, std::span<double> y) override { // nothing is sent
    View to(y);
    solver_.matrix().sumA(to.field(), solver_.interfaceBouCoeffs(), solver_.interfaces());
    to.field() *= value;
  }

 private:
  const Foam::lduMatrix::solver& solver_;
  Foam::direction component_;
  const comm::Comm& comm_;
};

class Preconditioner final : public la::Preconditioner {
 public:
  Preconditioner(const Foam::lduMatrix::solver& solver, const Foam::dictionary& controls,
                 Foam::direction component)
      : chosen_(Foam::lduMatrix::preconditioner::New(solver, controls)), component_(component) {
    if (Foam::lduMatrix::preconditioner::getName(controls) == "none") {
      Foam::scalar trace = Foam::sum(solver.matrix().diag());
      Foam::reduce(trace, Foam::sumOp<Foam::scalar>(), Foam::UPstream::msgType(),
                   solver.matrix().mesh().comm());
      is_negated_ = trace < 0;
    }
  }

  void apply(std::span<const double> r, std::span<double> z, la::Overlap overlap) override {
    View from(r);
    View to(z);
    overlap.progress();
    chosen_->precondition(to.field(), from.field(), component_);
    if (is_negated_) {
      to.field().negate();
    }
    overlap.progress();
  }

 private:
  Foam::autoPtr<Foam::lduMatrix::preconditioner> chosen_;
  Foam::direction component_;
  bool is_negated_ = false; // none stands for the inverse of a negative definite matrix
};

void fail_unless_usable(const la::Report& report, const Foam::word& field) {
  if (report.reason == la::Reason::indefinite || report.reason == la::Reason::not_finite) {
    FatalErrorInFunction << "the equation of " << field
                         << " cannot be solved by this form of conjugate gradients: it is "
                         << std::string(la::name(report.reason)).c_str() << " after "
                         << report.iterations << " iterations; try `solver PBiCGStab;` for "
                         << field << " in system/fvSolution" << Foam::exit(Foam::FatalError);
  }
}

/// Whether rounding errors have ended the recurrences of a method that its plain form, which has
/// fewer of them, goes on from.
bool is_lost(const la::Report& report) {
  return report.method != la::Method::cg && report.iterations > 0 &&
         (report.reason == la::Reason::indefinite || report.reason == la::Reason::broke_down);
}

/// With a preconditioner, where none is named: smoothers take the place of those.
Foam::dictionary with_preconditioner(const Foam::dictionary& controls,
                                     const Foam::lduMatrix& matrix) {
  Foam::dictionary result(controls);
  if (!controls.found("preconditioner")) {
    result.add("preconditioner", Foam::word(matrix.asymmetric() ? "DILU" : "DIC"));
  }
  return result;
}

/// The method that was measured to be the fastest at the first solution of this field: measuring
/// costs some iterations. The same on all ranks.
la::Method& fastest_of(const Foam::word& field) {
  static std::map<std::string, la::Method> known;
  return known.try_emplace(field, la::Method::automatic).first->second;
}

} // namespace

void Gradients::check(const Foam::lduMatrix& matrix) const {
  check_version();
  if (matrix.asymmetric() && !is_for_any_matrix()) {
    FatalIOErrorInFunction(controlDict_)
        << "the equation of " << fieldName_
        << " is not symmetric, and this solver is for symmetric ones; type "
        << "`solver mergedPBiCGStab;` or `solver PBiCGStab;` for " << fieldName_
        << " in system/fvSolution" << Foam::exit(Foam::FatalIOError);
  }
}

bool Gradients::brings_nothing() const {
  // multigrid is not the same linear map in each iteration: recurrences of products would be lost
  if (!is_for_any_matrix() && Foam::lduMatrix::preconditioner::getName(controlDict_) == "GAMG") {
    return true;
  }
  return ranks_of(matrix_.mesh().comm()).size() == 1 && form_ != Form::pipelined &&
         form_ != Form::repipelined;
}

Foam::solverPerformance Gradients::solve_as_openfoam(Foam::scalarField& psi,
                                                     const Foam::scalarField& source,
                                                     Foam::direction component) const {
  const bool smooths = is_for_any_matrix() && controlDict_.found("smoother") &&
                       !controlDict_.found("preconditioner"); // as smoothSolver was replaced
  Foam::dictionary controls(controlDict_);
  Foam::word by;
  if (smooths) {
    by = Foam::lduMatrix::smoother::getName(controls);
    controls.set("solver", Foam::word("smoothSolver"));
  } else {
    controls = with_preconditioner(controls, matrix_);
    by = Foam::lduMatrix::preconditioner::getName(controls);
    controls.set("solver", Foam::word(is_for_any_matrix() ? "PBiCGStab" : "PCG"));
  }
  const Foam::solverPerformance done =
      Foam::lduMatrix::solver::New(fieldName_, matrix_, interfaceBouCoeffs_, interfaceIntCoeffs_,
                                   interfaces_, controls)
          ->solve(psi, source, component);
  return {Foam::word(by + type()), fieldName_,       done.initialResidual(), done.finalResidual(),
          done.nIterations(),      done.converged(), done.singular()};
}

la::Method Gradients::method() const {
  switch (form_) {
    case Form::pipelined:
      return la::Method::cg_pipelined;
    case Form::repipelined:
      return la::Method::cg_repipelined;
    case Form::predicted:
      return la::Method::cg_predicted;
    case Form::automatic:
      return fastest_of(fieldName_);
    case Form::merged:
    case Form::deflated: // where there is nothing to deflate by
      return la::Method::cg_merged;
    case Form::single_bicgstab:
      return la::Method::bicgstab;
  }
  return la::Method::cg;
}

la::Report Gradients::iterate(la::Operator& matrix, la::Preconditioner& preconditioner,
                              std::span<const double> b, std::span<double> x,
                              const la::Settings& settings) const {
  if (form_ == Form::single_bicgstab) {
    la::Iteration iteration(matrix, preconditioner, b, x, settings, sums_of_single_bicgstab);
    run_single_bicgstab(iteration);
    return iteration.finish();
  }
  const auto functions =
      form_ == Form::deflated ? RankFunctions::make(*this, matrix.comm().raw()) : nullptr;
  if (functions == nullptr) {
    return la::solve(matrix, preconditioner, b, x, settings);
  }
  la::Iteration iteration(matrix, preconditioner, b, x, settings, functions->size() + 3);
  run_deflated_cg(iteration, *functions);
  return iteration.finish();
}

la::Settings Gradients::settings() const {
  la::Settings result;
  result.method = method();
  result.norm = la::Norm::openfoam;
  result.relative = tolerance_;
  result.limits.of_first = relTol_;
  result.limits.min_iterations = minIter_;
  result.max_iterations = maxIter_;
  result.limits.divergence = std::numeric_limits<double>::infinity();
  result.known.either_sign = true; // diffusion has a negative diagonal in OpenFOAM
  result.monitor.verified = false;
  return result;
}

Foam::solverPerformance Gradients::solve(Foam::scalarField& psi, const Foam::scalarField& source,
                                         Foam::direction component) const {
  if (brings_nothing()) {
    return solve_as_openfoam(psi, source, component);
  }
  Matrix matrix(*this, component);
  const Foam::dictionary controls =
      is_for_any_matrix() ? with_preconditioner(controlDict_, matrix_) : controlDict_;
  Preconditioner preconditioner(*this, controls, component);
  la::Settings settings = this->settings();
  const auto size = static_cast<std::size_t>(psi.size());
  const std::span<const double> b(source.cdata(), size);
  const std::span<double> x(psi.data(), size);
  la::Report report = iterate(matrix, preconditioner, b, x, settings);
  if (form_ == Form::automatic) {
    fastest_of(fieldName_) = report.method;
  }
  const double first = report.residuals.front();
  if (is_lost(report)) {
    const la::Report before = report;
    if (Foam::lduMatrix::debug >= 2) {
      Foam::Info << type() << ":  " << fieldName_ << " goes on by plain gradients after "
                 << before.iterations << " iterations, at " << before.residual << Foam::endl;
    }
    settings.method = is_for_any_matrix() ? la::Method::bicgstab : la::Method::cg;
    settings.relative = std::max(tolerance_, relTol_ * first);
    settings.limits.of_first = 0;
    settings.limits.min_iterations = 0;
    settings.max_iterations -= before.iterations;
    report = la::solve(matrix, preconditioner, b, x, settings);
    report.iterations += before.iterations;
    report.reductions += before.reductions;
  }
  fail_unless_usable(report, fieldName_);
  report_reductions(report.reductions);
  const Foam::word name(Foam::lduMatrix::preconditioner::getName(controls) + type());
  return {name, fieldName_, first, report.residual, report.iterations, report.is_converged()};
}

} // namespace isthmus::openfoam
