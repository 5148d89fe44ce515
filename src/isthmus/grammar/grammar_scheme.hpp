// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/grammar/grammar_build.hpp"

/// Grammar of the coupling schemes.
namespace isthmus::grammar::table {

constexpr std::array exchange_ends = {
    required("data", Type::text, "Data to exchange."),
    required("mesh", Type::text, "Mesh on which the data lies; both participants know it."),
    required("from", Type::text, "Participant that sends."),
    required("to", Type::text, "Participant that receives."),
    optional("initialize", Type::boolean, "false",
             "Whether the sender provides values before the first step.")};
constexpr auto exchange_attributes(std::string_view substeps) {
  return join(exchange_ends,
              std::array{optional("substeps", Type::boolean, substeps,
                                  "Whether to send the values of every step inside a time window, "
                                  "not only of its end.")});
}
constexpr auto explicit_exchange_attributes = exchange_attributes("false");
constexpr auto implicit_exchange_attributes = exchange_attributes("true");
constexpr Tag explicit_exchange{"exchange", "Data that goes from one participant to another.",
                                explicit_exchange_attributes};
constexpr Tag implicit_exchange{"exchange", "Data that goes from one participant to another.",
                                implicit_exchange_attributes};

constexpr std::array real_value = {required("value", Type::real, "The value.")};
constexpr std::array integer_value = {required("value", Type::integer, "The value.")};
constexpr std::array window_attributes = {optional(
    "value", Type::real, "-1", "Size of the time windows, in the time unit of the solvers.")};
constexpr auto serial_window_attributes =
    join(window_attributes,
         std::array{optional("method", Type::text, "fixed",
                             "fixed: the given value; first-participant: the step of the first.",
                             "fixed, first-participant")});
constexpr std::array pair_attributes = {
    required("first", Type::text, "Participant that computes first."),
    required("second", Type::text, "Participant that computes second.")};
constexpr std::array member_attributes = {
    required("name", Type::text, "Name of the participant."),
    optional("control", Type::boolean, "false",
             "Whether it decides about convergence and accelerates; exactly one does.")};

constexpr Tag max_time{"max-time", "Simulated time at which the coupling ends.", real_value};
constexpr Tag max_time_windows{"max-time-windows", "Number of time windows after which it ends.",
                               integer_value};
constexpr Tag window{"time-window-size", "Time between two synchronizations.", window_attributes};
constexpr Tag serial_window{"time-window-size", "Time between two synchronizations.",
                            serial_window_attributes};
constexpr Tag pair{"participants", "The two participants of the scheme.", pair_attributes};
constexpr Tag member{"participant", "One of the participants of the scheme.", member_attributes};

constexpr auto end_of_run = each(Occurs::optional, max_time, max_time_windows);
constexpr auto serial_steps = each(Occurs::once, serial_window, pair);
constexpr auto parallel_steps = each(Occurs::once, window, pair);
constexpr auto multi_steps = join(each(Occurs::once, window), each(Occurs::some, member));

// acceleration

constexpr std::array enforced_value = {
    required("value", Type::real, "Factor of relaxation."),
    optional("enforce", Type::boolean, "false",
             "Whether to relax at the start of every time window, not only of the first.")};
constexpr std::array accelerated_attributes = {
    required("name", Type::text, "Data to accelerate; it is exchanged in this scheme."),
    required("mesh", Type::text, "Mesh on which the data is exchanged."),
    optional("scaling", Type::real, "1", "Weight of the data for preconditioner type constant.")};
constexpr std::array filter_attributes = {
    optional("type", Type::text, "QR3", "How columns that add no information are found.",
             "QR1, QR1-absolute, QR2, QR3"),
    optional("limit", Type::real, "1e-16", "Size below which a column is dropped.")};
constexpr std::array weights = {
    required("type", Type::text, "Where the weights come from.",
             "constant, value, residual, residual-sum"),
    optional("freeze-after", Type::integer, "-1",
             "Number of time windows after which the weights stay; -1: never.")};
constexpr auto newton_weights =
    join(weights, std::array{optional("update-on-threshold", Type::boolean, "true",
                                      "Whether residual-sum updates its weights only when they "
                                      "changed much.")});
constexpr std::array restart_attributes = {
    optional("type", Type::text, "RS-SVD", "What stays of the Jacobian at a restart.",
             "no-restart, RS-0, RS-LS, RS-SVD, RS-SLIDE"),
    optional("chunk-size", Type::integer, "8", "Number of time windows between restarts."),
    optional("reused-time-windows-at-restart", Type::integer, "8",
             "Number of time windows whose columns stay at a restart (RS-LS)."),
    optional("truncation-threshold", Type::real, "1e-4",
             "Relative singular value below which a part is dropped (RS-SVD).")};
constexpr std::array newton_attributes = {
    optional(
        "reduced-time-grid", Type::boolean, "true",
        "Whether only the values at the end of a time window enter the least squares problem."),
    optional("on-bound-violation", Type::text, "ignore",
             "What happens to a step that leaves the bounds of the data.",
             "ignore, clamp, discard, scale")};
constexpr auto jacobian_attributes =
    join(std::array{optional(
             "always-build-jacobian", Type::boolean, "false",
             "Whether to build the Jacobian in every iteration instead of once a window.")},
         newton_attributes);

constexpr Tag relaxation{"relaxation", "Factor of relaxation, in (0, 1].", real_value};
constexpr Tag initial_relaxation{
    "initial-relaxation", "Factor of the first iteration, in (0, 1]; absent: 0.5.", real_value};
constexpr Tag newton_relaxation{"initial-relaxation",
                                "Relaxation where no history exists, in (0, 1]; absent: 0.1.",
                                enforced_value};
constexpr Tag columns{
    "max-used-iterations",
    "Greatest number of iterations remembered; absent: 100 (IQN-ILS), 20 (IQN-IMVJ).",
    integer_value};
constexpr Tag reused_windows{
    "time-windows-reused",
    "Number of past time windows remembered; absent: 10 (IQN-ILS), 0 (IQN-IMVJ).", integer_value};
constexpr Tag accelerated{"data", "Data that takes part in the acceleration.",
                          accelerated_attributes};
constexpr Tag filter{"filter",
                     "Drops columns that add no information; absent: QR3 with limit 1e-2.",
                     filter_attributes};
constexpr Tag aitken_preconditioner{"preconditioner", "Weights of the data; refused for Aitken.",
                                    weights};
constexpr Tag preconditioner{"preconditioner", "Weights of the data; absent: residual-sum.",
                             newton_weights};
constexpr Tag restart{"imvj-restart-mode", "Limits the memory of the Jacobian; absent: RS-SVD.",
                      restart_attributes};

constexpr auto constant_children = each(Occurs::once, relaxation);
constexpr auto aitken_children =
    join(each(Occurs::optional, initial_relaxation), each(Occurs::some, accelerated),
         each(Occurs::optional, aitken_preconditioner));
constexpr auto newton_children =
    join(each(Occurs::optional, newton_relaxation, columns, reused_windows),
         each(Occurs::some, accelerated), each(Occurs::optional, filter, preconditioner));
constexpr auto jacobian_children = join(newton_children, each(Occurs::optional, restart));

constexpr Tag constant{
    "acceleration:constant", "Relaxation with a fixed factor.", {}, constant_children};
constexpr Tag aitken{
    "acceleration:aitken", "Relaxation with a factor that adapts.", {}, aitken_children};
constexpr Tag ils{"acceleration:IQN-ILS", "Quasi-Newton by least squares on past iterations.",
                  newton_attributes, newton_children};
constexpr Tag imvj{"acceleration:IQN-IMVJ", "Quasi-Newton with a Jacobian kept over time windows.",
                   jacobian_attributes, jacobian_children};

// convergence

constexpr std::array measured = {
    required("data", Type::text, "Data to observe; it is exchanged in this scheme."),
    required("mesh", Type::text, "Mesh on which the data is exchanged."),
    optional("suffices", Type::boolean, "false", "Whether this measure alone ends the iteration."),
    optional("strict", Type::boolean, "false",
             "Whether to stop the run if it is not met at max-iterations.")};
constexpr auto one_limit =
    join(measured, std::array{required("limit", Type::real, "Converged below this.")});
constexpr auto two_limits =
    join(measured, std::array{required("abs-limit", Type::real, "Absolute limit."),
                              required("rel-limit", Type::real, "Relative limit.")});

constexpr Tag absolute{"absolute-convergence-measure", "The change is below a limit.", one_limit};
constexpr Tag absolute_or_relative{"absolute-or-relative-convergence-measure",
                                   "The change is below one of two limits.", two_limits};
constexpr Tag relative{"relative-convergence-measure",
                       "The change, relative to the values, is below a limit.", one_limit};
constexpr Tag residual_relative{
    "residual-relative-convergence-measure",
    "The change, relative to the first of the window, is below a limit.", one_limit};
constexpr Tag min_iterations{"min-iterations", "Least number of iterations in a window; absent: 1.",
                             integer_value};
constexpr Tag max_iterations{"max-iterations",
                             "Greatest number of iterations in a window; absent: no limit.",
                             integer_value};

constexpr auto explicit_exchanges = each(Occurs::some, explicit_exchange);
constexpr auto iterations =
    join(each(Occurs::some, implicit_exchange),
         each(Occurs::any, absolute, absolute_or_relative, relative, residual_relative),
         each(Occurs::optional, min_iterations, max_iterations, constant, aitken, ils, imvj));

constexpr auto serial_explicit_children = join(end_of_run, serial_steps, explicit_exchanges);
constexpr auto parallel_explicit_children = join(end_of_run, parallel_steps, explicit_exchanges);
constexpr auto serial_implicit_children = join(end_of_run, serial_steps, iterations);
constexpr auto parallel_implicit_children = join(end_of_run, parallel_steps, iterations);
constexpr auto multi_children = join(end_of_run, multi_steps, iterations);

constexpr Tag serial_explicit{"coupling-scheme:serial-explicit",
                              "Two participants one after the other, each window once.",
                              {},
                              serial_explicit_children};
constexpr Tag parallel_explicit{"coupling-scheme:parallel-explicit",
                                "Two participants at the same time, each window once.",
                                {},
                                parallel_explicit_children};
constexpr Tag serial_implicit{"coupling-scheme:serial-implicit",
                              "Two participants one after the other, each window until they agree.",
                              {},
                              serial_implicit_children};
constexpr Tag parallel_implicit{"coupling-scheme:parallel-implicit",
                                "Two participants at the same time, each window until they agree.",
                                {},
                                parallel_implicit_children};
constexpr Tag multi{"coupling-scheme:multi",
                    "Any number of participants at the same time, each window until all agree.",
                    {},
                    multi_children};

constexpr auto schemes = each(Occurs::any, serial_explicit, parallel_explicit, serial_implicit,
                              parallel_implicit, multi);

} // namespace isthmus::grammar::table
