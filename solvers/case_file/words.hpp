// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace toml {
inline namespace v3 {
class table;
class node;
} // namespace v3
} // namespace toml

namespace isthmus::solvers {

/// One table of a case file, of which each word is known and of the right kind. All functions throw
/// Error naming file and line.
class Words {
 public:
  /// `known` are the words of the table; `file` and `table` must outlive it.
  Words(const std::string& file, std::string name, const toml::table* table,
        std::initializer_list<std::string_view> known);

  /// Whether the file has the table.
  [[nodiscard]] bool is_there() const { return table_ != nullptr; }
  [[nodiscard]] bool has(std::string_view word) const;
  /// "case.toml:12", of a word or of the table.
  [[nodiscard]] std::string place(std::string_view word = {}) const;

  [[nodiscard]] double number(std::string_view word, double otherwise) const;
  /// At least `least`; strictly more if `is_open`.
  [[nodiscard]] double number(std::string_view word, double otherwise, double least,
                              bool is_open) const;
  [[nodiscard]] int count(std::string_view word, int otherwise, int least) const;
  /// A list of them, from 1 on; empty without the word.
  [[nodiscard]] std::vector<int> counts(std::string_view word) const;
  [[nodiscard]] bool flag(std::string_view word, bool otherwise) const;
  [[nodiscard]] std::string text(std::string_view word, std::string_view otherwise) const;
  /// Position of the text in `choices`.
  [[nodiscard]] std::size_t choice(std::string_view word, std::string_view otherwise,
                                   const std::vector<std::string>& choices) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view word) const;
  /// As many numbers as `otherwise`, or fewer: the others stay.
  template <typename Numbers>
  [[nodiscard]] Numbers numbers(std::string_view word, Numbers otherwise) const {
    const std::vector<double> found = list(word, otherwise.size());
    for (std::size_t n = 0; n < found.size(); ++n) {
      otherwise[n] = static_cast<typename Numbers::value_type>(found[n]);
    }
    return otherwise;
  }

 private:
  [[nodiscard]] const toml::node* find(std::string_view word) const;
  [[nodiscard]] std::vector<double> list(std::string_view word, std::size_t most) const;
  [[noreturn]] void refuse(std::string_view word, std::string_view wanted) const;

  const std::string& file_;
  std::string name_;
  const toml::table* table_; // nullptr: not there
};

/// Throws Error, naming file and line, of a table that is not one of `known`.
void check_tables(const std::string& file, const toml::table& root,
                  const std::vector<std::string>& known);

/// Local. The tables of a case file. Throws Error naming file and line of what is no TOML.
[[nodiscard]] toml::table parse(const std::filesystem::path& path);

} // namespace isthmus::solvers
