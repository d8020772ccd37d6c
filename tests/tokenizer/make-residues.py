#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what EsmTokenizer of transformers makes of proteins and of what is none: a line a text, with a tab before its ids.

  make-residues.py [N] > residues.txt    N texts, 300 unless given

The vocabulary is that of ESM-2, in its order; the test writes it as the vocab.txt that such models have.
"""

import pathlib
import random
import sys
import tempfile

import transformers

VOCABULARY = ("<cls> <pad> <eos> <unk> L A G V S E R T I D P K Q N F Y M H W C X B U Z O . - <null_1> <mask>").split()
PARTS = ["MKTAYIAKQR", "<mask>", " ", "  ", "\t", "LAGV", "j", "acdef", "J1", "<null_1>", ".", "-", "<", "<ma", "É", "\u00a0", "X B", "<eos>",
         "🧬", "C", "<mask><mask>", "<unk>", "日本"]


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    choose = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "vocab.txt"
        path.write_text("\n".join(VOCABULARY))
        tokenizer = transformers.EsmTokenizer(str(path))
    for _ in range(n):
        text = "".join(choose.choice(PARTS) for _ in range(choose.randint(1, 9)))
        ids = tokenizer(text)["input_ids"]
        print(text.replace("\t", "\\t"), " ".join(map(str, ids)), sep="\t")


if __name__ == "__main__":
    main()
