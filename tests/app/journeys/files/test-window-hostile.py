#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Texts that somebody chose to do harm, as tokens, names and descriptions of a file: whatever the window says of them, shows or copies
is one line of bounded length that nothing acts on.

Usage: test-window-hostile.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from gi.repository import Gio, GLib

from figure_driver import Figures
from window_driver import Program, run_tests, wait_for

BINARY, FIXTURES = sys.argv[1], Path(sys.argv[3])
sys.path.append(str(FIXTURES.parent / "attacks"))
from hostile_texts import CONTROLS, HOSTILE  # noqa: E402

WORK = Path(tempfile.mkdtemp(prefix="headlight-hostile-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

HOSTILE = {**HOSTILE, "megabyte": "m" * 1_000_000}
NAMES = list(HOSTILE)
# What is said of a picture quotes some tokens, none at length.
MOST = 4000


def make_weights(n):
    weights = np.exp(np.random.default_rng(5).standard_normal((2, 2, n, n)))
    return weights / weights.sum(-1, keepdims=True)


def make_json():
    path = WORK / ("a" + HOSTILE["bidi"] + HOSTILE["markup"].replace("/", "") + HOSTILE["escape"] + "\n.json")
    dump = {"tokens": list(HOSTILE.values()), "attention": make_weights(len(NAMES)).tolist(), "model": HOSTILE["escape"] + HOSTILE["bidi"] + HOSTILE["markup"],
            "text": HOSTILE["lines"], HOSTILE["csi"]: 1}
    path.write_text(json.dumps({"examples": {HOSTILE["bidi"] + HOSTILE["markup"]: dump, HOSTILE["escape"] + HOSTILE["long"]: dump}}))
    return path


def make_hdf5():
    """Strings end at a zero, and may be no UTF-8."""
    path = WORK / "plain.h5"
    with h5py.File(path, "w") as file:
        file["attention"] = make_weights(len(NAMES)).astype("f4")
        file["tokens"] = np.array([text.replace("\0", "").encode() + (b"\xff\xfe\xc3" if name == "csi" else b"") for name, text in HOSTILE.items()], dtype=object)
        file.attrs["model"] = HOSTILE["escape"].replace("\0", "") + HOSTILE["bidi"]
        file[HOSTILE["bidi"]] = make_weights(3).astype("f4")
    return path


program = Program(BINARY, str(make_json()))
atexit.register(lambda: program.kill())
figures = Figures(program, Path(BINARY).parent.parent / "cli" / "headlight-cli", WORK)


def check_text(text, where, most=MOST):
    found = CONTROLS.search(text)
    assert not found, f"{where}: {found.group()!r} in {text[max(0, found.start() - 60):found.end() + 40]!r}"
    assert "\n" not in text.rstrip("\n") or where[1] in ("text", "label"), f"{where}: several lines in {text[:200]!r}"
    assert len(text) <= most, f"{where}: {len(text)} characters: {text[:100]!r}"


def check_said():
    """Names and descriptions of whatever is on the windows now."""
    n = 0
    program.take_keys(4)
    for frame in program.frames():
        for node in (frame, *program.accessibility.walk(frame)):
            for text in (node.name, node.description):
                check_text(text, (frame.name[:20], node.role))
                n += 1
    assert n > 50
    name = subprocess.run(["xprop", "-id", program.x_window, "_NET_WM_NAME"], stdout=subprocess.PIPE, text=True, check=True).stdout.rstrip("\n")
    check_text(name, ("the window manager", "title"), 300)


def check_copied():
    """The command is for a shell, in which a text may have lines: nothing else that a terminal acts on is in it."""
    program.key("Escape")
    command = figures.copy_command()
    check_text(command.replace("\n", " "), ("the clipboard", "command"), 40000)
    figures.copy_figure()
    svg = wait_for("shapes on the clipboard", lambda: program.read_clipboard("image/svg+xml")).decode()
    check_text(svg.replace("\n", " "), ("the clipboard", "shapes"), 8 << 20)
    assert "<script" not in svg and "<b>" not in svg


def test_open():
    program.use_page(0, from_first_head=False)
    check_said()


def test_views():
    """In each, the keyboard goes over tokens, of which the first are the worst."""
    names = set()
    for view in range(1, 9):
        program.key(f"ctrl+{view}", "ctrl+Home")
        program.key("Down", "Down", "Return")
        check_said()
        names.add(program.view()[0])
        program.key("Escape")
    # Two of them have several pictures, and say nothing new of this one.
    assert len(names) == 6, names
    check_copied()
    program.key("ctrl+1")


def test_tokens():
    """Each of them in focus, in the token panel, pinned and in its menu."""
    for i in range(len(NAMES)):
        program.key("ctrl+Home", *["Down"] * i) if i == 0 else program.key("Down")
        check_text(program.view()[1], (NAMES[i], "view"))
    check_said()
    program.key("Return")
    program.key("ctrl+shift+c")
    check_said()
    program.key("Menu")
    check_said()
    program.key("Escape", "Escape")


def test_search():
    for text in ("m", "<b>", "evil", "%s"):
        program.key("ctrl+f", "ctrl+a")
        program.type(text)
        check_said()
    program.key("Escape")


def test_dialogs():
    for key, title in (("ctrl+i", "Details"), ("ctrl+shift+x", "Axes"), ("ctrl+d", "Compare With")):
        program.key(key)
        program.wait_dialog(title)
        check_said()
        program.close_dialog(title)


def test_hdf5():
    program.open_again(make_hdf5())
    program.wait_title("plain.h5")
    program.use_page(1, from_first_head=False)
    check_said()
    program.key("ctrl+i")
    program.wait_dialog("Details")
    check_said()
    program.close_dialog("Details")


def test_refused():
    """The sentence about a file quotes its name."""
    path = WORK / ("refused" + HOSTILE["bidi"] + HOSTILE["escape"] + "\n<b>.json")
    path.write_text("{")
    program.open_again(path)
    program.wait("label", "refused", program.main_frame())
    check_said()


def test_addresses():
    """What is no file is refused, and not looked for: an address, one that cannot be decoded, and a path that is none."""
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    for address in ("https://example.invalid/sale/100%", "example", "https://example.invalid/x.pt"):
        bus.call_sync("org.headlight.Headlight", "/org/headlight/Headlight", "org.gtk.Application", "Open",
                      GLib.Variant("(assa{sv})", ([address], "", {})), None, Gio.DBusCallFlags.NONE, 30000, None)
        # What is said last replaces what was said before, in the same words but for the name.
        said = lambda: [label for label in program.find_all("label", "only local files can be opened", program.main_frame())]
        wait_for(f"what is said of {address}", said)
        program.open_again(WORK / "nothing.json")
        wait_for("what is said of a file that is not there", lambda: program.find_all("label", "nothing.json", program.main_frame()) and not said())
    check_said()


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.read_errors(), "\n".join(program.read_errors()[-10:])


def recover():
    if program.process.poll() is None:
        program.key("Escape", "Escape")


run_tests([(name[5:], value) for name, value in list(globals().items()) if name.startswith("test_")], recover)
