#!/usr/bin/env bash
# with_pyprecice.sh PREFIX COMMAND…: runs the command after build/adapters has a pyprecice, on the libprecice in PREFIX.
# Exit code 77: skipped, with a word.
set -eu
here=$(dirname "$(readlink -f "$0")")
"$here/../tools/setup/pyprecice.sh" "$1" "$here/../build/adapters"
export LD_LIBRARY_PATH=$1/lib
shift
exec "$@"
