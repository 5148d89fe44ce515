// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/address.hpp"

#include "isthmus/base/host.hpp"

#include <mpi.h>
#include <unistd.h>

#include <cstdlib>

namespace isthmus::connect {

namespace {

// Of OpenMPI 4 and 5, PRRTE and Slurm with PMIx. A name that two jobs shared would let them wait
// for each other inside MPI, so nothing is guessed.
std::string mpi_job() {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized == 0 || finalized != 0) { // started by mpirun, but by itself
    return {};
  }
  for (const char* variable : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"}) {
    if (const char* job = std::getenv(variable)) {
      return job;
    }
  }
  return {};
}

} // namespace

void put(Writer& writer, const Address& address) {
  writer.put_text(address.ip).put(address.port).put_text(address.host).put_text(address.host_id);
  writer.put_text(address.process_space).put(address.pid).put(address.started);
  writer.put_text(address.job);
}

Address get_address(Reader& reader) {
  Address address;
  address.ip = reader.get_text();
  address.port = reader.get<std::uint16_t>();
  address.host = reader.get_text();
  address.host_id = reader.get_text();
  address.process_space = reader.get_text();
  address.pid = reader.get<int>();
  address.started = reader.get<std::uint64_t>();
  address.job = reader.get_text();
  return address;
}

Address own_address() {
  Address address;
  address.host = host_name();
  address.host_id = host_id();
  address.process_space = process_space();
  address.pid = getpid();
  address.started = start_time(address.pid);
  address.job = mpi_job();
  return address;
}

} // namespace isthmus::connect
