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

SENSITIVE = 24
# In the head view at its first size, from the view's corner.
QUERIES_X = 100


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
    program.move(*program.point_nowhere())
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


def paste_text(text):
    """All of it at once, in the first text."""
    program.write_clipboard(text.encode())
    program.key("ctrl+l", "ctrl+v")


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


def get_field():
    return next(node for node in program.find_all("text box", "Text", program.page) if node.name == "Text")


def test_enter_with_ctrl():
    """It computes, as Enter does, and begins no line."""
    replace_text("w1 w2 w3")
    program.key("ctrl+Return")
    wait_text("w1 w2 w3")
    assert program.accessibility.get_text(get_field()) == "w1 w2 w3"


def read_caption():
    """The colours of the picture's top, where its caption is."""
    x, y = program.point(program.image, 0, 0)
    width = program.accessibility.get_extents(program.image)[2]
    data = subprocess.run(["import", "-window", "root", "-crop", f"{width - 20}x40+{round(x) + 10}+{round(y) + 8}", "-depth", "8",
                           "rgb:-"], check=True, stdout=subprocess.PIPE).stdout
    return {data[at:at + 3] for at in range(0, len(data), 3)}


def find_seen(role, words, root):
    found = program.find_all(role, words, root)
    return [node for node in found if (program.accessibility.get_extents(node) or (0, 0, 0))[2] > 0]


def read_pixels(x, y, width, height):
    data = subprocess.run(["import", "-window", "root", "-crop", f"{width}x{height}+{round(x)}+{round(y)}", "-depth", "8", "rgb:-"],
                          check=True, stdout=subprocess.PIPE).stdout
    return [data[at:at + 3] for at in range(0, len(data), 3)]


def read_colours(node):
    width, height = program.accessibility.get_extents(node)[2:]
    return set(read_pixels(*program.point(node, 2, 2), width - 4, height - 4))


def read_edges(label):
    """What it stands on, and what is around that."""
    width, height = program.accessibility.get_extents(label)[2:]
    return [read_pixels(*program.point(label, x, y), 1, 1)[0] for x in (-2, -40, width + 2, width + 40) for y in (-2, -30, height + 30)]


def read_lines():
    """The first line of the field, as it is drawn."""
    return read_pixels(*program.point(get_field(), 0, 0), 60, 14)


def can_export():
    button = next(node for node in program.find_all("button", "Export", program.main_frame()) if "Figure" in node.name or "Export…" in node.name)
    return program.accessibility.have_state([button], SENSITIVE)[0]


def test_emptied():
    """Of a text that is no more there is no picture, and no number of tokens; the next one has both."""
    assert len(read_caption()) > 1
    program.click(*program.point(get_field(), 30, 12))
    program.key("ctrl+a", "BackSpace")
    program.wait("label", "no text", program.page)
    program.wait("label", "Type a text to see its attention", program.page)
    wait_for("no picture", lambda: len(read_caption()) == 1)
    # Nor anything of it elsewhere.
    wait_for("the title to say so", lambda: find_seen("label", "No text", program.main_frame()))
    wait_for("the panel to say so", lambda: find_seen("label", "No text", program.page))
    wait_for("no number of a head", lambda: len(read_colours(program.picker())) == 1)
    note = program.wait("label", "Type a text to see its attention", program.page)
    assert len(set(read_edges(note))) == 1, read_edges(note)
    assert not can_export()
    program.type("w4 w5")
    wait_text("w4 w5")
    wait_tokens(2)
    wait_for("a picture", lambda: len(read_caption()) > 1)
    wait_for("numbers of heads", lambda: len(read_colours(program.picker())) > 1)
    wait_for("something to export", can_export)


def test_lines_alone():
    """Of a text without a word it is said what is wrong."""
    replace_text("w1 w2")
    wait_text("w1 w2")
    program.key("ctrl+a", "shift+Return")
    sentence = wait_for("what is wrong", lambda: find_seen("label", "no token", program.page))[0]
    assert sentence.name.endswith("tokens") or "no tokens" in sentence.name, sentence.name
    replace_text("w4 w5")
    wait_text("w4 w5")
    wait_for("nothing to be wrong", lambda: not find_seen("label", "no token", program.page))


def test_enter_leads_to_picture():
    """What was typed is run, and keys are about the picture then."""
    replace_text("w1 w2 w3")
    program.key("Return")
    wait_text("w1 w2 w3")
    program.key("ctrl+Home", "Down")
    program.wait_view("w2 (query 1): ")
    program.key("h")
    program.wait_view("1 token hidden")
    assert program.accessibility.get_text(get_field()) == "w1 w2 w3"
    program.key("ctrl+z")
    # So does a click in it.
    replace_text("w1 w2 w3 w4")
    wait_text("w1 w2 w3 w4")
    program.click(*program.point_nowhere())
    program.key("Escape", "ctrl+Home", "h")
    program.wait_view("1 token hidden")
    assert program.accessibility.get_text(get_field()) == "w1 w2 w3 w4"
    program.key("ctrl+z", "Escape")


def get_size(name):
    node = next(node for node in program.find_all("text box", name, program.page) if node.name == name)
    return program.accessibility.get_extents(node)[2:]


def test_second_field():
    """It takes little room until it is used, and half of it then."""
    width, other_width = get_size("Text")[0], get_size("Second Text")[0]
    assert other_width < width / 3, (width, other_width)
    program.key("ctrl+l", "Tab")
    wait_for("half of the room", lambda: abs(get_size("Text")[0] - get_size("Second Text")[0]) <= 2)
    program.key("shift+Tab")
    wait_for("little room", lambda: get_size("Second Text")[0] < get_size("Text")[0] / 3)


def test_many_lines():
    """As many as are seen are seen whole, and the first ones when nobody writes."""
    replace_text("w1")
    wait_text("w1")
    program.key("Return")
    first = read_lines()

    def measure(n):
        """The height of so many lines."""
        paste_text("\n".join(f"w{i + 1}" for i in range(n)))
        wait_tokens(n)
        heights = []

        def stays():
            heights.append(get_size("Text")[1])
            return len(heights) > 5 and len(set(heights[-5:])) == 1
        wait_for("a height", stays)
        return heights[-1]
    two, three, many = measure(2), measure(3), measure(14)
    line = three - two
    assert line > 10 and many > three and (many - two) % line == 0, (two, three, many)
    program.key("Return")
    program.move(3, 3)
    wait_for("the first line", lambda: read_lines() == first)


def test_no_predictions():
    """A model without a head for them says so."""
    label = program.wait("label", "This checkpoint has no head that predicts tokens", program.page)
    width, height = program.accessibility.get_extents(label)[2:]
    assert width > 0 and height > 0
    assert not program.find_all("label", "Next after", program.page)


def test_lines():
    paste_text("w1 w2\nw3\n\nw4")
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
    # Letter by letter, a slow computer would show "w1 w9" before the last one.
    paste_text("w1 w99")
    def find_sentence():
        """Where there is none, a mean of heads may have those digits as well."""
        return [node for node in program.find_all("label", "99", program.page) if "token" in node.name]
    wait_for("a sentence on the token", find_sentence)
    # The last good picture stays, and so does what it is of.
    wait_text("w1 w2 w3")
    program.key("BackSpace")
    wait_text("w1 w9")
    wait_for("nothing to be wrong", lambda: not find_sentence())


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
    target = WORK / "numbers.csv"
    program.answer_chooser("Export Numbers", target)
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
    program.answer_chooser("Open Model Folder", gpt)
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
    program.key("Tab", "ctrl+a", "BackSpace", "Return")
    wait_tokens(len(TOKENS))


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
