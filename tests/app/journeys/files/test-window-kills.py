#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A program that is killed at any moment while files are opened, views chosen and a text typed: what it kept is whole, of before or after the
last change, and the next program offers as much.

Usage: test-window-kills.py HEADLIGHT SAMPLE FIXTURES [KILLS [SEED]]    on a display with a window manager and an accessibility bus

By hand: no two runs are the same. 12 kills unless told. Every other one comes as soon as something moves in the folder where that is kept, the others at a random moment.
"""
import atexit
import json
import os
import random
import shutil
import string
import sys
import tempfile
import threading
import time
from pathlib import Path

from window_driver import Program, get_state_folder, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
N_KILLS = int(sys.argv[4]) if len(sys.argv) > 4 else 12
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else random.randrange(10 ** 6)
MODEL = SAMPLE.with_name("minilm-l6-v2.gguf")
WORK = Path(tempfile.mkdtemp(prefix="headlight-kills-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
# A tab may stay from one program to the next.
files = [Path(shutil.copy(FIXTURES / name, WORK)) for name in ("causal.h5", "examples.h5", "encoder-decoder.json")] + [MODEL]
TEXT = "the sparrow ate what we had left"
# It may go to one tab and then to another, into what stands there.
LETTERS = set(string.printable)
chance = random.Random(SEED)
program = None
atexit.register(lambda: program and program.kill())


def look():
    """All names and times below the folder."""
    found = []
    for folder, _, names in os.walk(get_state_folder()):
        for name in names:
            try:
                found.append((folder, name, os.stat(os.path.join(folder, name)).st_mtime_ns))
            except OSError:
                found.append((folder, name, 0))
    return sorted(found)


def kill_soon(at_change):
    """Another thread, which kills the program at such a moment, however far the keys are."""
    def run():
        end = time.monotonic() + (4 if at_change else chance.uniform(0, 2.5))
        before = look()
        while time.monotonic() < end and not (at_change and look() != before):
            time.sleep(0 if at_change else 0.01)
        program.process.kill()
    thread = threading.Thread(target=run)
    thread.start()
    return thread


def read(path):
    """The names of the files of the tabs, and the texts typed; whatever is not whole raises an exception."""
    header, *tabs = [json.loads(text) for text in path.read_text(encoding="utf-8").split("\x1e") if text.strip()]
    assert header["format"] == "headlight-window" and len(header["session-files"]) == len(tabs), header
    assert header["selected"] < len(tabs), header
    return [Path(tab.get("file") or tab["uri"]).name for tab in tabs], [tab["text"] for tab in tabs if "text" in tab]


def judge(known, opened):
    """What is kept of each window is what was known to be, or of the tabs before that in its window as many as were there. Returns it."""
    kept = [read(path) for path in get_state_folder().glob("windows/*/window-*")]
    wholes = [opened + names for names in known or [[]]]
    for names, texts in kept:
        assert names in known or any(names == whole[:len(names)] for whole in wholes), (names, known, opened)
        assert all(set(text) <= LETTERS for text in texts), texts
    for names in known:
        assert any(names == those[-len(names):] for those, _ in kept), (names, kept)
    others = [name for _, name, _ in look() if name != "lock" and not name.startswith("window-")]
    # Between two names of one file there is a moment.
    assert len(others) <= 1 and all(name.startswith(".headlight-") for name in others), others
    return [names for names, _ in kept], others


def offers():
    return [node.name for node in program.find_all("label", "ended unexpectedly", program.main_frame())
            if program.accessibility.get_extents(node)[2] > 0]


def begin(lost, takes, *arguments):
    """The next program, which is offered all that was kept, and what becomes of that."""
    global program
    program = Program(BINARY, *map(str, arguments), after_crash=True)
    n_lost = sum(map(len, lost))
    if n_lost == 0:
        return
    wait_for(f"an offer of {n_lost}", lambda: any(f" {n_lost} document" in name for name in offers()))
    program.accessibility.activate(program.wait("button", "Open Again" if takes else "Dismiss", program.main_frame()))
    if not takes:
        wait_for("what was lost to be removed", lambda: len(list(get_state_folder().glob("windows/*"))) == 1)


def test_kills():
    print(f"# seed {SEED}", flush=True)
    shutil.rmtree(get_state_folder(), ignore_errors=True)
    lost, n_between = [], 0
    for number in range(N_KILLS):
        takes = chance.random() < 0.6 and sum(map(len, lost)) < 8
        opened = chance.sample(files, 1 if takes else 2)
        begin(lost, takes, *opened)
        thread = kill_soon(number % 2 == 0)
        try:
            while thread.is_alive():
                program.key(f"ctrl+{chance.randint(1, 4)}", "alt+Down", "ctrl+plus", "ctrl+l", "ctrl+a")
                program.type(TEXT)
        except Exception:
            # It went in the middle of that.
            if thread.is_alive():
                raise
        thread.join()
        program.process.wait()
        lost, others = judge(lost if takes else [], [path.name for path in opened])
        n_between += len(others)
    begin(lost, False)
    program.key("ctrl+q")
    assert program.end() == 0
    left = list(get_state_folder().glob("windows/*"))
    assert not left, left
    print(f"# {N_KILLS} kills, {n_between} between two names of a file", flush=True)


def recover():
    program.kill()


run_tests([("kills", test_kills)], recover)
