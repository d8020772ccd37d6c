#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures that go wrong: paths, tokenizers, exceptions, interrupts, full disks, nesting and threads. Each says so in one sentence, leaves no file
that is not whole, and leaves the model and PyTorch as they were.

Usage: test-adverse.py HEADLIGHT-CLI SOURCE-ROOT.  Prints TAP.  Needs PyTorch and transformers.
"""
import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import warnings

CLI, ROOT = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
sys.path[:0] = [str(ROOT / "src/python"), str(ROOT / "tests/python")]
sys.dont_write_bytecode = True

import h5py
import numpy as np
import torch
import transformers
from torch import nn

import families
import headlight
import reference_reader
import tap

transformers.utils.logging.set_verbosity_error()
torch.set_num_threads(1)
torch.set_grad_enabled(False)
IDS = torch.randint(5, 60, (1, 9), generator=torch.Generator().manual_seed(1))


def state(model):
    """All that a capture changes for a while."""
    from transformers.cache_utils import Cache
    from transformers.modeling_utils import AttentionInterface
    return ([(len(m._forward_hooks), len(m._forward_pre_hooks), sorted(vars(m))) for m in model.modules()], nn.functional.scaled_dot_product_attention,
            nn.MultiheadAttention.forward, AttentionInterface.get_interface, Cache.reorder_cache, torch.backends.mha.get_fastpath_enabled())


@contextlib.contextmanager
def ends_with(kind, text, folder, *models):
    """That what follows raises this, leaves nothing in a folder, and models as they were."""
    before, files = [state(model) for model in models], sorted(os.listdir(folder))
    try:
        yield
    except kind as error:
        assert text in str(error) and "\n" not in str(error), error
    else:
        raise AssertionError(f"{kind.__name__} was not raised")
    assert sorted(os.listdir(folder)) == files and [state(model) for model in models] == before


def tokens(path):
    return [example["tokens"] for example in reference_reader.read(path)]


def run(model, path, **options):
    with headlight.capture(model, path, **options) as capture:
        model(IDS)
    return capture


def test_paths(folder):
    model = families.make("llama")
    (folder / "there").mkdir()
    for path, kind, text in ((folder / "there", ValueError, "is there already, and is no file"), (f"{folder}/there/", ValueError, "is no name of a file"),
                             ("", ValueError, "is no name of a file"), (f"{folder}/a\0b.h5", ValueError, "is no name of a file"),
                             ("/dev/full", ValueError, "is no file"), (folder / "none" / "run.h5", FileNotFoundError, "there is no folder"),
                             (folder / "run", ValueError, "ends with .h5 or .hdf5, by which Headlight knows such a file, and 'run' does not"),
                             (folder / "run.json", ValueError, "ends with .h5 or .hdf5")):
        with ends_with(kind, text, folder, model):
            run(model, path)
    # What systems allow is allowed: long names, bytes that are no UTF-8, a link that leads elsewhere.
    long = folder / ("n" * 250 + ".h5")
    run(model, long)
    run(model, os.fsencode(folder) + b"/\xff\xfe.h5")
    os.symlink(folder / "there" / "run.h5", folder / "link.h5")
    run(model, folder / "link.h5")
    assert (folder / "link.h5").is_symlink() and (folder / "there" / "run.h5").is_file()
    assert sorted(os.listdir(os.fsencode(folder))) == sorted([os.fsencode(long.name), b"\xff\xfe.h5", b"link.h5", b"there"])
    umask = os.umask(0o027)
    try:
        run(model, folder / "mode.h5")
    finally:
        os.umask(umask)
    assert (folder / "mode.h5").stat().st_mode & 0o777 == 0o640


def test_arguments(folder):
    model = families.make("llama")
    for options, kind, text in (({"tokenizer": object()}, TypeError, "convert_ids_to_tokens"), ({"layers": []}, ValueError, "layers is numbers"),
                                ({"layers": "01"}, ValueError, "layers is numbers"), ({"layers": [-1]}, ValueError, "layers is numbers"),
                                ({"layers": [True]}, ValueError, "layers is numbers"), ({"layers": True}, ValueError, "layers is numbers"),
                                ({"image": folder / "none.png"}, FileNotFoundError, "none.png"), ({"image": ROOT / "README.md"}, headlight.HeadlightError, "cannot read the picture"),
                                ({"text": 5}, ValueError, "text is a string"), ({"text": "x" * 70000}, ValueError, "at most 60000 bytes"),
                                ({"image": np.zeros((3, 4))[None, None]}, headlight.HeadlightError, "a picture is")):
        with ends_with(kind, text, folder, model):
            run(model, folder / "run.h5", **options)
    run(model, folder / "run.h5", layers=1, text="a\0b\udc9f")
    with h5py.File(folder / "run.h5") as file:
        assert file.attrs["text"] == "a<0x00>b<0x9F>" and list(file["queries"]) == ["1"]


def test_tokenizers(folder):
    """Names that no file can hold are spelled out; where there are not as many names as tokens there are none, which is said."""
    class Names:
        def __init__(self, names):
            self.names = names

        def convert_ids_to_tokens(self, ids):
            return self.names(ids)

    model, path = families.make("llama"), folder / "run.h5"
    odd = ["a\0b", "\udc9f", "\ud800", "", None, 5, b"\xffz", "e\u0301", "x" * 100000]
    run(model, path, tokenizer=Names(lambda ids: odd))
    found, = tokens(path)
    number = int(IDS[0, 4])
    assert found["tokens"][:4] == ["a<0x00>b", "<0x9F>", "\ufffd", ""] and found["tokens"][4] == f"#{number}" and found["tokens"][6] == "<0xFF>z", found
    done = subprocess.run([CLI, "info", path], capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0 and b"a<0x00>b" in done.stdout, done.stderr

    def fails(ids):
        raise KeyError("lost")

    for names, text in ((lambda ids: ["a"], "gave 1 names for 9 tokens"), (lambda ids: "abcdefghi", "gave str for 9 tokens"), (lambda ids: None, "gave NoneType"),
                        (fails, "failed with KeyError")):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            run(model, path, tokenizer=Names(names))
        assert [text in str(one.message) and "tokens have no names" in str(one.message) for one in said] == [True], said
        assert tokens(path) == [{}]


def test_a_model_that_raises(folder):
    """A call that does not end is no example, whether the exception is caught inside the block or not; others are whole."""
    for name in ("llama", "bloom", "t5"):
        model = families.make(name, "eager" if name == "bloom" else None)
        layer = {"llama": lambda: model.model.layers[1].mlp, "bloom": lambda: model.transformer.h[1].mlp, "t5": lambda: model.decoder.block[1]}[name]()
        given = {"decoder_input_ids": IDS} if name == "t5" else {}
        bad = []

        def breaks(*arguments):
            if bad:
                raise bad.pop()

        handle = layer.register_forward_pre_hook(breaks)
        for kind in (ArithmeticError, KeyboardInterrupt):
            bad.append(kind("of the model"))
            with ends_with(kind, "of the model", folder, model), headlight.capture(model, folder / "run.h5"):
                model(IDS, **given)
            before = state(model)
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                with headlight.capture(model, folder / "run.h5", dtype="float32") as capture:
                    model(IDS, **given)
                    for last in (False, True):
                        bad.append(kind("of the model"))
                        with contextlib.suppress(kind):
                            model(IDS[:, :5], **given)
                        if not last:
                            model(IDS[:, :7], **given)
            assert [("ended with an exception" in str(one.message)) for one in said] == [True, True], (name, kind, [str(one.message) for one in said])
            assert capture.examples == 2 and state(model) == before, (name, kind, capture.examples)
            shapes = [example["encoder" if name == "t5" else ""][1].shape for example in reference_reader.read(folder / "run.h5")]
            assert shapes == [(4, 9, 9), (4, 7, 7)], (name, kind, shapes)
            os.remove(folder / "run.h5")
        handle.remove()


def test_interrupts(folder):
    """Ctrl+C in generate(): between two steps, and in the middle of one."""
    for name in ("mistral", "bart", "gpt-neo"):
        model = families.make(name, "eager" if name == "gpt-neo" else None)
        plain = model.generate(IDS, max_new_tokens=6, min_new_tokens=6, do_sample=False)

        class Stop(transformers.StoppingCriteria):
            def __call__(self, ids, scores, **rest):
                signal.raise_signal(signal.SIGINT)

        with ends_with(KeyboardInterrupt, "", folder, model), headlight.capture(model, folder / "run.h5"):
            model.generate(IDS, max_new_tokens=6, stopping_criteria=transformers.StoppingCriteriaList([Stop()]))
        steps = []

        def interrupt(*arguments):
            steps.append(1)
            if len(steps) == 3:
                signal.raise_signal(signal.SIGINT)

        last = [module for module in model.modules() if type(module).__name__.endswith(("DecoderLayer", "NeoBlock"))][-1]
        handle = last.register_forward_pre_hook(interrupt)
        with ends_with(KeyboardInterrupt, "", folder, model), headlight.capture(model, folder / "run.h5"):
            model.generate(IDS, max_new_tokens=6)
        steps.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with headlight.capture(model, folder / "run.h5") as capture:
                with contextlib.suppress(KeyboardInterrupt):
                    model.generate(IDS, max_new_tokens=6)
                handle.remove()
                assert torch.equal(model.generate(IDS, max_new_tokens=6, min_new_tokens=6, do_sample=False), plain)
        assert capture.examples == 1
        example, = reference_reader.read(folder / "run.h5")
        assert set(example) - {"tokens"} == ({"encoder", "decoder", "cross"} if name == "bart" else {""}), set(example)
        os.remove(folder / "run.h5")


def test_no_room(folder):
    """A limit to the size of files stands for a full disk: where it is reached, in the spool, in the file, or when it is closed."""
    script = folder / "script.py"
    script.write_text(f"""
import os, resource, sys
sys.path[:0] = {sys.path[:2]!r}
import torch, transformers
torch.set_grad_enabled(False)
import headlight
model = transformers.GPT2Model(transformers.GPT2Config(vocab_size=60, n_embd=32, n_layer=2, n_head=4, bos_token_id=1, eos_token_id=2)).eval()
ids = torch.arange(50)[None]
limit, calls, store = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
os.mkdir("out")
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    with headlight.capture(model, "out/run.h5", dtype="float32", store=store):
        for _ in range(calls):
            model(ids)
except OSError as error:
    print(error)
print(os.listdir("out"))
""")
    seen = set()
    for number, (limit, calls, store) in enumerate(((100, 1, "qk"), (4000, 1, "qk"), (20000, 1, "qk"), (27000, 1, "qk"), (40000, 5, "qk"), (85000, 1, "weights"), (200000, 1, "qk"))):
        there = folder / str(number)
        there.mkdir()
        done = subprocess.run([sys.executable, "-W", "ignore", script, str(limit), str(calls), store], cwd=there, capture_output=True, text=True, timeout=300)
        lines = done.stdout.splitlines()
        assert done.returncode == 0 and not done.stderr, (limit, done.returncode, done.stderr)
        if limit == 200000:
            assert lines == ["['run.h5']"], lines
        else:
            assert len(lines) == 2 and lines[1] == "[]" and "File too large: the capture is not written" in lines[0], (limit, lines)
            seen.add(lines[0].rpartition("/")[2])
    assert len(seen) == 2, seen


def test_two_captures(folder):
    """Of one model inside one another, and of two; where the outer one ends first, nothing is left behind either."""
    model, other = families.make("llama"), families.make("bloom", "eager")
    before = state(model), state(other)
    with headlight.capture(model, folder / "a.h5", dtype="float32"), headlight.capture(model, folder / "b.h5", dtype="float32"):
        model(IDS)
    with headlight.capture(model, folder / "c.h5", dtype="float32"), headlight.capture(other, folder / "d.h5", dtype="float32"):
        model(IDS)
        other(IDS)
    assert (state(model), state(other)) == before
    first, second = headlight.capture(model, folder / "e.h5", dtype="float32"), headlight.capture(other, folder / "f.h5", dtype="float32")
    first.__enter__()
    second.__enter__()
    model(IDS)
    other(IDS)
    first.__exit__(None, None, None)
    model(IDS[:, :4])
    other(IDS[:, :4])
    second.__exit__(None, None, None)
    assert (state(model), state(other)) == before
    whole = reference_reader.read(folder / "a.h5")[0][""]
    for name in ("b", "c", "e"):
        found = reference_reader.read(folder / f"{name}.h5")
        assert len(found) == 1 and np.array_equal(found[0][""][1], whole[1]), name
    assert [len(reference_reader.read(folder / name)) for name in ("d.h5", "f.h5")] == [1, 2]


def in_thread(call):
    """What a call in another thread gives or raises."""
    found = []

    def work():
        torch.set_grad_enabled(False)
        try:
            found.append(call())
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found[0]


def test_threads(folder):
    model, other = families.make("llama"), families.make("gpt2")
    # generate() in a thread, as with a streamer.
    with headlight.capture(model, folder / "a.h5", dtype="float32") as capture:
        out = in_thread(lambda: model.generate(IDS, max_new_tokens=4, min_new_tokens=4, do_sample=False))
    assert capture.examples == 1 and reference_reader.read(folder / "a.h5")[0][""][1].shape == (4, 12, 12), out
    # A capture of another thread is refused while one is under way.
    with headlight.capture(model, folder / "b.h5"):
        refused = in_thread(lambda: run(other, folder / "c.h5"))
        model(IDS)
    assert isinstance(refused, headlight.CaptureError) and "another thread captures LlamaForCausalLM" in str(refused), refused
    assert sorted(os.listdir(folder)) == ["a.h5", "b.h5"] and in_thread(lambda: run(other, folder / "c.h5")).examples == 1

    # Two threads in one model at once, and a bystander that attends to something else.
    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.meanwhile = self.found = None

        def forward(self, q):
            self.found = self.meanwhile and in_thread(self.meanwhile)
            return nn.functional.scaled_dot_product_attention(q, q, q)

    block, q = Block(), torch.randn(1, 2, 5, 8)
    before = state(block)
    block.meanwhile = lambda: nn.functional.scaled_dot_product_attention(q[:, :, :2], q, q).shape
    with headlight.capture(block, folder / "d.h5", dtype="float32") as capture:
        block(q)
    assert capture.calls == 1 and block.found == (1, 2, 2, 8)

    def again():
        block.meanwhile = None
        return block(q[:, :, :3])

    block.meanwhile = again
    with headlight.capture(block, folder / "d.h5", dtype="float32") as capture:
        block(q)
    assert "two threads call Block at once" in str(block.found) and capture.calls == 1 and state(block) == before
    assert reference_reader.read(folder / "d.h5")[0][""][0].shape == (2, 5, 5)


def test_implementations(folder):
    """What from_pretrained was told of, eager attention or another; a kernel that is not installed is the model's own exception."""
    families.make("llama").save_pretrained(folder / "model")
    wanted = families.make("llama", "eager")(IDS, output_attentions=True)
    for implementation in ("eager", "sdpa", "flex_attention"):
        model = transformers.LlamaForCausalLM.from_pretrained(folder / "model", attn_implementation=implementation)
        plain = model(IDS)
        with headlight.capture(model, folder / "run.h5", dtype="float32"):
            assert torch.equal(model(IDS)[0], plain[0])
        assert model.config._attn_implementation == implementation
        assert np.abs(reference_reader.read(folder / "run.h5")[0][""][1] - wanted.attentions[1][0].numpy()).max() < 1e-5, implementation
    os.remove(folder / "run.h5")
    model = families.make("llama")
    model.config._attn_implementation_internal = "flash_attention_2"
    with ends_with(Exception, "", folder, model), headlight.capture(model, folder / "run.h5"):
        model(IDS)


def test_figures(folder):
    """Paths that look like options, and names that no file can hold."""
    os.environ["HEADLIGHT_CLI"] = os.path.abspath(CLI)
    os.environ["LC_ALL"] = "C.UTF-8"
    weights = np.full((1, 1, 2, 2), 0.5, np.float32)
    drawing = headlight.figure(weights, tokens=["a\0b", "\udc9f"], view="heatmap").svg
    assert "<svg" in drawing
    here = os.getcwd()
    os.chdir(folder)
    try:
        run(families.make("llama"), "-o.h5")
        assert "<svg" in headlight.figure("-o.h5", view="heatmap").svg
    finally:
        os.chdir(here)


def with_folder(test):
    def inside():
        with tempfile.TemporaryDirectory() as folder:
            test(pathlib.Path(folder))
    return inside


tap.run({name: with_folder(test) for name, test in list(globals().items()) if name.startswith("test_")})
