#!/bin/bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016,SC2317
# Builds the packages for Debian, installs them in a clean root, and uses what is there: the command line, the window, Python, the library.
# Usage: test-deb.sh SOURCE. Prints TAP. It downloads a Debian and takes minutes, so it runs where HL_TEST_PACKAGE is set only, as
# `build-aux/test package` does.
set -euo pipefail

root=$1
if [ -z "${HL_TEST_PACKAGE-}" ]; then
  echo '1..0 # SKIP packages are built and installed by `build-aux/test package` only'
  exit 0
fi
for tool in mmdebstrap Xvfb xdotool; do
  if ! command -v "$tool" >/dev/null; then
    echo "1..0 # SKIP $tool is not installed"
    exit 0
  fi
done
if [ "$(id -u)" -ne 0 ]; then
  echo '1..0 # SKIP only root can have a root of its own'
  exit 0
fi

work=$(mktemp -d)
display=
clean_up ()
{
  [ -z "$display" ] || kill "$display" 2>/dev/null || true
  rm -rf --one-file-system -- "$work"
}
trap clean_up EXIT

n=0 failed=0
# check NAME COMMAND…: one test, good if the command is.
check ()
{
  local name=$1
  shift
  n=$((n + 1))
  if "$@" >"$work/said" 2>&1 </dev/null; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/# /' "$work/said" | tail -n 40
    failed=1
  fi
}
in_root ()
{
  chroot "$work/root" env -i PATH=/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
}

check 'the packages are built, and lintian has nothing to say' "$root/build-aux/package" deb "$work/packages"
check 'five of them' test "$(find "$work/packages" -name '*.deb' | wc -l)" = 5
# The mirrors of this computer are those of the root; what the packages need comes from there.
mapfile -t mirrors < <(ls -d /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null)
check 'they are installed in a clean root' mmdebstrap --variant=apt \
  --include=ca-certificates \
  --setup-hook='mkdir -p "$1/packages"' \
  --setup-hook="cp '$work'/packages/*.deb \"\$1/packages/\"" \
  --customize-hook='chroot "$1" sh -c "DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
    /packages/*.deb python3-gi gcc libc6-dev pkgconf dbus-daemon fonts-dejavu-core adwaita-icon-theme"' \
  "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/root" "${mirrors[@]}"

sample=/usr/share/headlight/samples/minilm-time-flies.h5
check 'headlight-cli reads the sample' in_root headlight-cli info "$sample"
check 'headlight-cli draws it' in_root headlight-cli render "$sample" -o /root/figure.svg
check 'the figure is there' grep -q '</svg>' "$work/root/root/figure.svg"
check 'the manual pages are there' test -e "$work/root/usr/share/man/man1/headlight.1.gz"
check 'the desktop knows the program' in_root grep -q '^Exec=headlight' /usr/share/applications/org.headlight.Headlight.desktop
check 'the desktop knows the kinds of files' in_root grep -q x-gguf /usr/share/mime/packages/org.headlight.Headlight.xml
check 'the schema is compiled' test -e "$work/root/usr/share/glib-2.0/schemas/gschemas.compiled"
check 'Python reads the sample' in_root python3 -c "
from gi.repository import Gio, Headlight
attention = Headlight.Document.load(Gio.File.new_for_path('$sample')).get_example(0).get_attention(0)
assert attention.get_n_layers() == 6
assert attention.make_source().read_head(2, 8).get_size() == 4 * 13 * 13"
mkdir -p "$work/root/root"
cat >"$work/root/root/read.c" <<'END'
#include <core/headlight.h>

int
main (int argc, char **argv)
{
  g_autoptr (GFile) file = g_file_new_for_path (argv[1]);
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, NULL);

  return document != NULL && hl_document_get_n_examples (document) == 1 ? 0 : 1;
}
END
# shellcheck disable=SC2016
check 'a program in C is built on the library' in_root sh -c \
  'gcc -o /root/read /root/read.c $(pkg-config --cflags --libs headlight-1.0) && /root/read "$1"' sh "$sample"

if [ ! -x "$work/root/usr/bin/headlight" ]; then
  echo "Bail out! there is nothing to start"
  exit 1
fi
# A display outside; inside, the program finds it by its abstract socket.
number=$((90 + $$ % 900))
Xvfb ":$number" -screen 0 1280x860x24 -ac >/dev/null 2>&1 &
display=$!
sleep 2
mkdir -p "$work/root/proc"
chroot "$work/root" env -i PATH=/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 DISPLAY=":$number" GDK_BACKEND=x11 GSK_RENDERER=cairo \
  GTK_A11Y=none dbus-run-session -- headlight "$sample" >"$work/window" 2>&1 </dev/null &
window=$!
seen=no
for _ in $(seq 60); do
  if DISPLAY=":$number" xdotool search --name 'time.flies' >/dev/null 2>&1; then
    seen=yes
    break
  fi
  sleep 0.5
done
check 'the window opens with the sample' test "$seen" = yes
[ "$seen" = yes ] || sed 's/^/# /' "$work/window"
kill "$window" 2>/dev/null || true
wait "$window" 2>/dev/null || true
check 'the window says nothing bad' sh -c "! grep -iE 'critical|warning' '$work/window'"

echo "1..$n"
exit "$failed"
