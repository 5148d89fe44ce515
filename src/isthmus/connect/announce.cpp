// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/announce.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/connect/probe.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

namespace isthmus::connect {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view title = "isthmus-announcement 1";

template <typename Number>
Number number_of(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  check(error == std::errc() && end == text.data() + text.size(),
        "an announcement contains \"{}\" where a number is expected", text);
  return number;
}

// Written aside first, so that nobody ever reads half of it.
fs::path write_aside(const fs::path& path, const Announcement& announcement) {
  fs::path aside = path;
  aside += fmt::format(".{}", to_hex(make_token()));
  transport::Socket file;
  for (int attempt = 0; attempt < 3 && file.descriptor() < 0; ++attempt) {
    std::error_code ignored;
    if (fs::create_directories(path.parent_path(), ignored)) { // the last one to leave removes it
      fs::permissions(path.parent_path(), fs::perms::owner_all, ignored);
    }
    file = transport::Socket(::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  }
  const std::string text = to_text(announcement);
  const bool written =
      file.descriptor() >= 0 &&
      ::write(file.descriptor(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  check(written, "cannot write {}: {}; check exchange-directory=\"…\"", aside.string(),
        std::strerror(errno));
  return aside;
}

// Gives the file its name unless the name is taken.
bool publish(const fs::path& aside, const fs::path& path) {
  std::error_code error;
  fs::create_hard_link(aside, path, error); // atomic, unlike a look and a rename
  const bool taken = error == std::errc::file_exists;
  if (error && !taken && !fs::exists(path)) { // a file system without links
    fs::rename(aside, path, error);
  }
  std::error_code ignored;
  fs::remove(aside, ignored);
  check(!error || taken, "cannot write {}: {}; check exchange-directory=\"…\"", path.string(),
        error.message());
  return !error;
}

// Who owns the files that this process makes in a folder: mostly its user, but some file systems
// give all files to one.
std::optional<uid_t> owner_of_new_files(const fs::path& folder) {
  fs::path aside = folder / "owner";
  aside += fmt::format(".{}", to_hex(make_token()));
  const transport::Socket file(
      ::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  struct stat status {};
  const bool known = file.descriptor() >= 0 && ::fstat(file.descriptor(), &status) == 0;
  ::unlink(aside.c_str());
  return known ? std::optional(status.st_uid) : std::nullopt;
}

// What stands in a small file of this user; nothing where it is something else.
std::optional<std::string> read_own_file(const fs::path& path) {
  constexpr off_t most = 1 << 20; // bytes
  const transport::Socket file(
      ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (file.descriptor() < 0 || ::fstat(file.descriptor(), &status) != 0 ||
      !S_ISREG(status.st_mode) || status.st_size > most ||
      (status.st_uid != ::geteuid() && owner_of_new_files(path.parent_path()) != status.st_uid)) {
    return std::nullopt;
  }
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  const ssize_t got = ::read(file.descriptor(), text.data(), text.size());
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

bool contains(const std::vector<Token>& tokens, const Token& token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

// Any name becomes the name of a file.
std::string file_name(std::string_view participant) {
  std::string name;
  for (const char c : participant) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    if (plain) {
      name.push_back(c);
    } else {
      fmt::format_to(std::back_inserter(name), "%{:02x}", static_cast<unsigned char>(c));
    }
  }
  return name + ".isthmus";
}

bool is_ours(const fs::path& path, const Announcement& announcement) {
  const auto current = read_announcement(path);
  return current && current->token == announcement.token;
}

// Moves a file that a process left behind out of the way, unless another one took its place just
// now.
void remove_stale(const fs::path& path, const std::optional<Announcement>& stale) {
  fs::path aside = path;
  aside += fmt::format(".{}", to_hex(make_token()));
  std::error_code ignored;
  fs::rename(path, aside, ignored);
  const auto moved = read_announcement(aside);
  if (moved && (!stale || moved->token != stale->token)) {
    fs::create_hard_link(aside, path, ignored);
  }
  fs::remove(aside, ignored);
}

// What processes have left aside that were killed while they wrote or published: what others write
// at this moment stays, whole or begun.
void remove_abandoned(const fs::path& path) {
  constexpr std::chrono::minutes longest_write{1};
  const std::string begin = path.filename().string() + ".";
  std::error_code error;
  for (fs::directory_iterator file(path.parent_path(), error), end; !error && file != end;
       file.increment(error)) {
    const fs::path& aside = file->path();
    if (!aside.filename().string().starts_with(begin)) {
      continue;
    }
    const auto whole = read_announcement(aside);
    std::error_code gone;
    const auto written = fs::last_write_time(aside, gone);
    const bool is_old = !gone && fs::file_time_type::clock::now() - written > longest_write;
    if (whole ? !is_alive(whole->address) : is_old) {
      fs::remove(aside, gone);
    }
  }
}

std::vector<Announcement> ended_ones(const fs::path& folder,
                                     const std::vector<std::string>& partners) {
  std::vector<Announcement> ended;
  for (const std::string& partner : partners) {
    if (auto found = read_announcement(folder / file_name(partner)); found && !is_running(*found)) {
      ended.push_back(std::move(*found));
    }
  }
  return ended;
}

// When our process began, by the clock that gives files their times; never later than it did,
// however long a step takes here.
fs::file_time_type own_begin(const fs::path& path, const Announcement& announcement) {
  using std::chrono::seconds;
  const fs::path aside = write_aside(path, announcement);
  std::error_code error;
  const auto now = fs::last_write_time(aside, error);
  fs::remove(aside, error);
  const std::chrono::duration<double> age(seconds_since_start(announcement.address.started));
  const bool coarse = now == std::chrono::floor<seconds>(now);
  const std::chrono::duration<double> grain(coarse ? 2 : 0.02); // of the clocks
  return now - std::chrono::ceil<fs::file_time_type::duration>(age + grain);
}

// Notes which partners have ended before, and which of them may have meant this run.
void note_ended(Announcement& announcement, const fs::path& path) {
  const auto ended = ended_ones(path.parent_path(), announcement.awaits);
  if (ended.empty()) {
    return;
  }
  const auto predecessor = read_announcement(path);
  const Address& own = announcement.address;
  const bool again = predecessor && predecessor->address.process_space == own.process_space &&
                     predecessor->address.pid == own.pid &&
                     predecessor->address.started == own.started;
  const auto began = own_begin(path, announcement);
  for (const Announcement& one : ended) {
    std::error_code missing;
    const auto time = fs::last_write_time(path.parent_path() / file_name(one.participant), missing);
    const bool is_earlier =
        again ? contains(predecessor->leftovers, one.token) : missing || time < began;
    (is_earlier ? announcement.leftovers : announcement.recent).push_back(one.token);
  }
}

} // namespace

std::string to_text(const Announcement& announcement) {
  const Address& address = announcement.address;
  std::string text = fmt::format(
      "{}\nparticipant {}\nip {}\nport {}\nhost {}\nhost-id {}\nprocess-space {}\npid {}\n"
      "started {}\njob {}\ntoken {}\nlast-word {}\n",
      title, announcement.participant, address.ip, address.port, address.host, address.host_id,
      address.process_space, address.pid, address.started, address.job, to_hex(announcement.token),
      announcement.last_word);
  for (const std::string& partner : announcement.awaits) {
    fmt::format_to(std::back_inserter(text), "awaits {}\n", partner);
  }
  for (const Token& token : announcement.leftovers) {
    fmt::format_to(std::back_inserter(text), "leftover {}\n", to_hex(token));
  }
  for (const Token& token : announcement.recent) {
    fmt::format_to(std::back_inserter(text), "recent {}\n", to_hex(token));
  }
  return text;
}

Announcement parse_announcement(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  std::getline(lines, line);
  check(line == title, "this is no announcement of a participant");
  Announcement result;
  std::map<std::string, std::string, std::less<>> values;
  while (std::getline(lines, line)) {
    const auto space = line.find(' ');
    check(space != std::string::npos, "an announcement has a line without a value: \"{}\"", line);
    const std::string key = line.substr(0, space);
    const std::string value = line.substr(space + 1);
    if (key == "awaits") {
      result.awaits.push_back(value);
    } else if (key == "leftover" || key == "recent") {
      (key == "recent" ? result.recent : result.leftovers).push_back(token_from_hex(value));
    } else {
      values[key] = value;
    }
  }
  const auto value = [&values](std::string_view key) -> const std::string& {
    const auto found = values.find(key);
    check(found != values.end(), "an announcement lacks its {}", key);
    return found->second;
  };
  result.participant = value("participant");
  result.address.ip = value("ip");
  result.address.port = number_of<std::uint16_t>(value("port"));
  result.address.host = value("host");
  result.address.host_id = value("host-id");
  result.address.process_space = value("process-space");
  result.address.pid = number_of<int>(value("pid"));
  result.address.started = number_of<std::uint64_t>(value("started"));
  result.address.job = value("job");
  result.token = token_from_hex(value("token"));
  result.last_word = value("last-word");
  return result;
}

fs::path announcement_path(const fs::path& exchange_directory, std::string_view participant) {
  return exchange_directory / "precice-run" / file_name(participant);
}

std::optional<Announcement> read_announcement(const fs::path& path) {
  const auto text = read_own_file(path);
  if (!text) {
    return std::nullopt;
  }
  try {
    return parse_announcement(*text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool is_foreign(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && !read_own_file(path);
}

bool is_running(const Announcement& announcement) {
  return announcement.last_word.empty() && is_alive(announcement.address);
}

AnnouncementFile::~AnnouncementFile() {
  if (!path_.empty()) {
    withdraw();
  }
}

void AnnouncementFile::withdraw() {
  std::error_code ignored;
  if (is_ours(path_, announcement_)) {
    fs::remove(path_, ignored);
  }
  fs::remove(path_.parent_path(), ignored); // if it is empty
}

void AnnouncementFile::met(std::string_view partner) {
  auto& awaits = announcement_.awaits;
  const auto found = std::find(awaits.begin(), awaits.end(), partner);
  if (path_.empty() || found == awaits.end()) {
    return;
  }
  awaits.erase(found);
  if (awaits.empty()) {
    withdraw();
    path_.clear();
  } else if (is_ours(path_, announcement_)) {
    fs::rename(write_aside(path_, announcement_), path_);
  }
}

void AnnouncementFile::leave(std::string_view reason) noexcept {
  try {
    announcement_.last_word = reason;
    std::replace(announcement_.last_word.begin(), announcement_.last_word.end(), '\n', ' ');
    announcement_.leftovers.clear(); // what the next instance of this process finds ended, too
    for (const Announcement& one : ended_ones(path_.parent_path(), partners_)) {
      announcement_.leftovers.push_back(one.token);
    }
    if (is_ours(path_, announcement_)) {
      fs::rename(write_aside(path_, announcement_), path_);
    }
  } catch (const std::exception&) {
    // Who waits will see that our process has ended.
  }
  path_.clear();
}

AnnouncementFile announce(const fs::path& exchange_directory, Announcement announcement) {
  const fs::path path = announcement_path(exchange_directory, announcement.participant);
  constexpr int attempts = 10;
  check(announcement.participant.find('\n') == std::string::npos,
        "the name of participant \"{}\" has more than one line", announcement.participant);
  note_ended(announcement, path); // first: who ends from now on does so while we are there
  for (int i = 0; i < attempts; ++i) {
    if (publish(write_aside(path, announcement), path)) {
      AnnouncementFile file(path, announcement);
      remove_abandoned(path);
      return file;
    }
    const auto other = read_announcement(path);
    check(
        !other || !is_running(*other),
        "a participant named \"{}\" already runs (pid {} on host {}), announced in {}; is the case "
        "started twice?",
        announcement.participant, other ? other->address.pid : 0, other ? other->address.host : "",
        path.string());
    remove_stale(path, other);
  }
  fail(
      "cannot write {}: others write it all the time, or it belongs to another user; is the case "
      "started many times? exchange-directory=\"…\" chooses another folder",
      path.string());
}

} // namespace isthmus::connect
