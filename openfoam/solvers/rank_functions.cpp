// SPDX-License-Identifier: GPL-3.0-or-later
#include "rank_functions.hpp"

#include "isthmus/la/vector.hpp"

#include "MeshObject.H"
#include "polyMesh.H"
#include "processorLduInterface.H"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace isthmus::openfoam {

namespace {

constexpr std::size_t most_unknowns = 512; // of the small system, which each rank factorizes

const Foam::processorLduInterface* between_ranks(const Foam::lduInterfaceField& field) {
  return dynamic_cast<const Foam::processorLduInterface*>(&field.interface());
}

/// A coordinate of all cells, from -1 to 1; zeros where the cells have no such direction.
std::vector<double> coordinate(const Foam::vectorField& centres, Foam::direction direction,
                               double longest) {
  std::vector<double> values;
  for (const Foam::vector& centre : centres) {
    values.push_back(centre[direction]);
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double middle = values.empty() ? 0 : (*least + *most) / 2;
  const double half = values.empty() ? 0 : (*most - *least) / 2;
  for (double& value : values) {
    value = half > 1e-6 * longest ? (value - middle) / half : 0;
  }
  return values;
}

/// Makes vectors orthonormal, one after the other; those that have nothing new are zero then.
void orthonormalize(std::span<double> vectors, std::size_t length) {
  for (std::size_t k = 0; length > 0 && k < vectors.size(); k += length) {
    const auto v = vectors.subspan(k, length);
    const double before = std::sqrt(la::local_dot(v, v));
    for (int twice = 0; twice < 2; ++twice) {
      for (std::size_t j = 0; j < k; j += length) {
        const auto other = vectors.subspan(j, length);
        const double part = la::local_dot(v, other);
        std::transform(v.begin(), v.end(), other.begin(), v.begin(),
                       [part](double a, double b) { return a - part * b; });
      }
    }
    const double after = std::sqrt(la::local_dot(v, v));
    const double scale = after > 1e-6 * before ? 1 / after : 0;
    for (double& value : v) {
      value *= scale;
    }
  }
}

/// A constant and, of four functions, the coordinates.
std::vector<double> functions_of(const Foam::vectorField& centres, std::size_t number) {
  const auto cells = static_cast<std::size_t>(centres.size());
  const double longest = cells == 0 ? 0 : Foam::mag(Foam::max(centres) - Foam::min(centres)) / 2;
  std::vector<double> values(cells, 1);
  for (std::size_t k = 1; k < number; ++k) {
    const auto of_cells = coordinate(centres, static_cast<Foam::direction>(k - 1), longest);
    values.insert(values.end(), of_cells.begin(), of_cells.end());
  }
  orthonormalize(values, cells);
  return values;
}

/// Each rank sends its functions in the cells at its sides, once for a mesh that stays.
void exchange_sides(RankBasis& basis, const Foam::lduInterfaceFieldPtrsList& interfaces,
                    std::size_t cells, MPI_Comm comm) {
  std::vector<std::vector<double>> outgoing;
  std::vector<MPI_Request> requests;
  outgoing.reserve(basis.sides.size());
  for (RankBasis::Side& side : basis.sides) {
    const Foam::lduInterfaceField& field = interfaces[side.interface];
    const Foam::labelUList& at = field.interface().faceCells();
    const int tag = between_ranks(field)->tag();
    std::vector<double>& out = outgoing.emplace_back();
    for (std::size_t k = 0; k < basis.num_functions; ++k) {
      for (const Foam::label cell : at) {
        out.push_back(basis.own[k * cells + static_cast<std::size_t>(cell)]);
      }
    }
    side.theirs.resize(out.size());
    const auto count = static_cast<int>(out.size());
    MPI_Irecv(side.theirs.data(), count, MPI_DOUBLE, side.rank, tag, comm,
              &requests.emplace_back());
    MPI_Isend(out.data(), count, MPI_DOUBLE, side.rank, tag, comm, &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

/// A bit for each function that is not zero in all cells.
int functions_that_are(std::span<const double> own, std::size_t number) {
  int bits = 0;
  const std::size_t cells = own.size() / number;
  for (std::size_t k = 0; k < number; ++k) {
    const auto of_cells = own.subspan(k * cells, cells);
    if (std::any_of(of_cells.begin(), of_cells.end(), [](double value) { return value != 0; })) {
      bits |= 1 << k;
    }
  }
  return bits;
}

/// Nothing on all ranks, if an interface of one is of another kind.
void make_basis(RankBasis& basis, const Foam::lduMatrix::solver& solver, const Foam::polyMesh& mesh,
                MPI_Comm comm) {
  basis = {};
  MPI_Comm_rank(comm, &basis.rank);
  MPI_Comm_size(comm, &basis.num_ranks);
  std::array<int, 2> most{0, 0}; // sides, unfit interfaces
  forAll(solver.interfaces(), i) {
    if (!solver.interfaces().set(i)) {
      continue;
    }
    if (const auto* to = between_ranks(solver.interfaces()[i])) {
      basis.sides.push_back({i, to->neighbProcNo(), {}});
    } else {
      most[1] = 1;
    }
  }
  most[0] = static_cast<int>(basis.sides.size());
  MPI_Allreduce(MPI_IN_PLACE, most.data(), 2, MPI_INT, MPI_MAX, comm);
  const auto ranks = static_cast<std::size_t>(basis.num_ranks);
  if (most[1] != 0 || ranks > most_unknowns) {
    return;
  }
  const auto num_sides = static_cast<std::size_t>(most[0]);
  basis.num_functions = 4 * ranks <= most_unknowns ? 4 : 1;
  basis.own = functions_of(mesh.cellCentres(), basis.num_functions);
  std::vector<int> about(num_sides + 1, -1);
  std::transform(basis.sides.begin(), basis.sides.end(), about.begin(),
                 [](const RankBasis::Side& side) { return side.rank; });
  about.back() = functions_that_are(basis.own, basis.num_functions);
  std::vector<int> of_all(ranks * about.size());
  const auto count = static_cast<int>(about.size());
  MPI_Allgather(about.data(), count, MPI_INT, of_all.data(), count, MPI_INT, comm);
  basis.pattern = SmallPattern(basis.num_functions, num_sides, std::move(of_all));
  exchange_sides(basis, solver.interfaces(), static_cast<std::size_t>(mesh.nCells()), comm);
}

/// Made at the first matrix of a mesh, and gone when the mesh changes.
class StoredBasis
    : public Foam::MeshObject<Foam::polyMesh, Foam::GeometricMeshObject, StoredBasis> {
 public:
  static const Foam::word typeName;
  StoredBasis(const Foam::polyMesh& mesh, const Foam::lduMatrix::solver& solver, MPI_Comm comm)
      : MeshObject(mesh) {
    make_basis(basis, solver, mesh, comm);
  }

  RankBasis basis;
};
const Foam::word StoredBasis::typeName("isthmusRankBasis");

const RankBasis* basis_for(const Foam::lduMatrix::solver& solver, MPI_Comm comm) {
  const auto* mesh = dynamic_cast<const Foam::polyMesh*>(&solver.matrix().mesh());
  if (mesh == nullptr) {
    return nullptr;
  }
  const RankBasis& basis = StoredBasis::New(*mesh, solver, comm).basis;
  return basis.num_functions > 0 ? &basis : nullptr;
}

} // namespace

std::unique_ptr<RankFunctions> RankFunctions::make(const Foam::lduMatrix::solver& solver,
                                                   MPI_Comm comm) {
  const RankBasis* const basis = basis_for(solver, comm);
  return std::unique_ptr<RankFunctions>(basis == nullptr ? nullptr
                                                         : new RankFunctions(*basis, solver, comm));
}

RankFunctions::RankFunctions(const RankBasis& basis, const Foam::lduMatrix::solver& solver,
                             MPI_Comm comm)
    : basis_(basis), solver_(solver) {
  multiply_own(solver.matrix());
  factorize(comm);
}

std::size_t RankFunctions::size() const {
  return static_cast<std::size_t>(basis_.num_ranks) * basis_.num_functions;
}

void RankFunctions::multiply_own(const Foam::lduMatrix& matrix) {
  const auto cells = static_cast<std::size_t>(matrix.diag().size());
  products_.assign(cells * basis_.num_functions, 0);
  const Foam::labelUList& lower = matrix.lduAddr().lowerAddr();
  const Foam::labelUList& upper = matrix.lduAddr().upperAddr();
  for (std::size_t k = 0; k < basis_.num_functions; ++k) {
    const double* from = basis_.own.data() + k * cells;
    double* to = products_.data() + k * cells;
    forAll(matrix.diag(), c) {
      to[c] = matrix.diag()[c] * from[c];
    }
    if (!matrix.hasUpper()) {
      continue;
    }
    forAll(matrix.upper(), f) {
      to[lower[f]] += matrix.upper()[f] * from[upper[f]];
      to[upper[f]] += matrix.upper()[f] * from[lower[f]];
    }
  }
}

void RankFunctions::add_side(std::size_t side, const double* factors, std::span<double> to) const {
  const RankBasis::Side& at = basis_.sides[side];
  const Foam::labelUList& cells = solver_.interfaces()[at.interface].interface().faceCells();
  const Foam::scalarField& coefficients = solver_.interfaceBouCoeffs()[at.interface];
  const auto faces = static_cast<std::size_t>(cells.size());
  for (std::size_t f = 0; f < faces; ++f) {
    double there = 0;
    for (std::size_t k = 0; k < basis_.num_functions; ++k) {
      there += factors[k] * at.theirs[k * faces + f];
    }
    const auto face = static_cast<Foam::label>(f);
    to[static_cast<std::size_t>(cells[face])] -= coefficients[face] * there;
  }
}

std::vector<double> RankFunctions::rows() const {
  const std::size_t n = basis_.num_functions;
  const std::size_t cells = products_.size() / n;
  std::vector<double> result((basis_.pattern.num_sides + 1) * n * n, 0);
  std::vector<double> product(cells);
  for (std::size_t k = 0; k < n; ++k) {
    project_own(std::span(products_).subspan(k * cells, cells),
                std::span(result).subspan(k * n, n));
    std::vector<double> unit(n, 0);
    unit[k] = 1;
    for (std::size_t side = 0; side < basis_.sides.size(); ++side) {
      std::fill(product.begin(), product.end(), 0);
      add_side(side, unit.data(), product);
      project_own(product, std::span(result).subspan(((side + 1) * n + k) * n, n));
    }
  }
  return result;
}

void RankFunctions::factorize(MPI_Comm comm) {
  const std::vector<double> mine = rows();
  std::vector<double> all(mine.size() * static_cast<std::size_t>(basis_.num_ranks));
  const auto count = static_cast<int>(mine.size());
  MPI_Allgather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, comm);
  small_ = SmallSystem(basis_.pattern, all);
}

void RankFunctions::project(std::span<const double> v, std::span<double> parts) const {
  const std::size_t n = basis_.num_functions;
  project_own(v, parts.subspan(static_cast<std::size_t>(basis_.rank) * n, n));
}

void RankFunctions::project_own(std::span<const double> v, std::span<double> parts) const {
  for (std::size_t k = 0; k < basis_.num_functions; ++k) {
    const double* own = basis_.own.data() + k * v.size();
    parts[k] += std::inner_product(v.begin(), v.end(), own, 0.0);
  }
}

double RankFunctions::combine(std::span<const double> products, std::span<double> combination,
                              std::span<double> multiplied) const {
  std::vector<double> factors(products.begin(), products.end());
  small_.solve(factors);
  const std::size_t n = basis_.num_functions;
  const std::size_t cells = combination.size();
  const double* own = factors.data() + static_cast<std::size_t>(basis_.rank) * n;
  std::fill(combination.begin(), combination.end(), 0);
  std::fill(multiplied.begin(), multiplied.end(), 0);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t c = 0; c < cells; ++c) {
      combination[c] += own[k] * basis_.own[k * cells + c];
      multiplied[c] += own[k] * products_[k * cells + c];
    }
  }
  for (std::size_t side = 0; side < basis_.sides.size(); ++side) {
    add_side(side, factors.data() + static_cast<std::size_t>(basis_.sides[side].rank) * n,
             multiplied);
  }
  return std::inner_product(products.begin(), products.end(), factors.begin(), 0.0);
}

} // namespace isthmus::openfoam
