#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures of models that hear: when their tokens are, by what the model and its feature extractor tell, and not where they do not.

Usage: test-sound.py HEADLIGHT-CLI SOURCE-ROOT.  Prints TAP.  Needs PyTorch and transformers.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CLI, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path[:0] = [str(ROOT / "src/python"), str(ROOT / "tests/python")]
sys.dont_write_bytecode = True

import h5py
import numpy as np
import torch
import transformers as T

import families
import headlight
import reference_reader
import tap

T.utils.logging.set_verbosity_error()
torch.set_num_threads(1)
torch.set_grad_enabled(False)
SMALL = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=36)
# Three convolutions as wav2vec 2.0 has them: 20 samples a token; and their like with two tokens in one.
HEARING = dict(SMALL, conv_dim=(8, 8, 8), conv_stride=(5, 2, 2), conv_kernel=(10, 3, 2), num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2,
               num_feat_extract_layers=3)
STACK = dict(vocab_size=60, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=24,
             decoder_ffn_dim=28, pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2)
OF_SAMPLES = T.Wav2Vec2FeatureExtractor(sampling_rate=16000, return_attention_mask=True)


def make(cls, config, implementation=None):
    torch.manual_seed(3)
    if implementation:
        config._attn_implementation = implementation
    return cls(config).eval()


def whisper(implementation=None):
    """60 frames of 10 ms, 30 tokens."""
    config = T.WhisperConfig(**STACK, max_source_positions=30, max_target_positions=20, num_mel_bins=16, suppress_tokens=None, begin_suppress_tokens=None)
    model = make(T.WhisperForConditionalGeneration, config, implementation)
    model.generation_config.suppress_tokens = model.generation_config.begin_suppress_tokens = None
    return model


class Processor:
    """As transformers' processors are: a tokenizer and a feature extractor."""

    def __init__(self, extractor):
        self.tokenizer, self.feature_extractor = families.Words(), extractor


def starts_of(path, name="token_starts"):
    with h5py.File(path) as file:
        groups = [file["examples"][example] for example in file["examples"]] if "examples" in file else [file]
        return [group[name][()] if name in group else None for group in groups]


def run(*arguments):
    done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_whisper(folder):
    """Its encoder's frames are 20 ms where the extractor's are 10; another hop makes other times."""
    features, ids = torch.randn(1, 16, 60), torch.tensor([[2, 7, 8, 9]])
    wanted = whisper("eager")(features, decoder_input_ids=ids, output_attentions=True)
    for hop, seconds in ((160, 0.02), (80, 0.01)):
        model = whisper()
        extractor = T.WhisperFeatureExtractor(feature_size=16, hop_length=hop)
        plain = model(features, decoder_input_ids=ids)
        with headlight.capture(model, folder / "run.h5", tokenizer=Processor(extractor), dtype="float32"):
            found = model(features, decoder_input_ids=ids)
        assert torch.equal(plain.logits, found.logits)
        starts, = starts_of(folder / "run.h5", "encoder_token_starts")
        assert starts.dtype == np.float32 and np.allclose(starts, np.arange(30) * seconds, atol=1e-7)
        example, = reference_reader.read(folder / "run.h5")
        assert example["tokens"]["decoder_tokens"] == ["w2", "w7", "w8", "w9"]
        for kind, maps in (("encoder", wanted.encoder_attentions), ("decoder", wanted.decoder_attentions), ("cross", wanted.cross_attentions)):
            assert np.abs(example[kind][1] - maps[1][0].numpy()).max() < 1e-5, kind
        told = json.loads(run("info", "--json", folder / "run.h5"))
        assert told["encoder_tokens"][-1] == ("0.58 s" if hop == 160 else "0.29 s") and told["decoder_tokens"] == ["w2", "w7", "w8", "w9"], told
        encoder = model.get_encoder()
        with headlight.capture(encoder, folder / "alone.h5", processor=extractor):
            encoder(features)
        starts, = starts_of(folder / "alone.h5")
        assert np.allclose(starts, np.arange(30) * seconds, atol=1e-7)
        # Rows are the text, columns seconds on an axis.
        run("render", folder / "run.h5", "--view", "heatmap", "--block", "cross", "--output", folder / "run.svg")
        assert (folder / "run.svg").stat().st_size > 0
    # A tokenizer and a processor, each by its own name; and what tells nothing.
    extractor = T.WhisperFeatureExtractor(feature_size=16)
    for options, told in (({"tokenizer": families.Words(), "processor": extractor}, True), ({"processor": Processor(extractor)}, True),
                          ({"tokenizer": families.Words()}, False), ({}, False)):
        with headlight.capture(model, folder / "run.h5", **options):
            model(features, decoder_input_ids=ids)
        assert (starts_of(folder / "run.h5", "encoder_token_starts")[0] is not None) == told, options


def test_whisper_generates(folder):
    for cache in (True, False):
        model = whisper()
        features = torch.randn(1, 16, 60)
        options = {"max_new_tokens": 5, "min_new_tokens": 5, "do_sample": False, "use_cache": cache, "attention_mask": torch.ones(1, 60, dtype=torch.long)}
        plain = model.generate(features, **options)
        with headlight.capture(model, folder / "run.h5", tokenizer=Processor(T.WhisperFeatureExtractor(feature_size=16)), dtype="float32") as capture:
            assert torch.equal(model.generate(features, **options), plain)
        assert capture.examples == 1
        assert np.allclose(starts_of(folder / "run.h5", "encoder_token_starts")[0], np.arange(30) * 0.02)
        example, = reference_reader.read(folder / "run.h5")
        assert set(example) == {"encoder", "decoder", "cross", "tokens"}, set(example)
        # Of the tokens that come out, the last is never read; what goes in before the first does not come out.
        rows = len(example["tokens"]["decoder_tokens"])
        assert rows >= 5 and example["cross"][1].shape == (4, rows, 30)


def test_whisper_of_several_windows(folder):
    """What is longer than a window is heard window by window, each an example of its own."""
    model = whisper()
    model.generation_config.no_timestamps_token_id = 50
    model.generation_config.return_timestamps = False
    features = torch.randn(1, 16, 120)
    options = {"max_new_tokens": 4, "do_sample": False, "return_timestamps": True, "attention_mask": torch.ones(1, 120, dtype=torch.long)}
    plain = model.generate(features, **options)
    with headlight.capture(model, folder / "run.h5", processor=T.WhisperFeatureExtractor(feature_size=16)) as capture:
        assert torch.equal(model.generate(features, **options), plain)
    assert capture.examples >= 2, capture.examples
    assert all(starts[0] == 0 and len(starts) == 30 for starts in starts_of(folder / "run.h5", "encoder_token_starts"))


def test_samples(folder):
    """Models that hear samples: 20 a token are 1.25 ms. What fills up a batch is no token, where the model is told."""
    models = {"wav2vec2": (T.Wav2Vec2ForCTC, T.Wav2Vec2Config(**HEARING, feat_extract_norm="layer")), "hubert": (T.HubertModel, T.HubertConfig(**HEARING, feat_extract_norm="layer")),
              "data2vec": (T.Data2VecAudioModel, T.Data2VecAudioConfig(**HEARING)),
              "unispeech": (T.UniSpeechModel, T.UniSpeechConfig(**HEARING, feat_extract_norm="layer")),
              "unispeech-sat": (T.UniSpeechSatModel, T.UniSpeechSatConfig(**HEARING, feat_extract_norm="layer")),
              "sew": (T.SEWModel, T.SEWConfig(**HEARING, feat_extract_norm="layer", squeeze_factor=2))}
    sounds = [np.random.default_rng(item).normal(size=n).astype(np.float32) for item, n in enumerate((400, 250))]
    given = OF_SAMPLES(sounds, sampling_rate=16000, padding=True, return_tensors="pt")
    for name, (cls, config) in models.items():
        model = make(cls, config)
        with headlight.capture(model, folder / "run.h5", processor=OF_SAMPLES, dtype="float32"):
            model(**given)
        found = starts_of(folder / "run.h5")
        step = 0.0025 if name == "sew" else 0.00125
        # (400 − 10) / 5 + 1 = 79, 39, 19 tokens; 250: 49, 24, 12. The squeezed have half of them.
        assert np.allclose(found[0], np.arange(9 if name == "sew" else 19) * step), (name, found)
        if name != "sew":
            assert np.allclose(found[1], np.arange(12) * step), (name, found)
        outputs = make(cls, config, "eager")(**given, output_attentions=True)
        for item, example in enumerate(reference_reader.read(folder / "run.h5")):
            n = example[""][1].shape[-1]
            assert n == len(found[item])
            assert np.abs(example[""][1] - outputs.attentions[1][item].numpy()[:, :n, :n]).max() < 1e-5, name


def test_other_encoders(folder):
    """Moonshine hears 384 samples a token, Speech2Text four frames, whose 10 ms its extractor knows for 16 kHz only."""
    config = T.MoonshineConfig(vocab_size=60, hidden_size=32, intermediate_size=36, encoder_num_hidden_layers=2, decoder_num_hidden_layers=2,
                               encoder_num_attention_heads=4, decoder_num_attention_heads=4, encoder_num_key_value_heads=4, decoder_num_key_value_heads=4)
    model = make(T.MoonshineForConditionalGeneration, config)
    with headlight.capture(model, folder / "run.h5", processor=OF_SAMPLES):
        model(torch.randn(1, 8000), decoder_input_ids=torch.tensor([[1, 5, 6]]))
    assert np.allclose(starts_of(folder / "run.h5", "encoder_token_starts")[0], np.arange(19) * 0.024)

    config = T.Speech2TextConfig(**STACK, num_conv_layers=2, conv_channels=16, input_feat_per_channel=16, max_source_positions=200, max_target_positions=20)
    model = make(T.Speech2TextForConditionalGeneration, config)
    for rate, told in ((16000, True), (8000, False)):
        extractor = T.Speech2TextFeatureExtractor(feature_size=16, num_mel_bins=16, sampling_rate=rate)
        mask = torch.ones(2, 80, dtype=torch.long)
        mask[1, 60:] = 0
        with headlight.capture(model, folder / "run.h5", processor=extractor):
            model(torch.randn(2, 80, 16), attention_mask=mask, decoder_input_ids=torch.tensor([[2, 5, 6], [2, 8, 9]]))
        found = starts_of(folder / "run.h5", "encoder_token_starts")
        if told:
            assert np.allclose(found[0], np.arange(20) * 0.04) and np.allclose(found[1], np.arange(15) * 0.04), found
        else:
            assert found == [None, None], found


def test_more_encoders(folder):
    """Each row of what is known, with the seconds from token to token. Where what is added by distance depends on content, weights are asked for."""
    x, frames, features = torch.randn(1, 800), torch.randn(1, 80, 16), torch.randn(1, 16, 60)
    whisper_like = T.WhisperFeatureExtractor(feature_size=16)
    subsampled = dict(SMALL, num_mel_bins=16, subsampling_conv_channels=8)
    speech = dict(encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=24, decoder_ffn_dim=24)
    models = [
        (T.WavLMModel, T.WavLMConfig(**HEARING), OF_SAMPLES, {"input_values": x}, "qk", 0.00125),
        (T.Wav2Vec2ConformerModel, T.Wav2Vec2ConformerConfig(**HEARING), OF_SAMPLES, {"input_values": x}, "weights", 0.00125),
        (T.SEWDModel, T.SEWDConfig(**HEARING, squeeze_factor=2), OF_SAMPLES, {"input_values": x}, "qk", 0.0025),
        (T.SpeechT5ForSpeechToText, T.SpeechT5Config(**HEARING, **speech), OF_SAMPLES, {"input_values": x, "decoder_input_ids": torch.tensor([[2, 3]])}, "qk", 0.00125),
        (T.Wav2Vec2BertModel, T.Wav2Vec2BertConfig(**SMALL, feature_projection_input_dim=32), T.SeamlessM4TFeatureExtractor(),
         {"input_features": torch.randn(1, 20, 32)}, "weights", 0.02),
        (T.ParakeetForCTC, T.ParakeetCTCConfig(encoder_config=subsampled), whisper_like, {"input_features": frames}, "weights", 0.08),
        (T.LasrForCTC, T.LasrCTCConfig(encoder_config=subsampled), whisper_like, {"input_features": frames}, "qk", 0.04),
        (T.VoxtralEncoder, T.VoxtralEncoderConfig(**SMALL, num_mel_bins=16, max_source_positions=30), whisper_like, {"input_features": features}, "qk", 0.02),
        (T.AudioFlamingo3Encoder, T.AudioFlamingo3EncoderConfig(**SMALL, num_mel_bins=16, max_source_positions=30), whisper_like,
         {"input_features": features, "input_features_mask": torch.ones(1, 60, dtype=torch.long)}, "qk", 0.02),
        (T.GlmAsrEncoder, T.GlmAsrEncoderConfig(**SMALL, num_mel_bins=16, max_position_embeddings=30, head_dim=8, num_key_value_heads=4), whisper_like,
         {"input_features": features}, "qk", 0.02),
    ]
    for cls, config, extractor, given, store, seconds in models:
        model = make(cls, config)
        with headlight.capture(model, folder / "run.h5", processor=extractor, store=store):
            model(**given)
        starts, = starts_of(folder / "run.h5", "encoder_token_starts" if cls is T.SpeechT5ForSpeechToText else "token_starts")
        assert starts is not None and len(starts) >= 10 and np.allclose(starts, np.arange(len(starts)) * seconds), (cls, starts)


def test_sound_beside_a_text(folder):
    """Qwen2-Audio: the encoder's tokens have times, the text's names; two sounds of one text are two pieces, at no time that is told."""
    audio = T.Qwen2AudioEncoderConfig(d_model=32, encoder_layers=3, encoder_attention_heads=4, encoder_ffn_dim=24, num_mel_bins=16, max_source_positions=30)
    text = T.Qwen2Config(**{**families.GQA, "vocab_size": 60})
    model = make(T.Qwen2AudioForConditionalGeneration, T.Qwen2AudioConfig(audio_config=audio, text_config=text, audio_token_index=59))
    for sounds in (1, 2):
        ids = torch.tensor([[5, *[59] * 15 * sounds, 6, 7]])
        with headlight.capture(model, folder / "run.h5", tokenizer=families.Words(), processor=T.WhisperFeatureExtractor(feature_size=16)):
            model(input_ids=ids, attention_mask=torch.ones_like(ids), input_features=torch.randn(sounds, 16, 60),
                  feature_attention_mask=torch.ones(sounds, 60, dtype=torch.long))
        found = starts_of(folder / "run.h5", "encoder_token_starts")
        assert all((starts is not None and np.allclose(starts, np.arange(30) * 0.02)) if sounds == 1 else starts is None for starts in found), found


def test_patches_of_a_spectrogram(folder):
    """AST: of its patches rows are frequencies and columns time."""
    config = T.ASTConfig(**SMALL, patch_size=8, frequency_stride=4, time_stride=6, max_length=44, num_mel_bins=16)
    model = make(T.ASTForAudioClassification, config)
    with headlight.capture(model, folder / "run.h5", processor=T.ASTFeatureExtractor(num_mel_bins=16, max_length=44)):
        model(torch.randn(1, 44, 16))
    names = reference_reader.read(folder / "run.h5")[0]["tokens"]["tokens"]
    assert names[:4] == ["CLS", "distillation", "patch 1,1", "patch 1,2"] and names[-1] == "patch 3,7" and len(names) == 23, names
    assert starts_of(folder / "run.h5") == [None]


def test_what_lies_beside_a_model(folder):
    """Without a processor, what the model's own folder says is what counts; where it says nonsense, there are no times."""
    whisper().save_pretrained(folder / "model")
    features, ids = torch.randn(1, 16, 60), torch.tensor([[2, 7, 8, 9]])
    T.WhisperFeatureExtractor(feature_size=16).save_pretrained(folder / "model")
    told = json.loads((folder / "model/preprocessor_config.json").read_text())
    for change, wanted in (({}, 0.02), ({"hop_length": 320}, 0.04), ({"hop_length": "160"}, None), ({"sampling_rate": 0}, None),
                           ({"feature_extractor_type": "None"}, None)):
        (folder / "model/preprocessor_config.json").write_text(json.dumps({**told, **change}))
        model = T.WhisperForConditionalGeneration.from_pretrained(folder / "model")
        with headlight.capture(model, folder / "run.h5"):
            model(features, decoder_input_ids=ids)
        starts, = starts_of(folder / "run.h5", "encoder_token_starts")
        assert (starts is None) if wanted is None else np.allclose(starts, np.arange(30) * wanted), (change, starts)


def with_folder(test):
    def inside():
        with tempfile.TemporaryDirectory() as folder:
            test(pathlib.Path(folder))
    return inside


tap.run({name: with_folder(test) for name, test in list(globals().items()) if name.startswith("test_")})
