# SPDX-License-Identifier: MIT
"""Writes captured runs as dumps of version 2 of Headlight's format, in HDF5. Needs NumPy and h5py only."""
from __future__ import annotations

import os
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Sequence

import h5py
import numpy as np

from . import _disk, _images, _rule, _text
from ._errors import CaptureError, too_large
from ._spool import Block, Spool

Array = Any
FORMAT, VERSION = "headlight-attention", 2


@dataclass
class Layer:
    """What one attention module did in a run: the calls of all steps, below one another."""

    name: str
    number: int
    # encoder, decoder, cross, or nothing in a model with one kind of attention.
    kind: str
    queries: list[Block] = field(default_factory=list)
    keys: list[Block] = field(default_factory=list)
    values: list[Block] = field(default_factory=list)
    weights: list[Block] = field(default_factory=list)
    # Of each call the rows of each item of the batch, or one for all.
    rows: list[list[_rule.Rows]] = field(default_factory=list)
    # Where the first query stands among the keys, and how many keys there are.
    offset: int = 0
    total: int = 0
    # Some keys of the last call, [batch, heads, d], and where they stand.
    last_keys: list[tuple[int, Any]] = field(default_factory=list)
    scale: float = 0.0
    softcap: float = 0.0
    window: int = 0
    chunk: int = 0
    sinks: Optional[Array] = None
    bias: _rule.Distances = field(default_factory=_rule.Distances)
    output_projection: Optional[Array] = None
    # [heads, rows, d] of what stands for distances, and [queries + keys − 1] of the row of each.
    distance_queries: Optional[Array] = None
    distance_keys: Optional[Array] = None
    distance_rows: Optional[Array] = None
    # Whether its queries are no tokens, but learned, as one that gathers all patches of a picture.
    probes: bool = False

    @property
    def batch(self) -> int:
        return (self.queries or self.weights)[0].shape[0]

    @property
    def query_count(self) -> int:
        return sum(block.shape[2] for block in self.queries or self.weights)


@dataclass
class Side:
    """The tokens of an encoder, of a decoder, or of a model that has one stack."""

    # [batch, n] token numbers of each call, beside one another.
    ids: list[Array] = field(default_factory=list)
    # [batch, n], False where a position is padding.
    mask: Optional[Array] = None
    # Names of what is no text, such as patches.
    names: Optional[list[str]] = None
    # The same where items of a batch differ, without their padding.
    names_of_items: Optional[list[list[str]]] = None
    # [n] of seconds, of what is sound.
    starts: Optional[Array] = None
    # The token number that stands for parts of pictures, and the grid of each picture where the model was told.
    image_token: Optional[int] = None
    grids: Optional[list[tuple[int, int]]] = None


@dataclass(eq=False)
class Run:
    """One example or one batch of them: a forward pass, or all steps of a generation."""

    layers: dict[Any, Layer] = field(default_factory=dict)
    sides: dict[str, Side] = field(default_factory=dict)
    #: The cache that its last pass was given, and the one that this gave with its outputs.
    cache: Any = None
    made: Any = None
    #: What its last pass made, where it is an encoder's.
    state: Any = None
    passes: int = 0
    #: How many layers of a kind the model called, where some of them may have been left out.
    called: dict[str, int] = field(default_factory=dict)
    #: Modules that computed a softmax in a way that is not followed, and over how many rows and columns.
    apart: dict[str, set[tuple[int, int]]] = field(default_factory=dict)
    #: How many texts or pictures the model was given; 0 where that is not told.
    given: int = 0
    #: Whether it is a tower alone of a model that has a text, too, whose layers are others.
    tower: bool = False
    #: Whether its encoder is a tower beside a text that does not look at it by attention of its own.
    towers: bool = False


def pick(count: int, item: int, batch: int) -> int:
    """Which of `count` items belongs to this one of a batch, which may have grown, as by num_return_sequences."""
    return item * count // batch


def span(mask: Optional[Array], item: int, batch: int, length: int) -> tuple[slice, Array]:
    """The positions of an item of a batch between its padding, and which of them are gaps."""
    if mask is None or mask.shape[1] < length or not mask.shape[0]:
        return slice(0, length), np.zeros(length, bool)
    row = np.asarray(mask[pick(mask.shape[0], item, batch), :length], bool)
    there = np.flatnonzero(row)
    if not len(there):
        return slice(0, length), np.zeros(length, bool)
    kept = slice(int(there[0]), int(there[-1]) + 1)
    return kept, ~row[kept]


def one_or_all(values: Sequence[Any], kind: Any) -> Any:
    """A number where all layers have the same, else an array of one a layer."""
    return kind(values[0]) if len(set(values)) == 1 else np.array(values, np.int64 if kind is int else np.float64)


class DumpFile:
    """A file that appears at `path` when it is finished, whole or not at all."""

    def __init__(self, path: str, dtype: Any, attributes: dict[str, Any], names: Callable[[Array], Sequence[str]] | None,
                 compression: Optional[str] = None, example_prefix: str = "") -> None:
        self.path = os.path.abspath(path)
        self.dtype, self.attributes, self.names, self.compression = np.dtype(dtype), attributes, names, compression
        self.examples = 0
        #: One picture, or a list of one, or of several, an example.
        self.images: Any = None
        # Of each example the text that it belongs to, and which one of its pictures it is, where it is no text; and how many pictures each text has.
        self._owners: list[tuple[int, Optional[int]]] = []
        self._counts: Optional[list[int]] = []
        self._texts = 0
        #: Which layers were to be captured; None for all.
        self.chosen: Optional[set[int]] = None
        self.example_prefix = example_prefix
        # Whether any name has encoder_ or its like before it.
        self._prefixed = False
        # Whether any example is of a tower alone.
        self._towers = False
        self._layer_names: dict[str, dict[int, str]] = {}
        self._image_tokens: dict[tuple[str, str], tuple[Side, int, int, slice]] = {}
        self.layer_count = int(attributes.get("layers", 0))
        self._called: dict[str, int] = {}
        self._unnamed = False
        self._temporary, self._lock = _disk.create_beside(self.path)
        self._disk: Any = None
        self._file: Any = None
        try:
            self._disk = _disk.Disk(self._temporary)
            with self._disk.room(self.path):
                self._file = h5py.File(self._disk, "w")
                self._file.attrs["format"], self._file.attrs["version"] = FORMAT, VERSION
        except BaseException:
            self.discard()
            raise

    def add(self, run: Run, spool: Spool) -> None:
        """Writes each item of the run's batch as an example of its own."""
        layers = list(run.layers.values())
        if not layers:
            return
        self.layer_count = 0 if run.tower else int(self.attributes.get("layers", 0))
        self._called = run.called
        of_kinds: dict[str, list[Layer]] = {}
        for layer in sorted(layers, key=lambda x: x.number):
            of_kinds.setdefault(layer.kind, []).append(layer)
        before = self.examples, self._texts, self._counts, self._prefixed, dict(self._image_tokens)
        try:
            plan = self._plan(run, layers)
            self._keep_what_is_seen(run, of_kinds, plan)
            for items, picture in plan:
                with self._disk.room(self.path):
                    group = self._file.create_group(f"examples/{self.examples:06d}")
                    for kind, (item, batch) in sorted(items.items()):
                        self._add_kind(group, run, kind, of_kinds[kind], item, batch, spool)
                self._texts += picture is None
                self._owners.append((self._texts - 1, picture))
                self.examples += 1
        except BaseException:
            # Whoever catches this goes on without any of it.
            for number in range(before[0], self.examples + 1):
                if f"examples/{number:06d}" in self._file:
                    del self._file[f"examples/{number:06d}"]
            self.examples, self._texts, self._counts, self._prefixed, self._image_tokens = before
            del self._owners[self.examples:]
            raise
        self._towers = self._towers or run.tower

    def _keep_what_is_seen(self, run: Run, of_kinds: dict[str, list[Layer]],
                           plan: list[tuple[dict[str, tuple[int, int]], Optional[int]]]) -> None:
        """Where something looks at what was called padding, it stays, in each kind of attention of these tokens."""
        for kind, (item, batch) in (pair for items, _ in plan for pair in items.items()):
            side = self._sides_of(run, kind)[1]
            if side is None or side.mask is None or side.mask.all():
                continue
            of_queries, of_keys, _ = self._cut(run, kind, of_kinds[kind], item, batch)
            parts = [_rule.part(rows, of_queries, of_keys) for rows in self._rows_of(of_kinds[kind], item, batch)]
            if any(part is None for part in parts) or of_queries.stop <= of_queries.start:
                side.mask[pick(len(side.mask), item, batch)] = True

    @staticmethod
    def _sides_of(run: Run, kind: str) -> tuple[Optional[Side], Optional[Side]]:
        """Whose tokens the queries and the keys of a kind of attention are."""
        return (run.sides.get("decoder"), run.sides.get("encoder")) if kind == "cross" else (run.sides.get(kind),) * 2

    @staticmethod
    def _rows_of(layers: list[Layer], item: int, batch: int) -> list[_rule.Rows]:
        return [_rule.join(rows[pick(len(rows), item, batch)] for rows in layer.rows) for layer in layers if layer.rows]

    def _cut(self, run: Run, kind: str, layers: list[Layer], item: int, batch: int) -> tuple[slice, slice, Array]:
        """The queries and keys of an item between its padding, and which of these keys are gaps."""
        query_side, key_side = self._sides_of(run, kind)
        of_keys, gaps = span(key_side.mask if key_side else None, item, batch, max(layer.total for layer in layers))
        if kind == "cross":
            of_queries, _ = span(query_side.mask if query_side else None, item, batch, layers[0].query_count)
        else:
            of_queries = slice(max(of_keys.start - layers[0].offset, 0), max(of_keys.stop - layers[0].offset, 0))
        return of_queries, of_keys, gaps

    def _plan(self, run: Run, layers: list[Layer]) -> list[tuple[dict[str, tuple[int, int]], Optional[int]]]:
        """Of each example the item of each kind, of how many; and which one of the text's pictures it is, if it has no text."""
        batches = {layer.kind: layer.batch for layer in layers}
        batch = max(layer.batch for layer in layers)
        seen, read = batches.get("encoder", 0), batches.get("decoder", 0)
        side = run.sides.get("decoder")
        if not run.towers or seen == read or (1 in (seen, read) and (side is None or side.image_token is None)):
            # One of fewer is that of several of the others, as a text of which several are generated.
            self._note_counts([1] * batch)
            return [({kind: (item, batch) for kind in batches}, None) for item in range(batch)]
        if side is None or side.image_token is None or not side.ids:
            # Each for itself: one picture belongs to one text as much as to another.
            self._note_counts([int(item < seen) for item in range(batch)])
            return [({kind: (item, n) for kind, n in batches.items() if item < n}, None) for item in range(batch)]
        texts = [np.concatenate([x[pick(len(x), item, read)] for x in side.ids]) for item in range(read)]
        counts = _images.count_of_texts(texts, side.image_token, seen)
        self._note_counts(counts)
        plan: list[tuple[dict[str, tuple[int, int]], Optional[int]]] = []
        first = 0
        for item in range(read):
            # Of pictures that are cut into several, which piece is whose is not told.
            count = counts[item] if counts is not None else seen if item == read - 1 else 0
            plan.append(({"decoder": (item, read), **({"encoder": (first, seen)} if count and counts is not None else {})}, None))
            plan += [({"encoder": (first + number, seen)}, number if counts is not None else -1) for number in range(counts is not None, count)]
            first += count
        return plan

    def _note_counts(self, counts: Optional[list[int]]) -> None:
        self._counts = None if counts is None or self._counts is None else self._counts + counts

    def _add_kind(self, group: Any, run: Run, kind: str, layers: list[Layer], item: int, batch: int, spool: Spool) -> None:
        prefix = f"{kind}_" if kind else ""
        first = layers[0]
        queries, keys = first.query_count, max(layer.total for layer in layers)
        if any(layer.query_count != queries or layer.total != keys or layer.offset != first.offset for layer in layers):
            raise CaptureError(f"layers differ in how many queries or keys they have: {self._name_some(layers)}")
        query_side, key_side = self._sides_of(run, kind)
        of_queries, of_keys, gaps = self._cut(run, kind, layers, item, batch)
        parts = (_rule.part(rows, of_queries, of_keys) for rows in self._rows_of(layers, item, batch))
        kept = [part for part in parts if part is not None]
        if any(_rule.sees(rows, gaps) for rows in kept):
            gaps = np.zeros_like(gaps)
        offset = max(first.offset - of_keys.start, 0)
        rules, gaps = self._fit(layers, kept, gaps, offset)
        if gaps.any() and first.queries:
            group[f"{prefix}key_mask"] = (~gaps).astype(np.uint8)
        for name in ("queries", "keys", "values", "weights"):
            rows = of_queries if name in ("queries", "weights") else of_keys
            self._add_tensor(group, prefix + {"weights": "attention"}.get(name, name), layers, name, item, batch, rows, of_keys, spool)
        if prefix:
            self._prefixed = True
        count, _ = self._positions(layers)
        of_all = self._add_layer_names(group, f"{prefix}layer_names", {layer.number: layer.name for layer in layers}, count)
        if run.tower and "layers" in self.attributes:
            group.attrs["layers"] = count
        self._add_tokens(group, prefix, kind, query_side, key_side, item, batch, layers, of_queries, of_keys)
        if first.queries:
            self._add_rule(group, prefix, layers, rules, len(kept[0].low), len(gaps), offset)
        elif rules and all(rule.mask is None and rule.causal for rule in rules):
            group.attrs[f"{prefix}causal"] = 1
        if self.chosen is not None and not self.chosen >= set(range(count)):
            if prefix or count > self.layer_count:
                group.attrs[f"{prefix}layers"] = count
            group.attrs[f"{prefix}captured"] = np.array([int(number in self.chosen) for number in range(count)], np.int64)
        self._add_bias(group, prefix, layers, of_queries, of_keys, first.offset)
        self._add_distances(group, prefix, layers, of_queries, of_keys)
        projections = [layer.output_projection for layer in layers]
        place = self._file if of_all else group
        if f"{prefix}output_projection" not in place and all(x is not None for x in projections):
            self._add_arrays(place, f"{prefix}output_projection", layers, projections)

    def _add_layer_names(self, group: Any, name: str, own: dict[int, str], count: int) -> bool:
        """For all examples, but where others have the same numbers, as of a tower and of a text; whether they are for all."""
        of_all = self._layer_names.setdefault(name, {})
        if any(of_all.get(number, module) != module for number, module in own.items()):
            self._add_strings(group, name, [own.get(number, "") for number in range(count)])
            return False
        of_all.update(own)
        of_all.setdefault(count - 1, "")
        return True

    @staticmethod
    def _add_strings(group: Any, name: str, values: list[str]) -> None:
        group.create_dataset(name, data=np.array([_text.to_utf8(x) for x in values], object), dtype=h5py.string_dtype())

    @staticmethod
    def _fit(layers: list[Layer], kept: Sequence[_rule.Rows], gaps: Array, offset: int) -> tuple[list[_rule.Rule], Array]:
        """The rule of each layer, and the keys that no query of any layer sees, where these make the rules shorter."""
        def fit(absent: Array) -> list[_rule.Rule]:
            return [_rule.fit(rows, len(absent), offset, absent, layer.window, layer.chunk) for layer, rows in zip(layers, kept)]

        rules = fit(gaps)
        if any(rule.mask is not None for rule in rules):
            unseen = ~np.any([_rule.seen_keys(rows, len(gaps)) for rows in kept], axis=0)
            others = fit(unseen) if unseen.any() else rules
            if sum(rule.mask is not None for rule in others) < sum(rule.mask is not None for rule in rules):
                return others, unseen
        return rules, gaps

    def _name_some(self, layers: list[Layer]) -> str:
        return ", ".join(f"{x.name} ({x.query_count} × {x.total})" for x in layers[:4])

    def _positions(self, layers: list[Layer]) -> tuple[int, bool]:
        """How many layers the model has, and whether all of them are here."""
        kind = layers[0].kind
        count = max(0 if kind else self.layer_count, self._called.get(kind, 0), layers[-1].number + 1)
        return count, count == len(layers)

    def _add_tensor(self, group: Any, name: str, layers: list[Layer], field_name: str, item: int, batch: int, rows: slice,
                    keys: slice, spool: Spool) -> None:
        if not getattr(layers[0], field_name):
            return
        weights = field_name == "weights"

        def shape(layer: Layer) -> tuple[int, ...]:
            blocks = getattr(layer, field_name)
            heads, last = blocks[0].shape[1], blocks[0].shape[3]
            return (heads, rows.stop - rows.start, keys.stop - keys.start if weights else last)

        def read(layer: Layer) -> Array:
            parts = [spool.get(block, pick(block.shape[0], item, batch)) for block in getattr(layer, field_name)]
            if weights:
                width = max(part.shape[2] for part in parts)
                parts = [np.pad(part, ((0, 0), (0, 0), (0, width - part.shape[2]))) for part in parts]
            whole = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)
            return whole[:, rows, keys] if weights else whole[:, rows]

        count, complete = self._positions(layers)
        options = {"compression": self.compression, "shuffle": True} if self.compression else {}
        shapes = {shape(layer) for layer in layers}
        if complete and len(shapes) == 1:
            whole = next(iter(shapes))
            chunks = {"chunks": (1, 1, *whole[1:])} if options and all(whole) else {}
            data = group.create_dataset(name, (count, *whole), self.dtype, **options, **chunks)
            for layer in layers:
                data[layer.number] = read(layer)
        else:
            inner = group.create_group(name)
            for layer in layers:
                inner.create_dataset(str(layer.number), data=read(layer), dtype=self.dtype, **options)

    def _add_arrays(self, group: Any, name: str, layers: list[Layer], arrays: Sequence[Any]) -> None:
        count, complete = self._positions(layers)
        with np.errstate(over="ignore"):
            written = [array.astype(self.dtype) for array in arrays]
        for layer, array in zip(layers, written):
            if self.dtype == np.float16 and np.isinf(array).any():
                raise too_large(layer.name)
        if complete and len({array.shape for array in written}) == 1:
            group[name] = np.stack(written)
        else:
            for layer, array in zip(layers, written):
                group[f"{name}/{layer.number}"] = array

    def _add_rule(self, group: Any, prefix: str, layers: list[Layer], of_layers: list[_rule.Rule], queries: int, keys: int,
                  offset: int) -> None:
        count, _ = self._positions(layers)
        rules = {layer.number: rule for layer, rule in zip(layers, of_layers)}
        by_number = {layer.number: layer for layer in layers}
        # Layers without attention say what the first one says.
        some = layers[0].number

        def each(value: Callable[[int], Any]) -> list[Any]:
            return [value(number if number in rules else some) for number in range(count)]

        attributes = group.attrs
        attributes[f"{prefix}causal"] = one_or_all(each(lambda l: int(rules[l].causal)), int)
        attributes[f"{prefix}scale"] = one_or_all(each(lambda l: by_number[l].scale), float)
        for name, values, kind in (("sliding_window", each(lambda l: rules[l].window), int), ("chunk", each(lambda l: rules[l].chunk), int),
                                   ("softcap", each(lambda l: by_number[l].softcap), float)):
            if any(values):
                attributes[prefix + name] = one_or_all(values, kind)
        causal = any(rule.causal for rule in rules.values())
        windowed = any(rule.window or rule.chunk for rule in rules.values())
        if offset != (keys - queries if causal else 0) and (causal or windowed):
            attributes[f"{prefix}query_offset"] = offset
        elif causal and windowed and not all(rule.causal for rule in rules.values()) and keys != queries:
            attributes[f"{prefix}query_offset"] = offset
        if any(rule.mask is not None for rule in rules.values()):
            packed = {number: np.packbits(self._mask_of(rule, queries, keys, offset), axis=1, bitorder="little")
                      for number, rule in rules.items()}
            found = list(packed.values())
            if all(np.array_equal(found[0], other) for other in found[1:]):
                group[f"{prefix}mask"] = found[0]
            else:
                everything = np.packbits(np.ones((queries, keys), bool), axis=1, bitorder="little")
                group[f"{prefix}mask"] = np.stack([packed.get(number, everything) for number in range(count)])
        sinks = {layer.number: layer.sinks for layer in layers if layer.sinks is not None}
        if len(sinks) == len(layers) and len({one.shape for one in sinks.values()}) == 1:
            # Layers without attention have a row that counts for nothing.
            group[f"{prefix}sinks"] = np.array([sinks.get(number, np.zeros_like(sinks[some])) for number in range(count)], np.float32)
        else:
            for number, one in sinks.items():
                group[f"{prefix}sinks/{number}"] = np.array(one, np.float32)

    @staticmethod
    def _mask_of(rule: _rule.Rule, queries: int, keys: int, offset: int) -> Array:
        # Beside a mask, what other layers' rules say is said by these; so every bit is set.
        return rule.mask if rule.mask is not None else np.ones((queries, keys), bool)

    def _add_bias(self, group: Any, prefix: str, layers: list[Layer], queries: slice, keys: slice, offset: int) -> None:
        if not layers[0].queries:
            return
        # Distances in the file count both sides from their own first token.
        moved = keys.start - queries.start - offset
        low, high = -(queries.stop - queries.start - 1) + moved, keys.stop - keys.start + moved
        found = [layer.bias.between(low, high) for layer in layers]
        if all(bias is None for bias in found):
            return
        count, _ = self._positions(layers)
        shape = next(bias.shape for bias in found if bias is not None)
        stacked = np.zeros((count, *shape), np.float32)
        for layer, bias in zip(layers, found):
            if bias is not None:
                stacked[layer.number] = bias
        same = all(np.array_equal(stacked[0], other) for other in stacked[1:])
        group[f"{prefix}bias"] = stacked[0] if same else stacked

    def _add_distances(self, group: Any, prefix: str, layers: list[Layer], queries: slice, keys: slice) -> None:
        rows = [layer.distance_rows for layer in layers]
        if all(found is None for found in rows):
            return
        first = rows[0]
        if first is None or any(found is None or not np.array_equal(found, first) for found in rows):
            raise CaptureError(f"layers differ in what stands for which distance: {self._name_some(layers)}")
        # Both sides count from their own first token.
        low = keys.start - queries.stop + layers[0].query_count
        kept = first[low:low + (queries.stop - queries.start) + (keys.stop - keys.start) - 1]
        used, found = np.unique(kept, return_inverse=True)
        group[f"{prefix}distance_rows"] = found.astype(np.int32)
        for name in ("distance_queries", "distance_keys"):
            tables = [getattr(layer, name) for layer in layers]
            if all(table is not None for table in tables):
                self._add_arrays(group, prefix + name, layers, [table[:, used] for table in tables])
            elif any(table is not None for table in tables):
                raise CaptureError(f"only some layers have what stands for distances: {self._name_some(layers)}")

    def _add_tokens(self, group: Any, prefix: str, kind: str, query_side: Optional[Side], key_side: Optional[Side], item: int,
                    batch: int, layers: list[Layer], queries: slice, keys: slice) -> None:
        for side, kept, total, name in ((key_side, keys, max(layer.total for layer in layers), {"cross": "encoder_tokens"}.get(kind, f"{prefix}tokens")),
                                        (query_side, queries, layers[0].query_count, "decoder_tokens" if kind == "cross" else "")):
            if not name or side is None or name in group:
                continue
            starts = f"{name[:-1]}_starts"
            if side.starts is not None and starts not in group and len(side.starts) >= kept.stop:
                group[starts] = side.starts[kept].astype(np.float32)
            if side.image_token is not None and side.ids:
                self._image_tokens[f"{name[:-len('tokens')]}image_tokens", group.name] = (side, item, batch, kept)
            if side.names_of_items is not None:
                words = side.names_of_items[pick(len(side.names_of_items), item, batch)]
            elif side.names is not None:
                words = list(side.names)
            elif side.ids and self.names:
                ids = np.concatenate([x[pick(len(x), item, batch)] for x in side.ids])
                if len(ids) != total:
                    # They are those of another text.
                    continue
                found, wrong = _text.name_tokens(self.names, ids)
                if found is None:
                    if not self._unnamed:
                        warnings.warn(f"{wrong}: tokens have no names", stacklevel=2)
                    self._unnamed = True
                    continue
                words = found
            else:
                continue
            if len(words) >= kept.stop:
                group.create_dataset(name, data=np.array([_text.to_utf8(word) for word in words[kept]], object),
                                     dtype=h5py.string_dtype())

    def _add_places(self) -> None:
        """Which tokens are patches, though nobody gave the pictures."""
        for number, (text, own) in enumerate(self._owners):
            group = self._file[f"examples/{number:06d}"]
            for (name, where), (side, item, batch, kept) in self._image_tokens.items():
                if where == group.name and own is None:
                    ids = np.concatenate([x[pick(len(x), item, batch)] for x in side.ids])[kept]
                    token = side.image_token or 0
                    count = self._counts[text] if self._counts is not None else len(_images.runs(ids, token))
                    lines = _images.place(ids, token, side.grids, [None] * count)
                    if len(lines):
                        group[name] = lines

    def _add_images(self) -> None:
        if self.images is None:
            self._add_places()
            return
        for number, (text, own) in enumerate(self._owners):
            group = self._file[f"examples/{number:06d}"]
            pictures = _images.of_example(self.images, text, self._texts, self._counts)
            if own is not None:
                # What is seen of one of several.
                pictures = pictures[own:own + 1] if own >= 0 else []
            names = [name.decode() for name in group["encoder_tokens"][()]] if len(pictures) > 1 and "encoder_tokens" in group else []
            if names:
                lines = _images.grid_of_names(names, pictures[0], 0)
                if len(lines):
                    group["encoder_image_tokens"] = lines
            if len(pictures) == 1:
                group["image"] = pictures[0]
            else:
                for index, picture in enumerate(pictures):
                    group[f"images/{index}"] = picture
            for (name, where), (side, item, batch, kept) in self._image_tokens.items():
                if where == group.name:
                    ids = np.concatenate([x[pick(len(x), item, batch)] for x in side.ids])[kept]
                    lines = _images.place(ids, side.image_token or 0, side.grids, pictures)
                    if len(lines):
                        group[name] = lines

    def finish(self) -> str:
        """Puts the file in its place; its path."""
        with self._disk.room(self.path):
            self._write_rest()
            self._file.close()
            self._disk.close()
        try:
            _disk.put(self._temporary, self._lock, self.path)
        except OSError as error:
            raise _disk.sentence(error, self.path) from error
        self._unlock()
        return self.path

    def _unlock(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
        self._lock = -1

    def _write_rest(self) -> None:
        file = self._file
        self._add_images()
        if self.examples == 1 and not self.example_prefix:
            only = file["examples/000000"]
            for name in only.attrs:
                file.attrs[name] = only.attrs[name]
            for name in list(only):
                file.move(f"examples/000000/{name}", name)
            del file["examples"]
        else:
            # Names are listed in their order: all numbers of one kind have as many digits.
            width = len(str(self._texts - 1))
            image_width = len(str(max((own + 1 for _, own in self._owners if own is not None), default=1)))
            counts: list[int] = []
            for _, own in self._owners:
                counts.append(0 if own is None else counts[-1] + 1 if counts else 1)
            piece_width = len(str(max(counts, default=0)))
            for number, (text, own) in enumerate(self._owners):
                # The first is seen with its text.
                place = "" if own is None else f", image {own + 1:0{image_width}d}" if own >= 0 else f", piece {counts[number]:0{piece_width}d}"
                name = f"{self.example_prefix}{text:0{width}d}{place}"
                if name != f"{number:06d}":
                    file.move(f"examples/{number:06d}", f"examples/{name}")
        for name, of_layers in self._layer_names.items():
            count = max(0 if self._prefixed or self._towers else self.layer_count, max(of_layers) + 1)
            self.attributes[name] = [of_layers.get(number, "") for number in range(count)]
        for name, value in self.attributes.items():
            if name in ("layers", "layer_types") and (self._prefixed or name in file.attrs or (self._towers and name == "layer_types")):
                # Of which of the kinds would not be told, or it is told of a tower.
                continue
            if isinstance(value, list):
                self._add_strings(file, name, value)
            else:
                file.attrs[name] = _text.to_utf8(value).decode() if isinstance(value, str) else value

    def discard(self) -> None:
        """Leaves nothing behind."""
        with suppress(FileNotFoundError):
            os.remove(self._temporary)
        if self._file is not None:
            with suppress(OSError, RuntimeError):
                self._file.close()
        if self._disk is not None:
            self._disk.close()
        self._unlock()
