// SPDX-License-Identifier: BSD-3-Clause
// Records what a rank asks of MPI and how long it computes between, for bench_calls to replay.
//
//   LD_PRELOAD=libmpi_record.so MPI_RECORD=calls mpirun -n 4 PROGRAM      writes calls.0, calls.1,
//   …
//
// A line for each call: microseconds of the processor since the last call, a letter, numbers. Time
// in MPI is no work, nor is that of other processes. What is sent on a communicator that is called
// "isthmus" belongs to sums of libisthmusSolvers.so: recorded are their begin and their end. A step
// of OpenFOAM's time is a line of its own (t), as are begin and end of each solution by conjugate
// gradients (b, f), also of a program that runs on one rank without MPI. Nothing of the program is
// changed; but ranks that wait sleep, so that many can be recorded on few cores.
#include <dlfcn.h>
#include <mpi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>

namespace {

std::FILE* file = nullptr;
double last_end = 0; // processor time
std::unordered_map<MPI_Comm, int> comms{{MPI_COMM_WORLD, 0}};
std::unordered_map<MPI_Request, int> requests;
int num_requests = 0;
bool sum_under_way = false;
const MPI_Request* sum_sends = nullptr; // the last of its sends so far
int calls_under_way = 0;                // of MPI; none: the program works
thread_local int looks_in_vain = 0;     // since the last line

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

/// Begins a line.
void begin(char letter) {
  const double now = processor_time();
  std::fprintf(file, "%.2f %c", now - last_end, letter);
  looks_in_vain = 0;
}

template <typename... Numbers>
void line(char letter, Numbers... numbers) {
  if (file != nullptr) {
    begin(letter);
    (std::fprintf(file, " %ld", static_cast<long>(numbers)), ...);
    std::fputc('\n', file);
  }
}

template <typename Call>
int made_by_mpi(const Call& call) {
  ++calls_under_way;
  const int status = call();
  --calls_under_way;
  return status;
}

/// Makes a call of MPI, whose time is no work.
template <typename Call>
int passed(const Call& call) {
  const int status = made_by_mpi(call);
  last_end = processor_time();
  return status;
}

long bytes_of(long count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return count * size;
}

int number_of(MPI_Comm comm) {
  const auto found = comms.find(comm);
  return found == comms.end() ? -1 : found->second;
}

bool is_of_sums(MPI_Comm comm) {
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  PMPI_Comm_get_name(comm, name.data(), &length);
  return std::strcmp(name.data(), "isthmus") == 0;
}

void open_file() {
  const char* prefix = std::getenv("MPI_RECORD");
  if (prefix != nullptr) {
    int rank = 0;
    int has_begun = 0;
    PMPI_Initialized(&has_begun);
    if (has_begun != 0) {
      PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    file = std::fopen((std::string(prefix) + "." + std::to_string(rank)).c_str(), "w");
  }
  last_end = processor_time();
}

/// Gives a new communicator its number.
int made(int status, MPI_Comm comm) {
  const int number = static_cast<int>(comms.size());
  comms.emplace(comm, number);
  return status;
}

/// Waits or tests; a line where something has come to an end.
template <typename Call>
int ended(int count, const MPI_Request* open, const Call& call) {
  std::array<MPI_Request, 1024> before;
  const auto number = std::min(static_cast<std::size_t>(count), before.size());
  std::copy_n(open, number, before.begin());
  const double start = processor_time();
  const int status = made_by_mpi(call);
  bool is_new = true;
  for (std::size_t i = 0; i < number && file != nullptr; ++i) {
    const auto found = requests.find(before[i]);
    if (before[i] != MPI_REQUEST_NULL && open[i] == MPI_REQUEST_NULL && found != requests.end()) {
      if (is_new) {
        std::fprintf(file, "%.2f w", start - last_end);
        is_new = false;
      }
      std::fprintf(file, " %d", found->second);
      requests.erase(found);
    }
  }
  if (!is_new) {
    std::fputc('\n', file);
    last_end = processor_time();
    looks_in_vain = 0;
  } else if (sum_under_way && open <= sum_sends && sum_sends < open + count) {
    // a sum waits for what it has sent at its end
    sum_under_way = false;
    if (file != nullptr) {
      std::fprintf(file, "%.2f F\n", start - last_end);
    }
    last_end = processor_time();
  } else {
    last_end += processor_time() - start; // a look in vain
  }
  return status;
}

/// A message that is sent (letter i) or awaited (j) while the program goes on: a line and a number
/// of its request; of a sum only its begin is written.
template <typename Call>
int begun(char letter, std::array<int, 2> peer_and_tag, MPI_Comm comm, long bytes,
          const MPI_Request* request, const Call& call) {
  if (is_of_sums(comm)) {
    if (!sum_under_way) {
      sum_under_way = true;
      sum_sends = nullptr; // that of the sum before may be where this one receives
      line('S', bytes / static_cast<long>(sizeof(double)));
      last_end = processor_time();
    }
    sum_sends = letter == 'i' ? request : sum_sends;
    const double start = processor_time();
    const int status = made_by_mpi(call);
    requests.erase(
        *request); // MPI may give the same handle again, also of a message whose end went by
    last_end += processor_time() - start; // what was computed since the last line is not over
    return status;
  }
  line(letter, peer_and_tag[0], peer_and_tag[1], number_of(comm), bytes, num_requests);
  const int status = passed(call);
  requests[*request] = num_requests++;
  return status;
}

/// A line without a call; of a program on one rank, which starts no MPI, the first one.
void mark(char letter) {
  int has_begun = 0;
  PMPI_Initialized(&has_begun);
  if (file == nullptr && has_begun == 0) {
    open_file();
  }
  line(letter);
  last_end = processor_time();
}

int solutions_under_way = 0; // the preconditioner of one may have its own

/// Of gradients; `result` is where it returns what it returns.
using Solve = void* (*)(void* result, const void* solver, void* x, const void* b, unsigned char);

void* solved(const char* name, void* result, const void* solver, void* x, const void* b,
             unsigned char component) {
  const auto original = reinterpret_cast<Solve>(dlsym(RTLD_NEXT, name));
  if (++solutions_under_way == 1) {
    mark('b');
  }
  original(result, solver, x, b, component);
  if (--solutions_under_way == 0) {
    mark('f');
  }
  return result;
}

} // namespace

extern "C" {

/// Foam::PCG::solve()
void* _ZNK4Foam3PCG5solveERNS_5FieldIdEERKS2_h(void* result, const void* solver, void* x,
                                               const void* b, unsigned char component) {
  return solved(__func__, result, solver, x, b, component);
}

/// isthmus::openfoam::Gradients::solve()
void* _ZNK7isthmus8openfoam9Gradients5solveERN4Foam5FieldIdEERKS4_h(void* result,
                                                                    const void* solver, void* x,
                                                                    const void* b,
                                                                    unsigned char component) {
  return solved(__func__, result, solver, x, b, component);
}

/// Between looks for what has not come yet, MPI and libPstream.so let other processes run, each for
/// a moment only: on two cores hundreds of ranks would look in turns and hardly come to work. After
/// some looks a rank sleeps instead, the longer the more it has looked.
int sched_yield() noexcept {
  constexpr int looks_awake = 4;
  constexpr int most_doublings = 7;
  constexpr long shortest = 10'000; // nanoseconds
  const double start = processor_time();
  int status = 0;
  if (file == nullptr || ++looks_in_vain <= looks_awake) {
    status = static_cast<int>(syscall(SYS_sched_yield));
  } else {
    const timespec pause{0, shortest << std::min(looks_in_vain - looks_awake, most_doublings)};
    nanosleep(&pause, nullptr);
  }
  if (calls_under_way == 0) {
    last_end += processor_time() - start;
  }
  return status;
}

/// libPstream.so gathers values of all ranks in memory that they share; on several hosts it calls
/// MPI_Allgather() for that, which is what is recorded.
void isthmus_gather_begins(std::int64_t bytes) {
  line('G', number_of(MPI_COMM_WORLD), bytes);
  ++calls_under_way;
}

void isthmus_gather_ends() {
  --calls_under_way;
  last_end = processor_time();
}

int MPI_Init(int* argc, char*** argv) {
  const int status = PMPI_Init(argc, argv);
  open_file();
  return status;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int status = PMPI_Init_thread(argc, argv, required, provided);
  open_file();
  return status;
}

int MPI_Finalize() {
  line('e');
  if (file != nullptr) {
    std::fclose(file);
    file = nullptr;
  }
  return PMPI_Finalize();
}

/// Foam::Time::operator++()
void* _ZN4Foam4TimeppEv(void* time) {
  using Original = void* (*)(void*);
  static const auto original = reinterpret_cast<Original>(dlsym(RTLD_NEXT, "_ZN4Foam4TimeppEv"));
  mark('t');
  return original(time);
}

int MPI_Comm_dup(MPI_Comm parent, MPI_Comm* comm) {
  const int status = PMPI_Comm_dup(parent, comm);
  return made(status, *comm);
}

int MPI_Comm_create_group(MPI_Comm parent, MPI_Group group, int tag, MPI_Comm* comm) {
  const int status = PMPI_Comm_create_group(parent, group, tag, comm);
  return made(status, *comm);
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  line('s', to, tag, number_of(comm), bytes_of(count, type));
  return passed([=] { return PMPI_Send(buffer, count, type, to, tag, comm); });
}

int MPI_Bsend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  line('s', to, tag, number_of(comm), bytes_of(count, type));
  return passed([=] { return PMPI_Bsend(buffer, count, type, to, tag, comm); });
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return begun('i', {to, tag}, comm, bytes_of(count, type), request,
               [=] { return PMPI_Isend(buffer, count, type, to, tag, comm, request); });
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  const double work = processor_time() - last_end;
  MPI_Status own;
  const int code =
      made_by_mpi([&] { return PMPI_Recv(buffer, count, type, from, tag, comm, &own); });
  int bytes = 0;
  PMPI_Get_count(&own, MPI_BYTE, &bytes);
  if (file != nullptr) {
    std::fprintf(file, "%.2f r %d %d %d %d\n", work, own.MPI_SOURCE, own.MPI_TAG, number_of(comm),
                 bytes);
  }
  if (status != MPI_STATUS_IGNORE) {
    *status = own;
  }
  last_end = processor_time();
  looks_in_vain = 0;
  return code;
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return begun('j', {from, tag}, comm, bytes_of(count, type), request,
               [=] { return PMPI_Irecv(buffer, count, type, from, tag, comm, request); });
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const double start = processor_time();
  const int code = // its message is received then
      made_by_mpi([=] { return PMPI_Probe(from, tag, comm, status); });
  last_end += processor_time() - start;
  return code;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* there, MPI_Status* status) {
  const double start = processor_time();
  const int code = made_by_mpi([=] { return PMPI_Iprobe(from, tag, comm, there, status); });
  last_end += processor_time() - start;
  return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return ended(1, request, [=] { return PMPI_Wait(request, status); });
}

int MPI_Waitall(int count, MPI_Request* open, MPI_Status* statuses) {
  return ended(count, open, [=] { return PMPI_Waitall(count, open, statuses); });
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  return ended(1, request, [=] { return PMPI_Test(request, done, status); });
}

int MPI_Testall(int count, MPI_Request* open, int* done, MPI_Status* statuses) {
  return ended(count, open, [=] { return PMPI_Testall(count, open, done, statuses); });
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  line('A', number_of(comm), bytes_of(count, type));
  return passed([=] { return PMPI_Allreduce(in, out, count, type, op, comm); });
}

int MPI_Alltoall(const void* in, int sent, MPI_Datatype type, void* out, int received,
                 MPI_Datatype type_out, MPI_Comm comm) {
  line('L', number_of(comm), bytes_of(sent, type));
  return passed([=] { return PMPI_Alltoall(in, sent, type, out, received, type_out, comm); });
}

int MPI_Allgather(const void* in, int sent, MPI_Datatype type, void* out, int received,
                  MPI_Datatype type_out, MPI_Comm comm) {
  line('G', number_of(comm), bytes_of(sent, type));
  return passed([=] { return PMPI_Allgather(in, sent, type, out, received, type_out, comm); });
}

} // extern "C"
