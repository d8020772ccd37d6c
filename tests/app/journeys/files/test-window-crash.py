#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A program that is killed: what was open, typed and chosen is offered by the next, once, and by nobody where it ended by itself.

Usage: test-window-crash.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import fcntl
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from window_driver import Program, get_state_folder, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
MODEL = SAMPLE.with_name("minilm-l6-v2.gguf")
WORK = Path(tempfile.mkdtemp(prefix="headlight-crash-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

dump, other = WORK / "dump.h5", WORK / "causal.h5"
shutil.copy(SAMPLE, dump)
shutil.copy(FIXTURES / "causal.h5", other)
session = WORK / "kept.headlight"

program = Program(BINARY, str(dump))
atexit.register(lambda: program.kill())


def windows():
    """What is kept now, as it stands in the files."""
    return [path for path in get_state_folder().glob("windows/*/window-*") if path.is_file()]


def read_tabs(path):
    texts = [json.loads(text) for text in path.read_text(encoding="utf-8").split("\x1e") if text.strip()]
    return texts[0], texts[1:]


def wait_kept(what, holds):
    def is_kept():
        for path in windows():
            try:
                header, tabs = read_tabs(path)
            except FileNotFoundError:  # removed since it was found
                continue
            if holds(header, tabs):
                return True
        return False
    wait_for(what, is_kept)


def crash(*arguments):
    global program
    program.kill()
    program = Program(BINARY, *map(str, arguments), after_crash=True)


def offers():
    return [node.name for node in program.find_all("label", "ended unexpectedly", program.main_frame())
            if program.accessibility.get_extents(node)[2] > 0]


def wait_offer(words):
    wait_for(f"an offer of {words}", lambda: any(words in name for name in offers()))


def has_open(path):
    """Whether the program holds a file, as it does while a document is of it."""
    for link in Path(f"/proc/{program.process.pid}/fd").iterdir():
        try:
            if link.readlink() == path:
                return True
        except FileNotFoundError:
            pass
    return False


def press(name):
    """Of the buttons of that name the one that can be: a banner slides in."""
    wait_for(f"“{name}” to be pressed",
             lambda: any(map(program.accessibility.activate, program.find_all("button", name, program.main_frame()))))


def open_again():
    press("Open Again")
    wait_for("the offer to go", lambda: not offers())


def test_tabs():
    """Two tabs, one looked at in some way: the same is there again, in order, and with the same on top."""
    program.use_page(0)
    program.open_again(other)
    program.wait_title(other.name)
    program.key("ctrl+Page_Up")
    program.wait_title(dump.name)
    program.wait_view("layer 0", "head 0")
    program.key("alt+Down", "alt+Down", "alt+Right", "ctrl+2")
    program.wait_view("layer 2", "head 1", "Heatmap")
    wait_kept("the view to be kept", lambda header, tabs: len(tabs) == 2 and header["selected"] == 0
              and tabs[0].get("state", {}).get("view") == "heatmap" and tabs[0]["state"]["layer"] == "2")
    path, = wait_for("one file", lambda: len(windows()) == 1 and windows())
    for folder in (path.parent, path.parent.parent):
        assert folder.stat().st_mode & 0o777 == 0o700, folder
    assert path.stat().st_mode & 0o777 == 0o600, path
    lost = path.parent
    crash()
    wait_offer("2 documents were open")
    open_again()
    program.wait_title(dump.name)
    program.use_page(0, from_first_head=False)
    program.wait_view("layer 2", "head 1", "Heatmap")
    wait_for("what was lost to be removed", lambda: not lost.exists())
    wait_kept("what is open again to be kept", lambda header, tabs: len(tabs) == 2)
    assert has_open(dump) and not has_open(other), "what is not on top was read"
    program.key("ctrl+Page_Down")
    program.wait_title(other.name)
    program.use_page(1, from_first_head=False)
    assert has_open(other)
    assert not program.complaints(), program.complaints()


def test_put_off():
    """Of many tabs only that on top is read; what was kept of the others stays so over another crash, and one that is gone goes back."""
    gone = WORK / "gone.h5"
    shutil.copy(other, gone)
    program.open_again(gone)
    program.wait_title(gone.name)
    program.key("ctrl+Page_Up")
    program.wait_title(other.name)
    program.key("ctrl+Page_Up")
    program.wait_title(dump.name)
    wait_kept("three tabs", lambda header, tabs: len(tabs) == 3 and header["selected"] == 0)
    for _ in range(2):
        crash()
        wait_offer("3 documents were open")
        open_again()
        program.wait_title(dump.name)
        program.use_page(0, from_first_head=False)
        program.wait_view("layer 2", "head 1", "Heatmap")
        wait_kept("three tabs again", lambda header, tabs: len(tabs) == 3 and tabs[0].get("state", {}).get("layer") == "2"
                  and gone.name in json.dumps(tabs[2]))
    assert not has_open(other) and not has_open(gone), "what is not on top was read"
    gone.unlink()
    program.key("alt+3")
    program.wait("label", gone.name + ": ", program.main_frame())
    program.wait_title(dump.name)
    wait_kept("two tabs", lambda header, tabs: len(tabs) == 2 and header["selected"] == 0)
    assert not has_open(other), "what is not on top was read"
    # What is opened by its name is shown where it stands.
    program.open_again(other)
    program.wait_title(other.name)
    program.use_page(1, from_first_head=False)
    wait_kept("that on top", lambda header, tabs: len(tabs) == 2 and header["selected"] == 1)
    assert has_open(other)
    # What was gone stays kept beside them until somebody has it open.
    wait_kept("that is gone", lambda header, tabs: len(tabs) == 1 and gone.name in json.dumps(tabs[0]))
    shutil.copy(other, gone)
    program.open_again(gone)
    program.wait_title(gone.name)
    wait_for("one window to be kept", lambda: len(windows()) == 1)
    program.key("ctrl+w")
    program.wait_title(other.name)


def test_place():
    """Where one is in a picture: to zoom and to scroll changes nothing else."""
    def get_place(tabs):
        return tabs[1].get("zoom", 0), tabs[1].get("scroll", [0, 0])

    wait_kept("two tabs, without a place", lambda header, tabs: len(tabs) == 2 and get_place(tabs) == (0, [0, 0]))
    program.key("ctrl+2", "ctrl+plus", "ctrl+plus", "ctrl+plus", "ctrl+plus")
    wait_kept("the zoom to be kept", lambda header, tabs: get_place(tabs)[0] > 1)
    (path,) = windows()
    zoom, scroll = get_place(read_tabs(path)[1])
    program.use_page(1, from_first_head=False)
    program.move(*program.point(program.image, 300, 300))
    program.xdotool("click", "--repeat", 3, 5)
    wait_kept("the place to be kept", lambda header, tabs: get_place(tabs)[0] == zoom and get_place(tabs)[1] != scroll)


def read_texts():
    """What stands in the fields for a model's texts that are seen."""
    return [program.accessibility.get_text(node) for node in program.find_all("text box", "Text", program.main_frame())
            if program.accessibility.get_extents(node)[2] > 0]


def test_text():
    """What was typed for a model."""
    program.open_again(MODEL)
    program.wait_title("MiniLM")
    wait_for("its text", lambda: read_texts())
    program.key("ctrl+l", "ctrl+a")
    program.type("a sparrow ate the crumbs")
    wait_kept("the text to be kept",
              lambda header, tabs: len(tabs) == 3 and tabs[2].get("text") == "a sparrow ate the crumbs")
    crash()
    wait_offer("3 documents were open")
    open_again()
    wait_for("the text", lambda: "a sparrow ate the crumbs" in read_texts())
    program.key("ctrl+w")
    program.wait_title("h5")


def test_dismissed():
    """Beside a file that is opened; who does not want it is not asked again."""
    wait_kept("two tabs", lambda header, tabs: len(tabs) == 2)
    crash(other)
    program.wait_title(other.name)
    wait_offer("2 documents were open")
    press("Dismiss")
    wait_for("the offer to go", lambda: not offers())
    wait_for("what was lost to be removed", lambda: len(list(get_state_folder().glob("windows/*"))) == 1)
    wait_kept("one tab", lambda header, tabs: len(tabs) == 1)


def test_session_file():
    """A tab of a session file is of that again."""
    saved = {"format": "headlight-session", "version": 1, "file": dump.name, "state": {"view": "heatmap", "layer": "3"}}
    session.write_text(json.dumps(saved))
    program.open_again(session)
    program.wait_title(session.name)
    wait_kept("the session file", lambda header, tabs: header["session-files"][-1].endswith(session.name))
    crash()
    wait_offer("2 documents were open")
    open_again()
    program.wait_title(session.name)


def test_running():
    """What a program holds that runs, no other one takes."""
    # What was lost goes a moment after it is open again; it holds a lock of its own until then.
    lock, = wait_for("one folder", lambda: len(list(get_state_folder().glob("windows/*"))) == 1
                     and list(get_state_folder().glob("windows/*/lock")))
    wait_kept("two tabs", lambda header, tabs: len(tabs) == 2)
    with lock.open("r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
    raise AssertionError("the folder of a program that runs is not held")


def test_damaged():
    """What cannot be read is not offered, and nothing breaks."""
    path, = wait_for("one file", lambda: len(windows()) == 1 and windows())
    program.kill()
    path.write_bytes(path.read_bytes()[:40])
    crash()
    program.wait_title("Headlight")
    time.sleep(1)
    assert not offers(), offers()
    program.open_again(other)
    program.wait_title(other.name)


def end():
    program.key("ctrl+q")
    assert program.end() == 0


def test_missing():
    """What is on a disk that is not there when it is opened again is offered by the next program, however this one ends, and once."""
    away = WORK / "away"
    away.mkdir()
    program.open_again(dump)
    program.wait_title(dump.name)
    wait_kept("two tabs", lambda header, tabs: len(tabs) == 2)
    program.kill()
    for path in (dump, other):
        path.rename(away / path.name)
    def miss():
        crash()
        wait_offer("2 documents were open")
        lost = {path.parent for path in windows()}
        open_again()
        wait_for("both to be gone", lambda: any(program.accessibility.get_extents(node)[2] > 0 for node in
                                                program.find_all("label", "which it shows, is not there", program.main_frame())))
        # One that is read later would find its file once that is back.
        wait_for("no tab to be left", lambda: not any(node.name == "HlDocumentPage" for node in
                                                      program.accessibility.walk(program.main_frame())))
        # Until it is, what was kept before is there as well.
        wait_for("what was lost to be removed", lambda: not any(path.exists() for path in lost))
        wait_kept("both to be kept", lambda header, tabs: len(tabs) == 2)

    for leave in (lambda: None, end, end):
        miss()
        leave()
    # The disk is there; who opens one by himself is offered the other.
    miss()
    for path in (dump, other):
        (away / path.name).rename(path)
    program.open_again(dump)
    program.wait_title(dump.name)
    wait_kept("one for the next", lambda header, tabs: [Path(tab["uri"]).name for tab in tabs] == [other.name])
    end()
    crash()
    wait_offer("1 document was open")
    (lost,) = {path.parent for path in windows()}
    open_again()
    program.wait_title(other.name)
    wait_for("what was lost to be removed", lambda: not lost.exists())


def test_end():
    """Who ends by himself leaves nothing, and is offered nothing."""
    wait_kept("the tab", lambda header, tabs: len(tabs) == 1)
    program.key("ctrl+q")
    assert program.end() == 0
    assert not list(get_state_folder().glob("windows/*")), list(get_state_folder().glob("windows/*"))
    crash()
    program.wait_title("Headlight")
    time.sleep(1)
    assert not offers(), offers()


def recover():
    global program
    program.kill()
    program = Program(BINARY, str(dump))


run_tests([("tabs", test_tabs), ("put-off", test_put_off), ("place", test_place), ("text", test_text), ("dismissed", test_dismissed), ("session-file", test_session_file),
           ("running", test_running), ("damaged", test_damaged), ("missing", test_missing), ("end", test_end)], recover)
