#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Models that take pixels: what each subcommand makes of --pixels and --image, and files that are wrong.

Usage: test-cli-vision.py HEADLIGHT-CLI TESTS.  Prints TAP.
"""

import csv
import io
import json
import os
import pathlib
import shutil
import sys
import tempfile

import h5py
import numpy as np

import program

CLI = sys.argv[1]
TESTS = pathlib.Path(sys.argv[2])
VISION = TESTS / "model" / "vision"
IMAGES = TESTS / "model" / "images"
PICTURE = IMAGES / "picture.png"
CLIP = TESTS / "model" / "checkpoints" / "clip"


def run(*arguments, status=0):
    result = program.run([CLI, *map(str, arguments)], env={**os.environ, "LC_ALL": "C.UTF-8", "G_DEBUG": "fatal-criticals"})
    assert result.returncode == status, f"{arguments}: {result.returncode} {result.stderr}"
    return result


def pixels(folder):
    return ["--pixels", folder / "pixels.npy"]


def test_recompute(out):
    """Weights are those of the reference, whatever the order of bytes and axes; tokens are named."""
    for folder in sorted(VISION.iterdir()):
        run("recompute", folder, *pixels(folder), "-o", out / "out.h5")
        with h5py.File(out / "out.h5") as found, h5py.File(folder / "reference.h5") as reference:
            difference = np.abs(found["attention"][()] - reference["image_attention"][()]).max()
            assert difference < 1e-5, (folder.name, difference)
            names = [name.decode() for name in found["tokens"][()]]
        shape = np.load(folder / "pixels.npy").shape
        assert names[-1] == f"patch {shape[-2] // 4},{shape[-1] // 4}", names
        assert (names[0] == "CLS") == (folder.name != "siglip-vision"), names
    array = np.load(VISION / "vit" / "pixels.npy")
    for dtype in ("<f8", ">f8", "<f4"):
        np.save(out / "again.npy", np.asfortranarray(array.astype(dtype))[None])
        run("recompute", VISION / "vit", "--pixels", out / "again.npy", "-o", out / "again.h5")
        run("recompute", VISION / "vit", *pixels(VISION / "vit"), "-o", out / "out.h5")
        assert (out / "again.h5").read_bytes() == (out / "out.h5").read_bytes()


def test_parts(out):
    """CLIP takes either; its images and its texts are parts of one folder."""
    for arguments, name in ((pixels(CLIP), "image_attention"), (["--ids", None], "attention")):
        with h5py.File(CLIP / "reference.h5") as reference:
            expected, ids = reference[name][()], reference["ids"][()]
        run("recompute", CLIP, *[part or ",".join(map(str, ids)) for part in arguments], "-o", out / "out.h5")
        with h5py.File(out / "out.h5") as found:
            assert np.abs(found["attention"][()] - expected).max() < 1e-5
    alone = VISION / "clip-vision"
    assert "sees images (CLIP vision) and reads no text" in run("recompute", alone, "--text", "a", "-o", out / "out.h5", status=1).stderr


def test_quantities(out):
    dino = VISION / "dinov2"
    run("recompute", dino, *pixels(dino), "--store", "all", "-o", out / "all.h5")
    for quantity, arguments in (("norm", []), ("rollout", ["--combine", "mean"])):
        run("convert", out / "all.h5", "--quantity", quantity, *arguments, "-o", out / "quantity.h5")
        with h5py.File(out / "quantity.h5") as found, h5py.File(dino / "reference.h5") as reference:
            expected = reference[quantity][()]
            difference = np.abs(found["attention"][()].reshape(expected.shape) - expected).max()
            assert difference < 1e-5 * max(1, np.abs(expected).max()), (quantity, difference)


def test_others(out):
    vit = VISION / "vit"
    for view in ("head-view", "heatmap", "model-view", "layers", "steps", "neuron", "chart", "picture"):
        run("render", vit, *pixels(vit), "--view", view, "-o", out / f"{view}.svg")
    assert "CLS" in (out / "head-view.svg").read_text()
    rows = list(csv.DictReader(io.StringIO(run("stats", vit, *pixels(vit), "--format", "csv").stdout)))
    assert len(rows) == 6 and all(row["block"] == "attention" for row in rows)
    assert "needs a model that takes texts" in run("stats", vit, *pixels(vit), "--numbers", "induction").stderr
    found = json.loads(run("stats", vit, *pixels(vit), "--numbers", "sink,ablation-zero", "--format", "json").stdout)
    assert len(found) == 6 and all(row["ablation-zero"] > 0 for row in found), found
    ablated = run("ablate", vit, *pixels(vit), "--format", "json")
    assert len(json.loads(ablated.stdout)["heads"]) == 6
    np.save(out / "other.npy", np.load(vit / "pixels.npy") * 0.5)
    for other, same in ((vit / "pixels.npy", True), (out / "other.npy", False)):
        rows = csv.DictReader(io.StringIO(run("compare", vit, *pixels(vit), "--other-pixels", other, "--format", "csv").stdout))
        assert same == all(float(value) == 0 for row in rows for name, value in row.items() if name == "divergence"), other
    assert "patch 1,2" in run("info", vit, *pixels(vit)).stdout


def test_classes(out):
    """What the model says of the image is by its first token, in the words of its config.json."""
    vit = VISION / "vit"
    rows = json.loads(run("predict", vit, *pixels(vit), "--position", 0, "--top", 7, "--format", "json").stdout)
    with h5py.File(vit / "reference.h5") as reference:
        logits = reference["logits"][()]
    chances = np.exp(logits) / np.exp(logits).sum()
    assert [row["predicted"] for row in rows] == [f"LABEL_{i}" for i in np.argsort(-logits)], rows
    assert all(abs(row["probability"] - chances[row["id"]]) < 1e-5 and row["token"] == "CLS" for row in rows)
    best = f"LABEL_{np.argmax(logits)}"
    assert best in run("ablate", vit, *pixels(vit)).stdout and best in run("attribute", vit, *pixels(vit)).stdout
    assert "LABEL_2" in run("attribute", vit, *pixels(vit), "--token", "LABEL_2").stdout
    assert "is no class of this model" in run("attribute", vit, *pixels(vit), "--token", "LABEL", status=1).stderr
    assert "no head that tells classes" in run("predict", VISION / "dinov2", *pixels(VISION / "dinov2"), status=1).stderr


def test_session(out):
    """A session file says which pixels; those of the second side may be others."""
    vit = VISION / "vit"
    np.save(out / "other.npy", np.load(vit / "pixels.npy") * 0.5)
    saved = {"format": "headlight-session", "version": 1, "uri": vit.resolve().as_uri(), "pixels": (vit / "pixels.npy").resolve().as_uri()}
    (out / "one.headlight").write_text(json.dumps(saved))
    run("render", out / "one.headlight", "--view", "heatmap", "-o", out / "one.svg")
    run("render", vit, *pixels(vit), "--view", "heatmap", "-o", out / "same.svg")
    assert (out / "one.svg").read_bytes() == (out / "same.svg").read_bytes()
    saved["other"] = {"pixels": "other.npy", "difference": True}
    saved["other"]["uri"] = saved["uri"]
    (out / "two.headlight").write_text(json.dumps(saved))
    run("render", out / "two.headlight", "--view", "heatmap", "-o", out / "two.svg")
    run("render", vit, *pixels(vit), "--difference", vit, "--other-pixels", out / "other.npy", "--view", "heatmap", "-o", out / "other.svg")
    assert (out / "two.svg").read_bytes() == (out / "other.svg").read_bytes() != (out / "one.svg").read_bytes()
    saved["pixels"] = "https://example.org/pixels.npy"
    (out / "far.headlight").write_text(json.dumps(saved))
    assert "is not the address of a file" in run("render", out / "far.headlight", "-o", out / "far.svg", status=1).stderr


def test_wrong(out):
    vit, bert = VISION / "vit", TESTS / "model" / "checkpoints" / "bert"
    for array, sentence in ((np.zeros((3, 12, 16), np.uint8), "of uint8; floating-point numbers are needed"),
                            (np.zeros((12, 16), np.float32), "has 2 axes"),
                            (np.zeros((2, 3, 12, 16), np.float32), "holds 2 images"),
                            (np.full((3, 12, 16), np.nan, np.float32), "is NaN or infinite"),
                            (np.zeros((3, 12, 12), np.float32), "3 × 12 × 12; the model takes 3 × 12 × 16 and no others")):
        np.save(out / "wrong.npy", array)
        said = run("recompute", vit, "--pixels", out / "wrong.npy", "-o", out / "out.h5", status=1).stderr
        assert sentence in said and said.count("\n") == 1, said
    whole = (vit / "pixels.npy").read_bytes()
    (out / "short.npy").write_bytes(whole[:-4])
    assert "breaks off" in run("info", vit, "--pixels", out / "short.npy", status=1).stderr
    assert "none.npy: " in run("info", vit, "--pixels", out / "none.npy", status=1).stderr
    assert "takes texts, and no pixels" in run("info", bert, *pixels(vit), status=1).stderr
    assert "excludes --text" in run("info", vit, *pixels(vit), "--text", "a", status=2).stderr
    assert "no --pixels" in run("generate", vit, *pixels(vit), status=2).stderr
    assert "or --pixels" in run("info", vit, status=2).stderr
    assert "are for models" in run("info", CLIP / "reference.h5", *pixels(vit), status=2).stderr


def find_model(name):
    return next(folder for folder in (VISION / name, TESTS / "model" / "checkpoints" / name) if folder.exists())


def test_images(out):
    """From the file of an image to the attention, as transformers has it; the image and the places of patches are in the dump."""
    with h5py.File(IMAGES / "references.h5") as references:
        assert len(references) == 9
        for name in references:
            run("recompute", find_model(name), "--image", PICTURE, "-o", out / "out.h5")
            with h5py.File(out / "out.h5") as found:
                difference = np.abs(found["attention"][()] - references[name][()]).max()
                assert difference < 1e-5, (name, difference)


def test_kept_images(out):
    """The image is in the dump, and which part of it patches cover: all of it, or what is left of a crop."""
    for name, tokens in (("vit", [0, 1, 3, 4, 4, 0, 0, 64, 48]), ("dinov2", [0, 1, 5, 4, 4, 14, 2, 32, 40])):
        for store in ("qk", "all"):
            run("recompute", find_model(name), "--image", PICTURE, "--store", store, "-o", out / "out.h5")
            run("convert", out / "out.h5", "-o", out / "again.h5")
            for file in ("out.h5", "again.h5"):
                with h5py.File(out / file) as found:
                    assert found["image"].shape == (48, 64, 3) and found["image"].dtype == np.uint8, found["image"]
                    assert found["image_tokens"][()].tolist() == [tokens], (name, found["image_tokens"][()])
                _, first, rows, columns = tokens[:4]
                told = f"64 × 48 pixels, {rows} rows × {columns} columns of patches from token {first}"
                assert f"  Image: {told}\n" in run("info", out / file).stdout, told
                assert json.loads(run("info", "--json", out / file).stdout)["blocks"][0]["images"] == [
                    {"width": 64, "height": 48, "first_token": first, "rows": rows, "columns": columns}]
            with h5py.File(out / "again.h5", "a") as found:
                del found["image"]
            told = f"not in the file, {rows} rows × {columns} columns of patches from token {first}"
            assert f"  Image: {told}\n" in run("info", out / "again.h5").stdout, told
        run("render", out / "out.h5", "--view", "picture", "-o", out / "picture.svg")
        run("render", find_model(name), "--image", PICTURE, "--view", "picture", "-o", out / "same.svg")
        assert (out / "picture.svg").read_bytes() == (out / "same.svg").read_bytes()


def test_image_subcommands(out):
    vit, other = VISION / "vit", IMAGES / "other.png"
    image = ["--image", PICTURE]
    run("render", vit, *image, "--view", "heatmap", "-o", out / "heatmap.svg")
    assert "patch 3,4" in run("info", vit, *image).stdout
    assert len(list(csv.DictReader(io.StringIO(run("stats", vit, *image, "--format", "csv").stdout)))) == 6
    rows = json.loads(run("predict", vit, *image, "--position", 0, "--top", 7, "--format", "json").stdout)
    assert sorted(row["predicted"] for row in rows) == [f"LABEL_{i}" for i in range(7)]
    for second, same in ((PICTURE, True), (other, False)):
        rows = csv.DictReader(io.StringIO(run("compare", vit, *image, "--other-image", second, "--format", "csv").stdout))
        assert same == all(float(row["divergence"]) == 0 for row in rows), second
    rows = csv.DictReader(io.StringIO(run("compare", vit, *image, "--other-pixels", vit / "pixels.npy", "--format", "csv").stdout))
    assert not all(float(row["divergence"]) == 0 for row in rows)


def test_image_session(out):
    """A session file says which image; that of the second side may be another."""
    vit = VISION / "vit"
    saved = {"format": "headlight-session", "version": 1, "uri": vit.resolve().as_uri(), "image": PICTURE.resolve().as_uri()}
    (out / "one.headlight").write_text(json.dumps(saved))
    run("render", out / "one.headlight", "--view", "heatmap", "-o", out / "one.svg")
    run("render", vit, "--image", PICTURE, "--view", "heatmap", "-o", out / "same.svg")
    assert (out / "one.svg").read_bytes() == (out / "same.svg").read_bytes()
    saved["other"] = {"image": (IMAGES / "other.png").resolve().as_uri(), "difference": True, "uri": saved["uri"]}
    (out / "two.headlight").write_text(json.dumps(saved))
    run("render", out / "two.headlight", "--view", "heatmap", "-o", out / "two.svg")
    run("render", vit, "--image", PICTURE, "--difference", vit, "--other-image", IMAGES / "other.png", "--view", "heatmap", "-o", out / "other.svg")
    assert (out / "two.svg").read_bytes() == (out / "other.svg").read_bytes() != (out / "one.svg").read_bytes()


def test_wrong_images(out):
    vit, bert = VISION / "vit", TESTS / "model" / "checkpoints" / "bert"
    copy = out / "vit"
    shutil.copytree(vit, copy)
    for text, sentence in (("{", "preprocessor_config.json: "), ('{"image_processor_type": "MineImageProcessor"}', "“MineImageProcessor” is not known"),
                           ('{"size": 5}', "the model takes 3 × 12 × 16 and no others"), ('{"size": 99999}', "is not a size from 1 to")):
        (copy / "preprocessor_config.json").write_text(text)
        said = run("info", copy, "--image", PICTURE, status=1).stderr
        assert sentence in said and said.count("\n") == 1, said
    (copy / "processor_config.json").write_text('{"image_processor": {"size": {"height": 12, "width": 16}}}')
    run("info", copy, "--image", PICTURE)
    (copy / "processor_config.json").write_text('{"processor_class": "Other"}')
    assert "is not a size" in run("info", copy, "--image", PICTURE, status=1).stderr
    (copy / "processor_config.json").unlink()
    assert "as is usual" not in run("info", vit, "--image", PICTURE).stdout
    (copy / "preprocessor_config.json").unlink()
    said = run("info", copy, "--image", PICTURE)
    assert "went through ViTImageProcessor, as is usual for ViT" in said.stdout + said.stderr, said.stdout
    (out / "half.png").write_bytes(PICTURE.read_bytes()[:900])
    assert "half.png: " in run("info", vit, "--image", out / "half.png", status=1).stderr
    assert "none.png: " in run("info", vit, "--image", out / "none.png", status=1).stderr
    assert "no PNG, JPEG or WebP" in run("info", vit, "--image", vit / "pixels.npy", status=1).stderr
    assert "takes texts, and no pixels" in run("info", bert, "--image", PICTURE, status=1).stderr
    deit = run("info", VISION / "deit", "--image", PICTURE, status=1).stderr
    assert "3 × 12 × 12; the model takes 1 × 12 × 12" in deit, deit
    assert "--image excludes" in run("info", vit, *pixels(vit), "--image", PICTURE, status=2).stderr
    assert "takes no --image" in run("generate", vit, "--image", PICTURE, status=2).stderr
    assert "it takes no --image" in run("probe", vit, "--image", PICTURE, status=2).stderr
    assert "are for models" in run("info", CLIP / "reference.h5", "--image", PICTURE, status=2).stderr


def test_no_text(out):
    """Whatever asks for words says what kind of model it is, and what is given to it."""
    vit = VISION / "vit"
    (out / "texts.txt").write_text("one text\nanother\n")
    (out / "words.conllu").write_text("1\tTime\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tflies\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    dump = TESTS / "fixtures" / "minimal-two-lines.h5"
    for command in (["probe", vit, "--annotations", out / "words.conllu"], ["stats", vit, "--texts", out / "texts.txt"],
                    ["stats", vit, "--annotations", out / "words.conllu"], ["tokens", vit, "--text", "a"], ["info", vit, "--text", "a"],
                    ["info", dump, "--tokenizer", vit, "--text", "a"]):
        said = run(*command, status=1).stderr
        assert "the model sees images (ViT) and reads no text: it is to be given an image (--image)" in said, (command, said)
        assert said.count("\n") == 1, said


def main():
    tests = [(name, test) for name, test in sorted(globals().items()) if name.startswith("test_")]
    print(f"1..{len(tests)}")
    for number, (name, test) in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(pathlib.Path(folder))
                print(f"ok {number} {name}", flush=True)
            except Exception as problem:
                print(f"not ok {number} {name}\n# " + repr(problem).replace("\n", "\n# "), flush=True)


if __name__ == "__main__":
    main()
