#!/usr/bin/env bash
# Installs a build into one folder and moves it to another: install_and_move.sh BUILD PREFIX
set -eu
rm -rf "$2" "$2.before"
cmake --install "$1" --prefix "$2.before" > /dev/null
mv "$2.before" "$2"
