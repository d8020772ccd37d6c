# SPDX-License-Identifier: MIT
"""Runs functions named test_… of a script and prints TAP."""
import sys
import traceback


def run(names, *arguments):
    """Each function of a script's globals() whose name begins with test_, with the arguments; ends the process.

    Words behind the first two of the command line choose those whose names hold one of them.
    """
    words = sys.argv[3:]
    tests = [(name, test) for name, test in names.items() if name.startswith("test_") and (not words or any(x in name for x in words))]
    failed = False
    print(f"1..{len(tests)}")
    for number, (name, test) in enumerate(tests, 1):
        try:
            test(*arguments)
        except Exception:
            failed = True
            print(f"not ok {number} {name}", flush=True)
            traceback.print_exc()
        else:
            print(f"ok {number} {name}", flush=True)
    sys.exit(failed)
