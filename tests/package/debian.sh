#!/usr/bin/env bash
# debian.sh BUILD FOLDER: the Debian package: what lintian says of it; installed on this system, seen by this test alone,
# its programs run, a project finds it, and purged, nothing is left of it. Exit code 77: skipped, with a word.
set -eu
build=$1 folder=$2
here=$(dirname "$(readlink -f "$0")")
for program in lintian dpkg-shlibdeps cpack; do
  command -v $program > /dev/null || { echo "skipped: there is no $program"; exit 77; }
done
rm -rf "$folder"
mkdir -p "$folder"
(cd "$folder" && cpack --config "$build/CPackConfig.cmake" -G DEB > log) || { cat "$folder/log" >&2; exit 1; }
package=$(echo "$folder"/*.deb)
lintian --allow-root --fail-on error,warning "$package"

if ! unshare --mount true 2> /dev/null; then
  echo "skipped: lintian finds nothing, but this user may not install a package where nobody sees it"
  exit 77
fi
# What is written goes to memory, and is gone with the namespace.
unshare --mount bash -eu -s "$package" "$here" << 'END'
package=$1 here=$2
mount -t tmpfs none /mnt
mkdir /mnt/above /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/above,workdir=/mnt/work /mnt/root
for place in proc sys dev dev/shm; do mount --rbind /$place /mnt/root/$place; done
cp "$package" /mnt/root/isthmus.deb
cp -r "$here/consumer" /mnt/root/consumer
chroot /mnt/root bash -eu << 'INSIDE'
dpkg -i /isthmus.deb > /dev/null
precice-version | grep -q '^3\.4\.1;'
pkg-config --modversion libprecice isthmus
cmake -S /consumer -B /consumer/build > /consumer/log
cmake --build /consumer/build >> /consumer/log
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 /consumer/couple.sh /consumer/build
dpkg -L isthmus | while read -r file; do [ -d "$file" ] || echo "$file"; done > /files
[ "$(wc -l < /files)" -gt 50 ]
dpkg --purge isthmus > /dev/null
while read -r file; do [ ! -e "$file" ] || { echo "left: $file" >&2; exit 1; }; done < /files
INSIDE
END
