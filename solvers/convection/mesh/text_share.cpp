// SPDX-License-Identifier: BSD-3-Clause
#include "convection/mesh/text_share.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <fstream>

namespace isthmus::convection {

TextShare::TextShare(const comm::Comm& comm, const std::filesystem::path& file, std::int64_t begin,
                     std::int64_t before)
    : file_(file.string()) {
  std::int64_t size = 0;
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      size = static_cast<std::int64_t>(std::filesystem::file_size(file)) - begin;
    }
  });
  size = comm::bcast(comm, size);
  begin = comm::bcast(comm, begin);
  before = comm::bcast(comm, before);
  comm::agree(comm, [&] {
    const Share own = share_of(comm.rank(), comm.size(), size);
    read(file, begin + own.first, begin + own.first + own.count, comm.rank() == 0);
  });
  const auto lines = static_cast<std::int64_t>(starts_.size());
  first_ = before + 1 + comm::exscan(comm, lines);
  last_ = before + comm::allreduce(comm, lines, comm::Op::sum);
}

void TextShare::read(const std::filesystem::path& file, std::int64_t begin, std::int64_t end,
                     bool is_first) {
  if (begin == end) {
    return;
  }
  std::ifstream in(file, std::ios::binary);
  check(in.is_open(), "cannot open \"{}\"", file_);
  const std::int64_t from = is_first ? begin : begin - 1; // a line may begin right there
  in.seekg(from);
  text_.resize(static_cast<std::size_t>(end - from));
  in.read(text_.data(), static_cast<std::streamsize>(text_.size()));
  check(in.gcount() == static_cast<std::streamsize>(text_.size()), "cannot read \"{}\"", file_);
  const std::size_t part = text_.size();
  std::size_t at = is_first ? 0 : text_.find('\n') + 1; // npos + 1 is 0
  if (!is_first && at == 0) {
    at = part; // the middle of a line
  }
  if (at < part && text_.back() != '\n') {
    std::string rest;
    std::getline(in, rest);
    text_ += rest + '\n';
  }
  while (at < part) {
    starts_.push_back(at);
    const std::size_t stop = std::min(text_.find('\n', at), text_.size() - 1);
    text_[stop] = 0;
    if (stop > at && text_[stop - 1] == '\r') {
      text_[stop - 1] = 0;
    }
    at = stop + 1;
  }
}

} // namespace isthmus::convection
