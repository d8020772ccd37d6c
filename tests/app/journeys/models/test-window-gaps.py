#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Models some layers of which have no attention, or whose heads have learned sinks: what is drawn, said and passed over.

Usage: test-window-gaps.py HEADLIGHT CHECKPOINTS    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import shutil
import sys
import tempfile
from pathlib import Path

from window_driver import Program, run_tests, wait_for

BINARY, CHECKPOINTS = sys.argv[1], Path(sys.argv[2])
WORK = Path(tempfile.mkdtemp(prefix="headlight-gaps-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)


def make_model(checkpoint):
    folder = WORK / checkpoint
    folder.mkdir()
    for part in ("config.json", "model.safetensors"):
        shutil.copy(CHECKPOINTS / checkpoint / part, folder)
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None,
        "model": {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(60)}}}))
    return str(folder)


program = Program(BINARY, make_model("qwen35"))
atexit.register(program.kill)


def click_picker(layer, head):
    """A cell, or with None the number of the layer."""
    program.click(*program.point_in_picker(layer, head, 4))


def write_text(n):
    program.key("ctrl+l")
    program.type(" ".join(f"w{number}" for number in range(5, 5 + n)))
    program.key("Return")
    wait_for(f"{n} tokens", lambda: program.find_all("label", f"{n} token", program.page))


def test_steps_over():
    """Layers 0 and 2 have no heads: neither keys nor clicks lead there."""
    program.use_page(0)
    program.wait_view("layer 1", "head 0")
    write_text(8)
    click_picker(1, 2)
    program.wait_view("layer 1", "head 2")
    for key, layer in (("Down", 3), ("Down", 3), ("Up", 1), ("Up", 1), ("Next", 3), ("Prior", 1)):
        program.key(key)
        program.wait_view(f"layer {layer}", "head 2")
    click_picker(2, None)
    click_picker(3, None)
    program.wait_view("layer 3", "head 2")
    click_picker(2, 1)
    click_picker(1, 1)
    program.wait_view("layer 1", "head 1")
    # With Shift a head of the layer behind the gap comes beside it.
    program.key("shift+Down")
    program.wait_view("layer 3")
    program.key("Up")
    program.wait_view("layer 1", "head 1")


def test_views():
    program.key("ctrl+3")
    program.wait_view("Model View: attention weight · 4 layers × 4 heads", "2 layers without an attention map")
    program.key("ctrl+7")
    program.wait_view("Chart: attention weight")
    program.key("ctrl+6")
    program.wait_view("All Layers: ", "as far as there is attention", "2 layers without an attention map")
    points = [(dx, dy) for dx in range(60, 720, 16) for dy in (200, 260)]
    program.seek(points, "layer 0 · ")
    program.wait_view("no attention in this layer")
    program.wait("label", "No attention in this layer", program.page)
    program.seek(points, "layer 1 · ")
    assert "no attention" not in program.view()[1]
    program.key("ctrl+1")


def test_details():
    program.key("ctrl+i")
    frame, _ = program.wait_dialog("Details")
    wait_for("how many layers have none", lambda: program.find_all("label", "2 layers without an attention map", frame))
    program.close_dialog("Details")


def test_sink():
    program.open_again(make_model("gpt-oss"))
    program.use_page(1)
    write_text(8)
    program.key("ctrl+2")
    program.wait_view("Heatmap: attention weight · layer 0 · head 0 · [sink]: what a learned sink takes of each row")
    width, height = program.accessibility.get_extents(program.image)[2:]
    # To the row of the query, and along it.
    y = program.seek([(width // 2, dy) for dy in range(100, height, 16)], "w8 → ")[1] - program.point(program.image, 0, 0)[1]
    cell = program.seek([(dx, y) for dx in range(60, width, 12)], "w8 → [sink] ")[2]
    assert 0 < float(cell.split()[-1]) < 1, cell
    wait_for("the sink among the keys", lambda: any(row.startswith("[sink]") for row in program.rows()))
    program.wait("label", "row sum 1.000", program.page)
    program.key("ctrl+4")
    program.wait_view("Steps: ", "rows sum below 1: the rest goes to a learned sink")
    program.key("ctrl+6")
    program.wait_view("All Layers: ", "[sink]: what a learned sink takes of each row")


def test_compare_with_what_is_left_out():
    """A layer that was not captured is called so where a layer of the second side is chosen."""
    path = WORK / "captured.json"
    path.write_text(json.dumps({"format": "headlight-attention", "version": 2, "layers": 3, "captured": [1, 0, 1], "tokens": ["a", "b"],
                                "attention": {"0": [[[1, 0], [0.5, 0.5]]], "2": [[[0.5, 0.5], [0, 1]]]}}))
    program.open_again(str(path))
    program.use_page(2)
    program.key("ctrl+1")
    program.wait_view("Head View: ", "layer 0", "head 0")
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    program.key("Return")
    box = program.wait("combo box", "Layer of B", program.page)
    width, height = program.wait_place(box)[2:]
    program.click(*program.point(box, width / 2, height / 2))
    for words in ("Layer 1: not captured", "Layer 2"):
        wait_for(f"“{words}”", lambda: program.find_all("label", words, box))
    program.key("Escape")
    # What is pressed before it is closed goes to it.
    wait_for("the list to close", lambda: not program.popups())
    program.key("ctrl+shift+d")
    wait_for("the comparison to end", lambda: not program.find_all("combo box", "Layer of B", program.page))


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], lambda: None)
