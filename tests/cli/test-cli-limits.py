# SPDX-License-Identifier: MIT
"""What headlight-cli refuses: its list, and what lies at a limit and one past it, as limit_rows.py makes it.

Usage: test-cli-limits.py HEADLIGHT-CLI TESTS-FOLDER [LIMIT…].  Prints TAP.  With limits, only their rows.
"""

import csv
import importlib.util
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

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


def add_reader(reader):
    setattr(Limits, f"test_rows_of_{reader}", lambda self: self.check_reader(reader))


if numpy is not None:
    for name in sorted({row.reader for row in limit_rows.ROWS}):
        add_reader(name)

if __name__ == "__main__":
    sys.exit(test_cli.main())
