/* SPDX-License-Identifier: MIT */
/* Keys that no query sees: `key_mask`, or what a tokenizer makes that says the same. */
#include "core/document/read/hl-dump-keys.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/document/read/base/hl-dump-steps.h"

/* How many keys a mask of @n is of. Of a generation it may be of all tokens, the last of which no query need have seen, or of the prompt alone: what is
 * generated is seen. 0 where it is of something else. */
static gsize
count_keys (const HlDumpContext *context,
            const HlDumpHeld    *held,
            HlAttentionKind      kind,
            guint64              n)
{
  const guint64 n_keys = held->n_keys;

  if (n == n_keys)
    return held->n_keys;
  if (!held->weights->is_generation || kind == HL_ATTENTION_CROSS)
    return 0;
  const guint64 n_later = hl_layout_get_n_steps (context->layout) - 1;
  const guint64 n_before = context->step == HL_DUMP_ALL_STEPS ? n_later : (guint64) context->step;
  const guint64 n_prompt = n_keys - MIN (n_before, n_keys), n_all = n_prompt + n_later;

  return n == n_prompt || n == n_all || n == n_all + 1 ? (gsize) MIN (n, n_keys) : 0;
}

/* Reads a row of [examples, keys], or all of [keys]; keys behind them are 1. */
static float *
read_row (const HlDumpContext *context,
          const HlDumpHeld    *held,
          HlTensor            *tensor,
          guint64              row,
          gsize                n,
          GError             **error)
{
  const gboolean has_rows = hl_tensor_get_shape (tensor)->rank == 2;
  const guint64 start[2] = { has_rows ? row : 0, 0 };
  const guint64 count[2] = { has_rows ? 1 : n, n };
  g_autofree float *numbers = g_new (float, held->n_keys);

  if (!hl_tensor_read_f32 (tensor, start, count, numbers, context->cancellable, error))
    return NULL;
  for (gsize i = n; i < held->n_keys; i++)
    numbers[i] = 1;
  return g_steal_pointer (&numbers);
}

/* Whether an example is one of a list, each of which is in tensors of its own. */
static gboolean
is_listed (const HlDumpContext *context)
{
  const HlLayout *layout = context->layout;

  return layout != NULL && hl_layout_get_n_steps (layout) > 0 && !hl_layout_is_generation (layout) &&
         strchr (((const HlLayoutAttention *) layout->attentions->pdata[0])->axes.letters, 's') == NULL;
}

/* Finds the path of the tensor of that name that has something for each of as many examples as there are, and which of these this
 * one is; %NULL where it is not known to be of these. */
char *
hl_dump_keys_find_rows (const HlDumpContext *context,
                        const HlDumpHeld    *held,
                        const char          *name,
                        guint64              n_batch,
                        guint64             *n_rows,
                        guint64             *row)
{
  const gint64 element = context->layout != NULL ? context->layout->element : -1;
  const gint64 indices[] = { element, is_listed (context) ? context->step : -1 };
  g_autofree char *path = hl_archive_join (context->group, name);

  *n_rows = n_batch;
  *row = held->batch;
  for (guint i = 0; i < G_N_ELEMENTS (indices); i++)
    if (indices[i] >= 0 && hl_archive_get_kind (context->archive, path) == HL_MEMBER_GROUP)
      {
        g_autofree char *outer = g_steal_pointer (&path);
        path = g_strdup_printf ("%s/%" PRId64, outer, indices[i]);
      }
    else if (indices[i] >= 0)
      {
        /* A list of examples may have their rows in one. */
        if (i == 0 || n_batch != 1)
          return NULL;
        *n_rows = hl_layout_get_n_steps (context->layout);
        *row = (guint64) indices[i];
      }
  return hl_archive_get_kind (context->archive, path) == HL_MEMBER_TENSOR ? g_steal_pointer (&path) : NULL;
}

/* Opens that tensor where it has as many rows, and finds the row of this example. */
static HlTensor *
open_rows (const HlDumpContext *context,
           const HlDumpHeld    *held,
           const char          *name,
           guint64              n_batch,
           guint64             *row)
{
  guint64 n_rows, n_same = 1;
  g_autofree char *path = hl_dump_keys_find_rows (context, held, name, n_batch, &n_rows, row);

  if (path == NULL)
    return NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, NULL);
  const HlShape *shape = tensor != NULL ? hl_tensor_get_shape (tensor) : NULL;
  if (shape == NULL || shape->rank == 0 || shape->rank > 2)
    return NULL;
  const guint64 n_found = shape->rank == 2 ? shape->dims[0] : 1;
  /* Of a text several sequences may be generated, which stand together. */
  if (held->weights->is_generation && n_found > 0 && n_rows % n_found == 0)
    n_same = n_rows / n_found;
  *row /= n_same;
  return n_found * n_same == n_rows ? g_steal_pointer (&tensor) : NULL;
}

/* Whether there are other examples in lists of their own, so that rows may be theirs. */
gboolean
hl_dump_keys_are_of_lists (const HlDumpContext *context)
{
  return context->layout != NULL &&
         (context->layout->element >= 0 || (is_listed (context) && hl_layout_get_n_steps (context->layout) > 1));
}

/* What the format calls so must fit. */
static guint8 *
read_key_mask (const HlDumpContext *context,
               const HlDumpHeld    *held,
               HlAttentionKind      kind,
               guint64              n_batch,
               GError             **error)
{
  const char *name = hl_dump_context_get_name (context, "key_mask");
  g_autofree char *path = hl_dump_context_get_path (context, "key_mask");
  guint64 row;
  g_autoptr (HlTensor) tensor = open_rows (context, held, name, n_batch, &row);
  const gboolean is_known = tensor != NULL;

  if (!is_known)
    {
      row = held->batch;
      tensor = hl_archive_open_tensor (context->archive, path, error);
    }
  if (tensor == NULL)
    return NULL;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const gboolean has_batch = shape->rank == 2;
  const gsize n = shape->rank == 1 || has_batch ? count_keys (context, held, kind, shape->dims[shape->rank - 1]) : 0;
  if (n == 0 || (has_batch &&
                 (row >= shape->dims[0] || (!is_known && hl_dump_keys_are_of_lists (context) && shape->dims[0] != 1))))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is not a whole number for each of the %zu keys"), name,
                   held->n_keys);
      return NULL;
    }
  g_autofree float *numbers = read_row (context, held, tensor, row, n, error);
  if (numbers == NULL)
    return NULL;
  g_autofree guint8 *keys = g_new (guint8, held->n_keys);
  for (gsize i = 0; i < held->n_keys; i++)
    {
      /* In JSON a number is a number. */
      if (numbers[i] != floorf (numbers[i]))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a whole number for each of the %zu keys"), name,
                       held->n_keys);
          return NULL;
        }
      keys[i] = numbers[i] != 0;
    }
  return g_steal_pointer (&keys);
}

/* What a tokenizer, or who makes a batch, calls it in the library transformers. */
static const char *const tokenizer_names[][3] = {
  [HL_ATTENTION_SELF] = { "attention_mask" },
  [HL_ATTENTION_ENCODER] = { "encoder_attention_mask", "attention_mask" },
  [HL_ATTENTION_DECODER] = { "decoder_attention_mask" },
  [HL_ATTENTION_CROSS] = { "encoder_attention_mask", "attention_mask" },
};

/* What is of no use is passed over: others may call something else so. */
static gboolean
read_rows (const HlDumpContext *context,
           const HlDumpHeld    *held,
           HlAttentionKind      kind,
           const char          *name,
           guint64              n_batch,
           guint8             **keys,
           GError             **error)
{
  GError *reason = NULL;
  guint64 row;
  g_autoptr (HlTensor) tensor = open_rows (context, held, name, n_batch, &row);
  const HlShape *shape = tensor != NULL ? hl_tensor_get_shape (tensor) : NULL;
  const gsize n = shape != NULL ? count_keys (context, held, kind, shape->dims[shape->rank - 1]) : 0;

  if (n == 0)
    return TRUE;
  g_autofree float *numbers = read_row (context, held, tensor, row, n, &reason);
  if (numbers == NULL && g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, reason);
      return FALSE;
    }
  g_clear_error (&reason);
  g_autofree guint8 *found = g_new (guint8, held->n_keys);
  for (gsize i = 0; i < held->n_keys; i++)
    {
      if (numbers == NULL || (numbers[i] != 0 && numbers[i] != 1))
        return TRUE;
      found[i] = numbers[i] != 0;
    }
  /* Zeros alone may be what is added to scores. */
  if (memchr (found, 1, held->n_keys) != NULL)
    *keys = g_steal_pointer (&found);
  return TRUE;
}

static gboolean
has_self_attention (const HlDumpContext *context)
{
  return context->layout != NULL ? hl_layout_find_attention (context->layout, HL_ATTENTION_SELF) != NULL
                                 : hl_dump_find_weights (context, HL_ATTENTION_SELF) != NULL;
}

/* Where the file has no `key_mask`. */
static guint8 *
read_tokenizers (const HlDumpContext *context,
                 const HlDumpHeld    *held,
                 HlAttentionKind      kind,
                 guint64              n_batch,
                 const char         **name,
                 GError             **error)
{
  const HlDumpContext plain = hl_dump_context_of_kind (context, HL_ATTENTION_SELF);
  const char *const *names = tokenizer_names[kind];
  guint8 *keys = NULL;

  for (guint i = 0; keys == NULL && names[i] != NULL; i++)
    {
      /* Beside self-attention it is of that. */
      if (kind == HL_ATTENTION_CROSS && g_str_equal (names[i], "attention_mask") && has_self_attention (&plain))
        continue;
      *name = names[i];
      if (!read_rows (&plain, held, kind, *name, n_batch, &keys, error))
        return NULL;
    }
  return keys;
}

/* Whether the keys are seen, [n_keys] of 1 or 0, and what the file calls that; %NULL without an error if it does not say. @n_batch is how many
 * examples the attention has. */
guint8 *
hl_dump_keys_read (const HlDumpContext *context,
                   const HlDumpHeld    *held,
                   HlAttentionKind      kind,
                   guint64              n_batch,
                   const char         **name,
                   GError             **error)
{
  *name = hl_dump_context_get_name (context, "key_mask");
  return hl_dump_context_get_kind (context, "key_mask") != HL_MEMBER_NONE
           ? read_key_mask (context, held, kind, n_batch, error)
           : read_tokenizers (context, held, kind, n_batch, name, error);
}
