#!/usr/bin/env bash
# Programs built against preCICE find these functions and no others: symbols.sh LIBRARY LIST
set -eu
diff <(nm -D --defined-only "$1" | awk '$2 == "T" { print $3 }' | LC_ALL=C sort) <(LC_ALL=C sort "$2")
if nm -D --defined-only "$1" | awk '{ print $3 }' | grep -vE '7precice|^precice[cf]_'; then
  echo "$1 exports the above, which is not of preCICE" >&2
  exit 1
fi
readelf -d "$1" | grep -q 'SONAME.*libprecice\.so\.3\]'
