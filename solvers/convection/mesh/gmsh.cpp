// SPDX-License-Identifier: BSD-3-Clause
#include "convection/mesh/gmsh.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <unordered_map>
#include <utility>

namespace isthmus::convection {

namespace {

constexpr int triangle = 2; // types of elements
constexpr int tetrahedron = 4;

/// The words of a text file, with the line that each stands in.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : name_(file.string()), in_(file) {
    check(in_.is_open(), "cannot open \"{}\"; give a file of Gmsh (.msh)", name_);
  }

  /// The next line; whether there was one.
  bool next_line() {
    if (!std::getline(in_, text_)) {
      return false;
    }
    ++line_;
    at_ = 0;
    return true;
  }
  void need_line(std::string_view section) {
    check(next_line(), "{}:{}: the file ends within {}; it was cut short, write it again", name_,
          line_, section);
  }
  [[nodiscard]] const std::string& line() const { return text_; }

  template <typename Number>
  Number number() {
    const char* const begin = text_.c_str() + at_;
    char* end = nullptr;
    Number value{};
    if constexpr (std::is_same_v<Number, double>) {
      value = std::strtod(begin, &end);
    } else {
      value = static_cast<Number>(std::strtoll(begin, &end, 10));
    }
    check(end != begin, "{}: a number is missing in \"{}\"", place(), text_);
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }
  /// A count of lines to come.
  std::int64_t count() {
    const auto value = number<std::int64_t>();
    check(value >= 0, "{}: {} entries cannot be", place(), value);
    return value;
  }
  [[nodiscard]] std::string place() const { return fmt::format("{}:{}", name_, line_); }

 private:
  std::string name_;
  std::ifstream in_;
  std::string text_;
  std::size_t at_ = 0;
  std::int64_t line_ = 0;
};

class Gmsh {
 public:
  explicit Gmsh(const std::filesystem::path& file) : in_(file) {}

  WholeMesh read() {
    bool has_format = false;
    bool has_elements = false;
    while (in_.next_line()) {
      const std::string section = trimmed(in_.line());
      if (section == "$MeshFormat") {
        read_format();
        has_format = true;
      } else if (section == "$PhysicalNames") {
        read_names();
      } else if (section == "$Entities") {
        read_entities();
      } else if (section == "$Nodes") {
        check(has_format, "{}: $MeshFormat must come first", in_.place());
        is_new_ ? read_new_nodes() : read_old_nodes();
      } else if (section == "$Elements") {
        is_new_ ? read_new_elements() : read_old_elements();
        has_elements = true;
      } else if (section.starts_with("$")) {
        skip(section);
        continue;
      } else {
        check(section.empty(), "{}: expected a section of Gmsh, not \"{}\"", in_.place(), section);
        continue;
      }
      finish(section);
    }
    check(has_elements, "{}: the file ends without $Elements; it was cut short, write it again",
          in_.place());
    for (auto& [tag, nodes] : faces_) {
      const auto found = names_.find(tag);
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
      mesh_.groups.push_back(
          {found == names_.end() ? std::to_string(tag) : found->second, std::move(nodes)});
    }
    return std::move(mesh_);
  }

 private:
  static std::string trimmed(std::string text) {
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) {
      text.pop_back();
    }
    return text;
  }
  void finish(const std::string& section) {
    in_.need_line(section);
    const std::string end = "$End" + section.substr(1);
    check(trimmed(in_.line()) == end, "{}: expected {}, not \"{}\"", in_.place(), end, in_.line());
  }
  void skip(const std::string& section) {
    const std::string end = "$End" + section.substr(1);
    do {
      in_.need_line(section);
    } while (trimmed(in_.line()) != end);
  }

  void read_format() {
    in_.need_line("$MeshFormat");
    const auto version = in_.number<double>();
    is_new_ = version > 4.05 && version < 4.15;
    check(is_new_ || (version > 2.15 && version < 2.25),
          "{}: format {} is not read; save it as 2.2 or 4.1", in_.place(), version);
    check(in_.number<int>() == 0, "{}: the file is binary; save it as ASCII", in_.place());
  }

  void read_names() {
    in_.need_line("$PhysicalNames");
    for (auto left = in_.count(); left > 0; --left) {
      in_.need_line("$PhysicalNames");
      const int dim = in_.number<int>();
      const int tag = in_.number<int>();
      const std::size_t first = in_.line().find('"');
      const std::size_t last = in_.line().rfind('"');
      check(first < last, "{}: a name in quotes is missing", in_.place());
      if (dim == 2) {
        names_[tag] = in_.line().substr(first + 1, last - first - 1);
      }
    }
  }

  /// Of surfaces: which physical groups each belongs to.
  void read_entities() {
    in_.need_line("$Entities");
    std::array<std::int64_t, 4> counts{};
    for (auto& count : counts) {
      count = in_.count();
    }
    for (std::size_t dim = 0; dim < 4; ++dim) {
      for (auto left = counts[dim]; left > 0; --left) {
        in_.need_line("$Entities");
        const int tag = in_.number<int>();
        for (int n = 0; n < (dim == 0 ? 3 : 6); ++n) { // its bounding box
          in_.number<double>();
        }
        for (auto groups = in_.count(); groups > 0; --groups) {
          const int group = in_.number<int>();
          if (dim == 2) {
            surfaces_[tag].push_back(group);
          }
        }
      }
    }
  }

  void add_node(GlobalIndex id) {
    check(positions_.emplace(id, static_cast<GlobalIndex>(positions_.size())).second,
          "{}: node {} occurs twice", in_.place(), id);
  }
  void add_place() {
    for (int axis = 0; axis < 3; ++axis) {
      mesh_.coords.push_back(in_.number<double>());
    }
  }
  void read_old_nodes() {
    in_.need_line("$Nodes");
    for (auto left = in_.count(); left > 0; --left) {
      in_.need_line("$Nodes");
      add_node(in_.number<GlobalIndex>());
      add_place();
    }
  }
  void read_new_nodes() {
    in_.need_line("$Nodes");
    for (auto blocks = in_.count(); blocks > 0; --blocks) {
      in_.need_line("$Nodes");
      in_.number<int>(); // dimension and tag of the entity, and whether it has parameters
      in_.number<int>();
      in_.number<int>();
      const auto nodes = in_.count();
      for (auto left = nodes; left > 0; --left) {
        in_.need_line("$Nodes");
        add_node(in_.number<GlobalIndex>());
      }
      for (auto left = nodes; left > 0; --left) {
        in_.need_line("$Nodes");
        add_place();
      }
    }
  }

  GlobalIndex node() {
    const auto id = in_.number<GlobalIndex>();
    const auto found = positions_.find(id);
    check(found != positions_.end(), "{}: there is no node {}", in_.place(), id);
    return found->second;
  }
  void add_element(int type, const std::vector<int>& groups) {
    if (type == tetrahedron) {
      auto& tet = mesh_.tets.emplace_back();
      for (GlobalIndex& corner : tet) {
        corner = node();
      }
    } else if (type == triangle) {
      for (int corner = 0; corner < 3; ++corner) {
        const GlobalIndex position = node();
        for (const int group : groups) {
          faces_[group].push_back(position);
        }
      }
    } else {
      constexpr std::array<int, 2> ignored = {1, 15}; // edges of the boundary, and its corners
      check(std::find(ignored.begin(), ignored.end(), type) != ignored.end(),
            "{}: elements of type {} are not solved on; make linear tetrahedra", in_.place(), type);
    }
  }
  void read_old_elements() {
    in_.need_line("$Elements");
    for (auto left = in_.count(); left > 0; --left) {
      in_.need_line("$Elements");
      in_.number<GlobalIndex>();
      const int type = in_.number<int>();
      std::vector<int> groups;
      for (auto tags = in_.count(); tags > 0; --tags) {
        const int tag = in_.number<int>();
        if (groups.empty()) { // the first is the physical group
          groups.push_back(tag);
        }
      }
      add_element(type, groups);
    }
  }
  void read_new_elements() {
    in_.need_line("$Elements");
    for (auto blocks = in_.count(); blocks > 0; --blocks) {
      in_.need_line("$Elements");
      in_.number<int>();
      const int entity = in_.number<int>();
      const int type = in_.number<int>();
      const std::vector<int> groups = type == triangle ? surfaces_[entity] : std::vector<int>();
      for (auto left = in_.count(); left > 0; --left) {
        in_.need_line("$Elements");
        in_.number<GlobalIndex>();
        add_element(type, groups);
      }
    }
  }

  Reader in_;
  bool is_new_ = false;                                    // 4.1
  std::map<int, std::string> names_;                       // of physical surfaces
  std::map<int, std::vector<int>> surfaces_;               // their physical groups
  std::unordered_map<GlobalIndex, GlobalIndex> positions_; // of nodes
  std::map<int, std::vector<GlobalIndex>> faces_;          // nodes of each physical surface
  WholeMesh mesh_;
};

} // namespace

WholeMesh read_gmsh(const std::filesystem::path& file) {
  return Gmsh(file).read();
}

} // namespace isthmus::convection
