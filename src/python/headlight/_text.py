# SPDX-License-Identifier: MIT
"""Text as files hold it: UTF-8 without NUL, which ends strings there."""
from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

ATTRIBUTE_BYTES = 60000


def to_utf8(text: str) -> bytes:
    """What no file can hold is spelled as byte tokens are, <0x00>; half a pair of surrogates is lost."""
    try:
        whole = text.encode()
    except UnicodeEncodeError:
        whole = "".join(f"<0x{ord(sign) - 0xDC00:02X}>" if "\udc80" <= sign <= "\udcff" else "\ufffd" if "\ud800" <= sign <= "\udfff" else sign
                        for sign in text).encode()
    return whole.replace(b"\0", b"<0x00>")


def name_tokens(names: Callable[[Any], Sequence[Any]], ids: Any) -> tuple[Optional[list[str]], str]:
    """The names of token numbers, or None and what is wrong with them. A number that has no name is its own."""
    try:
        given = names(ids)
    except Exception as error:
        return None, f"the tokenizer failed with {type(error).__name__}: {error}"
    if not isinstance(given, (list, tuple)) or len(given) != len(ids):
        of = f"{len(given)} names" if isinstance(given, (list, tuple)) else type(given).__name__
        return None, f"the tokenizer gave {of} for {len(ids)} tokens"
    words = [word.decode("utf-8", "surrogateescape") if isinstance(word, bytes) else word for word in given]
    return [word if isinstance(word, str) else f"#{number}" for word, number in zip(words, ids)], ""
