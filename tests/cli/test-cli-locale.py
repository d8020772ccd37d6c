# SPDX-License-Identifier: MIT
"""headlight-cli where the locale is not UTF-8: what its options mean, and what a terminal is given.

Usage: test-cli-locale.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import contextlib
import importlib.util
import json
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

CAN_MAKE_LOCALES = shutil.which("localedef") is not None and pathlib.Path("/usr/share/i18n/locales/de_DE").exists()
# In Latin-1, and as Python has what is not UTF-8.
LATIN = os.fsdecode(b"\xe9")


class Options(test_cli.Case):
    def setUp(self):
        super().setUp()
        maps = {"é": [[1, 0], [0.5, 0.5]], "e": [[1, 0], [0.25, 0.75]]}
        self.dump = self.folder / "dump.json"
        examples = {name: {"attention": [[map]], "tokens": [name, "x"]} for name, map in maps.items()}
        self.dump.write_text(json.dumps({"examples": examples}))

    def look(self, example="é", **variables):
        """What is told of an example and how it is drawn below its name."""
        figure = self.folder / "figure.svg"
        told = self.done("info", self.dump, "--example", example, env=variables)
        self.done("render", self.dump, "--title", example, "-o", figure, env=variables)
        return told, figure.read_bytes()

    def check_unread(self, **variables):
        result = test_cli.run("info", self.dump, "--example", LATIN, env=variables)
        self.assertEqual(result.returncode, 2)
        self.assertIn("headlight-cli: “\ufffd” is not valid UTF-8\n", result.stderr)

    def test_none(self):
        """Where there is no locale a text is as good as where there is one."""
        told, figure = self.look()
        self.assertIn("Example: é\n", told)
        self.assertIn(">é<".encode(), figure)
        self.assertEqual(self.look(LC_ALL="C"), (told, figure))
        self.check_unread(LC_ALL="C")
        self.check_unread()

    @unittest.skipUnless(CAN_MAKE_LOCALES, "there is no source of locales")
    def test_latin(self):
        """A command that was written in UTF-8 means the same; one that was typed there does."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["localedef", "-i", "de_DE", "-f", "ISO-8859-1", f"{folder}/de_DE.ISO-8859-1"], check=True)
            latin = {"LC_ALL": "", "LANG": "C", "LC_CTYPE": "de_DE.ISO-8859-1", "LOCPATH": f"{folder}:/usr/lib/locale"}
            expected = self.look()
            self.assertEqual(self.look(**latin), expected)
            self.assertEqual(self.look(LATIN, **latin), expected)


class Terminal(test_cli.Case):
    """In one of Latin-1, bytes from 0x80 to 0x9F are control characters: the second of “Û” in UTF-8 begins what it acts on."""

    def setUp(self):
        super().setUp()
        self.dump = self.folder / "dump.json"
        self.dump.write_text(json.dumps({"attention": [[[[1, 0], [0.5, 0.5]]]], "tokens": ["Û2Jé", "漢"]}))

    def show(self, *arguments, **variables):
        ours, theirs = pty.openpty()
        process = subprocess.Popen([test_cli.CLI, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                                   env={**test_cli.ENVIRONMENT, **variables})
        os.close(theirs)
        shown = b""
        with open(ours, "rb", buffering=0) as terminal, contextlib.suppress(OSError):
            while part := terminal.read(4096):
                shown += part
        process.wait(120)
        return shown

    def test_latin(self):
        commands = {
            ("info", self.dump): b"\xdb2J\xe9 ?\r\n",
            ("info", "--json", self.dump): b'"\xdb2J\xe9"',
            ("stats", self.dump, "--layer=0", "--head=0", "--format=csv"): b"\xdb2J\xe9,",
            ("info", self.folder / "Û2J"): b"\xdb2J",
            ("--help",): b"headlight-cli",
            ("render", "--help"): b"headlight-cli",
        }
        for arguments, expected in commands.items():
            with self.subTest(arguments):
                shown = self.show(*arguments, CHARSET="ISO-8859-1")
                self.assertEqual([byte for byte in shown if 0x80 <= byte <= 0x9f], [])
                self.assertIn(expected, shown)

    def test_others(self):
        """In one of UTF-8 all is as it is, and so is what another program reads."""
        self.assertIn("Û2Jé 漢\r\n".encode(), self.show("info", self.dump))
        self.assertIn("Û2Jé 漢\r\n".encode(), self.show("info", self.dump, LC_ALL="C"))
        self.assertEqual(self.done("info", self.dump, env={"CHARSET": "ISO-8859-1"}), self.done("info", self.dump))


if __name__ == "__main__":
    sys.exit(test_cli.main())
