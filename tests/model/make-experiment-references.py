#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes experiments/NAME.h5: heads switched off and logits taken apart, in float64, with hooks of PyTorch.

Needs torch, transformers and h5py.  Of each tiny model, on the token numbers of its reference.h5:

  zero_KIND, uniform_KIND [layers, heads, 4]   1 - cosine of the pooled final states; of the prediction at `position` the
      divergence in bits, the probability of `token` and the change of its log-probability (NaN without a head)
  heads_KIND [layers, heads], feed_forward [layers], embedding, logit   what each adds to the logit of `token` minus that
      of `other`, with the scales of norms, and the gates of the MLM head, as they are; the rest are biases

An ablation is a whole pass with hooks on the output projection.  An attribution is a gradient: what goes into sublayers is
detached, so that the logit follows from what they add alone, and so are the scales of norms.

  make-experiment-references.py            all models
  make-experiment-references.py NAME ...   some of them
  make-experiment-references.py --minilm FOLDER   minilm-ablation.npz: all heads of MiniLM on a text of 24 tokens
"""

import pathlib
import sys

import h5py
import numpy as np
import torch
import transformers as T

HERE = pathlib.Path(__file__).resolve().parent
TEXT = "The Eiffel Tower in Paris was built by engineers who had never seen anything like it before at all."

# Class, whether it has a head, and of each kind of attention: the layers, the name of what follows the heads, and that of
# what gives values, in a layer.  Of a fused projection, values are the last of three.
BERT = {"attention": ("encoder.layer", "attention.output.dense", "attention.self.value")}
LLAMA = {"attention": ("model.layers", "self_attn.o_proj", "self_attn.v_proj")}
MODELS = {
    "bert": (T.BertModel, False, BERT, "output.dense", "embeddings"),
    "bert-prefixed": (T.BertForMaskedLM, True, {"attention": ("bert.encoder.layer", *BERT["attention"][1:])}, "output.dense", "bert.embeddings"),
    "gpt2": (T.GPT2LMHeadModel, True, {"attention": ("transformer.h", "attn.c_proj", "attn.c_attn")}, "mlp.c_proj", "transformer.drop"),
    "llama": (T.LlamaForCausalLM, True, LLAMA, "mlp.down_proj", "model.embed_tokens"),
    "gemma3": (T.Gemma3ForCausalLM, True, LLAMA, "mlp.down_proj", "model.embed_tokens"),
    "gemma3-bias": (T.Gemma3ForCausalLM, True, LLAMA, "mlp.down_proj", "model.embed_tokens"),
    "t5": (T.T5ForConditionalGeneration, True, {
        "encoder": ("encoder.block", "layer.0.SelfAttention.o", "layer.0.SelfAttention.v"),
        "decoder": ("decoder.block", "layer.0.SelfAttention.o", "layer.0.SelfAttention.v"),
        "cross": ("decoder.block", "layer.1.EncDecAttention.o", "layer.1.EncDecAttention.v"),
    }, "layer.2.DenseReluDense.wo", "decoder.dropout"),
}


def get_final(out):
    """What leaves the last stack, and the logits, if there are any."""
    states = out.decoder_hidden_states if "decoder_hidden_states" in out else out.hidden_states
    return states[-1][0], out.logits[0] if "logits" in out else None


def get_visible(out, kind, layer):
    """Which keys each query sees: masked weights are exactly 0."""
    name = {"attention": "attentions", "encoder": "encoder_attentions", "decoder": "decoder_attentions",
            "cross": "cross_attentions"}[kind]
    return (out[name][layer][0] > 0).any(dim=0)


class Ablation:
    """Hooks that make a head's output zero, or the mean of the values that a query sees."""

    def __init__(self, model, inputs, kinds):
        self.model, self.inputs, self.kinds = model, inputs, kinds
        self.position = self.token = self.other = None
        self.intact = self.run()

    def run(self):
        with torch.no_grad():
            return self.model(**self.inputs, output_hidden_states=True, output_attentions=True)

    def run_without(self, kind, layer, head, uniform, n_heads):
        layers, output_name, value_name = self.kinds[kind]
        block = self.model.get_submodule(f"{layers}.{layer}")
        output, value = block.get_submodule(output_name), block.get_submodule(value_name)
        kept = {}

        def keep(module, args, result):
            kept["values"] = result[0]

        def change(module, args):
            heads = args[0].clone()
            size = heads.shape[-1] // n_heads
            mean = 0
            if uniform:
                values = kept["values"]
                if value_name.endswith("c_attn"):
                    values = values.chunk(3, dim=-1)[2]
                key_head = head // (n_heads // (values.shape[-1] // size))
                visible = get_visible(self.intact, kind, layer).to(values.dtype)
                mean = visible / visible.sum(dim=-1, keepdim=True) @ values[:, key_head * size:(key_head + 1) * size]
            heads[..., head * size:(head + 1) * size] = mean
            return (heads,) + args[1:]

        hooks = [value.register_forward_hook(keep), output.register_forward_pre_hook(change)]
        try:
            return self.run()
        finally:
            for hook in hooks:
                hook.remove()

    def choose(self):
        """Looks where the model is least sure, at what it finds likeliest."""
        log_p = torch.log_softmax(get_final(self.intact)[1], dim=-1)
        self.position = int((log_p.exp() * log_p).sum(dim=-1).argmin())
        self.token, self.other = log_p[self.position].topk(2).indices.tolist()

    def measure(self, out):
        states, logits = get_final(out)
        intact, intact_logits = get_final(self.intact)
        change = 1 - torch.cosine_similarity(states.mean(dim=0), intact.mean(dim=0), dim=0)
        if self.position is None:
            return [float(change), np.nan, np.nan, np.nan]
        after, before = (torch.log_softmax(numbers[self.position], dim=-1) for numbers in (logits, intact_logits))
        bits = (before.exp() * (before - after)).sum() / np.log(2)
        return [float(change), float(bits), float(after[self.token].exp()), float(after[self.token] - before[self.token])]


def freeze(model):
    """Makes norms and the activation of an MLM head linear: their scales and gates are as they are."""
    for name, module in model.named_modules():
        kind = type(module).__name__
        if "Norm" in kind:
            centre = kind == "LayerNorm"
            plus = 1 if "Gemma" in kind else 0
            epsilon = getattr(module, "eps", None) or getattr(module, "variance_epsilon", None)

            def norm(x, module=module, centre=centre, plus=plus, epsilon=epsilon):
                x = x - x.mean(dim=-1, keepdim=True) if centre else x
                scale = (x.pow(2).mean(dim=-1, keepdim=True) + epsilon).rsqrt().detach()
                bias = module.bias if centre else 0
                return x * scale * (plus + module.weight) + bias

            module.forward = norm
        elif name.endswith("predictions.transform"):
            activation = module.transform_act_fn
            activation.forward = lambda x, original=activation.forward: x * (original(x) / x).detach()


def attribute(model, inputs, kinds, feed_forward, embedding, ablation, n_heads):
    """What heads, feed-forwards and the embedding add to the difference of two logits."""
    freeze(model)
    position = ablation.position
    last = {kind: names for kind, names in kinds.items() if kind != "encoder"}
    layers = next(iter(last.values()))[0]
    n_layers = len(model.get_submodule(layers))
    added, heads, hooks = {}, {}, []

    def watch(module, key, has_heads):
        def detach(module, args, result):
            if has_heads:
                heads[key] = args[0][0, position].detach()
            added[key] = result.detach().requires_grad_()
            return added[key]

        hooks.append(module.register_forward_hook(detach))

    def is_first(module, args, result):
        # T5's dropout is called once more behind the final norm.
        if "embedding" not in added:
            added["embedding"] = result.detach().requires_grad_()
            return added["embedding"]
        return None

    hooks.append(model.get_submodule(embedding).register_forward_hook(is_first))
    for layer in range(n_layers):
        block = model.get_submodule(f"{layers}.{layer}")
        for kind, names in last.items():
            watch(block.get_submodule(names[1]), (kind, layer), True)
        watch(block.get_submodule(feed_forward), ("feed_forward", layer), False)
    logits = get_final(model(**inputs, output_hidden_states=True, output_attentions=True))[1][position]
    logit = logits[ablation.token] - logits[ablation.other]
    keys = list(added)
    gradients = dict(zip(keys, torch.autograd.grad(logit, [added[key] for key in keys])))
    for hook in hooks:
        hook.remove()
    results = {"logit": float(logit.detach()),
               "embedding": float(gradients["embedding"][0, position] @ added["embedding"][0, position]),
               "feed_forward": np.zeros(n_layers)}
    for kind in last:
        results[f"heads_{kind}"] = np.zeros((n_layers, n_heads))
    for layer in range(n_layers):
        block = model.get_submodule(f"{layers}.{layer}")
        products = block.get_submodule(feed_forward)
        bias = products.bias if getattr(products, "bias", None) is not None else 0
        key = ("feed_forward", layer)
        results["feed_forward"][layer] = float(gradients[key][0, position] @ (added[key][0, position] - bias))
        for kind, names in last.items():
            weight = block.get_submodule(names[1]).weight
            weight = weight if type(block.get_submodule(names[1])).__name__ == "Conv1D" else weight.T
            rows = (weight @ gradients[kind, layer][0, position]).reshape(n_heads, -1)
            results[f"heads_{kind}"][layer] = (heads[kind, layer].reshape(n_heads, -1) * rows).sum(dim=-1).detach().numpy()
    return results


def make(name):
    model_class, has_head, kinds, feed_forward, embedding = MODELS[name]
    folder = HERE / "checkpoints" / name
    model = model_class.from_pretrained(folder, attn_implementation="eager", dtype=torch.float64).eval()
    with h5py.File(folder / "reference.h5") as reference:
        inputs = {key: torch.tensor(np.asarray(reference[dataset]))[None].long()
                  for key, dataset in [("input_ids", "ids"), ("token_type_ids", "segments"), ("decoder_input_ids", "decoder_ids")]
                  if dataset in reference}
    ablation = Ablation(model, inputs, kinds)
    if has_head:
        ablation.choose()
    results = {}
    n_heads = model.config.num_attention_heads
    for kind, (layers, _, _) in kinds.items():
        n_layers = len(model.get_submodule(layers))
        for method in ("zero", "uniform"):
            results[f"{method}_{kind}"] = np.array(
                [[ablation.measure(ablation.run_without(kind, layer, head, method == "uniform", n_heads))
                  for head in range(n_heads)] for layer in range(n_layers)])
    if has_head:
        logits = get_final(ablation.intact)[1][ablation.position]
        results["probability"] = float(torch.softmax(logits, dim=-1)[ablation.token])
        results |= attribute(model, inputs, kinds, feed_forward, embedding, ablation, n_heads)
        assert abs(results["logit"] - float(logits[ablation.token] - logits[ablation.other])) < 1e-6, "freezing changes nothing"
        results |= {"position": ablation.position, "token": ablation.token, "other": ablation.other}
    (HERE / "experiments").mkdir(exist_ok=True)
    with h5py.File(HERE / "experiments" / f"{name}.h5", "w") as file:
        for key, value in results.items():
            file[key] = np.atleast_1d(np.asarray(value, dtype=np.float64))
    print(name, {key: np.shape(value) for key, value in results.items()})
    for key, value in results.items():
        if key.startswith(("zero", "uniform")):
            print("  ", key, np.round(value.reshape(-1, 4)[:3], 5).tolist())


def make_minilm(folder):
    tokenizer = T.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = T.AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation="eager", dtype=torch.float64).eval()
    inputs = dict(tokenizer(TEXT, return_tensors="pt"))
    ablation = Ablation(model, inputs, BERT)
    arrays = {"text": np.array(TEXT), "n_tokens": np.array(inputs["input_ids"].shape[1])}
    for method in ("zero", "uniform"):
        arrays[method] = np.array([[ablation.measure(ablation.run_without("attention", layer, head, method == "uniform", 12))[0]
                                    for head in range(12)] for layer in range(6)])
    np.savez_compressed(HERE / "minilm-ablation.npz", **arrays)
    print(arrays["n_tokens"], arrays["zero"].round(5))


def main():
    torch.set_num_threads(1)
    if sys.argv[1:2] == ["--minilm"]:
        make_minilm(sys.argv[2])
        return
    for name in sys.argv[1:] or MODELS:
        make(name)


if __name__ == "__main__":
    main()
