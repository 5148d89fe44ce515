// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/handshake.hpp"

#include "isthmus/base/wire.hpp"

#include <sstream>
#include <utility>

namespace isthmus::connect {

std::string library_version() {
  return ISTHMUS_VERSION;
}

std::vector<std::byte> encode(const Hello& hello) {
  Writer writer;
  writer.put_text(hello.from.participant).put(hello.from.rank).put(hello.from.size);
  writer.put_text(hello.from.fingerprint).put_text(hello.from.version);
  put(writer, hello.address);
  writer.put_text(hello.to_participant).put(hello.to_rank);
  writer.put(std::uint8_t{hello.shm}).put(hello.ring_capacity);
  return writer.take();
}

std::vector<std::byte> encode(const Answer& answer) {
  Writer writer;
  writer.put_text(answer.refusal).put_text(answer.segment).put(answer.ring_capacity);
  return writer.take();
}

Hello decode_hello(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Hello hello;
  hello.from.participant = reader.get_text();
  hello.from.rank = reader.get<int>();
  hello.from.size = reader.get<int>();
  hello.from.fingerprint = reader.get_text();
  hello.from.version = reader.get_text();
  hello.address = get_address(reader);
  hello.to_participant = reader.get_text();
  hello.to_rank = reader.get<int>();
  hello.shm = reader.get<std::uint8_t>() != 0;
  hello.ring_capacity = reader.get<std::uint64_t>();
  reader.finish();
  return hello;
}

Answer decode_answer(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Answer answer;
  answer.refusal = reader.get_text();
  answer.segment = reader.get_text();
  answer.ring_capacity = reader.get<std::uint64_t>();
  reader.finish();
  return answer;
}

transport::Peer peer_of(const Hello& hello) {
  return {hello.from.participant, hello.from.rank, hello.address.host, hello.address.pid};
}

std::string difference(const std::string& own, const std::string& other) {
  for (const auto& [lines, reference] : {std::pair(own, other), std::pair(other, own)}) {
    std::istringstream parts(lines);
    for (std::string line; std::getline(parts, line);) {
      if (reference.find(line) == std::string::npos) {
        return line.substr(0, line.rfind(' '));
      }
    }
  }
  return "the order of their parts";
}

std::string objection(const RankIdentity& self, const Hello& hello) {
  if (hello.from.version != self.version) {
    return fmt::format(
        "\"{}\" uses version {} of Isthmus, \"{}\" version {}; use the same for both",
        hello.from.participant, hello.from.version, self.participant, self.version);
  }
  if (hello.to_participant != self.participant || hello.to_rank != self.rank) {
    return fmt::format("it looks for rank {} of participant \"{}\", but this is rank {} of \"{}\"",
                       hello.to_rank, hello.to_participant, self.rank, self.participant);
  }
  if (hello.from.fingerprint != self.fingerprint) {
    return fmt::format(
        "\"{}\" and \"{}\" read different configurations: they differ in {}; give all "
        "participants the same file",
        hello.from.participant, self.participant,
        difference(self.fingerprint, hello.from.fingerprint));
  }
  return {};
}

} // namespace isthmus::connect
