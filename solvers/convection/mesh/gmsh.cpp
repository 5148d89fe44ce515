// SPDX-License-Identifier: BSD-3-Clause
#include "convection/mesh/gmsh.hpp"

#include "convection/mesh/gmsh_head.hpp"
#include "convection/mesh/text_share.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string_view>
#include <utility>

namespace isthmus::convection {

namespace {

constexpr int triangle = 2; // types of elements
constexpr int tetrahedron = 4;

/// What a line of the file is, behind $Nodes.
enum class Phase : int {
  node_count,
  old_node,
  node_block,
  node_name,
  node_place,
  end_of_nodes,
  between,
  element_count,
  old_element,
  element_block,
  element,
  end_of_elements,
  after,
};

/// Where the reading of the lines has come, from rank to rank.
struct Walk {
  bool is_new = false;
  Phase phase = Phase::node_count;
  std::int64_t left = 0;   // lines of the phase, if it has many
  std::int64_t blocks = 0; // left
  std::int64_t in_block = 0;
  GlobalIndex block = 0; // position of the first node of the block
  GlobalIndex at = 0;    // of the next one
  int entity = 0;
  int type = 0; // of the elements of the block

  [[nodiscard]] bool is_many() const {
    return phase == Phase::old_node || phase == Phase::node_name || phase == Phase::node_place ||
           phase == Phase::old_element || phase == Phase::element;
  }
};

/// Lines of one kind.
struct Stretch {
  Walk walk; // at the first of them
  std::size_t first, count;
};

/// After the last line of a phase with many.
void end_many(Walk& walk) {
  switch (walk.phase) {
    case Phase::old_node:
      walk.phase = Phase::end_of_nodes;
      break;
    case Phase::node_name:
      walk.phase = Phase::node_place;
      walk.left = walk.in_block;
      walk.at = walk.block;
      break;
    case Phase::node_place:
      walk.phase = --walk.blocks > 0 ? Phase::node_block : Phase::end_of_nodes;
      break;
    case Phase::old_element:
      walk.phase = Phase::end_of_elements;
      break;
    default:
      walk.phase = --walk.blocks > 0 ? Phase::element_block : Phase::end_of_elements;
  }
}

/// One line that says what comes.
void take_head(LineNumbers in, Walk& walk) {
  switch (walk.phase) {
    case Phase::node_count:
    case Phase::element_count: {
      const bool is_nodes = walk.phase == Phase::node_count;
      walk.left = walk.blocks = in.count();
      walk.phase = is_nodes ? Phase::old_node : Phase::old_element;
      if (walk.is_new) {
        walk.phase = walk.blocks == 0 ? (is_nodes ? Phase::end_of_nodes : Phase::end_of_elements)
                                      : (is_nodes ? Phase::node_block : Phase::element_block);
      }
      break;
    }
    case Phase::node_block:
      in.next<int>(); // dimension and number of the entity, and whether it has parameters
      in.next<int>();
      in.next<int>();
      walk.left = walk.in_block = in.count();
      walk.block = walk.at;
      walk.phase = Phase::node_name;
      break;
    default: // of elements
      in.next<int>();
      walk.entity = in.next<int>();
      walk.type = in.next<int>();
      walk.left = in.count();
      walk.phase = Phase::element;
  }
}

/// One line that is no number.
void take_word(std::string_view line, const LineNumbers& in, Walk& walk) {
  const auto need = [&](const char* end) {
    check(line == end, "{}: expected {}, not \"{}\"", in.place(), end, line);
  };
  if (walk.phase == Phase::end_of_nodes) {
    need("$EndNodes");
    walk.phase = Phase::between;
  } else if (walk.phase == Phase::end_of_elements) {
    need("$EndElements");
    walk.phase = Phase::after;
  } else if (line == "$Elements") {
    walk.phase = Phase::element_count;
  }
}

/// Through the lines of this rank.
std::vector<Stretch> go(const TextShare& text, Walk& walk) {
  std::vector<Stretch> result;
  for (std::size_t n = 0; n < text.num_lines() && walk.phase != Phase::after;) {
    if (walk.is_many()) {
      const auto count =
          std::min<std::int64_t>(walk.left, static_cast<std::int64_t>(text.num_lines() - n));
      result.push_back({walk, n, static_cast<std::size_t>(count)});
      n += static_cast<std::size_t>(count);
      walk.left -= count;
      if (walk.phase == Phase::old_node || walk.phase == Phase::node_name ||
          walk.phase == Phase::node_place) {
        walk.at += count;
      }
    } else if (walk.phase == Phase::end_of_nodes || walk.phase == Phase::between ||
               walk.phase == Phase::end_of_elements) {
      take_word(without_end(text.line(n)), text.numbers(n), walk);
      ++n;
    } else {
      take_head(text.numbers(n), walk);
      ++n;
    }
    while (walk.is_many() && walk.left == 0) {
      end_many(walk);
    }
  }
  return result;
}

/// Collective. What the lines of this rank are; `walk` becomes what it is at the end of the file.
std::vector<Stretch> find_stretches(const comm::Comm& comm, const TextShare& text, Walk& walk) {
  std::vector<Stretch> own;
  std::exception_ptr error;
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (rank == comm.rank()) {
      try {
        own = go(text, walk);
      } catch (...) {
        error = std::current_exception();
        walk.phase = Phase::after;
      }
    }
    walk = comm::bcast(comm, walk, rank);
  }
  comm::agree(comm, [&] {
    if (error) {
      std::rethrow_exception(error);
    }
  });
  return own;
}

void check_end(const Walk& walk, const std::string& file, std::int64_t last) {
  check(walk.phase != Phase::between,
        "{}:{}: the file ends without $Elements; it was cut short, write it again", file, last);
  check(walk.phase == Phase::after,
        "{}:{}: the file ends within {}; it was cut short, write it again", file, last,
        walk.phase < Phase::between ? "$Nodes" : "$Elements");
}

/// The lines of this rank, as parts of a mesh.
class Parser {
 public:
  Parser(const GmshHead& head, const TextShare& text, MeshShare& to)
      : head_(head), text_(text), to_(to) {}

  void take(const Stretch& stretch) {
    for (std::size_t n = 0; n < stretch.count; ++n) {
      const std::size_t line = stretch.first + n;
      take(stretch.walk, text_.numbers(line), stretch.walk.at + static_cast<GlobalIndex>(n),
           text_.number_of(line));
    }
  }

 private:
  void take(const Walk& walk, LineNumbers in, GlobalIndex position, GlobalIndex line) {
    switch (walk.phase) {
      case Phase::old_node:
        to_.nodes.push_back({in.next<GlobalIndex>(), position});
        to_.places.push_back(place(in, position));
        break;
      case Phase::node_name:
        to_.nodes.push_back({in.next<GlobalIndex>(), position});
        break;
      case Phase::node_place:
        to_.places.push_back(place(in, position));
        break;
      default:
        in.next<GlobalIndex>();
        take_element(walk, in, line);
    }
  }

  static MeshShare::Place place(LineNumbers& in, GlobalIndex position) {
    MeshShare::Place result{position, {}};
    for (double& x : result.at) {
      x = in.next<double>();
      check(std::isfinite(x), "{}: a place that is no number", in.place());
    }
    return result;
  }

  void take_element(const Walk& walk, LineNumbers& in, GlobalIndex line) {
    int type = walk.type;
    std::vector<int> groups;
    if (walk.phase == Phase::old_element) {
      type = in.next<int>();
      for (auto tags = in.count(); tags > 0; --tags) {
        const int tag = in.next<int>();
        if (groups.empty()) { // the first is the physical group
          groups.push_back(tag);
        }
      }
    } else if (const auto found = head_.surfaces.find(walk.entity);
               type == triangle && found != head_.surfaces.end()) {
      groups = found->second;
    }
    if (type == tetrahedron) {
      MeshShare::Tet& tet = to_.tets.emplace_back(MeshShare::Tet{{}, line});
      std::generate(tet.nodes.begin(), tet.nodes.end(), [&] { return in.next<GlobalIndex>(); });
    } else if (type == triangle) {
      MeshShare::Face face{{}, line, 0};
      std::generate(face.nodes.begin(), face.nodes.end(), [&] { return in.next<GlobalIndex>(); });
      for (const int group : groups) {
        face.group = group;
        to_.faces.push_back(face);
      }
    } else {
      constexpr std::array<int, 2> ignored = {1, 15}; // edges of the boundary, and its corners
      check(std::find(ignored.begin(), ignored.end(), type) != ignored.end(),
            "{}: elements of type {} are not solved on; make linear tetrahedra", in.place(), type);
    }
  }

  const GmshHead& head_;
  const TextShare& text_;
  MeshShare& to_;
};

} // namespace

MeshShare read_gmsh(const comm::Comm& comm, const std::filesystem::path& file) {
  GmshHead head = read_gmsh_head(comm, file);
  const TextShare text(comm, file, head.bytes, head.lines);
  Walk walk;
  walk.is_new = head.is_new;
  const std::vector<Stretch> stretches = find_stretches(comm, text, walk);
  MeshShare result;
  result.file = file.string();
  check_end(walk, result.file, text.last());
  comm::agree(comm, [&] {
    Parser parser(head, text, result);
    for (const Stretch& stretch : stretches) {
      parser.take(stretch);
    }
  });
  result.num_nodes = walk.at;
  result.names = std::move(head.names);
  return result;
}

} // namespace isthmus::convection
