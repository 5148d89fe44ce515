// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/remeshing/turns.hpp"

#include "isthmus/config/read/read.hpp"
#include "isthmus/connect/announce.hpp"
#include "isthmus/connect/endpoint.hpp"
#include "isthmus/connect/network_settings.hpp"
#include "isthmus/coupling/schemes/schedule.hpp"
#include "participant/setup/scenario.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace isthmus::coupling {

namespace {

const std::vector<std::string> names{"A", "B", "C", "D"};

/// Every two of them have a scheme.
config::Configuration make_circle() {
  couple::Scenario circle;
  circle.connections.directory = ".";
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      circle.schemes.push_back({.first = names[i], .second = names[j]});
      circle.flows.push_back({.from = names[i], .to = names[j], .data = "X"});
    }
  }
  return config::parse(circle.xml(), "circle.xml");
}

/// In the place of all that participants say to each other when they plan.
struct Word {
  static constexpr transport::Kind kind = transport::Kind::extent;

  void write(Writer& writer) const { writer.put(1); }
  static Word read(Reader& reader) {
    CHECK(reader.get<int>() == 1);
    return {};
  }
};

/// Plans with all others, which takes both sides, and says in which order; asks for them in one
/// that is different for each.
std::vector<std::string> plan_with_all(const config::Configuration& configuration,
                                       std::size_t number) {
  const config::Participant& self = *configuration.find_participant(names[number]);
  const comm::Comm comm(MPI_COMM_SELF);
  const connect::NetworkSettings settings = connect::with_environment({});
  const Token token = make_token();
  transport::Hub hub{comm::SpinPolicy::for_processes(4)};
  connect::Endpoint endpoint({self.name, 0, 1, "digest"}, settings);
  std::vector<std::string> others = names;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(number));
  std::vector<connect::AnnouncementFile> announcements;
  announcements.push_back(connect::announce(".", {self.name, endpoint.address(), token, others}));
  const Log log;
  Trace trace{Detail::nothing};
  partner::Context context{comm,
                           hub,
                           {self.name, 0, 1, "digest"},
                           token,
                           &endpoint,
                           &announcements,
                           nullptr,
                           log,
                           trace,
                           settings.timeout_s,
                           settings.progress_timeout_s};
  Schedule schedule(configuration.schemes, self.name);
  fields::Partners partners(context, self, configuration.m2ns,
                            fields::Relations({}, configuration.participants, self));
  partners.connect(schedule.partners());
  std::vector<Pending> all;
  for (Scheme& scheme : schedule.schemes()) {
    all.emplace_back(&scheme);
    all.back().renewal = fields::Renewal{scheme.partners().front(), {}, {}};
  }
  std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(number % all.size()),
              all.end());
  Turns turns(context, partners, self.name);
  std::vector<std::string> order;
  while (std::any_of(all.begin(), all.end(), [](const Pending& one) { return one.is_open(); })) {
    Pending& one = all[turns.next(all)];
    const std::string partner = one.scheme->partners().front();
    static_cast<void>(partners.at(partner).swap(Word()));
    order.push_back(partner);
    one = Pending(one.scheme);
  }
  hub.close(settings.progress_timeout_s);
  hub.await_goodbyes(settings.progress_timeout_s);
  return order;
}

} // namespace

TEST_CASE("participants that all have to plan with each other at once come to an end") {
  for (int time = 0; time < 5; ++time) {
    const WorkingFolder folder;
    const config::Configuration configuration = make_circle();
    std::vector<std::vector<std::string>> orders(names.size());
    std::vector<std::string> errors(names.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < names.size(); ++i) {
      threads.emplace_back([&configuration, &orders, &errors, i] {
        try {
          orders[i] = plan_with_all(configuration, i);
        } catch (const std::exception& error) {
          errors[i] = error.what();
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      CHECK(errors[i] == "");
      std::vector<std::string> others = orders[i];
      others.push_back(names[i]);
      std::sort(others.begin(), others.end());
      CHECK(others == names); // each once
    }
  }
}

} // namespace isthmus::coupling
