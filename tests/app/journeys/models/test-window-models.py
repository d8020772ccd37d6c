#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Models that are on the computer: from the welcome page by a click, from a command line by name, and what is said of those that are not.

Usage: test-window-models.py HEADLIGHT CHECKPOINTS GGUF    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

from window_driver import Program, run_tests, wait_for

BINARY, CHECKPOINTS, SAMPLE = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]), Path(sys.argv[3])
WORK = Path(tempfile.mkdtemp(prefix="headlight-models-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
HASH = "0123456789abcdef0123456789abcdef01234567"
TITLE = "Models on This Computer"

os.environ |= {"HF_HUB_CACHE": str(WORK / "hub"), "OLLAMA_MODELS": str(WORK / "ollama"), "LLAMA_CACHE": str(WORK / "llama")}


def add(name, checkpoint, **changes):
    """A model as the hub's tools lay it out, whose words are w0 to w99."""
    model = WORK / "hub" / ("models--" + name.replace("/", "--"))
    snapshot = model / "snapshots" / HASH
    snapshot.mkdir(parents=True)
    (model / "refs").mkdir()
    (model / "refs" / "main").write_text(HASH)
    (model / "blobs").mkdir()
    config = json.loads((CHECKPOINTS / checkpoint / "config.json").read_text()) | changes
    vocabulary = {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(100)}}
    files = {"config.json": json.dumps(config).encode(),
             "model.safetensors": (CHECKPOINTS / checkpoint / "model.safetensors").read_bytes(),
             "tokenizer.json": json.dumps({
                 "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
                 "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None,
                 "model": vocabulary}).encode()}
    for number, (file, content) in enumerate(files.items()):
        (model / "blobs" / f"{number}").write_bytes(content)
        (snapshot / file).symlink_to(f"../../blobs/{number}")


def rows(dialog):
    return [node.name for node in program.find_all("list item", "", dialog) if node.name]


def wait_text(text):
    """Until the picture is of the text, as the title says."""
    wait_for(f"“{text}” in the title", lambda: program.find_all("label", f"“{text}”", program.main_frame()))


program = Program(BINARY)
atexit.register(program.kill)


def test_empty():
    program.key("ctrl+shift+l")
    dialog, _ = program.wait_dialog(TITLE)
    text = program.wait("label", "looked in", dialog).name
    for place in ("hub", "ollama", "llama"):
        assert str(WORK / place) in text, text
    program.close_dialog(TITLE)


def test_welcome():
    add("some/tiny-bert", "bert")
    add("some/novel", "bert", model_type="novel")
    add("some/evil\u202e<b>\x1b\nend", "bert")
    add("some/strange\u202e\n", "bert", model_type="novel")
    for number in range(40):
        add(f"many/model-{number:02}", "gpt2")
    button = program.wait("button", "Models…")
    program.click(*program.point(button, 20, 10))
    dialog, _ = program.wait_dialog(TITLE)
    wait_for("all rows", lambda: len(rows(dialog)) >= 44)
    assert any(name.startswith("some/tiny-bert, Hugging Face · BERT, ") for name in rows(dialog)), rows(dialog)
    assert any("models of type “novel” are not known" in name for name in rows(dialog)), rows(dialog)
    # Names are told as they are written, in one line.
    assert any(name.startswith("some/evil\ufffd<b>  end, ") for name in rows(dialog)), rows(dialog)
    told = [text for node in program.accessibility.walk(dialog) for text in (node.name, node.description) if "some/" in text]
    bad = [text for text in told if any(unicodedata.category(letter) in ("Cc", "Cf") for letter in text)]
    assert told and not bad, bad

    # What cannot be opened stays where it is.
    program.type("novel")
    wait_for("the search", lambda: len(rows(dialog)) == 1)
    program.key("Return")
    program.key("Escape")
    wait_for("all rows again", lambda: len(rows(dialog)) >= 44)
    program.type("tiny hug")
    wait_for("the search", lambda: [name.split(",")[0] for name in rows(dialog)] == ["some/tiny-bert"])
    program.key("Down", "Return")
    program.wait_gone(TITLE)
    program.use_page(0)
    program.wait_title("some/tiny-bert")
    program.key("ctrl+l")
    program.type("w3 w15 w2")
    wait_text("w3 w15 w2")


def test_ollama():
    """A file among blobs, listed by what it calls itself and the name that its manifest has, with a tokenizer in it."""
    digest = "0123456789abcdef" * 4
    blob = WORK / "ollama" / "blobs" / f"sha256-{digest}"
    manifest = WORK / "ollama" / "manifests" / "registry.ollama.ai" / "library" / "minilm" / "latest"
    for path in (blob, manifest):
        path.parent.mkdir(parents=True)
    blob.symlink_to(SAMPLE)
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}"}
    manifest.write_text(json.dumps({"schemaVersion": 2, "layers": [layer]}))
    program.key("ctrl+shift+l")
    dialog, _ = program.wait_dialog(TITLE)
    wait_for("all rows", lambda: len(rows(dialog)) >= 45)
    program.type("ollama minilm")
    wait_for("the search", lambda: [name.split(" · ")[:2] for name in rows(dialog)] ==
             [["all-MiniLM-L6-v2, minilm:latest", "Ollama"]])
    program.key("Return")
    program.wait_gone(TITLE)
    wait_text("The cat sat on the mat")
    program.key("ctrl+l")
    program.type("time flies like an arrow")
    wait_text("time flies like an arrow")


def test_names():
    """The program that runs is given the model by the second one."""
    subprocess.run([BINARY, "many/model-07"], check=True, timeout=60, cwd=WORK)
    program.wait_title("many/model-07")
    done = subprocess.run([BINARY, "many/none"], timeout=60, cwd=WORK, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and f"nor a model of this name in {WORK / 'hub'}" in done.stderr, done
    done = subprocess.run([BINARY, "many/no\x1b]0;title\x07\u202ene"], timeout=60, cwd=WORK, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "many/no ]0;title \ufffdne" in done.stderr and "\x1b" not in done.stderr, done


def recover():
    program.key("Escape", "Escape", "Escape")


run_tests([
    ("a computer without models says where was looked", test_empty),
    ("from the welcome page to a text that is typed", test_welcome),
    ("a file of Ollama's", test_ollama),
    ("names on the command line", test_names),
], recover)
