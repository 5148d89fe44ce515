// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/participant.hpp"
#include "isthmus/coupling/schemes/schedule.hpp"
#include "isthmus/coupling/schemes/settings.hpp"
#include "isthmus/coupling/step/hooks.hpp"
#include "isthmus/coupling/step/resets.hpp"
#include "isthmus/coupling/step/samples.hpp"
#include "isthmus/coupling/step/step_exchange.hpp"
#include "isthmus/coupling/step/step_mappings.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/items.hpp"
#include "isthmus/fields/partners.hpp"
#include "isthmus/fields/planned_fields.hpp"
#include "isthmus/partner/connection.hpp"

namespace isthmus::coupling {

/// What every step is made of, one that repeats a window or finds other meshes as well: the schemes
/// that end, samples, mappings, messages.
struct StepParts {
  StepParts(partner::Context& shared, const Settings& settings,
            const config::Participant& participant, fields::FieldSet& all_fields, Hooks& called)
      : context(shared),
        self(participant),
        fields(all_fields),
        hooks(called),
        schedule(settings.schemes, self.name),
        partners(context, self, settings.m2ns,
                 {protocol::mesh_relations(settings.participants, settings.meshes, settings.m2ns,
                                           settings.schemes, settings.may_change),
                  settings.participants, self}),
        planned(partners.plans(), settings.meshes, self, fields),
        items(partners.plans(), settings.participants, self, fields),
        resets(self, partners.relations(), context.hub, settings.may_change),
        samples(self, fields, planned, schedule),
        mappings(context, self, planned, resets, hooks),
        exchange(context, partners, planned, items, schedule, resets) {}
  StepParts(const StepParts&) = delete; // its parts refer to each other
  StepParts& operator=(const StepParts&) = delete;

  partner::Context& context;
  const config::Participant& self;
  fields::FieldSet& fields;
  Hooks& hooks;
  Schedule schedule;
  fields::Partners partners;
  fields::PlannedFields planned;
  fields::Items items;
  Resets resets;
  Samples samples;
  StepMappings mappings;
  StepExchange exchange;
};

} // namespace isthmus::coupling
