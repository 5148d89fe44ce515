// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/partner_search.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/wire.hpp"

#include <algorithm>

namespace isthmus::coupling {

namespace {

std::vector<Connection::Contact> gather_contacts(Connection& partner) {
  const comm::Comm& comm = partner.context().comm;
  const std::vector<std::byte> own = partner.own_address();
  const auto all = comm::gather(comm, std::span<const std::byte>(own));
  comm::Writer writer;
  if (comm.is_root()) {
    for (int r = 0; r < comm.size(); ++r) {
      writer.put_array(all.of(r));
    }
  }
  const auto bytes = partner.swap(writer.take());
  comm::Reader reader(bytes);
  std::vector<Connection::Contact> contacts;
  for (int r = 0; r < partner.remote_size(); ++r) {
    contacts.push_back({r, reader.get_array<std::byte>()});
  }
  return contacts;
}

} // namespace

std::vector<int> find_partners(Connection& partner, Side /*side*/,
                               config::Initialization /*initialization*/,
                               std::span<const geometry::Box> /*boxes*/) {
  const std::vector<Connection::Contact> contacts = gather_contacts(partner);
  partner.link(contacts);
  std::vector<int> ranks;
  for (const Connection::Contact& contact : contacts) {
    ranks.push_back(contact.rank);
  }
  return ranks;
}

} // namespace isthmus::coupling
