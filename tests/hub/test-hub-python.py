# SPDX-License-Identifier: MIT
"""The hub's own tools find what Headlight has downloaded, and Headlight what they have, from the same hub on this computer.

Usage: test-hub-python.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.  HL_TEST_PYTHON is a Python that has huggingface_hub, if this one has not.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from hub_server import COMMIT, Hub

CLI = str(pathlib.Path(sys.argv[1]).resolve())
BERT = pathlib.Path(sys.argv[2]).resolve() / "model" / "checkpoints" / "bert"
PYTHON = os.environ.get("HL_TEST_PYTHON", sys.executable)

FILES = {"config.json": (BERT / "config.json").read_bytes(), "model.safetensors": (BERT / "model.safetensors").read_bytes(),
         "tokenizer_config.json": b"{}"}

OFFLINE = """
import sys
from huggingface_hub import snapshot_download, try_to_load_from_cache
folder = snapshot_download("some/bert", local_files_only=True)
print(folder)
for name in sys.argv[1:]:
    print(try_to_load_from_cache("some/bert", name))
"""
DOWNLOAD = """
import sys
from huggingface_hub import hf_hub_download
for name in sys.argv[1:]:
    print(hf_hub_download("some/bert", name))
"""


def environment(hub, home, **variables):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("HF_", "XDG_", "TRANSFORMERS")) and not name.lower().endswith("_proxy")}
    return kept | {"HOME": str(home), "HF_ENDPOINT": hub.address, "LC_ALL": "C.UTF-8", "HF_HUB_DISABLE_XET": "1",
                   "HF_HUB_DISABLE_TELEMETRY": "1", **variables}


def run(arguments, variables):
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", env=variables, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_found_by_python(hub, home):
    folder, = run([CLI, "download", "some/bert"], environment(hub, home))
    found = run([PYTHON, "-c", OFFLINE, *FILES], environment(hub, home, HF_HUB_OFFLINE="1"))
    assert found == [folder, *(f"{folder}/{name}" for name in FILES)], found
    # Nor does it download again what is there.
    del hub.seen[:]
    run([PYTHON, "-c", DOWNLOAD, *FILES], environment(hub, home))
    assert not [entry for entry in hub.seen if entry[0] == "store"], hub.seen


def test_found_of_python(hub, home):
    run([PYTHON, "-c", DOWNLOAD, "config.json", "model.safetensors"], environment(hub, home))
    del hub.seen[:]
    folder, = run([CLI, "download", "some/bert"], environment(hub, home))
    assert folder.endswith(COMMIT), folder
    asked = [path for _, _, path, _ in hub.seen if "/resolve/" in path]
    assert asked == [f"/some/bert/resolve/{COMMIT}/tokenizer_config.json"], asked
    row, = json.loads("\n".join(run([CLI, "models", "--format=json"], environment(hub, home))))
    assert (row["name"], row["family"]) == ("some/bert", "BERT"), row


def test_left_incomplete(hub, home):
    """HASH.incomplete, as the tools have left it until their version 2."""
    content = FILES["model.safetensors"]
    blobs = home / ".cache" / "huggingface" / "hub" / "models--some--bert" / "blobs"
    blobs.mkdir(parents=True)
    (blobs / (hub.models["some/bert"].hash("model.safetensors") + ".incomplete")).write_bytes(content[:1000])
    folder, = run([CLI, "download", "some/bert"], environment(hub, home))
    assert (pathlib.Path(folder) / "model.safetensors").read_bytes() == content
    assert hub.requests("/", host="store")[0]["Range"] == "bytes=1000-"
    assert run([PYTHON, "-c", OFFLINE], environment(hub, home, HF_HUB_OFFLINE="1")) == [folder]


TESTS = [("what was downloaded is found by Python", test_found_by_python),
         ("what Python has downloaded is found", test_found_of_python),
         ("what was left incomplete is gone on with", test_left_incomplete)]


def main():
    if subprocess.run([PYTHON, "-c", "import huggingface_hub"], capture_output=True).returncode != 0:
        print("1..0 # SKIP huggingface_hub is not installed")
        return 0
    print(f"1..{len(TESTS)}")
    bad = 0
    for number, (name, test) in enumerate(TESTS, 1):
        with tempfile.TemporaryDirectory(prefix="headlight-hub-") as home:
            hub = Hub()
            hub.add("some/bert", FILES, large={"model.safetensors"})
            try:
                test(hub, pathlib.Path(home))
                print(f"ok {number} - {name}", flush=True)
            except AssertionError as error:
                bad += 1
                print("#", str(error).replace("\n", "\n# "))
                print(f"not ok {number} - {name}", flush=True)
            finally:
                hub.close()
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
