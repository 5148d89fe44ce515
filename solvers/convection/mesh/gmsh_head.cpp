// SPDX-License-Identifier: BSD-3-Clause
#include "convection/mesh/gmsh_head.hpp"

#include "convection/mesh/text_share.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <array>
#include <fstream>
#include <utility>

namespace isthmus::convection {

namespace {

class HeadReader {
 public:
  explicit HeadReader(const std::filesystem::path& file)
      : file_(file.string()), in_(file, std::ios::binary) {
    check(in_.is_open(), "cannot open \"{}\"; give a file of Gmsh (.msh)", file_);
  }

  GmshHead read() {
    bool has_format = false;
    while (next_line()) {
      const std::string section(without_end(line_));
      if (section == "$Nodes") {
        check(has_format, "{}: $MeshFormat must come first", place());
        head_.bytes = static_cast<std::int64_t>(in_.tellg());
        return std::move(head_);
      }
      if (section == "$MeshFormat") {
        read_format();
        has_format = true;
      } else if (section == "$PhysicalNames") {
        read_names();
      } else if (section == "$Entities") {
        read_entities();
      } else if (section.starts_with("$")) {
        skip(section);
        continue;
      } else {
        check(section.empty(), "{}: expected a section of Gmsh, not \"{}\"", place(), section);
        continue;
      }
      need_line(section);
      const std::string end = "$End" + section.substr(1);
      check(without_end(line_) == end, "{}: expected {}, not \"{}\"", place(), end, line_);
    }
    fail("{}: the file ends without $Nodes; it was cut short, write it again", place());
  }

 private:
  bool next_line() {
    if (!std::getline(in_, line_)) {
      return false;
    }
    ++head_.lines;
    return true;
  }
  void need_line(std::string_view section) {
    check(next_line(), "{}: the file ends within {}; it was cut short, write it again", place(),
          section);
  }
  [[nodiscard]] std::string place() const { return fmt::format("{}:{}", file_, head_.lines); }
  LineNumbers numbers(std::string_view section) {
    need_line(section);
    return {line_.c_str(), file_, head_.lines};
  }
  void skip(const std::string& section) {
    const std::string end = "$End" + section.substr(1);
    do {
      need_line(section);
    } while (without_end(line_) != end);
  }

  void read_format() {
    LineNumbers in = numbers("$MeshFormat");
    const auto version = in.next<double>();
    head_.is_new = version > 4.05 && version < 4.15;
    check(head_.is_new || (version > 2.15 && version < 2.25),
          "{}: format {} is not read; save it as 2.2 or 4.1", in.place(), version);
    check(in.next<int>() == 0, "{}: the file is binary; save it as ASCII", in.place());
  }

  void read_names() {
    constexpr const char* section = "$PhysicalNames";
    for (auto left = numbers(section).count(); left > 0; --left) {
      LineNumbers in = numbers(section);
      const int dim = in.next<int>();
      const int tag = in.next<int>();
      const std::size_t first = line_.find('"');
      const std::size_t last = line_.rfind('"');
      check(first < last, "{}: a name in quotes is missing", in.place());
      if (dim == 2) {
        head_.names[tag] = line_.substr(first + 1, last - first - 1);
      }
    }
  }

  /// Of surfaces: which physical groups each belongs to.
  void read_entities() {
    constexpr const char* section = "$Entities";
    LineNumbers first = numbers(section);
    std::array<std::int64_t, 4> counts{};
    for (auto& count : counts) {
      count = first.count();
    }
    for (std::size_t dim = 0; dim < 4; ++dim) {
      for (auto left = counts[dim]; left > 0; --left) {
        LineNumbers in = numbers(section);
        const int tag = in.next<int>();
        for (int n = 0; n < (dim == 0 ? 3 : 6); ++n) { // its bounding box
          in.next<double>();
        }
        for (auto groups = in.count(); groups > 0; --groups) {
          const int group = in.next<int>();
          if (dim == 2) {
            head_.surfaces[tag].push_back(group);
          }
        }
      }
    }
  }

  std::string file_;
  std::ifstream in_;
  std::string line_;
  GmshHead head_;
};

/// Collective. Rank 0's.
void bcast(const comm::Comm& comm, GmshHead& head) {
  Writer writer;
  writer.put(head.is_new).put(head.names.size());
  for (const auto& [tag, name] : head.names) {
    writer.put(tag).put_text(name);
  }
  for (const auto& [tag, groups] : head.surfaces) {
    writer.put(tag).put_array(groups);
  }
  std::vector<std::byte> bytes = writer.take();
  comm::bcast(comm, bytes);
  Reader reader(bytes);
  head.is_new = reader.get<bool>();
  for (auto left = reader.get<std::size_t>(); left > 0; --left) {
    const int tag = reader.get<int>();
    head.names[tag] = reader.get_text();
  }
  while (reader.left() > 0) {
    const int tag = reader.get<int>();
    head.surfaces[tag] = reader.get_array<int>();
  }
}

} // namespace

std::string_view without_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) {
    line.remove_suffix(1);
  }
  return line;
}

GmshHead read_gmsh_head(const comm::Comm& comm, const std::filesystem::path& file) {
  GmshHead head;
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      head = HeadReader(file).read();
    }
  });
  bcast(comm, head);
  return head;
}

} // namespace isthmus::convection
