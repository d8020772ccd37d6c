# SPDX-License-Identifier: MIT
"""What a model is made of, by the names of its modules: kinds of attention, numbers of layers, rows of projections."""
from __future__ import annotations

import re
from contextlib import contextmanager
from typing import Any, Iterator, Optional, Sequence

CROSS = re.compile(r"cross_?att|encoder_attn|encdec|encoder_decoder_att|multihead_attn$|src_attn", re.IGNORECASE)
SELF = re.compile(r"self_?att", re.IGNORECASE)
NO_TEXT = re.compile(r"vision|visual|image|audio|pixel|speech", re.IGNORECASE)
WRAPPERS = ("_orig_mod.", "_fsdp_wrapped_module.", "_checkpoint_wrapped_module.")
# What multiplies a head's result, by the name it has in the module, or beside it.
PROJECTIONS = ("o_proj", "out_proj", "o", "c_proj", "wo", "proj", "dense", "out", "to_out.0", "out_lin", "linear_out", "projection", "Wo")
PROJECTIONS_BESIDE = ("output.dense", "attn_out")


def find_cache(found: dict[str, Any]) -> Any:
    """The cache among the arguments of a pass: past_key_values, or cache as transformers has called it since 5.24, or what else is one."""
    if found.get("past_key_values") is not None:
        return found["past_key_values"]
    caches = [value for value in (found.get("cache"), *found.values()) if callable(getattr(value, "get_seq_length", None))]
    return caches[0] if caches else None


def find_made_cache(output: Any) -> Any:
    """The cache that a model gives with its outputs."""
    if isinstance(output, (tuple, list)):
        tuples = [part for part in output if isinstance(part, tuple) and part and isinstance(part[0], tuple)]
        return find_cache({str(number): value for number, value in enumerate(output)}) or (tuples[0] if tuples else None)
    return find_cache(output) if hasattr(output, "get") else None


def first_tensor(given: Any) -> Any:
    """The first of tensors in tuples, such as those of a cache."""
    while isinstance(given, (tuple, list)) and given:
        given = given[0]
    return given


def find_state(output: Any) -> Any:
    """What an encoder made, which is the first of its outputs, by whatever they are called."""
    return output.get("last_hidden_state") if hasattr(output, "get") else first_tensor(output)


def is_given(found: dict[str, Any], state: Any) -> bool:
    """Whether a pass is given what an encoder made, which generate() repeats for several texts of one input."""
    import torch

    given = find_state(next((found[name] for name in ("encoder_outputs", "mm_encoder_outputs") if found.get(name) is not None), None))
    if not (isinstance(given, torch.Tensor) and isinstance(state, torch.Tensor)) or given.shape[1:] != state.shape[1:]:
        return False
    alike = given.dtype == state.dtype and given.device == state.device
    return alike and bool(torch.equal(given, state.repeat_interleave(len(given) // len(state), 0)))


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


def is_encoder_decoder(config: Any) -> bool:
    return bool(getattr(config, "is_encoder_decoder", False))


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


def number_of_call(name: str, module: Any, repeated: int) -> int:
    """The number of the layer as it can be told while it runs, `repeated` of those before sharing weights with another."""
    index = getattr(module, "layer_idx", None)
    digits = [int(part) for part in name.split(".") if part.isdigit()]
    first = index if isinstance(index, int) and not isinstance(index, bool) else digits[0] if digits else 0
    return first + repeated


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


def find_restored(output: Any) -> Any:
    """[batch, patches] of the place where each patch stands in a sequence that a model has shuffled; None where it has not."""
    restored = output.get("ids_restore") if hasattr(output, "get") else None
    return None if restored is None else restored.detach().cpu().numpy()


def names_in_order(restored: Any, n: int, shape: Sequence[int], config: Any) -> Optional[list[list[str]]]:
    """The names of a class token and those of the patches that come first of each item, which a model has shuffled."""
    names = patch_names(1 + restored.shape[1], shape, config)
    return None if names is None else [[names[0], *(names[1 + patch] for patch in row.argsort()[:n - 1])] for row in restored]


def head_count(config: Any) -> int:
    """How many heads layers have, where they have as many; 0 where that is not told."""
    count = getattr(config, "num_attention_heads", None)
    return count if isinstance(count, int) else 0


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


def _weight(projection: Any, width: int) -> Any:
    """What a module multiplies vectors of a width by, [results, width]; None where it has nothing of the kind."""
    weight = getattr(projection, "weight", None)
    if weight is None or weight.dim() != 2:
        return None
    weight = weight.detach()
    if hasattr(weight, "full_tensor"):
        # A tensor that ranks hold parts of: by columns in tensor parallelism, of which this one's heads need only its own.
        local = weight.to_local()
        weight = local if local.shape[1] == width else weight.full_tensor()
    if type(projection).__name__ == "Conv1D":
        weight = weight.t()
    return weight if weight.shape[1] == width else None


def find_projection(model: Any, name: str, module: Any, width: int) -> Any:
    """The output projection of a module whose heads' results are of a width together; None where none is found."""
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
    return next((candidate for candidate in candidates if _weight(candidate, width) is not None), None)


@contextmanager
def _not_in_training(module: Any) -> Iterator[None]:
    training = [part for part in module.modules() if part.training]
    for part in training:
        part.training = False
    try:
        yield
    finally:
        for part in training:
            part.training = True


def projection_rows(projection: Any, heads: int, d: int, like: Any) -> Any:
    """[heads, d, width], float32, of what an output projection multiplies heads' results by, which are of the kind of `like`."""
    import torch

    weight = _weight(projection, heads * d)
    kind = type(projection)
    plain = kind.__module__.startswith("torch.") or kind.__name__ == "Conv1D" or hasattr(projection.weight, "full_tensor")
    if plain and not weight.is_meta:
        rows = weight.float().t()
    else:
        # What is more than its weight, as with an adapter, holds numbers with a scale, or fetches them when it is called, tells by
        # what it makes of each number alone.
        with torch.no_grad(), _not_in_training(projection):
            alone = torch.eye(heads * d, dtype=like.dtype, device=like.device)[None]
            rows = (projection.forward(alone).float() - projection.forward(torch.zeros_like(alone[:, :1])).float())[0]
    # A copy: what NumPy has seen cannot be resized any more, as FSDP does to its own.
    return rows.clone(memory_format=torch.contiguous_format).reshape(heads, d, -1).cpu().numpy()
