#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tiny models that take pixels, and what transformers computes with them in float64.

Needs torch, transformers, safetensors and h5py.  Every folder below vision/ holds config.json, model.safetensors, pixels.npy and
reference.h5: the attention as float32 in `image_attention`.  Those of several inputs are below checkpoints/, where the token numbers `ids` and
the attention of texts, `attention`, are in the same file.  Of DINOv2, whose results of sublayers are multiplied feature by feature, there are
`norm` and `rollout` too, as make-quantity-references.py has them.  Arrays of pixels differ in their byte order, the order of their axes, and
whether they are a batch of one.

  make-vision-references.py            all models
  make-vision-references.py NAME ...   some of them
  make-vision-references.py --of FOLDER PIXELS.npy OUT.h5   a model on disk
"""

import importlib.util
import json
import pathlib
import sys

import h5py
import numpy as np
import torch
import transformers as T

HERE = pathlib.Path(__file__).resolve().parent
SPEC = importlib.util.spec_from_file_location("references", HERE / "make-references.py")
references = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(references)

VISION = dict(hidden_size=24, num_hidden_layers=2, num_attention_heads=3, intermediate_size=40, image_size=12, patch_size=4)
DINO = {key: value for key, value in VISION.items() if key != "intermediate_size"} | {"mlp_ratio": 2}
TEXT = dict(vocab_size=references.VOCABULARY, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
            max_position_embeddings=32, bos_token_id=0, eos_token_id=1)

# name: class of the configuration, class of the model, parameters, channels and size of the image, and how its array is written.
MODELS = {
    "vit": (T.ViTConfig, T.ViTForImageClassification,
            {**VISION, "image_size": [12, 16], "patch_size": [4, 4], "num_labels": 7}, (3, 12, 16), "<C"),
    "deit": (T.DeiTConfig, T.DeiTModel, {**VISION, "num_channels": 1}, (1, 12, 12), ">C"),
    "dinov2": (T.Dinov2Config, T.Dinov2Model, DINO, (3, 22, 13), "<F"),
    "dinov2-registers": (T.Dinov2WithRegistersConfig, T.Dinov2WithRegistersModel, {**DINO, "num_register_tokens": 2}, (3, 8, 20),
                         ">F"),
    "dinov3": (T.DINOv3ViTConfig, T.DINOv3ViTModel, {**VISION, "num_register_tokens": 2}, (3, 8, 12), "<C1"),
    "clip-vision": (T.CLIPVisionConfig, T.CLIPVisionModel, VISION, (3, 12, 12), "<C"),
    "siglip-vision": (T.SiglipVisionConfig, T.SiglipVisionModel, {**VISION, "image_size": 14}, (3, 14, 14), "<C"),
    "clip": (T.CLIPConfig, T.CLIPModel, {"vision_config": VISION, "text_config": TEXT, "projection_dim": 12}, (3, 12, 12), "<C"),
    "siglip": (T.SiglipConfig, T.SiglipModel, {"vision_config": VISION, "text_config": {**TEXT, "projection_size": 24}}, (3, 12, 12), "<C"),
    "siglip2": (T.Siglip2Config, T.Siglip2Model,
                {"vision_config": {**VISION, "num_patches": 9}, "text_config": {**TEXT, "projection_size": 24}}, (3, 8, 20), "<C"),
}


def find_folder(name):
    return HERE / ("checkpoints" if "text_config" in MODELS[name][2] else "vision") / name


def save_pixels(path, pixels, how):
    array = pixels.astype(f"{how[0]}f4")
    array = np.asfortranarray(array) if how[1] == "F" else np.ascontiguousarray(array)
    np.save(path, array[None] if how.endswith("1") else array)


def run_vision(model, pixels):
    """What the part that takes pixels gives."""
    part = getattr(model, "vision_model", model)
    inputs = {"pixel_values": torch.tensor(pixels[None].astype(np.float64))}
    if "Siglip2" in type(model).__name__:
        size = model.config.vision_config.patch_size
        rows, columns = pixels.shape[1] // size, pixels.shape[2] // size
        patches = inputs["pixel_values"].reshape(1, -1, rows, size, columns, size).permute(0, 2, 4, 3, 5, 1)
        inputs = {"pixel_values": patches.reshape(1, rows * columns, -1), "spatial_shapes": torch.tensor([[rows, columns]])}
        inputs["pixel_attention_mask"] = torch.ones(1, rows * columns, dtype=torch.long)
    with torch.no_grad():
        return part(**inputs, output_attentions=True, output_hidden_states=True)


def measure(model, maps, pixels):
    """The lengths of what each head adds, and how layers mix."""
    values, hooks = [], []
    for layer in model.encoder.layer:
        hooks.append(layer.attention.v_proj.register_forward_hook(lambda module, args, result: values.append(result[0].numpy())))
    run_vision(model, pixels)
    for hook in hooks:
        hook.remove()
    norms, rollout = [], [np.eye(len(values[0]))]
    for layer, a, v in zip(model.encoder.layer, maps, values):
        projection, size = layer.attention.o_proj.weight.detach().numpy().T, v.shape[1] // len(a)
        scale = layer.layer_scale1.lambda1.detach().numpy()
        vectors = np.stack([v[:, h * size:(h + 1) * size] @ projection[h * size:(h + 1) * size] * scale for h in range(len(a))])
        norms.append(a * np.linalg.norm(vectors, axis=-1)[:, None])
        mixed = a.mean(0) + np.eye(len(v))
        rollout.append(mixed / mixed.sum(-1, keepdims=True) @ rollout[-1])
    return np.stack(norms), np.stack(rollout[1:])


def write(file, name, values):
    print(f"  {name} {values.shape}, median greatest weight {np.median(values.max(axis=-1)) * values.shape[-1]:.1f} times uniform")
    file.create_dataset(name, data=values.astype(np.float32), compression="gzip", shuffle=True)


def write_reference(path, model, pixels, seed):
    with h5py.File(path, "w") as file:
        out = run_vision(model, pixels)
        maps = torch.cat(out.attentions).numpy()
        write(file, "image_attention", maps)
        if isinstance(model, T.Dinov2Model):
            norms, rollout = measure(model, maps, pixels)
            write(file, "norm", norms)
            write(file, "rollout", rollout)
        if isinstance(model, T.ViTForImageClassification):
            file["logits"] = out.logits[0].numpy().astype(np.float32)
        if hasattr(model.config, "text_config"):
            generator = torch.Generator().manual_seed(1000 + seed)
            ids = torch.randint(3, references.VOCABULARY - 1, (1, references.N), generator=generator)
            with torch.no_grad():
                out = model.text_model(input_ids=ids, output_attentions=True)
            write(file, "attention", torch.cat(out.attentions).numpy())
            file["ids"] = ids[0].numpy().astype(np.int32)


def make(name, seed):
    config_class, model_class, parameters, shape, how = MODELS[name]
    torch.manual_seed(seed)
    model = model_class(config_class(**parameters, attn_implementation="eager")).eval()
    references.spread(model, seed)
    folder = find_folder(name)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    model.save_pretrained(folder)
    print(name)
    pixels = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
    save_pixels(folder / "pixels.npy", pixels, how)
    model = model_class.from_pretrained(folder, attn_implementation="eager", dtype=torch.float64).eval()
    write_reference(folder / "reference.h5", model, pixels, seed)
    config = json.loads((folder / "config.json").read_text())
    config.pop("transformers_version", None)
    (folder / "config.json").write_text(json.dumps(config, indent=1, sort_keys=True) + "\n")


def main():
    torch.set_num_threads(1)
    if sys.argv[1:2] == ["--of"]:
        pixels = np.load(sys.argv[3])
        model = T.AutoModel.from_pretrained(sys.argv[2], attn_implementation="eager", dtype=torch.float64).eval()
        write_reference(sys.argv[4], model, pixels, 0)
        return
    for seed, name in enumerate(MODELS):
        if not sys.argv[1:] or name in sys.argv[1:]:
            make(name, seed)


if __name__ == "__main__":
    main()
