// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/grammar/xml.hpp"

#include "isthmus/grammar/file_line.hpp"
#include "isthmus/grammar/values.hpp"

#include <tinyxml2.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace isthmus::grammar {

namespace {

const char* explain(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "this tag is not written correctly";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute of this tag is malformed or given twice; write each once, as "
             "name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "text stands where only tags may stand";
    case tinyxml2::XML_ERROR_PARSING_CDATA:
      return "a CDATA section does not end";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment does not end; close it with -->";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "the declaration <?xml ... ?> is malformed or not at the start of the file";
    case tinyxml2::XML_ERROR_PARSING_UNKNOWN:
      return "a <! ... > section does not end";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "there is no tag in this file";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "this tag and the next closing tag do not match; close each tag with </tag> or />";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "tags are nested too deeply";
    default:
      return "this is not valid XML, or the file ends too early";
  }
}

XmlElement convert(const tinyxml2::XMLElement& source, const std::string& file) {
  XmlElement element{source.Name(), {}, {}, {}, source.GetLineNum()};
  for (const auto* attribute = source.FirstAttribute(); attribute != nullptr;
       attribute = attribute->Next()) {
    element.attributes.push_back({attribute->Name(), attribute->Value(), attribute->GetLineNum()});
  }
  for (const auto* node = source.FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (const auto* child = node->ToElement()) {
      element.children.push_back(convert(*child, file));
    } else if (const auto* text = node->ToText()) {
      element.notes.push_back(
          fmt::format("{}:{}: {} contains the text \"{:.40}\", which has no effect; remove it",
                      file, text->GetLineNum(), element.label(), trimmed(text->Value())));
    }
  }
  return element;
}

} // namespace

const XmlAttribute* XmlElement::find(std::string_view attribute) const {
  for (const XmlAttribute& candidate : attributes) {
    if (candidate.name == attribute) {
      return &candidate;
    }
  }
  return nullptr;
}

std::string XmlElement::label() const {
  if (attributes.empty()) {
    return fmt::format("<{}>", name);
  }
  const XmlAttribute* named = find("name");
  const XmlAttribute& shown = named != nullptr ? *named : attributes.front();
  return fmt::format("<{} {}=\"{}\">", name, shown.name, shown.value);
}

std::string read_file(const std::string& file) {
  std::error_code ignored;
  check(!std::filesystem::is_directory(file, ignored),
        "configuration \"{}\" is a directory; give the path of an XML file", file);
  std::ifstream stream(file, std::ios::binary);
  check(stream.good(), "configuration file \"{}\" cannot be opened ({}); working directory: {}",
        file, std::strerror(errno), std::filesystem::current_path(ignored).string());
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

XmlElement parse_xml(const std::string& text, const std::string& file) {
  check(text.find('\0') == std::string::npos,
        "{} contains a zero byte; is it really an XML file (in UTF-8)?", file);
  tinyxml2::XMLDocument document;
  document.Parse(text.data(), text.size());
  check_at(!document.Error(), {file, document.ErrorLineNum()}, "{}", explain(document.ErrorID()));
  const auto* root = document.RootElement();
  check(root != nullptr, "{}: there is no tag in this file", file);
  for (const auto* node = document.FirstChild(); node != nullptr; node = node->NextSibling()) {
    check_at(node == root || (node->ToElement() == nullptr && node->ToText() == nullptr),
             {file, node->GetLineNum()},
             "there is more than one tag at the top; only <{}> may stand there", root->Name());
  }
  return convert(*root, file);
}

} // namespace isthmus::grammar
