#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes a home with 200 models in it, half as the hub's tools lay them out, half as Ollama does.

Usage: make-caches.py FOLDER
"""
import hashlib
import json
import struct
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1])
HASH = "0123456789abcdef0123456789abcdef01234567"
FILES = ["README.md", "config.json", "generation_config.json", "merges.txt", "model.safetensors", "special_tokens_map.json",
         "tokenizer.json", "tokenizer_config.json", "vocab.json"]


def pack(text):
    return struct.pack("<Q", len(text)) + text


for number in range(100):
    model = FOLDER / ".cache" / "huggingface" / "hub" / f"models--org--model-{number}"
    for folder in ("refs", "blobs", f"snapshots/{HASH}"):
        (model / folder).mkdir(parents=True)
    (model / "refs" / "main").write_text(HASH)
    for file in FILES:
        content = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64} | {
            f"option_{option}": option for option in range(40)} if file == "config.json" else {}
        blob = model / "blobs" / hashlib.sha1(file.encode()).hexdigest()
        blob.write_text(json.dumps(content))
        (model / "snapshots" / HASH / file).symlink_to(f"../../blobs/{blob.name}")

    tokens = pack(b"tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 20000) + b"".join(map(pack, [b"token"] * 20000))
    content = (b"GGUF" + struct.pack("<IQQ", 3, 0, 2) + pack(b"general.architecture") + struct.pack("<I", 8) + pack(b"llama") +
               tokens + struct.pack("<I", number))
    digest = hashlib.sha256(content).hexdigest()
    models = FOLDER / ".ollama" / "models"
    manifest = models / "manifests" / "registry.ollama.ai" / "library" / f"model-{number}" / "latest"
    (models / "blobs").mkdir(parents=True, exist_ok=True)
    manifest.parent.mkdir(parents=True)
    (models / "blobs" / f"sha256-{digest}").write_bytes(content)
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}", "size": len(content)}
    manifest.write_text(json.dumps({"schemaVersion": 2, "layers": [layer]}))
