# SPDX-License-Identifier: MIT
"""Of a Headlight that was built without libsoup: downloading says so in one sentence.

Usage: test-hub-none.py HEADLIGHT-CLI.  Prints TAP.
"""

import subprocess
import sys

done = subprocess.run([sys.argv[1], "download", "some/bert"], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                      timeout=60)
expected = (1, "", "headlight-cli: some/bert: this Headlight was built without libsoup, so that it cannot download models\n")
print("1..1")
if (done.returncode, done.stdout, done.stderr) != expected:
    print(f"# {done}")
    print("not ok 1 - one sentence")
    sys.exit(1)
print("ok 1 - one sentence")
