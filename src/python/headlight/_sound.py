# SPDX-License-Identifier: MIT
"""When the tokens of sound are: from the convolutions of a model, and from what its feature extractor says. Nothing is guessed.

A row of FAMILIES says where the convolutions stand that make tokens of samples or of frames of a spectrogram. How many tokens they
make must be how many the model has, and how long a frame is the feature extractor must say; otherwise there are no times. There are
none of AST (two of its tokens are at no time; its patches have names), CLAP, SeamlessM4T, Moonshine Streaming, Qwen2.5-Omni and
others whose tokens are stacked, packed or shifted in windows.
"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Optional, Sequence

import numpy as np

Array = Any


@dataclass
class Family:
    """What a class makes tokens of."""

    #: Paths of convolutions, or of lists of them, in order.
    paths: tuple[str, ...]
    #: The input is samples, or else frames of a spectrogram.
    samples: bool = False
    #: Which axis of the input is time.
    axis: int = -1
    #: Whether so many tokens as the configuration's squeeze_factor become one.
    squeezes: bool = False


_OF_SAMPLES = Family(("feature_extractor.conv_layers",), samples=True)
_SQUEEZED = Family(("feature_extractor.conv_layers",), samples=True, squeezes=True)
_OF_FRAMES = Family(("conv1", "conv2"))
FAMILIES = {
    "Wav2Vec2Model": _OF_SAMPLES,
    "Wav2Vec2ConformerModel": _OF_SAMPLES,
    "HubertModel": _OF_SAMPLES,
    "WavLMModel": _OF_SAMPLES,
    "UniSpeechModel": _OF_SAMPLES,
    "UniSpeechSatModel": _OF_SAMPLES,
    "Data2VecAudioModel": _OF_SAMPLES,
    "SEWModel": _SQUEEZED,
    "SEWDModel": _SQUEEZED,
    "SpeechT5EncoderWithSpeechPrenet": Family(("prenet.feature_encoder.conv_layers",), samples=True),
    "MoonshineEncoder": Family(("conv1", "conv2", "conv3"), samples=True),
    "WhisperEncoder": _OF_FRAMES,
    "VoxtralEncoder": _OF_FRAMES,
    "Qwen2AudioEncoder": _OF_FRAMES,
    "AudioFlamingo3Encoder": _OF_FRAMES,
    "GlmAsrEncoder": _OF_FRAMES,
    "Speech2TextEncoder": Family(("conv.conv_layers",), axis=1),
    "ParakeetEncoder": Family(("subsampling.layers",), axis=1),
    "LasrEncoder": Family(("subsampler.conv_0", "subsampler.conv_1"), axis=1),
    "Wav2Vec2BertModel": Family((), axis=1),
}
# Samples from frame to frame of extractors that say it nowhere but in their code, which is of 16 kHz.
HOPS = {"Speech2TextFeatureExtractor": 160, "SeamlessM4TFeatureExtractor": 160}
HOPS_RATE = 16000


@dataclass
class Sound:
    """What an encoder was given, and what it makes of it."""

    length: int
    batch: int
    samples: bool
    #: Kernel, stride, padding and dilation of each convolution.
    steps: Sequence[tuple[int, int, int, int]]
    squeeze: int = 1

    @property
    def stride(self) -> int:
        return math.prod(step[1] for step in self.steps) * self.squeeze

    def tokens(self, length: int) -> int:
        """How many tokens become of so much input."""
        for kernel, stride, padding, dilation in self.steps:
            length = max((length + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1, 0)
        return length // self.squeeze

    def mask(self, mask: Array, n: int) -> Optional[Array]:
        """[batch, n] of a mask of the input, where what is padding stands behind all else; None where it does not."""
        if mask.shape[1] != self.length or np.any(mask[:, 1:] > mask[:, :-1]):
            return None
        valid = np.array([min(self.tokens(int(count)), n) for count in mask.sum(1)])
        return np.arange(n)[None] < valid[:, None]


def hear(module: Any, found: dict[str, Any]) -> Optional[Sound]:
    """What a module of FAMILIES is called with; None of others, and of what is no batch of sounds."""
    family = FAMILIES.get(type(module).__name__)
    if family is None or not type(module).__module__.startswith("transformers."):
        return None
    given = found.get("input_values" if family.samples else "input_features")
    if given is None or getattr(given, "dim", lambda: 0)() != (2 if family.samples else 3):
        return None
    steps = []
    for path in family.paths:
        part = module
        for name in path.split("."):
            part = getattr(part, name, None)
        for convolution in _convolutions(part):
            step = tuple(value[0] if isinstance(value, (tuple, list)) else value
                         for value in (convolution.kernel_size, convolution.stride, convolution.padding, convolution.dilation))
            if not all(isinstance(value, int) for value in step):
                return None
            steps.append(step)
    if family.paths and not steps:
        return None
    squeeze = int(module.config.squeeze_factor) if family.squeezes else 1
    return Sound(int(given.shape[family.axis]), int(given.shape[0]), family.samples, steps, squeeze)


def _convolutions(part: Any) -> list[Any]:
    """A convolution, or those that are parts of what a list holds; of two axes, time is the first."""
    if part is None:
        return []
    if hasattr(part, "stride") and hasattr(part, "dilation"):
        return [part]
    return [found for inner in part.children() for found in ([inner] if hasattr(inner, "dilation") else
                                                             [inner.conv] if hasattr(getattr(inner, "conv", None), "dilation") else [])]


def patch_names(module: Any, found: dict[str, Any]) -> Optional[list[str]]:
    """The names of AST's tokens: of patches the row counts frequencies, from the lowest on, and the column time."""
    given = found.get("input_values")
    if type(module).__name__ != "ASTModel" or getattr(given, "dim", lambda: 0)() != 3:
        return None
    assert given is not None
    projection = module.embeddings.patch_embeddings.projection
    columns, rows = ((int(length) - kernel) // stride + 1 for length, kernel, stride in
                     zip(given.shape[1:], reversed(projection.kernel_size), reversed(projection.stride)))
    return ["CLS", "distillation", *(f"patch {row + 1},{column + 1}" for row in range(rows) for column in range(columns))]


def find_extractor(*holders: Any) -> Any:
    """The feature extractor among these, or in a processor among them."""
    for holder in holders:
        for one in (holder, getattr(holder, "feature_extractor", None)):
            if getattr(one, "sampling_rate", None) is not None:
                return one
    return None


def load_extractor(config: Any) -> Any:
    """The feature extractor that lies beside a model on this computer; None where there is none."""
    name = getattr(config, "_name_or_path", "")
    if not name:
        return None
    try:
        from transformers import AutoFeatureExtractor

        return AutoFeatureExtractor.from_pretrained(name, local_files_only=True)
    except Exception:  # Whatever is wrong with what lies there, there are no times.
        return None


def find_starts(sound: Sound, extractor: Any, n: int) -> Optional[Array]:
    """[n] of seconds from the first sample on; None where not all is told, or there are more or fewer tokens."""
    def whole(value: Any) -> int:
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

    rate = whole(getattr(extractor, "sampling_rate", None))
    if not rate or sound.tokens(sound.length) != n:
        return None
    hop = 1
    if not sound.samples:
        kind = type(extractor).__name__
        hop = HOPS[kind] if kind in HOPS and rate == HOPS_RATE else whole(getattr(extractor, "hop_length", None))
        if kind == "SeamlessM4TFeatureExtractor":
            # So many frames stand beside one another in one.
            hop *= whole(getattr(extractor, "stride", None))
    return np.arange(n) * (hop * sound.stride / rate) if hop else None
