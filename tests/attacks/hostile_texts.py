# SPDX-License-Identifier: MIT
"""Texts that somebody chose to do harm, by what each would do; for the command line and for the window."""

import re

HOSTILE = {
    "escape": "\x1b[2J\x1b]0;title\x07\x1b[31m", "csi": "\x9b31m\x90q\x9c", "controls": "a\x00b\x01\x08\x08\x7f\r\n\tz", "lines": "one\ntwo\u2028three\u0085four\x0bfive",
    "bidi": "\u202eevil\u2066\u202dtxt\u2069", "marks": "\u200e\u200f\u061c", "markup": "<b>&amp;</b><script>alert(1)</script>", "close": "</script><!--<script>", "end": "]]></text>--></title>",
    "attribute": "\" onload=\"alert(1)' x='", "formula": "=cmd|'/c calc'!A0", "plus": "+1+1", "at": "@SUM(A1)", "minus": "-2+3", "tab": "\t=1+1", "quote": '";"\'',
    "percent": "%s%n%1$s", "combining": "a" + "\u0301" * 500, "joined": "\U0001f468\u200d" * 40, "noncharacter": "\ufffe\uffff\U0010ffff\ufdd0", "private": "\ue000\U000f0000",
    "tags": "\U000e0001\U000e0041", "unseen": "a\u200bb\ufeffc\u2060d\u206ae", "mark": "\ufeff=1+1", "space": "\u200b@SUM(A1)", "semicolon": ";=cmd|'/c calc'!A0;", "apostrophe": "'=1+1", "said": '"-2+3"',
    "long": "wide" * 5000, "path": "../../etc/passwd", "empty": "", "template": "${alert(1)}{{7*7}}`", "tabbed": "a\t=1+1",
}
# What a spreadsheet computes, whatever it trims before it or splits cells by.
FORMULA = re.compile("(\\A|[;|\t\r\n])[\\s\"\u200b\u2060\ufeff]*[=+@-](?!\\Z)")
# What a terminal or a line of text acts on instead of showing it.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
