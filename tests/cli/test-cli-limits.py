# SPDX-License-Identifier: MIT
"""What headlight-cli refuses: its list, and what lies at a limit and one past it.

Usage: test-cli-limits.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import csv
import importlib.util
import io
import json
import pathlib
import re
import struct
import sys

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, h5py, numpy = test_cli.Case, test_cli.h5py, test_cli.numpy


@test_cli.needs_numpy
class Limits(Case):
    @classmethod
    def setUpClass(cls):
        rows = csv.DictReader(io.StringIO(test_cli.run("info", "--limits", "--format=csv").stdout))
        cls.rows = {row["limit"]: row for row in rows}

    def limit(self, name):
        return int(self.rows[name]["value"])

    def check(self, name, make, words=None):
        """A file that @make writes is read at the limit, and one past it is refused in one sentence that says how much is."""
        most = self.limit(name)
        for size in (most, most + 1):
            with self.subTest(limit=name, size=size):
                path = make(size)
                run = test_cli.run("info", path)
                if size == most:
                    self.assertEqual((run.returncode, run.stderr), (0, ""))
                    continue
                self.assertEqual((run.returncode, run.stdout), (1, ""))
                self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
                self.assertRegex(run.stderr, words or rf"\b{most}\b")

    def write_json(self, text):
        path = self.folder / "limit.json"
        path.write_text(text)
        return path

    def write_hdf5(self, shape):
        path = self.folder / "limit.h5"
        with h5py.File(path, "w") as file:
            file["attention"] = numpy.ones(shape, "float32")
        return path

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

    def test_sizes(self):
        self.check("layers", lambda n: self.write_hdf5((n, 1, 1, 2)))
        self.check("heads", lambda n: self.write_hdf5((1, n, 1, 2)))
        self.check("positions", lambda n: self.write_hdf5((1, 1, 1, n)))

    def test_json(self):
        attention = '"attention": [[[[1]]]]'
        depth = self.limit("json-depth")
        self.check("json-depth", lambda n: self.write_json("{%s, \"x\": %s%s}" % (attention, "[" * (n - 1), "]" * (n - 1))))
        self.assertLess(depth, 1000)
        self.check("json-number", lambda n: self.write_json("{%s, \"x\": 0.%s1}" % (attention, "0" * (n - 3))))

    def test_pickle(self):
        """Marks that are never taken up: neither is attention, but only the one past the limit is nested too deeply."""
        path = self.folder / "limit.pkl"
        for beyond in (0, 1):
            path.write_bytes(b"\x80\x02" + b"(" * (self.limit("pickle-marks") + beyond) + b".")
            self.assertEqual("nested too deeply" in test_cli.run("info", path).stderr, beyond == 1)

    def write_gguf(self, values, alignment=None):
        """A file without tensors that has @values more keys than that of the alignment."""
        path = self.folder / "limit.gguf"
        text = b"".join(struct.pack("<Q", len(key)) + key + struct.pack("<IB", 0, 1) for key in values)
        n = len(values)
        if alignment is not None:
            key = b"general.alignment"
            text += struct.pack("<Q", len(key)) + key + struct.pack("<II", 4, alignment)
            n += 1
        path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, n) + text + bytes(64))
        return path

    def test_gguf(self):
        """None is attention: what is said of the one past the limit is not said of that at it."""
        for name, make in (
            ("gguf-key", lambda n: self.write_gguf([b"k" * n])),
            ("gguf-alignment", lambda n: self.write_gguf([], 1 << (n.bit_length() - 1) << (n & 1))),
        ):
            most = self.limit(name)
            with self.subTest(limit=name):
                at, past = (test_cli.run("info", make(n), "--text=a").stderr for n in (most, most + 1))
                self.assertNotEqual(at, past)
                self.assertIn(str(most), past)
                self.assertNotIn(str(most), at)
        path = self.folder / "limit.gguf"
        most = self.limit("gguf-entries")
        path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, most + 1, 0))
        self.assertIn(f"at most {most} of either are read", test_cli.run("info", path, "--text=a").stderr)

    def test_safetensors(self):
        def write(header):
            path = self.folder / "limit.safetensors"
            path.write_bytes(struct.pack("<Q", len(header)) + header + struct.pack("<f", 1))
            return path

        def named(n):
            entry = {"dtype": "F32", "shape": [1, 1, 1, 1], "data_offsets": [0, 4]}
            return write(json.dumps({"attention" + "n" * (n - 9): entry}).encode())

        self.check("safetensors-name", named)

    def test_arguments(self):
        """What is asked for is held against limits before a file is."""
        for name, arguments in (
            ("predicted", lambda n: ("predict", "none", "--text=a", f"--top={n}")),
            ("generated", lambda n: ("generate", "none", "--text=a", f"--max-tokens={n}")),
            ("figure-side", lambda n: ("render", "none.h5", "-o", self.folder / "a.png", f"--width={n}", "--height=9")),
        ):
            most = self.limit(name)
            with self.subTest(limit=name):
                self.assertEqual(test_cli.run(*arguments(most)).returncode, 1)
                past = test_cli.run(*arguments(most + 1))
                self.assertEqual(past.returncode, 2)
                self.assertIn(str(most), past.stderr)

    def test_groups(self):
        """A group for each example: as many as are read, and one more, of which it is said."""
        most = self.limit("examples")
        path = self.folder / "groups.h5"
        with h5py.File(path, "w", libver="latest") as file:
            weights = numpy.full((1, 1, 2, 2), 0.5, "float32")
            for i in range(most):
                file[f"e{i}/attentions"] = weights
        self.assertIn(f"{most} examples\n", self.done("info", path))
        with h5py.File(path, "a") as file:
            file["more/attentions"] = weights
            file["yet/attentions"] = weights
        self.assertIn(f"there are {most + 2} examples in one file; at most {most} are read", test_cli.run("info", path).stderr)


if __name__ == "__main__":
    sys.exit(test_cli.main())
