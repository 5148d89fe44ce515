// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/candidates/packed_boxes.hpp"

#include <algorithm>

namespace isthmus::geometry {

namespace {

constexpr std::size_t most_children = 16;
constexpr std::size_t least_children = 4;

std::size_t longest_axis(const Box& box) {
  std::size_t longest = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (box.hi[longest] - box.lo[longest] < box.hi[k] - box.lo[k]) {
      longest = k;
    }
  }
  return longest;
}

bool is_nearer(const std::pair<double, std::size_t>& a, const std::pair<double, std::size_t>& b) {
  return a.first < b.first;
}

} // namespace

PackedBoxes::PackedBoxes(std::vector<Box> boxes) : boxes_(std::move(boxes)) {
  if (boxes_.empty()) {
    return;
  }
  Box whole;
  entries_.reserve(boxes_.size());
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    Point middle;
    for (std::size_t k = 0; k < 3; ++k) {
      middle[k] = (boxes_[i].lo[k] + boxes_[i].hi[k]) / 2;
    }
    entries_.emplace_back(middle, i);
    whole.expand(boxes_[i]);
  }
  Counts counts;
  for (std::size_t most = most_children; most < boxes_.size(); most *= most_children) {
    counts.most = most;
  }
  counts.least = least_children * (counts.most / most_children);
  add_node({0, entries_.size()}, whole, counts);
}

/// How many of `count` boxes go to the first of two parts, such that nodes become full.
std::size_t PackedBoxes::first_part(std::size_t count, const Counts& counts) {
  std::size_t nodes = count / counts.most;
  std::size_t rest = count % counts.most;
  if (rest == 0) {
    return nodes / 2 * counts.most;
  }
  if (counts.least <= rest) {
    return (nodes + 1) / 2 * counts.most;
  }
  nodes = (count - counts.least) / counts.most;
  rest = (count - counts.least) % counts.most;
  if (rest == 0) {
    return (nodes + 1) / 2 * counts.most;
  }
  return nodes == 0 ? rest : (nodes + 2) / 2 * counts.most;
}

void PackedBoxes::add_node(Range range, const Box& part, const Counts& counts) {
  Node node{{}, part, range, counts};
  for (std::size_t i = range.first; i < range.last; ++i) {
    node.box.expand(boxes_[entries_[i].second]);
  }
  nodes_.push_back(std::move(node));
}

void PackedBoxes::divide(std::size_t node) {
  const Node whole = nodes_[node]; // which moves as nodes are added
  divide(whole.range, whole.part, whole.counts, node);
}

void PackedBoxes::divide(Range range, const Box& part, const Counts& counts, std::size_t parent) {
  const std::size_t count = range.last - range.first;
  if (count <= counts.most) {
    nodes_[parent].children.push_back(nodes_.size());
    add_node(range, part, {counts.most / most_children, counts.least / most_children});
    return;
  }
  const std::size_t split = range.first + first_part(count, counts);
  const std::size_t axis = longest_axis(part);
  const auto entry = [this](std::size_t i) {
    return entries_.begin() + static_cast<std::ptrdiff_t>(i);
  };
  std::nth_element(
      entry(range.first), entry(split), entry(range.last),
      [axis](const Entry& a, const Entry& b) { return a.first[axis] < b.first[axis]; });
  Box left = part;
  Box right = part;
  left.hi[axis] = part.lo[axis] + (part.hi[axis] - part.lo[axis]) / 2;
  right.lo[axis] = left.hi[axis];
  divide({range.first, split}, left, counts, parent);
  divide({split, range.last}, right, counts, parent);
}

void PackedBoxes::search_leaf(const Node& leaf, const Point& point, std::size_t count,
                              std::vector<Found>& found) const {
  for (std::size_t i = leaf.range.first; i < leaf.range.last; ++i) {
    const std::size_t box = entries_[i].second;
    const double distance2 = boxes_[box].distance2(point);
    if (found.size() < count) {
      found.emplace_back(distance2, box);
      if (found.size() == count) {
        std::make_heap(found.begin(), found.end(), is_nearer);
      }
    } else if (distance2 < found.front().first) {
      std::pop_heap(found.begin(), found.end(), is_nearer);
      found.back() = {distance2, box};
      std::push_heap(found.begin(), found.end(), is_nearer);
    }
  }
}

void PackedBoxes::search(std::size_t node, const Point& point, std::size_t count,
                         std::vector<Found>& found) {
  const auto is_too_far = [&](double distance2) {
    return found.size() >= count && found.front().first <= distance2;
  };
  if (nodes_[node].counts.most <= 1) {
    search_leaf(nodes_[node], point, count, found);
    return;
  }
  if (nodes_[node].children.empty()) {
    divide(node);
  }
  std::vector<Found> children;
  for (const std::size_t child : nodes_[node].children) {
    const double distance2 = nodes_[child].box.distance2(point);
    if (!is_too_far(distance2)) {
      children.emplace_back(distance2, child);
    }
  }
  std::sort(children.begin(), children.end(), is_nearer);
  for (const auto& [distance2, child] : children) {
    if (is_too_far(distance2)) {
      return;
    }
    search(child, point, count, found);
  }
}

std::vector<std::size_t> PackedBoxes::nearest(const Point& point, std::size_t count) {
  std::vector<Found> found;
  if (!nodes_.empty() && count > 0) {
    search(0, point, count, found);
  }
  std::vector<std::size_t> numbers;
  for (const Found& one : found) {
    numbers.push_back(one.second);
  }
  return numbers;
}

} // namespace isthmus::geometry
