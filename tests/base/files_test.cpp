// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/error.hpp"
#include "isthmus/base/text/json_text.hpp"
#include "isthmus/base/text/table_file.hpp"

#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

using namespace isthmus;

namespace {

std::string content_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("lines of a table can be read while it is open") {
  const WorkingFolder folder;
  TableFile table("table");
  CHECK(content_of("table").empty());
  CHECK_FALSE(table.is_continued());
  table.put("a b\n");
  CHECK(content_of("table") == "a b\n");
  table.put("1 2\n3 4\n");
  CHECK(content_of("table") == "a b\n1 2\n3 4\n");
  CHECK(table.size() == 12);
}

TEST_CASE("lines that come in haste are in a table when it is flushed, or after a while") {
  const WorkingFolder folder;
  TableFile table("table");
  table.put_soon("1\n");
  CHECK(content_of("table") == "1\n");
  std::string lines = "1\n";
  for (int i = 0; i < 100; ++i) {
    table.put_soon("2\n");
    lines += "2\n";
    CHECK(lines.starts_with(content_of("table")));
  }
  table.flush();
  CHECK(content_of("table") == lines);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  table.put_soon("3\n");
  CHECK(content_of("table") == lines + "3\n");
  table.put_soon("4\n");
  table.put("5\n"); // behind it
  CHECK(content_of("table") == lines + "3\n4\n5\n");
  CHECK(table.size() == lines.size() + 6);
}

TEST_CASE("a table goes on behind the bytes that are kept, or begins anew") {
  const WorkingFolder folder;
  TableFile("table").put("a b\n1 2\n3 4\n");
  {
    TableFile table("table", 8);
    CHECK(table.is_continued());
    CHECK(table.size() == 8);
    CHECK(content_of("table") == "a b\n1 2\n");
    table.put("5 6\n");
    CHECK(table.size() == 12);
  }
  CHECK(content_of("table") == "a b\n1 2\n5 6\n");
  CHECK(TableFile("table", 12).is_continued()); // all of it
  CHECK(content_of("table") == "a b\n1 2\n5 6\n");
  {
    const TableFile table("table", 13); // it is not that of the earlier run
    CHECK_FALSE(table.is_continued());
    CHECK(table.size() == 0);
  }
  CHECK(content_of("table").empty());
  const TableFile missing("other", 4);
  CHECK_FALSE(missing.is_continued());
  TableFile("table").put("x\n");
  CHECK_FALSE(TableFile("table").is_continued());
  CHECK(content_of("table").empty());
}

TEST_CASE("a table without a file writes nothing") {
  TableFile table;
  table.put("a b\n");
  CHECK(table.size() == 0);
  CHECK_FALSE(table.is_continued());
}

TEST_CASE("a table that cannot be written says where and why") {
  const WorkingFolder folder;
  CHECK_THROWS_WITH_AS(TableFile("no folder/table"),
                       "cannot write \"no folder/table\": No such file or directory; look at the "
                       "free space, and at the rights of this user in the folder",
                       Error);
  TableFile full("/dev/full");
  CHECK_THROWS_WITH_AS(full.put("a b\n"),
                       doctest::Contains("cannot write \"/dev/full\": No space left on device"),
                       Error);
}

TEST_CASE("a text of JSON has its quotes, backslashes and control characters escaped") {
  CHECK(json_text("") == "\"\"");
  CHECK(json_text("Fluid/advance") == "\"Fluid/advance\"");
  CHECK(json_text("a \"b\" \\ c") == R"("a \"b\" \\ c")");
  CHECK(json_text("\n\t\x1f") == R"("\u000a\u0009\u001f")");
  CHECK(json_text(std::string("\0", 1)) == R"("\u0000")");
  CHECK(json_text("Größe €") == "\"Größe €\""); // UTF-8 stays
}
