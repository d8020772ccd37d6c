#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A model that sees: an image is dropped, pasted, chosen, drawn anew, and compared with another; one that cannot be read costs nothing.

Usage: test-window-image.py HEADLIGHT MODELS    on a display with a window manager and an accessibility bus
"""
import atexit
import shutil
import sys
import tempfile
from pathlib import Path

from window_driver import Program, get_state_folder, insist, run_tests, wait_for

BINARY, MODELS = sys.argv[1], Path(sys.argv[2])
WORK = Path(tempfile.mkdtemp(prefix="headlight-image-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
for name in ("picture.png", "other.png"):
    shutil.copy(MODELS / "images" / name, WORK)
(WORK / "broken.png").write_bytes((WORK / "picture.png").read_bytes()[:700])
PASTED = []
program = Program(BINARY, str(MODELS / "vision" / "dinov2"))
atexit.register(program.kill)


def find_seen(words, role="label", root=None):
    found = program.find_all(role, words, root or program.main_frame())
    return [node for node in found if (program.accessibility.get_extents(node) or (0, 0, 0))[2] > 0]


def wait_seen(words):
    return wait_for(f"“{words}”", lambda: find_seen(words))[0]


def wait_not_seen(words):
    wait_for(f"no “{words}”", lambda: not find_seen(words))


def read_picture():
    width, height = program.wait_place(program.image)[2:]
    return program.read_picture(*program.point(program.image, 0, 40), width, height - 60)


def choose(path):
    program.answer_chooser("Open Image", path)
    program.wait_gone("Open Image")


def copy_image(path):
    program.write_clipboard(path.read_bytes(), "image/png")


def list_stored():
    return {path.name for path in get_state_folder().glob("images/*.png")}


def paste(path):
    """A busy program may not know yet what is on the clipboard. Returns the name of the file that the image gets."""
    copy_image(path)
    known = list_stored()
    return insist("a file of the image", lambda: program.key("ctrl+v"), lambda: sorted(list_stored() - known))[0]


def test_ask():
    wait_seen("This Model Sees Images")
    program.drop(WORK / "broken.png")
    wait_seen("broken.png: ")
    wait_seen("This Model Sees Images")


def test_drop():
    program.drop(WORK / "picture.png")
    wait_seen("picture.png")
    wait_seen("21 tokens")
    program.use_page(0)
    program.wait_view("layer 0", "head 0")


def test_broken():
    """What is wrong is said; the picture stays, and so does the image that counts."""
    program.drop(WORK / "broken.png")
    wait_seen("broken.png: ")
    program.wait_view("layer 0", "head 0")
    assert find_seen("21 tokens") and find_seen("picture.png"), "the image is lost"


def test_choose():
    program.key("ctrl+shift+p")
    choose(WORK / "other.png")
    wait_seen("other.png")
    wait_not_seen("broken.png: ")


def test_drawn_anew():
    """Another image in the same file."""
    program.point_nowhere()
    before = program.wait_still("the picture", read_picture)
    shutil.copy(WORK / "picture.png", WORK / "new.png")
    (WORK / "new.png").replace(WORK / "other.png")
    wait_for("other weights", lambda: read_picture() != before)


def test_paste():
    PASTED.append(paste(WORK / "picture.png"))
    wait_seen(PASTED[0])


def test_compare():
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    program.key("alt+i")
    choose(WORK / "picture.png")
    wait_seen("picture.png")
    assert find_seen("A") and find_seen("B"), "there are no two sides"


def test_paste_there():
    """An image is pasted to the side that the keyboard is on."""
    program.key("F6")
    wait_seen(paste(MODELS / "images" / "other.png"))
    wait_not_seen("picture.png")
    assert find_seen(PASTED[0]), "the first side has lost its image"


def test_drop_there():
    """An image is dropped on the side that it falls on."""
    x, y, width, height = program.get_geometry(program.x_window)
    program.drop(WORK / "other.png", at=(x + width * 0.75, y + height * 0.4))
    wait_seen("other.png")
    assert len(list_stored()) == 2
    program.drop(WORK / "picture.png", at=(x + width * 0.3, y + height * 0.4))
    wait_seen("picture.png")
    assert find_seen("other.png"), "the second side has lost its image"


def test_drop_texture():
    """From a page of the web comes no file: the image itself is taken."""
    x, y, width, height = program.get_geometry(program.x_window)
    program.drop(MODELS / "images" / "other.png", options=["--image"], at=(x + width * 0.3, y + height * 0.4))
    wait_not_seen("picture.png")
    wait_for("the image", lambda: any(find_seen(name) for name in list_stored()))
    assert find_seen("other.png"), "the second side has lost its image"
    program.key("ctrl+shift+d")
    wait_not_seen("other.png")
    copy_image(WORK / "picture.png")
    insist("the image", lambda: program.key("ctrl+v"), lambda: find_seen(PASTED[0]))


def test_kept():
    """Opened once more, it is of the same image."""
    program.key("F5")
    wait_seen(PASTED[0])
    wait_seen("21 tokens")


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items()) if name.startswith("test_")],
          lambda: program.key("Escape"))
