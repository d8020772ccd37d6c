#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The way of a person who has tuned a model: open the adapter, see its heads, switch it off and on, put both beside each other.

Usage: test-window-adapter.py HEADLIGHT MODELS    on a display with a window manager and an accessibility bus

The adapter and its base are those of the tests of models, beside a tokenizer whose words are w0 to w59. What PEFT and PyTorch computed
of them is in their references.
"""
import atexit
import json
import shutil
import sys
import tempfile
from pathlib import Path

import h5py

from window_driver import Program, check_ranking, run_tests, wait_for

BINARY, MODELS = sys.argv[1], Path(sys.argv[2])
WORK = Path(tempfile.mkdtemp(prefix="headlight-adapter-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

# In the head view at its first size, from the view's corner.
QUERIES_X = 100


class Reference:
    def __init__(self, folder):
        with h5py.File(folder / "reference.h5") as file:
            self.attention = file["attention"][...].astype(float)
            self.tokens = [f"w{number}" for number in file["ids"][...]]
        self.text = " ".join(self.tokens)


TUNED, BASE = Reference(MODELS / "folders" / "lora"), Reference(MODELS / "checkpoints" / "llama")


def make_models():
    base = shutil.copytree(MODELS / "checkpoints" / "llama", WORK / "tiny-llama")
    adapter = shutil.copytree(MODELS / "folders" / "lora", WORK / "my-adapter")
    path = adapter / "adapter_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"base_model_name_or_path": "../tiny-llama"}))
    model = {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(60)}}
    (base / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None, "model": model}))
    return adapter


ADAPTER = make_models()
program = Program(BINARY, str(ADAPTER))
atexit.register(program.kill)


def wait_text(text):
    wait_for(f"“{text}” in the title", lambda: program.find_all("label", f"“{text}”", program.main_frame()))


def type_text(text):
    program.key("ctrl+l")
    program.type(text)
    program.key("Return")
    wait_text(text)
    program.key("Escape")


def seek_query(reference, index):
    """What the view says of a query under the pointer is what was computed without us."""
    program.wait_view("layer 0", "head 0")
    words = f"{reference.tokens[index]} (query {index}): "
    _, _, description = program.seek([(QUERIES_X, y) for y in range(90, 740, 7)], words)
    check_ranking(description, reference.attention[0, 0, index], reference.tokens)
    program.move(*program.point_nowhere())
    program.wait_nothing_in_focus()


def images(*words):
    nodes = [node for node in program.accessibility.walk(program.page) if node.role == "image" and "attention weight" in node.name]
    return [node for node in nodes if all(word in node.name for word in words)]


def test_on():
    program.use_page(0)
    program.wait_title("my-adapter")
    type_text(TUNED.text)
    seek_query(TUNED, 5)
    wait_for("the button", lambda: [node for node in program.accessibility.walk(program.page) if node.name == "Adapter"])


def test_off():
    program.key("ctrl+b")
    wait_for("the model without it", lambda: program.find_all("label", "tiny-llama — “", program.main_frame()))
    program.wait_title("my-adapter (Adapter Off)")
    type_text(BASE.text)
    seek_query(BASE, 6)


def test_compare_off():
    """Beside the model without it stands the adapter."""
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    program.key("alt+w")
    program.wait_gone("Compare With")
    wait_for("both sides", lambda: images("A: tiny-llama") and images("B: my-adapter"))
    program.key("Escape", "ctrl+shift+d")
    wait_for("the comparison to end", lambda: not images("· A"))


def test_on_again():
    """By the button, behind which the shortcut knows what is on."""
    def is_on():
        return not program.find_all("label", "tiny-llama — “", program.main_frame()) and "Adapter Off" not in program.title()
    button, = [node for node in program.accessibility.walk(program.page) if node.name == "Adapter" and "button" in node.role]
    program.accessibility.activate(button)
    wait_for("the adapter", is_on)
    program.key("ctrl+b")
    wait_for("the model without it", lambda: not is_on())
    program.key("ctrl+b")
    wait_for("the adapter again", is_on)
    type_text(TUNED.text)
    seek_query(TUNED, 7)


def test_compare():
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    program.key("alt+w")
    program.wait_gone("Compare With")
    wait_for("both sides", lambda: images("A: my-adapter") and images("B: tiny-llama"))
    program.key("Escape", "ctrl+m")
    wait_for("the difference", lambda: images("difference", "A: my-adapter", "B: tiny-llama"))
    program.key("ctrl+shift+d")
    wait_for("the comparison to end", lambda: not images("difference") and not images("· A"))


def test_by_name():
    """What is open is switched off by the name that says so, in whichever program that is given; what is not open begins so."""
    program.open_again(f"{ADAPTER}:base")
    program.wait_title("my-adapter (Adapter Off)")
    program.key("ctrl+w")
    program.wait_title("Headlight")
    program.open_again(f"{ADAPTER}:base")
    program.wait_title("my-adapter (Adapter Off)")
    program.use_page(0)
    type_text(BASE.text)
    seek_query(BASE, 6)
    wait_for("the model without it", lambda: program.find_all("label", "tiny-llama — “", program.main_frame()))
    program.key("ctrl+b")
    wait_for("the adapter", lambda: "Adapter Off" not in program.title())


def test_silent():
    assert not program.complaints(), program.complaints()
    program.key("ctrl+q")
    assert program.end() == 0


run_tests([("on", test_on), ("off", test_off), ("compare-off", test_compare_off), ("on-again", test_on_again), ("compare", test_compare), ("by-name", test_by_name), ("silent", test_silent)],
          lambda: program.key("Escape"))
