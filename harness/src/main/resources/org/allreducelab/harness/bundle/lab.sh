#!/bin/sh
# Runs the lab in this folder on the Java in this folder. Needs nothing of the environment and does not write here.
#
#   ./lab COMMAND [ARGUMENT...]   ./lab --help lists the commands
#
# Environment
#   TMPDIR         a folder where files can be written and libraries loaded (default /tmp)
#   LAB_JAVA_OPTS  more options for the JVM that runs the lab, separated by spaces
set -uf
PATH=${PATH:-/usr/local/bin:/usr/bin:/bin}
export PATH

die() {
  printf 'lab: %s\n' "$*" >&2
  exit 1
}

# The folder of this script, also when it is reached through symbolic links.
file=$0
while [ -L "$file" ]; do
  link=$(readlink "$file")
  case $link in
    /*) file=$link ;;
    *) file=$(dirname "$file")/$link ;;
  esac
done
home=$(CDPATH='' cd -P "$(dirname "$file")" && pwd) || die "cannot tell the folder of $0"

# A folder of this user alone, kept for the next call: native libraries are unpacked there.
temp=${TMPDIR:-/tmp}/allreduce-lab-$(id -u)
mkdir -m 700 "$temp" 2>/dev/null
if [ -L "$temp" ] || [ ! -d "$temp" ] || [ ! -O "$temp" ] || [ ! -w "$temp" ]; then
  die "$temp is no folder of yours that can be written; point TMPDIR at a folder where you may create files"
fi

@MESA_CACHE@
spare_full_cache

# shellcheck disable=SC2086 # options are split at spaces
exec "$home/runtime/bin/java" @FLAGS@ "-Djava.io.tmpdir=$temp" ${LAB_JAVA_OPTS-} -jar "$home/lab.jar" "$@"
