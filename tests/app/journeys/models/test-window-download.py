#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A model that is not on the computer: its name, what it would take, its download, stopped and gone on with, and the picture of a text.

Usage: test-window-download.py HEADLIGHT TESTS-FOLDER    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from window_driver import Program, run_tests, wait_for

BINARY, TESTS = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
sys.path.insert(0, str(TESTS / "hub"))
from hub_server import COMMIT, Hub  # noqa: E402

WORK = Path(tempfile.mkdtemp(prefix="headlight-download-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
BERT = TESTS / "model" / "checkpoints" / "bert"
SAMPLE = (TESTS.parent / "data" / "samples" / "minilm-l6-v2.gguf").read_bytes()
LIST, TITLE = "Models on This Computer", "Download a Model"

hub = Hub()
vocabulary = {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(100)}}
hub.add("some/bert", {
    "config.json": (BERT / "config.json").read_bytes(), "model.safetensors": (BERT / "model.safetensors").read_bytes(),
    "tokenizer.json": json.dumps({"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
                                  "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None,
                                  "model": vocabulary}).encode()}, large={"model.safetensors"})
files = {"mini-Q4_K_M.gguf": SAMPLE, "mini-Q8_0.gguf": b"8" * 30_000_000, "mini-Q2_K.gguf": b"2" * 1000}
hub.add("some/mini-GGUF", files, large=files)

for name in list(os.environ):
    if name.startswith("HF_") or name.lower().endswith("_proxy"):
        del os.environ[name]
os.environ |= {"HF_ENDPOINT": hub.address, "HF_HUB_CACHE": str(WORK / "hub"), "OLLAMA_MODELS": str(WORK / "ollama"),
               "LLAMA_CACHE": str(WORK / "llama"), "HOME": str(WORK)}
program = Program(BINARY)
atexit.register(program.kill)


def open_page():
    program.key("ctrl+shift+l")
    dialog, _ = program.wait_dialog(LIST)
    program.key("alt+d")
    dialog, _ = program.wait_dialog(TITLE)
    return dialog


def says(dialog, words):
    """Sizes have a space that keeps lines together."""
    return [node for role in ("label", "alert") for node in program.find_all(role, "", dialog) if words in node.name.replace("\N{NO-BREAK SPACE}", " ")]


def wait_button(dialog, name):
    return program.wait("button", name, dialog)


def ask(name):
    program.key("alt+n", "ctrl+a")
    program.type(name)
    program.key("Return")


def test_missing():
    dialog = open_page()
    assert says(dialog, f"From 127.0.0.1 to {WORK}/hub"), [node.name for node in program.find_all("label", "", dialog)]
    ask("no name")
    wait_for("what a name is", lambda: says(dialog, "Models of the hub are called “org/name”"))
    assert not hub.seen
    ask("some/none")
    wait_for("that there is none", lambda: says(dialog, "There is no such model or file on 127.0.0.1"))


def test_folder():
    """From its name to a text that is typed."""
    dialog, _ = program.wait_dialog(TITLE)
    ask("some/bert")
    wait_button(dialog, "Download")
    wait_for("its size", lambda: says(dialog, "kB in 3 files"))
    assert not hub.requests("/resolve/")
    program.key("Return")
    wait_button(dialog, "Open")
    program.key("Return")
    program.wait_gone(TITLE)
    program.use_page(0)
    program.wait_title("some/bert")
    program.key("ctrl+l")
    program.type("w3 w15 w2")
    wait_for("the text", lambda: program.find_all("label", "“w3 w15 w2”", program.main_frame()))


def test_choice():
    """One of several files: the usual one is proposed. What is stopped is gone on with."""
    hub.faults["slow"] = 400_000
    dialog = open_page()
    ask("some/mini-GGUF")
    wait_button(dialog, "Download")
    wait_for("the choice", lambda: says(dialog, "Q4_K_M · "))
    program.key("Return")
    wait_button(dialog, "Cancel")
    wait_for("bytes, rate and rest", lambda: says(dialog, "/s · ") and says(dialog, " left"))
    program.key("Return")
    wait_button(dialog, "Resume")
    incomplete, = (WORK / "hub").rglob("*.incomplete")
    there = incomplete.stat().st_size
    assert 0 < there < len(SAMPLE)
    del hub.faults["slow"], hub.seen[:]
    program.key("Return")
    wait_button(dialog, "Open")
    assert [headers["Range"] for headers in hub.requests("/", host="store")] == [f"bytes={there}-"]
    snapshot = WORK / "hub" / "models--some--mini-GGUF" / "snapshots" / COMMIT
    assert [path.name for path in snapshot.iterdir()] == ["mini-Q4_K_M.gguf"]

    # It is in the list now, and what was asked for is not asked for again.
    program.key("Escape")
    dialog, _ = program.wait_dialog(LIST)
    wait_for("the list", lambda: [node for node in program.find_all("list item", "some/mini-GGUF/mini-Q4_K_M.gguf", dialog)])
    program.key("alt+d")
    dialog, _ = program.wait_dialog(TITLE)
    ask("some/mini-GGUF:q4_k_m")
    wait_for("that it is there", lambda: says(dialog, "MB, on this computer already"))
    wait_button(dialog, "Open")
    del hub.seen[:]
    program.key("Return")
    program.wait_gone(TITLE)
    wait_for("its picture", lambda: program.find_all("label", "“The cat sat on the mat”", program.main_frame()))
    assert not hub.requests("/resolve/")


def test_closed_while_it_comes():
    hub.faults["slow"] = 400_000
    dialog = open_page()
    ask("some/mini-GGUF:Q8_0")
    wait_button(dialog, "Download")
    program.key("Return")
    wait_button(dialog, "Cancel")
    wait_for("some bytes", lambda: list((WORK / "hub").rglob("*.incomplete")))
    program.key("Escape")
    dialog, _ = program.wait_dialog(LIST)
    # The keyboard is at the list, and stays there when the download has ended.
    program.type("some/bert")
    wait_for("the search", lambda: [node.name.split(",")[0] for node in program.find_all("list item", "", dialog) if node.name
                                    and "/" in node.name] == ["some/bert"])
    program.key("Escape", "Escape")
    program.wait_gone(LIST)
    # What is still to be said of it is said before another one is there.
    open_page()
    program.key("Escape", "Escape")
    program.wait_gone(LIST)
    assert not program.complaints(), program.complaints()


def test_window_closed_while_it_comes():
    """By the window manager, and not by the way back: it stops, too, and lets go of what it wrote to."""
    hub.faults["slow"] = 400_000
    for _ in range(2):
        dialog = open_page()
        ask("some/mini-GGUF:Q8_0")
        wait_button(dialog, "Download")
        program.key("Return")
        wait_button(dialog, "Cancel")
        wait_for("bytes, rate and rest", lambda: says(dialog, "/s · ") or says(dialog, "Another program"))
        assert not says(dialog, "Another program")
        program.key("alt+F4")
        program.wait_gone(TITLE)
    del hub.faults["slow"]


def recover():
    program.key("Escape", "Escape", "Escape")


run_tests([
    ("names that are none, and models that are not there", test_missing),
    ("a folder, from its name to a picture", test_folder),
    ("one of several files, stopped and gone on with", test_choice),
    ("the dialog is closed while a model comes", test_closed_while_it_comes),
    ("its window is closed while a model comes", test_window_closed_while_it_comes),
], recover)
