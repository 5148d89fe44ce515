#!/usr/bin/env bash
# state.sh [PATHSPEC…]: one sum of what tests can see: the files of the tree that git does not ignore, packages of Debian and
# Python, what `make mpis` and `make examples-setup` have added, the machine, settings. Where there is no git, nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
git rev-parse --git-dir > /dev/null 2>&1 || exit 0
{
  git ls-files -z --cached --others --exclude-standard -- . "$@" | sort -zu |
    tar -c --null -T - --ignore-failed-read --mtime=@0 --owner=0 --group=0 2> /dev/null
  ls -d build/{mpis,openfoam,prefix}/* .venv/lib/python3*/site-packages/* 2> /dev/null || true
  dpkg-query -W 2> /dev/null || true
  uname -mr
  nproc
  # less the directory that each run of test.sh makes
  env -u OMPI_MCA_orte_tmpdir_base | grep -aE '^(CC|CXX|(C|CXX|CPP|LD)FLAGS|(CMAKE|OMPI|ISTHMUS|ASAN|TSAN|UBSAN|LD)_.*)=' | sort || true
} | sha256sum
