#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A protein is typed without spaces: that it is unknown to the model is said, and a button makes a token of each letter.

Usage: test-window-letters.py HEADLIGHT CHECKPOINTS    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import shutil
import sys
import tempfile
from pathlib import Path

from window_driver import Program, run_tests, wait_for

BINARY, CHECKPOINTS = sys.argv[1], Path(sys.argv[2])
WORK = Path(tempfile.mkdtemp(prefix="headlight-letters-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

folder = WORK / "protein"
folder.mkdir()
for part in ("config.json", "model.safetensors"):
    shutil.copy(CHECKPOINTS / "bert" / part, folder)
vocabulary = {token: number for number, token in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"MKTAYIQRS"])}
(folder / "tokenizer.json").write_text(json.dumps({
    "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
    "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None,
    "model": {"type": "WordLevel", "unk_token": "[UNK]", "vocab": vocabulary}}))
program = Program(BINARY, str(folder))
atexit.register(program.kill)


def wait_tokens(n):
    wait_for(f"{n} tokens", lambda: program.find_all("label", f"{n} token", program.page))


def wait_title(text):
    wait_for(f"“{text}” in the title", lambda: program.find_all("label", f"“{text}”", program.main_frame()))


def test_unknown():
    program.use_page(0)
    program.wait_view("layer 0", "head 0")
    program.key("ctrl+l")
    program.type("MKTAYIAKQR")
    wait_title("MKTAYIAKQR")
    wait_for("what is said", lambda: program.find_all("label", "Most of the text is unknown to the model", program.page))


def test_letters():
    program.key("alt+r")
    wait_title("M K T A Y I A K Q R")
    # The second text is none of the kind.
    wait_for("the second text", lambda: program.find_all("label", "The cat", program.main_frame()))
    program.key("ctrl+l", "Tab", "ctrl+a", "BackSpace")
    wait_tokens(10)


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], lambda: None)
