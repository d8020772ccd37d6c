#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What capture() could take for something else: one text for another, one layer for another, a part for the whole.

Usage: test-apart.py HEADLIGHT-CLI SOURCE-ROOT.  Prints TAP.  Needs PyTorch and transformers.
"""
import copy
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
from torch.nn.functional import scaled_dot_product_attention as by_name, softmax as softmax_by_name

import families
import headlight
import reference_reader
import tap

transformers.utils.logging.set_verbosity_error()
torch.set_num_threads(1)
torch.set_grad_enabled(False)
SIZES = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=36)
STEPS = dict(max_new_tokens=3, min_new_tokens=3, do_sample=False, pad_token_id=0)


def ids(batch, n, seed=1):
    return torch.randint(5, 59, (batch, n), generator=torch.Generator().manual_seed(seed))


def fails(path, text, call, model, **options):
    """That a capture ends with an error that says so, and leaves nothing."""
    try:
        with warnings.catch_warnings(), headlight.capture(model, path, **options):
            warnings.simplefilter("ignore")
            call()
    except headlight.CaptureError as error:
        assert text in str(error) and "\n" not in str(error), error
    else:
        raise AssertionError("no error was raised")
    assert not path.exists()


def captured(path, model, call, **options):
    """The examples of a capture, and the sentences of its warnings."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with headlight.capture(model, path, dtype="float32", tokenizer=families.Words(), **options):
            call()
    return reference_reader.read(path), [str(one.message) for one in said if "deprecated" not in str(one.message)]


def words(numbers):
    return [f"w{number}" for number in numbers.tolist()]


def test_texts_in_turn(folder):
    """A step goes on with the text whose cache it has, whatever was read meanwhile, and however long that is."""
    model, eager = families.make("llama"), families.make("llama", "eager")
    first, second, step = ids(1, 6), ids(1, 6, 2), ids(1, 1, 3)

    def call():
        cache = model(first).past_key_values
        model(second)
        model(step, past_key_values=cache)

    examples, _ = captured(folder / "run.h5", model, call)
    assert [example[""][0].shape for example in examples] == [(4, 6, 6), (4, 6, 6), (4, 1, 7)]
    assert examples[1]["tokens"]["tokens"] == words(second[0])
    wanted = eager(torch.cat([first, step], 1), output_attentions=True).attentions
    assert all(np.abs(examples[2][""][number][:, 0] - wanted[number][0, :, -1].numpy()).max() < 1e-5 for number in range(2))


def test_a_cache_that_is_wrapped(folder):
    """A model with cross attention makes another cache of the one that it is given: still one text."""
    config = transformers.GPT2Config(vocab_size=60, n_embd=32, n_layer=2, n_head=4, n_positions=64, add_cross_attention=True, bos_token_id=1, eos_token_id=2)
    torch.manual_seed(0)
    model, state, prompt, out = transformers.GPT2LMHeadModel(config).eval(), torch.randn(1, 5, 32), ids(1, 7), []
    examples, _ = captured(folder / "run.h5", model, lambda: out.append(model.generate(prompt, encoder_hidden_states=state, **STEPS)))
    assert [{kind: example[kind][1].shape for kind in ("decoder", "cross")} for example in examples] == [{"decoder": (4, 9, 9), "cross": (4, 9, 5)}]
    assert examples[0]["tokens"]["decoder_tokens"] == words(out[0][0, :-1])
    model.set_attn_implementation("eager")
    wanted = model(out[0][:, :-1], encoder_hidden_states=state, output_attentions=True)
    assert np.abs(examples[0]["decoder"][1] - wanted.attentions[1][0].numpy()).max() < 1e-5
    assert np.abs(examples[0]["cross"][1] - wanted.cross_attentions[1][0].numpy()).max() < 1e-5


def test_guidance(folder):
    """generate() that reads a second text between the steps of the first is refused, with a cache and without one."""
    model, prompt = families.make("llama"), ids(1, 6)
    for negative in (ids(1, 6, 2), ids(1, 4, 2), None):
        for cache in (True, False):
            fails(folder / "run.h5", "another text between the steps of one", lambda: model.generate(
                prompt, attention_mask=torch.ones_like(prompt), negative_prompt_ids=negative, guidance_scale=1.5, use_cache=cache, **STEPS), model)


def test_beams_without_a_cache(folder):
    """Each step reads all of the text once more, the last one what the beams have come to."""
    model, out = families.make("llama"), []
    examples, _ = captured(folder / "run.h5", model, lambda: out.append(model.generate(
        ids(1, 6), num_beams=2, num_return_sequences=2, use_cache=False, **STEPS)))
    assert len(examples) == 2 and all(example["tokens"]["tokens"][:6] == words(ids(1, 6)[0]) for example in examples)


def test_beams_of_another_model(folder):
    model, other = families.make("llama"), families.make("gpt2")

    def call():
        model(ids(1, 7))
        other.generate(ids(1, 5), num_beams=2, **STEPS)

    examples, _ = captured(folder / "run.h5", model, call)
    assert [example[""][0].shape for example in examples] == [(4, 7, 7)]


def test_masks_of_the_next_text(folder):
    """generate() tells of padding before the text ahead of it is written."""
    model = families.make("llama")
    first, second = ids(2, 6), ids(2, 14, 2)
    masks = torch.ones_like(first), torch.ones_like(second)
    masks[0][1, :3] = 0
    masks[1][0, :5] = 0

    def call():
        for given, mask in zip((first, second), masks):
            model.generate(given, attention_mask=mask, **STEPS)

    examples, _ = captured(folder / "run.h5", model, call)
    assert [example[""][0].shape[1] for example in examples] == [8, 5, 11, 16]
    masks[1][:] = 1
    masks[1][0, 5:] = 0

    def plain_first():
        model(first)
        model.generate(second, attention_mask=masks[1], **STEPS)

    examples, _ = captured(folder / "run.h5", model, plain_first)
    assert [example["tokens"]["tokens"] for example in examples[:2]] == [words(row) for row in first]


def test_two_texts_of_a_call(folder):
    """A model that reads two texts by the same layers, to compare them: each is an example."""
    class Pair(nn.Module):
        def __init__(self, reader, other=None):
            super().__init__()
            self.reader, self.other = reader, other

        def forward(self, first, second):
            found = [self.reader(first)[0]]
            if self.other is not None:
                found.append(self.other(first)[0])
            return found, self.reader(second)[0]

    first, second = ids(1, 7), ids(1, 5, 2)
    model = Pair(families.make("bert")).eval()
    examples, _ = captured(folder / "run.h5", model, lambda: model(first, second))
    eager = families.make("bert", "eager")
    assert [example["tokens"]["tokens"] for example in examples] == [words(first[0]), words(second[0])]
    for example, given in zip(examples, (first, second)):
        assert sorted(example[""]) == [0, 1]
        assert np.abs(example[""][1] - eager(given, output_attentions=True).attentions[1][0].numpy()).max() < 1e-5
    pair = Pair(families.make("bert"), families.make("roberta")).eval()
    fails(folder / "none.h5", "reader is called several times in a call of Pair", lambda: pair(first, second), pair)


def test_axes_of_queries(folder):
    """Of one head of one text, and of more axes than there are names for."""
    class Block(nn.Module):
        def forward(self, q):
            return nn.functional.scaled_dot_product_attention(q, q, q)

    block, q = Block(), torch.randn(7, 8, generator=torch.Generator().manual_seed(0))
    examples, _ = captured(folder / "run.h5", block, lambda: block(q))
    assert np.abs(examples[0][""][0] - (q @ q.T / 8 ** 0.5).softmax(-1)[None].numpy()).max() < 1e-5
    fails(folder / "none.h5", "attention of 5 axes", lambda: block(q[None, None, None]), block)


def test_weights_that_are_asked_for_twice(folder):
    """DiffLlama has its weights made once for each half of its values."""
    model = transformers.DiffLlamaForCausalLM(transformers.DiffLlamaConfig(**families.GQA)).eval()
    examples, _ = captured(folder / "run.h5", model, lambda: model(ids(1, 7)))
    model.set_attn_implementation("eager")
    wanted = model(ids(1, 7), output_attentions=True).attentions
    assert sorted(examples[0][""]) == [0, 1]
    assert all(np.abs(examples[0][""][number] - wanted[number][0].numpy()).max() < 1e-5 for number in range(2))
    fails(folder / "none.h5", "to values of two kinds", lambda: model(ids(1, 7)), model, values=True)


def test_groups_of_layers_that_share_weights(folder):
    """ALBERT's second group of layers follows those of the first."""
    config = transformers.AlbertConfig(**dict(families.BASE, embedding_size=16, num_hidden_layers=4, num_hidden_groups=2), attn_implementation="eager")
    torch.manual_seed(0)
    model = transformers.AlbertModel(config).eval()
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter.normal_(0, 0.35)
    wanted = model(ids(1, 7), output_attentions=True).attentions
    for layers in (None, [2], [1, 3]):
        for store in ("qk", "eager"):
            examples, _ = captured(folder / "run.h5", model, lambda: model(ids(1, 7)), layers=layers, store=store)
            assert sorted(examples[0][""]) == (layers or [0, 1, 2, 3])
            assert all(np.abs(weights - wanted[number][0].numpy()).max() < 1e-5 for number, weights in examples[0][""].items()), (layers, store)


def test_hybrids_that_give_their_weights(folder):
    """Weights of layers of which some have no attention keep their numbers."""
    zamba = transformers.ZambaForCausalLM(transformers.ZambaConfig(
        vocab_size=60, hidden_size=32, num_hidden_layers=8, num_attention_heads=4, num_key_value_heads=4, intermediate_size=36, attn_layer_period=3,
        attn_layer_offset=1, mamba_d_state=4, mamba_expand=2, n_mamba_heads=2, use_mamba_kernels=False, attn_implementation="eager")).eval()
    for model, numbers in ((families.make("qwen3-next", "eager"), [3]), (zamba, [2, 4, 7])):
        wanted = [one for one in model(ids(1, 7), output_attentions=True).attentions if one is not None]
        examples, _ = captured(folder / "run.h5", model, lambda: model(ids(1, 7)), store="eager")
        assert sorted(examples[0][""]) == numbers
        assert all(np.abs(examples[0][""][number] - given[0].numpy()).max() < 1e-5 for number, given in zip(numbers, wanted))


def test_weights_of_a_model_in_training(folder):
    """Weights of which some were dropped are none, also those that a model gives in its outputs."""
    for name in ("bert", "xlnet", "llama"):
        model = families.make(name, "eager")
        for module in model.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.3
            if hasattr(module, "attention_dropout"):
                module.attention_dropout = 0.3
        for store in ("eager", "weights", "qk"):
            fails(folder / "run.h5", "call model.eval()", lambda: model(ids(1, 7)), model.train(), store=store)
    # Without dropout training changes nothing.
    model = families.make("llama", "eager").train()
    examples, _ = captured(folder / "run.h5", model, lambda: model(ids(1, 7)), store="eager")
    assert len(examples) == 1


def test_layers_that_are_computed_again(folder):
    """Gradient checkpointing calls layers once more for their gradients: that is no text."""
    for name, reentrant in (("llama", False), ("llama", True), ("bloom", False)):
        model = families.make(name, "eager" if name == "bloom" else None).train()
        model.gradient_checkpointing_enable({"use_reentrant": reentrant})

        def call():
            with torch.enable_grad():
                model(ids(1, 7), labels=ids(1, 7)).loss.backward()

        examples, _ = captured(folder / "run.h5", model, call)
        assert [sorted(example[""]) for example in examples] == [[0, 1]], (name, reentrant)
        assert next(model.parameters()).grad is not None


def adds(path, model, projection, call):
    """What heads add by a file, and what the output projection of the first layer gives in truth, without its bias."""
    kept = {}
    handle = projection.register_forward_hook(lambda module, args, out: kept.update(out=out[0]))
    captured(path, model, call, values=True, output_projection=True)
    handle.remove()
    weights = reference_reader.read(path)[0][""][0]
    with h5py.File(path) as file:
        values, rows = (np.asarray(file[name][0], float) for name in ("values", "output_projection"))
    return np.einsum("hij,hjd,hdw->iw", weights, values.repeat(len(weights) // len(values), 0), rows), kept["out"].numpy()


class Adapter(nn.Module):
    """Like those of peft: it has the weight of what it adapts, and adds a product of its own."""

    def __init__(self, base):
        super().__init__()
        self.base, self.down, self.up = base, nn.Linear(32, 4, bias=False), nn.Linear(4, 32, bias=False)

    @property
    def weight(self):
        return self.base.weight

    def forward(self, x):
        return self.base(x) + 2 * self.up(self.down(x))


class Scaled(nn.Module):
    """Packed numbers with a scale."""

    def __init__(self, base):
        super().__init__()
        self.scale = base.weight.abs().max() / 127
        self.weight = nn.Parameter((base.weight / self.scale).round().to(torch.int8), requires_grad=False)

    def forward(self, x):
        return nn.functional.linear(x, self.weight.to(x.dtype) * self.scale)


def test_rows_of_output_projections(folder):
    """They are what the module multiplies by, with an adapter and with numbers that have a scale, too."""
    torch.manual_seed(0)
    for kind in (None, Adapter, Scaled):
        model = families.make("llama")
        if kind is not None:
            for layer in model.model.layers:
                layer.self_attn.o_proj = kind(layer.self_attn.o_proj)
        found, wanted = adds(folder / "run.h5", model, model.model.layers[0].self_attn.o_proj, lambda: model(ids(1, 7)))
        assert np.abs(found - wanted).max() < 1e-4 * np.abs(wanted).max(), kind
    model = families.make("modernbert")
    found, wanted = adds(folder / "run.h5", model, model.layers[0].attn.Wo, lambda: model(ids(1, 7)))
    assert np.abs(found - wanted).max() < 1e-4 * np.abs(wanted).max()


def test_what_stands_before_output_projections(folder):
    """Behind a gate or a norm the rows of a projection do not say what heads add."""
    bitnet = transformers.BitNetForCausalLM(transformers.BitNetConfig(**families.GQA)).eval()
    for model in (families.make("qwen3-next"), bitnet):
        fails(folder / "run.h5", "as where a gate or a norm stands between", lambda: model(ids(1, 7)), model, output_projection=True)
        hooks = [module for module in model.modules() if module._forward_hooks or module._forward_pre_hooks]
        assert not hooks, hooks


def test_what_does_not_pass_by(folder):
    """Attention of a model's own beside attention of the registry is missing, and that is said; alone it is an error."""
    seeing, reading = dict(SIZES, image_size=24, patch_size=8), dict(families.BASE, bos_token_id=1, eos_token_id=2)
    git = transformers.GitForCausalLM(transformers.GitConfig(vision_config=seeing, **reading, attn_implementation="eager")).eval()
    clap = transformers.ClapModel(transformers.ClapConfig(
        text_config=dict(SIZES, vocab_size=60, max_position_embeddings=64, projection_dim=16),
        audio_config=dict(spec_size=32, num_mel_bins=8, patch_size=4, patch_stride=4, window_size=4, depths=[1, 1], num_attention_heads=[2, 2], hidden_size=32,
                          patch_embeds_hidden_size=16, projection_dim=16, enable_fusion=False), attn_implementation="eager")).eval()
    both = transformers.VisionTextDualEncoderModel(transformers.VisionTextDualEncoderConfig.from_vision_text_configs(
        transformers.ViTConfig(**families.VIT), families.FAMILIES["mpnet"][1](), projection_dim=16)).eval()
    both.set_attn_implementation("eager")
    series = transformers.InformerModel(transformers.InformerConfig(
        prediction_length=4, context_length=8, lags_sequence=[1, 2], num_time_features=1, d_model=32, encoder_layers=2, decoder_layers=2,
        encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=24, decoder_ffn_dim=24, attention_type="prob", distil=False)).eval()
    picture = {"pixel_values": torch.randn(1, 3, 24, 24), "input_ids": ids(1, 7)}
    sound = {"input_ids": ids(1, 7), "input_features": torch.randn(1, 1, 32, 8)}
    times = {"past_values": torch.randn(1, 10), "past_time_features": torch.randn(1, 10, 1), "past_observed_mask": torch.ones(1, 10),
             "future_values": torch.randn(1, 4), "future_time_features": torch.randn(1, 4, 1)}
    for model, given, where in ((git, picture, "git.encoder.layer"), (clap, sound, "audio_model.audio_encoder.layers"),
                                (both, picture, "text_model.encoder.layer"), (series, times, "decoder.layers and encoder.layers")):
        for _ in range(2):
            _, said = captured(folder / "run.h5", model, lambda: (model(**given), model(**given)))
            assert said == [f"{type(model).__name__} computes attention in a way of its own in {where}: it is left out"], said
    text = both.text_model
    text.config._attn_implementation_internal = "sdpa"
    fails(folder / "none.h5", "nothing was captured", lambda: text(ids(1, 7)), text)
    # What passes by is complete: nothing is said.
    for name in ("llama", "bert", "vit", "t5", "gpt-oss"):
        model = families.make(name, "eager")
        given = {"pixel_values": torch.randn(1, 3, 24, 24)} if name == "vit" else {"input_ids": ids(1, 7)}
        _, said = captured(folder / "run.h5", model, lambda: model(**given, **({"decoder_input_ids": ids(1, 5)} if name == "t5" else {})))
        assert not said, said


def test_what_a_model_of_ones_own_imports(folder):
    """A function that is imported by name passes by; a softmax of as many queries and keys is attention, whatever its module is called."""
    class Mixer(nn.Module):
        def __init__(self, how):
            super().__init__()
            self.how, self.project = how, nn.Linear(32, 96)

        def forward(self, x):
            q, k, v = self.project(x).reshape(*x.shape[:2], 3, 4, 8).permute(2, 0, 3, 1, 4)
            found = self.how(q, k, v)
            return x + found.transpose(1, 2).flatten(2)

    class Model(nn.Module):
        def __init__(self, hows):
            super().__init__()
            torch.manual_seed(0)
            self.layers, self.gate = nn.ModuleList(map(Mixer, hows)), nn.Linear(32, 3)

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            # Shares of experts are none.
            return x, self.gate(x).softmax(-1)

    def scores(q, k):
        return q @ k.transpose(2, 3) / 8 ** 0.5

    plain, x = nn.functional.scaled_dot_product_attention, torch.randn(2, 5, 32)
    through = lambda q, k, v: nn.functional.scaled_dot_product_attention(q, k, v)
    named = lambda q, k, v: by_name(q, k, v)
    for how, layers, sentences in ((through, [0, 1, 2], 0), (named, [0, 1, 2], 0), (lambda q, k, v: scores(q, k).softmax(-1) @ v, [0, 2], 1),
                                   (lambda q, k, v: softmax_by_name(scores(q, k), -1) @ v, [0, 2], 1)):
        model = Model((through, how, through)).eval()
        wanted = model(x)[0]
        found = []
        examples, said = captured(folder / "run.h5", model, lambda: found.append(model(x)[0]))
        assert torch.equal(found[0], wanted) and sorted(examples[0][""]) == layers, examples[0][""].keys()
        assert said == ["Model computes attention in a way of its own in layers: it is left out"] * sentences, said
        assert by_name is plain and nn.functional.scaled_dot_product_attention is plain
    model = Model((named,)).eval()
    examples, said = captured(folder / "run.h5", model, lambda: model(x))
    assert len(examples) == 2 and not said, said


def test_weights_that_are_not_given(folder):
    """Of some of its modules a model gives no weights, and that is said."""
    blip = transformers.BlipForConditionalGeneration(transformers.BlipConfig(
        vision_config=dict(SIZES, image_size=24, patch_size=8),
        text_config=dict(SIZES, vocab_size=60, max_position_embeddings=64, encoder_hidden_size=32, bos_token_id=1, eos_token_id=2, sep_token_id=2,
                         pad_token_id=0))).eval()
    blip.set_attn_implementation("eager")
    frames = transformers.TimesformerModel(transformers.TimesformerConfig(image_size=16, patch_size=8, num_frames=4, **SIZES,
                                                                          attn_implementation="eager")).eval()
    picture = torch.randn(1, 3, 24, 24)
    for model, given, parts in ((blip, {"pixel_values": picture, "input_ids": ids(1, 7)}, "2 of 6"),
                                (frames, {"pixel_values": torch.randn(1, 4, 3, 16, 16)}, "2 of 4")):
        _, said = captured(folder / "run.h5", model, lambda: model(**given))
        assert sum(f"gives the weights of {parts} modules that compute attention" in one for one in said) == 1, said
    # Each step of a generation gives those of its decoder, which are one text.
    examples, said = captured(folder / "run.h5", blip, lambda: blip.generate(pixel_values=picture, max_new_tokens=5, min_new_tokens=5))
    assert len(examples) == 1 and not any("gives the weights of" in one for one in said), said
    # A model that gives none is not taken for one that was not called.
    clip = transformers.CLIPModel(transformers.CLIPConfig(
        vision_config=dict(SIZES, image_size=24, patch_size=8),
        text_config=dict(SIZES, vocab_size=60, max_position_embeddings=16, bos_token_id=1, eos_token_id=2, pad_token_id=0), attn_implementation="eager")).eval()
    fails(folder / "none.h5", "or gives no attention with output_attentions=True", lambda: clip(pixel_values=picture, input_ids=ids(1, 7)), clip, store="eager")
    xlnet, target = families.make("xlnet"), torch.zeros(1, 1, 7)
    target[0, 0, -1] = 1
    fails(folder / "none.h5", "gives 2 maps of one layer", lambda: xlnet(ids(1, 7), target_mapping=target, perm_mask=torch.zeros(1, 7, 7)), xlnet)


def test_parts_of_pictures(folder):
    """Windows of one layer are none of another's; parts that are examples of their own are said to be."""
    for kind in ("Swin", "Swinv2"):
        config = getattr(transformers, f"{kind}Config")(image_size=32, patch_size=4, embed_dim=16, depths=[2, 1], num_heads=[2, 4], window_size=4,
                                                        attn_implementation="eager")
        model, picture = getattr(transformers, f"{kind}Model")(config).eval(), torch.randn(1, 3, 32, 32)
        for store in ("weights", "eager"):
            fails(folder / "none.h5", "layers differ in how many parts of their input they look at", lambda: model(picture), model, store=store)
        fails(folder / "none.h5", "which a file of queries and keys cannot say" if kind == "Swin" else "layers differ", lambda: model(picture), model)
    series = transformers.PatchTSTModel(transformers.PatchTSTConfig(num_input_channels=3, context_length=16, patch_length=4, patch_stride=4, d_model=32,
                                                                    num_attention_heads=4, num_hidden_layers=2, ffn_dim=36, do_mask_input=False)).eval()
    examples, said = captured(folder / "run.h5", series, lambda: series(torch.randn(1, 16, 3)))
    assert len(examples) == 3 and ["PatchTSTModel looks at 3 parts of each input by themselves" in one for one in said] == [True], said
    # Several choices are texts, and their tokens tell.
    choice = transformers.BertForMultipleChoice(transformers.BertConfig(**families.BASE)).eval()
    examples, said = captured(folder / "run.h5", choice, lambda: choice(ids(2, 7)[None]))
    assert [example["tokens"]["tokens"] for example in examples] == [words(row) for row in ids(2, 7)] and not said, said


def test_patches_in_another_order(folder):
    """ViTMAE shuffles patches, and leaves some out."""
    for ratio in (0.0, 0.5):
        model, out = transformers.ViTMAEModel(transformers.ViTMAEConfig(**families.VIT, mask_ratio=ratio)).eval(), []
        examples, _ = captured(folder / "run.h5", model, lambda: out.append(model(torch.randn(2, 3, 24, 24))))
        n = examples[0][""][0].shape[1]
        for example, order in zip(examples, out[0].ids_restore.argsort(1).tolist()):
            assert example["tokens"]["tokens"] == ["CLS", *(f"patch {place // 3 + 1},{place % 3 + 1}" for place in order[:n - 1])], (ratio, example["tokens"])


def test_a_tower_and_a_text_in_turn(folder):
    """Each has its own layers, and their own names and projections."""
    for seen, read in ((3, 2), (2, 3)):
        model = transformers.CLIPModel(transformers.CLIPConfig(
            vision_config=dict(SIZES, num_hidden_layers=seen, image_size=24, patch_size=8),
            text_config=dict(SIZES, num_hidden_layers=read, vocab_size=60, max_position_embeddings=16, bos_token_id=1, eos_token_id=2, pad_token_id=0))).eval()

        def call():
            model.get_image_features(pixel_values=torch.randn(1, 3, 24, 24))
            model.get_text_features(input_ids=ids(1, 7))

        captured(folder / "run.h5", model, call, values=True, output_projection=True)
        with h5py.File(folder / "run.h5") as file:
            picture, text = (file[f"examples/{number}"] for number in range(2))
            assert picture["queries"].shape[0] == seen and text["queries"].shape[0] == read and picture.attrs["layers"] == seen and file.attrs["layers"] == read
            for group, word, count in ((picture, "vision", seen), (text, "text", read)):
                names = (group if "layer_names" in group else file)["layer_names"][()]
                assert len(names) == count and all(name.startswith(word.encode()) for name in names), names
                rows = (group if "output_projection" in group else file)["output_projection"][()]
                own = getattr(model, f"{word}_model").encoder.layers[1].self_attn.out_proj.weight
                assert np.abs(rows[1].reshape(32, 32).T - own.numpy()).max() < 1e-6
        done = subprocess.run([CLI, "info", folder / "run.h5"], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
        assert done.returncode == 0 and "it is left out" not in done.stdout + done.stderr, done.stdout + done.stderr


def gemma():
    """One that sees 64 patches, and reads 4 tokens of them."""
    torch.manual_seed(0)
    model = transformers.Gemma3ForConditionalGeneration(transformers.Gemma3Config(
        vision_config=dict(SIZES, image_size=32, patch_size=4), mm_tokens_per_image=4, image_token_index=55, boi_token_index=56,
        eoi_token_index=57, text_config=dict(families.GQA, head_dim=8, sliding_window=64, layer_types=families.SWA))).eval()
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter.normal_(0, 0.3)
    return model


def test_encoders_and_towers_beside_a_cache(folder):
    """What is in a cache is the text's: an encoder or a tower looks at nothing of it, and is as long as it is."""
    source, first, step = ids(1, 5), ids(1, 8, 2), ids(1, 1, 3)
    for name in ("t5", "bart"):
        model = families.make(name)
        whole = torch.cat([first, step], 1)
        wanted = families.make(name, "eager")(input_ids=source, decoder_input_ids=whole, output_attentions=True)
        cache = model(input_ids=source, decoder_input_ids=first).past_key_values
        given = {"input_ids": source, "decoder_input_ids": step, "past_key_values": cache}
        example, = captured(folder / "run.h5", model, lambda: model(**given))[0]
        assert {kind: example[kind][1].shape for kind in ("encoder", "decoder", "cross")} == {
            "encoder": (4, 5, 5), "decoder": (4, 1, 9), "cross": (4, 1, 5)}, name
        assert np.abs(example["decoder"][1] - wanted.decoder_attentions[1][0, :, 8:].numpy()).max() < 1e-5

        def loop():
            cache = model(input_ids=source, decoder_input_ids=first[:, :5]).past_key_values
            for token in first[:, 5:].T:
                cache = model(input_ids=source, decoder_input_ids=token[None], past_key_values=cache).past_key_values

        # An encoder that is given its input in each step is still one, also where it is as long as what was read.
        example, = captured(folder / "run.h5", model, loop)[0]
        assert {kind: example[kind][1].shape for kind in ("encoder", "decoder", "cross")} == {
            "encoder": (4, 5, 5), "decoder": (4, 8, 8), "cross": (4, 8, 5)}, name
        assert example["tokens"] == {"encoder_tokens": words(source[0]), "decoder_tokens": words(first[0])}
        assert np.abs(example["cross"][1] - wanted.cross_attentions[1][0, :, :8].numpy()).max() < 1e-5
    model, picture = gemma(), torch.randn(2, 3, 32, 32)
    image = torch.full((1, 4), 55)
    turns = [torch.cat([ids(1, n, n), image, ids(1, 3)], 1) for n in (4, 10, 57)]

    def turn(number, picture, **cache):
        return model(turns[number], pixel_values=picture, token_type_ids=(turns[number] == 55).long(), **cache).past_key_values

    for before in (1, 2):
        cache = turn(before, picture[:1])
        example, = captured(folder / "run.h5", model, lambda: turn(0, picture[1:], past_key_values=cache))[0]
        assert example["encoder"][0].shape == (4, 64, 64) and example["decoder"][0].shape == (4, 11, turns[before].shape[1] + 11)
        assert np.abs(example["decoder"][0].sum(-1) - 1).max() < 1e-5
        fails(folder / "none.h5", "begin another capture with that step",
              lambda: turn(0, picture[1:], past_key_values=turn(before, picture[:1])), model)


def test_static_caches_beside_an_encoder(folder):
    """That there is room for more says nothing of an encoder's length."""
    for name in ("t5", "bart"):
        model, source, read = families.make(name), ids(1, 9), ids(1, 3, 2)
        wanted = families.make(name, "eager")(input_ids=source, decoder_input_ids=read, output_attentions=True)
        config = model.config.get_text_config(decoder=True)
        cache = transformers.EncoderDecoderCache(*(transformers.StaticCache(config=config, max_cache_len=n) for n in (16, 9)))
        given = {"input_ids": source, "decoder_input_ids": read, "past_key_values": cache}
        example, = captured(folder / "run.h5", model, lambda: model(**given))[0]
        assert example["decoder"][1].shape == (4, 3, 3), (name, example["decoder"][1].shape)
        assert np.abs(example["decoder"][1] - wanted.decoder_attentions[1][0].numpy()).max() < 1e-5


def test_weights_of_a_cache_that_was_cut(folder):
    """Weights that a model gives are no more of one text than queries and keys are."""
    model, prompt = families.make("llama", "eager"), torch.cat([ids(1, 6), ids(1, 6)], 1)
    for store in ("qk", "weights", "eager"):
        def crop():
            cache = model(prompt).past_key_values
            model(ids(1, 3, 2), past_key_values=cache)
            cache.crop(-3)
            model(ids(1, 3, 3), past_key_values=cache)

        def look_up():
            model.generate(prompt, attention_mask=torch.ones_like(prompt), prompt_lookup_num_tokens=3, **dict(STEPS, max_new_tokens=5))

        for call in (crop, look_up):
            fails(folder / "run.h5", "the cache was cut or reordered between two steps", call, model, store=store)


def test_texts_of_a_cache_that_change_places(folder):
    """Which text is which is not told any more; of a copy of the cache each is one of its own."""
    model, first, step = families.make("llama"), ids(2, 6), ids(2, 1, 2)

    def swap(copies):
        cache = model(first).past_key_values
        copied = copy.deepcopy(cache) if copies else cache
        copied.batch_select_indices(torch.tensor([1, 0]))
        model(step, past_key_values=copied)

    def choose():
        cache = model(first).past_key_values
        cache.batch_select_indices(torch.tensor([1]))
        model(step[1:], past_key_values=cache)

    def repeat():
        cache = model(first[:1]).past_key_values
        cache.batch_repeat_interleave(2)
        model(step, past_key_values=cache)

    def swap_in_layers():
        cache = model(first).past_key_values
        for layer in cache.layers:
            layer.batch_select_indices(torch.tensor([1, 0]))
        model(step, past_key_values=cache)

    class Own(transformers.DynamicCache):
        """As in older versions each class has methods of its own."""

        def batch_select_indices(self, indices):
            for layer in self.layers:
                layer.keys, layer.values = layer.keys[indices], layer.values[indices]

    def swap_in_a_class():
        cache = model(first, past_key_values=Own()).past_key_values
        cache.batch_select_indices(torch.tensor([1, 0]))
        model(step, past_key_values=cache)

    def swap_by_hand(last):
        # Of texts that end alike, keys differ further back.
        cache = model(torch.cat([first, last], 1)).past_key_values
        for layer in cache.layers:
            layer.keys, layer.values = layer.keys.flip(0), layer.values.flip(0)
        model(step, past_key_values=cache)

    for call in (lambda: swap(False), choose, repeat, swap_in_layers, swap_in_a_class, lambda: swap_by_hand(step)):
        fails(folder / "run.h5", "change a copy of it and give that to the next step", call, model)
    eager = families.make("llama", "eager")
    # Where only weights are given, nobody sees keys.
    for call in (swap_in_layers, swap_in_a_class):
        model = eager
        fails(folder / "run.h5", "change a copy of it and give that to the next step", call, model, store="eager")
    model = families.make("llama")
    fails(folder / "run.h5", "change a copy of it", lambda: swap_by_hand(step[:1].expand(2, 1)), model, layers=[0])
    for one, store in ((model, "qk"), (model, "weights"), (eager, "eager")):
        fails(folder / "run.h5", "a batch of 1 with the cache of a batch of 2", lambda: one(step[:1], past_key_values=halved(one, first)), one, store=store)
    examples, _ = captured(folder / "run.h5", model, lambda: swap(True))
    wanted = eager(torch.cat([first.flip(0), step], 1), output_attentions=True).attentions
    assert [example[""][1].shape for example in examples] == [(4, 6, 6)] * 2 + [(4, 1, 7)] * 2
    for item, example in enumerate(examples[2:]):
        assert np.abs(example[""][1][:, 0] - wanted[1][item, :, -1].numpy()).max() < 1e-5


def halved(model, read):
    """A cache of which one text is left, without a word to it."""
    cache = model(read).past_key_values
    for layer in cache.layers:
        layer.keys, layer.values = layer.keys[:1], layer.values[:1]
    return cache


def test_half_of_a_model(folder):
    """An encoder or a decoder by itself is a model of one stack, though its configuration is that of both."""
    read, state = ids(2, 7), torch.randn(2, 5, 32, generator=torch.Generator().manual_seed(2))
    there = torch.ones_like(read)
    there[1, 5:] = 0
    bart = transformers.BartModel(transformers.BartConfig(**dict(families.BART, decoder_layers=3), attn_implementation="eager")).eval()
    t5 = families.make("t5", "eager")
    path = folder / "run.h5"
    for model in (bart, t5):
        for store in ("qk", "eager"):
            given = dict(input_ids=read, attention_mask=there)
            examples, _ = captured(path, model.encoder, lambda: model.encoder(**given), store=store)
            wanted = model.encoder(**given, output_attentions=True).attentions
            for item, n in ((0, 7), (1, 5)):
                assert sorted(examples[item]) == ["", "tokens"] and examples[item]["tokens"] == {"tokens": words(read[item, :n])}
                assert np.abs(examples[item][""][1] - wanted[1][item, :, :n, :n].numpy()).max() < 1e-5
            given["encoder_hidden_states"] = state
            examples, _ = captured(path, model.decoder, lambda: model.decoder(**given), store=store)
            wanted = model.decoder(**given, output_attentions=True)
            layers = len(wanted.attentions)
            for item, n in ((0, 7), (1, 5)):
                # Nobody tells what the encoder has read.
                assert sorted(examples[item]) == ["cross", "decoder", "tokens"] and examples[item]["tokens"] == {"decoder_tokens": words(read[item, :n])}
                assert sorted(examples[item]["decoder"]) == sorted(examples[item]["cross"]) == list(range(layers))
                assert np.abs(examples[item]["decoder"][1] - wanted.attentions[1][item, :, :n, :n].numpy()).max() < 1e-5
                assert np.abs(examples[item]["cross"][1] - wanted.cross_attentions[1][item, :, :n].numpy()).max() < 1e-5


def test_keys_of_two_texts_in_one_softmax(folder):
    """T5Gemma 2 has its encoder's keys beside its own: what helps is said, and does."""
    small = dict(vocab_size=60, head_dim=8, num_key_value_heads=2, max_position_embeddings=64, sliding_window=6, **SIZES)
    vision = dict(image_size=16, patch_size=8, **SIZES)
    config = transformers.T5Gemma2Config(encoder=dict(text_config=small, vision_config=vision, mm_tokens_per_image=4), decoder=small)
    model = transformers.T5Gemma2Model._from_config(config, attn_implementation="eager").eval()
    given = dict(input_ids=ids(1, 7), decoder_input_ids=ids(1, 4, 2))
    fails(folder / "run.h5", "an encoder's are beside its own in one softmax", lambda: model(**given), model)
    example, = captured(folder / "run.h5", model, lambda: model(**given), store="eager")[0]
    assert {kind: example[kind][1].shape[1:] for kind in ("encoder", "decoder", "cross")} == {"encoder": (7, 7), "decoder": (4, 4), "cross": (4, 7)}


def test_part_of_a_model(folder):
    """A call of a part by itself is an example of all layers that it calls, as a call of the model is."""
    inputs = [torch.randn(1, n, 32, generator=torch.Generator().manual_seed(n)) for n in (5, 6)]

    class Wrapped(nn.Module):
        def __init__(self):
            super().__init__()
            torch.manual_seed(0)
            self.stack = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2)

    bert, wrapped = families.make("bert"), Wrapped().eval()
    albert = transformers.AlbertModel(transformers.AlbertConfig(**dict(families.BASE, embedding_size=32, num_hidden_layers=3))).eval()
    for model, part, last, layers in ((bert, bert.encoder, bert.encoder.layer[1], 2), (albert, albert.encoder, albert.encoder.albert_layer_groups[0], 3),
                                      (wrapped, wrapped.stack, wrapped.stack.layers[1], 2)):
        def call(breaks):
            for x in inputs:
                part(x)
                if breaks:
                    handle = last.register_forward_hook(lambda *arguments: 1 / 0)
                    try:
                        part(x)
                    except ZeroDivisionError:
                        pass
                    handle.remove()

        wanted, _ = captured(folder / "run.h5", part, lambda: call(False))
        assert [sorted(example[""]) for example in wanted] == [list(range(layers))] * 2
        for breaks in (False, True):
            found, said = captured(folder / "run.h5", model, lambda: call(breaks))
            assert sum("ended with an exception" in one for one in said) == 2 * breaks, said
            assert len(found) == 2 and all(np.array_equal(one[""][number], other[""][number]) for one, other in zip(found, wanted) for number in range(layers))
        # A layer, and one call of its forward, is as much of a part.
        alone = next(module for module in last.modules() if type(module).__name__ in ("BertSelfAttention", "AlbertAttention", "MultiheadAttention"))
        given = inputs[:1] * (3 if model is wrapped else 1)
        for attend in (lambda: alone(*given), lambda: alone.forward(*given)):
            found, _ = captured(folder / "run.h5", model, lambda: (attend(), attend()))
            assert [len(example[""]) for example in found] == [1, 1]


def test_encoders_ahead_of_their_texts(folder):
    """Of several inputs that were encoded ahead, each text has what it was given, or nothing."""
    first, second, read = ids(1, 5), ids(1, 5, 2), ids(1, 3, 4)
    for name in ("t5", "bart"):
        model, eager = families.make(name), families.make(name, "eager")

        def both():
            made = [model.get_encoder()(input_ids=one) for one in (first, second)]
            for one in made:
                model(encoder_outputs=one, decoder_input_ids=read)

        examples, _ = captured(folder / "run.h5", model, both)
        looking = [example for example in examples if "cross" in example]
        assert len(looking) == 2
        for example, one in zip(looking, (first, second)):
            wanted = eager(input_ids=one, decoder_input_ids=read, output_attentions=True).cross_attentions[1]
            assert np.abs(example["cross"][1] - wanted[0].numpy()).max() < 1e-5
            assert example["tokens"].get("encoder_tokens") in (None, words(one[0])), (name, example["tokens"])

        def several():
            made = model.get_encoder()(input_ids=first)
            model.generate(encoder_outputs=made, do_sample=True, num_return_sequences=2, max_new_tokens=3, min_new_tokens=3)

        # Without a cache, each step reads the text once more, and the encoder's layers are still its.
        given = dict(do_sample=False, max_new_tokens=4, min_new_tokens=4)
        for cached in (True, False):
            example, = captured(folder / "run.h5", model, lambda: model.generate(encoder_outputs=model.get_encoder()(input_ids=first), use_cache=cached, **given))[0]
            assert {kind: example[kind][1].shape[1:] for kind in ("encoder", "decoder", "cross")} == {"encoder": (5, 5), "decoder": (4, 4), "cross": (4, 5)}
            assert example["tokens"]["encoder_tokens"] == words(first[0])
        # One that is repeated for several texts is still theirs.
        examples, _ = captured(folder / "run.h5", model, several)
        assert [example["tokens"]["encoder_tokens"] for example in examples] == [words(first[0])] * 2
        assert all("cross" in example for example in examples)


def test_tokens_behind_a_cache(folder):
    """Of keys that were in a cache before the block nobody tells the tokens, and so not which are those of the others."""
    model, before, read = families.make("llama"), ids(2, 3, 9), ids(2, 8, 2)
    mask = torch.ones(2, 11, dtype=torch.long)
    mask[1, 7:] = 0
    cache = model(before).past_key_values
    examples, _ = captured(folder / "run.h5", model, lambda: model(read, attention_mask=mask, past_key_values=cache))
    assert [example[""][0].shape[1:] for example in examples] == [(8, 11), (4, 7)]
    assert [example["tokens"] for example in examples] == [{}, {}]
    torch.manual_seed(0)
    llava = transformers.LlavaForConditionalGeneration(transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(**families.VIT), text_config=transformers.LlamaConfig(**families.GQA),
        image_token_index=55, vision_feature_layer=-1)).eval()
    image = torch.cat([ids(1, 3, 3), torch.full((1, 9), 55), ids(1, 2, 4)], 1)
    for before in (0, 7):
        cache = llava(ids(1, before), use_cache=True).past_key_values if before else None
        given = {"input_ids": image, "pixel_values": torch.randn(1, 3, 24, 24), "past_key_values": cache}
        captured(folder / "run.h5", llava, lambda: llava(**given), image=np.zeros((24, 24, 3), np.uint8))
        with h5py.File(folder / "run.h5") as file:
            assert [name for name in file if "image_tokens" in name] == ([] if before else ["decoder_image_tokens"]), list(file)


def heads(x):
    """Two of them."""
    return x.unflatten(-1, (2, -1)).transpose(1, 2)


class Layer(nn.Module):
    """Attention of a model that holds its cache in tuples."""

    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(16, 16) for _ in range(4))

    def forward(self, x, before):
        q, k, v = (heads(part(x)) for part in (self.q, self.k, self.v))
        if before is not None:
            k, v = torch.cat([before[0], k], 2), torch.cat([before[1], v], 2)
        n, m = q.shape[2], k.shape[2]
        out = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=torch.ones(n, m, dtype=torch.bool).tril(m - n))
        return x + self.o(out.transpose(1, 2).flatten(2)), (k, v)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.layers = nn.Embedding(60, 16), nn.ModuleList([Layer(), Layer()])

    def forward(self, input_ids, past_key_values=None):
        x, made = self.embedding(input_ids), []
        for number, layer in enumerate(self.layers):
            x, both = layer(x, None if past_key_values is None else past_key_values[number])
            made.append(both)
        return x, tuple(made)


def test_tuples_in_turn(folder):
    """Caches that are tuples are another's where another pass gave them, however long they are."""
    torch.manual_seed(0)
    model, first, second, step = Reader().eval(), ids(1, 6), ids(1, 6, 2), ids(1, 1, 3)
    for parameter in model.parameters():
        parameter *= 4

    def call(between):
        cache = model(first)[1]
        if between:
            model(second)
        model(step, cache)

    whole, = captured(folder / "run.h5", model, lambda: model(torch.cat([first, step], 1)))[0]
    steps, = captured(folder / "run.h5", model, lambda: call(False))[0]
    assert steps["tokens"] == whole["tokens"] and np.abs(steps[""][1] - whole[""][1]).max() < 1e-5
    examples, _ = captured(folder / "run.h5", model, lambda: call(True))
    assert [example[""][1].shape for example in examples] == [(2, 6, 6), (2, 6, 6), (2, 1, 7)]
    assert np.abs(examples[2][""][1][:, 0] - whole[""][1][:, -1]).max() < 1e-5


def test_generate_within_a_model(folder):
    """Steps of a generation that stands in a model's forward are one text."""
    class Writer(nn.Module):
        def __init__(self, name):
            super().__init__()
            self.reader = families.make(name)

        def forward(self, given):
            return self.reader.generate(given, attention_mask=torch.ones_like(given), **STEPS)

    for name, kind, n, key in (("llama", "", 8, "tokens"), ("t5", "decoder", 3, "decoder_tokens")):
        model, out = Writer(name).eval(), []
        example, = captured(folder / "run.h5", model, lambda: out.append(model(ids(1, 6))))[0]
        assert example[kind][1].shape == (4, n, n) and example["tokens"][key] == words(out[0][0, :-1]), (name, example["tokens"])


def test_fewer_keys_than_queries(folder):
    """They are another's: a query of a text stands at a key of it."""
    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.q, self.k, self.v = (nn.Linear(16, 16) for _ in range(3))

        def forward(self, x, seen):
            q, k, v = heads(self.q(x)), heads(self.k(seen)), heads(self.v(seen))
            return x + nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.attn1, self.attn2 = Attention(), Attention()

        def forward(self, x, seen):
            return self.attn2(self.attn1(x, x), seen)

    torch.manual_seed(0)
    model = Block().eval()
    for n in (9, 4):
        x, seen = torch.randn(1, 7, 16), torch.randn(1, n, 16)
        example, = captured(folder / "run.h5", model, lambda: model(x, seen))[0]
        assert {kind: example[kind][0].shape for kind in ("decoder", "cross")} == {"decoder": (2, 7, 7), "cross": (2, 7, n)}
        q, k = heads(model.attn2.q(model.attn1(x, x))), heads(model.attn2.k(seen))
        assert np.abs(example["cross"][0] - (q @ k.transpose(2, 3) / 8 ** 0.5).softmax(-1)[0].numpy()).max() < 1e-5


def test_padding_that_something_looks_at(folder):
    """It stays in all kinds of attention, as the tokens are the same."""
    source, read = ids(2, 7), ids(2, 3, 2)
    for name in ("t5", "bart"):
        model = families.make(name)
        for padding in (slice(4, None), slice(0, 3)):
            mask = torch.ones_like(source)
            mask[1, padding] = 0

            def call():
                made = model.get_encoder()(input_ids=source, attention_mask=mask)
                model(encoder_outputs=made, decoder_input_ids=read)

            examples, _ = captured(folder / "run.h5", model, call)
            assert [{kind: example[kind][1].shape[1:] for kind in ("encoder", "decoder", "cross")} for example in examples] == [
                {"encoder": (7, 7), "decoder": (3, 3), "cross": (3, 7)}] * 2, name
            assert [example["tokens"]["encoder_tokens"] for example in examples] == [words(row) for row in source]
            # What nobody looks at is still left out.
            given = {"input_ids": source, "attention_mask": mask, "decoder_input_ids": read}
            examples, _ = captured(folder / "run.h5", model, lambda: model(**given))
            assert [example["encoder"][1].shape[1] for example in examples] == [7, int(mask[1].sum())]
            assert examples[1]["tokens"]["encoder_tokens"] == words(source[1][mask[1] > 0])


def test_a_text_that_cannot_be_written(folder):
    """Nothing of it stays where the error is caught, and the others are whole."""
    class Attention(nn.Module):
        def forward(self, q):
            return nn.functional.scaled_dot_product_attention(q, q, q)

    class Block(nn.Module):
        main_input_name = "x"

        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([Attention(), Attention()])

        def forward(self, x, cut=0):
            return self.layers[1](self.layers[0](x)[:, :, cut:])

    model, said = Block(), []
    given = [torch.randn(1, 2, n, 8) for n in (5, 6, 7, 8, 9)]

    def call():
        for number, x in enumerate(given):
            try:
                model(x, cut=int(number == 2))
            except headlight.CaptureError as error:
                said.append((number, str(error)))

    examples, _ = captured(folder / "run.h5", model, call)
    assert [number for number, _ in said] == [3] and "layers differ" in said[0][1], said
    assert [example[""][1].shape for example in examples] == [(2, n, n) for n in (5, 6, 9)]
    done = subprocess.run([CLI, "info", folder / "run.h5"], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, done.stdout + done.stderr


class Dropping(Adapter):
    """One that drops some of what it is given, in training."""

    def __init__(self, base):
        super().__init__(base)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.base(x) + 2 * self.up(self.down(self.drop(x)))


def test_projections_of_adapters_in_training(folder):
    """Rows are those without dropout, and what is drawn at random is drawn by the model alone."""
    torch.manual_seed(0)
    model = families.make("llama")
    for layer in model.model.layers:
        layer.self_attn.o_proj = Dropping(layer.self_attn.o_proj)
    own = model.model.layers[0].self_attn.o_proj
    model.train()
    torch.manual_seed(5)
    plain = model(ids(1, 6)).logits
    torch.manual_seed(5)
    out = []
    captured(folder / "run.h5", model, lambda: out.append(model(ids(1, 6)).logits), output_projection=True)
    assert torch.equal(out[0], plain) and own.training and own.drop.training
    with h5py.File(folder / "run.h5") as file:
        found = file["output_projection"][0].reshape(32, 32)
    assert np.abs(found - (own.base.weight + 2 * own.up.weight @ own.down.weight).T.numpy()).max() < 1e-5


class Fetched:
    """A forward whose weights are elsewhere until it is called, as accelerate has them."""

    def __init__(self, module):
        self.inner, self.kept, self.module = module.forward, module.weight, module
        module.weight = nn.Parameter(self.kept.to("meta"), requires_grad=False)
        module.forward = self

    def __call__(self, *args, **kwargs):
        there, self.module.weight = self.module.weight, self.kept
        try:
            return self.inner(*args, **kwargs)
        finally:
            self.module.weight = there


def test_projections_that_are_elsewhere(folder):
    model, wanted = families.make("llama"), families.make("llama").model.layers[1].self_attn.o_proj.weight
    for layer in model.model.layers:
        Fetched(layer.self_attn.o_proj)
    captured(folder / "run.h5", model, lambda: model(ids(1, 6)), output_projection=True)
    with h5py.File(folder / "run.h5") as file:
        assert np.abs(file["output_projection"][1].reshape(32, 32) - wanted.T.numpy()).max() < 1e-5


def test_masks_of_heads_beside_weights(folder):
    """Weights say what each head sees, which queries and keys cannot."""
    class Block(nn.Module):
        def forward(self, q, mask):
            return nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=mask)

    model, q, mask = Block(), torch.randn(1, 2, 5, 8), torch.ones(1, 2, 5, 5, dtype=torch.bool)
    mask[0, 0] = mask[0, 0].tril()
    wanted = (q @ q.transpose(2, 3) / 8 ** 0.5).masked_fill(~mask, float("-inf")).softmax(-1)
    fails(folder / "none.h5", "heads of one layer see different keys", lambda: model(q, mask), model)
    example, = captured(folder / "run.h5", model, lambda: model(q, mask), store="weights")[0]
    assert np.abs(example[""][0] - wanted[0].numpy()).max() < 1e-6
    with h5py.File(folder / "run.h5") as file:
        assert "causal" not in file.attrs


def with_folder(test):
    def inside():
        with tempfile.TemporaryDirectory() as folder:
            test(pathlib.Path(folder))
    return inside


tap.run({name: with_folder(test) for name, test in list(globals().items()) if name.startswith("test_")})
