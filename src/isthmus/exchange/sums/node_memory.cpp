// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/sums/node_memory.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

namespace isthmus::exchange {

namespace {

constexpr std::size_t line = 64; // bytes in front of the slots: a counter has its own cache line

/// Slots end where a cache line does.
std::size_t rounded(std::size_t values) {
  constexpr std::size_t step = line / 2 / sizeof(double);
  return (values + step - 1) / step * step;
}

/// Whether this process may open what another one of this computer has opened.
bool reaches(int process) {
  std::array<char, 1> start{};
  return ::readlink(fmt::format("/proc/{}/exe", process).c_str(), start.data(), start.size()) > 0;
}

std::vector<int> find_ranks_here(const comm::Comm& comm) {
  if (comm.size() == 1) {
    return {0};
  }
  MPI_Comm node = MPI_COMM_NULL;
  comm::check_mpi(
      MPI_Comm_split_type(comm.raw(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &node),
      "MPI_Comm_split_type");
  int size = 0;
  MPI_Comm_size(node, &size);
  std::vector<std::array<int, 2>> ranks(static_cast<std::size_t>(size)); // and their processes
  const std::array<int, 2> own{comm.rank(), ::getpid()};
  comm::check_mpi(MPI_Allgather(own.data(), 2, MPI_INT, ranks.data(), 2, MPI_INT, node),
                  "MPI_Allgather");
  int all_reach = reaches(ranks.front()[1]) ? 1 : 0;
  comm::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &all_reach, 1, MPI_INT, MPI_MIN, node),
                  "MPI_Allreduce");
  MPI_Comm_free(&node);
  if (all_reach == 0) {
    return {comm.rank()};
  }
  std::vector<int> here;
  for (const auto& [rank, process] : ranks) {
    here.push_back(rank);
  }
  return here;
}

/// What the first rank of a computer sends the others of the memory that it has made: its process,
/// its descriptor of the file (or minus the error), and where the memory of each begins and ends.
struct Note {
  explicit Note(std::size_t num_ranks) : words(num_ranks + 3) {}

  [[nodiscard]] int process() const { return static_cast<int>(words[0]); }
  [[nodiscard]] int file() const { return static_cast<int>(words[1]); }
  [[nodiscard]] std::span<std::uint64_t> begins() { return std::span(words).subspan(2); }

  std::vector<std::uint64_t> words;
};

MPI_Request send(const comm::Comm& comm, std::span<const std::uint64_t> words, int rank) {
  MPI_Request request = MPI_REQUEST_NULL;
  comm::check_mpi(MPI_Isend(words.data(), static_cast<int>(words.size()), MPI_UINT64_T, rank,
                            comm::tag_memory, comm.raw(), &request),
                  "MPI_Isend");
  return request;
}

MPI_Request receive(const comm::Comm& comm, std::span<std::uint64_t> words, int rank) {
  MPI_Request request = MPI_REQUEST_NULL;
  comm::check_mpi(MPI_Irecv(words.data(), static_cast<int>(words.size()), MPI_UINT64_T, rank,
                            comm::tag_memory, comm.raw(), &request),
                  "MPI_Irecv");
  return request;
}

/// A file in memory without a name, so that nothing is left of it. Minus the error if there is
/// none.
int make_file(std::uint64_t bytes) {
  const int file = ::memfd_create("isthmus-sums", MFD_CLOEXEC);
  if (file >= 0 && ::ftruncate(file, static_cast<off_t>(bytes)) == 0) {
    return file;
  }
  const int error = errno;
  if (file >= 0) {
    ::close(file);
  }
  return -error;
}

/// Of the first rank: asks the others how much they need, and makes it.
void offer(const comm::Comm& comm, std::span<const int> here, std::uint64_t bytes, Note& note) {
  const std::span<std::uint64_t> begins = note.begins();
  begins[1] = bytes;
  std::vector<MPI_Request> requests;
  for (std::size_t i = 1; i < here.size(); ++i) {
    requests.push_back(receive(comm, begins.subspan(i + 1, 1), here[i]));
  }
  comm::await(comm, requests);
  for (std::size_t i = 1; i < here.size(); ++i) {
    begins[i + 1] += begins[i];
  }
  note.words[0] = static_cast<std::uint64_t>(::getpid());
  note.words[1] = static_cast<std::uint64_t>(make_file(begins.back()));
  requests.clear();
  for (const int rank : here.subspan(1)) {
    requests.push_back(send(comm, note.words, rank));
  }
  comm::await(comm, requests);
}

void ask(const comm::Comm& comm, int first, std::uint64_t bytes, Note& note) {
  std::array requests{send(comm, {&bytes, 1}, first), receive(comm, note.words, first)};
  comm::await(comm, requests);
}

} // namespace

const std::vector<int>& ranks_here(const comm::Comm& comm) {
  std::vector<int>& here = comm.ranks_here();
  if (here.empty()) {
    here = find_ranks_here(comm);
  }
  return here;
}

bool is_one_computer(const comm::Comm& comm) {
  return ranks_here(comm).size() == static_cast<std::size_t>(comm.size());
}

NodeMemory::NodeMemory(const comm::Comm& comm, std::size_t values)
    : comm_(comm),
      here_(ranks_here(comm)),
      spin_(comm::SpinPolicy::for_processes(static_cast<int>(here_.size()))),
      own_(local_rank(comm.rank())) {
  const std::uint64_t bytes = line + 2 * rounded(values) * sizeof(double);
  Note note(here_.size());
  if (own_ == 0) {
    offer(comm, here_, bytes, note);
  } else {
    ask(comm, here_.front(), bytes, note);
  }
  int file = own_ == 0 ? note.file() : -1;
  try {
    comm::agree(comm, [&] {
      check(note.file() >= 0,
            "there is no memory for {} bytes that {} ranks of one computer share: {}",
            note.begins().back(), here_.size(), std::strerror(-note.file()));
      if (own_ != 0) {
        const std::string path = fmt::format("/proc/{}/fd/{}", note.process(), note.file());
        file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        check(file >= 0, "memory that ranks of one computer share cannot be opened as {}: {}", path,
              std::strerror(errno));
      }
      map(file, note.begins());
    });
  } catch (...) {
    ::close(file);
    throw;
  }
  ::close(file);
}

void NodeMemory::map(int file, std::span<const std::uint64_t> begins) {
  bytes_ = begins.back();
  void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  check(memory != MAP_FAILED, "memory that ranks of one computer share cannot be mapped: {}",
        std::strerror(errno));
  memory_ = memory;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    std::byte* const begin = static_cast<std::byte*>(memory) + begins[i];
    segments_.push_back({reinterpret_cast<std::uint64_t*>(begin),
                         reinterpret_cast<double*>(begin + line),
                         (begins[i + 1] - begins[i] - line) / 2 / sizeof(double)});
  }
}

NodeMemory::~NodeMemory() {
  ::munmap(memory_, bytes_);
}

int NodeMemory::local_rank(int rank) const {
  const auto found = std::lower_bound(here_.begin(), here_.end(), rank);
  return found == here_.end() || *found != rank ? -1 : static_cast<int>(found - here_.begin());
}

double* NodeMemory::next_slot() {
  const Segment& own = own_segment();
  return own.slots + (count_ + 1) % 2 * own.size;
}

void NodeMemory::publish() {
  std::atomic_ref(*own_segment().counter).store(++count_, std::memory_order_release);
}

bool NodeMemory::is_published(int local) const {
  const std::atomic_ref counter(*segments_[static_cast<std::size_t>(local)].counter);
  return counter.load(std::memory_order_acquire) >= count_;
}

const double* NodeMemory::published(int local) const {
  const Segment& theirs = segments_[static_cast<std::size_t>(local)];
  comm::Pause pause(spin_, comm_.progress_timeout());
  while (!is_published(local)) {
    if (!pause.spin()) {
      comm_.look();
      check(pause.left() > 0,
            "rank {} waited {:g} s for partial sums of another rank: do all of them call the same "
            "functions? ISTHMUS_PATIENCE sets the limit in seconds",
            comm_.rank(), comm_.progress_timeout());
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
  return theirs.slots + count_ % 2 * theirs.size;
}

} // namespace isthmus::exchange
