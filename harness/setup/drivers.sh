#!/usr/bin/env bash
# Installs the software drivers that the tests use and machines without a GPU run on (Debian, Ubuntu):
# packages, as root, and the SwiftShader driver out of Debian's chromium-common, in the user's cache.
#
#   drivers.sh                what ./lab setup runs; installs what is missing, otherwise says that nothing is
#   drivers.sh --before-test  what ./lab test runs first; silent when nothing is missing
#
# Environment
#   LAB_NO_INSTALL=1  only print what would be installed
#   XDG_CACHE_HOME    where the cache folder allreduce-lab lies (default ~/.cache)
set -euo pipefail

readonly PACKAGES=(libvulkan1 mesa-vulkan-drivers vulkan-validationlayers ocl-icd-libopencl1 pocl-opencl-icd)
readonly SWIFTSHADER_PACKAGE=chromium-common SWIFTSHADER_FILE=libvk_swiftshader.so
readonly PROMPTLESS=(env DEBIAN_FRONTEND=noninteractive)
readonly APT=(apt-get -q -o DPkg::Lock::Timeout=120)

say() { printf 'lab setup: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

cache=${XDG_CACHE_HOME:-}
[[ $cache == /* ]] || cache=~/.cache
swiftshader=$cache/allreduce-lab/swiftshader
readonly swiftshader icd=$swiftshader/vk_swiftshader_icd.json

is_root() { [[ $(id -u) == 0 ]]; }
has_apt() { type -P apt-get >/dev/null && type -P dpkg-query >/dev/null; }

# The packages that are not installed, one a line.
missing_packages() {
  local package
  for package in "${PACKAGES[@]}"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || printf '%s\n' "$package"
  done
}

# Whether apt knows package $1. Its lists are empty on a new machine: dpkg is in every list.
offered() { [[ -n $(apt-cache madison "$1" 2>/dev/null) ]]; }
lists_empty() { ! offered dpkg; }

swiftshader_missing() { [[ ! -s $swiftshader/$SWIFTSHADER_FILE || ! -s $icd ]]; }

# The commands that install packages $@, for people and for this script alike.
install_command() {
  printf 'apt-get update && apt-get install -y --no-install-recommends %s' "$*"
}

# Runs a command with its output in the log; that is shown only when it fails.
logged() { "$@" >>"$log" 2>&1 </dev/null; }

update_lists() {
  logged "${PROMPTLESS[@]}" "${APT[@]}" update ||
    die "apt-get update failed: $(tail -n 1 -- "$log") (is there a network?)"
}

install_packages() {
  say "installing $*: $(install_command "$@")"
  update_lists
  logged "${PROMPTLESS[@]}" "${APT[@]}" install -y --no-install-recommends "$@" ||
    die "apt-get could not install $*: $(tail -n 1 -- "$log")"
}

# Where a list is here and lacks the package (Ubuntu), another update at every test run would not help.
update_lists_for_swiftshader() {
  if is_root && { lists_empty || offered "$SWIFTSHADER_PACKAGE"; }; then
    update_lists
  fi
}

# Takes one file out of the package, which stays uninstalled. It appears in the cache whole or not at all, the file
# that makes it known last.
unpack_swiftshader() {
  local package library=$swiftshader/$SWIFTSHADER_FILE
  if ! offered "$SWIFTSHADER_PACKAGE"; then
    say "this system offers no package $SWIFTSHADER_PACKAGE (Ubuntu has Chromium as a snap only), so there is no" \
      "SwiftShader; the lab goes on with the other drivers"
    return
  fi
  say "unpacking SwiftShader, a second Vulkan driver, into $swiftshader: apt-get download $SWIFTSHADER_PACKAGE" \
    "(about 30 MB), keeping $SWIFTSHADER_FILE"
  # Without this, apt warns that its own user may not write here.
  (cd -- "$temp" && logged "${APT[@]}" -o APT::Sandbox::User=root download "$SWIFTSHADER_PACKAGE") ||
    die "apt-get could not download $SWIFTSHADER_PACKAGE: $(tail -n 1 -- "$log")"
  package=$(printf '%s\n' "$temp/$SWIFTSHADER_PACKAGE"*.deb)
  mkdir -p -- "$swiftshader" || die "cannot create $swiftshader"
  dpkg-deb --fsys-tarfile "$package" | tar -xOf - "./usr/lib/chromium/$SWIFTSHADER_FILE" >"$library.$$" || {
    rm -f -- "$library.$$"
    die "found no $SWIFTSHADER_FILE in $SWIFTSHADER_PACKAGE, or no room for it in $swiftshader"
  }
  mv -f -- "$library.$$" "$library"
  printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' \
    "$(json_text "$library")" >"$icd.$$"
  mv -f -- "$icd.$$" "$icd"
}

json_text() {
  local text=${1//\\/\\\\}
  printf '%s' "${text//\"/\\\"}"
}

before_test=''
case "$# ${1:-}" in
  '0 ') ;;
  '1 --before-test') before_test=1 ;;
  *)
    say "takes no arguments; LAB_NO_INSTALL=1 only prints what is missing"
    exit 2
    ;;
esac

if ! has_apt; then
  # The tests say what they lack.
  [[ -z $before_test ]] || exit 0
  die "knows Debian and Ubuntu only; elsewhere install the Vulkan loader, Mesa's software driver (lavapipe), the" \
    "Khronos validation layers, the OpenCL loader and PoCL by hand"
fi

mapfile -t missing < <(missing_packages)
if ((${#missing[@]} == 0)) && ! swiftshader_missing; then
  [[ -n $before_test ]] || say "nothing to install: ${PACKAGES[*]} and SwiftShader are here"
  exit 0
fi
if [[ ${LAB_NO_INSTALL:-} == 1 ]]; then
  ((${#missing[@]} == 0)) || say "LAB_NO_INSTALL=1, so not installed: $(install_command "${missing[@]}")"
  ! swiftshader_missing || say "LAB_NO_INSTALL=1, so not unpacked: SwiftShader from $SWIFTSHADER_PACKAGE"
  exit 0
fi
if ((${#missing[@]})) && ! is_root; then
  die "missing: ${missing[*]}; needs root: sudo sh -c '$(install_command "${missing[@]}")'; then ./lab setup again"
fi

temp=$(mktemp -d)
readonly temp log=$temp/log
trap 'rm -rf -- "$temp"' EXIT
: >"$log"
if ((${#missing[@]})); then
  install_packages "${missing[@]}"
else
  update_lists_for_swiftshader
fi
! swiftshader_missing || unpack_swiftshader
