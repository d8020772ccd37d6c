#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What capture() does besides: models outside transformers, errors, and that all is as it was afterwards.

Usage: test-capture.py HEADLIGHT-CLI SOURCE-ROOT.  Prints TAP.  Needs PyTorch and transformers.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

CLI, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
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


def fails(path, text, call, *arguments, model=None, **options):
    """That a capture ends with an error that says so, and leaves nothing."""
    try:
        with headlight.capture(model, path, **options):
            call(*arguments)
    except headlight.CaptureError as error:
        assert text in str(error), error
    else:
        raise AssertionError("no error was raised")
    assert not os.listdir(os.path.dirname(path)), os.listdir(os.path.dirname(path))


def patched():
    """All that a capture replaces for a while."""
    from transformers.cache_utils import Cache
    from transformers.modeling_utils import AttentionInterface
    return (nn.functional.scaled_dot_product_attention, nn.MultiheadAttention.forward, AttentionInterface.__dict__.get("get_interface"),
            AttentionInterface.get_interface, Cache.reorder_cache, Cache.batch_select_indices, torch.backends.mha.get_fastpath_enabled())


def test_all_is_as_it_was(folder):
    before = patched()
    model = families.make("llama")
    hooks = lambda: [(len(m._forward_hooks), len(m._forward_pre_hooks), sorted(vars(m))) for m in model.modules()]
    plain = hooks()
    with headlight.capture(model, folder / "a.h5"):
        assert patched() != before
        model(IDS)
    assert patched() == before and hooks() == plain
    try:
        with headlight.capture(model, folder / "b.h5"):
            model(IDS)
            raise KeyError("of the caller")
    except KeyError:
        pass
    assert patched() == before and hooks() == plain and sorted(os.listdir(folder)) == ["a.h5"]
    with headlight.capture(model, folder / "a.h5", dtype="float32"):
        model(IDS + 1)
    with h5py.File(folder / "a.h5") as file:
        assert file["queries"].dtype == np.float32


def test_stack_of_pytorch(folder):
    torch.manual_seed(0)
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 3).eval()
    x = torch.randn(2, 9, 32)
    absent = torch.zeros(2, 9, dtype=torch.bool)
    absent[1, 6:] = True
    torch.backends.mha.set_fastpath_enabled(False)
    plain = model(x, src_key_padding_mask=absent)
    wanted = []
    y = x
    for layer in model.layers:
        wanted.append(layer.self_attn(y, y, y, key_padding_mask=absent, average_attn_weights=False)[1])
        y = layer(y, src_key_padding_mask=absent)
    torch.backends.mha.set_fastpath_enabled(True)
    with headlight.capture(model, folder / "run.h5", dtype="float32") as run:
        assert torch.equal(model(x, src_key_padding_mask=absent), plain)
    assert run.calls == 3 and run.examples == 2
    for item, example in enumerate(reference_reader.read(folder / "run.h5")):
        for number in range(3):
            assert np.abs(example[""][number] - wanted[number][item].numpy()).max() < 1e-5


def test_fast_path_of_pytorch(folder):
    """What PyTorch computes in another way without a capture is said, and only that."""
    def make(**options):
        torch.manual_seed(0)
        return nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True, **options), 2, enable_nested_tensor=False).eval()

    x = torch.randn(2, 9, 32, generator=torch.Generator().manual_seed(1))
    alone = nn.MultiheadAttention(32, 4, batch_first=True).eval()
    for model, inputs, gradients, wanted in ((make(), (x,), False, 1), (make(norm_first=True), (x,), False, 1), (make(), (x,), True, 0),
                                             (make(activation=torch.tanh), (x,), False, 1), (alone, (x, x, x), False, 1)):
        with warnings.catch_warnings(record=True) as said, torch.set_grad_enabled(gradients):
            warnings.simplefilter("always")
            with headlight.capture(model, folder / "run.h5"):
                model(*inputs)
        assert sum("fast path" in str(warning.message) for warning in said) == wanted, (model, said)
        assert torch.backends.mha.get_fastpath_enabled()


def test_a_cache_by_any_name(folder):
    """transformers 5.24 calls past_key_values cache; whoever calls it otherwise makes no file of the last step as cross attention."""
    from transformers.cache_utils import DynamicCache
    llama = families.make("llama")
    wanted = families.make("llama", "eager")(IDS, output_attentions=True).attentions

    class Renamed(transformers.PreTrainedModel):
        """As transformers might write it next time."""
        _supports_sdpa = True

        def __init__(self, name, wrap):
            super().__init__(llama.config)
            self.inner, self.name, self.wrap = llama.model, name, wrap

        def forward(self, input_ids, **given):
            return self.inner(input_ids, use_cache=True, past_key_values=self.wrap(given[self.name]))

    for name in ("past_key_values", "cache", "keys_and_values"):
        model, cache = Renamed(name, lambda cache: cache), DynamicCache(config=llama.config)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            with headlight.capture(model, folder / f"{name}.h5", dtype="float32") as run:
                for first, end in ((0, 6), (6, 7), (7, 9)):
                    model(IDS[:, first:end], **{name: cache})
        assert run.examples == 1
        example, = reference_reader.read(folder / f"{name}.h5")
        assert np.abs(example[""][1] - wanted[1][0].numpy()).max() < 1e-5
    # Hidden in something else, it is a cache that nobody knows of.
    model, cache = Renamed("state", lambda state: state["cache"]), DynamicCache(config=llama.config)
    (folder / "none").mkdir()

    def steps():
        model(IDS[:, :6], state={"cache": cache})
        model(IDS[:, 6:7], state={"cache": cache})

    fails(folder / "none" / "run.h5", "looks at 7 keys with 1 queries", steps, model=model)


def test_keys_of_a_model_without_a_configuration(folder):
    class Block(nn.Module):
        def forward(self, q, k):
            return nn.functional.scaled_dot_product_attention(q, k, k)

    q, k = torch.randn(2, 1, 2, 7, 8, generator=torch.Generator().manual_seed(0))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with headlight.capture(Block(), folder / "run.h5") as run:
            model = run._model
            model(q[:, :, :3], k)
    assert ["taken for cross attention" in str(one.message) for one in said] == [True], said


def test_never_entered(folder):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        headlight.capture(families.make("llama"), folder / "run.h5")
        import gc
        gc.collect()
    assert [one.category for one in said] == [ResourceWarning], said


def test_pictures_that_are_files(folder):
    """Pillow opens what is a path; of a picture of another shape than the model's input it is said."""
    from PIL import Image
    picture = np.random.default_rng(0).integers(0, 255, (24, 24, 3), np.uint8)
    Image.fromarray(picture).save(folder / "square.png")
    Image.fromarray(picture[:8]).save(folder / "flat.png")
    model = families.make("vit")
    for name, wanted in (("square.png", 0), ("flat.png", 1)):
        for kind in (str, pathlib.Path):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                with headlight.capture(model, folder / "run.h5", image=kind(folder / name)):
                    model(pixel_values=torch.randn(1, 3, 24, 24))
            assert ["the picture is of 24 × 8 pixels, and the model was given 24 × 24" in str(one.message) for one in said] == [True] * wanted, said
            with h5py.File(folder / "run.h5") as file:
                assert np.array_equal(file["image"][()], picture if not wanted else picture[:8])
    # What is transparent is white, as processors have it, whoever opens it.
    clear = np.dstack([picture, np.zeros((24, 24), np.uint8)])
    clear[:, 12:, 3] = 255
    Image.fromarray(clear).save(folder / "clear.png")
    for given in (folder / "clear.png", Image.fromarray(clear), Image.open(folder / "clear.png")):
        with headlight.capture(model, folder / "run.h5", image=given):
            model(pixel_values=torch.randn(1, 3, 24, 24))
        with h5py.File(folder / "run.h5") as file:
            assert (file["image"][:, :12] == 255).all() and np.array_equal(file["image"][:, 12:], picture[:, 12:])


def test_encoder_and_decoder_of_pytorch(folder):
    torch.manual_seed(0)
    model = nn.Transformer(32, 4, 2, 2, 64, batch_first=True).eval()
    x = torch.randn(1, 9, 32)
    with headlight.capture(model, folder / "run.h5", dtype="float32"):
        model(x, x[:, :5], tgt_mask=nn.Transformer.generate_square_subsequent_mask(5), tgt_is_causal=True)
    example, = reference_reader.read(folder / "run.h5")
    assert {kind: example[kind][1].shape for kind in ("encoder", "decoder", "cross")} == {
        "encoder": (4, 9, 9), "decoder": (4, 5, 5), "cross": (4, 5, 9)}
    assert np.array_equal(np.triu(example["decoder"][0], 1), np.zeros((4, 5, 5)))


def test_weights_of_multihead_attention(folder):
    torch.manual_seed(0)
    model, x = nn.MultiheadAttention(32, 4, batch_first=True).eval(), torch.randn(2, 9, 32)
    plain, wanted = model(x, x, x), model(x, x, x, average_attn_weights=False)[1]
    with headlight.capture(model, folder / "run.h5", dtype="float32"):
        found = model(x, x, x)
    assert torch.equal(plain[0], found[0]) and torch.equal(plain[1], found[1])
    assert np.array_equal(reference_reader.read(folder / "run.h5")[1][""][0], wanted[1].numpy().astype(float))


def test_a_bias_of_ones_own(folder):
    """ALiBi written by hand, as a slope times the key's position, with a causal mask, in one mask of numbers."""
    class Block(nn.Module):
        def forward(self, q, k, v):
            n = q.shape[2]
            slopes = torch.tensor([0.5, 0.25]).reshape(1, 2, 1, 1)
            mask = (slopes * torch.arange(n)).expand(1, 2, n, n).masked_fill(torch.ones(n, n).triu(1).bool(), float("-inf"))
            return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)

    q, k, v = torch.randn(3, 1, 2, 7, 8, generator=torch.Generator().manual_seed(0))
    model = Block()
    with headlight.capture(model, folder / "run.h5", dtype="float32"):
        model(q, k, v)
    with h5py.File(folder / "run.h5") as file:
        assert file["bias"].shape == (2, 13) and "mask" not in file and file.attrs["causal"] == 1
    scores = torch.matmul(q, k.transpose(2, 3)) / 8 ** 0.5 + torch.tensor([0.5, 0.25]).reshape(1, 2, 1, 1) * torch.arange(7)
    wanted = scores.masked_fill(torch.ones(7, 7).triu(1).bool(), float("-inf")).softmax(-1)
    assert np.abs(reference_reader.read(folder / "run.h5")[0][""][0] - wanted[0].numpy()).max() < 1e-6


def test_what_no_rule_says(folder):
    class Block(nn.Module):
        def forward(self, q, mask):
            return nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=mask)

    generator = torch.Generator().manual_seed(0)
    q = torch.randn(1, 2, 7, 8, generator=generator)
    model = Block()
    fails(folder / "run.h5", "does not follow from the distance", model, q, torch.randn(7, 7, generator=generator), model=model)
    heads = torch.rand(1, 2, 7, 7, generator=generator) > 0.5
    heads[..., 0] = True
    fails(folder / "run.h5", "see different keys", model, q, heads, model=model)
    added = torch.randn(7, 7, generator=generator)
    with headlight.capture(model, folder / "run.h5", dtype="float32", store="weights"):
        model(q, added)
    wanted = (torch.matmul(q, q.transpose(2, 3)) / 8 ** 0.5 + added).softmax(-1)
    assert np.abs(reference_reader.read(folder / "run.h5")[0][""][0] - wanted[0].numpy()).max() < 1e-6
    # Any mask of booleans that heads share is said bit by bit.
    seen = torch.rand(7, 7, generator=generator) > 0.5
    seen[:, 3] = True
    with headlight.capture(model, folder / "run.h5", dtype="float32"):
        model(q, seen)
    with h5py.File(folder / "run.h5") as file:
        assert file["mask"].dtype == np.uint8
    wanted = (torch.matmul(q, q.transpose(2, 3)) / 8 ** 0.5).masked_fill(~seen, float("-inf")).softmax(-1)
    assert np.abs(reference_reader.read(folder / "run.h5")[0][""][0] - wanted[0].numpy()).max() < 1e-6


def test_numbers_that_are_none(folder):
    """NaN is in the file as it is in the model, whose other numbers are compared; only what differs is refused."""
    model, eager = families.make("llama"), families.make("llama", "eager")
    model.model.layers[0].self_attn.v_proj.weight[0, 0] = float("nan")
    with headlight.capture(model, folder / "run.h5", dtype="float32", values=True):
        model(IDS)
    wanted = eager(IDS, output_attentions=True).attentions[0][0].numpy()
    assert np.abs(reference_reader.read(folder / "run.h5")[0][""][0] - wanted).max() < 1e-5
    with h5py.File(folder / "run.h5") as file:
        assert np.isnan(file["values"][0]).any() and np.isnan(file["queries"][1]).all()
    (folder / "run.h5").unlink()

    class Plain(nn.Module):
        def forward(self, q):
            return nn.functional.scaled_dot_product_attention(q, q, q)

    # A kernel of somebody's own, of a model that nothing can load in another way.
    inner = nn.functional.scaled_dot_product_attention
    nn.functional.scaled_dot_product_attention = lambda query, key, value, *rest, **named: inner(query, key, value, *rest, **named) * 2
    try:
        plain = Plain()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with headlight.capture(plain, folder / "run.h5"):
                plain(torch.randn(1, 2, 7, 8))
    except headlight.CaptureError as error:
        assert str(error).endswith("by a rule that a file can say"), error
    else:
        raise AssertionError("no error was raised")
    finally:
        nn.functional.scaled_dot_product_attention = inner


def test_refusals(folder):
    model = families.make("llama")
    path = folder / "run.h5"
    fails(path, "was not called", lambda: None, model=model)

    def caught(ids):
        try:
            model(ids)
        except IndexError:
            pass

    fails(path, "a call of LlamaForCausalLM ended with an exception, and nothing else was seen", caught, IDS + 100, model=model)
    # contextlib lets it be a decorator.
    again = headlight.capture(model, path)(lambda: model(IDS))
    again()
    try:
        again()
    except headlight.CaptureError as error:
        assert "one with statement" in str(error), error
    else:
        raise AssertionError("no error was raised")
    path.unlink()
    fails(path, "beam search", lambda: model.generate(IDS, num_beams=2, max_new_tokens=4), model=model)
    fails(path, "not called, or none of its layers", model, IDS, model=model, layers=[7])
    bert = families.make("bert").train()
    fails(path, "call model.eval()", bert, IDS, model=bert)
    big = families.make("llama")
    for parameter in big.parameters():
        parameter *= 300
    fails(path, "do not fit into float16", big, IDS, model=big)
    wide = families.make("llama", None, torch.bfloat16)
    wide.model.layers[1].self_attn.o_proj.weight.mul_(1e6)
    fails(path, "layers.1.self_attn do not fit into float16", wide, IDS, model=wide, values=True, output_projection=True)
    with headlight.capture(wide, path, values=True, output_projection=True, dtype="float32"):
        wide(IDS)
    path.unlink()
    fails(path, "attn_implementation", model, IDS, model=model, store="eager")
    for wrong in ({"dtype": "int8"}, {"store": "all"}, {"sharding": "both"}, {"compression": "zip"},
                  {"store": "weights", "values": True}, {"store": "eager", "output_projection": True}):
        try:
            headlight.capture(model, path, **wrong)
        except ValueError:
            continue
        raise AssertionError(wrong)
    for error, model_given, place in ((TypeError, "gpt2", path), (FileNotFoundError, model, folder / "none" / "run.h5")):
        try:
            headlight.capture(model_given, place)
        except error as refused:
            assert str(refused).startswith(("model is a module", "there is no folder")), refused
        else:
            raise AssertionError(error)


def test_layers_that_are_not_there(folder):
    """What was asked for and never came is said; the others are kept."""
    model = families.make("llama")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with headlight.capture(model, folder / "run.h5", layers=[1, 7]):
            model(IDS)
    sentences = [str(warning.message) for warning in said]
    assert sentences == ["layer 7 of layers= was not called with attention; the layers that were: 0 to 1"], sentences


def test_gradients(folder):
    """A model whose caller wants gradients gets them, and no warning."""
    model = families.make("llama")
    with torch.enable_grad(), warnings.catch_warnings():
        warnings.simplefilter("error")
        for parameter in model.parameters():
            parameter.requires_grad_(True)
        with headlight.capture(model, folder / "run.h5"):
            loss = model(IDS).logits.sum()
        loss.backward()
    assert next(model.parameters()).grad is not None


def test_gradients_of_a_bias(folder):
    """What is learned for distances wants gradients, too, and is written all the same."""
    for name, inputs in (("t5", {"input_ids": IDS, "decoder_input_ids": IDS}), ("mpnet", {"input_ids": IDS})):
        model = families.make(name)
        for path, gradients in (("plain.h5", False), ("run.h5", True)):
            with torch.set_grad_enabled(gradients), headlight.capture(model, folder / path, dtype="float32"):
                model(**inputs)
        for plain, found in zip(reference_reader.read(folder / "plain.h5"), reference_reader.read(folder / "run.h5")):
            assert all(np.abs(plain[kind][layer] - found[kind][layer]).max() < 1e-5 for kind in set(plain) - {"tokens"} for layer in range(2))


def test_inference_mode(folder):
    """The same as without gradients; a mask that is changed between layers is seen anew."""
    for name in ("bert", "llama", "t5"):
        model = families.make(name)
        inputs = {"input_ids": IDS.repeat(2, 1), "attention_mask": torch.ones(2, 9, dtype=torch.long)}
        inputs["attention_mask"][1, :2] = 0
        if name == "t5":
            inputs["decoder_input_ids"] = inputs["input_ids"]
        for path, mode in (("plain.h5", torch.no_grad), ("run.h5", torch.inference_mode)):
            with mode(), headlight.capture(model, folder / path, dtype="float32"):
                model(**{word: tensor.clone() for word, tensor in inputs.items()})
        for plain, found in zip(reference_reader.read(folder / "plain.h5"), reference_reader.read(folder / "run.h5")):
            assert all(np.abs(plain[kind][layer] - found[kind][layer]).max() < 1e-5 for kind in set(plain) - {"tokens"} for layer in range(2))

    class Block(nn.Module):
        def forward(self, q, mask):
            first = nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=mask)
            mask[:, 4:] = False
            return first + nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=mask)

    model = Block()
    with torch.inference_mode(), headlight.capture(model, folder / "run.h5", dtype="float32"):
        model(torch.randn(1, 2, 7, 8, generator=torch.Generator().manual_seed(0)), torch.ones(7, 7, dtype=torch.bool))
    (found,) = reference_reader.read(folder / "run.h5")
    assert (found[""][0] > 0).all() and not found[""][1][..., 4:].any()


def test_a_layer_that_computes_something_else(folder):
    """A kernel that adds what nobody is told of is found out by comparing a row."""
    from transformers.modeling_utils import AttentionInterface

    def odd(module, query, key, value, mask, scaling=None, **rest):
        out = nn.functional.scaled_dot_product_attention(query * 1.5, key.repeat_interleave(2, 1), value.repeat_interleave(2, 1), is_causal=True)
        return out.transpose(1, 2).contiguous(), None

    AttentionInterface.register("odd", odd)
    try:
        model = families.make("llama")
        model.set_attn_implementation("odd")
        fails(folder / "run.h5", "does not follow from its queries and keys", model, IDS, model=model)
    finally:
        del AttentionInterface._global_mapping["odd"]


def test_masks_of_flash_attention(folder):
    """Its kernels get padding as [batch, keys] and windows as numbers: the same here, with a kernel that runs on any processor."""
    from transformers.masking_utils import AttentionMaskInterface, flash_attention_mask
    from transformers.modeling_utils import AttentionInterface

    def kernel(module, query, key, value, mask, scaling=None, sliding_window=None, **rest):
        n, m = query.shape[2], key.shape[2]
        place, keys = torch.arange(m - n, m)[:, None], torch.arange(m)[None]
        seen = (keys <= place) & (keys > place - (sliding_window or m))
        if mask is not None:
            seen = seen & mask[:, None, None, -m:].bool()
        groups = query.shape[1] // key.shape[1]
        out = nn.functional.scaled_dot_product_attention(query, key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1), attn_mask=seen,
                                                         scale=scaling)
        return out.transpose(1, 2).contiguous(), None

    AttentionInterface.register("flash_like", kernel)
    AttentionMaskInterface.register("flash_like", flash_attention_mask)
    try:
        model = families.make("mistral")
        # By its name transformers would look for the kernel of that name.
        model.config._attn_implementation_internal = "flash_like"
        ids = torch.randint(5, 60, (2, 9), generator=torch.Generator().manual_seed(1))
        for padding in (None, slice(0, 3), slice(6, 9)):
            mask = torch.ones_like(ids)
            if padding is not None:
                mask[1, padding] = 0
            with headlight.capture(model, folder / "run.h5", dtype="float32"):
                model(ids, attention_mask=mask)
            wanted = families.make("mistral", "eager")(ids, attention_mask=mask, output_attentions=True).attentions
            for item, example in enumerate(reference_reader.read(folder / "run.h5")):
                kept = mask[item].bool()
                for number in (0, 1):
                    assert np.abs(example[""][number] - wanted[number][item][:, kept][:, :, kept].numpy()).max() < 1e-5
            with h5py.File(folder / "run.h5") as file:
                assert file["examples/1"].attrs["sliding_window"] == 6 and "mask" not in file["examples/1"]
        with headlight.capture(model, folder / "run.h5", dtype="float32"):
            out = model.generate(IDS, max_new_tokens=6, min_new_tokens=6, do_sample=False)
        wanted = families.make("mistral", "eager")(out[:, :-1], output_attentions=True).attentions
        found = reference_reader.read(folder / "run.h5")[0][""]
        assert np.abs(found[1] - wanted[1][0].numpy()).max() < 1e-5
    finally:
        del AttentionInterface._global_mapping["flash_like"], AttentionMaskInterface._global_mapping["flash_like"]


def test_compiled(folder):
    model = families.make("llama")
    plain = model(IDS)
    compiled = torch.compile(model, backend="eager")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with headlight.capture(compiled, folder / "run.h5") as run:
            found = compiled(IDS)
    assert run.calls == 2 and torch.equal(plain.logits, found.logits)
    assert any("torch.compile" in str(warning.message) for warning in said)
    # A module compiles itself, too, or one of its parts, or its forward.
    def forward(model):
        model.forward = torch.compile(model.forward, backend="eager")
    def part(model):
        model.model.layers[1].compile(backend="eager")
    for compile_it, wanted in ((lambda model: model.compile(backend="eager"), 1), (forward, 1), (part, 1), (lambda model: None, 0)):
        torch._dynamo.reset()
        model = families.make("llama")
        compile_it(model)
        for _ in range(2):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                with headlight.capture(model, folder / "run.h5") as run:
                    found = model(IDS)
            assert run.calls == 2 and torch.equal(plain.logits, found.logits)
            assert sum("torch.compile" in str(warning.message) for warning in said) == wanted
            model(IDS)


def test_halves(folder):
    for dtype in (torch.float16, torch.bfloat16):
        model = families.make("llama", dtype=dtype)
        plain = model(IDS)
        with headlight.capture(model, folder / "run.h5"):
            assert torch.equal(model(IDS).logits, plain.logits)
        # Numbers of 11 and of 8 bits: the eager model rounds what the file's reader does not.
        bound = {torch.float16: 0.01, torch.bfloat16: 0.05}[dtype]
        wanted = families.make("llama", "eager", dtype=dtype)(IDS, output_attentions=True).attentions
        found = reference_reader.read(folder / "run.h5")[0][""]
        assert max(np.abs(found[number] - wanted[number][0].float().numpy()).max() for number in (0, 1)) < bound


def test_several_calls_are_examples(folder):
    model = families.make("mistral")
    with headlight.capture(model, folder / "run.h5", tokenizer=families.Words(), dtype="float32") as run:
        for n in (9, 4, 6):
            model(IDS[:, :n])
        # By hand, with a cache: one example.
        first = model(IDS[:, :5], use_cache=True)
        model(IDS[:, 5:8], past_key_values=first.past_key_values)
    assert run.examples == 4
    examples = reference_reader.read(folder / "run.h5")
    assert [len(example["tokens"]["tokens"]) for example in examples] == [9, 4, 6, 8]
    wanted = families.make("mistral", "eager")(IDS[:, :8], output_attentions=True).attentions
    assert np.abs(examples[3][""][1] - wanted[1][0].numpy()).max() < 1e-5


def test_a_cache_that_was_there_before(folder):
    model = families.make("mistral")
    cache = model(IDS[:, :5], use_cache=True).past_key_values
    with headlight.capture(model, folder / "run.h5", dtype="float32"):
        model(IDS[:, 5:], past_key_values=cache)
    wanted = families.make("mistral", "eager")(IDS, output_attentions=True).attentions
    found = reference_reader.read(folder / "run.h5")[0][""]
    assert np.abs(found[0] - wanted[0][0, :, 5:].numpy()).max() < 1e-5


def test_some_layers(folder):
    model = families.make("gemma4")
    with headlight.capture(model, folder / "run.h5", layers=[1, 2]):
        model(IDS)
    with h5py.File(folder / "run.h5") as file:
        assert sorted(file["queries"]) == ["1", "2"] and file.attrs["layers"] == 4
        assert file.attrs["captured"].tolist() == [0, 1, 1, 0]
        # Heads are of two sizes.
        assert file["queries/1"].shape[2] != file["queries/2"].shape[2]


def test_some_layers_of_each_kind(folder):
    """How many there are is said of an encoder and of a decoder, too, and where no configuration tells."""
    torch.manual_seed(0)
    config = transformers.T5Config(**dict(families.T5, num_layers=4, num_decoder_layers=3), attn_implementation="eager")
    t5 = transformers.T5ForConditionalGeneration(config).eval()
    wanted = t5(input_ids=IDS, decoder_input_ids=IDS[:, :5], output_attentions=True)
    for store in ("qk", "weights", "eager"):
        with headlight.capture(t5, folder / "run.h5", layers=[0, 1], store=store, dtype="float32"):
            t5(input_ids=IDS, decoder_input_ids=IDS[:, :5])
        with h5py.File(folder / "run.h5") as file:
            for kind, count in (("encoder", 4), ("decoder", 3), ("cross", 3)):
                assert file.attrs[f"{kind}_captured"].tolist() == [1, 1, 0, 0][:count], (store, kind)
                assert file.attrs[f"{kind}_layers"] == len(file[f"{kind}_layer_names"]) == count
        example, = reference_reader.read(folder / "run.h5")
        assert np.abs(example["decoder"][1] - wanted.decoder_attentions[1][0].numpy()).max() < 1e-5
        done = subprocess.run([CLI, "info", folder / "run.h5"], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
        assert done.returncode == 0 and "Encoder: 2 of 4 layers were not captured" in done.stdout, done.stdout + done.stderr
    stack = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 3).eval()
    with headlight.capture(stack, folder / "run.h5", layers=[1]):
        stack(torch.randn(1, 9, 32))
    with h5py.File(folder / "run.h5") as file:
        assert file.attrs["captured"].tolist() == [0, 1, 0] and file.attrs["layers"] == 3 and sorted(file["queries"]) == ["1"]


def test_values_and_projection(folder):
    model = families.make("llama", "eager")
    with headlight.capture(model, folder / "run.h5", values=True, output_projection=True, dtype="float32"):
        kept = {}
        handle = model.model.layers[1].self_attn.register_forward_hook(lambda m, a, out: kept.update(out=out[0]))
        model(IDS)
        handle.remove()
    weights = reference_reader.read(folder / "run.h5")[0][""][1]
    with h5py.File(folder / "run.h5") as file:
        values, projection = file["values"][1].repeat(2, 0), file["output_projection"][1]
    found = np.einsum("hij,hjd,hdw->iw", weights, values, projection)
    assert np.abs(found - kept["out"][0].numpy()).max() < 1e-4


def test_modules_that_multiply_themselves(folder):
    """Values and rows of the projection of what asks no registry; and that their modules are as they were."""
    for name, module in (("mpnet", lambda m: m.encoder.layer[1].attention.attn), ("bloom", lambda m: m.transformer.h[1].self_attention.dense),
                         ("deberta-v3", lambda m: m.encoder.layer[1].attention.output.dense)):
        model, kept = families.make(name, "eager"), {}
        with headlight.capture(model, folder / f"{name}.h5", values=True, output_projection=True, dtype="float32"):
            handle = module(model).register_forward_hook(lambda m, a, out: kept.update(out=out[0] if isinstance(out, tuple) else out, own=m))
            model(IDS)
            handle.remove()
        assert not any("forward" in vars(part) for part in model.modules())
        weights = reference_reader.read(folder / f"{name}.h5")[0][""][1]
        with h5py.File(folder / f"{name}.h5") as file:
            values, projection = file["values"][1], file["output_projection"][1]
        bias = getattr(kept["own"], "o", kept["own"]).bias.numpy()
        found = np.einsum("hij,hjd,hdw->iw", weights, values, projection) + bias
        assert np.abs(found - kept["out"][0].numpy()).max() < 1e-4, name
        if name != "bloom":
            # Whose configuration drops nothing.
            fails(pathlib.Path(tempfile.mkdtemp(dir=folder)) / "run.h5", "call model.eval()", model.train(), IDS, model=model)


def test_what_no_distance_tells_is_weights(folder):
    """Of models whose bias or heads no rule tells, weights are stored."""
    talking = transformers.DebertaConfig(**families.BASE, relative_attention=True, pos_att_type=["c2p"], talking_head=True)
    xlnet = transformers.XLNetConfig(vocab_size=60, d_model=32, n_layer=2, n_head=4, d_inner=36)
    models = {"bloom": families.make("bloom", "eager", torch.bfloat16), "talking": transformers.DebertaModel(talking), "xlnet": transformers.XLNetModel(xlnet)}
    for name, model in models.items():
        wanted = model.eval()(IDS, output_attentions=True).attentions
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            with headlight.capture(model, folder / f"{name}.h5", dtype="float32"):
                model(IDS)
        assert [f"no rule tells the weights of {type(model).__name__}" in str(one.message) and one.filename == __file__ for one in said] == [True], said
        with h5py.File(folder / f"{name}.h5") as file:
            assert "queries" not in file and "keys" not in file, name
            assert np.array_equal(file["attention"][1], wanted[1][0].float().numpy()), name


def test_weights_of_windows(folder):
    """Weights by place in a window and not by key are no map: Longformer's, and those of LED's encoder. What LongT5's encoder does passes nothing."""
    short = {key: value for key, value in families.BART.items() if key != "max_position_embeddings"}
    longformer = transformers.LongformerModel(transformers.LongformerConfig(**families.BASE, attention_window=4, sep_token_id=2)).eval()
    led = transformers.LEDModel(transformers.LEDConfig(**short, attention_window=4, max_encoder_position_embeddings=64, max_decoder_position_embeddings=64)).eval()
    for text, model, given in (("gives 9 × 5 weights for 9 queries and 9 keys (layers.0)", longformer, {}), ("(encoder.0)", led, {"decoder_input_ids": IDS})):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fails(folder / "run.h5", text, lambda: model(IDS, **given), model=model)
    long_t5 = transformers.LongT5Model(transformers.LongT5Config(**families.T5, local_radius=3)).eval()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with headlight.capture(long_t5, folder / "run.h5"):
            long_t5(IDS, decoder_input_ids=IDS)
    assert ["LongT5Model computes attention in a way of its own in encoder.block" in str(one.message) for one in said] == [True], said


def test_memories_of_xlnet(folder):
    """Keys of the text before, of which hidden states are given, stand before those of the text."""
    model = transformers.XLNetModel(transformers.XLNetConfig(vocab_size=60, d_model=32, n_layer=2, n_head=4, d_inner=36, mem_len=5)).eval()
    memories = model(IDS, use_mems=True).mems
    wanted = model(IDS, mems=memories, use_mems=True, output_attentions=True).attentions
    with headlight.capture(model, folder / "run.h5", dtype="float32", store="eager"):
        model(IDS, mems=memories, use_mems=True)
    assert np.array_equal(reference_reader.read(folder / "run.h5")[0][""][1], wanted[1][0].numpy().astype(float)) and wanted[1].shape[-1] == 14


def test_pictures_beside_a_text(folder):
    """LLaVA: the vision tower's layers are the encoder's, the text's the decoder's, and tokens know their part of the picture."""
    model = make_llava()
    ids = torch.tensor([[0, 5, 6] + [59] * 9 + [7, 8]])
    picture = np.random.default_rng(0).integers(0, 255, (24, 24, 3), np.uint8)
    inputs = {"input_ids": ids, "attention_mask": (ids != 0).long(), "pixel_values": torch.randn(1, 3, 24, 24)}
    with headlight.capture(model, folder / "run.h5", tokenizer=families.Words(), image=picture):
        model(**inputs)
    with h5py.File(folder / "run.h5") as file:
        assert np.array_equal(file["image"][()], picture)
        # One token of padding is gone.
        assert file["decoder_image_tokens"][()].tolist() == [[0, 2, 3, 3, 3, 0, 0, 24, 24]]
        assert file["encoder_queries"].shape == (3, 4, 10, 8) and file["decoder_queries"].shape == (2, 4, 13, 8)
        assert file["encoder_tokens"][1] == b"patch 1,1" and file["decoder_tokens"][1] == b"w6"
        assert len(file["encoder_layer_names"]) == 3 and file["decoder_layer_names"][1].endswith(b"layers.1.self_attn")
    # Nobody gave the picture: its patches have their places still.
    with headlight.capture(model, folder / "unseen.h5", tokenizer=families.Words()):
        model(**inputs)
    with h5py.File(folder / "unseen.h5") as file:
        assert "image" not in file and file["decoder_image_tokens"][()].tolist() == [[0, 2, 3, 3, 3, 0, 0, 3, 3]]
    # generate() lets the tower see before the first pass.
    with headlight.capture(model, folder / "generated.h5", tokenizer=families.Words(), image=picture):
        model.generate(**inputs, max_new_tokens=3, min_new_tokens=3, do_sample=False)
    with h5py.File(folder / "run.h5") as whole, h5py.File(folder / "generated.h5") as file:
        assert np.array_equal(file["image"][()], picture)
        assert file["decoder_image_tokens"][()].tolist() == whole["decoder_image_tokens"][()].tolist()
        assert np.array_equal(file["encoder_queries"][()], whole["encoder_queries"][()])
        # The last that is written is not read any more.
        assert file["decoder_queries"].shape == (2, 4, 15, 8)


def make_siglip(second=False):
    """Towers that see and read, with a head that gathers all patches by a query that is learned."""
    torch.manual_seed(0)
    name = "Siglip2" if second else "Siglip"
    sizes = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=36)
    seeing = getattr(transformers, f"{name}VisionConfig")(**sizes, patch_size=8, **({"num_patches": 9} if second else {"image_size": 24}))
    reading = getattr(transformers, f"{name}TextConfig")(**sizes, vocab_size=60, max_position_embeddings=16, projection_size=32)
    model = getattr(transformers, f"{name}Model")(getattr(transformers, f"{name}Config")(vision_config=seeing.to_dict(), text_config=reading.to_dict())).eval()
    generator = torch.Generator().manual_seed(7)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter.normal_(0, 0.35, generator=generator)
    return model, next(module for module in model.modules() if type(module).__name__ == f"{name}VisionModel")


def weights_of_head(model, call):
    """What the head that gathers computes itself."""
    head = next(module for module in model.modules() if hasattr(module, "probe")).attention
    found = []
    handle = head.register_forward_hook(lambda module, args, kwargs, out: found.append(
        nn.MultiheadAttention.forward(module, *args, **{**kwargs, "average_attn_weights": False})[1]), with_kwargs=True)
    call()
    handle.remove()
    return found[0].numpy()


def test_a_head_that_gathers(folder):
    """SigLIP's is cross attention of a probe, which is learned, to all patches."""
    for second in (False, True):
        _, model = make_siglip(second)
        inputs = {"pixel_values": torch.randn(2, 3, 24, 24)}
        if second:
            # The second image has six patches, and three of padding.
            inputs = {"pixel_values": torch.randn(2, 9, 192), "spatial_shapes": torch.tensor([[3, 3], [2, 3]]),
                      "pixel_attention_mask": torch.tensor([[1] * 9, [1] * 6 + [0] * 3])}
        wanted = weights_of_head(model, lambda: model(**inputs))
        plain = model(**inputs)
        for store in ("qk", "weights"):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                with headlight.capture(model, folder / "run.h5", dtype="float32", store=store, values=store == "qk", output_projection=store == "qk"):
                    captured = model(**inputs)
            assert torch.equal(plain.pooler_output, captured.pooler_output) and torch.equal(plain[0], captured[0])
            model.set_attn_implementation("eager")
            outputs = model(**inputs, output_attentions=True).attentions
            model.set_attn_implementation("sdpa")
            for item, example in enumerate(reference_reader.read(folder / "run.h5")):
                n = 6 if second and item else 9
                assert set(example) == {"tokens", "encoder", "cross"} and len(example["encoder"]) == 2, set(example)
                assert example["cross"][0].shape == (4, 1, n), example["cross"][0].shape
                assert np.abs(example["cross"][0] - wanted[item][:, :, :n]).max() < 1e-5
                for number, weights in example["encoder"].items():
                    assert np.abs(weights - outputs[number][item].numpy()[:, :n, :n]).max() < 1e-5
                names = example["tokens"]
                assert names["decoder_tokens"] == ["probe"] and names["encoder_tokens"][-1] == ("patch 2,3" if n == 6 else "patch 3,3"), names
            done = subprocess.run([CLI, "info", folder / "run.h5"], capture_output=True, text=True)
            assert done.returncode == 0 and "probe" in done.stdout, done.stdout + done.stderr
        # It is none of the layers.
        with headlight.capture(model, folder / "some.h5", layers=[1]):
            model(**inputs)
        with h5py.File(folder / "some.h5") as file:
            first = file if "queries" in file else file["examples/0"]
            assert list(first["queries"]) == ["1"]


def test_a_head_that_gathers_beside_a_text(folder):
    """There is no place for its query beside those of a text, and this is said."""
    for second in (False, True):
        model, _ = make_siglip(second)
        inputs = {"input_ids": IDS, "pixel_values": torch.randn(1, 3, 24, 24)}
        if second:
            inputs.update(pixel_values=torch.randn(1, 9, 192), spatial_shapes=torch.tensor([[3, 3]]), pixel_attention_mask=torch.ones(1, 9))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            with headlight.capture(model, folder / "run.h5", tokenizer=families.Words()):
                model(**inputs)
        assert [str(one.message).split(":")[0] for one in said] == [
            "vision_model.head.attention looks at the picture from a query of its own, for which there is no place beside those of a text"], said
        example, = reference_reader.read(folder / "run.h5")
        assert set(example) == {"tokens", "encoder", "decoder"} and example["tokens"]["encoder_tokens"][0] == "patch 1,1"


def make_llava():
    torch.manual_seed(0)
    text = transformers.LlamaConfig(vocab_size=60, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                                    intermediate_size=36, max_position_embeddings=64, pad_token_id=0)
    seeing = transformers.CLIPVisionConfig(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=36, image_size=24, patch_size=8)
    return transformers.LlavaForConditionalGeneration(transformers.LlavaConfig(vision_config=seeing, text_config=text, image_token_id=59)).eval()


def test_several_pictures_beside_a_text(folder):
    """A text is one example, whatever pictures it has: with the first the tower's, the others are examples of the tower."""
    model = make_llava()
    pictures = [np.full((24, 24, 3), 50 * number, np.uint8) for number in range(4)]
    apart, adjacent = [1, 5, *[59] * 9, 7, *[59] * 9, 8], [1, *[59] * 18, 5, 7, 8]
    grids = [[[2, 12], [1, 10]][number] for number in range(2)]
    pixels = torch.randn(4, 3, 24, 24)
    for generates in (False, True):
        for ids, image, given in (([apart], pictures[:2], 2), ([apart, adjacent], [pictures[:2], pictures[2:]], 4), ([apart, adjacent], pictures, 4)):
            inputs = {"input_ids": torch.tensor(ids), "pixel_values": pixels[:given]}
            with headlight.capture(model, folder / "run.h5", tokenizer=families.Words(), image=image):
                if generates:
                    model.generate(**inputs, max_new_tokens=2, min_new_tokens=2, do_sample=False)
                else:
                    model(**inputs)
            with h5py.File(folder / "run.h5") as file:
                examples = file["examples"]
                assert list(examples) == [name for number in range(len(ids)) for name in (f"{number}", f"{number}, image 2")], list(examples)
                for number, firsts in zip(range(len(ids)), grids):
                    whole, other = examples[f"{number}"], examples[f"{number}, image 2"]
                    assert whole["decoder_queries"].shape[2] == len(apart) + generates and "decoder_queries" not in other
                    assert [row[:5] for row in whole["decoder_image_tokens"][()].tolist()] == [[0, firsts[0], 3, 3, 3], [1, firsts[1], 3, 3, 3]]
                    assert whole["encoder_image_tokens"][()].tolist() == [[0, 1, 3, 3, 3, 0, 0, 24, 24]]
                    assert [int(whole[f"images/{place}"][0, 0, 0]) for place in range(2)] == [100 * number, 100 * number + 50]
                    assert int(other["image"][0, 0, 0]) == 100 * number + 50
                    assert not np.array_equal(whole["encoder_queries"][()], other["encoder_queries"][()])
            for view in ("picture", "heatmap"):
                done = subprocess.run([CLI, "render", folder / "run.h5", "--view", view, "-o", folder / "figure.svg"], capture_output=True, text=True)
                assert done.returncode == 0 and not done.stderr, done.stderr


def test_ten_pictures_stand_in_order(folder):
    """Examples are listed by their names: the tenth picture comes behind the ninth."""
    model = make_llava()
    with headlight.capture(model, folder / "run.h5", image=[np.full((24, 24, 3), number, np.uint8) for number in range(10)]):
        model(input_ids=torch.tensor([[1, *[59] * 90, 8]]), pixel_values=torch.randn(10, 3, 24, 24))
    with h5py.File(folder / "run.h5") as file:
        assert list(file["examples"]) == ["0", *(f"0, image {number:02}" for number in range(2, 11))], list(file["examples"])
        assert [int(file[f"examples/0, image {number:02}/image"][0, 0, 0]) for number in range(2, 11)] == list(range(1, 10))


def test_pictures_and_texts_that_are_not_as_many(folder):
    """CLIP compares each with each: the first belongs to the first, and what is over stands alone."""
    torch.manual_seed(0)
    sizes = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=36)
    model = transformers.CLIPModel(transformers.CLIPConfig(
        vision_config=dict(**sizes, patch_size=8, image_size=24),
        text_config=dict(**sizes, vocab_size=60, max_position_embeddings=16, bos_token_id=1, eos_token_id=2, pad_token_id=0))).eval()
    pictures = [np.full((24, 24, 3), 50 * number, np.uint8) for number in range(3)]
    for seen, read in ((1, 3), (2, 3), (3, 2), (3, 1), (2, 2)):
        ids = torch.randint(5, 60, (read, 5), generator=torch.Generator().manual_seed(seen))
        with headlight.capture(model, folder / "run.h5", tokenizer=families.Words(), image=pictures[0] if seen == 1 else pictures[:seen]):
            model(input_ids=ids, attention_mask=torch.ones_like(ids), pixel_values=torch.randn(seen, 3, 24, 24))
        examples = reference_reader.read(folder / "run.h5")
        assert len(examples) == max(seen, read)
        with h5py.File(folder / "run.h5") as file:
            for number, example in enumerate(examples):
                has = {kind for kind, there in (("encoder", seen == 1 or number < seen), ("decoder", read == 1 or number < read)) if there}
                assert set(example) - {"tokens"} == has, (seen, read, number, set(example))
                if "decoder" in has:
                    assert example["tokens"]["decoder_tokens"] == [f"w{i}" for i in ids[0 if read == 1 else number]]
                assert ("image" in file[f"examples/{number}"]) == ("encoder" in has)


def test_a_text_written_by_what_sees(folder):
    """An encoder that is a model of its own says how large its patches are, as TrOCR's."""
    torch.manual_seed(0)
    decoder = transformers.GPT2Config(vocab_size=60, n_embd=32, n_layer=2, n_head=4, n_positions=64, add_cross_attention=True, is_decoder=True)
    config = transformers.VisionEncoderDecoderConfig.from_encoder_decoder_configs(transformers.ViTConfig(**families.VIT), decoder)
    model = transformers.VisionEncoderDecoderModel(config=config).eval()
    with headlight.capture(model, folder / "run.h5", tokenizer=families.Words(), image=np.zeros((24, 24, 3), np.uint8)):
        model(pixel_values=torch.randn(1, 3, 24, 24), decoder_input_ids=IDS[:, :5])
    names = reference_reader.read(folder / "run.h5")[0]["tokens"]
    assert names["encoder_tokens"] == ["CLS", *(f"patch {row},{column}" for row in (1, 2, 3) for column in (1, 2, 3))], names
    done = subprocess.run([CLI, "render", folder / "run.h5", "--block", "cross", "--view", "picture", "-o", folder / "figure.svg"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_tower_that_sees_in_parts(folder):
    """Qwen's calls its attention for each picture: it is left out, and the text knows where both are."""
    torch.manual_seed(0)
    text = dict(families.GQA, rope_parameters={"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 10000.0})
    seeing = dict(depth=2, embed_dim=32, hidden_size=32, num_heads=4, patch_size=4, spatial_merge_size=2, temporal_patch_size=2, mlp_ratio=2)
    model = transformers.Qwen2VLForConditionalGeneration(transformers.Qwen2VLConfig(
        text_config=text, vision_config=seeing, image_token_id=59, vision_start_token_id=57, vision_end_token_id=58)).eval()
    ids = torch.tensor([[1, 57, *[59] * 6, 58, 5, 57, *[59] * 4, 58, 6]])
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids), "pixel_values": torch.randn(40, 96), "image_grid_thw": torch.tensor([[1, 4, 6], [1, 4, 4]]),
              "mm_token_type_ids": (ids == 59).int()}
    for generates in (False, True):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            with headlight.capture(model, folder / "run.h5", image=[np.zeros((16, 24, 3), np.uint8), np.zeros((16, 16, 3), np.uint8)]):
                model.generate(**inputs, max_new_tokens=2, min_new_tokens=2, do_sample=False) if generates else model(**inputs)
        assert sum("one by one" in str(one.message) for one in said) == 1, [str(one.message) for one in said]
        with h5py.File(folder / "run.h5") as file:
            assert file["queries"].shape == (2, 4, 17 + generates, 8), file["queries"].shape
            assert file["image_tokens"][()].tolist() == [[0, 2, 2, 3, 3, 0, 0, 24, 16], [1, 11, 2, 2, 2, 0, 0, 16, 16]]


def test_types(folder):
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder), "headlight"], cwd=ROOT / "src/python",
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_installs(folder):
    """pip builds the package, with its licence and its types."""
    import shutil
    shutil.copytree(ROOT / "src/python", folder / "source", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    done = subprocess.run(["/usr/bin/python3", "-m", "pip", "--python", sys.executable, "install", "--quiet", "--no-deps", "--no-build-isolation",
                           "--target", str(folder / "there"), str(folder / "source")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "there/headlight/py.typed").exists()
    assert list((folder / "there").glob("headlight-*.dist-info/**/LICENSE"))


def with_folder(test):
    def run():
        with tempfile.TemporaryDirectory() as folder:
            test(pathlib.Path(folder))
    return run


tap.run({name: with_folder(test) for name, test in list(globals().items()) if name.startswith("test_")})
