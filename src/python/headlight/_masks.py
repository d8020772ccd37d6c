# SPDX-License-Identifier: MIT
"""What a call of attention was told about who sees whom, as PyTorch holds it."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from ._errors import CaptureError
from ._rule import Rows

Tensor = Any
Array = Any


@dataclass
class Seen:
    """Of one call: the rows of each item of the batch, or one for all, and what is added to scores.

    `allowed` and `added` broadcast to [batch, heads, queries, keys]; None where all is allowed, or nothing added.
    """

    rows: list[Rows]
    allowed: Optional[Tensor]
    added: Optional[Tensor]


@dataclass
class DistanceTables:
    """What stands for distances, as of DeBERTa: q · keys[r] + k · queries[r] is added before scaling.

    `rows` [queries + keys − 1]: r of each distance, at key − query + queries − 1. `keys`, `queries` [heads, rows, d], either of
    which may be missing.
    """

    rows: Tensor
    keys: Optional[Tensor]
    queries: Optional[Tensor]

    def scores(self, query: Tensor, key: Tensor, n: int, some: Tensor) -> Tensor:
        """What they add to the scores of some of n queries, which are `query`, [batch, heads, some, keys]."""
        import torch

        m = key.shape[2]
        index = self.rows[torch.arange(m, device=query.device)[None] - some[:, None] + n - 1]
        shape = (query.shape[0], query.shape[1], len(some), m)
        found = torch.zeros(shape, device=query.device)
        if self.keys is not None:
            found += torch.matmul(query.float(), self.keys.float().transpose(1, 2)).gather(3, index.expand(shape))
        if self.queries is not None:
            found += torch.matmul(self.queries.float(), key.float().transpose(2, 3)).gather(2, index.expand(shape))
        return found


def _place(queries: int, device: Any, first: int) -> Tensor:
    import torch

    return torch.arange(first, first + queries, device=device)


def implicit(query: Tensor, key: Tensor, causal: bool, lower_right: bool, window: int) -> Optional[Tensor]:
    """The mask that flags mean, [queries, keys]; None for none."""
    import torch

    n, m = query.shape[2], key.shape[2]
    if not causal and not window:
        return None
    place = _place(n, query.device, m - n if lower_right else 0)[:, None]
    keys = torch.arange(m, device=query.device)[None]
    allowed = torch.ones((n, m), dtype=torch.bool, device=query.device)
    if causal:
        allowed &= keys <= place
    if window:
        allowed &= keys > place - window
        if not causal:
            allowed &= keys < place + window
    return allowed


def flagged_rows(n: int, m: int, causal: bool, lower_right: bool, window: int) -> Rows:
    """The rows of the same flags, without the mask."""
    place = np.arange(n) + (m - n if lower_right else 0)
    low, high = np.zeros(n, np.int64), np.full(n, m, np.int64)
    if causal:
        high = np.minimum(place + 1, m)
    if window:
        low = np.maximum(place - window + 1, 0)
        if not causal:
            high = np.minimum(place + window, m)
    return Rows.between(low, high)


def split(mask: Tensor) -> tuple[Tensor, Optional[Tensor]]:
    """A mask of booleans, or integers, or of numbers to add, as what is allowed and what is added; the latter None where it is 0."""
    import torch

    if not mask.is_floating_point():
        return mask.bool(), None
    mask = mask.detach()
    least = torch.finfo(mask.dtype).min
    allowed = mask > least / 2
    added = torch.where(allowed, mask, torch.zeros((), dtype=mask.dtype, device=mask.device))
    return allowed, added if bool((added != 0).any()) else None


def any_head(allowed: Tensor) -> Tensor:
    """What any head sees, of a mask that broadcasts to [batch, heads, queries, keys]."""
    return allowed.any(-3, keepdim=True) if allowed.dim() > 2 else allowed


def rows_of(allowed: Tensor, queries: int) -> list[Rows]:
    """The rows of each item of a mask that broadcasts to [batch, heads, queries, keys]."""
    while allowed.dim() < 4:
        allowed = allowed[None]
    if allowed.shape[1] > 1:
        if not bool((allowed == allowed[:, :1]).all()):
            raise CaptureError("heads of one layer see different keys, which a file of queries and keys cannot say; "
                               "capture(…, store=\"weights\") stores the weights instead")
    plain = allowed[:, 0].expand(-1, queries, -1).detach().cpu().numpy()
    return [Rows.of(item) for item in plain]


def distances(added: Tensor, allowed: Optional[Tensor], queries: int, first: int, keys_from: int) -> tuple[int, Array]:
    """What is added to scores, by the distance from query to key: the least distance, and [heads, distances].

    NaN stands for distances that no query looks over. What a row has in common does not change its weights, and is
    taken off where only so the distance decides.
    """
    import torch

    added = added.float()
    while added.dim() < 4:
        added = added[None]
    heads, n, m = added.shape[1], added.shape[2], added.shape[3]
    if n == 1 and queries > 1:
        added, n = added.expand(-1, -1, queries, -1), queries
    seen = torch.ones(added.shape, dtype=torch.bool, device=added.device)
    if allowed is not None:
        while allowed.dim() < 4:
            allowed = allowed[None]
        seen = allowed.expand(torch.broadcast_shapes(allowed.shape, added.shape))
        added = added.expand(seen.shape)
        heads = added.shape[1]
    place = torch.arange(m, device=added.device)[None] + keys_from - torch.arange(first, first + n, device=added.device)[:, None]
    least = int(place.min())
    index = (place - least).flatten()

    def fit(values: Tensor, seen: Tensor) -> Optional[Tensor]:
        table = torch.full((heads, int(index.max()) + 1), float("nan"), device=values.device)
        for item in range(values.shape[0]):
            for head in range(heads):
                kept = seen[item, head].flatten()
                table[head, index[kept]] = values[item, head].flatten()[kept]
        back = table[:, index].reshape(heads, n, m)[None].expand_as(values)
        # What no query sees is not compared.
        return table if torch.allclose(torch.where(seen, back, 0.0), torch.where(seen, values, 0.0), **close) else None

    def fit_others(table: Tensor, others: Tensor) -> Optional[Tensor]:
        """Rows that do not see their own key, of which only the keys that others see, too, tell what they have in common."""
        for item, row in others.nonzero().tolist():
            some, to = seen[item, 0, row], index.reshape(n, m)[row]
            known = (some & ~table[0, to].isnan()).nonzero().flatten()
            if not len(known):
                return None
            values = added[item, :, row] - (added[item, :, row, known[0]] - table[:, to[known[0]]])[:, None]
            if not torch.allclose(values[:, known], table[:, to[known]], **close):
                return None
            table[:, to[some]] = values[:, some]
        return table

    close = {"rtol": 1e-4, "atol": 1e-5}
    found = fit(added, seen)
    if found is None:
        # ALiBi is often written as a slope times the key's position: the same but for a number of each row.
        own = (place == 0).flatten().nonzero().flatten()
        if len(own) == n:
            diagonal, whole = added.flatten(2)[:, :, own], seen.flatten(2)[:, :, own]
            found = fit(added - diagonal[..., None], seen & whole[..., None])
            if found is not None:
                found = fit_others(found, seen[:, 0].any(-1) & ~whole[:, 0])
    if found is None:
        raise CaptureError("what is added to the scores does not follow from the distance between query and key, which a file "
                           "of queries and keys cannot say; capture(…, store=\"weights\") stores the weights instead")
    return least, found.cpu().numpy()


def grouped(query: Tensor, key: Tensor) -> Tensor:
    """query · key of heads of which several share a key head, without a copy of keys for each: [batch, heads, queries, n]."""
    import torch

    batch, heads, n, d = query.shape
    shared = key.shape[1]
    if shared == heads:
        return torch.matmul(query, key)
    return torch.matmul(query.reshape(batch, shared, heads // shared * n, d), key).reshape(batch, heads, n, key.shape[3])


def weigh(query: Tensor, key: Tensor, allowed: Optional[Tensor], added: Optional[Tensor], scale: float, softcap: float,
          sinks: Optional[Tensor], positional: Optional[Tensor] = None) -> Tensor:
    """The weights [batch, heads, queries, keys] in float32; rows that see nothing are 0. `positional` is added before scaling."""
    import torch

    scores = grouped(query.float(), key.float().transpose(2, 3))
    scores = (scores if positional is None else scores + positional) * scale
    if softcap:
        scores = torch.tanh(scores / softcap) * softcap
    if added is not None:
        scores = scores + added.float()
    if allowed is not None:
        scores = scores.masked_fill(~allowed, float("-inf"))
    if sinks is not None:
        column = sinks.detach().float().reshape(1, -1, 1, 1).expand(scores.shape[0], -1, scores.shape[2], 1)
        return torch.softmax(torch.cat([scores, column], dim=-1), dim=-1)[..., :-1].nan_to_num(0.0)
    return torch.softmax(scores, dim=-1).nan_to_num(0.0)


def allowed_rows(seen: Seen, keys: int, device: Any, some: Any = slice(None)) -> Tensor:
    """The mask of some queries, or of all, also where only flags told it; it broadcasts to [batch, heads, queries, keys]."""
    import torch

    if seen.allowed is not None:
        return rows(seen.allowed, some)
    place = torch.arange(keys, device=device)
    low, high = (torch.from_numpy(np.asarray(bound)).to(device)[some, None] for bound in (seen.rows[0].low, seen.rows[0].high))
    return ((place >= low) & (place < high))[None, None]


def rows(tensor: Tensor, some: Any) -> Tensor:
    """Some queries of what broadcasts to [batch, heads, queries, keys], with these four axes."""
    while tensor.dim() < 4:
        tensor = tensor[None]
    return tensor if tensor.shape[2] == 1 else tensor[:, :, some]
