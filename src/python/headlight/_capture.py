# SPDX-License-Identifier: MIT
"""headlight.capture: writes down what attention of a model is made of, while the model runs."""
from __future__ import annotations

import functools
import inspect
import os
import re
import sys
import threading
import warnings
import weakref
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any, Callable, Iterable, Iterator, Optional, Union

import numpy as np

from . import _disk, _images, _inside, _masks, _models, _patches, _ranks, _rule, _sound, _text
from ._errors import CaptureError, too_large
from ._file import DumpFile, Layer, Run, Side
from ._spool import Spool

Tensor = Any
# A row of a call's result against the same row computed from what was captured: how far they may be apart, in parts of
# the largest value. Kernels differ in the order of sums only.
TOLERANCE = {"torch.float64": 1e-3, "torch.float32": 1e-3, "torch.float16": 2e-2, "torch.bfloat16": 1e-1}

# What modules are called that compute attention.
ATTENTION = re.compile("att", re.IGNORECASE)
OTHER_TEXT = ("generate() reads another text between the steps of one, as guidance_scale and negative prompts do; capture() follows one text "
              "from its first step to its last")
CHANGED_CACHE = ("the texts of a cache are repeated, chosen or put in another order between two steps, which is not followed; "
                 "change a copy of it and give that to the next step, whose texts are examples of their own then")


# Captures under way, the innermost last, with what takes back their patches. What they patch is the process's, so they are of one thread.
_under_way: list[tuple["Capture", ExitStack]] = []
_lock = threading.Lock()


class Capture:
    """What `with capture(…) as run` gives: what has been seen, and where it is written."""

    # What was made and never entered captures nothing, which would else be found out from the missing file only.
    _entered = True

    def __init__(self, model: Any, path: str, *, tokenizer: Any, processor: Any, layers: Optional[Iterable[int]], dtype: str, values: bool,
                 output_projection: bool, store: str, sharding: Optional[str], text: Optional[str], compression: Optional[str],
                 image: Any) -> None:
        self.path = path
        #: Calls of attention that were captured.
        self.calls = 0
        #: Examples that were written.
        self.examples = 0
        self._model = _models.unwrap(model)
        self._compiled = _models.is_compiled(model)
        # Whether PyTorch's fast path, which a capture switches off, has been there to be taken; None where that has been said.
        self._fast: Optional[bool] = None
        # A processor holds a tokenizer, and either may be given for the other.
        held = (getattr(given, "tokenizer", None) or given for given in (tokenizer, processor))
        self._tokenizer: Any = next((one for one in held if callable(getattr(one, "convert_ids_to_tokens", None))), None)
        self._extractor = _sound.find_extractor(processor, tokenizer)
        self._dtype, self._values, self._projection = dtype, values, output_projection
        self._eager = store == "eager"
        self._weights, self._sharding, self._text, self._compression, self._image = store == "weights", sharding, text, compression, image
        self._layers = None if layers is None else set(layers)
        self._layers_seen: set[int] = set()
        # How many layers of each stack were called, also of those that are left out.
        self._called: dict[str, int] = {}
        #: Rows and columns of pixels that the model was given.
        self._sizes_seen: set[tuple[int, int]] = set()
        self._config = _models.find_config(self._model)
        self._modules = {id(module): _models.plain(name) for name, module in self._model.named_modules()}
        self._probing = _models.find_probing(self._model)
        # The configuration of either half says so, too, which alone is a model of one stack.
        halves = {_models.half(name) for name in self._modules.values()}
        self._encoder_decoder = _models.is_encoder_decoder(self._config) and {"encoder", "decoder"} <= halves
        self._run: Optional[Run] = None
        self._depth = 0
        #: Which thread calls the model.
        self._thread = self._owner = threading.get_ident()
        self._ended = False
        #: The exception that was being handled when the model was called.
        self._handled: Any = None
        self._inside = False
        self._times: dict[str, int] = {}
        # Of modules whose names differ in numbers only, how many calls of the pass were of one that was called before; and numbers of layers by call.
        self._repeated: dict[str, int] = {}
        self._numbers: dict[tuple[str, int], int] = {}
        # Modules that computed weights in the pass which did not pass by; and of which that was said.
        self._apart: set[str] = set()
        self._said: set[str] = set()
        # Models in the model that were called in the pass, and the caches that they were given first.
        self._parts: dict[str, Any] = {}
        # The module that asked last, and its queries, keys and mask.
        self._asked: Optional[tuple[str, list[Any]]] = None
        self._stack: list[Any] = []
        # Whether a call of a part of the model has begun of which nothing is captured yet.
        self._part = False
        # Whether a call, or what became of several, was left out.
        self._left_out = False
        self._past = 0
        # Of hidden states that XLNet was given of the text before.
        self._memory = 0
        self._fresh = 0
        self._masks: dict[Any, tuple[Any, _masks.Seen]] = {}
        self._generating: Optional[list[Any]] = None
        # The numbers of the tokens that a generation without a cache began with.
        self._prompt: Any = None
        # Modules whose output projections were compared.
        self._projections: set[str] = set()
        self._asked_attentions = False
        self._with_attentions = False
        self._later_mask: Any = None
        self._next_mask: Any = None
        self._grids: Optional[list[tuple[int, int]]] = None
        self._pixels: Optional[tuple[int, ...]] = None
        # Of pictures that are given as lists of patches: rows and columns of each, and which are no padding.
        self._patch_lists: Optional[tuple[list[list[int]], Any]] = None
        # [batch, patches] of the place that each patch has where a model has shuffled them.
        self._restored: Any = None
        self._heard: Optional[_sound.Sound] = None
        self._spectrogram: Optional[list[str]] = None
        self._encodes = False
        # Whether anything of the pass was given what an encoder made.
        self._encoder_state = False
        self._guessed = False
        self._sides_of_pass: set[tuple[str, str]] = set()
        self._heads_seen = 0
        self._heads_expected = 0

    # What is seen

    def _begin_pass(self, module: Any, found: dict[str, Any]) -> None:
        cache = _models.find_cache(found)
        past = _length(cache)
        run = self._run
        of_encoder = {} if run is None else {mark: layer for mark, layer in run.layers.items() if _is_encoder(layer.name)}
        only_encoder = run is not None and len(of_encoder) == len(run.layers)
        # What generate() has let an encoder or a tower that sees make of its inputs before the first pass.
        encoded = any(found.get(name) is not None for name in ("encoder_outputs", "mm_encoder_outputs"))
        # Of several inputs that were encoded ahead, the last belongs to this text only where it is given what became of that.
        encoded = encoded and run is not None and (run in (self._generating or ()) or _models.is_given(found, run.state))
        goes_on = run is not None and past > 0 and self._goes_on(run, cache, past)
        if past > 0 and not goes_on and not (encoded and only_encoder) and self._generating:
            raise CaptureError(OTHER_TEXT)
        if run is None or not (goes_on or (encoded and only_encoder)):
            # Without a cache each step reads all of the text once more; the last has all but what an encoder made of its input
            # before the first. Whoever asks the encoder anew, as Whisper does of each window, begins another text.
            before = run if self._generating is not None and run is not None and run in self._generating else None
            if before is not None and before.cache is None and not _is_encoder(self._modules.get(id(module), "")):
                self._read_on(before, found)
                self._run = None
            else:
                self._flush()
                before = self._prompt = None
            self._run = run = Run()
            if before is not None and encoded:
                run.layers.update(of_encoder)
                run.sides.update({name: side for name, side in before.sides.items() if name == "encoder"})
            main: Any = found.get(getattr(module, "main_input_name", ""))
            run.given = int(main.shape[0]) if getattr(main, "dim", int)() > 1 else 0
        assert run is not None
        if self._generating is not None:
            self._generating[:] = [run]
        if cache is not None:
            if any("Quant" in type(part).__name__ or "Fp8" in type(part).__name__ for part in (cache, *getattr(cache, "layers", ()))):
                raise CaptureError("keys of a quantized cache change while they wait; capture with another cache")
            run.cache = cache
        self._past = past
        memory = found.get("mems")
        self._memory = int(memory[0].shape[0]) if isinstance(memory, (list, tuple)) and memory and memory[0] is not None else 0
        self._fresh = 0
        self._times, self._repeated, self._numbers, self._asked = {}, {}, {}, None
        self._apart = set()
        self._parts = {self._modules.get(id(module), ""): cache}
        self._masks = {}
        run.passes += 1
        if self._next_mask is not None:
            # generate() prepares a pass before the text that ended with the last one is written.
            self._later_mask, self._next_mask = self._next_mask, None
        self._sides_of_pass = set()
        self._encoder_state = False

    @staticmethod
    def _goes_on(run: Run, cache: Any, past: int) -> bool:
        """Whether a pass with this cache is the run's next step."""
        if any(one is not None and _of_self(one) is _of_self(cache) for one in (run.cache, run.made)):
            return True
        if isinstance(cache, tuple) and isinstance(run.made, tuple):
            # Older caches are tuples, of the tensors that the step before gave.
            return _models.first_tensor(cache) is _models.first_tensor(run.made)
        return isinstance(cache, tuple) and any(layer.total == past for layer in run.layers.values())

    def _read_on(self, before: Run, found: dict[str, Any]) -> None:
        """That a step of a generation without a cache reads what the first did; in place of its last token models may have had another."""
        side = before.sides.get("decoder" if self._encoder_decoder else "")
        prompt = self._prompt = side.ids[0] if self._prompt is None and side is not None and side.ids else self._prompt
        ids = found.get("decoder_input_ids" if self._encoder_decoder else "input_ids")
        if prompt is None or ids is None or ids.dim() != 2:
            return
        rows, n = prompt.shape
        if ids.shape[0] != rows or ids.shape[1] < n or not np.array_equal(ids[:, :n - 1].detach().cpu().numpy(), prompt[:, :-1]):
            raise CaptureError(OTHER_TEXT)

    def _pre_forward(self, module: Any, args: Any, kwargs: Any) -> Any:
        if self._ended or _patches.in_backward():
            return None
        found = _bind(module, args, kwargs)
        self._one_thread()
        if module is self._model and self._depth:
            # An interrupt, which no hook is told of, has ended the call before.
            self._drop_pass()
        self._depth += 1
        if self._depth == 1:
            self._handled = sys.exc_info()[1]
            self._begin_pass(module, found)
            if self._with_attentions:
                self._asked_attentions = bool(found.get("output_attentions") or getattr(self._config, "output_attentions", False))
                kwargs = {**kwargs, "output_attentions": True}
                if "return_dict" in kwargs and kwargs["return_dict"] is False:
                    raise CaptureError(f"{type(self._model).__name__} gives its attention in the outputs only; leave out return_dict=False")
        else:
            self._enter_part(module, found)
        self._encoder_state = self._encoder_state or _models.has_encoder_state(found)
        self._note_tokens(self._modules.get(id(module), ""), found)
        self._heard = _sound.hear(module, found) or self._heard
        self._spectrogram = _sound.patch_names(module, found) or self._spectrogram
        self._encodes = self._encodes or (self._encoder_decoder and _models.half(self._modules.get(id(module), "")) == "encoder")
        return args, kwargs

    def _enter_part(self, module: Any, found: dict[str, Any]) -> None:
        """A model within the model: where it is called twice in a call, as to compare two texts, each text is an example."""
        name = self._modules.get(id(module), "")
        again = name in self._parts
        cache = self._parts.setdefault(name, _models.find_cache(found))
        if not again or self._run is None or (self._config is getattr(self._model, "config", None) and _models.NO_TEXT.search(name)):
            # A tower beside a text that is asked of each picture is left out in the end.
            return
        inside = [layer.name.startswith(f"{name}.") for layer in self._run.layers.values()]
        if not any(inside):
            return
        if not all(inside):
            raise CaptureError(f"{name} is called several times in a call of {type(self._model).__name__}, and others are beside it: which of its texts "
                               "belongs to them is not told; give capture() that module")
        if self._run.cache is None:
            # A loop within the call goes on with the text whose cache it was given.
            self._run.cache = cache
        self._begin_pass(module, found)

    def _post_forward(self, module: Any, args: Any, kwargs: Any, output: Any) -> Any:
        if self._ended or not self._depth or threading.get_ident() != self._thread or _patches.in_backward():
            return None
        self._depth -= 1
        self._restored = _models.find_restored(output) if self._restored is None else self._restored
        if self._depth == 0 and self._run is not None and output is not None:
            self._run.made = _models.find_made_cache(output)
            self._run.state = _models.find_state(output) if _is_encoder(self._modules.get(id(module), "")) else None
        if self._depth == 0 and output is None and sys.exc_info()[1] is not self._handled:
            self._drop_pass()
        if self._depth == 0 and self._with_attentions and output is not None:
            return self._take_attentions(self._modules.get(id(module), ""), output)
        return None

    def _one_thread(self) -> None:
        if not self._depth and not self._stack:
            self._thread = threading.get_ident()
        elif self._thread != threading.get_ident():
            raise CaptureError(f"two threads call {type(self._model).__name__} at once, and capture() follows one call at a time")

    def _drop_pass(self) -> None:
        """Forgets a run whose last call did not end: some of its layers have seen what others have not."""
        self._depth = 0
        self._stack.clear()
        self._inside = False
        self._left_out = True
        if self._run is not None:
            if self._run.layers:
                warnings.warn(f"a call of {type(self._model).__name__} ended with an exception: what led to it is not written", stacklevel=3)
            self._run = None
        self._heard = self._spectrogram = self._later_mask = self._next_mask = self._grids = self._pixels = self._patch_lists = self._restored = None
        self._encodes = False

    def _note_tokens(self, name: str, found: dict[str, Any]) -> None:
        if self._run is None:
            return
        half = _models.half(name) if name else ""
        pairs = [("input_ids", "attention_mask", half)]
        if self._encoder_decoder and not half:
            pairs = [("input_ids", "attention_mask", "encoder"), ("decoder_input_ids", "decoder_attention_mask", "decoder")]
        elif _models.NO_TEXT.search(name):
            pairs = []
        for of_ids, of_mask, side_name in pairs:
            side = self._run.sides.setdefault(side_name, Side())
            ids, mask = found.get(of_ids), found.get(of_mask)
            if ids is not None and getattr(ids, "dim", lambda: 0)() == 2 and ("ids", side_name) not in self._sides_of_pass:
                self._sides_of_pass.add(("ids", side_name))
                if side_name != "encoder" or not side.ids:
                    # What a loop writes into the same tensor next is none of these. An encoder may read its input again in each step.
                    side.ids.append(np.array(ids.detach().cpu().numpy()))
            if mask is not None and getattr(mask, "dim", lambda: 0)() == 2 and ("mask", side_name) not in self._sides_of_pass:
                self._sides_of_pass.add(("mask", side_name))
                side.mask = mask.detach().cpu().numpy() != 0
        grids = found.get("image_grid_thw")
        if grids is None and self._grids is None:
            # generate() asks the tower alone, before the first pass.
            grids = found.get("grid_thw")
        if grids is not None:
            merged = int(getattr(getattr(self._config, "vision_config", None), "spatial_merge_size", 1) or 1)
            self._grids = [(int(high) // merged, int(wide) // merged) for _, high, wide in grids.tolist()]
        shapes, there = found.get("spatial_shapes"), found.get("pixel_attention_mask")
        if shapes is not None and there is not None and there.dim() == 2:
            self._patch_lists = shapes.reshape(-1, 2).tolist(), there.detach().cpu().numpy() != 0
        pixels = found.get("pixel_values")
        if pixels is not None and getattr(pixels, "dim", lambda: 0)() == 4:
            self._pixels = tuple(pixels.shape)
            self._sizes_seen.add((int(pixels.shape[2]), int(pixels.shape[3])))

    def _wants(self, name: str, layer: int) -> bool:
        """Whether a layer that is called is to be kept."""
        stack = _models.stack(name)
        self._called[stack] = max(self._called.get(stack, 0), layer + 1)
        self._layers_seen.add(layer)
        return self._layers is None or layer in self._layers

    def _wrap(self, implementation: str, inner: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(inner)
        def attention(module: Any, query: Tensor, key: Tensor, value: Tensor, attention_mask: Any = None, *args: Any, **kwargs: Any) -> Any:
            name = self._modules.get(id(module))
            if name is None or self._inside or self._ended:
                return inner(module, query, key, value, attention_mask, *args, **kwargs)
            self._inside = True
            try:
                # What the kernel compiles of itself, as flex_attention does, is compiled without a capture, too.
                with _patches.compiled() if implementation == "flex_attention" else nullcontext():
                    result = inner(module, query, key, value, attention_mask, *args, **kwargs)
            finally:
                self._inside = False
            if self._with_attentions:
                self._note_call(name, module, kwargs)
            else:
                self._registry_call(implementation, name, module, query, key, value, attention_mask, args, kwargs, result[0])
            return result

        return attention

    def _count(self, name: str, module: Any) -> tuple[int, int]:
        """Which call of a module in a pass this is, and the number of the layer, which is after those that shared weights before."""
        time = self._times.get(name, 0)
        self._times[name] = time + 1
        alike = re.sub(r"\d+", "", name)
        self._repeated[alike] = self._repeated.get(alike, 0) + (time > 0)
        number = self._numbers[name, time] = _models.number_of_call(name, module, self._repeated[alike])
        return time, number

    def _asks_again(self, name: str, query: Tensor, key: Tensor, mask: Any) -> bool:
        """Whether a module has its last weights made once more, for other values, as DiffLlama has."""
        last, self._asked = self._asked, (name, [None if one is None else weakref.ref(one) for one in (query, key, mask)])
        if last is None or last[0] != name or any((one and one()) is not given for one, given in zip(last[1], (query, key, mask))):
            return False
        if self._values:
            raise CaptureError(f"{name} gives the same weights to values of two kinds, which have no place in a file: leave out values=True")
        return True

    def _refuse_dropout(self, name: str) -> None:
        raise CaptureError(f"{name} drops weights at random, as models do in training: call model.eval() before capture()")

    def _registry_call(self, implementation: str, name: str, module: Any, query: Tensor, key: Tensor, value: Tensor, mask: Any, args: Any,
                       kwargs: dict[str, Any], out: Tensor) -> None:
        if _patches.in_backward():
            return
        if float(kwargs.get("dropout") or 0.0) > 0:
            self._refuse_dropout(name)
        if self._asks_again(name, query, key, mask):
            return
        time, number = self._count(name, module)
        if not self._wants(name, number):
            return
        window = int(kwargs.get("sliding_window") or 0)
        causal = kwargs.get("is_causal")
        causal = bool(causal if causal is not None else getattr(module, "is_causal", True))
        if "flash" in implementation:
            seen = self._flash(query, key, mask, causal, window)
        elif type(mask).__name__ == "BlockMask":
            from torch.nn.attention.flex_attention import create_mask

            dense = create_mask(mask.mask_mod, query.shape[0], 1, query.shape[2], key.shape[2], device=query.device)
            seen = _masks.Seen(_masks.rows_of(dense, query.shape[2]), dense, None)
        elif mask is None:
            # Eager functions do what a mask says and nothing else; the others are causal without one.
            causal = causal and implementation != "eager" and query.shape[2] > 1
            seen = self._flagged(query, key, causal, False, 0)
        else:
            # Of a cache with room for more, eager functions of older models cut masks that are too long.
            seen = self._masked(mask[..., :key.shape[2]], query, key)
        bias = kwargs.get("position_bias")
        if bias is not None:
            seen = _with_bias(seen, bias)
        sinks = kwargs.get("s_aux")
        if sinks is None:
            sinks = getattr(module, "sinks", None)
        scale = kwargs.get("scaling")
        if scale is None:
            scale = query.shape[-1] ** -0.5
        config = getattr(module, "config", None)
        chunked = int(getattr(config, "attention_chunk_size", 0) or 0)
        self._record(name, module, time, query, key, value, seen, float(scale), float(kwargs.get("softcap") or 0.0), sinks, window, chunked,
                     out.transpose(1, 2) if out.dim() == 4 else None)

    def _functional_call(self, query: Tensor, key: Tensor, value: Tensor, mask: Any, dropout: float, causal: bool, scale: Any, out: Tensor) -> None:
        if self._inside or self._ended or not self._stack or self._registry or self._with_attentions or threading.get_ident() != self._thread:
            return
        if _patches.in_backward():
            return
        module = self._stack[-1]
        name = self._modules[id(module)]
        if dropout > 0:
            self._refuse_dropout(name)
        if query.dim() > 4:
            raise CaptureError(f"{name or type(module).__name__} computes attention of {query.dim()} axes, not of batch, heads, queries and d")
        if query.dim() == 2:
            query, key, value, out = query[None], key[None], value[None], out[None]
        while query.dim() < 4:
            query, key, value, out = query[:, None], key[:, None], value[:, None], out[:, None]
            if mask is not None and mask.dim() == 3:
                mask = mask[:, None]
        time, number = self._count(name, module)
        if not self._wants(name, number):
            return
        seen = self._flagged(query, key, causal, False, 0) if mask is None else self._masked(mask, query, key)
        self._record(name, module, time, query, key, value, seen, float(scale if scale is not None else query.shape[-1] ** -0.5), 0.0, None, 0, 0, out)

    def _multihead_call(self, module: Any, inputs: tuple[Tensor, Tensor, Tensor], mask: Any, padding: Any, out: Tensor, weights: Optional[Tensor]) -> None:
        name = self._modules.get(id(module))
        if name is None or self._with_attentions or self._ended or (weights is None and not self._registry) or _patches.in_backward():
            return
        probes = self._registry and inputs[0] is not inputs[1] and id(module) in self._probing
        if probes and self._layers is not None:
            # It is none of the layers that numbers tell.
            return
        if module.training and module.dropout > 0:
            self._refuse_dropout(name)
        time, number = self._count(name, module)
        if not self._wants(name, number):
            return
        # Beside layers that give queries and keys, these are made of what it was given; alone, it gives its weights.
        call = _inside.multihead(module, inputs, mask, padding, out) if self._registry else None
        if call is not None:
            seen = self._flagged(call.query, call.key, False, False, 0) if call.mask is None else self._masked(call.mask, call.query, call.key)
            self._record(name, module, time, call.query, call.key, call.value, seen, call.scale, 0.0, None, 0, 0, call.out, probes=probes,
                         finish=functools.partial(_inside.project, module))
        elif weights is not None:
            self._record_weights(name, module, time, weights[None] if weights.dim() == 3 else weights)

    def _inside_call(self, name: str, module: Any, found: dict[str, Any], products: _inside.Seen) -> None:
        """A call of a module that computes weights itself."""
        time, number = self._count(name, module)
        if not self._wants(name, number):
            return
        if products.drops:
            self._refuse_dropout(name)
        if products.softmaxes != 1 or not products.before or products.after is None:
            raise CaptureError(f"{name} computes its weights in another way than is known; "
                               "load the model with attn_implementation=\"eager\" and use capture(…, store=\"eager\")")
        call = _inside.FAMILIES[type(module).__name__].read(module, found, products)
        if call.mask is None:
            seen = self._flagged(call.query, call.key, False, False, 0)
        else:
            seen = self._masked(call.mask[..., :call.key.shape[2]], call.query, call.key)
        if call.bias is not None:
            seen = _with_bias(seen, call.bias)
        self._record(name, module, time, call.query, call.key, call.value, seen, call.scale, 0.0, None, call.window, 0, call.out, call.distances)

    def _flagged(self, query: Tensor, key: Tensor, causal: bool, lower_right: bool, window: int) -> _masks.Seen:
        mark = ("flags", query.shape[2], key.shape[2], causal, lower_right, window)
        if mark not in self._masks:
            rows = [_masks.flagged_rows(query.shape[2], key.shape[2], causal, lower_right, window)]
            # Whoever needs the mask itself makes it.
            self._masks[mark] = (None, _masks.Seen(rows, None, None))
        return self._masks[mark][1]

    def _masked(self, mask: Tensor, query: Tensor, key: Tensor) -> _masks.Seen:
        """What a mask says; layers of a pass often share one."""
        # Tensors of torch.inference_mode() do not count their changes: nothing tells whether one still says what it said.
        mark = None if mask.is_inference() else (mask.data_ptr(), tuple(mask.shape), tuple(mask.stride()), mask._version, query.shape[2])
        if mark in self._masks:
            return self._masks[mark][1]
        allowed, added = _masks.split(mask.expand(*mask.shape[:-1], key.shape[2]))
        # Weights say what each head sees, and rows then what any does.
        rows = _masks.rows_of(_masks.any_head(allowed) if self._weights else allowed, query.shape[2])
        seen = _masks.Seen(rows, allowed, added)
        if mark is not None:
            self._masks[mark] = (mask, seen)
        return seen

    def _flash(self, query: Tensor, key: Tensor, mask: Any, causal: bool, window: int) -> _masks.Seen:
        import torch

        n, m = query.shape[2], key.shape[2]
        if mask is None:
            return self._flagged(query, key, causal and n > 1, True, window)
        flags = _masks.implicit(query, key, causal, True, window)
        allowed = mask.bool()[:, None, None, -m:]
        allowed = allowed.expand(-1, 1, n, -1) if flags is None else allowed & flags
        return _masks.Seen(_masks.rows_of(allowed.to(torch.bool), n), allowed, None)

    # What is kept

    def _layer(self, name: str, module: Any, time: int, probes: bool = False) -> tuple[Layer, bool]:
        """The layer of a call, and whether this is its first in the run."""
        if self._run is None or (self._depth == 0 and (self._part or not self._stack)):
            # A part of the model that is called by itself.
            self._flush()
            self._run, self._part = Run(), False
            self._past = self._fresh = 0
        mark = (name, time)
        layer = self._run.layers.get(mark)
        if layer is None:
            cross = probes or _models.is_cross(name, module)
            number = self._numbers[mark] if mark in self._numbers else _models.number_of_call(name, module, 0)
            layer = self._run.layers[mark] = Layer(name, number, "cross" if cross else "", probes=probes)
            return layer, True
        return layer, False

    def _record(self, name: str, module: Any, time: int, query: Tensor, key: Tensor, value: Tensor, seen: _masks.Seen, scale: float,
                softcap: float, sinks: Any, window: int, chunk: int, out: Optional[Tensor],
                distances: Optional[_masks.DistanceTables] = None, probes: bool = False,
                finish: Optional[Callable[[Tensor], Tensor]] = None) -> None:
        self.calls += 1
        layer, first = self._layer(name, module, time, probes)
        n, m = query.shape[2], key.shape[2]
        # An encoder, or a tower, looks at what it is given in this pass, and at nothing of a cache, which is the text's.
        alone = n == m and self._past > 0
        past = 0 if alone else self._past
        self._heads_seen = max(self._heads_seen, query.shape[1])
        config = getattr(module, "config", self._config)
        self._heads_expected = max(self._heads_expected, _models.head_count(config))
        cross = layer.kind == "cross"
        cache = self._run.cache if self._run else None
        # Queries of this pass that the layer leaves out: where layers share keys, only the last is worth computing.
        shared = cache is not None and (m >= self._fresh or not first) or (m == self._fresh and getattr(module, "is_causal", False))
        left_out = max(self._fresh - n, 0) if shared and not cross and not alone else 0
        if alone and not first and not cross:
            if self._encoder_decoder:
                # The decoder goes on with what it made of its input in the first step.
                return
            raise CaptureError(f"{name} is called again in a step of a text that goes on, as for another picture, for which there is "
                               "no place in the file; begin another capture with that step")
        if not cross and not alone and not _is_encoder(name):
            self._fresh = max(self._fresh, n)
        # Where a text looks at itself, each query stands at a key.
        if first and not cross and (m < n or (m > past + n + left_out and not _is_static(cache))):
            self._guess_cross(name, module, n, m)
            layer.kind, cross = "cross", True
        if cross:
            total, shift, new = m, 0, slice(0, m if first else 0)
            layer.offset = 0
        else:
            if not first:
                self._check_step(layer, past, query.shape[0])
            total = past + left_out + n
            shift = max(total - m, 0)
            new = slice(max(total - n - left_out - shift, 0), total - shift)
            if first:
                layer.offset = past
                new = slice(0, total - shift)
        valid = total - shift
        if first and not cross and valid < m and seen.allowed is None and seen.rows[0].high.max(initial=0) > valid:
            seen = _masks.Seen([_rule.part(rows, slice(0, n), slice(0, valid)) or rows for rows in seen.rows], None, seen.added)
        rows = [part.shifted(shift) for part in seen.rows]
        if any(part.high.max(initial=0) > total for part in rows):
            raise CaptureError(f"{name} sees keys of a cache that nothing was written to")
        if first and out is not None:
            self._check(name, query, key, value, seen, scale, softcap, sinks, out, distances, finish)
        if left_out and not self._weights:
            import torch

            layer.rows.append([_rule.Rows.between([0] * left_out, [0] * left_out)])
            layer.queries.append(self._put(torch.zeros((query.shape[0], query.shape[1], left_out, query.shape[3])), name))
        if not cross:
            if not first:
                self._check_keys(layer, key, shift)
            layer.last_keys = [(place, key[:, :, place - shift].detach().clone()) for place in {max(total // 2, shift), total - 1}]
        layer.rows.append(rows)
        layer.total = total
        if self._weights:
            allowed = _masks.allowed_rows(seen, m, query.device)
            weights = _masks.weigh(query, key, allowed, seen.added, scale, softcap, sinks)[..., :valid]
            if shift or left_out:
                import torch

                weights = torch.nn.functional.pad(weights, (shift, 0, left_out, 0))
            layer.weights.append(self._put(weights, name))
            if left_out:
                layer.rows.insert(-1, [_rule.Rows.between([0] * left_out, [0] * left_out)])
            return
        layer.scale, layer.softcap, layer.window, layer.chunk = scale, softcap, window, chunk
        if sinks is not None:
            import torch

            layer.sinks = sinks.detach().to("cpu", torch.float32, copy=True).reshape(-1).numpy()
        if seen.added is not None:
            low_distance, table = _masks.distances(seen.added[..., :valid], None if seen.allowed is None else seen.allowed[..., :valid], n,
                                                   0 if cross else total - n, shift)
            if not layer.bias.add(low_distance, np.broadcast_to(table, (query.shape[1], table.shape[1])), sinks is None):
                raise CaptureError(f"what {name} adds to scores changes from step to step; capture(…, store=\"weights\") stores the weights")
        if distances is not None and first:
            layer.distance_rows = distances.rows.cpu().numpy()
            layer.distance_keys, layer.distance_queries = (None if table is None else table.detach().float().cpu().numpy()
                                                           for table in (distances.keys, distances.queries))
        layer.queries.append(self._put(query, name))
        if new.stop > new.start:
            if first and shift:
                # Keys before the window that nobody sees any more.
                import torch

                pad = (0, 0, shift, 0)
                key, value = (torch.nn.functional.pad(x[:, :, new], pad) for x in (key, value))
                new = slice(None)
            layer.keys.append(self._put(key[:, :, new], name))
            if self._values:
                layer.values.append(self._put(value[:, :, new], name))
        if first and self._projection:
            heads, d = query.shape[1], value.shape[-1]
            projection = _models.find_projection(self._model, name, module, heads * d)
            if projection is None:
                raise CaptureError(f"no output projection is found beside {name}; leave out output_projection=True")
            layer.output_projection = _models.projection_rows(projection, heads, d, value)
            if out is not None and finish is None:
                self._check_projection(name, projection, out)

    @staticmethod
    def _check_step(layer: Layer, past: int, batch: int) -> None:
        """That a step goes on with the same texts where the last one ended."""
        if layer.total != past:
            raise CaptureError(f"the cache was cut or reordered between two steps ({layer.total} keys were seen, {past} are in it), "
                               "as beams and assistants do; capture() follows greedy search and sampling")
        if layer.batch != batch:
            raise CaptureError(f"a step reads a batch of {batch} with the cache of a batch of {layer.batch}: which text is which is not told")

    @staticmethod
    def _check_keys(layer: Layer, key: Tensor, shift: int) -> None:
        """That the keys of a cache are those that were captured, by whomever it was changed; a model may have made them anew of something shorter."""
        for place, before in layer.last_keys:
            if place >= shift:
                distance = float((key[:, :, place - shift] - before).abs().nan_to_num().max())
                if distance > TOLERANCE.get(str(key.dtype), 1e-1) / 10 * float(before.abs().nan_to_num().max()):
                    raise CaptureError(CHANGED_CACHE)

    def _guess_cross(self, name: str, module: Any, n: int, m: int) -> None:
        """Keys beyond those that passes have given are another text's only where there may be one, and not a cache's that nobody knows of."""
        own = getattr(module, "config", self._config)
        caches = bool(getattr(module, "is_causal", False)) or (own is not None and hasattr(own, "use_cache"))
        alone = not self._encoder_decoder and not self._encoder_state
        if self._config is not None and not _models.NO_TEXT.search(name) and (_models.SELF.search(name) or (caches and alone)):
            if not alone:
                raise CaptureError(f"{name} looks at {m} keys with {n} queries, as where an encoder's are beside its own in one softmax, for which a file with "
                                   "queries and keys has no place; load the model with attn_implementation=\"eager\" and use capture(…, store=\"eager\")")
            raise CaptureError(f"{name} looks at {m} keys with {n} queries, and {type(self._model).__name__} was given neither a cache that is known here nor "
                               "what an encoder made: whose keys they are is not told")
        if self._config is None and not self._guessed:
            self._guessed = True
            warnings.warn(f"{name} looks at {m} keys with {n} queries: it is taken for cross attention; keys of a cache of the model's own are not followed",
                          stacklevel=4)

    def _given_weights(self, name: str, weights: Tensor) -> Tensor:
        """Weights of a self-attention that a model gives in its outputs, as [batch, heads, queries, all keys]."""
        import torch

        n, m = weights.shape[2:]
        keys = self._past + self._memory + n
        cache = self._run.cache if self._run else None
        if m > keys and _is_static(cache):
            return weights[..., :keys]
        if m < keys and self._past:
            # A cache that has forgotten what stands before the window.
            return torch.nn.functional.pad(weights, (keys - m, 0))
        if m != keys:
            raise CaptureError(f"{type(self._model).__name__} gives {n} × {m} weights for {n} queries and {keys} keys ({name}): which keys they belong to, "
                               "as in windows and chunks, is not told")
        return weights

    def _record_weights(self, name: str, module: Any, time: int, weights: Tensor) -> None:
        import torch

        self.calls += 1
        # No softmax gives more than 1 in a row, but one of which some is dropped and the rest made larger.
        if bool((weights.sum(-1, dtype=torch.float32) > 1.005).any()) and any(part.training for part in self._model.modules()):
            self._refuse_dropout(name)
        layer, first = self._layer(name, module, time)
        cross = layer.kind == "cross"
        if first:
            layer.offset = 0 if cross else self._past + self._memory
        elif not cross:
            self._check_step(layer, self._past + self._memory, weights.shape[0])
        layer.total = weights.shape[3] if cross else max(layer.total, weights.shape[3])
        layer.weights.append(self._put(weights, name))
        layer.rows.append([_rule.Rows.of(item) for item in (weights > 0).any(1).cpu().numpy()])

    def _check(self, name: str, query: Tensor, key: Tensor, value: Tensor, seen: _masks.Seen, scale: float, softcap: float, sinks: Any,
               out: Tensor, distances: Optional[_masks.DistanceTables], finish: Optional[Callable[[Tensor], Tensor]]) -> None:
        """A row in the middle and the last one, by what was captured, against what the model computed, behind what `finish` does."""
        import torch

        # What is only compared needs no gradients, whatever the model's caller wants of them.
        query, key, value, out = query.detach(), key.detach(), value.detach(), out.detach()
        n = query.shape[2]
        some = torch.tensor(sorted({n // 2, n - 1}), device=query.device)
        allowed = _masks.allowed_rows(seen, key.shape[2], query.device, some)[:1]
        added = None if seen.added is None else _masks.rows(seen.added, some)[:1]
        positional = None if distances is None else distances.scores(query[:1, :, some], key[:1], n, some)
        weights = _masks.weigh(query[:1, :, some], key[:1], allowed, added, scale, softcap, sinks, positional)
        found = _masks.grouped(weights, value[:1].float())
        found = found if finish is None else finish(found).detach()
        wanted = out[:1, :, some].float()
        if found.shape == wanted.shape:
            # What is no number, or too large for one, is so in the file; the others are compared.
            finite = found.isfinite() & wanted.isfinite()
            found, wanted = torch.where(finite, found, 0.0), torch.where(finite, wanted, 0.0)
        # Where nothing is seen, kernels differ in what they make of it.
        kept = weights.sum(-1, keepdim=True) > 0
        distance = float(torch.where(kept, (found - wanted).abs(), 0.0).max()) if found.shape == wanted.shape else float("inf")
        # Queries and keys may be widened before they are multiplied, as GPT-J's are; its values are not.
        tolerance = max(TOLERANCE.get(str(tensor.dtype), 1e-1) for tensor in (query, value, out))
        if not distance <= tolerance * max(float(wanted.abs().max()), 1e-3):
            advice = "" if self._config is None else '; load the model with attn_implementation="eager" and use capture(…, store="eager")'
            raise CaptureError(f"what {name} computes does not follow from its queries and keys by a rule that a file can say{advice}")

    def _check_projection(self, name: str, projection: Any, out: Tensor) -> None:
        """That the projection of a module, when it is called next, is given the results of the heads as they are."""
        if name in self._projections:
            return
        self._projections.add(name)
        batch, n = out.shape[0], out.shape[2]
        wanted, tolerance = out[0, :, -1].detach().flatten().float().nan_to_num(), TOLERANCE.get(str(out.dtype), 1e-1)

        def compare(_: Any, args: Any, kwargs: Any) -> None:
            handle.remove()
            given = next(iter((*args, *kwargs.values()))).detach()
            given = given.to_local() if hasattr(given, "to_local") else given
            fits = given.numel() == batch * n * wanted.numel()
            distance = float((given.reshape(batch, n, -1)[0, -1].float().nan_to_num() - wanted).abs().max()) if fits else float("inf")
            if not distance <= tolerance * max(float(wanted.abs().max()), 1e-3):
                raise CaptureError(f"what {name} adds is not its heads' results times the rows of its output projection, as where a gate or a norm stands "
                                   "between; leave out output_projection=True")

        # Before what hooks of others make of it, such as those of ranks.
        handle = projection.register_forward_pre_hook(compare, prepend=True, with_kwargs=True)
        self._hooks.enter_context(_removed(handle))

    def _put(self, tensor: Tensor, name: str) -> Any:
        import torch

        if hasattr(tensor, "to_local"):
            tensor = tensor.to_local()
        wanted = torch.float16 if self._dtype == "float16" else torch.float32
        # A copy: what NumPy has seen cannot be resized any more, as FSDP does to its own.
        moved = tensor.detach().to("cpu", wanted, copy=True, memory_format=torch.contiguous_format)
        if self._dtype == "float16" and not bool(torch.isfinite(moved.sum(dtype=torch.float32))) and bool(torch.isinf(moved).any()):
            raise too_large(name)
        return self._spool.put(moved.numpy())

    def _take_attentions(self, caller: str, output: Any) -> Any:
        """Weights out of the outputs of a model, or of its encoder that is called first; outputs then are what they would have been."""
        taken = {}
        computed = self._apart | {name for name, _ in self._numbers}
        if not hasattr(output, "keys"):
            raise CaptureError(f"{type(self._model).__name__} gives its attention in the outputs only; leave out return_dict=False")
        for field, kind in (("attentions", "encoder" if self._encoder_decoder and _is_encoder(caller) else "main"), ("encoder_attentions", "encoder"), ("decoder_attentions", "decoder"), ("cross_attentions", "cross")):
            maps = output.get(field) if field in output else None
            if not maps:
                continue
            taken[field] = maps
            for number, weights in zip(self._numbers_of_maps(len(maps)) if kind == "main" else range(len(maps)), maps):
                name = f"{'encoder' if kind == 'encoder' else 'decoder' if self._encoder_decoder else 'layers'}.{number}"
                if weights is None or not self._wants(name, number):
                    continue
                if isinstance(weights, (tuple, list)):
                    raise CaptureError(f"{type(self._model).__name__} gives {len(weights)} maps of one layer, as of two streams: a file has a place for one")
                if weights.dim() != 4:
                    raise CaptureError(f"{type(self._model).__name__} gives attention of {weights.dim()} axes, not of batch, heads, queries and keys")
                depth, self._depth = self._depth, 1
                if kind == "encoder" and self._run is not None and (f"{name}", 0) in self._run.layers:
                    self._depth = depth
                    continue
                if kind == "cross":
                    self._record_weights(f"{name}.cross_attention", self._model, 0, weights)
                else:
                    # Of an encoder, all that it was given is there at once.
                    past, self._past = self._past, 0 if kind == "encoder" else self._past
                    self._record_weights(name, self._model, 0, self._given_weights(name, weights))
                    self._past = past
                self._depth = depth
        given = sum(weights is not None for maps in taken.values() for weights in maps)
        if 0 < given < len(computed) and self._layers is None and not self._said:
            self._said |= computed
            warnings.warn(f"{type(self._model).__name__} gives the weights of {given} of {len(computed)} modules that compute attention: the others are "
                          "left out", stacklevel=5)
        if self._asked_attentions or not taken:
            return None
        return type(output)(**{key: value for key, value in output.items() if key not in taken})

    def _softmax_call(self, scores: Tensor) -> None:
        """Weights that a module makes by itself, beside those that pass by."""
        if self._inside or self._ended or not self._depth or getattr(scores, "dim", int)() < 3 or threading.get_ident() != self._thread:
            return
        name = _patches.find_caller(self._modules)
        if name is None or self._run is None:
            return
        if ATTENTION.search(name):
            self._apart.add(name)
        if self._layers is None or _models.number_of_call(name, None, 0) in self._layers:
            self._run.apart.setdefault(name, set()).add((scores.shape[-2], scores.shape[-1]))

    def _warn_of_apart(self, names: set[str]) -> None:
        """Says once of each stack that its attention does not pass by."""
        stacks = {_models.stack(name) for name in names} - self._said
        self._said |= stacks
        if stacks:
            warnings.warn(f"{type(self._model).__name__} computes attention in a way of its own in {' and '.join(sorted(stacks))}: it is left out",
                          stacklevel=5)

    def _note_call(self, name: str, module: Any, kwargs: dict[str, Any]) -> None:
        """A call whose weights are those that the model gives in its outputs."""
        if float(kwargs.get("dropout") or 0.0) > 0:
            self._refuse_dropout(name)
        self._count(name, module)

    def _numbers_of_maps(self, count: int) -> list[int]:
        """The numbers of layers whose weights a model gives, which leaves out those without attention."""
        numbers = [number for (name, _), number in self._numbers.items() if not (_models.NO_TEXT.search(name) or _models.CROSS.search(name))]
        if len(numbers) == count == len(set(numbers)):
            return numbers
        layers = self._file.attributes.get("layers", 0)
        if count < layers:
            raise CaptureError(f"{type(self._model).__name__} gives the attention of {count} of its {layers} layers: which ones they are is not told")
        return list(range(count))

    # What is written

    def _flush(self) -> None:
        """Writes the run that has ended."""
        run, self._run = self._run, None
        if run is None or not run.layers:
            return
        try:
            self._write(run)
        except BaseException:
            self._left_out = True
            raise
        finally:
            self._spool.clear()
            self._later_mask = self._grids = self._pixels = self._patch_lists = self._restored = self._heard = self._spectrogram = None
            self._encodes = False

    def _write(self, run: Run) -> None:
        self._drop_parts(run)
        marks = list(run.layers)
        layers = [run.layers[mark] for mark in marks]
        probes = [layer for layer in layers if layer.probes]
        kinds = _models.assign_kinds([(layer.name, layer.kind == "cross") for layer in layers if not layer.probes], self._encoder_decoder)
        if probes:
            marks, layers, kinds = self._place_probes(run, kinds)
        for layer, kind in zip(layers, kinds):
            layer.kind = kind
        self._check_parts(run, layers, set(kinds))
        for kind in set(kinds):
            some = [(mark, layer) for mark, layer in zip(marks, layers) if layer.kind == kind]
            if self._layers is None:
                for (_, layer), number in zip(some, _models.numbers([mark[0] for mark, _ in some], [mark[1] for mark, _ in some])):
                    layer.number = number
            elif len({layer.number for _, layer in some}) < len(some):
                raise CaptureError("the numbers in the names of these modules do not tell layers apart: leave out layers=")
            else:
                run.called[kind] = max(self._called[_models.stack(layer.name)] for _, layer in some)
        mixed = {bool(layer.weights) for layer in layers if layer.queries or layer.weights}
        if len(mixed) > 1:
            raise CaptureError("some layers give queries and keys, others only weights: use capture(…, store=\"weights\")")
        # What is called attention, or has as many queries and keys as what is.
        shapes = {(layer.query_count, layer.total) for layer in layers}
        apart = {name for name, found in run.apart.items() if (ATTENTION.search(name) or found & shapes)
                 and not any(f"{name}.".startswith(f"{layer.name}.") for layer in layers)}
        if apart and not self._with_attentions:
            self._warn_of_apart(apart)
        elif self._encodes and self._layers is None and "encoder" not in kinds:
            warnings.warn(f"the encoder of {type(self._model).__name__} computes attention in a way of its own: only the decoder's is captured", stacklevel=4)
        self._name_sides(run, set(kinds))
        run.tower = set(kinds) == {""} and self._has_text_beside() and all(_models.NO_TEXT.search(layer.name) for layer in layers)
        run.towers = not self._encoder_decoder and set(kinds) == {"encoder", "decoder"}
        if any(layer.probes for layer in layers):
            run.sides["decoder"] = Side(names=_models.probe_names(next(layer.query_count for layer in layers if layer.probes)))
        self._file.add(run, self._spool)
        self.examples = self._file.examples

    def _has_text_beside(self) -> bool:
        return self._config is not None and self._config.get_text_config() is not self._config

    def _check_parts(self, run: Run, layers: list[Layer], kinds: set[str]) -> None:
        """That layers look at the same texts or pictures; and where they look at parts of these by themselves, says so."""
        for kind in kinds:
            batches = {layer.batch: layer for layer in layers if layer.kind == kind}
            if len(batches) > 1:
                raise CaptureError("layers differ in how many parts of their input they look at by themselves, as at windows, whose places are not told: "
                                   f"{', '.join(f'{layer.name} ({batch})' for batch, layer in list(batches.items())[:4])}")
        batch, side = layers[0].batch, run.sides.get("")
        texts = side.ids[0].shape[0] if side is not None and side.ids else 0
        if kinds == {""} and run.given and batch > run.given and batch % run.given == 0 and batch != texts:
            warnings.warn(f"{type(self._model).__name__} looks at {batch // run.given} parts of each input by themselves, as at windows, frames or channels: "
                          "each is an example of its own, and its place is not told", stacklevel=5)

    def _drop_parts(self, run: Run) -> None:
        """Leaves out a tower beside a text that calls a module again and again, as Qwen's of each picture or window: places of parts in one map are not told."""
        tower = {mark for mark in run.layers if _models.NO_TEXT.search(mark[0])}
        again = next((name for name, time in tower if time), None)
        if again is None or len(tower) == len(run.layers):
            return
        warnings.warn(f"{again} looks at pictures or parts of them one by one, whose places in one map are not told: what sees is left out, and the text is "
                      "written", stacklevel=5)
        for mark in tower:
            del run.layers[mark]

    def _place_probes(self, run: Run, kinds: list[str]) -> tuple[list[Any], list[Layer], list[str]]:
        """Marks, layers and kinds: beside one tower, its layers are an encoder's, and what gathers its tokens looks at them; a text has the place of these."""
        probes = {mark: layer for mark, layer in run.layers.items() if layer.probes}
        others = {mark: layer for mark, layer in run.layers.items() if not layer.probes}
        if set(kinds) <= {""} and len(probes) == 1:
            return [*others, *probes], [*others.values(), *probes.values()], ["encoder"] * len(others) + ["cross"]
        for mark, layer in probes.items():
            warnings.warn(f"{layer.name} looks at the picture from a query of its own, for which there is no place beside those of a text: it is left out; "
                          "capture the part of the model that sees to have it", stacklevel=4)
            del run.layers[mark]
        return list(others), list(others.values()), kinds

    def _name_sides(self, run: Run, kinds: set[str]) -> None:
        if not self._encoder_decoder and "" in run.sides and "" not in kinds:
            # Of a picture and a text, the text is what has token numbers.
            run.sides["decoder"] = run.sides.pop("")
        for kind, read in run.sides.items():
            totals = {layer.total for layer in run.layers.values() if layer.kind == kind}
            if totals and sum(ids.shape[1] for ids in read.ids) not in totals:
                # Nobody tells the tokens of keys that were in a cache before, and so not whose keys the others are.
                read.ids = []
        later = self._later_mask
        if later is not None:
            side = run.sides.setdefault("decoder" if "decoder" in kinds else "", Side())
            if side.mask is None or side.mask.shape[1] < later.shape[1]:
                side.mask = later
        token = getattr(self._config, "image_token_id", None)
        token = getattr(self._config, "image_token_index", None) if token is None else token
        text_side = run.sides.get("decoder" if "decoder" in kinds else "")
        if isinstance(token, int) and text_side is not None:
            text_side.image_token, text_side.grids = token, self._grids
        if self._heard is not None:
            self._name_sounds(run, kinds, self._heard)
        if self._spectrogram is not None and {layer.total for layer in run.layers.values()} == {len(self._spectrogram)}:
            run.sides.setdefault("", Side()).names = self._spectrogram
        kind = "encoder" if kinds & {"encoder", "cross"} else ""
        seeing = next((layer for layer in run.layers.values() if layer.kind in ((kind, "cross") if kind else ("",))), None)
        if seeing is not None and (self._pixels is not None or self._patch_lists is not None):
            config = _models.find_vision_config(self._config)
            side = run.sides.setdefault(kind, Side())
            if self._patch_lists is not None and not side.ids and self._patch_lists[1].shape == (seeing.batch, seeing.total):
                side.names_of_items, side.mask = _models.names_in_lists(*self._patch_lists), self._patch_lists[1]
            elif self._pixels is not None and not side.ids and self._restored is not None:
                side.names_of_items = _models.names_in_order(self._restored, seeing.total, self._pixels, config)
            elif self._pixels is not None and not side.ids:
                side.names = _models.patch_names(seeing.total, self._pixels, config)

    def _name_sounds(self, run: Run, kinds: set[str], sound: _sound.Sound) -> None:
        kind = "encoder" if kinds & {"encoder", "cross"} else ""
        lengths = {layer.total for layer in run.layers.values() if layer.kind in (kind, "cross" if kind else kind)}
        batches = {layer.batch for layer in run.layers.values()}
        if len(lengths) != 1:
            return
        n = lengths.pop()
        side = run.sides.setdefault(kind, Side())
        if side.mask is not None and side.mask.shape[1] != n:
            # Of samples or frames, of which many become one token.
            side.mask = sound.mask(side.mask, n)
        # Of a sound in several pieces, where each of them begins is not told.
        if batches == {sound.batch} and not side.ids:
            if self._extractor is None:
                self._extractor = _sound.load_extractor(self._config)
            side.starts = _sound.find_starts(sound, self._extractor, n)

    # Beginning and end

    def __del__(self) -> None:
        if not self._entered:
            warnings.warn("headlight.capture(…) was called without with, and captured nothing", ResourceWarning, stacklevel=2)

    @contextmanager
    def _open(self) -> Iterator["Capture"]:
        if self._entered:
            raise CaptureError("what capture() gives is for one with statement: call capture() again for another file")
        self._entered = True
        self._owner = self._thread = threading.get_ident()
        patches = ExitStack()
        with _lock:
            if _under_way and _under_way[0][0]._owner != self._owner:
                raise CaptureError(f"another thread captures {type(_under_way[0][0]._model).__name__}: captures of several threads follow one another")
            _under_way.append((self, patches))
        try:
            with self._writing():
                try:
                    self._install(patches)
                    yield self
                finally:
                    self._end()
        finally:
            self._end()

    def _end(self) -> None:
        """Takes patches back, unless those of a capture that began later lie over them; then that one does when it ends."""
        self._ended = True
        with _lock:
            while _under_way and _under_way[-1][0]._ended:
                _under_way.pop()[1].close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        rank, ranks = _ranks.find()
        attributes = self._attributes()
        if ranks > 1:
            # At the beginning, as who keeps the name may be gone at the end.
            run = _ranks.name_run(self.path)
            self.path = _ranks.path_of(self.path, rank)
            if run is not None:
                attributes["run"] = run
        names = None if self._tokenizer is None else lambda ids: self._tokenizer.convert_ids_to_tokens([int(x) for x in ids])
        # Where the path is a link, the file that it leads to is written.
        self._file = DumpFile(_disk.follow(self.path), self._dtype, attributes, names, self._compression)
        self._file.images = self._image
        self._file.chosen = self._layers
        finished = False
        try:
            self._spool = Spool(os.path.dirname(self._file.path))
            yield
            if self._depth or self._stack:
                self._drop_pass()
            self._flush()
            if not self._file.examples:
                raise CaptureError(self._why_nothing())
            self._warn_of_layers()
            self._warn_of_image()
            self._finish(rank, ranks)
            finished = True
        finally:
            self._run = None
            self._masks = {}
            if not finished:
                self._file.discard()
            if hasattr(self, "_spool"):
                self._spool.close()

    def _warn_of_layers(self) -> None:
        missing = sorted((self._layers or set()) - self._layers_seen)
        if missing:
            one = len(missing) == 1
            warnings.warn(f"{'layer' if one else 'layers'} {', '.join(map(str, missing))} of layers= {'was' if one else 'were'} not called with "
                          f"attention; the layers that were: {_spans(sorted(self._layers_seen))}", stacklevel=6)

    def _warn_of_image(self) -> None:
        """A picture of another shape than what the model was given was cut or squeezed on the way, and nothing tells which."""
        odd = _images.find_odd(self._image, self._sizes_seen)
        if odd is not None:
            (high, wide), sizes = odd, " and ".join(f"{w} × {h}" for h, w in sorted(self._sizes_seen))
            warnings.warn(f"the picture is of {wide} × {high} pixels, and the model was given {sizes}: patches are shown as if all of it had been squeezed into "
                          "that; where a processor cuts, give image= what it leaves", stacklevel=6)

    def _finish(self, rank: int, ranks: int) -> None:
        attributes = self._file.attributes
        if ranks > 1:
            sharding, beside = self._sharding, 1
            if sharding is None:
                beside = _ranks.heads_beside(self._model, rank, ranks, self._heads_seen, self._heads_expected)
                sharding = "heads" if beside == ranks else "examples"
            attributes.update(rank=rank, ranks=ranks, sharding=sharding)
            if sharding == "examples":
                self._file.example_prefix = f"{rank // beside}."
                if beside > 1:
                    attributes["head_ranks"] = beside
        self._file.finish()

    def _attributes(self) -> dict[str, Any]:
        attributes: dict[str, Any] = {"model": type(self._model).__name__}
        config = self._config
        if config is not None:
            attributes["model"] = getattr(config, "_name_or_path", "") or type(self._model).__name__
            text = config.get_text_config()
            # Where there are two stacks, or one of them, it does not tell which one has as many.
            if not _models.is_encoder_decoder(config):
                layers = getattr(text, "num_hidden_layers", None)
                if isinstance(layers, int):
                    attributes["layers"] = layers
                types = getattr(text, "layer_types", None)
                if isinstance(types, (list, tuple)) and len(types) == layers:
                    attributes["layer_types"] = [str(x) for x in types]
        if self._text is not None:
            attributes["text"] = self._text
        return attributes

    def _uses_registry(self) -> bool:
        """Whether any class of the model asks transformers' registry for its attention."""
        # The class that all models are of holds the registry, too.
        files = {kind.__module__ for base in self._model.modules() if hasattr(base, "config") for kind in type(base).__mro__}
        return any(hasattr(sys.modules.get(name), "ALL_ATTENTION_FUNCTIONS") for name in files - {"transformers.modeling_utils"})

    def _install(self, stack: ExitStack) -> None:
        import torch

        self._hooks, model = stack, self._model
        of_transformers = self._config is not None
        registry = self._registry = _patches.registry(stack, self._wrap) and of_transformers and self._uses_registry()
        eager = of_transformers and getattr(self._config, "_attn_implementation", None) in (None, "eager")
        if self._eager and not eager:
            raise CaptureError("store=\"eager\" needs a model of transformers that was loaded with attn_implementation=\"eager\"")
        inside = _inside.find(model) if eager and not registry and not self._eager and not self._weights else {}
        self._with_attentions = self._eager or (eager and not registry and not inside)
        if self._with_attentions and not self._eager and not self._weights:
            warnings.warn(f"no rule tells the weights of {type(model).__name__} from queries and keys: it gives its own weights, which are written as they "
                          "are and grow with the square of the length; store=\"eager\" asks for them", stacklevel=4)
        self._fast = bool(getattr(torch.backends, "mha", None) and torch.backends.mha.get_fastpath_enabled()) or None
        for name, module in inside.items():
            stack.enter_context(_patches.replaced(module, "forward", self._watch(_models.plain(name), module)))
        if not inside:
            _patches.softmaxes(stack, model, self._softmax_call)
        _patches.functional(stack, model, self._functional_call, self._multihead_call)
        _patches.beams(stack, self._refuse_reordering)
        _patches.uncompiled(stack)
        if self._compiled:
            warnings.warn("headlight.capture runs this model as it was written, without what torch.compile made of it: outputs may differ "
                          "from the compiled model's in their last bits", stacklevel=4)
        bases = [module for name, module in model.named_modules() if name == "" or hasattr(module, "main_input_name")]
        for module in bases:
            stack.enter_context(_removed(module.register_forward_pre_hook(self._pre_forward, with_kwargs=True)))
            stack.enter_context(_removed(module.register_forward_hook(self._post_forward, with_kwargs=True, always_call=True)))
        for module in model.modules():
            stack.enter_context(_removed(module.register_forward_pre_hook(self._enter_module, prepend=True)))
            stack.enter_context(_removed(module.register_forward_hook(self._leave_module, always_call=True)))
        if callable(getattr(model, "generate", None)):
            generate = model.generate

            @functools.wraps(generate)
            def counted(*args: Any, **kwargs: Any) -> Any:
                if self._generating is None and self._depth and threading.get_ident() == self._thread:
                    self._drop_pass()
                before, self._generating = self._generating, []
                try:
                    return generate(*args, **kwargs)
                finally:
                    self._generating, self._next_mask = before, None

            stack.enter_context(_patches.replaced(model, "generate", counted))
        detect = getattr(model, "detect_language", None)
        if callable(detect):
            @functools.wraps(detect)
            def detected(*args: Any, **kwargs: Any) -> Any:
                found = detect(*args, **kwargs)
                if self._generating is not None:
                    # What generate() asks beforehand is no text.
                    self._run = None
                return found

            stack.enter_context(_patches.replaced(model, "detect_language", detected))
        prepare = getattr(model, "prepare_inputs_for_generation", None)
        if prepare is not None:
            @functools.wraps(prepare)
            def prepared(*args: Any, **kwargs: Any) -> Any:
                mask = kwargs.get("attention_mask")
                if self._generating is not None and not self._encoder_decoder and mask is not None and getattr(mask, "dim", lambda: 0)() == 2:
                    self._next_mask = mask.detach().cpu().numpy() != 0
                return prepare(*args, **kwargs)

            stack.enter_context(_patches.replaced(model, "prepare_inputs_for_generation", prepared))

    def _watch(self, name: str, module: Any) -> Callable[..., Any]:
        forward = module.forward

        @functools.wraps(forward)
        def watched(*args: Any, **kwargs: Any) -> Any:
            if self._ended or _patches.in_backward():
                return forward(*args, **kwargs)
            found = _bind(module, args, kwargs)
            with _inside.watching() as products:
                result = forward(*args, **kwargs)
            self._inside_call(name, module, found, products)
            return result

        return watched

    def _refuse_reordering(self, changed: Any, beams: bool) -> None:
        """Says that a cache, or a layer of one, is changed that the run goes on with."""
        caches = [] if self._run is None or self._ended else [_of_self(cache) for cache in (self._run.cache, self._run.made)]
        if any(one is _of_self(changed) for cache in caches if cache is not None for one in (cache, *getattr(cache, "layers", ()))):
            raise CaptureError("beam search reorders its texts while it runs; capture() follows greedy search and sampling (num_beams=1)" if beams
                               else CHANGED_CACHE)

    def _enter_module(self, module: Any, args: Any) -> None:
        if not self._ended and not _patches.in_backward():
            self._one_thread()
            if module is self._model and self._stack:
                self._drop_pass()
            if not self._stack and not self._depth:
                self._part, self._handled = True, sys.exc_info()[1]
                self._times, self._repeated, self._numbers, self._asked = {}, {}, {}, None
            self._stack.append(module)
            if self._fast and _patches.takes_fast_path(module, args):
                self._fast = None
                warnings.warn("headlight.capture switches off the fast path of PyTorch's own layers for encoders, which shows nothing of their attention: outputs "
                              "may differ in their last bits, and are others at positions of padding", stacklevel=4)

    def _leave_module(self, module: Any, args: Any, output: Any) -> None:
        # A hook before may have failed, and then this one is called all the same.
        if self._stack and self._stack[-1] is module and threading.get_ident() == self._thread:
            self._stack.pop()
            if not self._stack and not self._depth and not self._part and output is None and sys.exc_info()[1] is not self._handled:
                self._drop_pass()

    def _why_nothing(self) -> str:
        name = type(self._model).__name__
        if self._left_out:
            return f"nothing was captured: a call of {name} ended with an exception, and nothing else was seen"
        if self._layers is not None and self.calls == 0:
            return f"nothing was captured: {name} was not called, or none of its layers is among layers="
        if self._with_attentions:
            return f"nothing was captured: {name} was not called, or gives no attention with output_attentions=True"
        if self._registry and self._apart:
            return (f"nothing was captured: {name} computes attention in a way of its own; load it with attn_implementation=\"eager\" and use "
                    "capture(…, store=\"eager\")")
        if self._registry:
            return f"nothing was captured: {name} was not called"
        implementation = getattr(self._config, "_attn_implementation", None)
        if self._config is not None and implementation not in (None, "eager"):
            return (f"nothing was captured: {name} was not called, or computes attention neither by transformers' registry nor by "
                    "scaled_dot_product_attention; load it with attn_implementation=\"eager\"")
        return f"nothing was captured: {name} was not called, or does not compute attention by scaled_dot_product_attention"


def _with_bias(seen: _masks.Seen, bias: Tensor) -> _masks.Seen:
    bias = bias.detach()
    added = bias if seen.added is None else bias + seen.added
    return _masks.Seen(seen.rows, seen.allowed, added if bool((bias != 0).any()) or seen.added is not None else None)


def _spans(numbers: list[int]) -> str:
    """0 to 3, 7."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1][1:] = [number]
        else:
            spans.append([number])
    return ", ".join(" to ".join(map(str, span)) for span in spans)


@contextmanager
def _removed(handle: Any) -> Iterator[None]:
    try:
        yield
    finally:
        handle.remove()


def _is_encoder(name: str) -> bool:
    """Whether a module belongs to an encoder, or to a tower beside a text."""
    return _models.half(name) == "encoder" or _models.NO_TEXT.search(name) is not None


def _of_self(cache: Any) -> Any:
    """The part of a cache that is of the text's own keys, which an encoder's and decoder's holds, and models wrap into one."""
    return getattr(cache, "self_attention_cache", cache)


def _is_static(cache: Any) -> bool:
    if cache is None:
        return False
    cache = _of_self(cache)
    return "Static" in type(cache).__name__ or any("Static" in type(layer).__name__ for layer in getattr(cache, "layers", ()))


def _length(cache: Any) -> int:
    """How many tokens a cache holds."""
    if cache is None:
        return 0
    if hasattr(cache, "get_seq_length"):
        return int(cache.get_seq_length())
    if isinstance(cache, (tuple, list)) and cache and cache[0] is not None:
        return int(cache[0][0].shape[-2])
    return 0


def _bind(module: Any, args: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a forward pass by name."""
    if not args:
        return kwargs
    try:
        signature = inspect.signature(module.forward)
        bound = signature.bind_partial(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return kwargs
    rest = next((name for name, one in signature.parameters.items() if one.kind is one.VAR_KEYWORD), "")
    return {**bound, **bound.get(rest, {})}


def capture(model: Any, path: Union[str, "os.PathLike[str]"], *, tokenizer: Any = None, processor: Any = None, layers: Optional[Iterable[int]] = None,
            dtype: str = "float16", values: bool = False, output_projection: bool = False, store: str = "qk", text: Optional[str] = None,
            image: Any = None, sharding: Optional[str] = None, compression: Optional[str] = None) -> Any:
    """Writes down the attention of all that `model` computes inside a `with` block.

    Inside the block call `model(**inputs)` or `model.generate(…)`. `path`
    appears, whole, when the block ends, and not at all when it ends with an exception. Each text, and each item of a
    batch without its padding, is an example; the steps of a generation are one map. It is for a `with` statement: a call alone
    captures nothing.

    Outputs are bit for bit what they are without a capture, but for nn.TransformerEncoder, its layers and nn.MultiheadAttention
    where PyTorch would take its fast path, which is off inside the block: then they differ in the last bits, and at padding, where
    the fast path leaves something else, as much as they are. A warning says so, and another where torch.compile is off.

    model: of transformers, or any that calls F.scaled_dot_product_attention; wrapped by DistributedDataParallel,
        fully_shard or torch.compile (which is off inside the block) or not.
    path: a .h5 or .hdf5 file; of rank 1 of several processes `run.h5` is `run.rank1.h5`.
    tokenizer: names tokens by its convert_ids_to_tokens; or a processor that holds one.
    processor: what made the inputs. Of sound its feature extractor says how long frames are, so that tokens have times; it is
        sought beside a model on this computer where it is not given. Times count from the first sample of the input.
    layers: numbers of layers, as the model counts them from 0, in an encoder and in a decoder; all otherwise, and what gathers the patches of SigLIP,
        which is none. The file tells the others from layers without attention. A warning names those that were not called.
    dtype: "float16" or "float32".
    values: with the values.
    output_projection: with the rows of the output projection, so that with values what a key adds to the stream is known; with those of an adapter,
        too. Where a gate or a norm stands before it, that is an error. Like values they are written beside queries and keys only.
    store: "qk", queries and keys, which weights follow from; "weights", made of the same, which grow with the square of
        the length; or "eager", the weights that the model itself gives with output_attentions=True. Models of transformers
        that ask no registry need attn_implementation="eager". Of DeBERTa, MPNet, BLOOM, Falcon, GPT-J, CodeGen, GPT-Neo and
        MPT queries and keys are written, with what is added by distance; of the others weights, with "qk", too, as no rule
        says what becomes of queries and keys: BLOOM in less than float32 and Falcon with ALiBi round their bias key by
        key, DeBERTa with talking_head mixes heads, XLNet, Longformer and their like do more than add.
    text: what was tokenized.
    image: the picture that was looked at, of Pillow or [height, width, 3], or the path of one, which Pillow opens; or a list of
        one an example, or of a list of several. As much of it as the model's processor leaves, before its normalisation; a warning says where it is of
        another shape than what the model was given. Without it patches are shown as squares.
    sharding: what processes share out, "heads" or "examples", where it cannot be told from the number of heads, as it is
        where they do both.
    compression: "gzip" for smaller files that take longer to write.

    What computes attention in a way of its own, beside attention that is written, is left out, and a warning says so: where a module is called
    attention, or its softmax has as many queries and keys as what is written.

    Raises CaptureError where weights would not follow from what the file can say, nothing was seen, which layer, text or part of a
    picture is which is not told, or several threads capture at once; and OSError where there is no room.
    """
    if not (hasattr(model, "named_modules") and hasattr(model, "register_forward_hook")):
        raise TypeError(f"model is a module of PyTorch, not {type(model).__name__}")
    place = os.fsdecode(path)
    if "\0" in place or not os.path.basename(place):
        raise ValueError(f"path is no name of a file: {place!r}")
    folder, name = os.path.split(_disk.follow(place))
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"there is no folder {folder} for {name}")
    if os.path.exists(place) and not os.path.isfile(place):
        raise ValueError(f"{place} is there already, and is no file")
    if not place.lower().endswith((".h5", ".hdf5")):
        raise ValueError(f"path ends with .h5 or .hdf5, by which Headlight knows such a file, and {name!r} does not")
    if tokenizer is not None and not any(callable(getattr(one, "convert_ids_to_tokens", None)) for one in (tokenizer, getattr(tokenizer, "tokenizer", None))):
        raise TypeError(f"tokenizer has convert_ids_to_tokens, which {type(tokenizer).__name__} has not")
    if layers is not None:
        layers = list(layers) if isinstance(layers, Iterable) else [layers]
        if not layers or not all(isinstance(layer, (int, np.integer)) and not isinstance(layer, bool) and layer >= 0 for layer in layers):
            raise ValueError(f"layers is numbers from 0 on, not {layers}")
    if text is not None and (not isinstance(text, str) or len(_text.to_utf8(text)) > _text.ATTRIBUTE_BYTES):
        raise ValueError(f"text is a string of at most {_text.ATTRIBUTE_BYTES} bytes")
    image = _images.load(image)
    _images.check(image)
    if dtype not in ("float16", "float32"):
        raise ValueError(f"dtype is float16 or float32, not {dtype}")
    if store not in ("qk", "weights", "eager"):
        raise ValueError(f"store is qk, weights or eager, not {store}")
    if store != "qk" and (values or output_projection):
        raise ValueError(f"values and output_projection are written with queries and keys only, not with store={store!r}")
    if sharding not in (None, "heads", "examples"):
        raise ValueError(f"sharding is heads or examples, not {sharding}")
    if compression not in (None, "gzip"):
        raise ValueError(f"compression is gzip, not {compression}")
    made = Capture(model, place, tokenizer=tokenizer, processor=processor, layers=layers, dtype=dtype, values=values, output_projection=output_projection,
                   store=store, sharding=sharding, text=text, compression=compression, image=image)
    made._entered = False
    return made._open()
