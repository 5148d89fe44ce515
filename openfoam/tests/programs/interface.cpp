// SPDX-License-Identifier: GPL-3.0-or-later
// Calls each function of OpenFOAM's parallel interface and writes what it gives on this rank, all
// digits, to PREFIX.RANK: the same program with the packaged libPstream.so and with ours writes the
// same. With a word behind PREFIX the second rank aborts while the others wait.
#include "HashTable.H"
#include "IPstream.H"
#include "OPstream.H"
#include "PstreamBuffers.H"
#include "PstreamReduceOps.H"
#include "scalarList.H"
#include "vector2D.H"

#include <cmath>
#include <fstream>
#include <string>

using namespace Foam;

namespace {

using Type = UPstream::commsTypes;

std::ofstream out;

template <typename... Values>
void show(const char* what, const Values&... values) {
  out << what;
  ((out << ' ' << values), ...);
  out << '\n';
}

template <typename Values>
void show_list(const char* what, const Values& values) {
  out << what;
  for (const auto& value : values) {
    out << ' ' << value;
  }
  out << '\n';
}

/// A number whose sum depends on the order.
scalar odd(label rank) {
  return std::sin(1.0 + rank) * std::pow(10.0, rank % 3 * 8);
}

void reductions(label comm) {
  const label me = UPstream::myProcNo(comm);
  const int tag = UPstream::msgType();
  scalar sum = odd(me);
  reduce(sum, sumOp<scalar>(), tag, comm);
  scalar least = odd(me);
  reduce(least, minOp<scalar>(), tag, comm);
  vector2D pair(odd(me), odd(me + 5));
  reduce(pair, sumOp<vector2D>(), tag, comm);
  scalar value = odd(me);
  label count = me + 1;
  sumReduce(value, count, tag, comm);
  show("sum", sum, least, pair.x(), pair.y(), value, count);
  scalar most = odd(me); // by messages along a tree
  reduce(most, maxOp<scalar>(), tag, comm);
  label total = me;
  reduce(total, sumOp<label>(), tag, comm);
  show("tree", most, total);
  scalar later = me + 1;
  label request = -1;
  reduce(later, sumOp<scalar>(), tag, comm, request);
  if (request >= 0) {
    UPstream::waitRequest(request);
  }
  show("later", later);
}

void collectives(label comm) {
  const label me = UPstream::myProcNo(comm);
  const label ranks = UPstream::nProcs(comm);
  labelList sent(ranks);
  labelList received(ranks, -1);
  forAll(sent, i) {
    sent[i] = 100 * me + i;
  }
  UPstream::allToAll(sent, received, comm);
  show_list("all to all", received);

  List<int> sizes(ranks);
  List<int> offsets(ranks);
  List<int> from_sizes(ranks);
  List<int> from_offsets(ranks);
  std::string bytes;
  int place = 0;
  forAll(sizes, i) {
    sizes[i] = (me + i) % 3;
    offsets[i] = static_cast<int>(bytes.size());
    bytes += std::string(static_cast<std::size_t>(sizes[i]), static_cast<char>('a' + me));
    from_sizes[i] = (me + i) % 3;
    from_offsets[i] = place;
    place += from_sizes[i];
  }
  std::string gathered(static_cast<std::size_t>(place), '-');
  UPstream::allToAll(bytes.data(), sizes, offsets, gathered.data(), from_sizes, from_offsets, comm);
  show("all to all of bytes", gathered);

  const std::string own(static_cast<std::size_t>(me + 1), static_cast<char>('A' + me));
  int end = 0;
  forAll(from_sizes, i) {
    from_sizes[i] = i + 1;
    from_offsets[i] = end;
    end += i + 1;
  }
  std::string whole(static_cast<std::size_t>(end), '-');
  UPstream::gather(own.data(), me + 1, whole.data(), from_sizes, from_offsets, comm);
  show("gathered", me == 0 ? whole : "");
  std::string back(static_cast<std::size_t>(me + 1), '-');
  UPstream::scatter(whole.data(), from_sizes, from_offsets, back.data(), me + 1, comm);
  show("scattered", back);

  labelList all(ranks);
  all[me] = 7 * me;
  Pstream::gatherList(all, UPstream::msgType(), comm);
  Pstream::scatterList(all, UPstream::msgType(), comm);
  show_list("lists", all);
}

/// Lists of different lengths to the next rank, in order, by streams of a type.
void streams(Type type, label comm) {
  const label me = UPstream::myProcNo(comm);
  const label ranks = UPstream::nProcs(comm);
  const label next = (me + 1) % ranks;
  const label before = (me + ranks - 1) % ranks;
  const int tag = UPstream::allocateTag("streams");
  const auto send = [=] {
    OPstream stream(type, next, 0, tag, comm);
    stream << scalarList(3 + me, odd(me)) << label(me) << word("word");
  };
  const auto receive = [=] {
    IPstream stream(type, before, 0, tag, comm);
    scalarList list;
    label number = -1;
    word text;
    stream >> list >> number >> text;
    show_list("list", list);
    show("then", number, text, stream.eof());
  };
  if (me % 2 == 0) { // a scheduled sender waits for its receiver
    send();
    receive();
  } else {
    receive();
    send();
  }
  UPstream::freeTag("streams", tag);
}

void raw_messages(label comm) {
  const label me = UPstream::myProcNo(comm);
  const label ranks = UPstream::nProcs(comm);
  const label next = (me + 1) % ranks;
  const label before = (me + ranks - 1) % ranks;
  const label first = UPstream::nRequests();
  scalar got = -1;
  const scalar gives = odd(me);
  const int tag = UPstream::msgType() + 3;
  UIPstream::read(Type::nonBlocking, before, reinterpret_cast<char*>(&got), sizeof(got), tag, comm);
  UOPstream::write(Type::nonBlocking, next, reinterpret_cast<const char*>(&gives), sizeof(gives),
                   tag, comm);
  show("requests", UPstream::nRequests() - first);
  UPstream::waitRequest(first);
  show("finished", UPstream::finishedRequest(first));
  UPstream::waitRequests(first);
  show("got", got, UPstream::nRequests() - first);
  UPstream::resetRequests(first);
  show("reset", UPstream::nRequests() - first);
}

/// Each rank to those that differ from it by one or two, with messages of many sizes, twice in the
/// same buffers; `known` asks for sizes.
void buffers(Type type, bool known, std::size_t length, label comm) {
  const label me = UPstream::myProcNo(comm);
  const label ranks = UPstream::nProcs(comm);
  PstreamBuffers exchange(type, UPstream::msgType(), comm);
  for (int round = 0; round < 2; ++round) {
    const auto goes = [=](label from, label to) {
      const label apart = std::abs(from - to);
      return apart > 0 && apart <= 2 - round && (type != Type::scheduled || from < to);
    };
    for (label to = 0; to < ranks; ++to) {
      if (goes(me, to)) {
        UOPstream stream(to, exchange);
        stream << scalarList(static_cast<label>(length) * (to + 1), odd(me + to)) << label(round);
      }
    }
    if (known) {
      labelList sizes;
      exchange.finishedSends(sizes);
      show_list("sizes", sizes);
    } else {
      exchange.finishedSends();
    }
    for (label from = ranks - 1; from >= 0; --from) {
      if (goes(from, me)) {
        UIPstream stream(from, exchange);
        scalarList list;
        label number = -1;
        stream >> list >> number;
        show("buffer", from, list.size(), list.empty() ? 0 : list.last(), number, stream.eof());
      }
    }
    exchange.clear();
  }
}

void all_of(label comm) {
  show("communicator", UPstream::myProcNo(comm), UPstream::nProcs(comm));
  reductions(comm);
  collectives(comm);
  for (const Type type : {Type::blocking, Type::scheduled}) {
    streams(type, comm);
  }
  raw_messages(comm);
  for (const std::size_t length : {0, 1, 20000}) {
    buffers(Type::nonBlocking, false, length, comm);
    buffers(Type::nonBlocking, true, length, comm);
    buffers(Type::blocking, false, length, comm);
  }
  buffers(Type::scheduled, false, 5, comm);
  reductions(comm);
}

void tags_and_options() {
  const int tag = UPstream::allocateTag("one");
  UPstream::freeTag("one", tag);
  const word name("two");
  show("tag again", UPstream::allocateTag(name) == tag);
  UPstream::freeTag(name, tag);
  show("and again", UPstream::allocateTag("three") == tag);
  HashTable<string> options;
  UPstream::addValidParOptions(options);
  for (const word& option : options.sortedToc()) {
    show("option", option, options[option]);
  }
  show("MPI alone", UPstream::initNull());
}

void abort_alone() {
  if (UPstream::myProcNo() == 1) {
    UPstream::abort();
  }
  scalar sum = 1;
  reduce(sum, sumOp<scalar>());
}

} // namespace

int main(int argc, char** argv) {
  const std::string prefix = argv[1];
  const bool aborts = argc > 2;
  UPstream::init(argc, argv, false);
  if (aborts) {
    abort_alone();
  }
  out.open(prefix + "." + std::to_string(UPstream::myProcNo()));
  out << std::hexfloat;
  tags_and_options();
  all_of(UPstream::worldComm);
  const label ranks = UPstream::nProcs();
  for (int round = 0; round < 2; ++round) { // numbers of communicators come again
    labelList members;
    for (label rank = round; rank < ranks; ++rank) {
      members.append(rank);
    }
    if (members.size() < 2) {
      continue;
    }
    const label part = UPstream::allocateCommunicator(UPstream::worldComm, members, true);
    show("number", part, UPstream::myProcNo(part));
    if (UPstream::myProcNo(part) >= 0) {
      all_of(part);
    }
    UPstream::freeCommunicator(part);
  }
  UPstream::exit(0);
}
