// SPDX-License-Identifier: GPL-3.0-or-later
// The names that fvSolution may give as `solver`. They are known for asymmetric matrices, too, to
// say there what to take instead.
#include "gradients.hpp"

#include "addToRunTimeSelectionTable.H"

#define ISTHMUS_SOLVER(NAME, METHOD)                                                          \
  namespace Foam {                                                                            \
  class NAME final : public isthmus::openfoam::Gradients {                                    \
   public:                                                                                    \
    TypeName(#NAME);                                                                          \
    NAME(const word& field, const lduMatrix& matrix, const FieldField<Field, scalar>& outer,  \
         const FieldField<Field, scalar>& inner, const lduInterfaceFieldPtrsList& interfaces, \
         const dictionary& controls)                                                          \
        : Gradients(isthmus::la::Method::METHOD, field, matrix, outer, inner, interfaces,     \
                    controls) {}                                                              \
  };                                                                                          \
  defineTypeNameAndDebug(NAME, 0);                                                            \
  lduMatrix::solver::addsymMatrixConstructorToTable<NAME> add##NAME##ToSymMatrixTable;        \
  lduMatrix::solver::addasymMatrixConstructorToTable<NAME> add##NAME##ToAsymMatrixTable;      \
  }

ISTHMUS_SOLVER(PiPePCG, cg_pipelined)
ISTHMUS_SOLVER(RePiPePCG, cg_repipelined)
ISTHMUS_SOLVER(mergedPCG, cg_merged)
ISTHMUS_SOLVER(predictedPCG, cg_predicted)
ISTHMUS_SOLVER(automaticPCG, automatic)
