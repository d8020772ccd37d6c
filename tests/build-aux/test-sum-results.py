#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests build-aux/sum-results on logs as meson writes them: what it counts, what it must not miss, and whom it quotes."""

import json
import pathlib
import subprocess
import sys
import tempfile

# name: (what testlog.json says of each program, its cases in testlog.junit.xml, last line, status)
CASES = {
    "programs and single tests are counted": (
        [("headlight:core / a", "OK"), ("headlight:core / b", "OK")],
        {"headlight:core / a": ["", "", "<skipped/>"]},
        "3 passed, 0 failed, 1 skipped",
        0,
    ),
    "a failed single test": (
        [("headlight:core / a", "FAIL")],
        {"headlight:core / a": ["", "<failure/>"]},
        "1 passed, 1 failed",
        1,
    ),
    "a crash after the last single test": (
        [("headlight:core / a", "ERROR")],
        {"headlight:core / a": ["", ""]},
        "2 passed, 1 failed",
        1,
    ),
    "a program that hung": ([("headlight:core / a", "TIMEOUT")], {}, "0 passed, 1 failed", 1),
    "a program that failed": (
        [("headlight:core / a", "OK"), ("headlight:core / b", "FAIL")],
        {},
        "1 passed, 1 failed",
        1,
    ),
    "a program that was interrupted": (
        [("headlight:core / a", "INTERRUPT")],
        {},
        "0 passed, 1 failed",
        1,
    ),
    "a program that was skipped": (
        [("headlight:core / a", "SKIP"), ("headlight:core / b", "OK")],
        {},
        "1 passed, 0 failed, 1 skipped",
        0,
    ),
    "a test that prints control characters": (
        [("headlight:core / a", "OK")],
        {"headlight:core / a": ["<system-out>\x1b[0m \x01</system-out>", ""]},
        "2 passed, 0 failed",
        0,
    ),
    "the same name in two suites": (
        [("headlight:core / a", "OK"), ("headlight:draw / a", "OK")],
        {"headlight:core / a": ["", ""], "headlight:draw / a": [""]},
        "3 passed, 0 failed",
        0,
    ),
    "only skipped tests": ([("headlight:core / a", "SKIP")], {}, "0 passed, 1 failed, 1 skipped", 1),
    "no tests at all": ([], {}, "0 passed, 1 failed", 1),
    "no logs": (None, {}, "0 passed, 1 failed", 1),
}


def write_logs(folder, programs, suites):
    """Writes the two logs of a build folder."""
    logs = pathlib.Path(folder, "meson-logs")
    logs.mkdir()
    if programs is None:
        return
    (logs / "testlog.json").write_text(
        "".join(json.dumps({"name": name, "result": result, "stderr": f"why {name}"}) + "\n" for name, result in programs)
    )
    (logs / "testlog.junit.xml").write_text(
        "<testsuites>"
        + "".join(
            f'<testsuite name="headlight.{name}">'
            + "".join(f'<testcase name="{i}">{mark}</testcase>' for i, mark in enumerate(marks))
            + "</testsuite>"
            for name, marks in suites.items()
        )
        + "</testsuites>"
    )


def main():
    script = sys.argv[1]
    print(f"1..{len(CASES)}")
    failed = 0
    for number, (name, (programs, suites, last, status)) in enumerate(CASES.items(), 1):
        with tempfile.TemporaryDirectory() as folder:
            write_logs(folder, programs, suites)
            done = subprocess.run(
                [sys.executable, script, folder],
                check=False,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
            )
        good = done.returncode == status and done.stdout.splitlines()[-1:] == [last]
        for program, result in programs or []:
            good = good and (f"why {program}" in done.stdout) == (result not in ("OK", "SKIP"))
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - {name}")
        if not good:
            print(f"# status {done.returncode}", *(f"# {x}" for x in done.stdout.splitlines()), sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
