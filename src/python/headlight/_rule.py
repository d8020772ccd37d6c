# SPDX-License-Identifier: MIT
"""Which keys queries see: from rows of a mask to the shortest rule that says the same. NumPy only."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Optional

import numpy as np

Array = Any


@dataclass
class Rows:
    """The keys that consecutive queries see: of each query the first, one past the last, and how many between them.

    Keys count from the first of the text. `dense` [queries, keys] is there only where a query does not see all between.
    """

    low: Array
    high: Array
    count: Array
    dense: Optional[Array] = None

    @staticmethod
    def between(low: Array, high: Array) -> "Rows":
        low, high = np.asarray(low, np.int64), np.asarray(high, np.int64)
        return Rows(low, high, high - low)

    @staticmethod
    def of(dense: Array) -> "Rows":
        """Of a mask [queries, keys], True where the query sees the key."""
        dense = np.asarray(dense, bool)
        n = dense.shape[1]
        count = dense.sum(1).astype(np.int64)
        low = np.where(count > 0, dense.argmax(1), 0).astype(np.int64)
        high = np.where(count > 0, n - dense[:, ::-1].argmax(1), 0).astype(np.int64)
        return Rows(low, high, count, None if np.array_equal(count, high - low) else dense)

    def shifted(self, by: int) -> "Rows":
        """The same rows where the first key of their mask is key number `by`."""
        if by == 0:
            return self
        dense = None if self.dense is None else np.pad(self.dense, ((0, 0), (by, 0)))
        moved = np.where(self.count > 0, by, 0)
        return Rows(self.low + moved, self.high + moved, self.count, dense)


def join(blocks: Iterable[Rows]) -> Rows:
    """Rows below one another, as the steps of a generation are."""
    parts = list(blocks)
    if len(parts) == 1:
        return parts[0]
    dense = None
    if any(part.dense is not None for part in parts):
        width = int(max(part.high.max(initial=0) for part in parts))
        dense = np.concatenate([to_dense(part, width) for part in parts])
    low, high, count = (np.concatenate([getattr(part, name) for part in parts]) for name in ("low", "high", "count"))
    return Rows(low, high, count, dense)


def to_dense(rows: Rows, keys: int) -> Array:
    """The mask [queries, keys]."""
    if rows.dense is not None:
        width = rows.dense.shape[1]
        return rows.dense[:, :keys] if width >= keys else np.pad(rows.dense, ((0, 0), (0, keys - width)))
    place = np.arange(keys)
    return (place >= rows.low[:, None]) & (place < rows.high[:, None])


def part(rows: Rows, queries: slice, keys: slice) -> Optional[Rows]:
    """Some queries and keys of the rows; None where one of these queries sees a key that is left out."""
    low, high, count = rows.low[queries], rows.high[queries], rows.count[queries]
    seeing = count > 0
    if np.any(low[seeing] < keys.start) or np.any(high[seeing] > keys.stop):
        return None
    moved = np.where(seeing, keys.start, 0)
    dense = None if rows.dense is None else to_dense(Rows(low, high, count, rows.dense[queries]), keys.stop)[:, keys.start:]
    return Rows(low - moved, high - moved, count, dense)


def sees(rows: Rows, keys: Array) -> bool:
    """Whether any query sees one of the keys, a mask [keys]."""
    if not keys.any():
        return False
    if rows.dense is not None:
        return bool(to_dense(rows, len(keys))[:, keys].any())
    before = np.concatenate([[0], np.cumsum(keys)])
    return bool(np.any((before[rows.high] - before[rows.low])[rows.count > 0]))


def seen_keys(rows: Rows, keys: int) -> Array:
    """Which keys any query sees, [keys]."""
    if rows.dense is not None:
        return to_dense(rows, keys).any(0)
    steps = np.zeros(keys + 1, np.int64)
    np.add.at(steps, rows.low[rows.count > 0], 1)
    np.add.at(steps, rows.high[rows.count > 0], -1)
    return np.cumsum(steps[:-1]) > 0


@dataclass
class Rule:
    """What a file says about who sees whom; `mask` [queries, keys] only where nothing shorter says it."""

    causal: bool = False
    window: int = 0
    chunk: int = 0
    mask: Optional[Array] = None

    def bounds(self, queries: int, keys: int, offset: int) -> tuple[Array, Array]:
        """The first key, and one past the last, that each query sees by this rule."""
        place = offset + np.arange(queries, dtype=np.int64)
        low, high = np.zeros_like(place), np.full_like(place, keys)
        if self.causal:
            high = np.minimum(high, place + 1)
        if self.window:
            low = np.maximum(low, place - self.window + 1)
            high = np.minimum(high, place + self.window)
        if self.chunk:
            first = place // self.chunk * self.chunk
            low, high = np.maximum(low, first), np.minimum(high, first + self.chunk)
        low = np.minimum(low, keys)
        return low, np.maximum(high, low)


def fit(rows: Rows, keys: int, offset: int, gaps: Array, window: int = 0, chunk: int = 0) -> Rule:
    """The rule of rows over so many keys. Query 0 stands at key `offset`; `gaps` [keys] is True where no query may look.

    `window` and `chunk` are what the model calls them, 0 for none; they are used where they say what the rows are.
    """
    queries = len(rows.low)
    place = offset + np.arange(queries)
    seeing = rows.count > 0
    gone = np.concatenate([[0], np.cumsum(gaps)])
    if not sees(rows, gaps):
        causal = not np.any(rows.high[seeing] > place[seeing] + 1)
        back = int((place - rows.low + 1)[seeing].max(initial=1))
        ahead = int((rows.high - place)[seeing].max(initial=1))
        found = max(back, 1) if causal else max(back, ahead, 1)
        for size, part_size in ((window, 0), (0, chunk), (0, 0), (found, 0)):
            rule = Rule(causal, size, part_size)
            low, high = rule.bounds(queries, keys, offset)
            expected = high - low - (gone[high] - gone[low])
            inside = (rows.low >= low) & (rows.high <= high)
            if np.array_equal(rows.count, expected) and np.all(inside | ~seeing):
                return rule
    return Rule(False, 0, 0, to_dense(rows, keys))


class Distances:
    """A bias that depends on the distance from query to key, gathered as calls show it."""

    def __init__(self) -> None:
        self.low = 0
        self.table: Optional[Array] = None

    def add(self, low: int, table: Array, whole_rows: bool = False) -> bool:
        """`table` [heads, n] of distances from `low` on, NaN where unknown; False where it contradicts what is known.

        With `whole_rows` what is added to all of a row counts for nothing, as in a softmax over keys alone.
        """
        if self.table is None:
            self.low, self.table = low, np.array(table, np.float32)
            return True
        first = min(low, self.low)
        last = max(low + table.shape[1], self.low + self.table.shape[1])
        joined = np.full((table.shape[0], last - first), np.nan, np.float32)
        joined[:, self.low - first:][:, :self.table.shape[1]] = self.table
        there = joined[:, low - first:][:, :table.shape[1]]
        both = ~np.isnan(there) & ~np.isnan(table)
        if not np.allclose(there[both], table[both], rtol=1e-4, atol=1e-5):
            if not whole_rows or not both.any(0).any():
                return False
            place = int(both.any(0).argmax())
            table = table + (there - table)[:, place:place + 1]
            if not np.allclose(there[both], table[both], rtol=1e-4, atol=1e-5):
                return False
        there[:] = np.where(np.isnan(there), table, there)
        self.low, self.table = first, joined
        return True

    def between(self, low: int, high: int) -> Optional[Array]:
        """[heads, high − low] of the distances from `low` on; 0 where no query looks. None where all are."""
        if self.table is None:
            return None
        found = np.zeros((self.table.shape[0], high - low), np.float32)
        for distance in range(max(low, self.low), min(high, self.low + self.table.shape[1])):
            found[:, distance - low] = np.nan_to_num(self.table[:, distance - self.low])
        return found if found.any() else None
