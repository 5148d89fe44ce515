#!/usr/bin/env bash
# uninstall.sh LIST: removes what an installation has brought: the files that stand in LIST, whose first line is the
# prefix, and the folders of the prefix that are empty then.
set -eu
{
  IFS= read -r prefix
  while IFS= read -r file || [ -n "$file" ]; do
    rm -fv "$file"
    folder=$(dirname "$file")
    while [ "${folder#"$prefix"/}" != "$folder" ]; do
      rmdir "$folder" 2> /dev/null || break
      folder=$(dirname "$folder")
    done
  done
} < "$1"
rmdir "$prefix" 2> /dev/null || true
