// SPDX-License-Identifier: BSD-3-Clause
#include "scene.hpp"

namespace walks {

Scene::Scene(const Setting& setting, const Options& options)
    : setting_(setting), options_(options), scripts_(setting.ranks.size()) {
  for (std::size_t p = 0; p < scripts_.size(); ++p) {
    scripts_[p].resize(setting.ranks[p].size());
  }
}

std::vector<int> Scene::flows(int p, bool outgoing) const {
  std::vector<int> found;
  for (std::size_t f = 0; f < setting_.flows.size(); ++f) {
    if ((outgoing ? setting_.flows[f].from : setting_.flows[f].to) == p) {
      found.push_back(static_cast<int>(f));
    }
  }
  return found;
}

void Scene::refuse(int p, int r, Call call, std::vector<std::string> words) {
  call.due.outcome = Outcome::refused;
  call.due.words = std::move(words);
  add(p, r, std::move(call));
}

bool Scene::is_open(int p, int r) {
  const Phase phase = model_->actor(p).phase;
  return phase == Phase::defining || (phase == Phase::running && rank(p, r).is_reset);
}

int Scene::other_mesh(int p, bool received) const {
  for (int other = 0; other < setting_.num_participants(); ++other) {
    bool is_received = false;
    for (const Flow& flow : setting_.flows) {
      is_received |= flow.ends_there() ? flow.from == p && flow.to == other
                                       : flow.to == p && flow.from == other;
    }
    if (other != p && is_received == received) {
      return other;
    }
  }
  return -1;
}

} // namespace walks
