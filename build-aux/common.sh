# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What build-aux/run and build-aux/test share: packages, configuring and quiet building. To be sourced.

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." >/dev/null && pwd)

say ()
{
  printf '%s\n' "$*" >&2
}

fail ()
{
  say "$(basename -- "$0"): $*"
  exit 1
}

# quietly WHAT COMMAND…: runs a command and shows what it wrote only when it fails.
quietly ()
{
  local what=$1 log
  shift
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 60 -- "$log" >&2
    rm -f -- "$log"
    fail "$what failed; the end of its output stands above"
  fi
  rm -f -- "$log"
}

# The packages of some sections of debian-packages.txt.
list_packages ()
{
  local section
  for section; do
    sed -n "/^\[$section\]\$/,/^\$/{/^[a-z0-9]/p}" "$root/build-aux/debian-packages.txt"
  done
}

is_debian ()
{
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null &&
    grep -qE '^ID(_LIKE)?="?([a-z]+ )*debian' /etc/os-release 2>/dev/null
}

# install_packages SECTION…: sees to it that what the sections list is there. Sets packages_installed.
packages_installed=no
install_packages ()
{
  local wanted missing as_root=()

  if ! is_debian; then
    check_tools
    return
  fi
  mapfile -t wanted < <(list_packages "$@")
  mapfile -t missing < <(
    comm -23 <(printf '%s\n' "${wanted[@]}" | sort -u) \
      <(dpkg-query --show --showformat '${Package} ${Status}\n' "${wanted[@]}" 2>/dev/null |
          sed -n 's/ install ok installed$//p' | sort -u))
  [ "${#missing[@]}" -gt 0 ] || return 0

  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "run this as root first, there is no sudo: apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
  fi
  say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
  # Here, not in quietly(), so that sudo can ask for a password.
  [ "${#as_root[@]}" -eq 0 ] || sudo -v || fail "sudo was refused"
  quietly "apt-get update" "${as_root[@]}" apt-get update
  quietly "apt-get install" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends "${missing[@]}"
  packages_installed=yes
}

# Elsewhere than on Debian nothing is installed; what lacks is said, all of it at once.
check_tools ()
{
  local tool module missing=()

  for tool in cc meson ninja pkg-config msgfmt glib-compile-schemas glib-compile-resources \
              update-desktop-database gtk-update-icon-cache; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  if command -v meson >/dev/null && command -v pkg-config >/dev/null; then
    while IFS= read -r module; do
      pkg-config --exists "$module" || missing+=("$module")
    done < <(list_modules)
  fi
  [ "${#missing[@]}" -eq 0 ] ||
    fail "packages are installed for you on Debian only; here these are missing (programs and" \
         "pkg-config modules): $(printf '%s, ' "${missing[@]}" | sed 's/, $//')"
}

# The pkg-config modules that meson.build asks for, each with its lowest version.
list_modules ()
{
  meson introspect --dependencies "$root/meson.build" 2>/dev/null | python3 -c '
import json, sys
for dependency in json.load(sys.stdin):
    # OpenMP comes with the compiler; HDF5 goes by several names, which meson tries; libsoup can be left out.
    if dependency["required"] and dependency["name"] not in ("openmp", "hdf5", "libsoup-3.0"):
        print(dependency["name"], *dependency["version"][:1])
'
}

# configure FOLDER OPTION…: meson setup, unless that has been done from this very place.
configure ()
{
  local tree=$1 stamp=$1/headlight-source mode=()
  shift
  if [ -f "$tree/build.ninja" ]; then
    if [ "$(cat -- "$stamp" 2>/dev/null)" != "$root" ]; then
      mode=(--wipe)
    elif [ "$packages_installed" = yes ]; then
      # Programs that were not found before may be there now.
      mode=(--reconfigure)
    else
      return 0
    fi
  fi
  quietly "meson setup" meson setup "${mode[@]}" "$tree" "$root" "$@"
  printf '%s\n' "$root" >"$stamp"
}

# configure_main FOLDER: the tree that run and test share; what it builds is installed inside it.
configure_main ()
{
  configure "$1" "--prefix=$1/root" --libdir=lib
}
