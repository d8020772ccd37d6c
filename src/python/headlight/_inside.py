# SPDX-License-Identifier: MIT
"""Attention that asks no registry and no function of PyTorch's: products and a softmax that a module writes out itself.

What a module multiplies passes by, and a row of FAMILIES says what its products are and what it adds to them. Of these classes
queries and keys can be captured; of all others that compute in this way, the weights that the model gives. They are

- Falcon with ALiBi, and BLOOM in less than float32: their bias is rounded, key by key, so it follows from no distance;
- DeBERTa with `talking_head`, which mixes heads with one another;
- XLNet, Longformer, BigBird, Reformer and others whose scores are no sum of query · key and something by distance.
"""
from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Optional

from ._masks import DistanceTables

Tensor = Any


@dataclass
class Seen:
    """What a module multiplied before its softmax, [(left, right)], and after it, (weights, values, their product)."""

    before: list[tuple[Tensor, Tensor]] = field(default_factory=list)
    after: Optional[tuple[Tensor, Tensor, Tensor]] = None
    softmaxes: int = 0
    #: Whether anything was dropped at random.
    drops: bool = False


@dataclass
class Call:
    """One call of attention. Queries, keys, values and results are [batch, heads, n, d]."""

    query: Tensor
    key: Tensor
    value: Tensor
    out: Tensor
    scale: float
    #: Of booleans, or of numbers to add, as models of transformers make them.
    mask: Optional[Tensor] = None
    #: What is added to scores besides; it broadcasts to [batch, heads, queries, keys].
    bias: Optional[Tensor] = None
    window: int = 0
    distances: Optional[DistanceTables] = None


@dataclass
class Family:
    """How a class computes; `fits` tells whether a module of it does so, its parameters being of a dtype."""

    read: Callable[[Any, dict[str, Any], Seen], Call]
    fits: Callable[[Any, Any], bool] = lambda module, dtype: True


@contextmanager
def watching() -> Iterator[Seen]:
    """What is multiplied meanwhile."""
    import torch
    from torch.overrides import TorchFunctionMode

    F = torch.nn.functional
    products = {torch.matmul, torch.bmm, torch.Tensor.matmul, torch.Tensor.bmm, torch.Tensor.__matmul__}
    sums = {torch.baddbmm, torch.Tensor.baddbmm}
    seen = Seen()

    class Watch(TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = kwargs or {}
            result = function(*args, **kwargs)
            if function in products or function in sums:
                given = [*args[1 if function in sums else 0:], *(kwargs[name] for name in ("batch1", "batch2", "other", "mat2") if name in kwargs)]
                if not seen.softmaxes:
                    seen.before.append((given[0], given[1]))
                elif seen.after is None:
                    seen.after = given[0], given[1], result
            elif function in (F.softmax, torch.softmax, torch.Tensor.softmax):
                seen.softmaxes += 1
            elif function in (F.dropout, torch.dropout):
                p, training = kwargs.get("p", args[1] if len(args) > 1 else 0.5), kwargs.get("training", args[2] if len(args) > 2 else True)
                seen.drops = seen.drops or bool(training and p > 0)
            return result

    with Watch():
        yield seen


def _parts(seen: Seen, heads: int, place: int = -1) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Queries, keys, values and results, which some modules hold as [batch × heads, n, d]; of the products, number `place` is theirs."""
    def split(tensor: Tensor) -> Tensor:
        return tensor if tensor.dim() == 4 else tensor.reshape(-1, heads, *tensor.shape[1:])

    assert seen.after is not None
    (query, key), (_, value, out) = seen.before[place], seen.after
    return split(query), split(key).transpose(2, 3), split(value), split(out)


def _mpnet(module: Any, given: dict[str, Any], seen: Seen) -> Call:
    return Call(*_parts(seen, module.num_attention_heads), 1.0 / math.sqrt(module.attention_head_size), given.get("attention_mask"),
                given.get("position_bias"))


def _bloom(module: Any, given: dict[str, Any], seen: Seen) -> Call:
    alibi = given["alibi"]
    return Call(*_parts(seen, module.num_heads), module.inv_norm_factor, given.get("attention_mask"),
                alibi.reshape(-1, module.num_heads, *alibi.shape[1:]))


def _falcon(module: Any, given: dict[str, Any], seen: Seen) -> Call:
    return Call(*_parts(seen, module.num_heads), module.inv_norm_factor, given.get("attention_mask"))


def _gpt_j(module: Any, given: dict[str, Any], seen: Seen) -> Call:
    return Call(*_parts(seen, module.num_attention_heads), 1.0 / float(module.scale_attn), given.get("attention_mask"))


def _gpt_neo(module: Any, given: dict[str, Any], seen: Seen) -> Call:
    import torch

    call = Call(*_parts(seen, module.num_heads), 1.0, given.get("attention_mask"))
    n, m = call.query.shape[2], call.key.shape[2]
    own = module.bias[:, :, m - n:m, :m]
    if call.mask is None:
        call.mask = own
    elif call.mask.dtype == torch.bool:
        call.mask = call.mask & own
    else:
        call.mask = call.mask.masked_fill(~own, torch.finfo(call.mask.dtype).min)
    call.window = int(module.config.window_size) if module.attention_type == "local" else 0
    return call


def _mpt(module: Any, given: dict[str, Any], seen: Seen) -> Call:
    import torch

    call = Call(*_parts(seen, module.n_heads), float(module.softmax_scale), given.get("attention_mask"), given.get("position_bias"))
    if call.mask is not None and call.mask.dtype == torch.bool:
        # True where nothing is seen.
        call.mask = ~call.mask
    if call.bias is not None:
        call.bias = call.bias[:, :, max(call.bias.shape[2] - call.key.shape[2], 0):]
    return call


def _deberta(module: Any, given: dict[str, Any], seen: Seen) -> Call:
    """The second version divides keys, and what it gets by distances; the first one queries, and the queries of distances."""
    from ._errors import CaptureError

    heads = module.num_attention_heads
    second = hasattr(module, "query_proj")
    kinds = [kind for kind in ("c2p", "p2c") if kind in module.pos_att_type]
    mask = given.get("attention_mask")
    call = Call(*_parts(seen, heads, 0), 1.0, None if mask is None else mask.bool() if mask.is_floating_point() else mask)
    # Both count what is in the list, the second version only what it knows of that.
    factor = 1 + (len(kinds) if second else len(module.pos_att_type))
    if second:
        call.scale = 1.0 / math.sqrt(call.query.shape[3] * factor)
        # What is multiplied is divided already; where keys are multiplied once more, as they were.
        keys = [left for kind, (left, _) in zip(kinds, seen.before[1:]) if kind == "p2c"]
        call.key = keys[0].reshape(call.key.shape) if keys else call.key / call.scale
    if len(seen.before) == 1:
        return call
    relative = given.get("relative_pos")
    if relative is None or len(seen.before) != 1 + len(kinds) or call.query.shape[2] != call.key.shape[2]:
        raise CaptureError(f"{type(module).__name__} computes its scores in another way than is known; "
                           "load the model with attn_implementation=\"eager\" and use capture(…, store=\"eager\")")
    tables = {}
    for kind, (_, right) in zip(kinds, seen.before[1:]):
        right = right if right.dim() == 4 else right.reshape(-1, heads, *right.shape[1:])
        tables[kind] = right[0].transpose(1, 2)
    span = next(iter(tables.values())).shape[1] // 2
    relative = relative.reshape(-1, *relative.shape[-2:])[0].long()
    # Keys behind a query stand in its row, those before it in its column, from the farthest on.
    rows = (relative.new_tensor([*relative[:, 0].flip(0).tolist(), *relative[0, 1:].tolist()]) + span).clamp(0, 2 * span - 1)
    call.distances = DistanceTables(rows, tables.get("c2p"), tables.get("p2c"))
    return call


def multihead(module: Any, inputs: tuple[Tensor, Tensor, Tensor], mask: Optional[Tensor], padding: Optional[Tensor], out: Tensor) -> Optional[Call]:
    """A call of nn.MultiheadAttention, as it projects what it is given; `out` is behind the output projection: [batch, 1, n, width].

    None where it adds keys of its own.
    """
    import torch

    if module.bias_k is not None or module.add_zero_attn:
        return None
    weights = module.in_proj_weight.chunk(3) if module._qkv_same_embed_dim else (module.q_proj_weight, module.k_proj_weight, module.v_proj_weight)
    biases = (None,) * 3 if module.in_proj_bias is None else module.in_proj_bias.chunk(3)

    def batched(x: Tensor) -> Tensor:
        return x[None] if x.dim() == 2 else x if module.batch_first else x.transpose(0, 1)

    def split(x: Tensor) -> Tensor:
        return x.reshape(*x.shape[:2], module.num_heads, -1).transpose(1, 2)

    query, key, value = (split(torch.nn.functional.linear(batched(x), weight, bias)) for x, weight, bias in zip(inputs, weights, biases))
    batch, heads, n, d = query.shape
    # True is what is not seen.
    masks = [None if one is None else ~one if one.dtype == torch.bool else one for one in (mask, padding)]
    if masks[0] is not None:
        masks[0] = masks[0].reshape(-1, 1 if masks[0].dim() == 2 or masks[0].shape[0] < batch * heads else heads, n, key.shape[2])
    if masks[1] is not None:
        masks[1] = masks[1].reshape(batch, 1, 1, -1)
    there = [one for one in masks if one is not None]
    if len({one.dtype == torch.bool for one in there}) > 1:
        there = [torch.zeros(one.shape, device=one.device).masked_fill(~one, float("-inf")) if one.dtype == torch.bool else one for one in there]
    whole = None if not there else there[0] if len(there) == 1 else there[0] & there[1] if there[0].dtype == torch.bool else there[0] + there[1]
    return Call(query, key, value, batched(out)[:, None], d ** -0.5, whole)


def project(module: Any, found: Tensor) -> Tensor:
    """What nn.MultiheadAttention makes of results of its heads."""
    import torch

    bias = module.out_proj.bias
    return torch.nn.functional.linear(found.transpose(1, 2).flatten(2), module.out_proj.weight.float(), None if bias is None else bias.float())[:, None]


def _exact(module: Any, dtype: str) -> bool:
    return dtype in ("torch.float32", "torch.float64")


FAMILIES: dict[str, Family] = {
    "MPNetSelfAttention": Family(_mpnet),
    "BloomAttention": Family(_bloom, _exact),
    "FalconAttention": Family(_falcon, lambda module, dtype: not module.config.alibi),
    "GPTJAttention": Family(_gpt_j),
    "CodeGenAttention": Family(_gpt_j),
    "GPTNeoSelfAttention": Family(_gpt_neo),
    "MptAttention": Family(_mpt),
    "DisentangledSelfAttention": Family(_deberta, lambda module, dtype: not getattr(module, "talking_head", False)),
}


def find(model: Any) -> dict[str, Any]:
    """The modules of FAMILIES in a model, by name; none where one of them does not compute as its row says."""
    found = {}
    for name, module in model.named_modules():
        if type(module).__module__.startswith("transformers.") and type(module).__name__ in FAMILIES:
            dtype = next((str(parameter.dtype) for parameter in module.parameters()), "")
            if not FAMILIES[type(module).__name__].fits(module, dtype):
                return {}
            found[name] = module
    return found
