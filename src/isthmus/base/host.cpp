// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/host.hpp"

#include "isthmus/base/error.hpp"

#include <fmt/format.h>

#include <sys/random.h>
#include <unistd.h>

#include <charconv>
#include <climits>
#include <ctime>
#include <fstream>
#include <sstream>

namespace isthmus {

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string host_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  return boot + " " + host_name();
}

std::string process_space() {
  std::array<char, 64> link{};
  const ssize_t size = readlink("/proc/self/ns/pid", link.data(), link.size());
  return host_id() + " " + std::string(link.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
}

std::uint64_t start_time(int pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  const auto name_end = line.rfind(')'); // the name may hold anything
  if (name_end == std::string::npos) {
    return 0;
  }
  std::istringstream fields(line.substr(name_end + 1));
  std::string field;
  fields >> field; // field 3: the state
  if (field == "Z" || field == "X") {
    return 0;
  }
  for (int number = 4; number <= 22; ++number) { // field 22: the start
    fields >> field;
  }
  std::uint64_t ticks = 0;
  std::from_chars(field.data(), field.data() + field.size(), ticks);
  return ticks;
}

double seconds_since_start(std::uint64_t start_time) {
  timespec since_boot{};
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  return static_cast<double>(since_boot.tv_sec) + 1e-9 * static_cast<double>(since_boot.tv_nsec) -
         static_cast<double>(start_time) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void fill_at_random(std::span<std::byte> bytes) {
  const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
  check(got == static_cast<ssize_t>(bytes.size()), "the system gives no random numbers");
}

Token make_token() {
  Token token{};
  fill_at_random(token);
  return token;
}

std::string to_hex(const Token& token) {
  std::string text;
  for (const std::byte byte : token) {
    text += fmt::format("{:02x}", static_cast<int>(byte));
  }
  return text;
}

Token token_from_hex(std::string_view text) {
  Token token{};
  check(text.size() == 2 * token.size(), "a token has {} digits instead of {}", text.size(),
        2 * token.size());
  for (std::size_t i = 0; i < token.size(); ++i) {
    unsigned value = 0;
    const char* begin = text.data() + 2 * i;
    const auto [end, error] = std::from_chars(begin, begin + 2, value, 16);
    check(error == std::errc() && end == begin + 2, "a token has a digit that is not hexadecimal");
    token[i] = static_cast<std::byte>(value);
  }
  return token;
}

} // namespace isthmus
