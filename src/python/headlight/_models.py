# SPDX-License-Identifier: MIT
"""What a model is made of, by the names of its modules: kinds of attention, numbers of layers, rows of projections."""
from __future__ import annotations

import re
from typing import Any, Optional, Sequence

CROSS = re.compile(r"cross_?att|encoder_attn|encdec|encoder_decoder_att|multihead_attn$|src_attn", re.IGNORECASE)
SELF = re.compile(r"self_?att", re.IGNORECASE)
NO_TEXT = re.compile(r"vision|visual|image|audio|pixel|speech", re.IGNORECASE)
WRAPPERS = ("_orig_mod.", "_fsdp_wrapped_module.", "_checkpoint_wrapped_module.")
# What multiplies a head's result, by the name it has in the module, or beside it.
PROJECTIONS = ("o_proj", "out_proj", "o", "c_proj", "wo", "proj", "dense", "out", "to_out.0", "out_lin", "linear_out", "projection")
PROJECTIONS_BESIDE = ("output.dense", "attn_out")


def find_cache(found: dict[str, Any]) -> Any:
    """The cache among the arguments of a pass: past_key_values, or cache as transformers has called it since 5.24, or what else is one."""
    if found.get("past_key_values") is not None:
        return found["past_key_values"]
    caches = [value for value in (found.get("cache"), *found.values()) if callable(getattr(value, "get_seq_length", None))]
    return caches[0] if caches else None


def has_encoder_state(found: dict[str, Any]) -> bool:
    """Whether the arguments of a pass have what an encoder made."""
    return any(value is not None and not isinstance(value, bool) and re.match(r"(\w+_)?encoder_(?!.*mask)|cross_attention_(?!.*mask)", name)
               for name, value in found.items())


def unwrap(model: Any) -> Any:
    """The model in what DistributedDataParallel and torch.compile wrap around it."""
    while True:
        if hasattr(model, "_orig_mod"):
            model = model._orig_mod
        elif type(model).__name__ in ("DistributedDataParallel", "DataParallel"):
            model = model.module
        else:
            return model


def is_compiled(model: Any) -> bool:
    """Whether torch.compile made something of a model or a part of it: around it, as compile() of a module does, or of its forward."""
    def of(function: Any) -> bool:
        # What it is told to leave alone bears a mark of the same name.
        return hasattr(function, "_torchdynamo_orig_callable") and not getattr(function, "_torchdynamo_disable", False)

    return any(hasattr(module, "_orig_mod") or getattr(module, "_compiled_call_impl", None) is not None or of(vars(module).get("forward"))
               for module in model.modules())


def plain(name: str) -> str:
    """The name of a module without what wrappers add."""
    for wrapper in WRAPPERS:
        name = name.replace(wrapper, "")
    return name


def is_cross(name: str, module: Any) -> bool:
    return bool(getattr(module, "is_cross_attention", False)) or CROSS.search(name) is not None


def half(name: str) -> str:
    """encoder or decoder, whichever the name says first, or nothing."""
    for word in re.split(r"[._]", name):
        if word in ("encoder", "decoder"):
            return word
    return ""


def stack(name: str) -> str:
    """What stands before the number of the layer."""
    return re.split(r"\.\d+(?=\.|$)", name, maxsplit=1)[0]


def find_config(model: Any) -> Any:
    """The configuration of a model of transformers, however it is wrapped; None of others."""
    for module in model.modules():
        config = getattr(module, "config", None)
        if config is not None and hasattr(config, "get_text_config"):
            return config
    return None


def assign_kinds(calls: Sequence[tuple[str, bool]], encoder_decoder: bool) -> list[str]:
    """The kind of each call, of its module's name and whether it is cross attention: "", encoder, decoder or cross.

    None of a model with more than two stacks, where a name says neither.
    """
    halves = [half(name) for name, _ in calls]
    stacks = list(dict.fromkeys(stack(name) for name, cross in calls if not cross))
    if encoder_decoder or {"encoder", "decoder"} <= set(halves):
        return ["cross" if cross else part or "decoder" for (_, cross), part in zip(calls, halves)]
    if len(stacks) <= 1:
        alone = "decoder" if any(cross for _, cross in calls) else ""
        return ["cross" if cross else alone for _, cross in calls]
    seeing = [name for name in stacks if NO_TEXT.search(name)]
    if len(stacks) == 2 and len(seeing) == 1:
        return ["cross" if cross else "encoder" if stack(name) == seeing[0] else "decoder" for name, cross in calls]
    from ._errors import CaptureError
    raise CaptureError(f"the model has {len(stacks)} stacks of layers ({', '.join(stacks[:4])}), which one file cannot tell apart: "
                       "give capture() the module of one of them")


def numbers(names: Sequence[str], times: Sequence[int]) -> list[int]:
    """Numbers of layers: the integer in their names that tells all of them apart, else their order.

    `times` says which call of one module each is, from 0, as of layers that share weights.
    """
    if not any(times):
        found = [[int(part) for part in name.split(".") if part.isdigit()] for name in names]
        for place in range(min((len(parts) for parts in found), default=0)):
            column = [parts[place] for parts in found]
            if len(set(column)) == len(column):
                return column
    return list(range(len(names)))


def number_of_call(name: str, module: Any, time: int) -> int:
    """The number of the layer as it can be told while it runs."""
    index = getattr(module, "layer_idx", None)
    digits = [int(part) for part in name.split(".") if part.isdigit()]
    first = index if isinstance(index, int) and not isinstance(index, bool) else digits[0] if digits else 0
    return first + time


def patch_names(n: int, shape: Sequence[int], config: Any) -> Optional[list[str]]:
    """The names of an image's tokens, where its patches, a token of the class and registers are all of them."""
    size = getattr(config, "patch_size", None) if config is not None else None
    if not size:
        return None
    high, wide = size if isinstance(size, (list, tuple)) else (size, size)
    rows, columns = shape[-2] // high, shape[-1] // wide
    registers = int(getattr(config, "num_register_tokens", 0) or 0)
    patches = [f"patch {row + 1},{column + 1}" for row in range(rows) for column in range(columns)]
    first = n - len(patches)
    if first == 0:
        return patches
    if first == 1 + registers:
        return ["CLS", *(f"register {i + 1}" for i in range(registers)), *patches]
    return None


def find_vision_config(config: Any) -> Any:
    """The part of a configuration that says how large patches are: its own, of a tower, or of an encoder."""
    parts = [getattr(config, name, None) for name in ("vision_config", "encoder")]
    return next((part for part in parts if getattr(part, "patch_size", None)), config)


def names_in_lists(shapes: Sequence[Sequence[int]], there: Any) -> Optional[list[list[str]]]:
    """The names of patches that are given as lists, row by row, of each picture; None where they are not as many as their rows and columns say."""
    found = [[f"patch {row + 1},{column + 1}" for row in range(rows) for column in range(columns)] for rows, columns in shapes]
    return found if [len(names) for names in found] == there.sum(1).tolist() else None


def find_probing(model: Any) -> set[int]:
    """The ids of modules that are asked by a learned query, as SigLIP's of all patches."""
    return {id(child) for module in model.modules() if hasattr(module, "probe") for child in module.children()}


def probe_names(n: int) -> list[str]:
    """The names of queries that are learned."""
    return ["probe"] if n == 1 else [f"probe {i + 1}" for i in range(n)]


def find_projection(model: Any, name: str, module: Any, heads: int, d: int) -> Optional[Any]:
    """[heads, d, width] of the output projection of a module, float32; None where none is found."""
    import torch

    def follow(start: Any, path: str) -> Any:
        for part in path.split("."):
            start = getattr(start, part, None)
            if start is None:
                return None
        return start

    candidates = [follow(module, path) for path in PROJECTIONS]
    if "." in name:
        parent = model.get_submodule(name.rpartition(".")[0])
        candidates += [follow(parent, path) for path in PROJECTIONS_BESIDE]
    for candidate in candidates:
        weight = getattr(candidate, "weight", None)
        if weight is None or weight.dim() != 2:
            continue
        weight = weight.detach()
        if hasattr(weight, "full_tensor"):
            # A tensor that ranks hold parts of: by columns in tensor parallelism, of which this one's heads need only its own.
            local = weight.to_local()
            weight = local if local.shape[1] == heads * d else weight.full_tensor()
        if type(candidate).__name__ == "Conv1D":
            weight = weight.t()
        if weight.shape[1] == heads * d:
            # A copy: what NumPy has seen cannot be resized any more, as FSDP does to its own.
            return weight.float().t().clone(memory_format=torch.contiguous_format).reshape(heads, d, -1).cpu().numpy()
    return None
