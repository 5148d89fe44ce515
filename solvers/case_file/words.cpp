// SPDX-License-Identifier: BSD-3-Clause
#include "case_file/words.hpp"
#include "case_file/toml.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/grammar/suggest.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::solvers {

Words::Words(const std::string& file, std::string name, const toml::table* table,
             std::initializer_list<std::string_view> known)
    : file_(file), name_(std::move(name)), table_(table) {
  if (table_ == nullptr) {
    return;
  }
  const std::vector<std::string> words(known.begin(), known.end());
  for (const auto& [key, value] : *table_) {
    const std::string word(key.str());
    check(std::find(words.begin(), words.end(), word) != words.end(),
          "{}: [{}] has no word \"{}\"{}", place(word), name_, word,
          grammar::suggestion(word, words));
  }
}

bool Words::has(std::string_view word) const {
  return find(word) != nullptr;
}

const toml::node* Words::find(std::string_view word) const {
  return table_ == nullptr ? nullptr : table_->get(word);
}

std::string Words::place(std::string_view word) const {
  const toml::node* found = word.empty() ? nullptr : find(word);
  const auto line = found != nullptr    ? found->source().begin.line
                    : table_ != nullptr ? table_->source().begin.line
                                        : 0;
  return line > 0 ? fmt::format("{}:{}", file_, line) : file_;
}

void Words::refuse(std::string_view word, std::string_view wanted) const {
  fail("{}: \"{}\" of [{}] must be {}", place(word), word, name_, wanted);
}

double Words::number(std::string_view word, double otherwise) const {
  const toml::node* found = find(word);
  if (found == nullptr) {
    return otherwise;
  }
  const auto value = found->value<double>();
  if (!found->is_number() || !value || !std::isfinite(*value)) {
    refuse(word, "a number");
  }
  return *value;
}

double Words::number(std::string_view word, double otherwise, double least, bool is_open) const {
  const double value = number(word, otherwise);
  if (!(is_open ? value > least : value >= least)) {
    refuse(word, fmt::format("{} {}", is_open ? "above" : "at least", least));
  }
  return value;
}

int Words::count(std::string_view word, int otherwise, int least) const {
  const toml::node* found = find(word);
  if (found == nullptr) {
    return otherwise;
  }
  const auto value = found->value_exact<std::int64_t>();
  if (!value || *value < least || *value > 2'000'000'000) {
    refuse(word, fmt::format("a whole number from {} on", least));
  }
  return static_cast<int>(*value);
}

std::vector<int> Words::counts(std::string_view word) const {
  constexpr std::size_t most = 1 << 20;
  std::vector<int> result;
  for (const double value : list(word, most)) {
    if (!(value >= 1 && value <= 2e9 && value == std::floor(value))) {
      refuse(word, "a list of whole numbers from 1 on");
    }
    result.push_back(static_cast<int>(value));
  }
  return result;
}

bool Words::flag(std::string_view word, bool otherwise) const {
  const toml::node* found = find(word);
  if (found != nullptr && !found->is_boolean()) {
    refuse(word, "true or false");
  }
  return found == nullptr ? otherwise : *found->value<bool>();
}

std::string Words::text(std::string_view word, std::string_view otherwise) const {
  const toml::node* found = find(word);
  if (found != nullptr && !found->is_string()) {
    refuse(word, "a text in quotes");
  }
  return found == nullptr ? std::string(otherwise) : *found->value<std::string>();
}

std::size_t Words::choice(std::string_view word, std::string_view otherwise,
                          const std::vector<std::string>& choices) const {
  const std::string value = text(word, otherwise);
  const auto found = std::find(choices.begin(), choices.end(), value);
  check(found != choices.end(), "{}: \"{}\" of [{}] cannot be \"{}\"{}", place(word), word, name_,
        value, grammar::suggestion(value, choices));
  return static_cast<std::size_t>(found - choices.begin());
}

std::vector<std::string> Words::texts(std::string_view word) const {
  const toml::node* found = find(word);
  const toml::array* const values = found == nullptr ? nullptr : found->as_array();
  std::vector<std::string> result;
  for (std::size_t n = 0; values != nullptr && n < values->size(); ++n) {
    if (!values->get(n)->is_string()) {
      refuse(word, "a list of texts");
    }
    result.push_back(*values->get(n)->value<std::string>());
  }
  if (result.empty()) {
    refuse(word, "a list of texts");
  }
  return result;
}

std::vector<double> Words::list(std::string_view word, std::size_t most) const {
  const toml::node* found = find(word);
  if (found == nullptr) {
    return {};
  }
  const toml::array* const values = found->as_array();
  std::vector<double> result;
  for (std::size_t n = 0; values != nullptr && n < values->size(); ++n) {
    const auto value = values->get(n)->value<double>();
    if (!values->get(n)->is_number() || !value || !std::isfinite(*value)) {
      refuse(word, "a list of numbers");
    }
    result.push_back(*value);
  }
  if (result.empty() || result.size() > most) {
    refuse(word, fmt::format("a list of at most {} numbers", most));
  }
  return result;
}

void check_tables(const std::string& file, const toml::table& root,
                  const std::vector<std::string>& known) {
  for (const auto& [key, value] : root) {
    const std::string word(key.str());
    check(std::find(known.begin(), known.end(), word) != known.end(),
          "{}:{}: there is no table \"{}\"{}", file, value.source().begin.line, word,
          grammar::suggestion(word, known));
  }
}

toml::table parse(const std::filesystem::path& path) {
  try {
    return toml::parse_file(path.string());
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    fail("{}{}: {}", path.string(), line > 0 ? fmt::format(":{}", line) : "", error.description());
  }
}

} // namespace isthmus::solvers
