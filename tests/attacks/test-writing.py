#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files that cannot be written, or whose writer is killed: the file is as it was or whole, nothing is left beside it, and one sentence says
what is wrong.

Usage: test-writing.py HEADLIGHT-CLI TESTS-FOLDER [--kills N] [--seed N]

N times, 60 unless it is said, a program is killed at a random moment of writing. Disks that are full or must not be written to are made in a
namespace of their own, where that is allowed. Prints TAP.
"""

import argparse
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

OLD = b"what was there before\n" * 20
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1", "SOURCE_DATE_EPOCH": "0"}
SKIP = "skip"


def make_jobs(cli, tests):
    """Returns what writes a file: a name and the arguments before it."""
    dump, model = tests / "fixtures/examples.h5", tests / "gguf/models/llama/model.gguf"
    jobs = [(f"convert.{suffix}", [cli, "convert", dump, "-o"]) for suffix in ("h5", "json", "npz")]
    jobs += [(f"render.{suffix}", [cli, "render", dump, "-o"]) for suffix in ("svg", "png", "pdf", "html")]
    jobs += [(f"recompute.{suffix}", [cli, "recompute", model, "--ids=1,2,3,4", "-o"]) for suffix in ("h5", "npz")]
    return [(name, [str(word) for word in command]) for name, command in jobs]


class Bench:
    def __init__(self, cli, tests, folder):
        self.jobs, self.root = make_jobs(cli, tests), folder
        self.whole, self.seconds = {}, {}
        for name, command in self.jobs:
            with self.fresh() as place:
                begin = time.monotonic()
                self.run(command + [place / name], check=True)
                self.seconds[name] = time.monotonic() - begin
                self.whole[name] = (place / name).stat().st_size

    def fresh(self):
        return Place(dir=self.root)

    def run(self, command, check=False, **more):
        return subprocess.run([str(word) for word in command], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=120,
                              check=check, **more)

    def is_whole(self, name, data):
        """Whether it is what the job writes; a PDF or an HDF5 file may tell its time."""
        return len(data) > 100 and abs(len(data) - self.whole[name]) <= 64

    def judge_failure(self, result):
        if result.returncode != 1:
            return f"exit status {result.returncode}: {result.stderr}"
        if result.stderr.count("\n") != 1 or not result.stderr.startswith("headlight-cli: "):
            return f"not one sentence: {result.stderr}"
        return None

    def judge_place(self, place, name, before, whole_allowed=False):
        left = sorted(path.name for path in place.iterdir())
        if left != ([name] if before or (whole_allowed and (place / name).exists()) else []):
            return f"left behind: {left}"
        if name in left:
            data = (place / name).read_bytes()
            if data != OLD and not (whole_allowed and self.is_whole(name, data)):
                return f"neither old nor whole: {len(data)} bytes of {self.whole[name]}"
        return None

    def test_size_limit(self, name, command):
        """A limit to the size of files, as a quota: the signal for it is no end."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

        for before in (False, True):
            with self.fresh() as place:
                if before:
                    (place / name).write_bytes(OLD)
                result = self.run(command + [place / name], preexec_fn=limit)
                wrong = self.judge_failure(result) or self.judge_place(place, name, before)
                if wrong:
                    return wrong
        return None

    def in_namespace(self, name, command, mount):
        """Returns what the command ended with where @mount was done to $PLACE, what was left there, and the file."""
        with self.fresh() as place:
            disk, found = place / "disk", place / "found"
            disk.mkdir()
            script = f"""set -e
PLACE={disk}
{mount}
status=0
"$@" > /dev/null 2> {place}/said || status=$?
ls -A "$PLACE" > {place}/left
if [ -e "$PLACE/{name}" ]; then cp "$PLACE/{name}" {found}; fi
exit "$status"
"""
            done = self.run(["unshare", "-rm", "sh", "-c", script, "sh", *command, disk / name])
            if not (place / "said").exists():
                return None
            done.stderr = (place / "said").read_text(encoding="utf-8")
            return done, [left for left in (place / "left").read_text().split() if not left.startswith(".fill")], found.read_bytes() if found.exists() else None

    def in_trouble(self, name, command, mount):
        for before in (False, True):
            put = f'cp {{}} "$PLACE/{name}"' if before else ":"
            with self.fresh() as beside:
                (beside / "old").write_bytes(OLD)
                result = self.in_namespace(name, command, mount.replace("PUT", put.format(beside / "old")))
            if result is None:
                return SKIP
            done, left, data = result
            wrong = self.judge_failure(done)
            if wrong:
                return wrong
            if left != ([name] if before else []) or data != (OLD if before else None):
                return f"left behind: {left}, {data is not None and len(data)} bytes"
        return None

    def test_full_disk(self, name, command):
        return self.in_trouble(name, command, 'mount -t tmpfs -o size=64k none "$PLACE"; PUT; head -c 100000 /dev/zero > "$PLACE/.fill" 2> /dev/null || true')

    def test_no_room_for_names(self, name, command):
        """All inodes are taken."""
        return self.in_trouble(name, command, 'mount -t tmpfs -o size=1m,nr_inodes=9 none "$PLACE"; PUT; '
                               'i=0; while (: > "$PLACE/.fill$i") 2> /dev/null; do i=$((i + 1)); done')

    def test_read_only(self, name, command):
        return self.in_trouble(name, command, 'mount -t tmpfs -o size=1m none "$PLACE"; PUT; mount -o remount,ro "$PLACE"')

    def test_no_permission(self, name, command):
        """A folder of somebody else; root may write anywhere, and becomes nobody here."""
        with self.fresh() as place:
            (place / name).write_bytes(OLD)
            place.chmod(0o555)
            if os.getuid() != 0:
                result = self.run(command + [place / name])
            else:
                result = self.run(command + [place / name], user=65534, group=65534, extra_groups=[])
            place.chmod(0o755)
            return self.judge_failure(result) or self.judge_place(place, name, True)

    def test_vanished(self, name, command):
        """A folder that is not there."""
        with self.fresh() as place:
            return self.judge_failure(self.run(command + [place / "gone" / name])) or (f"{list(place.iterdir())}" if any(place.iterdir()) else None)

    def test_devices(self, name, command):
        """What is no file stays what it is."""
        with self.fresh() as place:
            link = place / name
            link.symlink_to("/dev/full")
            wrong = self.judge_failure(self.run(command + [link]))
            return wrong or (None if link.is_symlink() else "the link is gone")

    def kill(self, lot, count):
        """Returns what is found of programs that were killed."""
        found, n_old, n_new, n_between = [], 0, 0, 0
        for number in range(count):
            name, command = lot.choice(self.jobs)
            before = lot.random() < 0.7
            # Files are written at the end.
            moment = self.seconds[name] * (lot.uniform(0, 1.2) if lot.random() < 0.4 else lot.uniform(0.5, 1.1))
            with self.fresh() as place:
                if before:
                    (place / name).write_bytes(OLD)
                process = subprocess.Popen(command + [str(place / name)], env={**ENVIRONMENT, "TMPDIR": str(place)}, stdin=subprocess.DEVNULL,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(moment)
                process.kill()
                process.wait()
                n_between += self.write_again(place, command, name)
                wrong = self.judge_place(place, name, before, whole_allowed=True)
                if wrong:
                    found.append(f"{number} {name}: {wrong}")
                elif (place / name).exists() and (place / name).read_bytes() != OLD:
                    n_new += 1
                else:
                    n_old += 1
        print(f"# {n_old} as before, {n_new} whole, {n_between} between the two steps of replacing a file")
        return found

    def write_again(self, place, command, name):
        """To take the place of a file, a file without a name needs one for a moment, the two calls of which are no one step: a copy of
        who is killed between them, which is whole, is removed by whoever writes there next. Returns whether there was one."""
        copies = list(place.glob(".headlight-*"))
        if len(copies) != 1 or not (place / name).exists() or not self.is_whole(name, copies[0].read_bytes()):
            return False
        subprocess.run(command + [str(place / f"next-{name}")], env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        (place / f"next-{name}").unlink()
        return True


class Place(tempfile.TemporaryDirectory):
    """A temporary folder, as a path."""

    def __enter__(self):
        return pathlib.Path(self.name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("tests", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    troubles = ["size_limit", "full_disk", "no_room_for_names", "read_only", "no_permission", "vanished", "devices"]

    with tempfile.TemporaryDirectory(prefix="headlight-writing-") as folder:
        os.chmod(folder, 0o755)
        bench = Bench(os.path.abspath(options.cli), options.tests.resolve(), folder)
        print("TAP version 13")
        print(f"1..{len(troubles) + 1}")
        failed = False
        for number, trouble in enumerate(troubles, 1):
            results = [(name, getattr(bench, "test_" + trouble)(name, command)) for name, command in bench.jobs]
            found = [f"{name}: {result}" for name, result in results if result not in (None, SKIP)]
            skipped = all(result is SKIP for _, result in results)
            for one in found:
                print("# " + one.replace("\n", "\n#   "))
            print(f"{'not ok' if found else 'ok'} {number} - {trouble}{' # SKIP it cannot be made here' if skipped else ''}", flush=True)
            failed |= bool(found)
        found = bench.kill(random.Random(options.seed), options.kills)
        for one in found:
            print("# " + one)
        print(f"{'not ok' if found else 'ok'} {len(troubles) + 1} - killed {options.kills} times")
    return failed or bool(found)


if __name__ == "__main__":
    sys.exit(main())
