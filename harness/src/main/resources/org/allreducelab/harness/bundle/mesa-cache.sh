# For both launchers, ./lab and the one of a bundle: any POSIX shell.

# Switches Mesa's shader cache off where its folder's disk has no room. Mesa (22.3) maps a cache file into memory that a
# full disk has no room for, and the process dies by SIGBUS.
spare_full_cache() {
  mesa_cache=${XDG_CACHE_HOME:-}
  case $mesa_cache in
    /*) ;;
    *) mesa_cache=${HOME:-}/.cache ;;
  esac
  [ -d "$mesa_cache" ] || return 0
  mesa_free=$(df -Pk "$mesa_cache" 2>/dev/null | awk 'NR == 2 { print $4 }' 2>/dev/null) || return 0
  case $mesa_free in
    '' | *[!0-9]*) return 0 ;;
  esac
  [ "$mesa_free" -ge 4096 ] || export MESA_SHADER_CACHE_DISABLE=true
}
