#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A model that takes its time: layers are shown as they are done, a view waits for the one it looks at, and Stop stops.

Usage: test-model-wait.py HEADLIGHT CHECKPOINTS    on a display with a window manager and an accessibility bus

The model is the tiny ALBERT of the tests of models, whose layers share their weights, made deep and long: a small file,
and many seconds of work for a text of some thousand tokens.
"""
import atexit
import json
import re
import shutil
import struct
import sys
import tempfile
from pathlib import Path

import numpy as np

from window_driver import Program, insist, run_tests, wait_for

BINARY, CHECKPOINTS = sys.argv[1], Path(sys.argv[2])
N_HEADS = json.loads((CHECKPOINTS / "albert" / "config.json").read_text())["num_attention_heads"]
WORK = Path(tempfile.mkdtemp(prefix="headlight-model-wait-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

N_LAYERS = 192
N_TOKENS = 4096
N_COMPARED = 512
POSITIONS = "embeddings.position_embeddings.weight"


def read_safetensors(path):
    data = path.read_bytes()
    size, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    begin = 8 + size
    return {name: np.frombuffer(data[begin + entry["data_offsets"][0]:begin + entry["data_offsets"][1]], "<f4")
            .reshape(entry["shape"]) for name, entry in header.items()}


def write_safetensors(path, tensors):
    header, offset = {}, 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": "F32", "shape": tensor.shape, "data_offsets": [offset, offset + tensor.nbytes]}
        offset += tensor.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(tensor.tobytes() for tensor in tensors.values()))


def make_slow_model():
    folder = WORK / "slow-albert"
    folder.mkdir()
    config = json.loads((CHECKPOINTS / "albert" / "config.json").read_text())
    config.update(num_hidden_layers=N_LAYERS, max_position_embeddings=N_TOKENS)
    (folder / "config.json").write_text(json.dumps(config))
    tensors = read_safetensors(CHECKPOINTS / "albert" / "model.safetensors")
    width = tensors[POSITIONS].shape[1]
    tensors[POSITIONS] = np.random.default_rng(7).standard_normal((N_TOKENS, width), dtype=np.float32)
    write_safetensors(folder / "model.safetensors", tensors)
    model = {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(60)}}
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None, "model": model}))
    return folder


program = Program(BINARY, str(make_slow_model()))
atexit.register(program.kill)


def wait_tokens(n):
    wait_for(f"{n} tokens", lambda: program.find_all("label", f"{n} token", program.page))


def find_labels(words):
    return program.find_all("label", words, program.page)


def go_to_last_layer():
    """By the picker, as each layer on the way would be drawn; and to the picture by way of the text."""
    program.click(*program.point_in_picker(0, 0, N_HEADS))
    program.key("Page_Down", "ctrl+l", "Escape")


def press_stop():
    button = program.wait("button", "Stop", program.page)
    program.click(*program.point(button, 8, 8))


def test_short_text():
    program.use_page(0)
    program.wait_view("layer 0", "head 0")
    program.type("w1 w2 w3")
    program.key("Tab", "ctrl+a", "BackSpace")
    wait_tokens(3)
    # All layers of so short a text are there at once.
    program.key("Escape")
    go_to_last_layer()
    program.wait_view(f"layer {N_LAYERS - 1}", "head 0")
    assert not find_labels("Waiting for layer"), find_labels("Waiting for layer")
    program.key("alt+Home")
    program.wait_view("layer 0", "head 0")


def test_compared_text():
    """The second side computes all of its layers, though it is shown with the first of them."""
    text = " ".join(f"w{number % 59 + 1}" for number in range(N_COMPARED))
    program.write_clipboard(text.encode())
    program.key("ctrl+l", "ctrl+a", "ctrl+v")
    wait_tokens(N_COMPARED)
    program.key("Escape", "ctrl+d")
    program.wait_dialog("Compare With")
    program.key("Down", "Down", "Return")
    program.wait_gone("Compare With")
    wait_for("both sides", lambda: len(find_labels(f"{N_COMPARED} token")) == 2, 60)
    program.key("Escape")
    go_to_last_layer()
    wait_for("the last layer on both sides", lambda: len(program.find_all("image", f"layer {N_LAYERS - 1} ", program.page)) == 2)
    program.key("Down")
    wait_for("its weights on both sides", lambda: len([image for image in program.find_all("image", "layer ", program.page)
                                                       if image.description.startswith("w")]) == 2, 60)
    assert not find_labels("Stopped before") and not find_labels("was not computed")
    program.key("Escape", "ctrl+shift+d", "alt+Home")
    program.wait_view("layer 0")


def test_first_layer_before_the_last():
    text = " ".join(f"w{number % 59 + 1}" for number in range(N_TOKENS))
    program.write_clipboard(text.encode())
    program.key("ctrl+l", "ctrl+v")
    wait_tokens(N_TOKENS)
    program.key("Escape")
    # It says a token's weights in layer 0, and goes on computing.
    program.key("Down")
    program.wait_view("w1 (query 0): ", seconds=120)
    assert find_labels(f"/{N_LAYERS}"), [node.name for node in find_labels("")]
    # How fast it is stands in the corner of the picture while it goes on.
    pace = program.wait("label", " tokens/s · ", program.page).name
    assert re.search(r"\d+ tokens/s · [\d.]+.[MG]B · \d+ (s|min) left$", pace), pace
    program.key("Escape")


def test_wait():
    go_to_last_layer()
    program.wait_view(f"layer {N_LAYERS - 1}")
    wait_for("the note that waits", lambda: find_labels(f"Waiting for layer {N_LAYERS - 1}"))


def test_stop():
    press_stop()
    wait_for("the note that nothing comes", lambda: find_labels(f"Layer {N_LAYERS - 1} was not computed"))
    # The layers that were done stay.
    program.key("alt+Home")
    program.wait_view("layer 0")
    program.key("Down")
    program.wait_view("w1 (query 0): ")
    program.key("Escape")


def test_next_text():
    program.key("ctrl+l")
    program.type("w4 w5")
    wait_tokens(2)
    program.key("Escape")
    go_to_last_layer()
    program.wait_view(f"layer {N_LAYERS - 1}")
    program.key("Down")
    program.wait_view("w4 (query 0): ")
    assert not find_labels("was not computed"), find_labels("was not computed")


def test_newer_text_drops_older():
    program.key("Escape", "ctrl+l", "ctrl+v")
    wait_tokens(N_TOKENS)
    program.key("ctrl+a")
    program.type("w6 w7 w8")
    wait_tokens(3)
    program.key("Escape")
    # How many tokens there are is said before they are drawn, and a key that moves among none is about none.
    insist("the first token", lambda: program.key("ctrl+Home"), lambda: program.view()[1].startswith("w6 (query 0): "))


def test_close_in_mid_run():
    program.key("Escape", "ctrl+l", "ctrl+v")
    wait_tokens(N_TOKENS)
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def recover():
    """After a test that failed: the first layer of a short text."""
    if program.process.poll() is not None:
        return
    program.key("Escape", "Escape", "ctrl+l", "ctrl+a")
    program.type("w1 w2 w3")
    program.key("Tab", "ctrl+a", "BackSpace")
    wait_tokens(3)
    program.key("Escape", "alt+Home")


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
