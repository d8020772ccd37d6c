#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A model and the text that was typed are saved, open to the same picture, and are a command that draws it; so are two of its texts.

Usage: test-window-model-session.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import shutil
import sys
import tempfile
from pathlib import Path

from figure_driver import Figures
from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
CLI = Path(BINARY).resolve().parents[1] / "cli" / "headlight-cli"
WORK = Path(tempfile.mkdtemp(prefix="headlight-model-session-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

# Two tabs from the beginning: the bar of tabs takes room from the picture.
program = Program(BINARY, str(FIXTURES / "causal.h5"))
atexit.register(lambda: program.kill())
shown = Figures(program, CLI, WORK)


def make_model():
    folder = WORK / "tiny-bert"
    folder.mkdir()
    for part in ("config.json", "model.safetensors"):
        shutil.copy(FIXTURES.parent / "model" / "checkpoints" / "bert" / part, folder)
    model = {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(100)}}
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None, "model": model}))
    return folder


def type_text(text):
    program.key("ctrl+a")
    program.type(text)
    program.key("Return")


def wait_text(text):
    """Until the picture is of the text, as the title says."""
    wait_for(f"“{text}” in the title", lambda: program.find_all("label", f"“{text}”", program.main_frame()))


def test_model():
    """A model and the text that was typed: the session computes it again."""
    folder = make_model()
    program.open_again(folder)
    program.wait_title(folder.name)
    program.use_page(1)
    program.key("ctrl+l")
    type_text("w5 w6 w7 w8")
    wait_text("w5 w6 w7 w8")
    program.key("Escape", "ctrl+2", "alt+Down", "alt+Right")
    shown.wait_image("Heatmap", "layer 1", "head 1")
    saved = shown.check_state("model", 2, "Escape")
    assert saved["file"] == folder.name and saved["text"] == "w5 w6 w7 w8" and "other" not in saved, saved


def choose(name, mnemonic, n):
    program.choose(program.wait("combo box", name, program.page), n, mnemonic)


def test_quantities():
    """What is made of weights, and several tokens of it, in each view; charts, of what was chosen there."""
    program.use_page(1)
    choose("Quantity", "q", 2)
    shown.wait_image("Heatmap", "norm of projected value", "layer 1", "head 1")
    width, height = program.wait_place(program.image)[2:]
    program.click(*program.point(program.image, width / 2, height / 2))
    program.key("Escape", "ctrl+Home", "Return", "shift+Down", "shift+Down")
    shown.wait_image("Heatmap", "mean of 3 queries: w5, w6, w7")
    saved = shown.check_state("norm-gathered", 2, "Escape")
    assert saved["state"]["quantity"] == "norm" and saved["state"]["token"] == "0-2", saved
    program.key("ctrl+1")
    shown.wait_image("Head View", "mean of 3 queries: w5, w6, w7")
    choose("Quantity", "q", 4)
    shown.wait_image("Head View", "rollout", "mean of 3 queries: w5, w6, w7")
    program.key("alt+f", "ctrl+a")
    program.type("1")
    program.key("Return")
    shown.wait_image("Head View", "rollout from layer 1 on")
    # Out of the text that Ctrl+C would copy.
    choose("Quantity", "q", 4)
    saved = shown.check_state("rollout-gathered", 2, "Escape")
    assert saved["state"]["quantity"] == "rollout" and saved["state"]["rollout-from"] == "1", saved
    choose("Quantity", "q", 5)
    shown.wait_image("Head View", "flow")
    shown.check_state("flow-gathered", 2, "Escape")
    program.key("ctrl+6")
    shown.wait_image("All Layers", "“Flow” only in other views")
    shown.check_state("layers", 2, "Escape")
    program.key("ctrl+7")
    shown.wait_image("Chart: ", "by layer")
    choose("Quantity", "q", 2)
    choose("Draw", "r", 2)
    choose("Number", "n", 2)
    shown.wait_image("Chart: ", "norm of projected value", "first token", "layers × heads")
    saved = shown.check_state("chart", 2, "Escape")
    assert {saved["state"][name] for name in ("quantity", "chart", "number")} == {"norm", "grid", "first"}, saved
    program.key("ctrl+2")
    choose("Quantity", "q", 0)
    program.key("Escape")
    shown.wait_image("Heatmap: attention weight")


VIEWS = ("Head View", "Heatmap", "Model View", "Steps", "Neuron View", "All Layers", "Chart")
QUANTITIES = ("weight", "value", "norm", "residual", "rollout", "flow")


def test_commands():
    """What is copied of each view runs and draws the same, whatever the quantity: also where the view shows another in its place."""
    program.use_page(1)
    choose("Combine", "b", 2)
    for number, quantity in enumerate(QUANTITIES):
        choose("Quantity", "q", number)
        program.key("Escape")
        for key, view in enumerate(VIEWS, 1):
            program.key(f"ctrl+{key}")
            program.wait("image", f"{view}: ", program.page)
            command = shown.copy_command()
            shown.check_same(shown.copy_figure(), shown.run(command), f"{quantity}, {view}: {command}")
    program.key("ctrl+2")
    choose("Quantity", "q", 0)
    choose("Combine", "b", 0)
    program.key("Escape")
    shown.wait_image("Heatmap: attention weight")


def stop_after(layer, n_tokens):
    """In what drops down from the number of tokens."""
    label = wait_for("the number of tokens", lambda: program.find_all("label", f"{n_tokens} tokens", program.page))[0]
    program.click(*program.point(label, 8, 8))
    wait_for("the choice to drop down", lambda: program.popups() and [
        box for box in program.find_all("spin button", "Stop After Layer", program.page) if program.accessibility.get_extents(box)[2] > 0])
    program.key("ctrl+a")
    program.type(str(layer))
    program.key("Return", "Escape")


def test_stop_after_layer():
    """The last layers are left out: in the picture, in the session and in the command; what is predicted needs them."""
    program.key("ctrl+3")
    program.wait("image", "Model View: attention weight · 2 layers", program.page)
    program.key("ctrl+2", "alt+Down")
    shown.wait_image("Heatmap", "layer 1", "head 1")
    n_tokens = len("w5 w6 w7 w8 The cat lay on the rug".split())
    stop_after(0, n_tokens)
    shown.wait_image("Heatmap", "layer 0", "head 1")
    wait_for("what it says", lambda: program.find_all("label", f"{n_tokens} tokens · to layer 0", program.page))
    program.key("Escape")
    saved = shown.check_state("stopped", 2, "Escape")
    assert saved["stop-after-layer"] == 0, saved
    stop_after(1, n_tokens)
    wait_for("all layers", lambda: not program.find_all("label", "to layer", program.page))
    program.key("Escape", "alt+Down")
    shown.wait_image("Heatmap", "layer 1", "head 1")


def test_heads_of_model():
    """Two heads of what is typed: the session computes it once, and both follow what is typed then."""
    shown.compare("Return")
    shown.wait_image("· A", "head 1")
    shown.wait_image("· B", "head 2")
    saved = shown.check_state("model-heads", 2, "Escape")
    assert saved["other"] == {"state": {"layer": "1", "head": "2"}}, saved
    program.key("ctrl+shift+d")
    shown.wait_no_image("· A")


def test_texts():
    """The model on two texts."""
    # After another head and another layer.
    shown.compare("Down", "Down", "Return")
    shown.wait_image("· B")
    # It has the keyboard as soon as it is there.
    wait_for("the keyboard in the second text", lambda: "Text" in program.get_focused())
    type_text("w5 w9 w7 w8 w8")
    shown.wait_image("B: … w9 w7 w8 …")
    shown.wait_image("A: … w6 w7 …")
    program.key("Escape")
    saved = shown.check_state("texts", 2, "Escape")
    assert saved["other"]["text"] == "w5 w9 w7 w8 w8" and "file" not in saved["other"], saved
    program.key("ctrl+m")
    shown.wait_image("difference")
    shown.check_state("texts-difference", 2, "Escape")
    program.key("ctrl+m", "ctrl+shift+d")
    shown.wait_no_image("· A")
    # Nothing of what was typed is lost.
    shown.compare("Down", "Down", "Return")
    shown.wait_image("B: … w9 w7 w8 …")
    shown.wait_image("A: … w6 w7 …")
    program.key("Escape", "ctrl+shift+d")
    shown.wait_no_image("· A")


def test_mask():
    """M masks the token in focus, in the text and in the picture; without a head that predicts, it does nothing."""
    program.key("Escape", "ctrl+1")
    shown.wait_image("Head View")
    program.key("Home", "Down", "m")
    folder = WORK / "masked"
    shutil.copytree(WORK / "tiny-bert", folder)
    for part in ("config.json", "model.safetensors"):
        shutil.copy(FIXTURES.parent / "model" / "checkpoints" / "bert-prefixed" / part, folder)
    (folder / "special_tokens_map.json").write_text('{"mask_token": "w59"}')
    assert not program.find_all("label", "w59"), "M masked what no head predicts"
    program.open_again(folder)
    program.wait_title(folder.name)
    program.use_page(2)
    program.key("ctrl+l")
    type_text("w5 w6 w7")
    wait_text("w5 w6 w7")
    program.key("Escape", "ctrl+1")
    shown.wait_image("Head View")
    program.key("Home", "Down")
    program.wait_view("w6 (query 1)")
    program.key("m")
    wait_text("w5 w59 w7")


def test_gguf():
    """A model in one file is saved and drawn as one in a folder is."""
    model = Path(shutil.copy(SAMPLE.parent / "minilm-l6-v2.gguf", WORK))
    program.open_again(model)
    program.wait("label", "all-MiniLM-L6-v2", program.main_frame())
    program.use_page(3)
    program.key("ctrl+l")
    type_text("time flies like an arrow")
    wait_text("time flies like an arrow")
    program.key("Escape", "ctrl+2", "alt+Down")
    shown.wait_image("Heatmap", "layer 1")
    saved = shown.check_state("gguf", 4, "Escape")
    assert saved["file"] == model.name and saved["text"] == "time flies like an arrow", saved


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], lambda: program.process.poll() is None and program.key("Escape", "Escape", "Escape"))
