#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files that are written to while they are shown: it is said, and one click reads them again, looked at as before.

Usage: test-window-rewrite.py HEADLIGHT GGUF CHECKPOINT    on a display with a window manager and an accessibility bus

Each kind of file is truncated, replaced, deleted, longer and overwritten where it lies. What is on top stays, or there is an
error; the program goes on, and shows the file again once that is whole. No number is of one version and its neighbour of
another.
"""
import atexit
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

import stub_torch
from window_driver import Failure, Gone, Program, is_shown_as, run_tests, wait_for

BINARY, GGUF, CHECKPOINT = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
WORK = Path(tempfile.mkdtemp(prefix="headlight-rewrite-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

stub_torch.install()

CHANGED, GONE = "changed after it was read", "no longer where it was"
LAYERS, HEADS = 4, 4
TOKENS = "the cat that the dog saw in the garden sat on a mat".split()


def make_attention(seed):
    scores = np.random.default_rng(seed).standard_normal((LAYERS, HEADS, len(TOKENS), len(TOKENS))) * 2
    weights = np.exp(scores)
    return (weights / weights.sum(-1, keepdims=True)).astype("f4")


VERSIONS = [make_attention(1), make_attention(2)]


def write_h5(path, attention):
    with h5py.File(path, "w") as file:
        file["attention"] = attention
        file["tokens"] = TOKENS


def write_json(path, attention):
    path.write_text(json.dumps({"tokens": TOKENS, "attention": np.round(attention.astype(float), 6).tolist()}))


def write_npy(path, attention):
    np.save(path, attention)


def write_npz(path, attention):
    np.savez(path, attention=attention, tokens=np.array(TOKENS))


def write_pt(path, attention):
    stub_torch.save({"attentions": tuple(stub_torch.Tensor(layer[None]) for layer in attention), "tokens": TOKENS}, path)


WRITERS = {"h5": write_h5, "json": write_json, "npy": write_npy, "npz": write_npz, "pt": write_pt}


def make_versions(kind):
    """What two files of a kind hold."""
    versions = []
    for attention in VERSIONS:
        path = WORK / f"version.{kind}"
        WRITERS[kind](path, attention)
        versions.append(path.read_bytes())
        path.unlink()
    return versions


def replace(path, content):
    """As programs do that care for what was there."""
    beside = path.with_name("beside")
    beside.write_bytes(content)
    os.replace(beside, path)


def overwrite(path, content):
    """Where it lies."""
    with path.open("r+b") as file:
        file.write(content)
        file.truncate()


shown = WORK / "shown.h5"
H5 = make_versions("h5")
shown.write_bytes(H5[0])
program = Program(BINARY, str(shown))
atexit.register(lambda: program.kill())
banners = {}


def find_in_banner(role, words):
    """A page keeps its banner, which is small: it is looked for once among all that is in the page."""
    if program.page.path not in banners:
        banners[program.page.path] = program.wait("widget", "HlBanner", program.page)
    return program.find_all(role, words, banners[program.page.path])


def labels(words):
    return [node for node in find_in_banner("label", words) if min(program.accessibility.get_extents(node)[2:]) > 0]


def wait_banner(words):
    wait_for(f"a banner “{words}”", lambda: labels(words))


def wait_no_banner(words):
    wait_for(f"no banner “{words}”", lambda: not labels(words))


def press(name):
    """A banner slides in, and is not to be pressed before."""
    wait_for(f"“{name}” to be pressed",
             lambda: any(map(program.accessibility.activate, find_in_banner("button", name))))


def read_again():
    press("Read Again")
    wait_no_banner(CHANGED)


def named(description):
    """“cat (query 1): the 0.31, dog 0.2” as the index of the query and the numbers."""
    match = re.search(r"\(query (\d+)\): (.*)", description)
    if match is None:
        raise Gone("a query in focus, between two pictures")
    return int(match[1]), [text.rsplit(" ", 1)[1] for text in match[2].split(", ")]


def get_version(layer, head, description):
    """Of which of the two versions the numbers are, all of them."""
    query, numbers = named(description)
    fitting = [index for index, attention in enumerate(VERSIONS)
               if all(is_shown_as(float(weight), text)
                      for weight, text in zip(np.sort(attention[layer, head, query])[::-1], numbers))]
    assert len(fitting) == 1, (layer, head, description, fitting)
    return fitting[0]


def test_replaced():
    """Another file under the name: what is seen stays, and reading again keeps layer, head, view, zoom and what is pinned."""
    program.use_page(0)
    program.wait_view("layer 0", "head 0")
    program.key("alt+Down", "alt+Down", "alt+Right", "ctrl+2")
    program.wait_view("layer 2", "head 1", "Heatmap")
    program.key("ctrl+1", "ctrl+Home", "Down", "Down", "Return")
    _, before = program.wait_view("(query 2): ", "Head View")
    assert get_version(2, 1, before) == 0, before
    replace(shown, H5[1])
    wait_banner(CHANGED)
    assert program.view()[1] == before
    read_again()
    wait_for("the numbers of the new file",
             lambda: "(query 2): " in program.view()[1] and get_version(2, 1, program.view()[1]) == 1)
    program.wait_view("layer 2", "head 1", "Head View")


def test_where_it_lies():
    """The same file is written anew; what was dismissed comes again with the next change only."""
    overwrite(shown, H5[0])
    wait_banner(CHANGED)
    press("Dismiss")
    wait_no_banner(CHANGED)
    program.key("ctrl+2")
    program.wait_view("Heatmap")
    program.key("ctrl+1")
    program.wait_view("Head View")
    assert not labels(CHANGED)
    overwrite(shown, H5[1])
    wait_banner(CHANGED)
    overwrite(shown, H5[0])
    program.key("F5")
    wait_no_banner(CHANGED)
    wait_for("the numbers of the file", lambda: get_version(2, 1, program.view()[1]) == 0)


def test_gone():
    """The picture stays, and so it does when there is another file again."""
    before = program.view()
    shown.unlink()
    wait_banner(GONE)
    assert program.view() == before
    shown.write_bytes(H5[1])
    wait_banner(CHANGED)
    read_again()
    wait_for("the numbers of the new file", lambda: get_version(2, 1, program.view()[1]) == 1)


def test_own():
    """The program itself writes over what it shows."""
    program.key("ctrl+shift+s")
    program.answer_chooser("Save Attention", shown)
    wait_for("the file that is there to be replaced",
             lambda: any(map(program.accessibility.activate, [*program.find_all("push button", "Replace"), *program.find_all("button", "Replace")])))
    wait_banner(CHANGED)
    read_again()
    wait_for("the same numbers", lambda: get_version(2, 1, program.view()[1]) == 1)


def find_side(words):
    """The picture of a side of what is compared, as it is now."""
    nodes = [node for node in program.accessibility.walk(program.page) if node.role == "image" and words in node.name]
    return nodes[0] if len(nodes) == 1 else None


def test_compared():
    """Of two files that are compared the second is written to: both are read again, and compared and looked at as before."""
    second = WORK / "second.h5"
    second.write_bytes(H5[0])
    before = program.view()[1]
    program.open_again(second)
    program.wait_title(second.name)
    program.key("ctrl+Page_Up")
    program.wait_title(shown.name)
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    # After another head and another layer, the other tab.
    program.key("Down", "Down", "Return")
    program.wait_gone("Compare With")

    def is_compared(version):
        sides = [find_side("A: shown.h5"), find_side("B: second.h5")]
        return (None not in sides and sides[0].description == before and "(query 2): " in sides[1].description and
                get_version(2, 1, sides[1].description) == version)
    wait_for("both sides", lambda: is_compared(0))
    replace(second, H5[1])
    wait_banner("compared with was " + CHANGED)
    assert is_compared(0)
    read_again()
    wait_for("the numbers of the new file beside those of the first", lambda: is_compared(1))
    second.unlink()
    wait_banner("compared with is " + GONE)
    assert is_compared(1)
    program.key("ctrl+shift+d")
    wait_no_banner(GONE)
    program.key("ctrl+Page_Down")
    program.wait_title(second.name)
    program.key("ctrl+w")
    program.wait_title(shown.name)
    program.use_page(0)


def is_well():
    assert program.process.poll() is None, "the program ended"
    assert not program.complaints(), program.complaints()


def look_around():
    """At heads and views that were not seen before."""
    for keys in (("alt+Right",), ("alt+Down",), ("ctrl+3",), ("ctrl+2",), ("alt+Right", "alt+Right"), ("ctrl+1",), ("alt+Down",)):
        program.key(*keys)
    program.view()
    is_well()


def check_one_version(previous):
    """Where there are numbers, those of a row are of one version; the old ones, as the new one was not read."""
    program.key("ctrl+1", "ctrl+Home", "Down")
    program.take_keys(3)
    # While numbers are read, the token alone is said.
    name, description = program.view()
    place = re.search(r"layer (\d+) · head (\d+)", name)
    if place is None or re.search(r"\(query \d+\): .* [\d.]", description) is None:
        return
    assert get_version(int(place[1]), int(place[2]), description) == previous, (name, description)


CHANGES = ("truncated", "replaced", "deleted", "longer", "overwritten")


def change(path, how, versions):
    if how == "truncated":
        os.truncate(path, path.stat().st_size // 3)
    elif how == "replaced":
        replace(path, versions[1])
    elif how == "deleted":
        path.unlink()
    elif how == "longer":
        with path.open("ab") as file:
            file.write(versions[0])
    else:
        overwrite(path, versions[1])


def restore(path, content):
    replace(path, content)
    for _ in range(3):
        wait_banner(CHANGED)
        try:
            read_again()
            return
        except Failure:
            continue
    raise Failure(f"{path.name} cannot be read again")


def open_tab(path):
    before = program.title()
    program.open_again(path)
    wait_for(f"the tab of {path.name}", lambda: program.title() != before)
    program.use_page(1)


def make_ranks(attention):
    """A dump in two files, each of half of the heads, as bytes."""
    contents = []
    for rank in range(2):
        path = WORK / "version.h5"
        write_h5(path, attention[:, 2 * rank:2 * rank + 2])
        with h5py.File(path, "a") as file:
            file.attrs.update(format="headlight-attention", version=2, rank=rank, ranks=2, sharding="heads")
        contents.append(path.read_bytes())
        path.unlink()
    return contents


def test_ranks():
    """Of a dump in two files the one that nobody opened is replaced, goes, and comes back."""
    versions = [make_ranks(attention) for attention in VERSIONS]
    paths = [WORK / f"run.rank{rank}.h5" for rank in range(2)]
    for path, content in zip(paths, versions[0]):
        path.write_bytes(content)

    def is_seen(head, version):
        name, description = program.view()
        return f"head {head}" in name and "(query 1): " in description and get_version(0, head, description) == version

    open_tab(paths[0])
    program.wait_view("layer 0", "head 0")
    program.key("ctrl+1", "ctrl+Home", "Down", "Return", "alt+Right", "alt+Right")
    wait_for("a head of the second file", lambda: is_seen(2, 0))
    # What is beside them is none of them.
    (WORK / "run.rank7.h5").write_bytes(versions[1][0])
    replace(paths[1], versions[1][1])
    wait_banner(CHANGED)
    assert is_seen(2, 0)
    read_again()
    wait_for("the numbers of the new file", lambda: is_seen(2, 1))
    program.key("alt+Left")
    wait_for("those of the file that nobody replaced", lambda: is_seen(1, 0))
    paths[1].unlink()
    wait_banner(CHANGED)
    assert is_seen(1, 0)
    paths[1].write_bytes(versions[0][1])
    replace(paths[0], versions[1][0])
    read_again()
    wait_for("the numbers of both", lambda: is_seen(1, 1))
    program.key("alt+Right")
    wait_for("the numbers of both", lambda: is_seen(2, 0))
    is_well()
    program.key("ctrl+w")
    program.wait_title(shown.name)
    program.use_page(0)


def make_test(kind):
    def test():
        versions = make_versions(kind)
        path = WORK / f"matrix.{kind}"
        path.write_bytes(versions[0])
        open_tab(path)
        for how in CHANGES:
            program.wait_view("attention weight")
            change(path, how, versions)
            look_around()
            check_one_version(0)
            wait_banner(GONE if how == "deleted" else CHANGED)
            look_around()
            restore(path, versions[0])
            is_well()
        program.key("ctrl+w")
        program.wait_title(shown.name)
    return test


def check_model(path, folder):
    """A model, of which a file is written to; another text makes it read its weights."""
    versions = [path.read_bytes()]
    # Weights that are others: the last half of the file, which is all weights.
    half = len(versions[0]) // 2
    versions.append(versions[0][:half] + bytes(reversed(versions[0][half:])))
    open_tab(folder)
    for how in CHANGES:
        change(path, how, versions)
        program.key("ctrl+l")
        program.type(" w3 w4")
        look_around()
        wait_banner(GONE if how == "deleted" and folder == path else CHANGED)
        look_around()
        restore(path, versions[0])
        is_well()
    program.key("ctrl+w")
    program.wait_title(shown.name)


def test_gguf():
    path = Path(shutil.copy(GGUF, WORK))
    check_model(path, path)


def test_folder():
    folder = WORK / "tiny-bert"
    folder.mkdir()
    for part in ("config.json", "model.safetensors"):
        shutil.copy(CHECKPOINT / part, folder)
    model = {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(60)}}
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None, "model": model}))
    check_model(folder / "model.safetensors", folder)


def recover():
    global program
    program.kill()
    shown.write_bytes(H5[0])
    program = Program(BINARY, str(shown))
    banners.clear()
    program.use_page(0)


run_tests([("replaced", test_replaced), ("where-it-lies", test_where_it_lies), ("gone", test_gone), ("own", test_own),
           ("compared", test_compared)]
          + [(kind, make_test(kind)) for kind in WRITERS] + [("gguf", test_gguf), ("folder", test_folder)], recover)
