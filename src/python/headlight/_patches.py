# SPDX-License-Identifier: MIT
"""Where calls of attention pass by: transformers' registries, and PyTorch's own functions. Each patch is taken back."""
from __future__ import annotations

import functools
import sys
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any, Callable, Iterator, Optional


@contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """An attribute that is another one for a while; one that was inherited, or not there, is so again."""
    own = name in vars(owner)
    before = vars(owner).get(name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if own:
            setattr(owner, name, before)
        else:
            delattr(owner, name)


def registry(stack: ExitStack, wrap: Callable[[str, Callable[..., Any]], Callable[..., Any]]) -> bool:
    """What transformers' registry of attention hands out goes through `wrap`; False where there is no registry.

    A model asks for what its configuration names and stays with that name, so its masks, and whatever else depends on the
    name, are those that it would have had: the registry of masks is left as it is. What the registry does not have, as
    eager attention, is the model's own function, which is handed over when it asks.
    """
    try:
        from transformers.modeling_utils import AttentionInterface
    except ImportError:
        return False
    inner = getattr(AttentionInterface, "get_interface", None)
    if inner is not None:
        @functools.wraps(inner)
        def get_interface(self: Any, attn_implementation: Any, default: Any) -> Any:
            return wrap(str(attn_implementation), inner(self, attn_implementation, default))

        stack.enter_context(replaced(AttentionInterface, "get_interface", get_interface))
        return True
    item = AttentionInterface.__getitem__

    def getitem(self: Any, key: str) -> Any:
        return wrap(key, item(self, key))

    stack.enter_context(replaced(AttentionInterface, "__getitem__", getitem))
    return True


def _with_subclasses(kind: Any) -> Iterator[Any]:
    yield kind
    for sub in kind.__subclasses__():
        yield from _with_subclasses(sub)


def beams(stack: ExitStack, refuse: Callable[..., Any]) -> None:
    """Beams, and whoever changes a cache or a layer of it, reorder the batch within a run, which is said before anything is computed in vain."""
    try:
        from transformers import cache_utils
    except ImportError:
        return

    def watched(inner: Callable[..., Any], of_beams: bool) -> Callable[..., Any]:
        @functools.wraps(inner)
        def reorder(self: Any, *args: Any, **kwargs: Any) -> Any:
            refuse(self, of_beams)
            return inner(self, *args, **kwargs)

        return reorder

    # Which class has a method of its own differs from version to version.
    bases = [getattr(cache_utils, name) for name in ("Cache", "CacheLayerMixin") if hasattr(cache_utils, name)]
    for kind in dict.fromkeys(kind for base in bases for kind in _with_subclasses(base)):
        for name in ("reorder_cache", "batch_select_indices", "batch_repeat_interleave"):
            if name in vars(kind):
                stack.enter_context(replaced(kind, name, watched(vars(kind)[name], name == "reorder_cache")))


def _replaced_by_name(stack: ExitStack, model: Any, values: dict[int, Any]) -> None:
    """Functions of PyTorch, by their ids, are others where the packages of a model's own classes have imported them by name, too."""
    packages = {type(module).__module__.partition(".")[0] for module in model.modules()} - {"torch", "transformers"}
    for module in [module for name, module in sys.modules.items() if name.partition(".")[0] in packages]:
        # None stands for a module that nobody shall import.
        for name, found in list(getattr(module, "__dict__", {}).items()):
            if id(found) in values:
                stack.enter_context(replaced(module, name, values[id(found)]))


def softmaxes(stack: ExitStack, model: Any, seen: Callable[[Any], None]) -> None:
    """What becomes weights in modules that compute attention themselves."""
    import torch

    def watched(inner: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(inner)
        def softmax(*args: Any, **kwargs: Any) -> Any:
            seen(args[0] if args else kwargs.get("input"))
            return inner(*args, **kwargs)

        return softmax

    found = [(owner, owner.softmax, watched(owner.softmax)) for owner in (torch.nn.functional, torch, torch.Tensor)]
    _replaced_by_name(stack, model, {id(inner): outer for _, inner, outer in found})
    for owner, _, outer in found:
        stack.enter_context(replaced(owner, "softmax", outer))


def find_caller(modules: dict[int, str]) -> Optional[str]:
    """The name of the module whose method calls, through functions and modules of a moment, what calls this; attention of PyTorch's own has none."""
    import torch

    frame = sys._getframe(2)
    while frame is not None:
        caller = frame.f_locals.get("self")
        if id(caller) in modules and not isinstance(caller, torch.nn.MultiheadAttention):
            return modules[id(caller)]
        if caller is not None and not isinstance(caller, torch.nn.Softmax):
            return None
        frame = frame.f_back  # type: ignore[assignment]
    return None


def functional(stack: ExitStack, model: Any, seen: Callable[..., None], multihead_seen: Callable[..., None]) -> None:
    """`F.scaled_dot_product_attention`, and nn.MultiheadAttention, which computes without it when weights are asked for."""
    import torch

    F = torch.nn.functional
    inner = F.scaled_dot_product_attention

    @functools.wraps(inner)
    def attention(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
                  *rest: Any, **named: Any) -> Any:
        out = inner(query, key, value, attn_mask, dropout_p, is_causal, *rest, **named)
        seen(query, key, value, attn_mask, dropout_p, is_causal, named.get("scale"), out)
        return out

    _replaced_by_name(stack, model, {id(inner): attention})
    stack.enter_context(replaced(F, "scaled_dot_product_attention", attention))
    forward = torch.nn.MultiheadAttention.forward

    @functools.wraps(forward)
    def multihead(self: Any, query: Any, key: Any, value: Any, key_padding_mask: Any = None, need_weights: bool = True,
                  attn_mask: Any = None, average_attn_weights: bool = True, is_causal: bool = False) -> Any:
        out, found = forward(self, query, key, value, key_padding_mask, need_weights, attn_mask, False, is_causal)
        multihead_seen(self, (query, key, value), attn_mask, key_padding_mask, out, found)
        if found is not None and average_attn_weights:
            found = found.mean(dim=-3)
        return out, found

    stack.enter_context(replaced(torch.nn.MultiheadAttention, "forward", multihead))
    if hasattr(torch.backends, "mha"):
        before = torch.backends.mha.get_fastpath_enabled()
        torch.backends.mha.set_fastpath_enabled(False)
        stack.callback(torch.backends.mha.set_fastpath_enabled, before)


def takes_fast_path(module: Any, args: Any) -> bool:
    """Whether PyTorch computes a module by its fast path, unless that is switched off: layers of encoders, and attention to itself."""
    import torch

    layer = isinstance(module, torch.nn.TransformerEncoderLayer)
    attention = module.self_attn if layer else module
    if not isinstance(attention, torch.nn.MultiheadAttention) or module.training or torch.is_autocast_enabled():
        return False
    if not (attention.batch_first and attention._qkv_same_embed_dim and attention.in_proj_bias is not None and attention.num_heads % 2 == 0):
        return False
    if layer and not (module.activation_relu_or_gelu and module.norm1.eps == module.norm2.eps):
        return False
    if not layer and (len(args) < 3 or args[0] is not args[1] or args[1] is not args[2] or attention.bias_k is not None or attention.add_zero_attn):
        return False
    return not (torch.is_grad_enabled() and any(tensor.requires_grad for tensor in (*module.parameters(), *args) if hasattr(tensor, "requires_grad")))


def in_backward() -> bool:
    """Whether gradients are computed meanwhile, for which checkpointing calls layers once more."""
    import torch

    task = getattr(torch._C, "_current_graph_task_id", None)
    return task is not None and bool(task() != -1)


def compiled() -> Any:
    """That torch.compile works as it does."""
    import torch

    stance = getattr(torch.compiler, "set_stance", None)
    return nullcontext() if stance is None else stance("default")


def uncompiled(stack: ExitStack) -> None:
    """What torch.compile made runs as it was written, so that calls pass by."""
    import torch

    stance = getattr(torch.compiler, "set_stance", None)
    if stance is not None:
        stack.enter_context(stance("force_eager"))
