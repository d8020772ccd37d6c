#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what transformers computes of an image, from its file to the attention, with the models of make-vision-references.py.

Needs torch, torchvision, pillow, transformers and h5py.  Writes preprocessor_config.json beside each model but one, whose image processor is the usual
one of its family, images/picture.png and images/other.png, and images/references.h5, where the attention of each model in float64 stands as
float32 by its name.  Of siglip2 it is that of the patches alone.
"""

import importlib.util
import json
import pathlib

import h5py
import numpy as np
import PIL.Image
import torch
import transformers as T

HERE = pathlib.Path(__file__).resolve().parent
SPEC = importlib.util.spec_from_file_location("vision", HERE / "make-vision-references.py")
vision = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(vision)

# name: class and what its file says; without, the processor has no file.
PROCESSORS = {
    "vit": ("ViTImageProcessor", {"size": {"height": 12, "width": 16}}),
    "dinov2": ("BitImageProcessor", {"size": {"shortest_edge": 24}, "crop_size": {"height": 22, "width": 18},
                                     "image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225]}),
    "dinov2-registers": ("BitImageProcessorFast", {"size": {"shortest_edge": 16}, "crop_size": {"height": 20, "width": 16}}),
    "dinov3": ("DINOv3ViTImageProcessorFast", {"size": {"height": 16, "width": 12}, "do_center_crop": None}),
    "clip-vision": ("CLIPImageProcessorFast", {"size": {"shortest_edge": 12}, "crop_size": {"height": 12, "width": 12}}),
    "siglip-vision": ("SiglipImageProcessor", None),
    "clip": ("CLIPImageProcessor", {"size": {"shortest_edge": 13}, "crop_size": {"height": 12, "width": 12}}),
    "siglip": ("SiglipImageProcessorFast", {"size": {"height": 12, "width": 12}}),
    "siglip2": ("Siglip2ImageProcessor", {"patch_size": 4, "max_num_patches": 20}),
}


def make_image(height, width, seed):
    """A disc before a slope, with noise."""
    rows, columns = np.mgrid[:height, :width]
    noise = np.random.default_rng(seed).normal(0, 12, (height, width, 3))
    image = np.stack([rows * 255 / height, columns * 255 / width, 255 - rows * 255 / height], -1) + noise
    image[(rows - height * 0.4) ** 2 + (columns - width * 0.6) ** 2 < (min(height, width) / 4) ** 2] = [235, 200, 40]
    return PIL.Image.fromarray(np.clip(np.round(image), 0, 255).astype(np.uint8))


def main():
    torch.set_num_threads(1)
    folder = HERE / "images"
    folder.mkdir(exist_ok=True)
    image = make_image(48, 64, 0)
    image.save(folder / "picture.png")
    make_image(60, 40, 1).save(folder / "other.png")
    with h5py.File(folder / "references.h5", "w") as file:
        for name, (kind, config) in PROCESSORS.items():
            _, model_class, parameters, _, _ = vision.MODELS[name]
            place = vision.find_folder(name)
            if config is not None:
                text = json.dumps({"image_processor_type": kind, **config}, indent=1) + "\n"
                (place / "preprocessor_config.json").write_text(text)
            size = {"height": 14, "width": 14}
            is_fast = kind.endswith("Fast")
            processor = getattr(T, kind.removesuffix("Fast") + ("" if is_fast else "Pil"))
            values = processor(**(config if config is not None else {"size": size}))(image, return_tensors="pt")
            inputs = {key: value.double() if value.is_floating_point() else value for key, value in values.items()}
            model = model_class.from_pretrained(place, attn_implementation="eager", dtype=torch.float64).eval()
            with torch.no_grad():
                out = getattr(model, "vision_model", model)(**inputs, output_attentions=True)
            maps = torch.cat(out.attentions).numpy()
            if "spatial_shapes" in inputs:
                n = int(inputs["spatial_shapes"][0].prod())
                maps = maps[..., :n, :n]
            print(name, maps.shape)
            file.create_dataset(name, data=maps.astype(np.float32), compression="gzip", shuffle=True)


if __name__ == "__main__":
    main()
