# SPDX-License-Identifier: MIT
"""JSON files that are cut off, not JSON, ragged, or not what their members promise."""

import json

import numpy as np

from malformed_case import case
from malformed_hdf5 import weights

# Two layers, two heads, three tokens; short enough to read in the file.
ROW = "[0.5,0.25,0.25]"
HEAD = f"[{ROW},{ROW},{ROW}]"
LAYER = f"[{HEAD},{HEAD}]"
ATTENTION = f"[{LAYER},{LAYER}]"
THREE = '["a","b","c"]'
GOOD = f'{{"attention":{ATTENTION},"tokens":{THREE}}}'


def text(name, outcome, contains, why, content):
    """A case whose whole content is this text or these bytes."""

    @case(f"{name}.json", outcome, contains, why)
    def _(path):
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def error(name, why, content, contains=""):
    text(name, "error", contains, why, content)


def odd(name, why, content):
    text(name, "opens-with-warning", "", why, content)


def opens(name, why, content):
    text(name, "opens", "", why, content)


def attention(value, tokens=THREE):
    return f'{{"attention":{value},"tokens":{tokens}}}'


def with_row(row):
    """Good attention but for one row."""
    return attention(ATTENTION.replace(ROW, row, 1))


def with_tokens(tokens):
    return attention(ATTENTION, tokens)


def with_member(member):
    return f'{{{member},{GOOD[1:]}'


# Cut off

error("empty", "no bytes at all", "", "empty")
error("white-space", "nothing but white space", " \n\t\r\n ")
for _part, _content in {
    "brace": "{",
    "name": '{"atten',
    "colon": '{"attention":',
    "number": '{"attention":[[[[0.5,0.2',
    "minus": '{"attention":[[[[0.5,-',
    "exponent": '{"attention":[[[[0.5,1e',
    "literal": '{"attention":[[[[0.5,Na',
    "rows": GOOD[: len(GOOD) // 2],
    "string": GOOD[:-4],
    "escape": '{"tokens":["a\\',
    "unicode-escape": '{"tokens":["a\\u00',
    "utf8": '{"tokens":["日'.encode()[:-1],
    "last-brace": GOOD[:-1],
}.items():
    error(f"truncated-{_part}", f"cut off: {_part}", _content)

# Not JSON, or not an object

for _name, _content in {
    "number": "42",
    "string": '"attention"',
    "null": "null",
    "true": "true",
    "nan": "NaN",
}.items():
    error(f"top-level-{_name}", f"the top level is not an object: {_name}", _content)
opens("top-level-array", "the top level is a list, which is the attention", ATTENTION)

error("html", "a web page", "<!DOCTYPE html><html><body>{}</body></html>")
error("python", "Python's spelling: single quotes", GOOD.replace('"', "'"))
error("unquoted-name", "a member's name without quotes", "{attention:" + ATTENTION + "}")
error("comment-line", "a // comment", "// attention\n" + GOOD)
error("comment-block", "a /* comment */", GOOD.replace(":", ": /* here */ ", 1))
error("trailing-comma-object", "a comma before the last brace", GOOD[:-1] + ",}")
error("trailing-comma-array", "a comma before a bracket", with_row("[0.5,0.25,0.25,]"))
error("missing-comma", "two numbers without a comma", with_row("[0.5 0.25,0.25]"))
error("double-comma", "two commas", with_row("[0.5,,0.25]"))
error("missing-colon", "a member without a colon", GOOD.replace(":", " ", 1))
error("wrong-bracket", "an array closed by a brace", with_row("[0.5,0.25,0.25}"))
error("trailing-text", "text after the object", GOOD + " and more")
error("trailing-object", "a second object after the first (JSON lines)", GOOD + "\n" + GOOD)
error("trailing-nul", "NUL bytes after the object", GOOD.encode() + bytes(16))
error("nul-inside", "a NUL byte between members", GOOD.replace(",\"t", ",\0\"t"))
error("nul-in-string", "a NUL byte in a token", with_tokens('["a","\0","c"]'))
error("control-in-string", "a raw newline in a token", with_tokens('["a","\n","c"]'))
error("utf16", "UTF-16 with a byte order mark", "\ufeff".encode("utf-16-le")
      + GOOD.encode("utf-16-le"))
error("latin1", "a token in Latin-1: not UTF-8", with_tokens('["a","café","c"]').encode("latin-1"))
error("overlong-utf8", "an overlong encoding in a token",
      with_tokens('["a","@","c"]').encode().replace(b"@", b"\xc0\xaf"))
error("escape-unknown", r"the escape \x41", with_tokens(r'["a","\x41","c"]'))
error("escape-not-hex", r"the escape \u12G4", with_tokens(r'["a","\u12G4","c"]'))
error("escape-short", r"the escape \u12 before the quote", with_tokens(r'["a","\u12","c"]'))
error("vertical-tab", "white space that JSON does not have", GOOD.replace(":", ":\v", 1))

opens("byte-order-mark", "a UTF-8 byte order mark", "\ufeff" + GOOD)
opens("trailing-white-space", "white space after the object", GOOD + " \r\n\t\n")
opens("long-name", "a member's name of 10,000 characters", with_member(f'"{"k" * 10000}":1'))
opens("slashed-name", "the name of the group of all has 10,001 slashes", f'{{"{"a/" * 10001}a":{GOOD}}}')
opens("unknown-twice", "a member nobody knows, twice", with_member('"x":1,"x":[2]'))

@case("really-json.h5", "opens", "", "a JSON file with the wrong extension: the content decides")
def _(path):
    path.write_text(GOOD)


# Numbers

for _name, _number in {
    "overflow": "1e999",
    "overflow-negative": "-1e999",
    "exponent-huge": "1e99999999999999999999",
    "leading-zero": "01",
    "plus": "+1",
    "no-integer": ".5",
    "no-fraction": "1.",
    "no-exponent": "1e",
    "exponent-fraction": "1e0.5",
    "hexadecimal": "0x10",
    "underscore": "1_0",
    "comma": "0,5",
    "two-points": "0.5.5",
    "two-minus": "--1",
    "only-minus": "-",
    "nan-lower-case": "nan",
    "nan-letters": "NaNs",
    "inf": "inf",
    "infinity-letters": "Infinit",
    "suffix": "0.5f",
}.items():
    error(f"number-{_name}", f"{_number} is no number of JSON, or too large",
          with_row(f"[{_number},0.25,0.25]"))

opens("number-long", "a number of 5,000 digits", with_row(f"[0.{'5' * 5000},0.25,0.25]"))
opens("number-long-zeros", "a tiny number: 5,000 zeros, then e5000",
      with_row(f"[0.{'0' * 5000}5e5000,0.25,0.25]"))

# Ragged, mixed, wrong rank

error("ragged-keys", "one row has a number less", with_row("[0.5,0.5]"), "attention")
error("ragged-keys-more", "one row has a number more", with_row("[0.5,0.25,0.125,0.125]"),
      "attention")
error("ragged-queries", "one head has a row less",
      attention(ATTENTION.replace(HEAD, f"[{ROW},{ROW}]", 1)), "attention")
error("ragged-queries-last", "the last head has a row more",
      attention(ATTENTION[:-3] + f",{ROW}]]]"), "attention")
opens("ragged-heads", "one layer has a head less, as layers may (an HDF5 group of layers can too)",
      attention(f"[{LAYER},[{HEAD}]]"))
error("ragged-empty-row", "one row is empty", with_row("[]"), "attention")
error("ragged-shallow", "a number in place of a row", with_row("0.5"), "attention")
error("ragged-deep", "a list in place of a number", with_row("[0.5,[0.25],0.25]"), "attention")
error("ragged-batch", "one layer has two batch items, the other one",
      attention(f"[[{LAYER},{LAYER}],[{LAYER}]]"), "attention")
error("ragged-first-empty", "the first layer is empty", attention(f"[[],{LAYER}]"), "attention")

for _name, _value in {
    "string": '"0.5"',
    "null": "null",
    "true": "true",
    "object": '{"value":0.5}',
}.items():
    error(f"mixed-{_name}", f"{_name} among the numbers", with_row(f"[{_value},0.25,0.25]"),
          "attention")

for _name, _value in {
    "null": "null",
    "true": "true",
    "number": "0.5",
    "string": '"AAAA"',
    "object": "{}",
    "empty": "[]",
    "empty-4": "[[[[]]]]",
    "empty-queries": "[[[]]]",
    "strings": '[[[["a"]]]]',
}.items():
    error(f"attention-{_name}", f"attention is {_value}", attention(_value), "attention")

for _rank in (1, 2, 3, 6, 7):
    _read = _rank in (2, 3, 6)
    text(f"rank-{_rank}", "opens" if _read else "error", "" if _read else f"rank {_rank}", f"attention has {_rank} axes",
         attention("[" * _rank + "1" + "]" * _rank, '["a"]').encode())

error("nothing", "an object without members", "{}", "attention")
error("no-attention", "tokens, but no attention of any name", f'{{"tokens":{THREE}}}', "attention")
error("attention-twice", "attention twice, with different numbers",
      GOOD[:-1] + ',"attention":' + ATTENTION.replace("0.5", "0.125") + "}", "attention")
error("attention-both-names", "attention and attentions, with different numbers",
      GOOD[:-1] + ',"attentions":' + ATTENTION.replace("0.5", "0.125") + "}", "attention")
odd("tokens-twice", "tokens twice, with different words: neither is believed",
    GOOD[:-1] + ',"tokens":["x","y","z"]}')
error("examples-empty", "examples with none in it", '{"examples":{}}', "examples")
opens("examples-array", "examples are a list without names: they are counted", f'{{"examples":[{GOOD}]}}')
error("examples-numbers", "an example is a number", '{"examples":{"a":1,"b":2}}', "examples")
error("examples-ragged", "the second example is ragged",
      f'{{"examples":{{"a":{GOOD},"b":{with_row("[1]")}}}}}', "attention")
error("examples-twice", "two examples of the same name",
      f'{{"examples":{{"a":{GOOD},"a":{with_tokens(json.dumps(["x", "y", "z"]))}}}}}', "examples")

# Depth a recursive reader may not survive; deeper ones are made at test time

error("deep-attention", "attention is 2,000 lists deep",
      attention("[" * 2000 + "1" + "]" * 2000), "attention")
error("deep-unclosed", "5,000 brackets and the end of the file", "[" * 5000)
text("deep-unknown", "any", "", "a member nobody knows is 2,000 levels deep; a depth limit is fine",
     with_member('"x":' + '{"y":[' * 1000 + "]}" * 1000))

# Tokens: attention is good, so it is shown with positions or mended tokens, and that is said

for _name, _value in {
    "number": "3",
    "string": '"a b c"',
    "object": '{"0":"a","1":"b","2":"c"}',
    "true": "true",
    "integers": "[101,2051,102]",
    "with-null": '["a",null,"c"]',
    "with-number": '["a",2,"c"]',
    "with-object": '["a",{},"c"]',
}.items():
    odd(f"tokens-{_name}", f"tokens are {_value}", with_tokens(_value))
opens("tokens-nested", "tokens are a list for each example of a batch, of which there is one", with_tokens('[["a","b","c"]]'))

odd("tokens-lone-high", r"a lone high surrogate: \ud83d", with_tokens(r'["a","x\ud83dy","c"]'))
odd("tokens-lone-low", r"a lone low surrogate: \ude42", with_tokens(r'["a","\ude42","c"]'))
odd("tokens-swapped", "surrogates in the wrong order", with_tokens(r'["a","\ude42\ud83d","c"]'))
odd("tokens-two-high", "a high surrogate before a good pair",
    with_tokens(r'["a","\ud83d\ud83d\ude42","c"]'))
opens("tokens-null", "tokens are null: the same as none", with_tokens("null"))
opens("tokens-empty", "a list of no tokens: the same as none", with_tokens("[]"))
opens("tokens-nul-escape", r"a token with \u0000 in it, which must not cut it off",
      with_tokens(r'["a","x\u0000y","c"]'))

# Attributes

for _name, _member in {
    "causal-text": '"causal":"yes"',
    "causal-two": '"causal":2',
    "causal-untrue": '"causal":1',
    "causal-array": '"causal":[1]',
    "split-negative": '"sentence_b_start":-5',
    "split-beyond": '"sentence_b_start":4',
    "split-1e30": '"sentence_b_start":1e30',
    "split-fraction": '"sentence_b_start":1.5',
    "split-text": '"sentence_b_start":"two"',
    "version-text": '"version":"one"',
    "version-negative": '"version":-1',
    "format-other": '"format":"something-else"',
    "format-number": '"format":7',
    "model-number": '"model":42',
    "model-object": '"model":{"name":"x"}',
    "text-array": '"text":["a","b"]',
}.items():
    odd(f"attribute-{_name}", f"{_member} beside good attention", with_member(_member))

opens("attribute-null", "attributes are null: the same as absent",
      with_member('"model":null,"causal":null,"sentence_b_start":null,"scale":null'))

# Queries and keys


def matrix(layers, heads, rows, width):
    return json.dumps(weights(layers, heads, rows, width).round(3).tolist(), separators=(",", ":"))


def qk(name, why, contains, q, k, *members):
    parts = [f'"queries":{matrix(*q)}'] if q else []
    parts += [f'"keys":{matrix(*k)}'] if k else []
    error(f"qk-{name}", why, "{" + ",".join([*parts, *members]) + "}", contains)


_QK = (1, 4, 3, 2)
qk("no-keys", "queries without keys", "keys", _QK, None)
qk("no-queries", "keys without queries", "queries", None, _QK)
qk("heads", "4 query heads cannot share 3 key heads", "heads", _QK, (1, 3, 3, 2))
qk("width", "queries are 2 wide, keys 3", "keys", _QK, (1, 4, 3, 3))
qk("layers", "1 layer of queries, 2 of keys", "keys", _QK, (2, 4, 3, 2))
qk("scale-nan", "scale is NaN", "scale", _QK, _QK, '"scale":NaN')
qk("scale-zero", "scale is 0", "scale", _QK, _QK, '"scale":0')
qk("scale-text", "scale is a word", "scale", _QK, _QK, '"scale":"big"')
qk("window-fraction", "sliding_window is 1.5", "sliding_window", _QK, _QK, '"sliding_window":1.5')
qk("windows-many", "sliding_window has 3,000 numbers, for 1 layer", "sliding_window", _QK, _QK, '"causal":1',
   f'"sliding_window":"{"7," * 2999}7"')
qk("windows-long", "a sliding_window has 10,000 digits", "sliding_window", _QK, _QK, '"causal":1',
   f'"sliding_window":"7,{"9" * 10000}"')
qk("softcap-negative", "softcap is -1", "softcap", _QK, _QK, '"softcap":-1')

# Projected positions


def positions(*shape):
    return json.dumps(np.ones(shape).tolist(), separators=(",", ":"))


qk("projection-tokens", "a projection of 4 tokens, keys of 3", "projects 4 tokens", _QK, _QK, f'"key_projections":{positions(2, 4)}')
qk("projection-rank", "a projection of 1 axis", "rank 1", _QK, _QK, '"key_projections":[1,1,1]')
qk("projection-layers", "projections of 2 layers, keys of 1", "layers and heads", _QK, _QK, f'"key_projections":{positions(2, 2, 3)}')
qk("projection-heads", "projections of 3 heads, keys of 4", "layers and heads", _QK, _QK, f'"key_projections":{positions(1, 3, 2, 3)}')
qk("projection-text", "projections that are words", "key_projections", _QK, _QK, '"key_projections":["a","b"]')
