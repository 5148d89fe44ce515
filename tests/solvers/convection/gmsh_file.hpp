// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/discrete/tetrahedra.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

namespace isthmus::convection {

/// Writes a mesh as a file of Gmsh: nodes have other names than their places, triangles at z = 0
/// are the group "floor", and the new format has several blocks of everything.
class GmshFile {
 public:
  GmshFile(const std::string& path, const discrete::TetMesh& mesh) : out_(path), mesh_(mesh) {
    out_.precision(17);
    for (const auto& tet : mesh.tets) {
      for (std::size_t left_out = 0; left_out < 4; ++left_out) {
        add_face(tet, left_out);
      }
    }
  }

  void write(bool is_new) {
    out_ << "$MeshFormat\n"
         << (is_new ? "4.1" : "2.2") << " 0 8\n$EndMeshFormat\n"
         << "$PhysicalNames\n1\n2 7 \"floor\"\n$EndPhysicalNames\n";
    if (is_new) {
      out_ << "$Entities\n0 0 1 1\n3 0 0 0 4 1 0 1 7 0\n1 0 0 0 4 1 2 0 0\n$EndEntities\n";
      write_new_nodes();
      write_new_elements();
    } else {
      write_old();
    }
    out_ << "$EndElements\n";
  }

 private:
  void add_face(const std::array<LocalIndex, 4>& tet, std::size_t left_out) {
    std::array<LocalIndex, 3> face{};
    for (std::size_t k = 0; k < 3; ++k) {
      face[k] = tet[(left_out + 1 + k) % 4];
    }
    if (std::all_of(face.begin(), face.end(), [this](LocalIndex node) {
          return mesh_.coords[3 * static_cast<std::size_t>(node) + 2] == 0;
        })) {
      faces_.push_back(face);
    }
  }
  template <typename Number>
  static Number name(Number node) {
    return 3 * node + 7;
  }
  void put_place(std::size_t n) {
    out_ << mesh_.coords[3 * n] << ' ' << mesh_.coords[3 * n + 1] << ' ' << mesh_.coords[3 * n + 2]
         << '\n';
  }
  template <typename Elements>
  void put(const std::string& words, const Elements& elements, std::size_t first,
           std::size_t last) {
    for (std::size_t e = first; e < last; ++e) {
      out_ << words;
      for (const LocalIndex node : elements[e]) {
        out_ << ' ' << name(node);
      }
      out_ << '\n';
    }
  }

  void write_old() {
    out_ << "$Nodes\n" << mesh_.num_nodes() << '\n';
    for (std::size_t n = 0; n < mesh_.num_nodes(); ++n) {
      out_ << name(n) << ' ';
      put_place(n);
    }
    out_ << "$EndNodes\n$Elements\n" << faces_.size() + mesh_.tets.size() << '\n';
    put("1 2 2 7 1", faces_, 0, faces_.size());
    put("1 4 2 0 1", mesh_.tets, 0, mesh_.tets.size());
  }
  void write_new_nodes() {
    constexpr std::size_t blocks = 5; // the last one is empty
    const std::size_t nodes = mesh_.num_nodes();
    out_ << "$Nodes\n" << blocks << ' ' << nodes << " 1 1000\n";
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t first = b * nodes / (blocks - 1);
      const std::size_t last = std::min(nodes, (b + 1) * nodes / (blocks - 1));
      out_ << "3 1 0 " << (last > first ? last - first : 0) << '\n';
      for (std::size_t n = first; n < last; ++n) {
        out_ << name(n) << '\n';
      }
      for (std::size_t n = first; n < last; ++n) {
        put_place(n);
      }
    }
    out_ << "$EndNodes\n";
  }
  void write_new_elements() {
    const std::size_t tets = mesh_.tets.size();
    out_ << "$Elements\n3 " << faces_.size() + tets << " 1 1000\n2 3 2 " << faces_.size() << '\n';
    put("1", faces_, 0, faces_.size());
    out_ << "3 1 4 " << tets / 3 << '\n';
    put("1", mesh_.tets, 0, tets / 3);
    out_ << "3 1 4 " << tets - tets / 3 << '\n';
    put("1", mesh_.tets, tets / 3, tets);
  }

  std::ofstream out_;
  const discrete::TetMesh& mesh_;
  std::vector<std::array<LocalIndex, 3>> faces_;
};

} // namespace isthmus::convection
