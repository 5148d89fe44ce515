#!/usr/bin/env bash
# uninstall.sh BUILD FOLDER: an installation into a prefix with spaces, its programs, a project that finds it, and then
# nothing of it.
set -eu
build=$1 folder=$2
here=$(dirname "$(readlink -f "$0")")
prefix="$folder/a prefix with spaces"
rm -rf "$folder"
mkdir -p "$folder"
cmake --install "$build" --prefix "$prefix" > /dev/null
{ echo "$prefix" && cat "$build/install_manifest.txt"; } > "$folder/installed.txt"

"$prefix/bin/precice-version" | grep -q '^3\.4\.1;'
"$prefix/bin/precice-config-validate" "$here/consumer/config.xml"
cmake -S "$here/consumer" -B "$folder/a project" -DCMAKE_PREFIX_PATH="$prefix" > "$folder/log"
cmake --build "$folder/a project" >> "$folder/log"
"$here/consumer/couple.sh" "$folder/a project"

touch "$prefix/lib/of somebody else"
"$here/../../tools/uninstall.sh" "$folder/installed.txt" > /dev/null
left=$(cd "$prefix" && find . -mindepth 1)
[ "$left" = "./lib
./lib/of somebody else" ] || { echo "left: $left" >&2; exit 1; }
rm -r "$prefix"

cmake --install "$build" --prefix "$prefix" > /dev/null
"$here/../../tools/uninstall.sh" "$folder/installed.txt" > /dev/null
[ ! -e "$prefix" ]
