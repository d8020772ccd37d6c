#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the Python package does without PyTorch: rules of masks, files, programs.

Usage: test-python-file.py HEADLIGHT-CLI SOURCE-ROOT.  Prints TAP.
"""
import contextlib
import errno
import os
import pathlib
import random
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import types

CLI, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path[:0] = [str(ROOT / "src/python"), str(ROOT / "tests/python")]
sys.dont_write_bytecode = True

import h5py
import numpy as np

import headlight
import reference_reader
import tap
from headlight import _capture, _disk, _file, _images, _models, _patches, _program, _rule
from headlight._spool import Spool


def visible(rule, queries, keys, offset, gaps):
    """The mask of a rule by the words of data/dump-format.md, pair by pair."""
    found = np.zeros((queries, keys), bool)
    for q in range(queries):
        for j in range(keys):
            i = q + offset
            sees = not gaps[j]
            if rule.get("causal"):
                sees &= j <= i
            if rule.get("window"):
                sees &= i - rule["window"] < j if rule.get("causal") else abs(i - j) < rule["window"]
            if rule.get("chunk"):
                sees &= j // rule["chunk"] == i // rule["chunk"]
            found[q, j] = sees
    return found


def test_rules_are_found():
    generator = random.Random(1)
    for _ in range(400):
        keys = generator.randint(2, 14)
        rule = {"causal": generator.random() < 0.6}
        if generator.random() < 0.5:
            rule["window"] = generator.randint(1, 8)
        elif rule["causal"] and generator.random() < 0.5:
            rule["chunk"] = generator.randint(2, 6)
        queries = generator.randint(1, keys)
        offset = keys - queries if rule["causal"] else 0
        gaps = np.array([generator.random() < 0.15 for _ in range(keys)])
        mask = visible(rule, queries, keys, offset, gaps)
        found = _rule.fit(_rule.Rows.of(mask), keys, offset, gaps, rule.get("window", 0), rule.get("chunk", 0))
        again = found.mask if found.mask is not None else visible(vars(found), queries, keys, offset, gaps)
        assert np.array_equal(again, mask), (rule, found)
        assert found.mask is None, (rule, found)


def test_rules_without_a_name():
    """A window that nobody named is found; what is no rule is a mask, and exactly that."""
    gaps = np.zeros(9, bool)
    mask = visible({"causal": True, "window": 4}, 9, 9, 0, gaps)
    found = _rule.fit(_rule.Rows.of(mask), 9, 0, gaps)
    assert (found.causal, found.window, found.mask) == (True, 4, None)
    generator = np.random.default_rng(2)
    for _ in range(50):
        mask = generator.random((7, 9)) < 0.5
        found = _rule.fit(_rule.Rows.of(mask), 9, 0, gaps)
        assert found.mask is not None and np.array_equal(found.mask, mask)


def test_rows_are_cut_and_joined():
    generator = np.random.default_rng(3)
    for _ in range(100):
        mask = generator.random((6, 10)) < 0.5
        mask[:, :2] = mask[:, 8:] = False
        rows = _rule.join([_rule.Rows.of(mask[:2]), _rule.Rows.of(mask[2:, 1:]).shifted(1)])
        assert np.array_equal(_rule.to_dense(rows, 10), mask)
        cut = _rule.part(rows, slice(1, 5), slice(2, 8))
        assert np.array_equal(_rule.to_dense(cut, 6), mask[1:5, 2:8])
        mask[3, 0] = True
        assert _rule.part(_rule.Rows.of(mask), slice(1, 5), slice(2, 8)) is None


def test_distances():
    found = _rule.Distances()
    assert found.between(-2, 3) is None
    assert found.add(-1, np.array([[1.0, np.nan, 3.0]]))
    assert found.add(0, np.array([[2.0, 3.0, 4.0]]))
    assert not found.add(0, np.array([[2.0, 9.0, 4.0]]))
    assert np.array_equal(found.between(-3, 4), [[0, 0, 1, 2, 3, 4, 0]])


def test_distances_of_rows_that_share_a_number():
    found = _rule.Distances()
    assert found.add(-1, np.array([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0]]))
    moved = np.array([[3.0, 4.0, 5.0, 6.0], [3.0, 5.0, 7.0, 9.0]])
    assert not found.add(-2, moved)
    assert found.add(-2, moved, True)
    assert np.array_equal(found.between(-3, 3), [[0, -2, -1, 0, 1, 0], [0, -4, -2, 0, 2, 0]])
    assert not found.add(-1, np.array([[1.0, 3.0], [1.0, 3.0]]), True)


def make_run(spool, generator, batch=2, n=7, causal=True, window=0, mask=None, layers=2, heads=4, shared=2, d=6):
    run = _file.Run()
    gaps = np.zeros(n, bool)
    rows = _rule.Rows.of(visible({"causal": causal, "window": window}, n, n, 0, gaps))
    weights = []
    for number in range(layers):
        q, k = generator.normal(size=(batch, heads, n, d)), generator.normal(size=(batch, shared, n, d))
        layer = _file.Layer(f"layers.{number}", number, "", scale=0.4, window=window, total=n)
        # As two steps of a generation, whose first reads four tokens.
        first = min(4, n)
        for part in (slice(0, first), slice(first, n)):
            if part.stop > part.start:
                layer.queries.append(spool.put(q[:, :, part].astype(np.float32)))
                layer.keys.append(spool.put(k[:, :, part].astype(np.float32)))
                layer.rows.append([_rule.part(rows, part, slice(0, n))])
        run.layers[number] = layer
        weights.append((q, k))
    side = run.sides.setdefault("", _file.Side())
    side.ids.append(np.arange(batch * n).reshape(batch, n))
    side.mask = mask
    return run, weights


def expect(q, k, causal, window, scale, kept):
    q, k = q[:, kept], k[:, kept]
    k = np.repeat(k, q.shape[0] // k.shape[0], axis=0)
    scores = np.einsum("hid,hjd->hij", q, k) * scale
    n = q.shape[1]
    seen = visible({"causal": causal, "window": window}, n, n, 0, np.zeros(n, bool))
    powers = np.exp(scores - scores.max(-1, keepdims=True)) * seen
    return powers / powers.sum(-1, keepdims=True)


def write(folder, runs, spool, **options):
    path = str(folder / "run.h5")
    file = _file.DumpFile(path, options.get("dtype", "float32"), {"model": "m", "layers": 2}, lambda ids: [f"w{i}" for i in ids])
    for run in runs:
        file.add(run, spool)
    assert not os.path.exists(path)
    file.finish()
    return path


def test_file():
    generator = np.random.default_rng(4)
    for causal, window in ((True, 0), (True, 3), (False, 0), (False, 2)):
        with tempfile.TemporaryDirectory() as name:
            spool = Spool(name)
            mask = np.ones((2, 7), bool)
            mask[0, 5:] = mask[1, :2] = False
            run, made = make_run(spool, generator, causal=causal, window=window, mask=mask)
            # What is padding is seen by nobody who is kept.
            for layer in run.layers.values():
                whole = _rule.to_dense(_rule.join([rows[0] for rows in layer.rows]), 7)
                layer.rows = [[_rule.Rows.of(whole & mask[item]) for item in range(2)]]
            path = write(pathlib.Path(name), [run], spool)
            assert sorted(os.listdir(name)) == ["run.h5"]
            examples = reference_reader.read(path)
            assert len(examples) == 2
            for item, example in enumerate(examples):
                kept = np.flatnonzero(mask[item])
                assert example["tokens"]["tokens"] == [f"w{item * 7 + i}" for i in kept]
                for layer, (q, k) in enumerate(made):
                    wanted = expect(q[item], k[item], causal, window, 0.4, kept)
                    assert np.abs(example[""][layer] - wanted).max() < 1e-6
            with h5py.File(path) as file:
                assert "mask" not in file["examples/0"] and "key_mask" not in file["examples/0"]
                assert file["examples/0"].attrs["causal"] == causal and file["examples/0"].attrs.get("sliding_window", 0) == window
            spool.close()


def test_sinks_of_some_layers():
    """As the reference and headlight-cli read them, and where layers have other heads."""
    generator = np.random.default_rng(6)
    for heads, of_layers in ((4, {1: [1.0, -2.0, 0.5, 3.0]}), (2, {0: [1.0, -2.0, 0.5, 3.0], 1: [2.0, -1.0]}), (4, {0: [1.0] * 4, 1: [-1.0] * 4})):
        with tempfile.TemporaryDirectory() as name:
            spool = Spool(name)
            run, made = make_run(spool, generator, batch=1)
            other, again = make_run(spool, generator, batch=1, heads=heads)
            run.layers[1], made[1] = other.layers[1], again[1]
            for number, sinks in of_layers.items():
                run.layers[number].sinks = np.array(sinks, np.float32)
            path = write(pathlib.Path(name), [run], spool)
            out = os.path.join(name, "weights.h5")
            subprocess.run([CLI, "convert", path, "--store", "weights", "--output", out], check=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
            with h5py.File(path) as file, h5py.File(out) as weights:
                alike = len(of_layers) == 2 and heads == 4
                assert isinstance(file["sinks"], h5py.Dataset if alike else h5py.Group)
                found = [reference_reader.read(path)[0][""], reference_reader.read_layers(weights["attention"])]
            for layer, (q, k) in enumerate(made):
                wanted = expect(q[0], k[0], True, 0, 0.4, np.arange(7))
                if layer in of_layers:
                    scores = np.einsum("hid,hjd->hij", q[0], np.repeat(k[0], q.shape[1] // k.shape[1], axis=0)) * 0.4
                    whole = np.log((np.exp(scores) * np.tri(7)).sum(-1, keepdims=True))
                    wanted = wanted / (1 + np.exp(np.array(of_layers[layer])[:, None, None] - whole))
                for weights in found:
                    assert np.abs(weights[layer] - wanted).max() < 1e-6, (layer, of_layers)
            spool.close()


def test_one_example_stands_at_the_root():
    with tempfile.TemporaryDirectory() as name:
        spool = Spool(name)
        run, _ = make_run(spool, np.random.default_rng(5), batch=1)
        with h5py.File(write(pathlib.Path(name), [run], spool)) as file:
            assert "examples" not in file and file["queries"].shape == (2, 4, 7, 6) and file["keys"].shape == (2, 2, 7, 6)
        spool.close()


def test_nothing_is_left_of_a_file_that_is_discarded():
    with tempfile.TemporaryDirectory() as name:
        file = _file.DumpFile(name + "/run.h5", "float16", {}, None)
        file.discard()
        assert os.listdir(name) == []


def test_what_a_killed_process_left_goes():
    """With the next file of that name; not while somebody writes it, and nothing else."""
    begin = "import os, signal, sys; from headlight import _file; _file.DumpFile(sys.argv[1], 'float16', {}, None)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src/python"), "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as name:
        path, others = name + "/run.h5", [".run.h5.notes.part", ".run.h5.0123456g.part", ".other.h5.01234567.part"]
        for other in others:
            pathlib.Path(name, other).write_text("mine")
        os.mkfifo(name + "/.run.h5.89abcdef.part")
        others.append(".run.h5.89abcdef.part")
        for _ in range(2):
            killed = subprocess.run([sys.executable, "-c", begin + "; os.kill(os.getpid(), signal.SIGKILL)", path], env=environment, check=False)
            assert killed.returncode == -9
            assert len(os.listdir(name)) == len(others) + 1, os.listdir(name)
        first, second = (_file.DumpFile(path, "float16", {}, None) for _ in range(2))
        assert len(os.listdir(name)) == len(others) + 2
        for file in (first, second):
            file.discard()
        assert sorted(os.listdir(name)) == sorted(others)


def test_a_figure_is_saved_whole():
    figure = headlight._figure.Figure("<svg/>" * 1000)
    with tempfile.TemporaryDirectory() as name:
        path, link, pipe = (os.path.join(name, other) for other in ("old.svg", "link.svg", "pipe"))
        pathlib.Path(path).write_text("old")
        os.chmod(path, 0o640)
        os.symlink("old.svg", link)
        os.mkfifo(pipe)
        limits, before = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        try:
            raises(OSError, "", figure.save, path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, before)
        assert pathlib.Path(path).read_text() == "old"
        for odd in (pipe, name, "/dev/full"):
            raises(OSError, "not a regular file", figure.save, odd)
        figure.save(link)
        assert os.path.islink(link) and pathlib.Path(path).read_text() == figure.svg and os.stat(path).st_mode & 0o777 == 0o640
        assert sorted(os.listdir(name)) == ["link.svg", "old.svg", "pipe"]


def make_capture(folder, path):
    """One that is not in its place yet, and nothing beside it."""
    spool = Spool(folder)
    file = _file.DumpFile(path, "float16", {}, None)
    file.add(make_run(spool, np.random.default_rng(5))[0], spool)
    spool.close()
    return file


def test_who_may_read():
    """Those who might read what was there; a group is kept."""
    figure = headlight._figure.Figure("<svg/>")
    with tempfile.TemporaryDirectory() as name:
        path, drawn = os.path.join(name, "run.h5"), os.path.join(name, "figure.svg")
        # What is protected from writing, root may write to.
        for mode in (0o600, 0o640, 0o444) if os.geteuid() == 0 else (0o600, 0o640):
            for other in (path, drawn):
                pathlib.Path(other).write_text("old")
                if os.geteuid() == 0:
                    os.chown(other, -1, 12345)
                os.chmod(other, mode)
            file = make_capture(name, path)
            assert [os.stat(other.path).st_mode & 0o777 for other in os.scandir(name) if other.name.endswith(".part")] == [mode | 0o600]
            file.finish()
            figure.save(drawn)
            for other in (path, drawn):
                assert os.stat(other).st_mode & 0o777 == mode, (other, oct(os.stat(other).st_mode))
                assert os.geteuid() != 0 or os.stat(other).st_gid == 12345
                os.remove(other)


def test_what_is_protected_stays():
    figure, user = headlight._figure.Figure("<svg/>"), os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        path = pathlib.Path(name, "run.h5")
        path.write_text("old")
        path.chmod(0o444)
        if user == 0:
            os.seteuid(12345)
        try:
            for write in (lambda: _file.DumpFile(str(path), "float16", {}, None), lambda: figure.save(path)):
                try:
                    write()
                except PermissionError as error:
                    assert error.filename == str(path), error
                else:
                    raise AssertionError("it is written")
        finally:
            os.seteuid(user)
        assert path.read_text() == "old" and os.listdir(name) == ["run.h5"]


def test_what_fails_at_the_end_leaves_what_was():
    """Some systems tell of a quota only when all is to be on the disk."""
    def fail(file):
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))

    figure, before = headlight._figure.Figure("<svg/>"), os.fsync
    with tempfile.TemporaryDirectory() as name:
        path, drawn = os.path.join(name, "run.h5"), os.path.join(name, "figure.svg")
        for other in (path, drawn):
            pathlib.Path(other).write_text("old")
        file = make_capture(name, path)
        os.fsync = fail
        try:
            raises(OSError, "the capture is not written", file.finish)
            raises(OSError, "", figure.save, drawn)
        finally:
            os.fsync = before
        file.discard()
        assert {other: pathlib.Path(name, other).read_text() for other in os.listdir(name)} == {"run.h5": "old", "figure.svg": "old"}


class Tensor:
    """Shares its memory with what is made of it, as a tensor of the CPU does."""

    def __init__(self, array):
        self.array = array

    def dim(self):
        return self.array.ndim

    def detach(self):
        return self

    def cpu(self):
        return self

    def numpy(self):
        return self.array


def test_tokens_of_a_tensor_that_is_used_again():
    capture = object.__new__(_capture.Capture)
    capture._run, capture._encoder_decoder, capture._grids, ids = _file.Run(), False, None, np.array([[0]])
    for step in (1, 2, 3):
        ids[0, 0] = step
        capture._sides_of_pass = set()
        capture._note_tokens("", {"input_ids": Tensor(ids)})
    assert [part.tolist() for part in capture._run.sides[""].ids] == [[[1]], [[2]], [[3]]]


def test_a_link_of_somebody_else():
    """Where everybody may put files, nobody has one of somebody else written over by a link."""
    figure = headlight._figure.Figure("<svg/>")
    with tempfile.TemporaryDirectory() as name:
        private, shared = pathlib.Path(name, "private.svg"), pathlib.Path(name, "shared")
        private.write_text("mine")
        shared.mkdir()
        link = shared / "figure.svg"
        link.symlink_to(private)
        if os.geteuid() != 0:
            return
        os.lchown(link, 12345, 12345)
        shared.chmod(0o1777)
        raises(OSError, "somebody else put there", figure.save, link)
        assert private.read_text() == "mine"
        os.lchown(link, 0, 0)
        figure.save(link)
        assert private.read_text() == figure.svg and link.is_symlink()


def test_names_of_modules():
    bart = [("encoder.layers.0.self_attn", False), ("decoder.layers.0.self_attn", False), ("decoder.layers.0.encoder_attn", True)]
    assert _models.assign_kinds(bart, True) == ["encoder", "decoder", "cross"]
    assert _models.assign_kinds([("model.layers.0.self_attn", False), ("model.layers.1.self_attn", False)], False) == ["", ""]
    both = [("vision_tower.layers.0.attn", False), ("language_model.layers.0.attn", False)]
    assert _models.assign_kinds(both, False) == ["encoder", "decoder"]
    assert _models.numbers(["block.0.layer.1.a", "block.1.layer.1.a"], [0, 0]) == [0, 1]
    assert _models.numbers(["h.3.attn"], [0]) == [3]
    assert _models.numbers(["group.0.a", "group.0.a"], [0, 1]) == [0, 1]
    assert [name for name in ("a.cross_attn", "a.encoder_attn", "a.EncDecAttention", "a.self_attn") if _models.is_cross(name, None)] == [
        "a.cross_attn", "a.encoder_attn", "a.EncDecAttention"]
    assert _models.number_of_call("group.1.attn", None, 2) == 3 and _models.number_of_call("group.1.attn", type("A", (), {"layer_idx": 5})(), 0) == 5
    assert _models.patch_names(7, (1, 3, 16, 24), type("C", (), {"patch_size": 8})())[:3] == ["CLS", "patch 1,1", "patch 1,2"]


def test_modules_that_are_blocked():
    """sys.modules has None for what shall not be imported; functions in the other modules of the package are replaced, and are back afterwards."""
    def before():
        pass

    def after():
        pass

    package = types.ModuleType("blocking")
    package.attention = before
    kind = type("Model", (), {"__module__": "blocking.model", "modules": lambda self: [self]})
    sys.modules.update({"blocking": package, "blocking.blocked": None})
    try:
        with contextlib.ExitStack() as stack:
            _patches._replaced_by_name(stack, kind(), {id(before): after})
            assert package.attention is after
        assert package.attention is before
    finally:
        del sys.modules["blocking"], sys.modules["blocking.blocked"]


class Cache:
    def get_seq_length(self):
        return 3


def test_arguments_of_passes():
    """A cache under the name that transformers has had for it, since 5.24 has, or will have; and what an encoder made."""
    cache = Cache()
    for name in ("past_key_values", "cache", "memory_of_keys"):
        assert _models.find_cache({"input_ids": 1, name: cache}) is cache
    old = ((1, 2),)
    assert _models.find_cache({"past_key_values": old}) is old and _models.find_cache({"cache": cache, "past_key_values": None}) is cache
    assert _models.find_cache({"cache": [1], "input_ids": 2}) is None
    for name, given in (("encoder_outputs", True), ("mm_encoder_outputs", True), ("encoder_hidden_states", True), ("cross_attention_states", True),
                        ("encoder_attention_mask", False), ("cross_attention_mask", False), ("decoder_input_ids", False), ("input_ids", False)):
        assert _models.has_encoder_state({name: 1}) == given and not _models.has_encoder_state({name: None})


def test_pictures():
    picture = np.arange(5 * 4 * 3, dtype=np.uint8).reshape(5, 4, 3)
    assert np.array_equal(_images.to_pixels(picture), picture)
    assert np.array_equal(_images.to_pixels(picture.transpose(2, 0, 1) / np.float32(255)), picture)
    assert _images.to_pixels(picture[..., 0]).shape == (5, 4, 3)
    assert _images.find_odd([picture, [picture]], [(10, 8)]) is None and _images.find_odd(picture, [(8, 8)]) == (5, 4)
    assert _images.find_odd(picture, []) is None and _images.load([picture, None])[0] is picture
    for wrong in (picture.reshape(-1), picture.astype(np.int64), picture - 300.0, np.zeros((0, 4, 3), np.uint8)):
        raises(headlight.HeadlightError, "a picture", _images.to_pixels, wrong)
    assert len(_images.of_example(picture, 1, 2)) == 1 and len(_images.of_example([picture] * 3, 0, 1)) == 3
    assert len(_images.of_example([[picture] * 2, picture], 0, 2)) == 2
    raises(headlight.HeadlightError, "3 pictures for 2 examples", _images.of_example, [picture] * 3, 0, 2)
    ids = np.array([1, 9, 9, 9, 9, 2, 9, 9, 9, 9, 9, 9])
    assert _images.place(ids, 9, [(2, 2), (2, 3)], [picture] * 2).tolist() == [[0, 1, 2, 2, 2, 0, 0, 4, 5], [1, 6, 2, 3, 3, 0, 0, 4, 5]]
    # Six is no square, and one picture is not two.
    assert len(_images.place(ids, 9, None, [picture] * 2)) == 0 and len(_images.place(ids, 9, None, [picture])) == 0
    assert _images.place(ids[:6], 9, None, [picture]).tolist() == [[0, 1, 2, 2, 2, 0, 0, 4, 5]]
    # Places are known without the pictures; one token is none.
    assert _images.place(ids, 9, [(2, 2), (2, 3)], [None] * 2).tolist() == [[0, 1, 2, 2, 2, 0, 0, 2, 2], [1, 6, 2, 3, 3, 0, 0, 3, 2]]
    assert len(_images.place(ids[:2], 9, None, [None])) == 0 and len(_images.place(ids[:1], 9, None, [None])) == 0


def test_folder_that_takes_nothing():
    """The sentence names what was given, not the temporary file beside it."""
    raises(OSError, "nothing can be written in the folder /proc: '/proc/run.h5'", _disk.create_beside, "/proc/run.h5")


def raises(kind, text, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"{kind.__name__} was not raised")


def test_figure():
    os.environ["HEADLIGHT_CLI"] = CLI
    sample = ROOT / "data/samples/minilm-time-flies.h5"
    drawn = headlight.figure(sample, view="heatmap", layer=2, heads=[1])
    assert drawn._repr_svg_().lstrip().startswith("<?xml") and "<svg" in drawn.svg
    weights = np.random.default_rng(6).dirichlet(np.ones(5), (2, 3, 5))
    # One array a layer, with a batch, as outputs.attentions.
    for x in (weights, tuple(layer[None] for layer in weights), {"attentions": list(weights)}, weights[0, 0]):
        assert "<svg" in headlight.figure(x, tokens=list("abcde")).svg
    # Of a model without cross attention, transformers gives an empty tuple.
    assert "<svg" in headlight.figure({"attentions": list(weights), "cross_attentions": ()}).svg
    raises(headlight.HeadlightError, "output_attentions", headlight.figure, {"attentions": ()})
    raises(headlight.HeadlightError, "this view needs an image", headlight.figure, weights, view="picture")
    raises(headlight.HeadlightError, "there are 2 tokens for 5 keys", headlight.figure, weights, tokens=["a", "b"])
    raises(headlight.HeadlightError, "no file", headlight.figure, "/nowhere.h5")
    raises(headlight.HeadlightError, "output_attentions", headlight.figure, {"attentions": None})
    raises(headlight.HeadlightError, "wrong", headlight.figure, sample, view="wrong")
    for text in ("a\0b", "\ud800"):
        raises(headlight.HeadlightError, "no text", headlight.figure, sample, title=text)


def test_layers_without_attention():
    """None stands for one: the others keep their numbers."""
    os.environ["HEADLIGHT_CLI"] = CLI
    weights = np.random.default_rng(8).dirichlet(np.ones(5), (5, 2, 3, 5))
    some = tuple(layer if number in (1, 3) else None for number, layer in enumerate(weights))
    steps = tuple(tuple(layer if layer is None else np.tril(layer, 0)[..., first:end, :end] for layer in some) for first, end in ((0, 4), (4, 5)))
    with tempfile.TemporaryDirectory() as name:
        for x, wanted in ((some, weights), ({"attentions": list(some)}, weights), (steps, np.tril(weights, 0))):
            with h5py.File(_program.write_dump(x, None, name)) as file:
                assert file.attrs["layers"] == 5 and sorted(file["attention"]) == ["1", "3"]
                assert all(np.array_equal(file[f"attention/{layer}"], wanted[layer]) for layer in (1, 3))
        both = {"encoder_attentions": tuple(weights), "decoder_attentions": some, "cross_attentions": (None, weights[0])}
        with h5py.File(_program.write_dump(both, None, name)) as file:
            assert file["encoder_attention"].shape == weights.shape and sorted(file["cross_attention"]) == ["1"]
            assert file.attrs["decoder_layers"] == 5 and file.attrs["cross_layers"] == 2 and "layers" not in file.attrs
    assert "<svg" in headlight.figure(some, view="heatmap", layer=3, heads=[1]).svg
    raises(headlight.HeadlightError, "layer 2", headlight.figure, some, view="heatmap", layer=2)
    raises(headlight.HeadlightError, "differ in which layers", headlight.figure, (steps[0], (*steps[1][1:], None)))
    raises(headlight.HeadlightError, "none of which can be None", headlight.figure, [weights[0, 0, 0], None])


def test_steps_of_a_generation():
    """Of generate() all steps are one map: queries below one another, keys of the last."""
    whole = np.random.default_rng(7).dirichlet(np.ones(6), (2, 1, 3, 6)) * np.tri(6)
    steps = tuple(tuple(layer[:, :, first:end, :end] for layer in whole) for first, end in ((0, 4), (4, 5), (5, 6)))
    for x in (steps, {"attentions": steps, "cross_attentions": ()}):
        assert np.array_equal(_program.attention_of(x)["attention"], whole)
        # The last token that is generated is not read any more.
        assert "<svg" in headlight.figure(x, tokens=list("abcdefg")).svg
        raises(headlight.HeadlightError, "there are 5 tokens for 6 keys", headlight.figure, x, tokens=list("abcde"))
    static = tuple(tuple(np.pad(layer, ((0, 0), (0, 0), (0, 0), (0, 9 - layer.shape[3]))) for layer in step) for step in steps)
    assert np.array_equal(_program.attention_of(static)["attention"], whole)
    # Padding before a text sees nothing, and has the same weight for all keys, those of the room, too.
    padded = [[np.repeat(layer, 2, 0) for layer in step] for step in static]
    for layer in padded[0]:
        layer[1, :, :2] = 1 / 9
    found = _program.attention_of({"attentions": tuple(map(tuple, padded))})["attention"]
    assert found.shape == (2, 2, 3, 6, 6) and np.array_equal(found[:, :1], whole) and np.array_equal(found[:, 1:, :, 2:], whole[:, :, :, 2:])
    # Without a cache each step reads all of the text once more, and what an encoder made of its own.
    anew = tuple(tuple(layer[:, :, :end, :end] for layer in whole) for end in (4, 5, 6))
    again = {"decoder_attentions": tuple(tuple(layer[:, :, :end, :end] for layer in whole) for end in (1, 2, 3)),
             "cross_attentions": tuple(tuple(layer[:, :, :end] for layer in whole) for end in (1, 2, 3))}
    assert np.array_equal(_program.attention_of(anew)["attention"], whole)
    assert {name: array.shape for name, array in _program.attention_of(again).items()} == {
        "decoder_attention": (2, 1, 3, 3, 3), "cross_attention": (2, 1, 3, 3, 6)}
    # One of a window is full after three keys, and then each key takes the place of the one before it.
    window = [tuple(layer[..., :min(number, 3)] for layer in whole) for number in range(1, 6)]
    rolled = tuple(tuple(np.pad(layer[:, :, number:number + 1], ((0, 0),) * 3 + ((0, 3 - layer.shape[3]),)) for layer in step)
                   for number, step in enumerate(window))
    raises(headlight.HeadlightError, "forgets keys", _program.attention_of, rolled)
    # In the second turn of a talk it has moved before the first step.
    moved = tuple(tuple(layer[:, :, number:number + 1, number - 2:number + 1] for layer in whole) for number in (4, 5))
    raises(headlight.HeadlightError, "forgets keys", _program.attention_of, moved)
    cross = tuple(tuple(layer[..., :3] for layer in step) for step in steps)
    given = {"encoder_attentions": tuple(whole), "decoder_attentions": tuple(tuple(np.repeat(layer, 2, 0) for layer in step) for step in steps),
             "cross_attentions": tuple(tuple(np.repeat(layer, 2, 0) for layer in step) for step in cross)}
    assert {name: array.shape for name, array in _program.attention_of(given).items()} == {
        "encoder_attention": (2, 2, 3, 6, 6), "decoder_attention": (2, 2, 3, 6, 6), "cross_attention": (2, 2, 3, 6, 3)}
    raises(headlight.HeadlightError, "forgets keys", _program.attention_of, (steps[0], tuple(layer[..., 1:] for layer in steps[1])))
    raises(headlight.HeadlightError, "num_beams=1", _program.attention_of, {"attentions": steps, "beam_indices": np.zeros(3)})


def test_tokens_of_an_encoder_and_a_decoder():
    """Those of the decoder, or of both; a generation has one more than was read."""
    weights = np.random.default_rng(9).dirichlet(np.ones(5), (2, 1, 3, 5))
    encoder, cross, decoder = weights, weights[..., :3, :], (weights * np.tri(5))[..., :3, :3]
    passed = {"encoder_attentions": tuple(encoder), "decoder_attentions": tuple(decoder), "cross_attentions": tuple(cross)}
    bounds = ((0, 1), (1, 2), (2, 3))
    steps = dict(passed, decoder_attentions=tuple(tuple(layer[..., first:end, :end] for layer in decoder) for first, end in bounds),
                 cross_attentions=tuple(tuple(layer[..., first:end, :] for layer in cross) for first, end in bounds))
    only = {"encoder_attentions": tuple(encoder)}
    with tempfile.TemporaryDirectory() as name:
        for x, tokens, of_encoder, of_decoder in ((passed, "xyz", None, "xyz"), (passed, "abcdexyz", "abcde", "xyz"), (steps, "xyz", None, "xyz"),
                                                  (steps, "xyz.", None, "xyz"), (steps, "abcdexyz", "abcde", "xyz"), (steps, "abcdexyz.", "abcde", "xyz"),
                                                  (only, "abcde", "abcde", None)):
            with h5py.File(_program.write_dump(x, list(tokens), name)) as file:
                for side, wanted in (("encoder_tokens", of_encoder), ("decoder_tokens", of_decoder)):
                    assert (side in file) == (wanted is not None), (tokens, side)
                    assert wanted is None or [word.decode() for word in file[side][()]] == list(wanted), (tokens, side)
        for x, tokens in ((passed, "xy"), (passed, "xyz."), (passed, "abcdexyz."), (steps, "abcde"), (steps, "abcdexyz.."), (only, "abc")):
            raises(headlight.HeadlightError, f"there are {len(tokens)} tokens for 5 encoder keys", _program.write_dump, x, list(tokens), name)


def test_no_room_for_a_figure():
    """HDF5 ends a process whose file it cannot write, then or at its end; a limit to the size of files stands for a full disk."""
    script = """
import os, resource, sys, tempfile
import numpy as np
from headlight import _program
weights = np.full((4, 4, 20, 20), 1 / 20)
for limit in (100, 1000, 2048, 4000, 20000, 50000, 1000000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        _program.as_file(weights, [f"w{i}" for i in range(20)])
        print("written", os.listdir(tempfile.gettempdir()))
    except OSError as error:
        print(error.strerror, os.listdir(tempfile.gettempdir()))
"""
    with tempfile.TemporaryDirectory() as name:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src/python"), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": name}
        done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and not done.stderr, (done.returncode, done.stdout, done.stderr)
        *refused, last = done.stdout.splitlines()
        assert refused == ["File too large: the attention is not written []"] * 6 and last.startswith("written ['headlight-"), done.stdout


def test_show():
    with tempfile.TemporaryDirectory() as name:
        program = pathlib.Path(name) / "headlight"
        program.write_text(f"#!/bin/sh\nprintf '%s' \"$1\" >{name}/said\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        os.environ["HEADLIGHT"] = str(program)
        headlight.show(ROOT / "data/samples/minilm-time-flies.h5").wait()
        assert pathlib.Path(name, "said").read_text().endswith("minilm-time-flies.h5")
        headlight.show(np.full((1, 2, 3, 3), 1 / 3), tokens=["a", "b", "c"]).wait()
        with h5py.File(pathlib.Path(name, "said").read_text()) as file:
            assert file["attention"].shape == (1, 2, 3, 3) and [x.decode() for x in file["tokens"][()]] == ["a", "b", "c"]
        with h5py.File(_program.write_dump(np.full((1, 2, 3, 3), 1 / 3), [b"The", " caf\u00e9".encode(), b"\xff"], name)) as file:
            assert [x.decode() for x in file["tokens"][()]] == ["The", " caf\u00e9", "<0xFF>"]
        os.environ["HEADLIGHT"] = name + "/none"
        raises(headlight.ProgramMissing, "there is no program", headlight.show, ROOT / "README.md")
        del os.environ["HEADLIGHT"]
        before, os.environ["PATH"] = os.environ["PATH"], name + "/empty"
        try:
            raises(headlight.ProgramMissing, "is not installed", headlight.show, ROOT / "README.md")
        finally:
            os.environ["PATH"] = before


tap.run(globals())
