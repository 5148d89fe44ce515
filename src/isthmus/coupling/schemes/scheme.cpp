// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/schemes/scheme.hpp"

#include <algorithm>

namespace isthmus::coupling {

namespace {

Scheme::Role role_of(const config::CouplingScheme& settings, const std::string& self) {
  if (settings.kind != config::SchemeKind::serial_explicit &&
      settings.kind != config::SchemeKind::serial_implicit) {
    return Scheme::Role::parallel;
  }
  return settings.participants[0] == self ? Scheme::Role::first : Scheme::Role::second;
}

/// Of several participants each talks to the controller, and to those with whom it exchanges data.
std::vector<std::string> partners_of(const config::CouplingScheme& settings,
                                     const std::string& self) {
  const auto is_partner = [&](const std::string& other) {
    return settings.kind != config::SchemeKind::multi || self == settings.controller ||
           other == settings.controller || settings.joins(self, other);
  };
  std::vector<std::string> partners;
  for (const std::string& other : settings.participants) {
    if (other != self && is_partner(other)) {
      partners.push_back(other);
    }
  }
  return partners;
}

Window window_of(const config::CouplingScheme& settings, Scheme::Role role) {
  const Window::Size kind = !settings.time_window.set_by_first_participant ? Window::Size::fixed
                            : role == Scheme::Role::first                  ? Window::Size::dictated
                                                                           : Window::Size::followed;
  return {kind, settings.time_window.size, settings.max_time, settings.max_time_windows};
}

} // namespace

Scheme::Scheme(const config::CouplingScheme& settings, const std::string& self, int number)
    : settings_(settings),
      self_(self),
      number_(number),
      role_(role_of(settings, self)),
      leads_(settings.implicit() && settings.leader() == self),
      partners_(partners_of(settings, self)),
      window_(window_of(settings, role_)) {}

void Scheme::connect(fields::Items& all) {
  std::vector<fields::Item> out;
  std::vector<fields::Item> in;
  std::vector<fields::Item> initial_out;
  std::vector<fields::Item> initial_in;
  for (const config::Exchange& exchange : settings_.exchanges) {
    const bool outgoing = exchange.from == self_;
    if (!outgoing && exchange.to != self_) {
      continue;
    }
    for (const fields::Item& item : all.of(exchange)) {
      (outgoing ? out : in).push_back(item);
      if (exchange.initialize) {
        (outgoing ? initial_out : initial_in).push_back(item);
      }
    }
  }
  const transport::Kind data = kind(transport::Kind::data);
  regular_ = fields::MessageSet(std::move(out), std::move(in), {}, data);
  initial_ = fields::MessageSet(std::move(initial_out), std::move(initial_in), {}, data);
}

void Scheme::listen(const fields::Listeners& listeners) {
  regular_ = fields::MessageSet(regular_.outgoing(), regular_.incoming(), listeners,
                                kind(transport::Kind::data));
}

void Scheme::open_incoming() {
  for (const fields::Item& item : regular_.incoming()) {
    if (role_ == Role::second) {
      item.field->wave().keep_last();
    } else {
      item.field->wave().clear();
    }
  }
}

void Scheme::set_arrival_times() {
  const double end = arrival_time();
  for (const fields::Item& item : regular_.incoming()) {
    time::Waveform& wave = item.field->wave();
    if (!wave.empty() && time::same_time(wave.time(wave.num_samples() - 1), end, end)) {
      wave.set_last_time(end);
    }
    if (role_ != Role::second && !is_implicit()) {
      wave.keep_last(); // constant over the next window
    }
  }
}

} // namespace isthmus::coupling
