// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/logging/log_filter.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/grammar/values.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <string_view>

namespace isthmus::logging {

namespace {

constexpr std::array<std::string_view, 15> filtered_attributes = {
    "Severity", "ColorizedSeverity", "Rank",   "Participant", "Message",   "Module",   "File",
    "Line",     "Function",          "LineID", "TimeStamp",   "ProcessID", "ThreadID", "Runtime",
    "preCICE"};
constexpr std::array<std::string_view, 7> signs = {"<=", ">=", "!=", "==", "=", "<", ">"};
constexpr std::array<std::string_view, 4> searches = {"contains", "begins_with", "ends_with",
                                                      "matches"};
constexpr std::array<std::string_view, 5> severities = {"trace", "debug", "info", "warning",
                                                        "error"};
constexpr int deepest = 100; // parentheses
constexpr std::size_t longest = 10000;
constexpr std::size_t longest_matched = 2000; // the search goes as deep as the text is long

template <typename List>
std::optional<int> place_in(const List& list, std::string_view word) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == word) {
      return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

template <typename T>
bool compare(const T& left, std::string_view sign, const T& right) {
  if (sign == "=" || sign == "==") {
    return left == right;
  }
  if (sign == "!=") {
    return left != right;
  }
  return sign == "<"    ? left < right
         : sign == "<=" ? left <= right
         : sign == ">"  ? left > right
                        : left >= right;
}

using TextTest = std::function<bool(std::string_view text)>;

/// Whether a whole text matches; std::regex_error if the expression is wrong.
TextTest matches(const std::string& expression) {
  return [compiled = std::regex(expression)](std::string_view text) {
    return text.size() <= longest_matched && std::regex_match(text.begin(), text.end(), compiled);
  };
}

TextTest finds(std::string_view how, const std::string& part) {
  return [how, part](std::string_view text) {
    return how == "contains"      ? text.find(part) != std::string_view::npos
           : how == "begins_with" ? text.starts_with(part)
                                  : text.ends_with(part);
  };
}

/// Recursive descent: or, and, not, then parentheses or a relation.
class Parser {
 public:
  Parser(std::string_view text, const std::string& place) : text_(text), place_(place) {}

  LogFilter parse() {
    LogFilter filter = either();
    skip_space();
    if (at_ < text_.size()) {
      complain("and, or, or the end");
    }
    return filter;
  }

 private:
  LogFilter either() {
    LogFilter left = both();
    while (take_word("or") || take("||") || take("|")) {
      left = [left, right = both()](const LogRecord& record) {
        return left(record) || right(record);
      };
    }
    return left;
  }

  LogFilter both() {
    LogFilter left = single();
    while (take_word("and") || take("&&") || take("&")) {
      left = [left, right = single()](const LogRecord& record) {
        return left(record) && right(record);
      };
    }
    return left;
  }

  LogFilter single() {
    if (++depth_ > deepest) {
      complain("fewer parentheses");
    }
    LogFilter filter;
    if (take_word("not") || take("!")) {
      filter = [inner = single()](const LogRecord& record) { return !inner(record); };
    } else if (take("(")) {
      filter = either();
      if (!take(")")) {
        complain("a closing parenthesis");
      }
    } else {
      filter = relation();
    }
    --depth_;
    return filter;
  }

  LogFilter relation() {
    const std::string attribute = take_attribute();
    for (const std::string_view sign : signs) {
      if (take(sign)) {
        return comparison(attribute, sign, take_operand());
      }
    }
    for (const std::string_view how : searches) {
      if (take_word(how)) {
        return searching(attribute, how, take_operand());
      }
    }
    const bool present = attribute == "Severity" || attribute == "ColorizedSeverity" ||
                         attribute == "Rank" || attribute == "Participant" ||
                         attribute == "Message" || attribute == "preCICE";
    return [present](const LogRecord&) { return present; };
  }

  LogFilter comparison(const std::string& attribute, std::string_view sign,
                       const std::string& operand) {
    if (attribute == "Severity" || attribute == "ColorizedSeverity") {
      const auto level = place_in(severities, operand);
      if (!level) {
        complain("trace, debug, info, warning or error before this");
      }
      return [sign, limit = *level](const LogRecord& record) {
        return compare(static_cast<int>(record.severity) + 1, sign, limit);
      };
    }
    if (attribute == "Rank") {
      const auto number = grammar::to_integer(operand);
      if (!number) {
        complain("a number before this");
      }
      return [sign, rank = *number](const LogRecord& record) {
        return compare(record.rank, sign, rank);
      };
    }
    return on_text(attribute, [sign, operand](std::string_view text) {
      return compare<std::string_view>(text, sign, operand);
    });
  }

  LogFilter searching(const std::string& attribute, std::string_view how,
                      const std::string& operand) {
    const TextTest test = how == "matches" ? matching(operand) : finds(how, operand);
    if (attribute == "Severity" || attribute == "ColorizedSeverity") {
      return [test](const LogRecord& record) { return test(name(record.severity)); };
    }
    return on_text(attribute, test);
  }

  [[nodiscard]] TextTest matching(const std::string& expression) const {
    try {
      return matches(expression);
    } catch (const std::regex_error&) {
      complain("a regular expression before this");
    }
  }

  template <typename Test>
  static LogFilter on_text(const std::string& attribute, Test test) {
    if (attribute == "Message") {
      return [test](const LogRecord& record) { return test(record.text); };
    }
    if (attribute == "Participant") {
      return [test](const LogRecord& record) { return test(record.participant); };
    }
    return [](const LogRecord&) { return false; };
  }

  void skip_space() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
      ++at_;
    }
  }

  bool take(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) {
      return false;
    }
    at_ += token.size();
    return true;
  }

  bool take_word(std::string_view word) {
    const std::size_t begin = at_;
    if (!take(word)) {
      return false;
    }
    const bool ends = at_ == text_.size() ||
                      std::string_view(" \t\r\n(\"%!").find(text_[at_]) != std::string_view::npos;
    at_ = ends ? at_ : begin;
    return ends;
  }

  std::string take_attribute() {
    if (!take("%")) {
      complain("an attribute such as %Severity%");
    }
    const std::size_t end = text_.find('%', at_);
    const std::string attribute(text_.substr(at_, end == std::string_view::npos ? end : end - at_));
    if (end == std::string_view::npos || !place_in(filtered_attributes, attribute)) {
      complain("one of %Severity%, %Rank%, %Participant%, %Message%, %Module%");
    }
    at_ = end + 1;
    return attribute;
  }

  std::string take_operand() {
    if (take("\"")) {
      const std::size_t end = text_.find('"', at_);
      if (end == std::string_view::npos) {
        complain("a closing quotation mark");
      }
      const std::string operand(text_.substr(at_, end - at_));
      at_ = end + 1;
      return operand;
    }
    skip_space();
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n()&|", at_), text_.size());
    if (end == at_) {
      complain("a value");
    }
    const std::string operand(text_.substr(at_, end - at_));
    at_ = end;
    return operand;
  }

  [[noreturn]] void complain(std::string_view wanted) const {
    fail("{} filter=\"{}\" is not understood at \"{:.30}\": expected {}", place_, text_,
         at_ < text_.size() ? text_.substr(at_) : "the end", wanted);
  }

  std::string_view text_;
  const std::string& place_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

} // namespace

LogFilter compile_filter(const std::string& text, const std::string& place) {
  if (grammar::trimmed(text).empty()) {
    return [](const LogRecord& record) { return record.severity >= Severity::info; };
  }
  check(text.size() <= longest, "{} filter is longer than {} letters", place, longest);
  return Parser(text, place).parse();
}

} // namespace isthmus::logging
