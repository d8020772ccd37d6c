/* SPDX-License-Identifier: MIT */
/* What in a file attention, and its tokens, could be read from. Names, sizes and types are looked at, no numbers. */
#include "core/document/guess/hl-dataset.h"

#include "core/base/hl-limits.h"
#include "core/base/text/hl-text-hash.h"
#include "core/document/guess/hl-layout-patterns.h"
#include "core/document/guess/hl-layout-steps.h"

#include <string.h>

/* The most names with two numbers that are looked at in a group. */
#define MAX_PAIRS 64

/* By kind, the most particular name first. Case does not matter. */
static const char *const weight_names[][20] = {
  [HL_ATTENTION_SELF] = { "attentions", "attention", "attention_weights", "attention_probs", "attention_maps",
                          "attn_weights", "attn_probs", "attn_maps", "attns", "attn", "att", "self_attentions",
                          "self_attention", "self_attns", "self_attn", "attention_weight", "attn_weight",
                          "attention_scores", "attn_scores" },
  [HL_ATTENTION_ENCODER] = { "encoder_attentions", "encoder_attention", "enc_attentions", "enc_attention",
                             "encoder_attns", "encoder_attn", "enc_atts" },
  [HL_ATTENTION_DECODER] = { "decoder_attentions", "decoder_attention", "dec_attentions", "dec_attention",
                             "decoder_attns", "decoder_attn", "dec_atts" },
  [HL_ATTENTION_CROSS] = { "cross_attentions", "cross_attention", "cross_attns", "cross_attn",
                           "encoder_decoder_attentions", "encdec_atts" },
};

const char *const hl_layout_token_names[] = { "tokens",       "encoder_tokens", "decoder_tokens",
                                              "query_tokens", "key_tokens",     NULL };

static const char *const token_aliases[][12] = {
  { "tokens", "tokens_list", "token_list", "token_strings", "str_tokens", "input_tokens", "all_tokens", "wordpieces",
    "words" },
  { "encoder_tokens", "src_tokens", "source_tokens", "encoder_input_tokens" },
  { "decoder_tokens", "tgt_tokens", "target_tokens", "decoder_input_tokens" },
  { "query_tokens" },
  { "key_tokens" },
};

static char *
find (char             **members,
      const char *const *aliases)
{
  for (; *aliases != NULL; aliases++)
    for (char **member = members; *member != NULL; member++)
      if (g_ascii_strcasecmp (*member, *aliases) == 0)
        return *member;
  return NULL;
}

char *
hl_layout_names_find (char          **members,
                      HlAttentionKind kind)
{
  return find (members, weight_names[kind]);
}

char *
hl_layout_names_find_tokens (char      **members,
                             const char *name)
{
  for (guint i = 0; hl_layout_token_names[i] != NULL; i++)
    if (g_str_equal (name, hl_layout_token_names[i]))
      return find (members, token_aliases[i]);
  return NULL;
}

gboolean
hl_layout_names_are_tokens (const char *member)
{
  char *const members[] = { (char *) member, NULL };

  for (guint i = 0; hl_layout_token_names[i] != NULL; i++)
    if (find ((char **) members, token_aliases[i]) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
contains (const char *name,
          const char *word)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return strstr (lower, word) != NULL;
}

/* Whether strings of that name say something of layers or words, as in data/dump-format.md: they are no tokens. */
gboolean
hl_layout_names_are_no_tokens (const char *member)
{
  return contains (member, "layer_names") || contains (member, "layer_types") ||
         g_ascii_strcasecmp (member, "relns") == 0;
}

/* Whether it is what parameters of a model are called, such as `self_attn.in_proj_weight`. */
static gboolean
is_parameter (const char *name)
{
  static const char *const weights[] = { "attention_weight", "attn_weight", "att_weight" };

  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    if (g_str_has_suffix (name, weights[i]))
      return FALSE;
  return g_str_has_suffix (name, "weight") || g_str_has_suffix (name, "bias");
}

/* Weights of a model have “attention” in their names as well, but end otherwise. */
gboolean
hl_layout_names_is_attention (const char *name)
{
  return (contains (name, "att") || contains (name, "pattern")) && !is_parameter (name);
}

gboolean
hl_layout_names_are_layers (const char *pattern)
{
  return contains (pattern, "layer") || contains (pattern, "block");
}

/* Whether what is numbered is called a text, by the word before the number. */
gboolean
hl_layout_names_are_examples (const char *pattern)
{
  static const char *const words[] = { "sent",     "sentence", "text", "sample",   "example",   "prompt", "doc",
                                       "document", "instance", "seq",  "sequence", "utterance", NULL };
  const char *end = strchr (pattern, '#');

  while (end != NULL && end > pattern && !g_ascii_isalpha (end[-1]))
    end--;
  const char *start = end;
  while (start != NULL && start > pattern && g_ascii_isalpha (start[-1]))
    start--;
  g_autofree char *word = g_ascii_strdown (start, end - start);
  return g_strv_contains (words, word);
}

gboolean
hl_layout_names_are_heads (const char *name)
{
  return contains (name, "head");
}

/* Whether it is what attention of some kind is called. */
gboolean
hl_layout_names_are_weights (const char *member)
{
  char *const members[] = { (char *) member, NULL };

  for (guint kind = 0; kind < G_N_ELEMENTS (weight_names); kind++)
    if (find ((char **) members, weight_names[kind]) != NULL)
      return TRUE;
  return FALSE;
}

/* TransformerLens has scores beside patterns, and other hooks, with the same sizes. Returns how likely it is a series
 * of attention; 0 for one that says nothing. */
int
hl_layout_names_rate (const char *pattern)
{
  if (is_parameter (pattern))
    return -1;
  return (contains (pattern, "pattern") || contains (pattern, "prob") ? 4 : 0) + (contains (pattern, "att") ? 2 : 0) -
         (contains (pattern, "score") ? 1 : 0);
}

/* Members of a group whose names are one pattern. */
typedef struct
{
  HlDataset first;
  guint n;
  gboolean alike; /* all of them tensors of one rank */
} Series;

typedef struct
{
  HlArchive *archive;
  GCancellable *cancellable;
  GPtrArray *found;
  guint n_others; /* groups and what else is no dataset, those that several links lead to as often */
} Search;

static void
free_dataset (gpointer data)
{
  HlDataset *self = data;

  g_free (self->path);
  g_free (self);
}

static void
free_series (gpointer data)
{
  g_free (((Series *) data)->first.path);
  g_free (data);
}

gboolean
hl_dataset_look_at (HlArchive  *archive,
                    const char *path,
                    HlShape    *shape,
                    HlDType    *dtype)
{
  g_autoptr (HlTensor) tensor =
    hl_archive_get_kind (archive, path) == HL_MEMBER_TENSOR ? hl_archive_open_tensor (archive, path, NULL) : NULL;

  if (tensor == NULL || !hl_dtype_is_float (hl_tensor_get_dtype (tensor)))
    return FALSE;
  *shape = *hl_tensor_get_shape (tensor);
  if (dtype != NULL)
    *dtype = hl_tensor_get_dtype (tensor);
  for (guint i = 0; i < shape->rank; i++)
    if (shape->dims[i] == 0)
      return FALSE;
  return shape->rank >= 2;
}

static void
add (GPtrArray       *datasets,
     const HlDataset *dataset)
{
  HlDataset *copy = g_memdup2 (dataset, sizeof *dataset);

  copy->path = g_strdup (dataset->path);
  g_ptr_array_add (datasets, copy);
}

static gboolean
is_series (const Series *self)
{
  return self->alike && self->n > 1 && self->n <= HL_LIMIT_LAYERS;
}

/* The name of the series that a member is of. Its two numbers count if it can be read so; @pairs tells of which. */
static char *
find_pattern (const Search           *self,
              const char             *group,
              char                  **members,
              const HlLayoutPatterns *patterns,
              GHashTable             *pairs,
              const char             *name)
{
  g_autofree char *pair = hl_layout_patterns_get_pair (patterns, name);
  gpointer fits = NULL;

  if (pair != NULL && !g_hash_table_lookup_extended (pairs, pair, NULL, &fits) &&
      g_hash_table_size (pairs) < MAX_PAIRS && hl_layout_names_rate (pair) >= 0)
    {
      g_auto (HlLayoutSteps) steps = { 0 };
      fits =
        GINT_TO_POINTER (hl_layout_steps_find_pairs (&steps, self->archive, group, members, pair, self->cancellable));
      g_hash_table_insert (pairs, g_strdup (pair), fits);
    }
  return fits != NULL ? g_steal_pointer (&pair) : hl_layout_patterns_get (patterns, name);
}

/* Counts a member to those of its pattern, which it takes. */
static Series *
count (GHashTable      *series,
       GPtrArray       *order,
       const char      *group,
       char            *name,
       gboolean         is_first,
       const HlDataset *dataset)
{
  g_autofree char *pattern = name;
  Series *one = pattern != NULL ? g_hash_table_lookup (series, pattern) : NULL;

  if (pattern == NULL)
    return NULL;
  if (one == NULL)
    {
      /* What is numbered only goes by the name of its group. */
      const gboolean is_group = g_str_equal (pattern, "#") && is_first && *group != '\0';
      one = g_new0 (Series, 1);
      one->alike = TRUE;
      if (dataset != NULL)
        one->first = *dataset;
      one->first.path = is_group ? g_strdup (group) : hl_archive_join (group, pattern);
      g_ptr_array_add (order, one);
      g_hash_table_insert (series, g_steal_pointer (&pattern), one);
    }
  one->n++;
  one->alike &= dataset != NULL && dataset->shape.rank == one->first.shape.rank;
  return one;
}

static gboolean
search (Search     *self,
        const char *group,
        guint       depth,
        GError    **error)
{
  /* A group that cannot be listed has nothing to choose from. */
  g_auto (GStrv) members = hl_archive_list (self->archive, group, NULL);
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func (free_series);
  g_autoptr (GHashTable) series = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) pairs = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func (free_dataset);
  g_autoptr (GPtrArray) of_tensors = g_ptr_array_new ();
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (g_free);

  if (members == NULL || depth > HL_LIMIT_GROUP_DEPTH)
    return TRUE;
  g_autoptr (HlLayoutPatterns) patterns = hl_layout_patterns_new (members);
  for (guint i = 0; members[i] != NULL && self->n_others < HL_LIMIT_DATASETS; i++)
    {
      g_autofree char *path = hl_archive_join (group, members[i]);
      HlDataset dataset = { .path = path };

      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      const gboolean fits = hl_dataset_look_at (self->archive, path, &dataset.shape, &dataset.dtype);
      Series *one = count (series, order, group, find_pattern (self, group, members, patterns, pairs, members[i]),
                           i == 0, fits ? &dataset : NULL);
      if (fits)
        {
          add (tensors, &dataset);
          g_ptr_array_add (of_tensors, one);
        }
      else
        {
          self->n_others++;
          if (hl_archive_get_kind (self->archive, path) == HL_MEMBER_GROUP)
            g_ptr_array_add (groups, g_steal_pointer (&path));
        }
    }
  for (guint i = 0; i < order->len; i++)
    {
      Series *one = order->pdata[i];
      one->first.n_layers = one->n;
      if (is_series (one))
        add (self->found, &one->first);
    }
  for (guint i = 0; i < tensors->len; i++)
    {
      HlDataset *dataset = tensors->pdata[i];
      dataset->in_series = of_tensors->pdata[i] != NULL && is_series (of_tensors->pdata[i]);
    }
  g_ptr_array_extend_and_steal (self->found, g_steal_pointer (&tensors));
  for (guint i = 0; i < groups->len && self->found->len < HL_LIMIT_DATASETS && self->n_others < HL_LIMIT_DATASETS; i++)
    if (!search (self, groups->pdata[i], depth + 1, error))
      return FALSE;
  return TRUE;
}

/**
 * hl_dataset_list:
 * @archive: an open archive
 * @cancellable: (nullable): stops it
 * @error: %G_IO_ERROR_CANCELLED
 *
 * Lists what attention could be read from: of each group first the series of numbered members, a layer each, then its
 * tensors, then what is in its groups. Blocks: call it from a worker.
 *
 * Returns: (transfer full) (nullable) (element-type HlDataset): what there is, perhaps nothing
 */
GPtrArray *
hl_dataset_list (HlArchive    *archive,
                 GCancellable *cancellable,
                 GError      **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (archive), NULL);

  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (free_dataset);
  Search whole = { archive, cancellable, found, 0 };

  return search (&whole, "", 0, error) ? g_steal_pointer (&found) : NULL;
}

/**
 * hl_dataset_is:
 * @self: a dataset
 * @path: what hl_document_get_dataset() calls one
 *
 * Returns: whether that is this one; a group with a tensor for each layer is the series in it
 */
gboolean
hl_dataset_is (const HlDataset *self,
               const char      *path)
{
  const gsize length = strlen (self->path);

  return g_str_equal (self->path, path) ||
         (self->n_layers > 0 && strncmp (path, self->path, length) == 0 && g_str_equal (path + length, "/#"));
}

/**
 * hl_dataset_describe:
 * @self: a dataset
 *
 * Returns: (transfer full): sizes and type for people, as `12 × (1 × 8 × 64 × 64), float32`
 */
char *
hl_dataset_describe (const HlDataset *self)
{
  g_autofree char *sizes = hl_shape_to_string (&self->shape);

  return self->n_layers > 0 ? g_strdup_printf ("%u × (%s), %s", self->n_layers, sizes, hl_dtype_get_name (self->dtype))
                            : g_strdup_printf ("%s, %s", sizes, hl_dtype_get_name (self->dtype));
}
