# SPDX-License-Identifier: MIT
"""What headlight-cli refuses: its list, and what lies at a limit and one past it, as limit_rows.py makes it.

Usage: test-cli-limits.py HEADLIGHT-CLI TESTS-FOLDER [LIMIT…].  Prints TAP.  With limits, only their rows.
"""

import csv
import importlib.util
import io
import json
import os
import pathlib
import re
import resource
import struct
import subprocess
import sys
import tempfile
import zipfile

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, h5py, numpy = test_cli.Case, test_cli.h5py, test_cli.numpy
if numpy is not None:
    import limit_rows

ONLY = sys.argv[3:]


def ask(command):
    """The first may be “<” and the file that a program writes into the standard input."""
    if command[0] != "<":
        return test_cli.run(*command)
    with subprocess.Popen(["cat", command[1]], stdout=subprocess.PIPE) as writer:
        return subprocess.run([test_cli.CLI, *map(str, command[2:])], stdin=writer.stdout, capture_output=True, timeout=120, encoding="utf-8",
                              env=test_cli.ENVIRONMENT, check=False)


@test_cli.needs_numpy
class Limits(Case):
    @classmethod
    def setUpClass(cls):
        rows = csv.DictReader(io.StringIO(test_cli.run("info", "--limits", "--format=csv").stdout))
        cls.rows = {row["limit"]: row for row in rows}

    def limit(self, name):
        return int(self.rows[name]["value"])

    def check(self, row):
        most = self.limit(row.limit)
        words = row.words.format(n=most)
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            at = ask(row.make(pathlib.Path(folder), most))
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            past = ask(row.make(pathlib.Path(folder), most + row.step))
        if row.accepted:
            self.assertEqual((at.returncode, at.stderr), (0, ""))
        self.assertNotRegex(at.stderr, words)
        if row.refused:
            self.assertIn(past.returncode, (1, 2))
            self.assertEqual(past.stdout, "")
            self.assertEqual(past.stderr.count("\n"), past.returncode, past.stderr)  # of misuse a second line names --help
            self.assertRegex(past.stderr, words)
        else:
            self.assertEqual((past.returncode, past.stderr), (0, ""))
            self.assertRegex(past.stdout, words)
            self.assertNotRegex(at.stdout, words)

    def check_reader(self, reader):
        for row in limit_rows.ROWS:
            if row.reader == reader and (not ONLY or row.limit in ONLY):
                with self.subTest(limit=row.limit):
                    self.check(row)

    def test_each(self):
        """Whoever adds a limit adds what lies at it and past it, or says why not."""
        here = {row.limit for row in limit_rows.ROWS}
        for others in (limit_rows.ELSEWHERE, limit_rows.UNTESTED):
            self.assertEqual(set(others) & here, set())
            here |= set(others)
        self.assertEqual(here, set(self.rows))
        for name, (path, words, reason) in limit_rows.ELSEWHERE.items():
            self.assertIn(words, (pathlib.Path(sys.argv[2]).parent / path).read_text(encoding="utf-8"), path)
            self.assertGreater(len(reason), 10, name)
        for name, reason in limit_rows.UNTESTED.items():
            self.assertGreater(len(reason), 10, name)

    def test_list(self):
        """Each limit of the header has one row, with a reason; there are no copies of them elsewhere."""
        source = pathlib.Path(sys.argv[2]).parent / "src"
        defined = re.findall(r"^#define HL_LIMIT_(\w+) ", (source / "core/base/hl-limits.h").read_text(), re.M)
        self.assertGreater(len(defined), 100)
        self.assertEqual([name.lower().replace("_", "-") for name in defined], list(self.rows))
        for name, row in self.rows.items():
            self.assertGreater(int(row["value"]), 0, name)
            self.assertGreater(len(row["reason"]), 10, name)
        objects = json.loads(self.done("info", "--limits", "--format=json"))
        self.assertEqual([row["limit"] for row in objects], list(self.rows))
        self.assertEqual(objects[0]["value"], self.limit("rank"))
        table = self.done("info", "--limits").splitlines()
        self.assertEqual(len(table), len(self.rows) + 1)
        used = {name for path in source.rglob("*.[ch]") if path.name != "hl-limits.h"
                for name in re.findall(r"\bHL_LIMIT_(\w+)", path.read_text(encoding="utf-8"))}
        self.assertEqual([name for name in defined if name not in used and "JSON_" not in name], [])

    def test_misuse(self):
        self.assertEqual(test_cli.run("info", "--limits", "a.h5").returncode, 2)
        self.assertEqual(test_cli.run("info", "--limits", "--format=pages").returncode, 2)

    def test_groups(self):
        """A group for each example: as many as are read, one more group that is something else, and more than are read, of which it is
        said."""
        most = self.limit("examples")
        path = self.folder / "groups.h5"
        with h5py.File(path, "w", libver="latest") as file:
            weights = numpy.full((1, 1, 2, 2), 0.5, "float32")
            for i in range(most):
                file[f"e{i}/attentions"] = weights
            file["z/names"] = [1, 2]
        self.assertIn(f"{most} examples\n", self.done("info", path))
        with h5py.File(path, "a") as file:
            file["more/attentions"] = weights
            file["yet/attentions"] = weights
            del file["z"]
        self.assertIn(f"there are {most + 2} examples in one file; at most {most} are read", test_cli.run("info", path).stderr)


# What a sentence or an answer may take, in KiB, whatever a file unpacks to. This program counts as well, which was forked, and a sanitizer.
MOST_MEMORY = 256 << 10


@test_cli.needs_numpy
class Memory(Case):
    """Small files that unpack into far more than they are. They are written piece by piece."""

    def ask(self, *arguments, command="info", before=None):
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen([test_cli.CLI, command, *map(str, arguments)], stdout=said, stderr=said, preexec_fn=before,
                                       env=test_cli.ENVIRONMENT)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            return process.returncode, said.read().decode(), used.ru_maxrss

    def small(self, *arguments, says, code=0, command="info"):
        returncode, said, resident = self.ask(*arguments, command=command)
        self.assertEqual(returncode, code, said)
        self.assertIn(says, said)
        self.assertLess(resident, MOST_MEMORY)

    def save(self, name, fortran=False, **members):
        """A packed file of NumPy. A member is its type, its shape and the pieces of its bytes."""
        path = self.folder / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            for member, (kind, shape, pieces) in {"attention": ("<f4", limit_rows.WEIGHTS.shape, [limit_rows.WEIGHTS.tobytes()]), **members}.items():
                with file.open(f"{member}.npy", "w") as stream:
                    numpy.lib.format.write_array_header_1_0(stream, {"descr": kind, "fortran_order": fortran, "shape": shape})
                    for piece in pieces:
                        stream.write(piece)
        return path

    def test_packed_weights(self):
        """They are unpacked into a file, where zeros take no room."""
        for fortran in (False, True):
            path = self.save("bomb.npz", fortran, attention=("<f4", (1, 8, 4096, 4096), [bytes(1 << 20)] * 512))
            self.small("--verify", path, says="8 heads")

    def test_same(self):
        """What was unpacked into a file, some of it nothing but zeros, is what was packed."""
        weights = numpy.random.default_rng(1).random((1, 8, 512, 512), "float32")
        weights[0, 7, 100:400] = 0
        weights[0, 7, 401:403] = 0
        packed, plain = self.folder / "packed.npz", self.folder / "plain.npz"
        for order in "CF":
            numpy.savez_compressed(packed, attention=numpy.asarray(weights, order=order))
            numpy.savez(plain, attention=weights)
            for head in (0, 7):
                rows = [self.done("stats", path, "--layer=0", f"--head={head}", "--format=csv") for path in (packed, plain)]
                self.assertTrue(rows[0] == rows[1])

    def test_logits(self):
        """A layer of many heads whose model predicts one of very many tokens: logits of all of them were 400 MB."""
        n_tokens, n_heads, head, width = 400_000, 256, 2, 4
        config = json.loads((test_cli.CHECKPOINTS / "llama-tied/config.json").read_text(encoding="utf-8"))
        config |= {"vocab_size": n_tokens, "num_attention_heads": n_heads, "num_key_value_heads": 1, "head_dim": head, "hidden_size": width,
                   "intermediate_size": 4, "num_hidden_layers": 1}
        shapes = {"embed_tokens": (n_tokens, width), "norm": (width,), "layers.0.input_layernorm": (width,),
                  "layers.0.post_attention_layernorm": (width,), "layers.0.mlp.down_proj": (width, 4), "layers.0.mlp.gate_proj": (4, width),
                  "layers.0.mlp.up_proj": (4, width), "layers.0.self_attn.q_proj": (n_heads * head, width),
                  "layers.0.self_attn.k_proj": (head, width), "layers.0.self_attn.v_proj": (head, width),
                  "layers.0.self_attn.o_proj": (width, n_heads * head)}
        header, at = {}, 0
        for name, shape in shapes.items():
            end = at + 2 * int(numpy.prod(shape))
            header[f"model.{name}.weight"] = {"dtype": "F16", "shape": shape, "data_offsets": [at, end]}
            at = end
        header = json.dumps(header).encode()
        header += b" " * (-len(header) % 8)
        numbers = numpy.random.default_rng(0).normal(size=at // 2).astype("float16").tobytes()
        (self.folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        (self.folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + numbers)
        self.small(self.folder, "--ids=1", says="state_change", command="ablate")

    def test_full(self):
        """Where there is no room for what is unpacked, that is said."""
        path = self.folder / "random.npz"
        numpy.savez_compressed(path, attention=numpy.random.default_rng(1).random((1, 8, 512, 512), "float32"))
        returncode, said, _resident = self.ask(path, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
        self.assertEqual((returncode, said.count("\n")), (1, 1), said)
        self.assertIn("there is no room to unpack what it holds", said)

    def test_tokens(self):
        """Strings that are too long for tokens are not held; positions take their place."""
        character = "a".encode("utf-32-le")
        path = self.save("fixed.npz", tokens=("<U12000000", (4,), [character * 1_000_000] * 48))
        self.small(path, says="more than 32 MiB of text")
        path = self.save("bytes.npz", tokens=("|S12000000", (8,), [b"a" * 1_000_000] * 96))
        self.small(path, says="more than 32 MiB of text")
        path = self.folder / "objects.npz"
        numpy.savez_compressed(path, attention=limit_rows.WEIGHTS, tokens=numpy.array(["a" * 12_000_000] * 8, object))
        self.small(path, says="more than 32 MiB of text")
        path = self.folder / "fixed.h5"
        with h5py.File(path, "w") as file:
            file["attention"] = limit_rows.WEIGHTS
            tokens = file.create_dataset("tokens", (8,), "S12000000", chunks=(1,), compression="gzip")
            for i in range(8):
                tokens[i] = b"a" * 12_000_000
        self.small(path, says="are more than 32 MiB")
        path = self.folder / "many.json"
        path.write_text('{"attention":[[[[1]]]],"tokens":["a"' + ',"a"' * 3_000_000 + "]}")
        self.small(path, says="more than 1048576 strings")

    def test_million(self):
        """As many short tokens as there may be take no more room than they need."""
        path = self.folder / "million.h5"
        with h5py.File(path, "w") as file:
            file.create_dataset("attention", (1, 1, 1_000_000, 1_000_000), "f4", chunks=(1, 1, 1024, 1024))
            file["tokens"] = numpy.full(1_000_000, b"x")
        self.small(path, says="1000000 in all")

    def test_wide(self):
        """NumPy gives each string the room of the longest, and that is no text."""
        texts = ["a", "b\0c", "ä" * 1_000_000, ""]
        path = self.save("wide.npz", attention=("<f4", (1, 1, 4, 4), [numpy.full(16, 0.25, "float32").tobytes()]),
                         tokens=("<U1000000", (4,), [text.encode("utf-32-le").ljust(4_000_000, b"\0") for text in texts]))
        head = self.done("stats", path, "--layer=0", "--head=0", "--format=csv").splitlines()[0].split(",")
        self.assertEqual((head[1:3], head[3][:2], head[3][-1], head[4:]), (["a", "b␀c"], "ää", "…", [""]))

    def test_numbers(self):
        """Those of a text take twice its room."""
        path = self.folder / "row.json"
        with path.open("w") as file:
            file.write('{"attention":[[[[1]]]],"more":[1')
            for _ in range(80):
                file.write(",0" * 1_000_000)
            file.write("]}")
        self.small(path, says="1 head")

    def test_names(self):
        path = self.folder / "name.json"
        path.write_text('{"attention":[[[[1]]]],"' + "n" * 50_000_000 + '":1}')
        self.small(path, says="bytes that are left for it", code=1)


def add_reader(reader):
    setattr(Limits, f"test_rows_of_{reader}", lambda self: self.check_reader(reader))


if numpy is not None:
    for name in sorted({row.reader for row in limit_rows.ROWS}):
        add_reader(name)

if __name__ == "__main__":
    sys.exit(test_cli.main())
