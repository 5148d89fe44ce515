// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a coupled solver needs. The kit (communication, discovery, exchange, search, partitions) has
// headers of its own, <isthmus/comm/…>, <isthmus/exchange/…>, <isthmus/geometry/…>,
// <isthmus/partition/…>.
#include "isthmus/base/exception.hpp"
#include "isthmus/participant/participant.hpp"
