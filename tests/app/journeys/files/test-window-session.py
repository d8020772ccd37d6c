#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Sessions: what makes a picture is saved, opens to the same picture, and is a command that draws it.

Usage: test-window-session.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from figure_driver import Figures
from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
CLI = Path(BINARY).resolve().parents[1] / "cli" / "headlight-cli"
WORK = Path(tempfile.mkdtemp(prefix="headlight-session-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

# Names that a shell would take apart.
dump = WORK / "it's $HOME's time.h5"
shutil.copy(SAMPLE, dump)
session = WORK / "a picture.headlight"
# Two tabs from the beginning: the bar of tabs takes room from the picture.
program = Program(BINARY, str(FIXTURES / "causal.h5"))
atexit.register(lambda: program.kill())
figures = {}
shown = Figures(program, CLI, WORK)


def pin():
    """Clicks into the view until something is pinned, which the pointer does not take away."""
    width, height = program.wait_place(program.image)[2:]
    for dx, dy in ((0.5, 0.5), (0.4, 0.45), (0.3, 0.35), (0.6, 0.6)):
        program.click(*program.point(program.image, width * dx, height * dy))
        program.move(5, 5)
        try:
            wait_for("something to be pinned", lambda: program.view()[1] != "", 5)
            return
        except Exception:
            continue
    raise AssertionError("nothing can be pinned")


def test_command():
    """Each view as a command, with what is pinned, and several heads in the head view."""
    program.wait_title("causal.h5")
    program.open_again(dump)
    program.wait_title(dump.name)
    program.use_page(1)
    program.wait_view("layer 0", "head 0")
    program.key("alt+Down", "alt+Down", "alt+Right", "alt+Right", "alt+Right")
    program.wait_view("layer 2", "head 3")
    for key, view in (("ctrl+1", "Head View"), ("ctrl+3", "Model View"), ("ctrl+2", "Heatmap")):
        program.key(key)
        program.wait_view(view)
        if view == "Heatmap":
            pin()
        command = shown.copy_command()
        words = shlex.split(command)
        assert words[:3] == ["headlight-cli", "render", str(dump)], words
        shown.check_same(shown.copy_figure(), shown.run(command), command)


def test_save():
    """A small file beside the dump, which it names from there."""
    figures["heatmap"] = shown.copy_figure()
    figures["view"] = program.view()
    shown.save_session(session)
    shown.wait_said(f"Saved “{session.name}”")
    saved = json.loads(session.read_text())
    assert saved["format"] == "headlight-session" and saved["version"] == 1, saved
    assert saved["file"] == dump.name, saved
    assert saved["state"]["view"] == "heatmap" and saved["state"]["layer"] == "2" and saved["state"]["heads"] == "3", saved
    assert "token" in saved["state"] and "threshold" not in saved["state"], saved
    assert session.stat().st_size < 1000


def test_reopen():
    """From the command line, after the tab looks at something else: a tab of its own with the same picture."""
    program.key("Escape", "ctrl+1", "alt+Up")
    program.wait_view("Head View", "layer 1")
    program.open_again(session)
    program.wait_title(session.name)
    program.use_page(2)
    program.wait_view(*figures["view"])
    shown.check_same(figures["heatmap"], shown.copy_figure(), "the picture is another one")


def test_moved():
    """Both moved together: the dump is found beside the session."""
    program.key("ctrl+w")
    program.wait_title(dump.name)
    folder = WORK / "moved"
    folder.mkdir()
    shutil.copy(session, folder)
    shutil.move(dump, folder)
    program.open_again(folder / session.name)
    program.wait_title(session.name)
    program.use_page(2)
    program.wait_view(*figures["view"])
    shown.check_same(figures["heatmap"], shown.copy_figure(), "the picture is another one")
    command = shown.copy_command()
    assert shlex.split(command)[2] == str(folder / dump.name), command
    figures["command"] = command
    program.key("ctrl+w")
    program.wait_title(dump.name)


def test_render():
    """headlight-cli takes a session as a source."""
    # Not of the tab that is on top, whose file is gone: there a banner takes room.
    words = shlex.split(figures["command"])
    size = [word for word in words if word.startswith(("--width", "--height", "--scale", "--as-seen"))]
    target = WORK / "rendered.png"
    subprocess.run([CLI, "render", WORK / "moved" / session.name, *size, "-o", target], check=True, timeout=120)
    shown.check_same(figures["heatmap"], target.read_bytes(), "the picture is another one")


def test_locate():
    """The dump is gone from where the session says: one sentence, and somebody can say where it is."""
    program.open_again(session)
    frame, _ = program.wait_dialog("File Not Found")
    wait_for("the name of the file", lambda: [label for label in program.find_all("label", session.name, frame)
                                              if dump.name in label.name])
    program.key("Return")
    program.answer_chooser("Locate File", WORK / "moved" / dump.name)
    program.wait_title(session.name)
    program.use_page(2)
    program.wait_view(*figures["view"])
    shown.check_same(figures["heatmap"], shown.copy_figure(), "the picture is another one")
    program.key("ctrl+w")
    program.wait_title(dump.name)


def test_wrong():
    """What does not fit is said in one sentence, and what is open stays."""
    shutil.copy(SAMPLE, dump)
    program.use_page(1)
    cases = {
        "newer": ({"version": 2}, "newer version"),
        "unknown": ({"surprise": 1}, "surprise"),
        "layer": ({"state": {"layer": "17"}}, "no layer 17"),
        "heads": ({"state": {"heads": "3-"}}, "heads"),
        "example": ({"example": 4}, "no example 4"),
        "type": ({"zoom": "x"}, "zoom"),
    }
    for name, (change, words) in cases.items():
        path = WORK / f"{name}.headlight"
        path.write_text(json.dumps({"format": "headlight-session", "version": 1, "file": dump.name, **change}))
        program.open_again(path)
        # It is said for some seconds only.
        wait_for(f"“{words}” of {path.name}", lambda: any(node.name.startswith(path.name) for node in
                                                         program.find_all("label", words, program.main_frame())))
        program.wait_title(dump.name)
        program.view()
        program.key("Escape")
        shown.forget_said(words)


def test_example():
    """Which example of a file is part of the session."""
    shutil.copy(FIXTURES / "examples.h5", WORK)
    path = WORK / "second.headlight"
    path.write_text(json.dumps({"format": "headlight-session", "version": 1, "file": "examples.h5", "example": 1,
                                "state": {"view": "heatmap"}}))
    program.open_again(path)
    program.wait_title(path.name)
    program.use_page(2)
    program.wait_view("Heatmap")
    target = WORK / "example.png"
    words = shlex.split(shown.copy_command())
    assert "--example=#1" in words, words
    size = [word for word in words if word.startswith(("--width", "--height", "--scale", "--as-seen"))]
    subprocess.run([CLI, "render", path, *size, "-o", target], check=True, timeout=120)
    shown.check_same(shown.copy_figure(), target.read_bytes(), "the picture is another one")
    program.key("ctrl+w")
    program.wait_title(dump.name)


def test_notice():
    """A view of what the file does not hold was saved: it opens with what it lacks, not as another view."""
    program.open_again(FIXTURES / "sentence-pair.h5")
    program.wait_title("sentence-pair.h5")
    program.use_page(2)
    program.key("ctrl+4")
    program.wait_view("Steps: ", "no queries and keys")
    path = WORK / "steps.headlight"
    shown.save_session(path)
    program.open_again(path)
    program.wait_title(path.name)
    program.use_page(3)
    program.wait_view("Steps: ", "no queries and keys")
    program.key("ctrl+w")
    program.wait_title("sentence-pair.h5")
    program.key("ctrl+w")
    program.wait_title(dump.name)


def test_end():
    program.xdotool("windowactivate", "--sync", program.x_window)
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def recover():
    if program.process.poll() is None:
        program.key("Escape", "Escape", "Escape")
        program.open_again(dump)
        program.use_page(1)


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
