// SPDX-License-Identifier: BSD-3-Clause
#include "export_files.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace random_runs {

namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  if (!in) {
    throw std::runtime_error(file + " is missing");
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<double> numbers_in(const std::string& text) {
  std::istringstream cells(text);
  return {std::istream_iterator<double>(cells), {}};
}

/// Gradients stand in no table: tests/participant/meshes/gradient_test.cpp knows what they are.
bool is_gradient(const std::string& name) {
  const auto ends = [&name](const std::string& end) { return name.ends_with(end); };
  return ends("_gradient") || ends("_dx") || ends("_dy") || ends("_dz");
}

/// Adds columns to a table, row by row.
class Columns {
 public:
  explicit Columns(int dimensions) : dimensions_(static_cast<std::size_t>(dimensions)) {}

  /// Vectors have three components in a file.
  void add(const std::vector<double>& values, std::size_t components) {
    const std::size_t shown = components == 1 ? 1 : dimensions_;
    if (rows_.empty()) {
      rows_.resize(values.size() / components);
    }
    if (values.size() != rows_.size() * components) {
      throw std::runtime_error("an export has arrays of different sizes");
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % components < shown) {
        rows_[i / components].push_back(values[i]);
      } else if (values[i] != 0) {
        throw std::runtime_error("an export in 2D has vectors with a third component");
      }
    }
  }

  [[nodiscard]] Table table() const {
    Table all{rows_.empty() ? 0 : rows_.front().size(), {}};
    for (const std::vector<double>& row : rows_) {
      all.values.insert(all.values.end(), row.begin(), row.end());
    }
    return all;
  }

 private:
  std::size_t dimensions_;
  std::vector<std::vector<double>> rows_;
};

Table read_csv(const std::string& file) {
  std::string text = text_of(file);
  const auto head = text.begin() + static_cast<std::ptrdiff_t>(text.find('\n'));
  const auto columns = static_cast<std::size_t>(std::count(text.begin(), head, ';') + 1);
  std::replace(text.begin(), text.end(), ';', ' ');
  return {columns, numbers_in({head, text.end()})};
}

Table read_vtk(const std::string& file, int dimensions) {
  std::istringstream in(text_of(file));
  Columns columns(dimensions);
  std::size_t count = 0;
  const auto take = [&in, &count, &columns](std::size_t components, bool is_shown = true) {
    std::vector<double> values(count * components);
    for (double& value : values) {
      in >> value;
    }
    if (is_shown) {
      columns.add(values, components);
    }
  };
  std::string name;
  for (std::string word; in >> word;) {
    if (word == "POINTS" && in >> count >> word) {
      take(3);
    } else if (word == "default") { // of a lookup table
      take(1);
    } else if (word == "VECTORS" && in >> name >> word) {
      take(3, !is_gradient(name));
    }
  }
  return columns.table();
}

std::vector<char> bytes_of(const std::string& base64) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<char> bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char letter : base64.substr(0, base64.find('='))) {
    group = (group << 6U) | static_cast<std::uint32_t>(letters.find(letter));
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<char>((group >> static_cast<std::uint32_t>(bits)) & 255U));
    }
  }
  return bytes;
}

/// After the number of bytes.
template <typename T>
std::vector<double> numbers_of(const std::vector<char>& bytes) {
  constexpr std::size_t head = sizeof(std::uint64_t);
  std::vector<T> values((bytes.size() - head) / sizeof(T));
  if (!values.empty()) {
    std::memcpy(values.data(), bytes.data() + head, values.size() * sizeof(T));
  }
  return {values.begin(), values.end()};
}

std::string attribute(const std::string& tag, const std::string& name) {
  const std::size_t begin = tag.find(" " + name + "=\"") + name.size() + 3;
  return tag.substr(begin, tag.find('"', begin) - begin);
}

Table read_xml(const std::string& file, int dimensions) {
  const std::string text = text_of(file);
  Columns columns(dimensions);
  const std::string start = "<DataArray";
  for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at + 1)) {
    const std::size_t body = text.find('>', at) + 1;
    const std::string tag = text.substr(at, body - at);
    const std::vector<char> bytes = bytes_of(text.substr(body, text.find('<', body) - body));
    const std::string type = attribute(tag, "type");
    const std::string name = attribute(tag, "Name");
    if (name == "Rank") {
      columns.add(numbers_of<std::uint32_t>(bytes), 1);
    } else if (type == "Float64" && !is_gradient(name)) {
      columns.add(numbers_of<double>(bytes), std::stoul(attribute(tag, "NumberOfComponents")));
    }
  }
  return columns.table();
}

} // namespace

Table read_export(const std::string& file, int dimensions) {
  const std::string extension = file.substr(file.rfind('.') + 1);
  return extension == "csv"   ? read_csv(file)
         : extension == "vtk" ? read_vtk(file, dimensions)
                              : read_xml(file, dimensions);
}

std::vector<SeriesEntry> read_series(const std::string& file) {
  const std::string text = text_of(file);
  const std::string name = "\"name\" : \"";
  const std::string time = "\"time\" : ";
  std::vector<SeriesEntry> entries;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t begin = at + name.size();
    const std::size_t value = text.find(time, at) + time.size();
    entries.push_back(
        {text.substr(begin, text.find('"', begin) - begin), std::stod(text.substr(value))});
  }
  return entries;
}

} // namespace random_runs
