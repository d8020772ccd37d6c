#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A comparison is saved, opens to the same picture, and is a command that draws it; also one that is dropped.

Usage: test-window-compare-session.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import shlex
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

from figure_driver import Figures
from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
CLI = Path(BINARY).resolve().parents[1] / "cli" / "headlight-cli"
WORK = Path(tempfile.mkdtemp(prefix="headlight-compare-session-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

DUMP = WORK / "first.h5"
shutil.copy(SAMPLE, DUMP)
with h5py.File(SAMPLE) as file:
    TOKENS = [token.decode() for token in file["tokens"][...]]
# Another text, longer and with other layers and heads, whose tokens are not in the file: how it is read is part of the session.
OTHER_TOKENS = TOKENS[:3] + ["quickly", "and", "often"] + TOKENS[3:] * 3
OTHER = WORK / "other.h5"
with h5py.File(OTHER, "w") as file:
    file["scores"] = np.random.default_rng(3).normal(0, 2, (4, 8, len(OTHER_TOKENS), len(OTHER_TOKENS))).astype(np.float32)
    file["tokens"] = np.array([token.encode() for token in OTHER_TOKENS])

# Two tabs from the beginning: the bar of tabs takes room from the picture.
program = Program(BINARY, str(FIXTURES / "causal.h5"))
atexit.register(lambda: program.kill())
shown = Figures(program, CLI, WORK)


def wait_description(node, *words):
    def ask():
        return program.accessibility.read([node]) and all(word in node.description for word in words)
    wait_for(lambda: f"{node.name} to say {words}; it says “{node.description}”", ask)


def pin(node, n_down, n_right, words):
    """Pins a cell of a heatmap by the keyboard."""
    width, height = program.wait_place(node)[2:]
    program.click(*program.point(node, width - 6, height - 6))
    program.move(5, 5)
    program.key("Escape", "ctrl+Home", *["Down"] * n_down, *["Right"] * n_right)
    wait_description(node, words)
    program.key("Return")


def test_heads():
    """Two heads of one document, of which one goes along and one stays, side by side and as difference."""
    program.wait_title("causal.h5")
    program.open_again(DUMP)
    program.wait_title(DUMP.name)
    program.use_page(1)
    shown.wait_image("layer 0", "head 0")
    program.key("alt+Down", "alt+Right", "alt+Right", "ctrl+2")
    shown.wait_image("Heatmap", "layer 1", "head 2")
    shown.compare("Down", "Return")
    shown.wait_image("· A", "layer 1", "head 2")
    shown.wait_image("· B", "layer 2", "head 2")
    pin(shown.wait_image("· A"), 1, 2, "time → flies")
    saved = shown.check_state("layers", 2)
    assert "token" in saved["state"], saved
    assert saved["other"] == {"state": {"layer": "2"}}, saved
    program.key("ctrl+m")
    shown.wait_image("difference")
    saved = shown.check_state("layers-difference", 2)
    assert "token" in saved["state"], saved
    assert saved["other"] == {"difference": True, "state": {"layer": "2"}}, saved
    # After going back, the pairing goes on.
    program.key("ctrl+m", "ctrl+1", "alt+Down")
    shown.wait_image("· A", "Head View", "layer 2")
    saved = shown.check_state("lines", 2)
    assert saved["other"]["state"] == {"layer": "2"}, saved
    program.key("ctrl+shift+d", "Escape")
    shown.wait_no_image("· A")
    assert "other" not in shown.check_state("alone", 2)


def test_documents():
    """Two files, of other tokens and read in other ways; what is pinned is on one side only."""
    program.open_again(OTHER)
    program.wait_title(OTHER.name)
    shown.use_page(2)
    wait_for("the offer of a softmax to be taken",
             lambda: any(map(program.accessibility.activate, program.find_all("button", "Show Softmax", program.page))))
    shown.wait_image("softmax of the scores in the file")
    program.key("ctrl+Page_Up")
    program.wait_title(DUMP.name)
    shown.use_page(1)
    program.key("ctrl+2", "alt+Up", "alt+Up")
    shown.wait_image("Heatmap", "layer 0", "head 2")
    # After another head and another layer come the tabs: causal.h5, and the other file.
    shown.compare("Down", "Down", "Down", "Return")
    shown.wait_image("B: " + OTHER.name, "softmax of the scores", "layer 0", "head 2")
    shown.wait_image("A: " + DUMP.name)
    # The first side has neither of these tokens.
    pin(shown.wait_image("· B"), 3, 4, "quickly → and")
    saved = shown.check_state("files", 3)
    assert "token" not in saved["state"], saved
    assert saved["other"]["file"] == OTHER.name and saved["other"]["softmax"] is True, saved
    assert saved["other"]["state"] == {"token": "3:4"}, saved
    program.key("Escape", "ctrl+m")
    pin(shown.wait_image("difference"), 3, 4, "quickly → and")
    saved = shown.check_state("files-difference", 3)
    assert saved["other"]["difference"] is True and saved["other"]["state"] == {"token": "3:4"}, saved
    program.key("Escape", "ctrl+m")
    shown.wait_image("· B")


def test_scroll():
    """Whoever leads the other, both are where they were; so is the second side where it went further than the first could."""
    program.key(*["ctrl+plus"] * 6)
    b = shown.wait_image("· B")
    width, height = program.wait_place(b)[2:]
    for side in ("A", "B"):
        program.move(*program.point(shown.wait_image("· " + side), width / 2, height / 2))
        program.xdotool("click", "--repeat", 4, "--delay", 60, 5)
        saved = shown.check_state("scrolled-" + side.lower(), 3)
        assert saved["zoom"] > 0 and "scroll" in saved["other"], saved
    program.key("ctrl+0", "ctrl+shift+d")
    shown.wait_no_image("· A")


def test_drop():
    """A session that is dropped on the window opens in a tab of its own, to the same picture."""
    title = program.title()
    path = WORK / "layers-difference.headlight"
    program.drop(path)
    program.wait_title(path.name)
    page = program.page
    shown.use_page(3)
    shown.wait_image("difference B − A of attention weight", "layer 1 · head 2", "A: 1·2", "B: 2·2")
    command = shown.copy_command()
    shown.check_same(shown.copy_figure(), shown.run(command), command)
    shown.close_tab(title)
    program.page = page


def test_wrong():
    """What the second side lacks is said in one sentence, and nothing opens; what is gone can be found again."""
    title = program.title()
    cases = {
        "layer": ({"state": {"layer": "17"}}, "it cannot be compared with “first.h5”: there is no layer 17"),
        "token": ({"state": {"token": "170"}}, "it cannot be compared with “first.h5”: there is no token 170"),
        "unknown": ({"state": {"view": "heatmap"}}, "“other”: this version of Headlight does not know “view”"),
        "type": ({"difference": "yes"}, "“other”: “difference” is not true or false"),
        "broken": ({"file": "broken.h5"}, "it cannot be compared with “broken.h5”: "),
    }
    (WORK / "broken.h5").write_bytes(b"\x89HDF\r\n\x1a\n and no more")
    # What takes a while shows that it is being read, between tabs; when it fails, the tab is on top that was before.
    slow = WORK / "slow.json"
    slow.write_text('{"tokens": ["a"], "attention": [' + "0.25, " * 6_000_000)
    program.open_again(slow)
    program.process.send_signal(signal.SIGSTOP)
    time.sleep(0.5)
    program.process.send_signal(signal.SIGCONT)
    shown.wait_said(slow.name + ": ")
    wait_for(lambda: f"“{title}” on top, not {program.title()}", lambda: program.title() == title)
    program.key("Escape")
    shown.forget_said(slow.name)
    for name, (other, words) in cases.items():
        path = WORK / f"wrong-{name}.headlight"
        path.write_text(json.dumps({"format": "headlight-session", "version": 1, "file": DUMP.name, "other": other}))
        program.open_again(path)
        shown.wait_said(words)
        wait_for(lambda: f"“{title}” on top, not {program.title()}", lambda: program.title() == title)
        program.key("Escape")
        shown.forget_said(words)
    path = WORK / "files.headlight"
    saved = json.loads(path.read_text())
    folder = WORK / "moved"
    folder.mkdir()
    shutil.move(OTHER, folder)
    program.open_again(path)
    frame, _ = program.wait_dialog("File Not Found")
    wait_for("the name of the file", lambda: [label for label in program.find_all("label", path.name, frame) if OTHER.name in label.name])
    program.key("Return")
    program.answer_chooser("Locate File", folder / saved["other"]["file"])
    program.wait_title(path.name)
    page = program.page
    shown.use_page(3)
    shown.wait_image("A: " + DUMP.name)
    shown.wait_image("B: " + OTHER.name, "softmax of the scores")
    # What was found stays where it was found when it is read again, and is the second side still.
    program.key("F5")
    command = shlex.split(program.wait_still("what is compared", shown.copy_command))
    assert command[2] == str(DUMP) and f"--compare={folder / OTHER.name}" in command, command
    shown.wait_image("B: " + OTHER.name, "softmax of the scores")
    shown.close_tab(title)
    program.page = page
    # Both are gone, each to another folder, where a file with the other's name lies too.
    places = [WORK / "left", WORK / "right"]
    for place, moved in zip(places, (DUMP, folder / OTHER.name)):
        place.mkdir()
        shutil.move(moved, place)
    shutil.copy(places[0] / DUMP.name, places[1] / DUMP.name)
    program.open_again(path)
    for place, name in zip(places, (DUMP.name, OTHER.name)):
        frame, _ = program.wait_dialog("File Not Found")
        wait_for("the name of the file", lambda: [label for label in program.find_all("label", path.name, frame) if name in label.name])
        program.key("Return")
        program.answer_chooser("Locate File", place / name)
    program.wait_title(path.name)
    page = program.page
    shown.use_page(3)
    shown.wait_image("B: " + OTHER.name, "softmax of the scores")
    command = shlex.split(shown.copy_command())
    assert command[2] == str(places[0] / DUMP.name) and f"--compare={places[1] / OTHER.name}" in command, command
    shown.close_tab(title)
    program.page = page


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], lambda: program.process.poll() is None and program.key("Escape", "Escape", "Escape"))
