#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Started without standard streams, the program has none of its connections in their place: messages would be printed into them.

Usage: test-streams.py HEADLIGHT    on a display.  Prints TAP.
"""
import os
import subprocess
import sys
import time
from pathlib import Path


def read_links(process):
    """What the program has open, by number."""
    links = {}
    for link in Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            links[int(link.name)] = os.readlink(link)
        except FileNotFoundError:
            pass
    return links


def wait_connected(process):
    """Until it has a connection, as to the display; what it has open then."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        links = read_links(process)
        if any(link.startswith("socket:") for link in links.values()):
            return links
        time.sleep(0.01)
    raise AssertionError("it never came to the display")


def main():
    print("1..1")
    # The shell becomes the program.
    with subprocess.Popen(["sh", "-c", 'exec "$0" <&- >&- 2>&-', sys.argv[1]]) as process:
        try:
            links = wait_connected(process)
        finally:
            process.kill()
    streams = [links.get(number) for number in range(3)]
    print(f"{'ok' if streams == ['/dev/null'] * 3 else 'not ok'} 1 streams: {streams}")


main()
