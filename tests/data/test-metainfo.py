# SPDX-License-Identifier: MIT
"""What software centres are told: each screenshot is in the source, and is a picture as large as is said.

Usage: test-metainfo.py METAINFO FOLDER    FOLDER has the screenshots.  Prints TAP.
"""

import pathlib
import struct
import sys
import unittest
import xml.etree.ElementTree

METAINFO, FOLDER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
MAX_BYTES = 200_000


def list_images():
    return xml.etree.ElementTree.parse(METAINFO).getroot().findall("screenshots/screenshot/image")


class Screenshots(unittest.TestCase):
    def test_pictures(self):
        images = list_images()
        self.assertTrue(images)
        for image in images:
            path = FOLDER / image.text.rpartition("/")[2]
            with self.subTest(path.name):
                content = path.read_bytes()
                self.assertTrue(content.startswith(b"\x89PNG\r\n\x1a\n"), "not a PNG")
                self.assertEqual(struct.unpack(">II", content[16:24]), (int(image.get("width")), int(image.get("height"))))
                self.assertTrue(content.endswith(b"IEND\xaeB`\x82"), "cut off")
                self.assertLessEqual(len(content), MAX_BYTES)

    def test_none_is_forgotten(self):
        self.assertEqual({path.name for path in FOLDER.iterdir()}, {image.text.rpartition("/")[2] for image in list_images()})

    def test_captions(self):
        for screenshot in xml.etree.ElementTree.parse(METAINFO).getroot().findall("screenshots/screenshot"):
            captions = [caption.text for caption in screenshot.findall("caption") if not caption.attrib]
            self.assertEqual(len(captions), 1)
            self.assertTrue(captions[0].strip())


class TapResult(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.n = self.n_bad = 0

    def stopTest(self, test):
        super().stopTest(test)
        problems = [text for found, text in self.failures + self.errors if found is test or getattr(found, "test_case", None) is test]
        self.n += 1
        self.n_bad += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {self.n} {test.id()}")
        for line in "".join(problems).splitlines():
            print("#", line)


suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
print(f"1..{suite.countTestCases()}")
result = TapResult()
suite.run(result)
sys.exit(result.n_bad > 0)
