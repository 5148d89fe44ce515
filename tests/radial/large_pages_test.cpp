// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/large_pages.hpp"

#include "ranks.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::radial;

namespace {

constexpr std::size_t large_page = std::size_t{1} << 21;

/// Memory of the system with nothing else in it.
class Pages {
 public:
  explicit Pages(std::size_t bytes)
      : bytes_(bytes),
        begin_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    REQUIRE(begin_ != MAP_FAILED);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { munmap(begin_, bytes_); }
  [[nodiscard]] char* at(std::size_t byte) const { return static_cast<char*>(begin_) + byte; }

 private:
  std::size_t bytes_;
  void* begin_;
};

/// What the system notes of the mapping that holds this address; empty if it notes nothing.
std::string flags_of(const char* address) {
  std::ifstream maps("/proc/self/smaps");
  bool is_within = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::uintptr_t first = 0;
    std::uintptr_t last = 0;
    char dash = ' ';
    if (words >> std::hex >> first >> dash >> last && dash == '-') {
      const auto wanted = reinterpret_cast<std::uintptr_t>(address);
      is_within = first <= wanted && wanted < last;
    } else if (is_within && line.starts_with("VmFlags:")) {
      return line + " ";
    }
  }
  return {};
}

bool asks_for_large(const char* address) {
  return flags_of(address).find(" hg ") != std::string::npos;
}

} // namespace

TEST_CASE("memory of several megabytes asks for large pages, and keeps what is in it" *
          depends_on_machine) {
  const Pages pages(5 * large_page);
  const auto address = reinterpret_cast<std::uintptr_t>(pages.at(0));
  char* const aligned = pages.at((large_page - address % large_page) % large_page);
  char* const begin = aligned + 4097; // within a large page
  for (std::size_t byte = 0; byte < 3 * large_page; byte += 1000) {
    begin[byte] = static_cast<char>(byte % 127);
  }
  use_large_pages(begin, 3 * large_page);
  for (std::size_t byte = 0; byte < 3 * large_page; byte += 1000) {
    CHECK(begin[byte] == static_cast<char>(byte % 127));
  }
  const bool can_tell = !flags_of(begin).empty() && madvise(pages.at(0), 4096, MADV_HUGEPAGE) == 0;
  if (!can_tell) {
    MESSAGE("not tested: this system has no large pages, or does not say which");
    return;
  }
  CHECK(asks_for_large(aligned + large_page));
  CHECK(asks_for_large(aligned + 3 * large_page - 1));
  CHECK_FALSE(asks_for_large(begin)); // a large page that is not wholly ours
  CHECK_FALSE(asks_for_large(aligned + 3 * large_page));
}

TEST_CASE("memory that holds no large page is left alone") {
  const Pages pages(3 * large_page);
  const auto address = reinterpret_cast<std::uintptr_t>(pages.at(0));
  char* const aligned = pages.at((large_page - address % large_page) % large_page);
  use_large_pages(aligned + 1, large_page);
  use_large_pages(aligned, 0);
  use_large_pages(nullptr, 0);
  CHECK_FALSE(asks_for_large(aligned));
  std::vector<double> few(7, 1.5);
  use_large_pages(few.data(), few.size() * sizeof(double));
  CHECK(few == std::vector<double>(7, 1.5));
}
