#!/usr/bin/env bash
# The installed programs and their exit codes: programs.sh PREFIX CONFIGURATION
set -eu
bin=$1/bin config=$2
broken=$(mktemp)
trap 'rm -f "$broken"' EXIT
sed 's/from="Sender"/from="Sendre"/' "$config" > "$broken"

"$bin/precice-version" | grep -q '^3\.4\.1;'
"$bin/precice-config-validate" "$config"
"$bin/precice-config-validate" "$config" Receiver 4
for wrong in "$broken" "$config Nobody" /nowhere; do
  # shellcheck disable=SC2086
  if "$bin/precice-config-validate" $wrong; then
    echo "accepted: $wrong" >&2
    exit 1
  fi
done
for form in xml dtd md; do
  "$bin/precice-config-doc" $form | grep -q 'precice-configuration'
done
