#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests build-aux/figures with programs that stand for headlight-cli: what it keeps of them, and which change it sees."""

import pathlib
import shlex
import subprocess
import sys
import tempfile

# It says what it was asked, temporary folders included, and draws it without those; no dump has queries and keys.
CLI = r"""#!/bin/sh
case "$*" in
"info --json "*) echo '{"container": "HDF5", "blocks": [{"name": "attention"}]}' ;;
*" -o "*)
  for word; do [ "$before" = -o ] && path=$word; before=$word; done
  case "$*" in *--view=steps*) echo "no queries" >&2; exit 1 ;; esac
  echo "$*" | sed "s:/[^ ]*/made/:made/:g; s:$path::" > "$path"
  echo "$path is written" >&2 ;;
*) echo "$*" ;;
esac
CHANGE
"""


def run(script, *arguments):
    done = subprocess.run([sys.executable, script, *map(str, arguments)], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8")
    return done.returncode, done.stdout.splitlines()


class Check:
    def __init__(self, script, folder):
        self.script, self.folder = script, pathlib.Path(folder)
        self.list = self.folder / "list"
        self.count = self.failed = 0

    def cli(self, change=""):
        path = self.folder / "cli"
        path.write_text(CLI.replace("CHANGE", change), encoding="utf-8")
        path.chmod(0o755)
        return path

    def compare(self, change, *options):
        return run(self.script, "compare", self.cli(change), self.list, *options)

    def equal(self, name, found, expected):
        self.count += 1
        self.failed += found != expected
        print(f"{'ok' if found == expected else 'not ok'} {self.count} - {name}")
        if found != expected:
            print(f"# found {str(found)[:400]}\n# expected {str(expected)[:400]}")

    def commands(self):
        return [line.partition("\t")[2] for line in self.list.read_text(encoding="utf-8").splitlines()]

    def all(self):
        status, said = run(self.script, "record", self.cli(), self.list, "--sample=25")
        commands = self.commands()
        self.equal("recorded", status, 0)
        drawn = [line for line in commands if line.startswith("render ") and "-o" in line
                 and "--view=steps" not in line and "out/none/" not in line]
        self.equal("figures are counted", said[0], f"{len(drawn)} figures, {len(commands) - len(drawn)} other answers")
        self.equal("no command is there twice", len(set(commands)), len(commands))
        for word in ("--view=heatmap", "out/figure.svg", "info ", "stats ", "convert ", "recompute ", "--difference=", "tests/fixtures/pages"):
            self.equal(f"{word} is among them", any(word in line for line in commands), True)

        summary = f"{said[0]}, %d differ"
        # Another run has another folder of its own, which the program prints.
        status, said = self.compare("")
        self.equal("the same", (status, said[:-1]), (0, [summary % 0]))
        for name, word, change in (
            ("another figure", "figure.svg", 'case "$*" in *figure.svg*) [ -e "$path" ] && echo >> "$path" ;; esac'),
            ("another dump", "convert ", 'case "$*" in convert*) echo >> "$path" ;; esac'),
            ("another number", "stats ", 'case "$1" in stats) echo ;; esac'),
            ("another sentence", "find-heads ", 'case "$1" in find-heads) echo >&2 ;; esac'),
            ("another status", "find-heads ", 'case "$1" in find-heads) exit 3 ;; esac'),
        ):
            status, said = self.compare(change)
            concerned = [line for line in commands if word in line and "--view=steps" not in line]
            self.equal(name, (status, said[:-2], said[-2].rpartition(", ")[2]), (1, concerned, f"{len(concerned)} differ"))
        self.equal("what is printed is read by a shell", [shlex.join(shlex.split(line)) for line in concerned], concerned)

        change = 'echo "$1"'
        some = [line for line in commands if "stats " in line or "convert " in line]
        self.equal("only some", self.compare(change, "--only=stats ", "--only=convert ")[1][:-2], some)
        self.equal("each third of them", self.compare(change, "--only=stats ", "--only=convert ", "--sample=3")[1][:-2], some[::3])
        status, said = self.compare('case "$1" in --version) echo "no library" >&2; exit 127 ;; esac')
        self.equal("a program that does not start", (status, said[0].rpartition(": ")[2]), (1, "no library"))
        status, said = self.compare("", "--only=nothing has this")
        self.equal("none", (status, said[0].rpartition(": ")[2]), (1, "no command to compare"))


def main():
    try:
        import h5py  # noqa: F401
    except ImportError:
        print("1..0 # SKIP there is no h5py")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        check = Check(sys.argv[1], folder)
        check.all()
    print(f"1..{check.count}")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
