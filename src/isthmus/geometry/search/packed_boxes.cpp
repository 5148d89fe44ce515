// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/packed_boxes.hpp"

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

} // namespace

PackedBoxes::PackedBoxes(std::vector<Box> boxes) : boxes_(std::move(boxes)) {
  if (boxes_.empty()) {
    return;
  }
  std::vector<Entry> entries;
  Box whole;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    Point middle;
    for (std::size_t k = 0; k < 3; ++k) {
      middle[k] = (boxes_[i].lo[k] + boxes_[i].hi[k]) / 2;
    }
    entries.emplace_back(middle, i);
    whole.expand(boxes_[i]);
  }
  Counts counts;
  for (std::size_t most = most_children; most < boxes_.size(); most *= most_children) {
    counts.most = most;
  }
  counts.least = least_children * (counts.most / most_children);
  build(entries.begin(), entries.end(), whole, counts);
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

std::size_t PackedBoxes::build(Entries first, Entries last, const Box& part, const Counts& counts) {
  const std::size_t node = nodes_.size();
  nodes_.emplace_back();
  if (counts.most <= 1) {
    nodes_[node].is_leaf = true;
    for (; first != last; ++first) {
      nodes_[node].children.push_back(first->second);
      nodes_[node].box.expand(boxes_[first->second]);
    }
  } else {
    divide(first, last, part, counts, {counts.most / most_children, counts.least / most_children},
           node);
  }
  return node;
}

void PackedBoxes::divide(Entries first, Entries last, const Box& part, const Counts& counts,
                         const Counts& below, std::size_t parent) {
  const auto count = static_cast<std::size_t>(last - first);
  if (count <= counts.most) {
    const std::size_t child = build(first, last, part, below);
    nodes_[parent].children.push_back(child);
    nodes_[parent].box.expand(nodes_[child].box);
    return;
  }
  const Entries middle = first + static_cast<std::ptrdiff_t>(first_part(count, counts));
  const std::size_t axis = longest_axis(part);
  std::nth_element(first, middle, last, [axis](const Entry& a, const Entry& b) {
    return a.first[axis] < b.first[axis];
  });
  Box left = part;
  Box right = part;
  left.hi[axis] = part.lo[axis] + (part.hi[axis] - part.lo[axis]) / 2;
  right.lo[axis] = left.hi[axis];
  divide(first, middle, left, counts, below, parent);
  divide(middle, last, right, counts, below, parent);
}

void PackedBoxes::search(std::size_t node, const Point& point, std::size_t count,
                         std::vector<Found>& found) const {
  const auto nearer = [](const Found& a, const Found& b) { return a.first < b.first; };
  const auto is_too_far = [&](double distance2) {
    return found.size() >= count && found.front().first <= distance2;
  };
  if (nodes_[node].is_leaf) {
    for (const std::size_t box : nodes_[node].children) {
      const double distance2 = boxes_[box].distance2(point);
      if (found.size() < count) {
        found.emplace_back(distance2, box);
        if (found.size() == count) {
          std::make_heap(found.begin(), found.end(), nearer);
        }
      } else if (distance2 < found.front().first) {
        std::pop_heap(found.begin(), found.end(), nearer);
        found.back() = {distance2, box};
        std::push_heap(found.begin(), found.end(), nearer);
      }
    }
    return;
  }
  std::vector<Found> children;
  for (const std::size_t child : nodes_[node].children) {
    const double distance2 = nodes_[child].box.distance2(point);
    if (!is_too_far(distance2)) {
      children.emplace_back(distance2, child);
    }
  }
  std::sort(children.begin(), children.end(), nearer);
  for (const auto& [distance2, child] : children) {
    if (is_too_far(distance2)) {
      return;
    }
    search(child, point, count, found);
  }
}

std::vector<std::size_t> PackedBoxes::nearest(const Point& point, std::size_t count) const {
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
