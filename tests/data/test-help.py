# SPDX-License-Identifier: MIT
"""The help: pages are valid, each view has one, links lead somewhere, and what they call things is what the window does.

Usage: test-help.py SOURCE-FOLDER.  Prints TAP.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(sys.argv[1])
PAGES = sorted((ROOT / "data" / "help" / "C").glob("*.page"))
MALLARD = "{http://projectmallard.org/1.0/}"


def parse(page):
    return xml.etree.ElementTree.parse(page).getroot()


class Help(unittest.TestCase):
    def test_valid(self):
        checker = shutil.which("yelp-check")
        if checker is None:
            self.skipTest("yelp-check is not installed: pages are not validated")
        for check in ("validate", "links", "orphans"):
            result = subprocess.run([checker, check, *PAGES], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual((result.returncode, result.stdout), (0, ""), check)

    def test_listed(self):
        """What is built is what is there."""
        listed = re.findall(r"'([\w-]+\.page)'", (ROOT / "data" / "help" / "meson.build").read_text())
        self.assertEqual(sorted(listed), [page.name for page in PAGES])
        for page in PAGES:
            self.assertEqual(parse(page).get("id"), page.stem)

    def test_links(self):
        ids = set()
        for page in PAGES:
            ids.add(page.stem)
            ids.update(f"{page.stem}#{section.get('id')}" for section in parse(page).iter(MALLARD + "section"))
        for page in PAGES:
            links = [link.get("xref") for link in parse(page).iter(MALLARD + "link")]
            for link in links:
                self.assertIn(page.stem + link if link.startswith("#") else link, ids, page.name)
            if page.stem != "index":
                self.assertTrue(any(link.startswith("index#") for link in links), f"{page.name} is not in the index")

    def test_views(self):
        """F1 opens the page of the view that is shown."""
        source = (ROOT / "src" / "view" / "shown" / "hl-view-kind.c").read_text()
        views = re.findall(r'HL_VIEW_\w+,\s+"([\w-]+)",\s+N_ \("([^"]+)"\)', source)
        self.assertGreater(len(views), 5)
        for nick, label in views:
            page = ROOT / "data" / "help" / "C" / f"view-{nick}.page"
            self.assertTrue(page.exists(), page)
            self.assertEqual(parse(page).find(MALLARD + "title").text, label)
        commands = (ROOT / "src" / "app" / "commands" / "hl-commands.c").read_text()
        self.assertRegex(commands, r'{ "help", [^}]*{ "F1" }')

    def test_words(self):
        """Buttons and choices are called what they are called."""
        said = set()
        for path in (ROOT / "ui").rglob("*.ui"):
            said.update(node.text for node in xml.etree.ElementTree.parse(path).iter()
                        if node.get("translatable") == "yes" and node.text)
        for folder in ("app", "view", "core", "draw"):
            for path in (ROOT / "src" / folder).rglob("*.c"):
                for text in re.findall(r'\b(?:N?_|ngettext) \(((?:\s*"(?:[^"\\]|\\.)*")+)', path.read_text(encoding="utf-8")):
                    said.add("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)))
        said = {re.sub(r"_(?=\w)", "", text) for text in said}
        for page in PAGES:
            for node in parse(page).iter(MALLARD + "gui"):
                self.assertIn(" ".join(node.text.split()), said, page.name)

    def test_keys(self):
        """Keys that are named are keys of commands."""
        commands = (ROOT / "src" / "app" / "commands" / "hl-commands.c").read_text()
        known = set(re.findall(r'"((?:<\w+>)+\w+|F\d+)"', commands))
        known.update(key for shown in re.findall(r'\.shown = "([^"]*)"', commands) for key in shown.split())
        names = {"←": "Left", "→": "Right", "↑": "Up", "↓": "Down", "?": "question"}
        for page in PAGES:
            for node in parse(page).iter(MALLARD + "keyseq"):
                keys = [key.text for key in node.iter(MALLARD + "key")]
                last = names.get(keys[-1], keys[-1].lower() if len(keys[-1]) == 1 else keys[-1])
                name = "".join(f"<{ {'Ctrl': 'Control'}.get(key, key)}>" for key in keys[:-1]) + last
                if re.fullmatch(r"<Control>[1-9]", name):
                    continue
                self.assertIn(name, known, page.name)


class Tap(unittest.TestResult):
    n = 0

    def tell(self, test, good, note=""):
        self.n += 1
        print(f"{'ok' if good else 'not ok'} {self.n} - {test.id().removeprefix('__main__.')}{note}", flush=True)

    def addSuccess(self, test):
        self.tell(test, True)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.tell(test, True, f" # SKIP {reason}")

    def addFailure(self, test, error):
        super().addFailure(test, error)
        print("\n".join("# " + line for line in self.failures[-1][1].splitlines()))
        self.tell(test, False)

    def addError(self, test, error):
        super().addError(test, error)
        print("\n".join("# " + line for line in self.errors[-1][1].splitlines()))
        self.tell(test, False)


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    print(f"1..{suite.countTestCases()}")
    result = Tap()
    suite.run(result)
    sys.exit(0 if result.wasSuccessful() else 1)
