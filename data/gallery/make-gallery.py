#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the figures of the gallery and the page that shows them with their commands.

Usage: make-gallery.py HEADLIGHT-CLI FOLDER [--model FOLDER] [--only WORD]

Writes FOLDER/gallery.md and its pictures into FOLDER/gallery. Without --model, the folder of all-MiniLM-L6-v2 or another BERT, only those
figures are made whose inputs are made here, and no page is written. Every command is run as the page shows it, in a folder
that has the files it names. Needs NumPy.
"""
import argparse
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
MAX_BYTES = 60000

# A chain of ubiquitin, a protein of 76 residues.
PROTEIN = "MQIFVKTLTGKTITLEVEPSDTIENVKAKIQDKEGIPPDQQRLIFAGKQLEDGRTLSDYNIQKESTLHLVLRLRGG"
RESIDUES = "LAGVESIKRDTPNQFYMHCWX"
SENTENCE = "The chef who ran to the store was out of food ."


# Inputs: toys that anybody can work out with a pencil, and a model that reads residues

def write_dump(path, **members):
    path.write_text(json.dumps({"format": "headlight-attention", "version": 1,
                                **{name: value.tolist() if isinstance(value, np.ndarray) else value
                                   for name, value in members.items()}}))


def one_head(matrix):
    """[rows, columns] as [layers, heads, rows, columns]."""
    return np.asarray(matrix, dtype=float)[None, None]


def make_toy(folder):
    """Three inputs of four features and whole numbers for weights."""
    x = np.array([[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
    w_query = np.array([[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
    w_key = np.array([[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
    w_value = np.array([[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])
    write_dump(folder / "toy.json", tokens=["x1", "x2", "x3"], inputs=x[None], queries=one_head(x @ w_query),
               keys=one_head(x @ w_key), values=one_head(x @ w_value), scale=1)


def make_softmax(folder):
    """One query, 1, on five keys that are the numbers of v: its scores are v."""
    v = np.array([[0.1], [0.2], [0.3], [0.2], [0.1]])
    write_dump(folder / "softmax.json", query_tokens=["v"], key_tokens=[f"{number:g}" for number in v[:, 0]],
               queries=one_head([[1]]), keys=one_head(v), scale=1)


def make_linformer(folder):
    """Four tokens whose keys and values are projected to two positions: the first two tokens, and the last two."""
    e = np.array([[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    q = np.array([[2, 0], [1, 1], [0, 2], [1, 0]])
    k = np.array([[2, 1], [1, 0], [0, 1], [1, 3]])
    v = np.array([[1, 0], [0, 1], [2, 2], [4, 0]])
    write_dump(folder / "linformer.json", query_tokens=["the", "cat", "sat", "down"], queries=one_head(q), keys=one_head(k),
               values=one_head(v), key_projections=e, value_projections=e)


def make_large_linformer(folder):
    """2,048 queries on 512 projected keys: each of these gathers four neighbours, and queries look around themselves."""
    n, k, d = 2048, 512, 64
    angle = np.arange(n)[:, None] * np.geomspace(0.05, 0.001, d // 2)[None]
    place = np.concatenate([np.cos(angle), np.sin(angle)], axis=1)
    e = np.zeros((k, n), dtype=np.float32)
    e[np.arange(n) // (n // k), np.arange(n)] = k / n
    np.savez(folder / "linformer-2048.npz", queries=place[None, None].astype(np.float32),
             keys=place[None, None].astype(np.float32), key_projections=e)


def make_patterns(folder):
    """Five heads on two sentences of six tokens, one for each class."""
    n, half = 12, 6
    tokens = ["[CLS]", "the", "cat", "sat", "down", "[SEP]", "it", "was", "tired", "and", "old", "[SEP]"]
    even = np.full((n, n), 1 / n)
    vertical = 0.3 * even
    vertical[:, 5] += 0.7
    diagonal = 0.3 * even + 0.7 * np.roll(np.eye(n), 1, axis=1)
    block = np.kron(np.eye(2), np.full((half, half), 1 / half))
    random = np.random.default_rng(5).dirichlet(np.full(n, 2.0), n)
    heads = np.stack([vertical, diagonal, (vertical + diagonal) / 2, block, random])
    write_dump(folder / "patterns.json", tokens=tokens, sentence_b_start=half, attention=heads[None])


def write_safetensors(path, tensors):
    header, at = {}, 0
    for name, tensor in tensors.items():
        size = tensor.size * 4
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor, dtype=np.float32).tobytes())


def make_protein(folder):
    """A BERT of one letter a token, whose weights are set by hand: one head looks at where it is, one four residues on, one at
    residues like its own, one at [SEP]. It knows nothing of proteins."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *RESIDUES]
    n_words, n_places, width, heads = len(words), 128, 64, 4
    size = width // heads
    random = np.random.default_rng(7)
    word = np.zeros((n_words, width))
    word[np.arange(n_words), np.arange(n_words)] = 4
    turn = 2 * np.pi / np.geomspace(3, 90, 16)
    angle = np.arange(n_places)[:, None] * turn
    place = np.zeros((n_places, width))
    place[:, 32:48], place[:, 48:] = np.cos(angle), np.sin(angle)

    # From the features of a place to queries and keys; turned on by so many places.
    def see_place(shift, strength):
        matrix = np.zeros((size, width))
        for i, frequency in enumerate(range(0, 16, 2)):
            c, s = np.cos(shift * turn[frequency]), np.sin(shift * turn[frequency])
            matrix[2 * i, 32 + frequency], matrix[2 * i, 48 + frequency] = c, -s
            matrix[2 * i + 1, 32 + frequency], matrix[2 * i + 1, 48 + frequency] = s, c
        return matrix * strength

    alike = random.normal(0, 0.5, (size, width)) * (np.arange(width) < 32)
    to_sep = np.zeros((size, width))
    to_sep[0, words.index("[SEP]")] = 1
    queries = np.concatenate([see_place(0, 0.7), see_place(4, 0.7), alike, 0 * to_sep])
    keys = np.concatenate([see_place(0, 0.7), see_place(0, 0.7), alike, to_sep])
    zero, one, eye = np.zeros(width), np.ones(width), np.eye(width)
    asks = np.where(np.arange(width) == 3 * size, 4, 0)
    tensors = {"embeddings.word_embeddings.weight": word, "embeddings.position_embeddings.weight": place,
               "embeddings.token_type_embeddings.weight": np.zeros((2, width)),
               "embeddings.LayerNorm.weight": one, "embeddings.LayerNorm.bias": zero}
    for layer in range(1):
        at = f"encoder.layer.{layer}."
        for name, matrix, bias in (("query", queries, asks), ("key", keys, zero), ("value", eye, zero)):
            tensors[f"{at}attention.self.{name}.weight"], tensors[f"{at}attention.self.{name}.bias"] = matrix, bias
        tensors |= {f"{at}attention.output.dense.weight": eye * 0.5, f"{at}attention.output.dense.bias": zero,
                    f"{at}attention.output.LayerNorm.weight": one, f"{at}attention.output.LayerNorm.bias": zero,
                    f"{at}intermediate.dense.weight": np.zeros((width, width)), f"{at}intermediate.dense.bias": zero,
                    f"{at}output.dense.weight": np.zeros((width, width)), f"{at}output.dense.bias": zero,
                    f"{at}output.LayerNorm.weight": one, f"{at}output.LayerNorm.bias": zero}
    model = folder / "protein-bert"
    model.mkdir()
    write_safetensors(model / "model.safetensors", tensors)
    (model / "vocab.txt").write_text("".join(f"{name}\n" for name in words))
    (model / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": False}))
    (model / "config.json").write_text(json.dumps({
        "architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu", "hidden_size": width,
        "intermediate_size": width, "layer_norm_eps": 1e-12, "max_position_embeddings": n_places,
        "num_attention_heads": heads, "num_hidden_layers": 1, "type_vocab_size": 2, "vocab_size": n_words}))


def make_inputs(folder, model):
    for make in (make_toy, make_softmax, make_linformer, make_large_linformer, make_patterns, make_protein):
        make(folder)
    for name in ("sentences.txt", "annotated.conllu"):
        shutil.copy(HERE / name, folder)
    if model is not None:
        (folder / "minilm").symlink_to(Path(model).resolve(), target_is_directory=True)


# The page

# Name, title, what there is to see, and the commands. One that names minilm needs the model; what prints is shown as it prints.
FIGURES = [
    ("protein", "A protein, one letter a token",
     "The maps of ubiquitin in a BERT that reads residues. The model is made by the script and its weights are set by hand, so"
     " that there is something to see in each head: where a residue is, what stands four residues on, as in a helix, residues"
     " of the same kind, and [SEP]. With the folder of ProtBert in its place, the same command shows what that has learned."
     " The letters of a sequence are set apart by spaces.",
     [f'headlight-cli render protein-bert --text "{" ".join(PROTEIN)}" --view heatmap --layer 0 --heads 1'
      ' --value-scale row --width 760 --height 720 --output protein.png',
      f'headlight-cli render protein-bert --text "{" ".join(PROTEIN)}" --view model-view --thumbnails heatmap'
      ' --square-cells yes --width 640 --output protein-heads.png']),
    ("toy-steps", "From X to the output, in whole numbers",
     "Three inputs of four features, and projections of whole numbers: every number on the way to the weights and the output"
     " can be worked out with a pencil.",
     ["headlight-cli render toy.json --view steps --token 0 --width 900 --output toy-steps.png"]),
    ("softmax", "softmax(v) and softmax(100 v)",
     "The same five scores, and a hundred times as much: what was nearly even becomes a choice of one. The factor is the"
     " steps' own, and is said in the caption.",
     ["headlight-cli render softmax.json --view steps --token 0 --width 700 --height 460 --output softmax-1.png",
      "headlight-cli render softmax.json --view steps --token 0 --score-scale 100 --width 700 --height 460"
      " --output softmax-100.png"]),
    ("linformer", "A Linformer, 4 × 2",
     "Keys and values of four tokens are projected to two positions by E and F, so that the map is 4 × 2; a position is named"
     " by the tokens that E gathers in it.",
     ["headlight-cli render linformer.json --view steps --token 1 --width 900 --output linformer-steps.png"]),
    ("linformer-2048", "A Linformer, 2,048 × 512",
     "The same at the size of the paper: rows are 2,048 queries, columns 512 projected keys. What is drawn is pooled to the"
     " pixels there are, the strongest weight of each.",
     ["headlight-cli render linformer-2048.npz --view heatmap --value-scale row --width 400 --height 480"
      " --output linformer-2048.png"]),
    ("patterns", "Five patterns",
     "One made-up head for each class of the rule that stands in for the classifier of Kovaleva et al., and what the rule says.",
     ["headlight-cli render patterns.json --view model-view --thumbnails heatmap --square-cells yes --width 720"
      " --output patterns.png",
      "headlight-cli stats patterns.json --numbers pattern,sink,entropy"]),
    ("pattern-shares", "Shares of the patterns by layer",
     "What part of the heads of each layer is of which class, in all-MiniLM-L6-v2: of each text its part, and the mean of these.",
     ["headlight-cli render minilm --texts sentences.txt --view chart --chart shares --number pattern --width 640 --height 400"
      " --output pattern-shares.png"]),
    ("special-mass", "Special tokens, raw and weighted",
     "How much weight lies on [CLS] and [SEP] by layer, and how much is left of it when each weight counts as much as what the"
     " key brings: ‖A · f(x)‖ in place of A (Kobayashi et al.). Then the same for special tokens alone; a point is a head, its"
     " line the spread over texts.",
     ["headlight-cli render minilm --texts sentences.txt --view chart --chart shares --number special --width 640 --height 400"
      " --output mass-shares.png",
      *(f"headlight-cli render minilm --texts sentences.txt --view chart --chart layers --number {number} --width 640 --height 400"
        f" --output {name}.png" for number, name in (("special", "special-mass"), ("norm-share-special", "special-norm")))]),
    ("by-layer", "What Clark et al. draw by layer",
     "Weight on [SEP] and on punctuation; what [SEP] itself gives to [SEP], and what all other tokens give to it; how broadly"
     " heads look, and how broadly they do from [CLS]. All over many texts, a line each.",
     [f"headlight-cli render minilm --texts sentences.txt --view chart --chart layers --number {number} --width 640 --height 400"
      f" --output {name}.png" for number, name in (
          ("mass-sep", "corpus-sep"), ("mass-punctuation", "corpus-punctuation"), ("sep-to-sep", "sep-to-sep"),
          ("others-to-sep", "others-to-sep"), ("entropy", "corpus-entropy"), ("entropy-cls", "entropy-cls"))]),
    ("mixing", "How much a layer mixes",
     "How much of what a layer makes of a token comes from other tokens (Kobayashi et al. 2021): a number of the layer, all heads"
     " together.",
     ["headlight-cli render minilm --texts sentences.txt --view chart --chart layers --number mixing --width 640 --height 400"
      " --output corpus-mixing.png"]),
    ("patterns-of-heads", "Heads that show a pattern",
     "A head that looks at the next token, or back to [CLS], and one that looks broadly. The second command finds such heads: it sorts all by how"
     " evenly they spread their weight, the narrowest last.",
     ['headlight-cli render minilm --text "The chef ran to the store ." --view head-view --layer 1 --heads 8 --relative-lines yes'
      " --width 300 --output narrow-head.png",
      'headlight-cli render minilm --text "The chef ran to the store ." --view head-view --layer 0 --heads 7 --relative-lines yes'
      " --width 300 --output broad-head.png",
      "headlight-cli stats minilm --texts sentences.txt --numbers entropy,previous,next,mass-sep --format csv > heads.csv"]),
    ("lengths", "What weights leave out",
     "The mean of ‖f(x)‖, the length of what a token brings, of special tokens, of punctuation and of all others: what gets much"
     " weight brings little. Below, the map of a head as weights and as ‖A · f(x)‖.",
     [*(f"headlight-cli render minilm --texts sentences.txt --view chart --chart layers --number length-{kind} --width 640 --height 400"
        f" --output length-{kind}.png" for kind in ("special", "punctuation", "other")),
      *(f'headlight-cli render minilm --text "The chef ran to the store ." --view heatmap --layer 4 --heads 5 --quantity {quantity}'
        f" --width 400 --output head-{quantity}.png" for quantity in ("weight", "norm"))]),
    ("scatter", "Heads that are alike",
     "Heads as points, near ones with like rows: Jensen–Shannon divergences, their mean over texts, in two dimensions (Clark et"
     " al.).",
     ["headlight-cli render minilm --texts sentences.txt --view chart --chart scatter --width 640 --height 520 --output scatter.png"]),
    ("ablation", "Heads switched off",
     "How far the mean final state moves without each head (Michel et al.), and with each head attending to all tokens alike"
     " (Kovaleva et al.); means over texts.",
     [f"headlight-cli render minilm --texts sentences.txt --view chart --chart grid --number ablation-{kind} --width 640 --height 420"
      f" --output ablation-{kind}.png" for kind in ("zero", "uniform")]),
    ("grammar", "Which heads follow grammar",
     "Of all heads, how often the word that gets most weight is the right one: governors and dependents, direct objects alone,"
     " and mentions of what was mentioned before.",
     [f"headlight-cli render minilm --annotations annotated.conllu {options} --view chart --chart grid --width 640 --height 420"
      f" --output {name}.png" for options, name in (
          ("--number dependency", "dependency-heads"), ("--number dependency --relation obj", "object-heads"),
          ("--number coreference", "coreference-heads"))]),
    ("dependencies", "Heads that follow dependencies and mentions",
     "Sixteen sentences are few, and these were written for the gallery: the table shows what can be asked, not what is true of"
     " the model. The figure is the head that it names for direct objects, with two of them pinned, which look at their verbs.",
     ["headlight-cli probe minilm --annotations annotated.conllu",
      'headlight-cli render minilm --text "The author wrote the long letter at night and burned it ." --view head-view --layer 2'
      ' --heads 0 --token 6,11 --relative-lines yes --width 640 --output object-head.svg']),
    ("several", "Several tokens at once",
     "What two keys get together: numbers and shades are the sum, each line is as strong as its own weight.",
     [f'headlight-cli render minilm --text "{SENTENCE}" --view head-view --layer 2 --heads 1 --token :0,11 --width 640'
      ' --output several.svg']),
]


def run(command, cli, folder):
    """As a shell runs it that finds headlight-cli; returns what it prints."""
    environment = dict(os.environ, PATH=f"{cli.parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    result = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{command}\n{result.stderr}")
    return result.stdout


def list_pictures(commands):
    return [command.split("--output ")[1] for command in commands if "--output " in command]


def wrap(command):
    """A long command over several lines, broken before options."""
    lines, line = [], ""
    for part in command.split(" --"):
        part = part if not lines and not line else f"--{part}"
        if line and len(line) + len(part) > 100:
            lines.append(line)
            line = ""
        line += (" " if line else "") + part
    return " \\\n    ".join([*lines, line])


def describe(title, words, commands, printed):
    text = [f"## {title}", "", words, "", "```sh", *[wrap(command) for command in commands], "```", ""]
    if printed:
        text += ["```", printed.rstrip(), "```", ""]
    text += [f"![{title}](gallery/{picture})" for picture in list_pictures(commands)]
    return "\n".join([*text, ""])


HEAD = """# Gallery

The figures of the papers that Headlight grew from, each with its command. [make-gallery.py](gallery/make-gallery.py) makes the inputs,
runs the commands and writes this page; `minilm` is the folder of
[all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), and any model's folder can stand in its place.
In the window, open the file or the folder, choose the view, and *Copy as Command* gives such a line.

**What does BERT look at?** (Clark et al. 2019)

| there | here, with a model of your own in place of `minilm` |
| --- | --- |
| heads that show a pattern (figures 1 and 5) | [two of them](#heads-that-show-a-pattern); `--token` pins a word, `find-heads --pair` finds the head that links two |
| attention to special tokens and punctuation by layer (figure 2) | [over many texts](#what-clark-et-al-draw-by-layer), `--number mass-cls`, `mass-sep`, `mass-punctuation`; below, `sep-to-sep` and `others-to-sep` |
| how broadly heads look, by layer (figure 4) | [over many texts](#what-clark-et-al-draw-by-layer), `--number entropy`; below, `entropy-cls` |
| dependencies and coreference (tables 1 and 2) | [grids of all heads](#which-heads-follow-grammar) and [`probe`](#heads-that-follow-dependencies-and-mentions), on any CoNLL-U |
| heads as points (figure 6) | [`--chart scatter`](#heads-that-are-alike) |
| gradients (figure 3), probing classifiers (table 3) | not here: nothing is trained and nothing is differentiated. `find-heads --vectors` writes what a classifier is trained on |

**Attention is not only a weight** (Kobayashi et al. 2020), and the paper that followed it (2021)

| there | here |
| --- | --- |
| weights and norms of [CLS], [SEP], punctuation and other tokens by layer | [side by side](#special-tokens-raw-and-weighted); α, ‖f(x)‖ and ‖αf(x)‖ of a class are `mass-`, `length-` and `norm-mass-` |
| weights against lengths of what is attended to | [by layer, and as two maps](#what-weights-leave-out); `recompute` writes each ‖f(x)‖ as `value_norms` |
| alignments of a translation model | `render MODEL --text … --target-text … --block cross --quantity norm --view heatmap`; `--combine sum` for the norm of a whole layer. They are not scored: there is no gold alignment to read |
| length and frequency of words | not here: Headlight does not count words |
| mixing ratio by layer (2021) | [`--number mixing`](#how-much-a-layer-mixes) |

In the window these are the charts (Ctrl+7) and *Several Texts* (Ctrl+Shift+N), which also takes annotated sentences.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cli", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--model", help="the folder of all-MiniLM-L6-v2")
    parser.add_argument("--only", default="", help="only figures whose name has this word")
    options = parser.parse_args()
    (options.target / "gallery").mkdir(parents=True, exist_ok=True)
    cli = options.cli.resolve()
    page = [HEAD]
    with tempfile.TemporaryDirectory(prefix="headlight-gallery-") as work:
        folder = Path(work)
        make_inputs(folder, options.model)
        for name, title, words, commands in FIGURES:
            if options.only not in name or (options.model is None and any("minilm" in command for command in commands)):
                continue
            # What render says beside its picture is not of the figure.
            printed = "".join(text for command in commands
                              for text in [run(command, cli, folder)] if "--output " not in command)
            for picture in list_pictures(commands):
                size = (folder / picture).stat().st_size
                if size > MAX_BYTES:
                    sys.exit(f"{picture} has {size} bytes, more than {MAX_BYTES}")
                shutil.copy(folder / picture, options.target / "gallery")
            page.append(describe(title, words, commands, printed))
            print(name)
    if options.model is not None and not options.only:
        (options.target / "gallery.md").write_text("\n".join(page))


if __name__ == "__main__":
    main()
