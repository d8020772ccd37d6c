# SPDX-License-Identifier: MIT
"""headlight-cli where files are not what they seem, or cannot be written: full disks, links, pipes, devices,
numbers that are not there, bytes that were damaged.

Usage: test-cli-files.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import collections
import importlib.util
import io
import json
import os
import pathlib
import pickle
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import types
import unittest.mock
import zipfile

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, h5py, numpy, run = test_cli.Case, test_cli.h5py, test_cli.numpy, test_cli.run
CLI, SAMPLE, CHECKPOINTS, VISION = test_cli.CLI, test_cli.SAMPLE, test_cli.CHECKPOINTS, test_cli.VISION
PICTURE = VISION.parent / "images/picture.png"


class StandardOutput(Case):
    """What is asked for and does not arrive is a failure."""

    COMMANDS = [["--help"], ["--version"], ["stats", "--help"], ["families"], ["info", SAMPLE], ["info", SAMPLE, "--json"],
                ["stats", SAMPLE], ["stats", SAMPLE, "--format=csv"], ["stats", SAMPLE, "--format=json"],
                ["find-heads", SAMPLE, "--pair=arrow:time"], ["compare", SAMPLE, SAMPLE]]

    def command(self, *arguments, redirect):
        return subprocess.run(["bash", "-c", f'exec "$0" "$@" {redirect}', CLI, *map(str, arguments)], env=test_cli.ENVIRONMENT,
                              stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=120)

    def test_full(self):
        for arguments in self.COMMANDS:
            with self.subTest(arguments):
                result = self.command(*arguments, redirect="> /dev/full")
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, r"\A(headlight-cli: [^\n]*\n)?headlight-cli: what was asked for could not all be "
                                                r"written to standard output\n\Z")

    def test_closed(self):
        """Nor does what is printed land in a file that is opened meanwhile."""
        target = self.folder / "out.json"
        for arguments in self.COMMANDS:
            with self.subTest(arguments):
                self.assertEqual(self.command(*arguments, redirect=">&-").returncode, 1)
        result = self.command("convert", SAMPLE, "-o", target, redirect=">&- 2>&-")
        self.assertEqual(result.returncode, 0)
        json.loads(target.read_text(encoding="utf-8"))


class Replaced(Case):
    """A file in whose stead another comes."""

    def convert(self, target):
        self.done("convert", SAMPLE, "-o", target)

    def test_mode(self):
        for suffix in (".h5", ".npz", ".json"):
            for mode in (0o600, 0o640, 0o666, 0o444):
                target = self.folder / ("out" + suffix)
                target.write_text("before")
                target.chmod(mode)
                # What is protected from writing, root may write to.
                if mode == 0o444 and os.geteuid() != 0:
                    self.fails("convert", SAMPLE, "-o", target, says="cannot be written: Permission denied", about=target)
                    self.assertEqual(target.read_text(), "before")
                    continue
                self.convert(target)
                self.assertEqual(oct(stat.S_IMODE(target.stat().st_mode)), oct(mode))
                self.assertGreater(target.stat().st_size, 6)
        before = os.umask(0o027)
        try:
            self.convert(self.folder / "new.h5")
        finally:
            os.umask(before)
        self.assertEqual(oct(stat.S_IMODE((self.folder / "new.h5").stat().st_mode)), oct(0o640))
        self.assert_alone("new.h5", "out.h5", "out.json", "out.npz")

    def shell(self, commands, *arguments):
        return subprocess.run(["bash", "-c", commands, "-", os.path.abspath(CLI), *map(str, arguments)], cwd=self.folder, env=test_cli.ENVIRONMENT,
                              stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=120)

    def test_working_folder(self):
        """Where it is a link, what is above it is above the folder itself; where it was removed, nothing is in it."""
        (self.folder / "big" / "run").mkdir(parents=True)
        (self.folder / "data").symlink_to("big/run")
        (self.folder / "out.npz").write_text("before")
        sample = os.path.abspath(SAMPLE)
        result = self.shell('cd data && "$@" -o ../out.npz && "$@" -o ../../data/../2.npz', "convert", sample)
        self.assertEqual(result.stderr, "")
        self.assertEqual((self.folder / "out.npz").read_text(), "before")
        self.assertEqual(sorted(os.listdir(self.folder / "big")), ["2.npz", "out.npz", "run"])
        name = f"{self.folder.name}.npz"
        result = self.shell('mkdir gone && cd gone && rm -r ../gone && "$@"', "convert", sample, "-o", name)
        self.assertEqual(result.stderr, f"headlight-cli: {name}: it cannot be written: No such file or directory\n")
        self.assertFalse(os.path.exists(f"/{name}"))
        self.assert_alone("big", "data", "out.npz")

    def test_figure(self):
        target = self.folder / "out.svg"
        target.write_text("before")
        target.chmod(0o600)
        self.done("render", SAMPLE, "-o", target)
        self.assertEqual(oct(stat.S_IMODE(target.stat().st_mode)), oct(0o600))
        self.assertIn("<svg", target.read_text(encoding="utf-8"))
        self.assert_alone("out.svg")

    def test_links(self):
        """Also those that point to nothing yet, and to one another."""
        (self.folder / "there").mkdir()
        for name, to in [("a.h5", "there/a.h5"), ("b.h5", "a.h5"), ("c.h5", str(self.folder / "there" / "c.h5"))]:
            (self.folder / name).symlink_to(to)
        for name in ("b.h5", "b.h5", "c.h5"):
            self.convert(self.folder / name)
        for name in ("a.h5", "b.h5", "c.h5"):
            self.assertTrue((self.folder / name).is_symlink(), name)
        self.assertEqual(sorted(os.listdir(self.folder / "there")), ["a.h5", "c.h5"])
        self.done("info", self.folder / "c.h5")
        (self.folder / "loop.h5").symlink_to("loop.h5")
        self.fails("convert", SAMPLE, "-o", self.folder / "loop.h5", says="cannot be written")
        self.assert_alone("a.h5", "b.h5", "c.h5", "loop.h5", "there")

    def test_other_name(self):
        """Of a file with two names the other one keeps what it had."""
        (self.folder / "one.h5").write_text("before")
        os.link(self.folder / "one.h5", self.folder / "two.h5")
        self.convert(self.folder / "one.h5")
        self.assertEqual((self.folder / "two.h5").read_text(), "before")

    def test_colons(self):
        """They make no address of a name, of what is read or of what is written."""
        names = {name: self.folder / name for name in ("run:1.h5", "tiny:1", "figure:1.svg", "copy:1.json")}
        shutil.copy(SAMPLE, names["run:1.h5"])
        shutil.copytree(CHECKPOINTS / "bert", names["tiny:1"])
        for arguments in (("info", "run:1.h5"), ("info", "tiny:1", "--ids=1,2"), ("compare", "run:1.h5", "run:1.h5"),
                          ("render", "run:1.h5", "-o", "figure:1.svg"), ("convert", "run:1.h5", "-o", "copy:1.json")):
            result = run(*arguments, cwd=self.folder)
            self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
        self.assertTrue(names["figure:1.svg"].exists() and names["copy:1.json"].exists())

    def test_long_name(self):
        """As long as names can be."""
        name = "n" * 250 + ".json"
        self.convert(self.folder / name)
        self.convert(self.folder / name)
        self.assert_alone(name)


class Names(Case):
    """Examples that would get the same name in a file that is written."""

    @staticmethod
    def example(*weights):
        """A batch of as many."""
        return {"attention": [[[[[weight, 1 - weight]]] for weight in weights]], "query_tokens": ["q"], "key_tokens": ["a", "b"]}

    def check(self, examples, names, weights):
        source = self.folder / "source.json"
        source.write_text(json.dumps({"format": "headlight-attention", "version": 2, "examples": examples}), encoding="utf-8")
        for suffix in (".json", ".npz", ".h5"):
            target = self.folder / ("out" + suffix)
            target.write_text("before")
            self.done("convert", source, "-o", target)
            again = self.folder / "again.json"
            self.done("convert", target, "-o", again)
            found = json.loads(again.read_text(encoding="utf-8"))["examples"]
            self.assertEqual(sorted(found), sorted(names), suffix)
            for name, weight in zip(names, weights, strict=True):
                self.assertAlmostEqual(found[name]["attention"][0][0][0][0], weight, msg=f"{suffix} {name}")

    def test_batch(self):
        self.check({"x": self.example(.125, .25), "x [0]": self.example(.5), "x [0] (2)": self.example(.75)},
                   ["x [0]", "x [1]", "x [0] (2)", "x [0] (2) (2)"], [.125, .25, .5, .75])

    def test_slashes(self):
        self.check({"a/b": self.example(.125), "c": self.example(.25), "a∕b": self.example(.5)},
                   ["a∕b", "c", "a∕b (2)"], [.125, .25, .5])

    def test_places(self):
        """Names that no container has, or that would lead elsewhere."""
        self.check({".": self.example(.125), "..": self.example(.25), "C:\\a": self.example(.5), ".a.": self.example(.75)},
                   ["․", "․․", "C:∖a", ".a."], [.125, .25, .5, .75])


class Texts(Case):
    """Texts that no program likes."""

    def test_noncharacters(self):
        """Unicode has code points that are none; PDF refuses text that has them."""
        tokens = ["\ufffe", "\uffff", "\ufdd0", "\U0001fffe", "\U0010ffff", "ok"]
        path = self.folder / "a.json"
        n = len(tokens)
        path.write_text(json.dumps({"tokens": tokens, "model": "m\ufffe", "attention": [[[[1 / n] * n] * n]]}), encoding="utf-8")
        for view in ("head-view", "heatmap", "model-view", "layers"):
            for suffix in ("pdf", "svg", "png", "html"):
                self.done("render", path, "--view", view, "--title", "t\ufdd1", "-o", self.folder / f"{view}.{suffix}")

    def test_long_tokens(self):
        """What is longer than anybody reads is cut, between two characters."""
        path = self.folder / "a.json"
        tokens = ["a" * 70000, "ä" * 40000, "ok", "b" * 65536]
        path.write_text(json.dumps({"tokens": tokens, "attention": [[[[0.25] * 4] * 4]]}), encoding="utf-8")
        said = json.loads(self.done("info", path, "--json"))
        self.assertEqual(said["tokens"], ["a" * 65533 + "…", "ä" * 32766 + "…", *tokens[2:]])
        self.assertIn("2 of the strings of “tokens” are longer than 64 KiB and were cut", [check["message"] for check in said["checks"]])
        text = self.done("info", path)
        self.assertLess(len(text), 2000)
        self.assertIn("a" * 200 + "… " + "ä" * 200 + "… ok ", text)

    def test_brackets(self):
        """A file that is refused for how it begins is not read to its end."""
        path = self.folder / "a.json"
        with path.open("wb") as file:
            for _ in range(256):
                file.write(b"[" * (1 << 20))
        # Whoever starts a program counts as well, and this one may be large by now.
        code = ("import os, sys; _, status, used = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ), 0); "
                "print(used.ru_maxrss); sys.exit(os.waitstatus_to_exitcode(status))")
        result = subprocess.run([sys.executable, "-c", code, CLI, "info", path], env=test_cli.ENVIRONMENT, capture_output=True,
                                encoding="utf-8", timeout=120)
        self.assertIn("more than 64 lists", result.stderr)
        self.assertEqual(result.returncode, 1)
        # In KiB, with a sanitizer.
        self.assertLess(int(result.stdout), 220 << 10)

    @test_cli.needs_numpy
    def test_many_layers(self):
        """Far more than can be shown."""
        path = self.folder / "a.h5"
        with h5py.File(path, "w") as file:
            for i in range(5000):
                file[f"layer_{i}"] = numpy.ones((1, 1, 1), "f4")
        self.fails("info", path, says="has 5000 layers; at most 4096 can be shown")

    def test_formulas(self):
        """A table is opened in spreadsheets, which run what looks like a formula."""
        path = self.folder / "a.json"
        path.write_text(json.dumps({"tokens": ["=1+1", "-", "-2"], "attention": [[[[0.5, 0.25, 0.25]] * 3]]}), encoding="utf-8")
        rows = self.done("stats", path, "--layer=0", "--head=0", "--format=csv").splitlines()
        self.assertEqual(rows, [""",\"'=1+1\",-,-2""", """\"'=1+1\",0.5,0.25,0.25""", "-,0.5,0.25,0.25", "-2,0.5,0.25,0.25"])


class Announced(Case):
    """What a file only says that it has."""

    def test_no_rows(self):
        """A tensor without rows, which could be as long as anybody likes, is looked through for numbers that are none."""
        folder = self.folder / "model"
        shutil.copytree(CHECKPOINTS / "bert", folder)
        data = (folder / "model.safetensors").read_bytes()
        length = struct.unpack("<Q", data[:8])[0]
        header, numbers = json.loads(data[8:8 + length]), bytearray(data[8 + length:])
        end = len(numbers)
        name = next(name for name in header if name.endswith("embeddings.LayerNorm.weight"))
        first = header[name]["data_offsets"][0]
        numbers[first:first + 4] = struct.pack("<f", float("nan"))
        for i, rows in enumerate(([0, 1 << 61], [0, 1 << 40, 3], [0, 1 << 31, 1 << 31])):
            header[f"a{i}"] = {"dtype": "F32", "shape": rows, "data_offsets": [end, end]}
        text = json.dumps(header).encode()
        (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + numbers)
        self.fails("info", folder, "--ids=1,2,3", says=f"tensor “{name}” holds NaN or infinity")

    @test_cli.needs_numpy
    def test_open_files(self):
        """Of more files than a process can have open; what it needs besides is left."""
        for rank in range(100):
            with h5py.File(self.folder / f"run.rank{rank}.h5", "w") as file:
                file["attention"] = numpy.ones((1, 1, 1, 1), "f4")
                file.attrs.update(rank=rank, ranks=100, sharding="heads")
        for n in (20, 40, 64, 100, 104):
            message = self.fails("info", self.folder / "run.rank7.h5", says="it cannot be read: Too many open files",
                                 preexec_fn=lambda n=n: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)))
            self.assertRegex(message, r": run\.rank\d+\.h5: it cannot")
        # What it may have, it asks for.
        self.done("info", self.folder / "run.rank7.h5", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 512)))

    @test_cli.needs_numpy
    def test_links(self):
        """Links of a small file that make many large groups of one."""
        path = self.folder / "links.h5"
        with h5py.File(path, "w") as file:
            for i in range(10000):
                file[f"g{i}"] = file["/"]
        self.fails("info", path, says="the groups in “/” have more than 100000 members together")
        with h5py.File(path, "w") as file:
            group = file.create_group("group")
            for i in range(20000):
                group[f"m{i}"] = group
            for i in range(5000):
                file[f"examples/{i}"] = group
        self.fails("info", path, says="there is no “attention”")

    def test_same_names(self):
        """Very many examples of one name on a page."""
        entry = '{"name":"a","attn":[[[[1]]]],"left_text":["x"],"right_text":["x"]}'
        page = self.folder / "page.html"
        page.write_text("<script>const params = {\"attention\":[" + ",".join([entry] * 60000) + "]};</script>")
        self.fails("info", page, says="there are 60000 examples in one file; at most 10000 are read")


def write_torch(path, shape, strides, n_stored):
    """As torch.save() writes a tensor over so many float32; PyTorch itself is not needed."""
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
    torch.FloatStorage = type("FloatStorage", (), {"__module__": "torch"})

    def _rebuild_tensor_v2():
        raise NotImplementedError

    _rebuild_tensor_v2.__module__, _rebuild_tensor_v2.__qualname__ = "torch._utils", "_rebuild_tensor_v2"
    utils._rebuild_tensor_v2 = _rebuild_tensor_v2

    class Storage:
        pass

    class Tensor:
        def __reduce__(self):
            return _rebuild_tensor_v2, (storage, 0, shape, strides, False, collections.OrderedDict())

    class Pickler(pickle.Pickler):
        def persistent_id(self, thing):
            return ("storage", torch.FloatStorage, "0", "cpu", n_stored) if isinstance(thing, Storage) else None

    storage = Storage()
    stream = io.BytesIO()
    with unittest.mock.patch.dict(sys.modules, {"torch": torch, "torch._utils": utils}):
        Pickler(stream, protocol=2).dump(Tensor())
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("archive/data.pkl", stream.getvalue())
        file.writestr("archive/data/0", struct.pack(f"<{n_stored}f", *[1.0 / shape[-1]] * n_stored))


class Expansion(Case):
    """Few bytes that announce more than a disk has room for."""

    SAYS = "the file announces "

    def check(self, path):
        self.assertIn(self.SAYS, self.done("info", path))
        target = self.folder / "out.h5"
        for arguments in (["convert", path, "-o", target], ["stats", path], ["find-heads", path, "--pair=1:2"], ["compare", path, SAMPLE],
                          ["compare", SAMPLE, path]):
            said = self.fails(*arguments, says=self.SAYS)
            self.assertIn("--allow-expansion", said)
        self.assertFalse(target.exists())
        self.begins(self.wait_for_writing, "convert", path, "--allow-expansion", "-o", target)
        self.assertFalse(target.exists())

    def begins(self, wait, *command):
        """It is allowed, and begun, which is waited for; there would be no end of it."""
        with subprocess.Popen([CLI, *map(str, command)], env=test_cli.ENVIRONMENT, stdout=subprocess.DEVNULL) as process:
            wait(process)
            process.terminate()
            self.assertEqual(process.wait(60), -signal.SIGTERM)

    def wait_a_second(self, process):
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(1)

    def test_strides(self):
        path = self.folder / "stride.pt"
        # Many heads that are not too long to be drawn.
        write_torch(path, (50, 1000, 10000, 10000), (0, 0, 0, 0), 1)
        self.assertLess(path.stat().st_size, 5000)
        self.check(path)
        self.begins(self.wait_a_second, "stats", path, "--allow-expansion")
        self.assertIn("18.2\u00a0TiB", self.done("info", path))
        self.done("render", path, "--view", "heatmap", "-o", self.folder / "a.png")

    def refuses_figure(self, path, *options, about=None, suffix="svg"):
        target = self.folder / f"refused.{suffix}"
        with self.subTest(options=options):
            said = self.fails("render", path, *options, "-o", target, says=self.SAYS, about=about or path)
            self.assertIn("--allow-expansion", said)
            self.assertFalse(target.exists())

    def test_figures(self):
        """A figure of a head is made of a file of which all heads would take years."""
        path = self.folder / "small-heads.pt"
        write_torch(path, (50, 1000, 100, 100), (0, 0, 0, 0), 1)
        other = self.folder / "other.pt"
        write_torch(other, (50, 1000, 100, 100), (100 * 100, 0, 100, 1), 50 * 100 * 100)
        for options in (["--view=model-view"], ["--view=chart"], ["--view=layers", "--heads=all"],
                        ["--view=heatmap", "--combine=mean", "--combine-over=all", "--heads=all", "--layers=all"],
                        ["--view=heatmap", "--quantity=rollout", "--heads=all"], ["--pair=#1:#2"],
                        [f"--compare={other}", "--view=model-view"]):
            self.refuses_figure(path, *options)
        self.refuses_figure(path, "--combine=mean", suffix="html")
        self.refuses_figure(SAMPLE, f"--compare={path}", "--view=chart", about=path)
        self.refuses_figure(path, "--examples=all", "--view=chart")
        for options in (["--view=heatmap"], ["--view=heatmap", "--direction=asymmetry"], ["--view=head-view", "--heads=0,1"],
                        ["--view=heatmap", "--combine=max", "--combine-over=layers"], [f"--compare={other}", "--view=heatmap"],
                        [f"--difference={other}", "--view=heatmap"]):
            with self.subTest(options=options):
                self.done("render", path, *options, "-o", self.folder / "a.png")
        self.done("render", path, "-o", self.folder / "a.html")
        self.begins(self.wait_a_second, "render", path, "--view=chart", "--allow-expansion", "-o", self.folder / "a.svg")

    def test_long_head(self):
        """One head is more than can be waited for."""
        path = self.folder / "long.pt"
        write_torch(path, (1, 2, 100000, 100000), (0, 0, 0, 0), 1)
        for options in (["--view=heatmap"], ["--view=head-view"], ["--view=heatmap", "--direction=asymmetry"], ["--view=model-view"],
                        ["--view=layers"], ["--view=heatmap", "--combine=max", "--combine-over=layers"]):
            self.refuses_figure(path, *options)
        self.begins(self.wait_a_second, "render", path, "--view=heatmap", "--allow-expansion", "-o", self.folder / "a.png")

    @test_cli.needs_numpy
    def test_never_written(self):
        """What is nothing but zeros is drawn as that; what is made of them is made of each."""
        path = self.folder / "zeros.h5"
        with h5py.File(path, "w") as file:
            file.create_dataset("attention", (1, 10, 50000, 50000), "f4", chunks=(1, 1, 1000, 1000))
        for view in ("heatmap", "model-view"):
            self.done("render", path, "--view", view, "-o", self.folder / "a.png")
        for options in (["--view=heatmap", "--combine=mean"], ["--view=heatmap", "--threshold=0.1"],
                        ["--view=heatmap", "--value-scale=off-diagonal"], ["--view=model-view", "--sort=entropy"],
                        ["--view=chart"]):
            self.refuses_figure(path, *options)
        with h5py.File(path, "a") as file:
            file["attention"][0, 0, 0, 0] = 1
        self.refuses_figure(path, "--view=heatmap")

    def test_many_heads(self):
        """Exactly a GiB, of millions of heads."""
        path = self.folder / "heads.pt"
        write_torch(path, (4096, 1024, 8, 8), (0, 0, 0, 0), 1)
        for command in (["info", path], ["stats", path], ["convert", path, "-o", self.folder / "a.npz"],
                        ["render", path, "-o", self.folder / "a.svg"]):
            self.fails(*command, says="has 4194304 heads; at most 65536 can be shown")

    @test_cli.needs_numpy
    def test_chunks(self):
        for name, options in [("chunks", {"chunks": (1, 1, 1000, 1000), "compression": "gzip"}), ("whole", {})]:
            path = self.folder / f"{name}.h5"
            with h5py.File(path, "w") as file:
                file.create_dataset("attention", (12, 12, 100000, 100000), "f4", **options)
            self.check(path)

    @test_cli.needs_numpy
    def test_small(self):
        """What is soon read needs no question, nor does what packs well."""
        path = self.folder / "small.pt"
        write_torch(path, (2, 4, 1000, 1000), (0, 0, 0, 0), 1)
        self.assertNotIn(self.SAYS, self.done("info", path))
        self.done("convert", path, "-o", self.folder / "small.h5")
        self.assertNotIn(self.SAYS, self.done("info", self.folder / "small.h5"))

    @test_cli.needs_numpy
    def test_tokens(self):
        path = self.folder / "tokens.h5"
        with h5py.File(path, "w") as file:
            file["attention"] = numpy.full((1, 1, 2, 2), 0.5, "f4")
            file.create_dataset("tokens", (1048576,), h5py.string_dtype(), chunks=(1000,))
        self.assertIn("announces 1048576 strings, far more than the file has room for", self.done("info", path))

    def test_token_list(self):
        """As many as a dump has at the most, however short they are."""
        path, tokens = self.folder / "few.h5", self.folder / "many.txt"
        with h5py.File(path, "w") as file:
            file["attention"] = numpy.full((1, 1, 2, 2), 0.5, "f4")
        for text in ("a\n" * 1048577, '["a"' + ',"a"' * 1048576 + "]"):
            tokens.write_text(text)
            self.fails("info", path, f"--tokens={tokens}", says="“tokens” has more than 1048576 strings")
        tokens.write_text("a\n" * 1048576)
        self.assertIn("there are more “tokens” (1048576)", self.done("info", path, f"--tokens={tokens}"))


@test_cli.needs_numpy
class Guessed(Case):
    """Whether an attention is causal, where the file does not say it."""

    def test_packed(self):
        """Of what has to be unpacked as many heads are looked at as of anything else: those that look forward may be any."""
        maps = numpy.full((1, 12, 1024, 1024), 1 / 1024, "float16")
        maps[0, [0, 11]] = numpy.tril(maps[0, 0])
        for is_causal in (False, True):
            if is_causal:
                maps = numpy.tril(maps)
            with h5py.File(self.folder / "maps.h5", "w") as file:
                file.create_dataset("attention", data=maps, chunks=(1, 1, 256, 1024), compression="gzip", compression_opts=1)
            numpy.savez_compressed(self.folder / "maps.npz", attention=maps)
            for name in ("maps.h5", "maps.npz"):
                with self.subTest(name, is_causal=is_causal):
                    found = self.done("info", self.folder / name)
                    self.assertEqual("looks causal" in found, is_causal, found)
                    self.assertNotIn("weight lies on keys", found)


class Checksums(Case):
    """Members of a zip file that are stored as they are."""

    def flip(self, path, member):
        with zipfile.ZipFile(path) as file:
            info = file.getinfo(member)
        data = bytearray(path.read_bytes())
        names = struct.unpack_from("<HH", data, info.header_offset + 26)
        data[info.header_offset + 30 + sum(names) + info.compress_size // 2] ^= 1
        path.write_bytes(data)

    def check(self, path, member):
        self.assertRegex(self.done("info", path, "--verify"), r"Verified: \d+ checksums are right")
        before = json.loads(self.done("info", path, "--verify", "--json"))
        self.assertGreater(before["checksums"], 1)
        self.assertNotIn("checksums", json.loads(self.done("info", path, "--json")))
        self.flip(path, member)
        self.done("info", path)
        self.fails("info", path, "--verify", says=f"“{member}”: its checksum is wrong", about=path)
        copy = self.folder / "copy.npz"
        self.fails("convert", path, "--output", copy, says=f"“{path.name}” cannot be read: “{member}”: its checksum is wrong", about=copy)
        self.assertFalse(copy.exists())

    @test_cli.needs_numpy
    def test_npz(self):
        path = self.folder / "a.npz"
        numpy.savez(path, attention=numpy.full((1, 2, 64, 64), 1 / 64, "f4"), other=numpy.arange(3))
        self.check(path, "attention.npy")
        numpy.savez_compressed(path, attention=numpy.random.default_rng(1).random((1, 2, 64, 64), "f4"))
        self.assertIn("1 checksum is right", self.done("info", path, "--verify"))
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        self.fails("info", path, "--verify", says="damaged", about=path)

    @test_cli.needs_numpy
    def test_parts(self):
        """Large members are read in parts, by several threads; of several that are wrong, the first is named."""
        path = self.folder / "a.npz"
        weights = numpy.random.default_rng(1).random((1, 2, 2000, 1501), "f4")
        numpy.savez(path, attention=weights[:, :, :, :1500], after=weights, last=weights)
        self.check(path, "after.npy")
        self.flip(path, "last.npy")
        self.fails("info", path, "--verify", says="“after.npy”: its checksum is wrong", about=path)
        self.flip(path, "after.npy")
        self.fails("info", path, "--verify", says="“last.npy”: its checksum is wrong", about=path)

    def test_torch(self):
        path = self.folder / "a.pt"
        write_torch(path, (1, 2, 8, 8), (128, 64, 8, 1), 128)
        self.check(path, "archive/data/0")

    def test_none(self):
        """PyTorch can be told to leave them out; other containers have none, or none that reading does not look at."""
        path = self.folder / "a.pt"
        write_torch(path, (1, 2, 8, 8), (128, 64, 8, 1), 128)
        with zipfile.ZipFile(path) as file:
            sums = [info.CRC for info in file.infolist()]
        data = path.read_bytes()
        for number in sums:
            data = data.replace(struct.pack("<I", number), bytes(4))
        path.write_bytes(data)
        for source in (path, SAMPLE, test_cli.FIXTURES / "f32-fletcher.h5"):
            self.assertIn("Verified: the file has no checksums, or only those that its numbers are held against as they are read",
                          self.done("info", source, "--verify"))
        self.fails("info", CHECKPOINTS / "bert", "--ids=1,2", "--verify", says="--verify is for files")


class NoFiles(Case):
    """Pipes that nobody writes into, and devices without an end."""

    def model(self, name):
        folder = self.folder / "model"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(CHECKPOINTS / "bert", folder)
        (folder / "vocab.txt").write_text("\n".join(test_cli.VOCABULARY))
        (folder / name).unlink(missing_ok=True)
        return folder

    def test_models(self):
        for name in ("model.safetensors", "config.json", "vocab.txt", "tokenizer.json", "model.safetensors.index.json"):
            for make in (os.mkfifo, lambda path: os.symlink("/dev/zero", path)):
                folder = self.model(name)
                make(folder / name)
                if name.endswith(".index.json"):
                    (folder / "model.safetensors").unlink()
                with self.subTest(name):
                    self.fails("info", folder, "--text", "time flies", says="not a regular file", about=folder)

    def test_parts_of_models(self):
        for name, option in (("preprocessor_config.json", "--image"), ("adapter_config.json", "--text"), ("modules.json", "--text")):
            for make in (os.mkfifo, lambda path: os.symlink("/dev/zero", path)):
                folder = self.folder / "part"
                shutil.rmtree(folder, ignore_errors=True)
                if option == "--image":
                    shutil.copytree(VISION / "vit", folder)
                else:
                    folder.mkdir()
                (folder / name).unlink(missing_ok=True)
                make(folder / name)
                with self.subTest(name):
                    self.fails("info", folder, option, PICTURE, says="not a regular file", about=folder)
        for make in (os.mkfifo, lambda path: os.symlink("/dev/zero", path)):
            (self.folder / "x.gguf").unlink(missing_ok=True)
            make(self.folder / "x.gguf")
            for command in ("predict", "tokens"):
                self.fails(command, self.folder / "x.gguf", "--text=a", says="this is not a regular file", about=self.folder / "x.gguf")
        self.fails("tokens", "/proc/self/mem", "--text=a", says="it cannot be read: Input/output error", about="/proc/self/mem")

    def test_pictures_of_models(self):
        """What is said is about the file of the image, and not about the model."""
        for command in ("info", "predict"):
            for option in ("--image", "--pixels"):
                self.fails(command, VISION / "vit", option, "/dev/zero", says="/dev/zero: this is not a regular file", about="/dev/zero")

    def test_dumps(self):
        os.mkfifo(self.folder / "pipe.h5")
        for path in (self.folder / "pipe.h5", "/dev/zero"):
            self.fails("info", path, says="this is not a regular file", about=path)
            self.fails("convert", SAMPLE, "-o", self.folder / "pipe.h5", says="it is not a regular file")
        self.fails("info", SAMPLE, "--tokens", "/dev/zero", says="larger than 64 MiB", about="/dev/zero")
        self.fails("find-heads", SAMPLE, "--pairs", "/dev/zero", says="larger than 1 MiB", about="/dev/zero")
        self.fails("stats", self.model("x"), "--texts", "/dev/zero", says="up to 256 MiB")
        (self.folder / "zero.headlight").symlink_to("/dev/zero")
        os.mkfifo(self.folder / "pipe.headlight")
        for name in ("zero.headlight", "pipe.headlight"):
            self.fails("render", self.folder / name, "-o", self.folder / "a.png", says="this is not a regular file")

    def test_no_models(self):
        for command in ("predict", "generate", "tokens", "recompute"):
            options = ("-o", self.folder / "a.h5") if command == "recompute" else ()
            with self.subTest(command):
                self.misused(command, test_cli.FIXTURES / "causal.h5", "--text=a", *options, says="is no model: --text")
        self.misused("tokens", test_cli.FIXTURES / "foreign/layers.npy", "--text=a", says="is no model: --text")

    def test_empty_names(self):
        for command in (["info", ""], ["compare", SAMPLE, ""], ["tokens", "", "--text=a"]):
            self.misused(*command, says="the name of the file is empty")
        self.misused("info", SAMPLE, "--tokens=", says="--tokens is empty")

    def test_waiting(self):
        """Who waits for a pipe is ended by a signal, and reads what is written into it."""
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        command = [CLI, "find-heads", SAMPLE, "--pairs", pipe]
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            # Who runs the tests may have been told to outlive the terminal.
            with subprocess.Popen(command, env=test_cli.ENVIRONMENT, stdout=subprocess.PIPE,
                                  preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)) as process:
                with self.assertRaises(subprocess.TimeoutExpired):
                    process.wait(1)
                process.send_signal(number)
                self.assertEqual(process.wait(30), -number)
        with subprocess.Popen(command, env=test_cli.ENVIRONMENT, stdout=subprocess.PIPE, encoding="utf-8") as process:
            pipe.write_text("arrow:time\n")
            self.assertEqual(process.communicate(timeout=30)[0], self.done("find-heads", SAMPLE, "--pair", "arrow:time"))
            self.assertEqual(process.returncode, 0)

    def test_ignored(self):
        """Who was begun to outlive a signal goes on with what it waits for."""
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with subprocess.Popen([CLI, "find-heads", SAMPLE, "--pairs", pipe], env=test_cli.ENVIRONMENT, stdout=subprocess.PIPE,
                                  preexec_fn=lambda n=number: signal.signal(n, signal.SIG_IGN)) as process:
                # It is open once it is read.
                with open(pipe, "w", encoding="utf-8") as lines:
                    process.send_signal(number)
                    lines.write("arrow:time\n")
                self.assertIn(b"arrow", process.communicate(timeout=60)[0])
                self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    sys.exit(test_cli.main())
