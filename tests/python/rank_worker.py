# SPDX-License-Identifier: MIT
"""What each rank of test-ranks.py does.

Usage: torchrun … rank_worker.py SOURCE-ROOT FOLDER one|save|ddp|twice|fsdp|tensor|plan|both
"""
import os
import pathlib
import sys

ROOT, FOLDER, MODE = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
sys.path[:0] = [str(ROOT / "src/python")]
sys.dont_write_bytecode = True

import torch
import torch.distributed as distributed
import transformers

import headlight

EXAMPLES = int(os.environ.get("HL_TEST_EXAMPLES", 8))


def make():
    torch.manual_seed(3)
    config = transformers.LlamaConfig(vocab_size=60, hidden_size=32, num_hidden_layers=2, num_attention_heads=8, num_key_value_heads=4,
                                      intermediate_size=32, max_position_embeddings=64, pad_token_id=0, initializer_range=0.3)
    return transformers.LlamaForCausalLM(config).eval()


def inputs():
    ids = torch.randint(5, 60, (EXAMPLES, 9), generator=torch.Generator().manual_seed(1))
    mask = torch.ones_like(ids)
    for item in range(EXAMPLES):
        mask[item, :item % 4] = 0
    return ids, mask


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    transformers.utils.logging.set_verbosity_error()
    ids, mask = inputs()
    path = os.path.join(FOLDER, "run.h5")
    options = {"dtype": "float32", "values": True, "output_projection": True}
    if MODE == "save":
        make().save_pretrained(os.path.join(FOLDER, "model"))
        return
    if MODE == "one":
        model = make()
        with headlight.capture(model, path, **options):
            model(ids, attention_mask=mask)
        return
    distributed.init_process_group("gloo")
    rank, ranks = distributed.get_rank(), distributed.get_world_size()
    if MODE == "plan":
        # As transformers shares out heads by itself.
        model = transformers.AutoModelForCausalLM.from_pretrained(os.path.join(FOLDER, "model"), tp_plan="auto",
                                                                  device_mesh=distributed.init_device_mesh("cpu", (ranks,))).eval()
    else:
        model = make()
    if MODE in ("ddp", "twice"):
        model = torch.nn.parallel.DistributedDataParallel(model)
    elif MODE == "fsdp":
        from torch.distributed.fsdp import fully_shard

        mesh = distributed.init_device_mesh("cpu", (ranks,))
        for layer in model.model.layers:
            fully_shard(layer, mesh=mesh)
        fully_shard(model, mesh=mesh)
    elif MODE in ("tensor", "both"):
        from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

        whole = distributed.init_device_mesh("cpu", (2, ranks // 2) if MODE == "both" else (1, ranks), mesh_dim_names=("data", "tensor"))
        mesh = whole["tensor"]
        plan = {f"self_attn.{name}_proj": ColwiseParallel() for name in "qkv"} | {"self_attn.o_proj": RowwiseParallel()}
        for layer in model.model.layers:
            parallelize_module(layer, mesh, plan)
        if MODE == "both":
            from torch.distributed.tensor.parallel.ddp import _pre_dp_module_transform

            # What DistributedDataParallel wants of a model that is shared out already.
            _pre_dp_module_transform(model)
            model = torch.nn.parallel.DistributedDataParallel(model, process_group=whole["data"].get_group())
    if MODE in ("ddp", "twice", "fsdp", "both"):
        parts, part = (2, rank // 2) if MODE == "both" else (ranks, rank)
        share = EXAMPLES // parts
        ids, mask = ids[part * share:(part + 1) * share], mask[part * share:(part + 1) * share]
    if MODE == "twice":
        with headlight.capture(model, path, **options):
            model(ids, attention_mask=mask)
        os.rename(os.path.join(FOLDER, f"run.rank{rank}.h5"), os.path.join(FOLDER, f"first.rank{rank}.h5"))
    with headlight.capture(model, path, **options):
        model(ids, attention_mask=mask)
    distributed.barrier()
    distributed.destroy_process_group()


if __name__ == "__main__":
    main()
