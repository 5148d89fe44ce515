// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/collective.hpp"

#include <mpi.h>

namespace isthmus::comm {

/// A type of so many numbers and an operation on values of this type, as reductions of MPI take
/// them; both are freed with it. Local.
class MpiOperation {
 public:
  MpiOperation(int count, MPI_Datatype of, MPI_User_function* combine) {
    check_mpi(MPI_Type_contiguous(count, of, &type_), "MPI_Type_contiguous");
    check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
    check_mpi(MPI_Op_create(combine, 1, &op_), "MPI_Op_create");
  }
  ~MpiOperation() {
    MPI_Op_free(&op_);
    MPI_Type_free(&type_);
  }
  MpiOperation(const MpiOperation&) = delete;
  MpiOperation& operator=(const MpiOperation&) = delete;

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] MPI_Op op() const { return op_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
};

} // namespace isthmus::comm
