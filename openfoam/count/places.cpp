// SPDX-License-Identifier: BSD-3-Clause
#include "places.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <vector>

namespace isthmus::count {

namespace {

constexpr int most_frames = 48;

std::map<std::vector<void*>, std::int64_t>& counts_by_place() {
  static std::map<std::vector<void*>, std::int64_t> counts;
  return counts;
}

std::string name_of(void* returns_to) {
  Dl_info info{};
  const void* in_call = static_cast<char*>(returns_to) - 1; // the next function may begin behind it
  if (dladdr(in_call, &info) == 0 || info.dli_fname == nullptr) {
    return "?";
  }
  if (info.dli_sname != nullptr) {
    return info.dli_sname;
  }
  const std::string file = info.dli_fname;
  std::string name = "[";
  name.append(file, file.rfind('/') + 1);
  name.append("]");
  return name;
}

} // namespace

void count_place() {
  std::array<void*, most_frames> frames{};
  const int number = backtrace(frames.data(), most_frames);
  const std::vector<void*> place(frames.begin(), frames.begin() + std::max(number, 0));
  ++counts_by_place()[place];
}

void write_places(const std::string& path) {
  std::ofstream file(path);
  for (const auto& [frames, count] : counts_by_place()) {
    file << count;
    for (void* frame : frames) {
      file << '\t' << name_of(frame);
    }
    file << '\n';
  }
}

} // namespace isthmus::count
