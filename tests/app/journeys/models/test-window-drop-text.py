#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A text is dragged from another program: it is the text of the page, or of the side of a comparison that it falls on.

Usage: test-window-drop-text.py HEADLIGHT CHECKPOINTS    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import shutil
import sys
import tempfile
from pathlib import Path

from window_driver import Program, run_tests, wait_for

BINARY, CHECKPOINTS = sys.argv[1], Path(sys.argv[2])
WORK = Path(tempfile.mkdtemp(prefix="headlight-drop-text-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
for part in ("config.json", "model.safetensors"):
    shutil.copy(CHECKPOINTS / "llama" / part, WORK)
(WORK / "tokenizer.json").write_text(json.dumps({
    "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
    "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None,
    "model": {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(60)}}}))
program = Program(BINARY, str(WORK))
atexit.register(program.kill)


def read_texts():
    """By their letters' order: A, then B."""
    fields = program.find_all("text box", "Text", program.main_frame())
    return [program.accessibility.get_text(node) for node in fields if program.accessibility.get_extents(node)[2] > 0]


def wait_texts(*texts):
    wait_for(lambda: f"the texts {texts}; there are {read_texts()}", lambda: read_texts() == list(texts))


def drop(text, part):
    """At a part of the window's width."""
    x, y, width, height = program.get_geometry(program.x_window)
    program.drop(text, options=["--text"], at=(x + width * part, y + height * 0.4))


def test_one():
    program.use_page(0)
    program.wait_view("layer 0", "head 0")
    drop("w5 w6 w7", 0.5)
    wait_texts("w5 w6 w7")
    wait_for("3 tokens", lambda: program.find_all("label", "3 tokens", program.page))


def test_undone():
    """What was typed before comes back."""
    program.key("ctrl+l")
    program.type("w9 w8")
    wait_texts("w9 w8")
    drop("w1", 0.5)
    wait_texts("w1")
    program.key("ctrl+l", "ctrl+z")
    wait_texts("w9 w8")
    program.key("Return")


def test_sides():
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    program.key("alt+t")
    program.wait_gone("Compare With")
    wait_texts("w9 w8", "w9 w8")
    drop("w3 w4", 0.75)
    wait_texts("w9 w8", "w3 w4")
    drop("w2", 0.3)
    wait_texts("w2", "w3 w4")


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items()) if name.startswith("test_")],
          lambda: program.key("Escape"))
