#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Save As: what is open as a file of Headlight's own, in each format, and what a model computed.

Usage: test-window-save.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from gi.repository import Gio, GLib

from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
WORK = Path(tempfile.mkdtemp(prefix="headlight-save-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

with h5py.File(SAMPLE) as file:
    ATTENTION = file["attention"][...].astype(np.float32)
    TOKENS = [token.decode() for token in file["tokens"][...]]

# A copy, beside which the chooser begins.
dump = WORK / "time.h5"
shutil.copy(SAMPLE, dump)
program = Program(BINARY, str(dump))
atexit.register(lambda: program.kill())


def save_as(path):
    program.key("ctrl+shift+s")
    program.save_in_chooser("Save Attention", path)
    program.wait_gone("Save Attention")


def wait_said(*words):
    """The toast, of which there is one."""
    def ask():
        said = [label.name for label in program.find_all("label", words[0], program.main_frame())]
        return said if said and all(word in said[0] for word in words) else None
    return wait_for(f"to be told {words}", ask)


def forget_said(words):
    program.key("Escape")
    wait_for("the toast to go", lambda: not program.find_all("label", words, program.main_frame()))


def read(path):
    if path.suffix == ".h5":
        with h5py.File(path) as file:
            return file["attention"][...].astype(np.float32), [token.decode() for token in file["tokens"][...]]
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            return arrays["attention"].astype(np.float32), [str(token) for token in arrays["tokens"]]
    content = json.loads(path.read_text())
    return np.array(content["attention"], np.float32), content["tokens"]


def check(path, attention=None, tokens=None):
    found, found_tokens = read(path)
    np.testing.assert_array_equal(found, ATTENTION if attention is None else attention)
    assert found_tokens == (tokens or TOKENS), found_tokens


def test_open():
    program.use_page(0)
    program.wait_view("layer 0", "head 0")


def test_hdf5():
    save_as(WORK / "saved.h5")
    wait_said("Saved “saved.h5”")
    check(WORK / "saved.h5")
    forget_said("Saved “saved.h5”")


def test_npz():
    save_as(WORK / "saved.npz")
    wait_said("Saved “saved.npz”")
    check(WORK / "saved.npz")
    forget_said("Saved “saved.npz”")


def test_json():
    save_as(WORK / "saved.json")
    wait_said("Saved “saved.json”")
    check(WORK / "saved.json")
    forget_said("Saved “saved.json”")


def test_no_ending():
    """What has no ending gets that of the chosen format; what is there already is not written over unasked."""
    target = WORK / "plain"
    program.key("ctrl+shift+s")
    program.answer_chooser("Save Attention", target)
    program.wait_gone("Save Attention")
    wait_said("Saved “plain.h5”")
    check(WORK / "plain.h5")
    assert not target.exists()
    before = (WORK / "plain.h5").stat().st_mtime_ns
    program.key("ctrl+shift+s")
    program.answer_chooser("Save Attention", target)
    program.wait_gone("Save Attention")
    wait_said("“plain.h5” is there already; nothing was saved")
    assert (WORK / "plain.h5").stat().st_mtime_ns == before
    forget_said("nothing was saved")


def test_failure():
    """A folder that nothing can be written into: one sentence, and what is open stays."""
    program.key("ctrl+shift+s")
    program.answer_chooser("Save Attention", "/proc/saved.h5")
    program.wait_gone("Save Attention")
    wait_said("saved.h5: ")
    program.wait_view("layer 0", "head 0")
    forget_said("saved.h5: ")


def test_generation():
    """What generate() returned is one map in the file."""
    steps = json.loads((FIXTURES / "generation" / "lists.json").read_text())
    whole = np.zeros((2, 3, 7, 7), np.float32)
    row = 0
    for step in steps["attentions"]:
        part = np.array(step, np.float32)[:, 0]
        whole[:, :, row:row + part.shape[2], :part.shape[3]] = part
        row += part.shape[2]
    shutil.copy(FIXTURES / "generation" / "lists.json", WORK)
    program.open_again(WORK / "lists.json")
    program.wait_title("lists.json")
    program.use_page(1)
    program.wait_view("layer 0", "head 0")
    save_as(WORK / "whole.npz")
    wait_said("Saved “whole.npz”")
    check(WORK / "whole.npz", whole, steps["tokens"])
    program.key("ctrl+w")
    program.wait_title(dump.name)


def wait_asked(button="Read Nevertheless"):
    """In place of the picture, with the keyboard at the answer."""
    wait_for("the question in place of the picture", lambda: button in program.get_focused())
    assert program.find_all("label", "This would read 1.4\u00a0GiB of numbers, of which the file holds 1.4\u00a0MiB", program.page)


def test_hollow():
    """What announces far more than it holds: one head is shown, all of them are read, exported and saved after a question, once."""
    hollow = WORK / "hollow.h5"
    with h5py.File(hollow, "w") as file:
        attention = file.create_dataset("attention", (32, 32, 600, 600), "f4", chunks=(1, 1, 600, 600))
        attention[0, 0] = np.tri(600, dtype="f4") / np.arange(1, 601)[:, None]
    program.open_again(hollow)
    program.wait_title(hollow.name)
    program.use_page(1)
    program.key("ctrl+2")
    program.wait_view("Heatmap", "layer 0", "head 0")
    program.key("ctrl+e")
    program.wait_dialog("Export Figure")
    program.close_dialog("Export Figure")
    program.key("ctrl+3")
    wait_asked()
    for keys in ("ctrl+e", "ctrl+shift+e", "ctrl+c", "ctrl+shift+s"):
        program.key(keys)
        program.wait_dialog("Read Nevertheless?")
        program.key("Escape")
        program.wait_gone("Read Nevertheless?")
    wait_asked()
    program.key("ctrl+2")
    program.wait_view("Heatmap", "layer 0", "head 0")
    wait_for("the keyboard in the picture", lambda: program.view()[0] in program.get_focused())
    program.key("ctrl+3")
    wait_asked()
    program.key("Return")
    wait_for("the picture", lambda: program.view()[0] in program.get_focused())
    program.key("ctrl+e")
    program.wait_dialog("Export Figure")
    program.close_dialog("Export Figure")
    program.key("ctrl+shift+s")
    program.wait_dialog("Save Attention")
    program.close_dialog("Save Attention")
    program.key("ctrl+1")
    program.wait_view("layer 0", "head 0")
    program.key("ctrl+w")
    program.wait_title(dump.name)


def test_closed_tab():
    """What is being saved of a tab is saved when that is closed, and is said over what is on top then."""
    source = WORK / "many.npy"
    array = np.lib.format.open_memmap(source, "w+", np.float32, (4, 8, 700, 700))
    array[...] = 1 / 700
    del array
    program.open_again(source)
    program.wait_title(source.name)
    program.use_page(1)
    program.wait_view("layer 0", "head 0")
    program.key("ctrl+shift+s")
    program.answer_chooser("Save Attention", WORK / "many.json")
    # A busy computer may show how far it is already, and that takes the keys.
    Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        "org.headlight.Headlight", "/org/headlight/Headlight/window/1", "org.gtk.Actions", "Activate",
        GLib.Variant("(sava{sv})", ("close-tab", [], {})), None, Gio.DBusCallFlags.NONE, 30000, None)
    program.wait_title(dump.name)
    wait_said("Saved “many.json”")
    with (WORK / "many.json").open() as file:
        file.seek(0, 2)
        file.seek(file.tell() - 100)
        assert file.read().rstrip().endswith("}")
    (WORK / "many.json").unlink()
    forget_said("Saved “many.json”")


def test_cancel():
    """What takes long shows how far it is, and can be stopped; then there is no file."""
    large = WORK / "large.npy"
    array = np.lib.format.open_memmap(large, "w+", np.float32, (24, 16, 700, 700))
    array[...] = 1 / 700
    del array
    program.open_again(large)
    program.wait_title(large.name)
    program.use_page(1)
    program.wait_view("layer 0", "head 0")
    target = WORK / "large.json"
    program.key("ctrl+shift+s")
    program.answer_chooser("Save Attention", target)
    program.wait_dialog("Saving “large.json”")
    program.key("Escape")
    program.wait_gone("Saving “large.json”")
    wait_for("nothing to be left", lambda: not [path for path in WORK.iterdir() if "json" in path.name and
                                               path.name not in ("saved.json", "lists.json")])
    # It goes on to work, and closing the window stops what is being saved.
    program.key("ctrl+shift+s")
    program.answer_chooser("Save Attention", target)
    program.wait_dialog("Saving “large.json”")


def test_end():
    """A session is there also when the program is told to end at once."""
    program.xdotool("windowactivate", "--sync", program.x_window)
    program.key("ctrl+s")
    program.answer_chooser("Save Session", WORK / "last.headlight")
    program.wait_gone("Save Session")
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())
    assert not [path for path in WORK.iterdir() if "large.json" in path.name], list(WORK.iterdir())
    assert json.loads((WORK / "last.headlight").read_text())["file"].endswith("large.npy")


def recover():
    if program.process.poll() is None:
        program.key("Escape", "Escape", "Escape")
        program.open_again(dump)
        program.use_page(0)


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
