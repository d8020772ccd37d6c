import torch
from transformers import AutoModel, AutoTokenizer

name = "bert-base-uncased"  # any model of the hub, or a folder
text = "time flies like an arrow"

tokenizer = AutoTokenizer.from_pretrained(name)
# Other implementations of attention do not keep its weights.
model = AutoModel.from_pretrained(name, attn_implementation="eager").eval()
inputs = tokenizer(text, return_tensors="pt")
with torch.no_grad():
    attentions = model(**inputs, output_attentions=True).attentions
tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
torch.save({"attentions": attentions, "tokens": tokens, "model": name, "text": text}, "attention.pt")
