/* SPDX-License-Identifier: MIT */
/* Which class of transformers' tokenizers a folder is for. A vocabulary does not say what is put around a text, nor what is done to it
 * before: a class does. */
#include "core/tokenizer/hl-tokenizer-class.h"

#include "core/tokenizer/hl-folder-files.h"

#include <string.h>

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Classes without “Tokenizer”, and types of models. */
static const struct
{
  HlTokenizerClass class;
  const char *const *names;
} classes[] = {
  { HL_TOKENIZER_CLASS_BERT, LIST ("Bert",
                                   "DistilBert",
                                   "Electra",
                                   "MobileBert",
                                   "ConvBert",
                                   "SqueezeBert",
                                   "LayoutLM",
                                   "Lxmert",
                                   "RetriBert",
                                   "DPRContextEncoder",
                                   "DPRQuestionEncoder",
                                   "DPRReader",
                                   "bert",
                                   "distilbert",
                                   "electra",
                                   "mobilebert",
                                   "nomic_bert",
                                   "convbert",
                                   "squeezebert",
                                   "megatron-bert",
                                   "layoutlm",
                                   "lxmert") },
  { HL_TOKENIZER_CLASS_MPNET, LIST ("MPNet", "mpnet") },
  { HL_TOKENIZER_CLASS_RESIDUES, LIST ("Esm", "esm") },
  { HL_TOKENIZER_CLASS_GPT2,
    LIST ("GPT2", "CodeGen", "gpt2", "gpt_neo", "gptj", "codegen", "opt", "phi", "starcoder2") },
  { HL_TOKENIZER_CLASS_ROBERTA,
    LIST ("Roberta", "Bart", "LED", "Longformer", "Mvp", "roberta", "bart", "led", "longformer", "mvp") },
  { HL_TOKENIZER_CLASS_BLENDERBOT, LIST ("Blenderbot", "blenderbot") },
};

static HlTokenizerClass
find (const char      *name,
      HlTokenizerClass otherwise)
{
  g_autofree char *stem = g_strdup (name);
  char *end = strstr (stem, "Tokenizer");

  if (end != NULL)
    *end = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_strv_contains (classes[i].names, stem))
      return classes[i].class;
  return otherwise;
}

/* @name is set to that of the class if a file has it, and else to %NULL; a type of models says less. */
gboolean
hl_tokenizer_class_read (GFile            *folder,
                         HlTokenizerClass *class,
                         char            **name,
                         GError          **error)
{
  static const char *const general[] = { "PreTrainedTokenizer", "PreTrainedTokenizerFast", "TokenizersBackend",
                                         "PythonBackend", NULL };
  g_autofree char *own = NULL;
  g_autofree char *of_model = NULL;
  g_autofree char *type = NULL;

  *class = HL_TOKENIZER_CLASS_UNSAID;
  *name = NULL;
  if (!hl_folder_files_read_text (folder, "tokenizer_config.json", "tokenizer_class", &own, error) ||
      !hl_folder_files_read_text (folder, "config.json", "tokenizer_class", &of_model, error) ||
      !hl_folder_files_read_text (folder, "config.json", "model_type", &type, error))
    return FALSE;
  if (own == NULL)
    own = g_steal_pointer (&of_model);
  if (own == NULL)
    *class = type != NULL ? find (type, HL_TOKENIZER_CLASS_UNSAID) : HL_TOKENIZER_CLASS_UNSAID;
  else if (!g_strv_contains (general, own))
    {
      *class = find (own, HL_TOKENIZER_CLASS_OTHER);
      *name = g_steal_pointer (&own);
    }
  return TRUE;
}
