#!/usr/bin/env bash
# Runs both halves of the consumer and the kit program: couple.sh FOLDER_OF_THE_PROGRAMS
set -eu
config=$(dirname "$(readlink -f "$0")")/config.xml
cd "$1"
export ISTHMUS_TIMEOUT=30 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
./kit
OMPI_MCA_btl_vader_single_copy_mechanism=none timeout 60 mpirun --oversubscribe --bind-to none -n 3 ./kit
timeout 60 ./drop_in "$config" &
sender=$!
timeout 60 ./native "$config"
wait $sender
