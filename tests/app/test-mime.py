#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the desktop takes files for once Headlight's MIME types are installed: types that it says it opens.

Usage: test-mime.py DESKTOP-FILE MIME-FILE FIXTURES
"""
import atexit
import configparser
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DESKTOP, MIME, FIXTURES = (Path(argument) for argument in sys.argv[1:])

if shutil.which("update-mime-database") is None or not Path("/usr/share/mime/mime.cache").exists():
    print("1..0 # SKIP shared-mime-info is not installed")
    sys.exit()

# GLib reads these once: they are set before it is loaded.
HOME = Path(tempfile.mkdtemp(prefix="headlight-mime-"))
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
(HOME / "mime" / "packages").mkdir(parents=True)
shutil.copy(MIME, HOME / "mime" / "packages" / MIME.name)
subprocess.run(["update-mime-database", HOME / "mime"], check=True)
os.environ["XDG_DATA_HOME"] = str(HOME)

from gi.repository import Gio  # noqa: E402

desktop = configparser.ConfigParser(interpolation=None)
desktop.optionxform = str
desktop.read(DESKTOP, encoding="utf-8")
OPENS = desktop["Desktop Entry"]["MimeType"].rstrip(";").split(";")
FILES = {
    "session.headlight": "application/x-headlight-session",
    "foreign/tuple.pt": "application/x-pytorch",
    "foreign/legacy-tuple.pt": "application/x-pytorch",
    "foreign/heads.pth": "application/x-pytorch",
    "foreign/tensors.pkl": "application/x-python-pickle",
    "foreign/layers.npy": "application/x-npy",
    "foreign/stored.npz": "application/x-npz",
    "foreign/layers.safetensors": "application/x-safetensors",
    "../gguf/models/llama/model.gguf": "application/x-gguf",
    "nested/attn.json": "application/json",
    "pages/bertviz-head.html": "text/html",
    "pages/notebook.ipynb": "application/x-ipynb+json",
    "f16-gzip.h5": "application/x-hdf",
}

print(f"1..{len(FILES)}")
failed = False
for number, (name, wanted) in enumerate(FILES.items(), 1):
    info = Gio.File.new_for_path(str(FIXTURES / name)).query_info("standard::content-type", Gio.FileQueryInfoFlags.NONE)
    found = info.get_content_type()
    good = found == wanted and found in OPENS
    failed |= not good
    print(f"{'ok' if good else 'not ok'} {number} {name}" + ("" if good else f" is taken for {found}"))
sys.exit(failed)
