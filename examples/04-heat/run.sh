#!/usr/bin/env bash
# Runs both plates, on 2 and 3 ranks: run.sh [FOLDER_OF_THE_PROGRAM], which also gets logs and fields
set -eu
config=$(dirname "$(realpath "$0")")/config.xml
cd "${1:-build}"
export OMPI_MCA_mpi_yield_when_idle=1 # ranks that wait leave the processor to others
mpirun --oversubscribe --bind-to none -n 2 ./heat Dirichlet "$config" 24 . &
first=$!
mpirun --oversubscribe --bind-to none -n 3 ./heat Neumann "$config" 32 .
wait $first
