#!/usr/bin/env bash
# solverdummies.sh PREFIX BUILD FOLDER LANGUAGE…: the programs that are installed as examples, copied, built and coupled,
# each language as SolverOne with the one after it, in folders of their own; one of them built against BUILD, too
set -eu
prefix=$1 build=$2 folder=$3
shift 3
rm -rf "$folder"
cp -r "$prefix/share/precice/examples/solverdummies" "$folder"
"$prefix/bin/precice-config-validate" "$folder/precice-config.xml" > /dev/null
for language in "$@"; do
  cmake -S "$folder/$language" -B "$folder/$language" -DCMAKE_PREFIX_PATH="$prefix" >> "$folder/log"
  cmake --build "$folder/$language" >> "$folder/log"
done

cmake -S "$folder/cpp" -B "$folder/against_build" -Dprecice_DIR="$build/api/precice" >> "$folder/log"
cmake --build "$folder/against_build" >> "$folder/log"

values() { # FILE: at the ends of windows
  sed -n 's/.*the window ends with *\([0-9]*\).*/\1/p' "$1" | tr '\n' ' '
}

one=${*: -1}
for two in "$@"; do
  (cd "$folder/$one" && exec ./solverdummy ../precice-config.xml SolverOne) > "$folder/one.txt" &
  (cd "$folder/$two" && exec ./solverdummy ../precice-config.xml SolverTwo) > "$folder/two.txt"
  wait $!
  # Each of both iterations of a window adds one on each side, to what the other side has written last.
  if [ "$(values "$folder/one.txt")" != "3 7 11 " ] || [ "$(values "$folder/two.txt")" != "4 8 12 " ]; then
    echo "$one with $two:" >&2
    cat "$folder/one.txt" "$folder/two.txt" >&2
    exit 1
  fi
  one=$two
done
