#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes processors.h5: images, and what image processors of transformers make of them.

Needs numpy, h5py, pillow, torch, torchvision and transformers.  `images/NAME` is a PNG file.  Of each case there are `names`, the name of its image
in `image`, the text of a preprocessor_config.json in `config`, and the size of what comes of it in `shape`; what comes of all stands one behind the
other in `pixels`.  Classes without “Fast” at the end count with Pillow, the others with PyTorch.
"""

import io
import json
import pathlib

import h5py
import numpy as np
import PIL.Image
import transformers as T

HERE = pathlib.Path(__file__).resolve().parent
DINO = {"image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225]}
SMALL = {"size": {"height": 9, "width": 12}}
SHORT = {"size": {"shortest_edge": 11}, "crop_size": {"height": 10, "width": 8}}

# name: (class, what preprocessor_config.json says, names of images; all where there are none)
CASES = {
    "vit": ("ViTImageProcessor", SMALL, ()),
    "deit": ("DeiTImageProcessor", {"size": {"height": 13, "width": 12}, "crop_size": {"height": 10, "width": 7}}, ()),
    "bit": ("BitImageProcessor", {**SHORT, **DINO}, ()),
    "clip": ("CLIPImageProcessor", {"size": {"shortest_edge": 10}, "crop_size": {"height": 10, "width": 10}}, ()),
    "clip-padded": ("CLIPImageProcessor", {"size": {"shortest_edge": 5}, "crop_size": {"height": 10, "width": 12}}, ("wide", "tall", "odd")),
    "clip-square": ("CLIPImageProcessor", {"size": {"height": 7, "width": 7}, "crop_size": {"height": 7, "width": 7}}, ("wide",)),
    "siglip": ("SiglipImageProcessor", {"size": {"height": 12, "width": 12}}, ()),
    "siglip2": ("Siglip2ImageProcessor", {"patch_size": 4, "max_num_patches": 12}, ()),
    "dinov3": ("DINOv3ViTImageProcessor", {"size": {"height": 12, "width": 8}, "crop_size": None}, ()),
    "dinov3-large": ("DINOv3ViTImageProcessor", {"size": {"height": 41, "width": 37}, "resample": 3}, ("odd",)),
    "efficientnet": ("EfficientNetImageProcessor", {**SMALL, "rescale_offset": True}, ("odd", "wide")),
    "efficientnet-plain": ("EfficientNetImageProcessor", {**SMALL, "include_top": False}, ("odd",)),
    "convnext": ("ConvNextImageProcessor", {"size": {"shortest_edge": 9}, "crop_pct": 0.9}, ("odd", "wide", "tall")),
    "gemma3": ("Gemma3ImageProcessor", {"size": {"height": 8, "width": 8}}, ("odd",)),
    "between": ("ViTImageProcessor", {"size": {"shortest_edge": 9, "longest_edge": 14}}, ("odd", "wide", "tall")),
    "within": ("ViTImageProcessor", {"size": {"max_height": 9, "max_width": 14}}, ("odd", "wide", "tall")),
    "unscaled": ("ViTImageProcessor", {**SMALL, "do_rescale": False, "do_normalize": False}, ("odd",)),
    "unresized": ("CLIPImageProcessor", {"do_resize": False, "crop_size": {"height": 19, "width": 19}}, ("odd", "tiny")),
    "factor": ("ViTImageProcessor", {**SMALL, "rescale_factor": 0.01, "image_mean": [0.1, 0.2, 0.3], "image_std": [1.5, 0.5, 0.25]}, ("odd",)),
    "padded": ("ViTImageProcessor", {**SMALL, "do_pad": True, "pad_size": {"height": 11, "width": 13}}, ("odd",)),
    "larger": ("ViTImageProcessor", {"size": {"height": 31, "width": 40}, "resample": 3}, ("odd",)),
}
DEFAULTS = ("ViT", "DeiT", "Bit", "CLIP", "Siglip", "DINOv3ViT", "EfficientNet", "ConvNext", "Gemma3")
FILTERS = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "box": 4, "hamming": 5}


def make_images():
    """Smooth colours with noise, and edges that ring."""
    generator = np.random.default_rng(0)

    def make(height, width, channels):
        rows, columns = np.mgrid[:height, :width]
        smooth = np.stack([127 + 120 * np.sin(rows / (5 + c) + columns / (9 - c) + c) for c in range(channels)], -1)
        image = smooth + generator.normal(0, 25, smooth.shape)
        image[rows + columns > (height + width) * 0.6] = 255 * (generator.random(channels) > 0.5)
        return np.clip(np.round(image), 0, 255).astype(np.uint8)

    images = {"odd": make(37, 23, 3), "wide": make(11, 90, 3), "tall": make(67, 10, 3), "tiny": make(1, 2, 3), "dot": make(1, 1, 3),
              "gray": make(21, 30, 1)[..., 0], "alpha": make(26, 19, 4)}
    return {name: PIL.Image.fromarray(pixels) for name, pixels in images.items()}


def process(name, fast, config, image):
    kind = getattr(T, name + ("" if fast or name.startswith("DINOv3") else "Pil"))
    out = kind(**{"do_convert_rgb": True, **config})(image, return_tensors="np")
    if "spatial_shapes" not in out:
        return np.asarray(out["pixel_values"])[0]
    rows, columns = np.asarray(out["spatial_shapes"])[0]
    size = config["patch_size"]
    patches = np.asarray(out["pixel_values"])[0][:rows * columns].reshape(rows, columns, size, size, 3)
    return patches.transpose(4, 0, 2, 1, 3).reshape(3, rows * size, columns * size)


def main():
    images = make_images()
    cases = {name: (kind, config, chosen or tuple(image for image in images if image != "dot")) for name, (kind, config, chosen) in CASES.items()}
    for name, number in FILTERS.items():
        cases[name] = ("ViTImageProcessor", {"size": {"height": 14, "width": 15}, "resample": number}, ("odd", "wide"))
    for name in DEFAULTS:
        cases[name.lower() + "-default"] = (name + "ImageProcessor", {}, ("dot",))
    found = {key: [] for key in ("names", "image", "config", "shape", "pixels")}
    for name, (kind, config, chosen) in cases.items():
        for fast in (False, True):
            if (fast and name in ("box", "hamming")) or (not fast and kind.startswith("DINOv3")):
                continue
            for image in chosen:
                pixels = process(kind, fast, config, images[image])
                found["names"].append(f"{name}-{image}{'-fast' * fast}")
                found["image"].append(image)
                found["config"].append(json.dumps({"image_processor_type": kind + "Fast" * fast, **config}))
                found["shape"].append(pixels.shape)
                found["pixels"].append(pixels.astype(np.float32).ravel())
    with h5py.File(HERE / "processors.h5", "w") as file:
        for name, image in images.items():
            stream = io.BytesIO()
            image.save(stream, "png")
            file.create_dataset(f"images/{name}", data=np.frombuffer(stream.getvalue(), np.uint8))
        for key in ("names", "image", "config"):
            file.create_dataset(key, data=found[key], dtype=h5py.string_dtype())
        file.create_dataset("shape", data=np.array(found["shape"], np.int32))
        pixels = np.concatenate(found["pixels"])
        file.create_dataset("pixels", data=pixels, compression="gzip", shuffle=True, chunks=(1 << 16,))
    print(len(found["names"]), "cases,", len(pixels), "numbers")


if __name__ == "__main__":
    main()
