#!/usr/bin/env bash
# The installed programs, what they print and their exit codes, and the targets that CMake projects get:
# programs.sh PREFIX CONFIGURATION
set -eu
bin=$1/bin config=$2
broken=$(mktemp)
trap 'rm -f "$broken"' EXIT
sed 's/from="Sender"/from="Sendre"/' "$config" > "$broken"

refused() { # COMMAND…: ends with code 1 and says why
  local code=0 said
  said=$("$@" 2>&1) || code=$?
  if [ $code -ne 1 ] || [ -z "$said" ]; then
    echo "code $code, not 1, of: $*; it said: $said" >&2
    exit 1
  fi
}

for version in "$bin/precice-version" "$bin/precice-version version" "$bin/precice-tools version" "$bin/precice-tools --version"; do
  $version | grep -q '^3\.4\.1;'
done
for check in "$bin/precice-config-validate" "$bin/precice-tools check"; do
  for arguments in "$config" "$config Receiver" "$config Receiver 4"; do
    # shellcheck disable=SC2086
    said=$($check $arguments)
    [ "$said" = "Checking $config for syntax and basic setup issues...
No major issues detected" ]
  done
  refused $check
  refused $check "$broken"
  refused $check /nowhere
  refused $check "$config" Nobody
  for size in 0 -1 four 2x 1.5 99999999999 ''; do
    refused $check "$config" Receiver "$size"
  done
  refused $check "$config" Receiver 4 more
  $check "$broken" 2>&1 | grep -q 'did you mean "Sender"'
done
for form in xml dtd md; do
  "$bin/precice-config-doc" $form | grep -q 'precice-configuration'
  cmp <("$bin/precice-config-doc" $form) <("$bin/precice-tools" $form)
done
"$bin/precice-config-doc" xml | head -1 | grep -q '^<'
"$bin/precice-config-doc" xml | grep -q '^<!-- TAG precice-configuration'
"$bin/precice-config-doc" dtd | grep -q '<!ELEMENT'
"$bin/precice-config-doc" md | grep -q '^#'
refused "$bin/precice-config-doc"
refused "$bin/precice-config-doc" html
refused "$bin/precice-config-doc" xml dtd
refused "$bin/precice-tools"
refused "$bin/precice-tools" help me

for program in precice-tools precice-version precice-config-doc precice-config-validate; do
  grep -q "add_executable(precice::$program IMPORTED)" "$1"/lib*/cmake/precice/preciceTargets.cmake
done
# for a CMake before 3.23, which knows no file sets
# shellcheck disable=SC2016
grep -q 'INTERFACE_INCLUDE_DIRECTORIES "${_IMPORT_PREFIX}/include"' "$1"/lib*/cmake/precice/preciceTargets.cmake
