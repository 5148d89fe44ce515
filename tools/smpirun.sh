#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# smpirun.sh RANKS PROGRAM ARGUMENT…: runs a program of the smpi preset on a simulated cluster.
#
# ISTHMUS_SIMULATED_SHARED=1 lets all ranks share the program's globals: less memory, for programs
# without mutable ones; ISTHMUS_SIMULATED_MEMORY limits the address space in MiB (default 16384);
# ISTHMUS_SIMULATED_RENDEZVOUS=1 makes every send wait for its receive, which simulates many times
# faster from 1,000 ranks on;
# ISTHMUS_SIMULATED_CORES is the number of ranks per node (default 48);
# ISTHMUS_SIMULATED_OPTIONS are further --cfg options, ISTHMUS_SIMULATED_PLATFORM those of the
# platform.
set -euo pipefail
unset SMPI_PRETEND_CC # which the configuration needs; with it smpirun starts nothing and succeeds
[ $# -ge 2 ] || { sed -n '3,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
ranks=$1
shift

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
# shellcheck disable=SC2086 # options are words
python3 "$(dirname "$0")/simulated_platform.py" "$ranks" "$directory" \
  --cores "${ISTHMUS_SIMULATED_CORES:-48}" ${ISTHMUS_SIMULATED_PLATFORM:-}

settings=(
  # The network: no correction factors fitted to an old cluster; 0.3 us of CPU per message.
  smpi/lat-factor:0:1 smpi/bw-factor:0:0.97
  smpi/os:0:3e-7:5e-11 smpi/ois:0:3e-7:5e-11 smpi/or:0:3e-7:5e-11
  # Computation costs no simulated time: only communication is compared.
  smpi/simulate-computation:0 smpi/host-speed:20Gf
  # Polls cost next to nothing and do not grow.
  smpi/test:1e-7 smpi/iprobe:1e-7 smpi/grow-injected-times:no
  # Logarithmic collectives that do not first split the communicator by node.
  smpi/barrier:ompi_recursivedoubling smpi/reduce:binomial smpi/allreduce:rdb
  smpi/bcast:binomial_tree smpi/gather:ompi_binomial smpi/scatter:ompi_binomial
  smpi/allgather:bruck smpi/allgatherv:ompi_bruck smpi/alltoall:bruck smpi/reduce_scatter:ompi_basic_recursivehalving
  contexts/stack-size:256
)
if [ "${ISTHMUS_SIMULATED_RENDEZVOUS:-0}" = 1 ]; then
  settings+=(smpi/send-is-detached-thresh:0 smpi/async-small-thresh:0)
else
  settings+=(smpi/async-small-thresh:8192)
fi
# shellcheck disable=SC2206 # options are words
settings+=(${ISTHMUS_SIMULATED_OPTIONS:-})

# Each rank has its own globals, as doctest needs; the library has none, so its programs can share.
privatize=(-no-privatize)
[ "${ISTHMUS_SIMULATED_SHARED:-0}" = 1 ] || privatize=("--cfg=smpi/privatization:dlopen")

program=$(realpath "$1")
shift
ulimit -v $((${ISTHMUS_SIMULATED_MEMORY:-16384} * 1024))
cd "$directory" # smpirun leaves files
smpirun -quiet "${privatize[@]}" -np "$ranks" -platform platform.xml -hostfile hosts \
  --log=root.thres:warning "${settings[@]/#/--cfg=}" "$program" "$@"
