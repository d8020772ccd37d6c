#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The way of a person who types: open a model's folder, type, read off weights, look elsewhere, be told what is wrong.

Usage: test-model-window.py HEADLIGHT CHECKPOINTS    on a display with a window manager and an accessibility bus

The models are the tiny checkpoints of the tests of models, beside a tokenizer whose words are w0 to w99. The
checkpoints know tokens up to 59. What PyTorch computed of them is in their references.
"""
import atexit
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from window_driver import Program, check_ranking, run_tests, wait_for

BINARY, CHECKPOINTS = sys.argv[1], Path(sys.argv[2])
WORK = Path(tempfile.mkdtemp(prefix="headlight-model-window-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

with h5py.File(CHECKPOINTS / "bert" / "reference.h5") as file:
    ATTENTION = file["attention"][...].astype(float)
    TOKENS = [f"w{number}" for number in file["ids"][...]]
TEXT = " ".join(TOKENS)

# In the head view at its first size, from the view's corner.
QUERIES_X = 100
# Over no token.
NOWHERE = (372, 690)


def make_model(name, checkpoint):
    folder = WORK / name
    folder.mkdir()
    for part in ("config.json", "model.safetensors"):
        shutil.copy(CHECKPOINTS / checkpoint / part, folder)
    model = {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(100)}}
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None, "model": model}))
    return folder


bert = make_model("tiny-bert", "bert")
program = Program(BINARY, str(bert))
atexit.register(program.kill)


def leave():
    program.move(*program.point(program.image, *NOWHERE))
    program.wait_nothing_in_focus()


def wait_text(text):
    """Until the picture is of the text, as the title says."""
    wait_for(f"“{text}” in the title", lambda: program.find_all("label", f"“{text}”", program.main_frame()))


def wait_tokens(n):
    wait_for(f"{n} tokens", lambda: program.find_all("label", f"{n} token", program.page))


def replace_text(text):
    """By the keyboard alone, in the first text."""
    program.key("ctrl+l")
    program.type(text)


def seek_query(index, layer, head):
    """What the view says of a query under the pointer is what PyTorch computed."""
    program.wait_view(f"layer {layer}", f"head {head}")
    words = f"{TOKENS[index]} (query {index}): "
    _, _, description = program.seek([(QUERIES_X, y) for y in range(90, 740, 7)], words)
    check_ranking(description, ATTENTION[layer, head, index], TOKENS)


def test_open():
    program.use_page(0)
    name, _ = program.wait_view("layer 0", "head 0")
    assert name.startswith("Head View"), name
    program.wait_title("tiny-bert")
    wait_text("The cat sat on the mat")
    wait_tokens(12)
    # Both texts say what they are.
    program.wait("text box", "Second Text", program.page)
    assert "Text" in [node.name for node in program.find_all("text box", "Text", program.page)]


def test_type():
    # The example is selected: what is typed replaces it.
    program.type(TEXT)
    program.key("Tab", "ctrl+a", "BackSpace")
    wait_text(TEXT)
    wait_tokens(len(TOKENS))
    seek_query(2, 0, 0)


def test_head():
    leave()
    program.key("Escape", "alt+Down", "alt+Right", "alt+Right")
    seek_query(4, 1, 2)
    program.key("alt+Up")
    seek_query(3, 0, 2)


def test_layer_while_typing():
    leave()
    # Another text, another layer in its midst, and back.
    replace_text("w9 w8")
    program.key("alt+Down")
    program.type(" w7")
    wait_text("w9 w8 w7")
    wait_tokens(3)
    program.wait_view("layer 1", "head 2")
    replace_text(TEXT)
    program.key("Return")
    wait_text(TEXT)
    seek_query(4, 1, 2)


def test_keyboard():
    leave()
    replace_text("w5 w6")
    wait_text("w5 w6")
    # From the text to the picture, where arrows go from token to token.
    program.key("Escape", "Down")
    program.wait_view("w5 (query 0): ")
    program.key("Escape")
    replace_text("w7 w8")
    wait_text("w7 w8")


def test_lines():
    subprocess.run(["xclip", "-selection", "clipboard"], input="w1 w2\nw3\n\nw4", text=True, check=True, timeout=30)
    program.key("ctrl+l", "ctrl+v")
    wait_text("w1 w2 w3  w4")
    wait_tokens(4)
    program.key("shift+Return")
    program.type("w5")
    wait_text("w1 w2 w3  w4 w5")
    wait_tokens(5)


def test_second_text():
    replace_text("w1 w2 w3")
    program.key("Tab")
    program.type("w4 w5")
    wait_text("w1 w2 w3")
    wait_text("w4 w5")
    wait_tokens(5)
    program.wait("combo box", "Sentences", program.page)
    program.key("ctrl+a", "BackSpace")
    wait_tokens(3)


def test_unknown_token():
    replace_text("w1 w99")
    wait_for("a sentence on the token", lambda: program.find_all("label", "99", program.page))
    # The last good picture stays, and so does what it is of.
    wait_text("w1 w2 w3")
    program.key("BackSpace")
    wait_text("w1 w9")
    wait_for("nothing to be wrong", lambda: not program.find_all("label", "99", program.page))


def test_long_text():
    replace_text(" ".join(["w1"] * 40))
    wait_for("a warning", lambda: program.find_all("label", "at most 32 tokens", program.page))
    wait_tokens(32)
    replace_text(TEXT)
    wait_text(TEXT)
    wait_tokens(len(TOKENS))


def test_details():
    program.key("ctrl+i")
    dialog, _ = program.wait_dialog("Details")
    for words in (TEXT, str(bert), "2 layers"):
        program.wait("label", words, dialog)
    program.key("Escape")
    program.wait_gone("Details")


def test_export_numbers():
    program.key("ctrl+shift+e")
    program.wait_dialog("Export Numbers")
    target = WORK / "numbers.csv"
    program.key("ctrl+a")
    program.type(str(target))
    program.key("Return")
    wait_for("the numbers", lambda: target.exists() and target.stat().st_size > 0)
    program.wait_gone("Export Numbers")
    with open(target, newline="", encoding="utf-8") as table:
        rows = list(csv.reader(table))
    numbers = np.array([[float(cell) for cell in row[-len(TOKENS):]] for row in rows[1:]])
    assert rows[0][-len(TOKENS):] == TOKENS, rows[0]
    assert np.abs(numbers - ATTENTION[1, 2]).max() < 1e-5, numbers


def test_save_as():
    """What the model computed, as a file that others read."""
    target = WORK / "computed.h5"
    program.key("ctrl+shift+s")
    program.save_in_chooser("Save Attention", target)
    program.wait_gone("Save Attention")
    program.wait("label", "Saved “computed.h5”", program.main_frame())
    with h5py.File(target) as file:
        assert np.abs(file["attention"][...] - ATTENTION).max() < 1e-5
        assert [token.decode() for token in file["tokens"][...]] == TOKENS
        assert file.attrs["text"] == TEXT, file.attrs["text"]


def test_recent():
    recent = Path(os.environ["XDG_DATA_HOME"]) / "recently-used.xbel"
    text = wait_for("the model among what was opened", lambda: (
        lambda text: text if bert.as_uri() in text else None)(recent.read_text() if recent.exists() else ""))
    assert "inode/directory" in text, text


def test_part_of_a_model():
    program.open_again(bert / "config.json")  # shown where it is
    program.wait_title("tiny-bert")
    wait_text(TEXT)


def test_reload():
    program.key("F5")
    wait_tokens(len(TOKENS))
    program.use_page(0)
    seek_query(4, 1, 2)
    leave()


def test_chooser():
    gpt = make_model("tiny-gpt", "gpt2")
    program.key("ctrl+shift+o")
    program.wait_dialog("Open Model Folder")
    program.type(str(gpt))
    program.key("Return")
    program.wait_title("tiny-gpt")
    program.use_page(1)
    wait_text("The cat sat on the mat")
    # Of one text: the keyboard goes from it to what follows the bar.
    program.type("w1 w2 w3")
    wait_text("w1 w2 w3")
    wait_tokens(3)


def test_encoder_decoder():
    marian = make_model("tiny-marian", "marian")
    program.open_again(marian)
    program.wait_title("tiny-marian")
    program.use_page(2)
    program.type("w1 w2 w3")
    program.key("Tab")
    program.type("w4 w5")
    wait_text("w1 w2 w3")
    wait_tokens(5)
    program.key("ctrl+a", "BackSpace")
    wait_tokens(3)


def test_broken_folders():
    for name, words in (("nothing", "config.json"), ("cut", "safetensors"), ("mute", "tokenizer")):
        folder = make_model(name, "bert")
        if name == "nothing":
            (folder / "config.json").unlink()
        elif name == "cut":
            weights = folder / "model.safetensors"
            weights.write_bytes(weights.read_bytes()[:2000])
        else:
            (folder / "tokenizer.json").unlink()
        program.open_again(folder)
        sentence = wait_for(f"a sentence on “{name}”", lambda: program.find_all("label", f"{name}: "))[0].name
        assert words in sentence and "\n" not in sentence, sentence
        program.wait_title("tiny-marian")


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def recover():
    """After a test that failed: no dialog, the first tab on top, with the text of the reference."""
    if program.process.poll() is not None:
        return
    program.key("Escape", "Escape", "Escape")
    program.open_again(bert)
    program.use_page(0)
    replace_text(TEXT)
    program.key("Return", "Tab", "ctrl+a", "BackSpace")
    wait_tokens(len(TOKENS))


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
