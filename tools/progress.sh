#!/usr/bin/env bash
# COMMAND | progress.sh: of what a command says, one line in five seconds.
next=0
while IFS= read -r line; do
  if ((SECONDS >= next)); then
    echo "  ${line:0:100}"
    next=$((SECONDS + 5))
  fi
done
