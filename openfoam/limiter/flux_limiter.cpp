// SPDX-License-Identifier: GPL-3.0-or-later
#include "flux_limiter.hpp"

#include "shared_faces.hpp"

#include "fvMesh.H"
#include "fvcSurfaceIntegrate.H"
#include "upwind.H"
#include "wedgeFvPatch.H"

#include <algorithm>

using Foam::label;
using Foam::scalar;
using Foam::scalarField;

namespace isthmus::openfoam {

namespace {

/// What a case says, in the dictionary of the solver of the field.
struct Controls {
  explicit Controls(const Foam::volScalarField& psi) {
    const Foam::dictionary& solver = psi.mesh().solverDict(psi.name());
    iterations = solver.get<label>("nLimiterIter");
    smooth = solver.getOrDefault<scalar>("smoothLimiter", 0);
    extrema = solver.getOrDefault<scalar>("extremaCoeff", 0);
    const auto border = solver.getOrDefault<scalar>("boundaryExtremaCoeff", extrema);
    more_at_border = std::max(border - extrema, scalar(0));
  }
  label iterations;
  scalar smooth;         // weight of the cell's own value in the extremes
  scalar extrema;        // share of most - least by which extremes may be exceeded
  scalar more_at_border; // the same, in addition
};

/// Per cell: of all fluxes that enter and that leave it.
struct BothWays {
  explicit BothWays(label cells) : in(cells, scalar(0)), out(cells, scalar(0)) {}
  /// A flux out of one cell into another.
  void add(scalar flux, label from, label to) {
    add_one_side(flux, from);
    (flux > 0 ? in[to] : out[to]) += std::abs(flux);
  }
  void add_one_side(scalar flux, label from) {
    (flux > 0 ? out[from] : in[from]) += std::abs(flux);
  }
  scalarField in, out;
};

class Limiter {
 public:
  Limiter(scalarField& limits, const Foam::volScalarField& psi,
          const Foam::surfaceScalarField& correction, Step& step)
      : limits_(limits),
        psi_(psi),
        correction_(correction),
        step_(step),
        mesh_(psi.mesh()),
        owner_(mesh_.owner()),
        neighbour_(mesh_.neighbour()),
        controls_(psi),
        total_(psi.size()),
        room_(psi.size()) {}

  void run() {
    find_extremes();
    find_room();
    find_total();
    SharedFaces shared(mesh_);
    shared.matter_where([this](label face) {
      const label patch = mesh_.boundaryMesh().whichPatch(face);
      const auto& fluxes = correction_.boundaryField()[patch];
      return fluxes[face - mesh_.boundaryMesh()[patch].start()] != 0;
    });
    for (label i = 0; i < controls_.iterations; ++i) {
      const BothWays shares = limit_cells();
      limit_faces(shares);
      shared.take_smaller(limits_);
    }
  }

 private:
  /// Values around each cell, widened as the case admits, in room_.
  void find_extremes() {
    room_.in = step_.least;
    room_.out = step_.most;
    const scalarField& own = psi_.primitiveField();
    forAll(owner_, face) {
      widen(owner_[face], own[neighbour_[face]]);
      widen(neighbour_[face], own[owner_[face]]);
    }
    forAll(psi_.boundaryField(), patch) {
      widen_at(psi_.boundaryField()[patch]);
    }
    const scalarField span(step_.most - step_.least);
    room_.in = Foam::min(room_.in + controls_.extrema * span, step_.most);
    room_.out = Foam::max(room_.out - controls_.extrema * span, step_.least);
    if (controls_.smooth > Foam::SMALL) {
      const scalar w = controls_.smooth;
      room_.in = Foam::min(w * own + (1 - w) * room_.in, step_.most);
      room_.out = Foam::max(w * own + (1 - w) * room_.out, step_.least);
    }
  }

  void widen(label cell, scalar value) {
    room_.in[cell] = std::max(room_.in[cell], value);
    room_.out[cell] = std::min(room_.out[cell], value);
  }

  void widen_at(const Foam::fvPatchScalarField& border) {
    const Foam::labelUList& cells = border.patch().faceCells();
    if (border.coupled()) {
      const scalarField there(border.patchNeighbourField());
      forAll(there, i) {
        widen(cells[i], there[i]);
      }
    } else if (border.fixesValue()) {
      forAll(border, i) {
        widen(cells[i], border[i]);
      }
    } else if (controls_.more_at_border > 0) {
      forAll(border, i) {
        const label cell = cells[i];
        const scalar more = controls_.more_at_border * (step_.most[cell] - step_.least[cell]);
        room_.in[cell] += more;
        room_.out[cell] -= more;
      }
    }
  }

  /// What may enter and leave each cell, volume by time, until it has its extremes.
  void find_room() {
    const scalarField beside = sum_beside();
    const auto& volumes = mesh_.Vsc();
    forAll(room_.in, c) {
      const scalar v = volumes()[c];
      room_.in[c] = v * (step_.rate[c] * room_.in[c] - step_.source[c] - step_.held[c]) + beside[c];
      room_.out[c] =
          v * (step_.source[c] - step_.rate[c] * room_.out[c] + step_.held[c]) - beside[c];
    }
  }

  [[nodiscard]] scalarField sum_beside() const {
    scalarField sum(psi_.size(), scalar(0));
    if (step_.beside == nullptr) {
      return sum;
    }
    forAll(owner_, face) {
      sum[owner_[face]] += (*step_.beside)[face];
      sum[neighbour_[face]] -= (*step_.beside)[face];
    }
    forAll(step_.beside->boundaryField(), patch) {
      const auto& border = step_.beside->boundaryField()[patch];
      forAll(border, i) {
        sum[border.patch().faceCells()[i]] += border[i];
      }
    }
    return sum;
  }

  void find_total() {
    forAll(owner_, face) {
      total_.add(correction_[face], owner_[face], neighbour_[face]);
    }
    forAll(correction_.boundaryField(), patch) {
      const auto& border = correction_.boundaryField()[patch];
      forAll(border, i) {
        total_.add_one_side(border[i], border.patch().faceCells()[i]);
      }
    }
  }

  /// The share of what would enter, and of what would leave, each cell if no more than the limits
  /// admit leaves and enters it.
  [[nodiscard]] BothWays limit_cells() const {
    BothWays sure(psi_.size());
    forAll(owner_, face) {
      sure.add(limits_[face] * correction_[face], owner_[face], neighbour_[face]);
    }
    forAll(correction_.boundaryField(), patch) {
      const auto& border = correction_.boundaryField()[patch];
      const label start = mesh_.boundaryMesh()[patch].start();
      forAll(border, i) {
        sure.add_one_side(limits_[start + i] * border[i], border.patch().faceCells()[i]);
      }
    }
    BothWays shares(psi_.size());
    forAll(shares.in, c) {
      shares.in[c] = share(sure.out[c] + room_.in[c], total_.in[c]);
      shares.out[c] = share(sure.in[c] + room_.out[c], total_.out[c]);
    }
    return shares;
  }

  static scalar share(scalar room, scalar wanted) {
    return std::clamp(room / (wanted + Foam::ROOTVSMALL), scalar(0), scalar(1));
  }

  void limit_faces(const BothWays& shares) {
    forAll(owner_, face) {
      const label owner = owner_[face];
      const label neighbour = neighbour_[face];
      const scalar limit = correction_[face] > 0
                               ? std::min(shares.out[owner], shares.in[neighbour])
                               : std::min(shares.in[owner], shares.out[neighbour]);
      limits_[face] = std::min(limits_[face], limit);
    }
    forAll(correction_.boundaryField(), patch) {
      limit_border(shares, patch);
    }
  }

  void limit_border(const BothWays& shares, label patch) {
    const auto& border = correction_.boundaryField()[patch];
    const label start = mesh_.boundaryMesh()[patch].start();
    const Foam::labelUList& cells = border.patch().faceCells();
    const bool is_coupled = psi_.boundaryField()[patch].coupled();
    if (Foam::isA<Foam::wedgeFvPatch>(border.patch())) {
      forAll(border, i) {
        limits_[start + i] = 0;
      }
      return;
    }
    forAll(border, i) {
      if (is_coupled || outflow(patch, i) > Foam::SMALL * Foam::SMALL) {
        const scalar limit = border[i] > 0 ? shares.out[cells[i]] : shares.in[cells[i]];
        limits_[start + i] = std::min(limits_[start + i], limit);
      }
    }
  }

  [[nodiscard]] scalar outflow(label patch, label i) const {
    return step_.beside == nullptr
               ? step_.flux->boundaryField()[patch][i]
               : step_.beside->boundaryField()[patch][i] + correction_.boundaryField()[patch][i];
  }

  scalarField& limits_;
  const Foam::volScalarField& psi_;
  const Foam::surfaceScalarField& correction_;
  const Step& step_;
  const Foam::fvMesh& mesh_;
  const Foam::labelUList& owner_; // of a face; the mesh looks for them in each call
  const Foam::labelUList& neighbour_;
  Controls controls_;
  BothWays total_; // of the whole correction
  BothWays room_;
};

} // namespace

void limit_correction(scalarField& limits, const Foam::volScalarField& psi,
                      const Foam::surfaceScalarField& correction, Step step) {
  Limiter(limits, psi, correction, step).run();
}

void advance(Foam::volScalarField& psi, const Step& step, const Foam::surfaceScalarField& flux) {
  scalarField out(psi.size(), scalar(0)); // per volume
  Foam::fvc::surfaceIntegrate(out, flux);
  psi.primitiveFieldRef() = (step.held + step.source - out) / step.rate;
  psi.correctBoundaryConditions();
}

Foam::surfaceScalarField upwind_flux(const Foam::surfaceScalarField& volume,
                                     const Foam::volScalarField& psi,
                                     const Foam::surfaceScalarField& flux) {
  Foam::surfaceScalarField result(Foam::upwind<scalar>(psi.mesh(), volume).flux(psi));
  auto& borders = result.boundaryFieldRef();
  forAll(borders, patch) {
    if (!borders[patch].coupled()) {
      borders[patch] = flux.boundaryField()[patch];
    }
  }
  return result;
}

void scale(Foam::surfaceScalarField& flux, const scalarField& limits) {
  scalarField& inner = flux.primitiveFieldRef();
  forAll(inner, face) {
    inner[face] *= limits[face];
  }
  auto& borders = flux.boundaryFieldRef();
  forAll(borders, patch) {
    const label start = flux.mesh().boundaryMesh()[patch].start();
    forAll(borders[patch], i) {
      borders[patch][i] *= limits[start + i];
    }
  }
}

} // namespace isthmus::openfoam
