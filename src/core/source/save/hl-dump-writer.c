/* SPDX-License-Identifier: MIT */
/* A document as a dump of its own (data/dump-format.md), in the container that the file's name asks
 * for. Numbers are read and written a band of rows at a time, so that any size takes the same
 * memory. */
#include "core/source/save/hl-dump-writer.h"

#include "core/archive/format/hl-format.h"
#include "core/archive/hl-archive-writer.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/text/hl-text-hash.h"
#include "core/document/hl-expansion.h"
#include "core/document/read/base/hl-dump-attributes.h"
#include "core/document/read/hl-dump-projection.h"
#include "core/source/save/hl-picture-writer.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FORMAT_NAME "headlight-attention"
#define FORMAT_VERSION 2

/* The most bytes that are unpacked to read one row of a map. */
#define MAX_CHUNK_BYTES (G_GUINT64_CONSTANT (1) << 20)

/* The most bytes of numbers in memory. */
#define MAX_BAND_BYTES (G_GUINT64_CONSTANT (8) << 20)

typedef struct
{
  HlArchiveWriter *writer;
  HlProgress *progress;
  GCancellable *cancellable;
  const char *source; /* name of the file that is read */
  double first;       /* what of the progress is behind the present example */
  double share;       /* what of it is the present example's */
  guint64 n_done;
  guint64 n_all;
  float *band;
  gsize band_size;
} Saver;

/* What a layer is stored as: doubles lose what no view shows. */
static HlDType
get_stored_dtype (const HlLayerTensor *layer)
{
  const HlDType dtype = hl_tensor_get_dtype (layer->tensor);

  return dtype == HL_DTYPE_F16 || dtype == HL_DTYPE_BF16 ? dtype : HL_DTYPE_F32;
}

static guint64
count_numbers (const HlLayerTensor *layers,
               guint                n_layers)
{
  guint64 n = 0;

  for (guint i = 0; layers != NULL && i < n_layers; i++)
    n += hl_layer_tensor_get_n_heads (&layers[i]) * hl_layer_tensor_get_n_rows (&layers[i]) *
         hl_layer_tensor_get_n_columns (&layers[i]);
  return n;
}

/* The sentence will be about the file that is written. Of what was not computed no file is to blame. */
static gboolean
blame_source (Saver   *self,
              GError **error)
{
  if (error != NULL && !g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
      !g_error_matches (*error, HL_ERROR, HL_ERROR_NOT_COMPUTED))
    g_prefix_error (error, _ ("“%s” cannot be read: "), self->source);
  return FALSE;
}

static gboolean
save_head (Saver               *self,
           const HlLayerTensor *layer,
           guint64              head,
           GError             **error)
{
  const guint64 n_rows = hl_layer_tensor_get_n_rows (layer);
  const guint64 n_columns = hl_layer_tensor_get_n_columns (layer);
  const guint64 n_band = CLAMP (MAX_BAND_BYTES / sizeof (float) / n_columns, 1, n_rows);

  if (self->band_size < n_band * n_columns)
    {
      g_clear_pointer (&self->band, g_free);
      self->band_size = n_band * n_columns;
      self->band = g_try_malloc_n (self->band_size, sizeof (float));
      if (self->band == NULL)
        {
          self->band_size = 0;
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory for a row of %" PRIu64),
                       n_columns);
          return FALSE;
        }
    }
  for (guint64 row = 0; row < n_rows; row += n_band)
    {
      const guint64 n = MIN (n_band, n_rows - row);
      if (!hl_layer_tensor_read (layer, head, row, n, 0, n_columns, self->band, self->cancellable, error))
        return blame_source (self, error);
      if (!hl_archive_writer_write (self->writer, self->band, n * n_columns, error))
        return FALSE;
      self->n_done += n * n_columns;
      hl_progress_set (self->progress, self->first + self->share * (double) self->n_done / (double) self->n_all,
                       _ ("Writing"));
    }
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

/* Layers that fit one tensor: all of an attention, or one of those that differ. */
static gboolean
save_layers (Saver               *self,
             const char          *name,
             const HlLayerTensor *layers,
             guint                n_layers,
             gboolean             with_layer_axis,
             gboolean             with_head_axis,
             GError             **error)
{
  const HlLayerTensor *layer = layers;
  const guint64 n_columns = hl_layer_tensor_get_n_columns (layer);
  const guint64 n_rows = hl_layer_tensor_get_n_rows (layer);
  const HlDType dtype = get_stored_dtype (layer);
  const guint64 n_chunk_rows = MAX_CHUNK_BYTES / hl_dtype_get_size (dtype) / n_columns;
  HlShape shape = { .rank = with_layer_axis + with_head_axis + 2 };
  guint64 chunk[HL_LIMIT_RANK];

  for (guint i = 0; i < shape.rank; i++)
    chunk[i] = 1;
  if (with_layer_axis)
    shape.dims[0] = n_layers;
  if (with_head_axis)
    shape.dims[shape.rank - 3] = hl_layer_tensor_get_n_heads (layer);
  shape.dims[shape.rank - 2] = n_rows;
  shape.dims[shape.rank - 1] = n_columns;
  chunk[shape.rank - 2] = CLAMP (n_chunk_rows, 1, n_rows);
  chunk[shape.rank - 1] = n_columns;

  if (!hl_archive_writer_begin_tensor (self->writer, name, dtype, &shape, chunk, error))
    return FALSE;
  for (guint i = 0; i < n_layers; i++)
    for (guint64 head = 0; head < hl_layer_tensor_get_n_heads (&layers[i]); head++)
      if (!save_head (self, &layers[i], head, error))
        return FALSE;
  return TRUE;
}

static gboolean
layers_fit_one_tensor (const HlLayerTensor *layers,
                       guint                n_layers)
{
  for (guint i = 1; i < n_layers; i++)
    if (hl_layer_tensor_get_n_heads (&layers[i]) != hl_layer_tensor_get_n_heads (layers) ||
        hl_layer_tensor_get_n_rows (&layers[i]) != hl_layer_tensor_get_n_rows (layers) ||
        hl_layer_tensor_get_n_columns (&layers[i]) != hl_layer_tensor_get_n_columns (layers) ||
        get_stored_dtype (&layers[i]) != get_stored_dtype (layers))
      return FALSE;
  return TRUE;
}

/* Of a layer without attention there is nothing to write. */
static gboolean
is_empty (const HlLayerTensor *layer)
{
  const HlShape *shape = hl_tensor_get_shape (layer->tensor);

  for (guint axis = 0; axis < shape->rank; axis++)
    if (shape->dims[axis] == 0)
      return TRUE;
  return FALSE;
}

/* As a file calls what is of that kind of attention. */
static char *
make_path (const char  *group,
           HlAttention *attention,
           const char  *name)
{
  g_autofree char *own = g_strconcat (hl_dump_get_prefix (hl_attention_get_kind (attention)), name, NULL);

  return hl_archive_join (group, own);
}

/* One kind of numbers of all layers: a tensor, or a group with one for each layer where they differ. */
static gboolean
save_numbers (Saver               *self,
              const char          *group,
              HlAttention         *attention,
              const char          *name,
              const HlLayerTensor *layers,
              gboolean             of_heads,
              GError             **error)
{
  const guint n_layers = hl_attention_get_n_layers (attention);
  g_autofree char *path = make_path (group, attention, name);

  if (layers == NULL)
    return TRUE;
  if (layers_fit_one_tensor (layers, n_layers))
    return save_layers (self, path, layers, n_layers, TRUE, of_heads, error);

  for (guint i = 0; i < n_layers; i++)
    {
      if (is_empty (&layers[i]))
        continue;
      g_autofree char *layer_path = g_strdup_printf ("%s/%u", path, i);
      if (!save_layers (self, layer_path, &layers[i], 1, FALSE, of_heads, error))
        return FALSE;
    }
  return TRUE;
}

/* A label for every position, but the file may have had fewer tokens: positions after them stand
 * for themselves. */
static gsize
count_tokens (const char *const *labels,
              gsize              n_used,
              gsize              n)
{
  for (; n > n_used; n--)
    {
      g_autofree char *position = g_strdup_printf ("%zu", n - 1);
      if (strcmp (labels[n - 1], position) != 0)
        break;
    }
  return n;
}

/* Seconds of a list of tokens: when each begins, and ends where that is known. */
static gboolean
save_times (Saver       *self,
            const char  *group,
            const char  *name,
            HlAttention *attention,
            HlSide       side,
            GError     **error)
{
  static const char *const ends[] = { "_starts", "_ends" };
  const HlTokenTimes *times = hl_attention_get_times (attention, side);
  g_autofree char *stem = g_strndup (name, strlen (name) - strlen ("s"));

  for (guint i = 0; times != NULL && i < G_N_ELEMENTS (ends); i++)
    {
      const float *seconds = i == 0 ? times->starts : times->ends;
      const HlShape shape = { .rank = 1, .dims = { times->n } };
      g_autofree char *member = g_strconcat (stem, ends[i], NULL);
      g_autofree char *path = hl_archive_join (group, member);

      if (seconds != NULL &&
          (!hl_archive_writer_begin_tensor (self->writer, path, HL_DTYPE_F32, &shape, shape.dims, error) ||
           !hl_archive_writer_write (self->writer, seconds, times->n, error)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
save_side (Saver       *self,
           const char  *group,
           const char  *name,
           HlAttention *attention,
           HlSide       side,
           GError     **error)
{
  const char *const *tokens = hl_attention_get_tokens (attention, side);
  g_autofree char *path = hl_archive_join (group, name);

  return hl_archive_writer_add_strings (self->writer, path, tokens,
                                        count_tokens (tokens, hl_attention_get_n_used (attention, side),
                                                      hl_attention_get_n (attention, side)),
                                        error) &&
         save_times (self, group, name, attention, side, error);
}

static gboolean
have_same_tokens (HlAttention *attention)
{
  const char *const *queries = hl_attention_get_tokens (attention, HL_QUERIES);
  const char *const *keys = hl_attention_get_tokens (attention, HL_KEYS);

  return hl_attention_has_tokens (attention, HL_QUERIES) && hl_attention_has_tokens (attention, HL_KEYS) &&
         hl_attention_get_n_used (attention, HL_QUERIES) == hl_attention_get_n_used (attention, HL_KEYS) &&
         g_strv_equal (queries, keys);
}

static gboolean
save_tokens (Saver      *self,
             const char *group,
             HlExample  *example,
             GError    **error)
{
  HlAttention *self_attention = hl_example_find_attention (example, HL_ATTENTION_SELF);
  HlAttention *encoder = hl_example_find_attention (example, HL_ATTENTION_ENCODER);
  HlAttention *decoder = hl_example_find_attention (example, HL_ATTENTION_DECODER);
  HlAttention *cross = hl_example_find_attention (example, HL_ATTENTION_CROSS);

  if (self_attention != NULL)
    {
      if (have_same_tokens (self_attention))
        return save_side (self, group, "tokens", self_attention, HL_QUERIES, error);
      return (!hl_attention_has_tokens (self_attention, HL_QUERIES) ||
              save_side (self, group, "query_tokens", self_attention, HL_QUERIES, error)) &&
             (!hl_attention_has_tokens (self_attention, HL_KEYS) ||
              save_side (self, group, "key_tokens", self_attention, HL_KEYS, error));
    }

  /* The encoder's tokens are also the keys of cross-attention, the decoder's its queries. */
  if (encoder != NULL && hl_attention_has_tokens (encoder, HL_QUERIES))
    {
      if (!save_side (self, group, "encoder_tokens", encoder, HL_QUERIES, error))
        return FALSE;
    }
  else if (cross != NULL && hl_attention_has_tokens (cross, HL_KEYS))
    {
      if (!save_side (self, group, "encoder_tokens", cross, HL_KEYS, error))
        return FALSE;
    }
  if (decoder != NULL && hl_attention_has_tokens (decoder, HL_QUERIES))
    return save_side (self, group, "decoder_tokens", decoder, HL_QUERIES, error);
  if (cross != NULL && hl_attention_has_tokens (cross, HL_QUERIES))
    return save_side (self, group, "decoder_tokens", cross, HL_QUERIES, error);
  return TRUE;
}

/* Words with the number of their head, from 1 as a file counts them. */
static gboolean
save_annotation (Saver      *self,
                 const char *group,
                 HlExample  *example,
                 GError    **error)
{
  const HlAnnotation *annotation = hl_example_get_annotation (example);
  const guint n = annotation != NULL ? hl_annotation_get_n (annotation) : 0;
  const HlShape shape = { .rank = 1, .dims = { n } };
  g_autofree const char **words = g_new (const char *, n);
  g_autofree const char **relations = g_new (const char *, n);
  g_autofree float *heads = g_new (float, n);
  g_autofree char *words_path = hl_archive_join (group, "words");
  g_autofree char *heads_path = hl_archive_join (group, "heads");
  g_autofree char *relations_path = hl_archive_join (group, "relns");
  gboolean has_relations = FALSE;

  for (guint i = 0; i < n; i++)
    {
      const HlAnnotatedWord *word = hl_annotation_get_word (annotation, i);

      words[i] = word->form;
      heads[i] = word->head == HL_WORD_ROOT ? 0 : (float) (word->head + 1);
      relations[i] = word->relation != NULL ? word->relation : "";
      has_relations |= word->relation != NULL;
    }
  return n == 0 ||
         (hl_archive_writer_add_strings (self->writer, words_path, words, n, error) &&
          hl_archive_writer_begin_tensor (self->writer, heads_path, HL_DTYPE_I32, &shape, shape.dims, error) &&
          hl_archive_writer_write (self->writer, heads, n, error) &&
          (!has_relations || hl_archive_writer_add_strings (self->writer, relations_path, relations, n, error)));
}

static gboolean
save_text (Saver      *self,
           const char *group,
           const char *name,
           const char *text,
           GError    **error)
{
  return text == NULL ||
         hl_archive_writer_set_attribute (self->writer, group, name, g_variant_new_string (text), error);
}

static gboolean
save_integer (Saver      *self,
              const char *group,
              const char *name,
              guint64     value,
              GError    **error)
{
  return hl_archive_writer_set_attribute (self->writer, group, name, g_variant_new_int64 ((gint64) value), error);
}

/* The rule of a layer; of one without attention, that of the first that has it. */
static const HlAttentionRule *
get_rule (HlAttention *attention,
          guint        layer)
{
  guint first = 0;

  while (hl_attention_get_n_heads (attention, first) == 0)
    first++;
  return hl_attention_get_rule (attention, hl_attention_get_n_heads (attention, layer) > 0 ? layer : first);
}

static double
get_number (HlAttention     *attention,
            HlDumpRuleNumber which,
            guint            layer)
{
  const HlAttentionRule *rule = get_rule (attention, layer);

  switch (which)
    {
    case HL_DUMP_RULE_CAUSAL:
      return rule->mask.causal;
    case HL_DUMP_RULE_WINDOW:
      return (double) rule->mask.window;
    case HL_DUMP_RULE_CHUNK:
      return (double) rule->mask.chunk;
    case HL_DUMP_RULE_OFFSET:
      return (double) hl_mask_get_position (&rule->mask, hl_attention_get_n (attention, HL_QUERIES),
                                            hl_attention_get_n (attention, HL_KEYS), 0);
    case HL_DUMP_RULE_SCALE:
      return rule->scale;
    case HL_DUMP_RULE_CAPTURED:
      return !hl_attention_get_rule (attention, layer)->left_out;
    default:
      return rule->softcap;
    }
}

/* Whether there is anything to say. */
static gboolean
is_said (HlAttention     *attention,
         HlDumpRuleNumber which)
{
  const gboolean is_derived = hl_attention_get_projection (attention, HL_QUERIES, 0) != NULL;

  if (which == HL_DUMP_RULE_CAUSAL)
    return TRUE;
  if ((which == HL_DUMP_RULE_SCALE || which == HL_DUMP_RULE_SOFTCAP) && !is_derived)
    return FALSE;
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (which == HL_DUMP_RULE_OFFSET     ? get_rule (attention, layer)->mask.shift != 0
        : which == HL_DUMP_RULE_CAPTURED ? get_number (attention, which, layer) == 0
                                         : get_number (attention, which, layer) != 0)
      return TRUE;
  return FALSE;
}

/* One number for all layers, or an array with one for each. */
static gboolean
save_rule (Saver           *self,
           const char      *group,
           HlAttention     *attention,
           HlDumpRuleNumber which,
           GError         **error)
{
  const gboolean is_whole = which != HL_DUMP_RULE_SCALE && which != HL_DUMP_RULE_SOFTCAP;
  const guint n_layers = hl_attention_get_n_layers (attention);
  g_autofree char *name = make_path ("", attention, hl_dump_rule_get_name (which));
  g_autofree double *numbers = g_new (double, n_layers);
  g_autofree gint64 *integers = g_new (gint64, n_layers);
  guint n_same = 0;

  if (!is_said (attention, which))
    return TRUE;
  for (guint layer = 0; layer < n_layers; layer++)
    {
      numbers[layer] = get_number (attention, which, layer);
      integers[layer] = is_whole ? (gint64) numbers[layer] : 0;
      n_same += numbers[layer] == numbers[0];
    }
  g_autoptr (GVariant) value = g_variant_ref_sink (
    n_same == n_layers ? (is_whole ? g_variant_new_int64 (integers[0]) : g_variant_new_double (numbers[0]))
    : is_whole         ? g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, integers, n_layers, sizeof *integers)
                       : g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n_layers, sizeof *numbers));
  return hl_archive_writer_set_attribute (self->writer, group, name, value, error);
}

static gboolean
save_rules (Saver       *self,
            const char  *group,
            HlAttention *attention,
            GError     **error)
{
  for (HlDumpRuleNumber i = 0; i < HL_DUMP_N_RULES; i++)
    if (!save_rule (self, group, attention, i, error))
      return FALSE;
  return TRUE;
}

/* Whether some layers have no attention. */
static gboolean
lacks_layers (HlAttention *attention)
{
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_attention_get_n_heads (attention, layer) == 0)
      return TRUE;
  return FALSE;
}

/* One text for all layers, or as many as there are layers. */
static gboolean
save_finish (Saver       *self,
             const char  *group,
             HlAttention *attention,
             GError     **error)
{
  static const char *const names[] = {
    [HL_FINISH_NONE] = "none",
    [HL_FINISH_NORM] = "norm",
    [HL_FINISH_ROTARY] = "rotary",
    [HL_FINISH_NORM | HL_FINISH_ROTARY] = "norm rotary",
    [HL_FINISH_RESULT_NORM] = "result",
    [HL_FINISH_NORM | HL_FINISH_RESULT_NORM] = "norm result",
    [HL_FINISH_ROTARY | HL_FINISH_RESULT_NORM] = "rotary result",
    [HL_FINISH_NORM | HL_FINISH_ROTARY | HL_FINISH_RESULT_NORM] = "norm rotary result",
  };
  const HlFinish first = hl_attention_get_finish (attention, 0);
  const guint n_layers = hl_attention_get_n_layers (attention);
  g_autoptr (GString) text = g_string_new (names[first]);
  guint n_same = 1;

  for (guint layer = 1; layer < n_layers; layer++)
    {
      g_string_append_printf (text, ", %s", names[hl_attention_get_finish (attention, layer)]);
      n_same += hl_attention_get_finish (attention, layer) == first;
    }
  if (n_same == n_layers)
    g_string_assign (text, names[first]);
  g_autofree char *name = make_path ("", attention, "finish");
  return (n_same == n_layers && first == HL_FINISH_NONE) || save_text (self, group, name, text->str, error);
}

static gboolean
save_attributes_of_kinds (Saver      *self,
                          const char *group,
                          HlExample  *example,
                          GError    **error)
{
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      g_autofree char *layers = make_path ("", attention, "layers");

      if (lacks_layers (attention) && !save_integer (self, group, layers, hl_attention_get_n_layers (attention), error))
        return FALSE;
      if (!save_rules (self, group, attention, error) || !save_finish (self, group, attention, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
save_attributes (Saver      *self,
                 const char *group,
                 HlExample  *example,
                 GError    **error)
{
  HlAttention *first = hl_example_get_attention (example, 0);
  const gsize sentence_b_start = hl_attention_get_sentence_b_start (first);

  return save_text (self, group, "text", hl_example_get_text (example), error) &&
         save_text (self, group, "text_pair", hl_example_get_text_pair (example), error) &&
         (sentence_b_start == 0 || save_integer (self, group, "sentence_b_start", sentence_b_start, error)) &&
         save_text (self, group, "quantity", hl_attention_get_quantity (first), error) &&
         (!hl_attention_is_signed (first) || save_integer (self, group, "signed", 1, error)) &&
         save_attributes_of_kinds (self, group, example, error);
}

/* Without a norm before attention, what it is made of is what its result is added to. */
static gboolean
is_same (const HlLayerTensor *inputs,
         const HlLayerTensor *stream)
{
  return inputs != NULL && stream != NULL && inputs->tensor == stream->tensor;
}

static gboolean
save_norm (Saver       *self,
           const char  *group,
           HlAttention *attention,
           GError     **error)
{
  HlTensor *norm = hl_attention_get_output_norm (attention);
  g_autofree char *path = make_path (group, attention, "output_norm");

  if (norm == NULL)
    return TRUE;
  const HlShape *shape = hl_tensor_get_shape (norm);
  const HlLayerTensor rows = {
    .tensor = norm, .layer_axis = -1, .batch_axis = -1, .head_axis = -1, .row_axis = 0, .column_axis = 1
  };
  return hl_archive_writer_begin_tensor (self->writer, path, get_stored_dtype (&rows), shape, shape->dims, error) &&
         save_head (self, &rows, 0, error);
}

/* Scores of a sink of each head: one tensor where all layers with attention have as many, else one of each layer that has some. */
static gboolean
save_sinks (Saver       *self,
            const char  *group,
            HlAttention *attention,
            GError     **error)
{
  const guint n_layers = hl_attention_get_n_layers (attention), n_heads = hl_attention_get_max_heads (attention);
  const HlShape shape = { .rank = 2, .dims = { n_layers, n_heads } };
  g_autofree char *path = make_path (group, attention, "sinks");
  guint n_with = 0, n_without = 0;

  for (guint layer = 0; layer < n_layers; layer++)
    {
      const gboolean has = hl_attention_get_rule (attention, layer)->sinks != NULL;
      const guint own = hl_attention_get_n_heads (attention, layer);

      n_with += has && own > 0;
      n_without += own > 0 && (!has || own != n_heads);
    }
  if (n_with == 0)
    return TRUE;
  if (n_without == 0 && !hl_archive_writer_begin_tensor (self->writer, path, HL_DTYPE_F32, &shape, shape.dims, error))
    return FALSE;
  for (guint layer = 0; layer < n_layers; layer++)
    {
      const float *sinks = (n_without == 0 ? get_rule : hl_attention_get_rule) (attention, layer)->sinks;
      const HlShape own = { .rank = 1, .dims = { hl_attention_get_n_heads (attention, layer) } };
      const guint n = n_without == 0 ? n_heads : (guint) own.dims[0];

      if (n_without > 0)
        {
          g_autofree char *of_layer = g_strdup_printf ("%s/%u", path, layer);

          if (sinks == NULL || n == 0)
            continue;
          if (!hl_archive_writer_begin_tensor (self->writer, of_layer, HL_DTYPE_F32, &own, own.dims, error))
            return FALSE;
        }
      if (!hl_archive_writer_write (self->writer, sinks, n, error))
        return FALSE;
    }
  return TRUE;
}

/* Whether layers that have attention have the same bias, in the same place. */
static gboolean
share_bias (HlAttention *attention)
{
  const HlAttentionRule *first = get_rule (attention, 0);

  if (hl_attention_get_bias (attention, 0) != NULL && first->bias == NULL)
    {
      const HlLayerTensor *biases = hl_attention_get_bias (attention, 0);

      for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
        if (biases[layer].tensor != biases[0].tensor || biases[layer].layer_axis >= 0)
          return FALSE;
      return TRUE;
    }
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (get_rule (attention, layer)->bias != first->bias)
      return FALSE;
  return TRUE;
}

static gboolean
save_bias_of_layer (Saver       *self,
                    HlAttention *attention,
                    guint        layer,
                    gsize        n,
                    GError     **error)
{
  for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++)
    {
      /* Of a layer without, 0. */
      g_autofree float *bias = hl_attention_has_bias (attention, layer)
                                 ? hl_attention_read_bias (attention, layer, head, self->cancellable, error)
                                 : g_new0 (float, n);

      if (bias == NULL)
        return blame_source (self, error);
      if (!hl_archive_writer_write (self->writer, bias, n, error))
        return FALSE;
    }
  return TRUE;
}

/* What is added to scores by distance: once for all layers that have the same, or for each. */
static gboolean
save_biases (Saver       *self,
             const char  *group,
             HlAttention *attention,
             GError     **error)
{
  const gsize n = hl_attention_get_n (attention, HL_QUERIES) + hl_attention_get_n (attention, HL_KEYS) - 1;
  const guint n_layers = hl_attention_get_n_layers (attention);
  g_autofree char *path = make_path (group, attention, "bias");
  guint first = n_layers;

  for (guint layer = n_layers; layer-- > 0;)
    if (hl_attention_has_bias (attention, layer) && hl_attention_get_n_heads (attention, layer) > 0)
      first = layer;
  if (first == n_layers || hl_attention_get_projection (attention, HL_QUERIES, 0) == NULL)
    return TRUE;
  const gboolean is_shared = share_bias (attention);
  for (guint layer = is_shared ? first : 0; layer < (is_shared ? first + 1 : n_layers); layer++)
    {
      const HlShape shape = { .rank = 2, .dims = { hl_attention_get_n_heads (attention, layer), n } };
      const guint64 chunk[] = { 1, n };
      g_autofree char *own = is_shared ? g_strdup (path) : g_strdup_printf ("%s/%u", path, layer);

      if (shape.dims[0] == 0)
        continue;
      if (!hl_archive_writer_begin_tensor (self->writer, own, HL_DTYPE_F32, &shape, chunk, error) ||
          !save_bias_of_layer (self, attention, layer, n, error))
        return FALSE;
    }
  return TRUE;
}

/* What is added to scores by distance and content. */
static gboolean
save_distances (Saver       *self,
                const char  *group,
                HlAttention *attention,
                GError     **error)
{
  const HlDistances *distances = get_rule (attention, 0)->distances;
  const gsize n = hl_attention_get_n (attention, HL_QUERIES) + hl_attention_get_n (attention, HL_KEYS) - 1;
  const HlShape shape = { .rank = 1, .dims = { n } };
  g_autofree char *path = make_path (group, attention, "distance_rows");

  if (distances == NULL || hl_attention_get_projection (attention, HL_QUERIES, 0) == NULL)
    return TRUE;
  g_autofree float *rows = g_new (float, n);
  for (gsize i = 0; i < n; i++)
    rows[i] = (float) distances->rows[i];
  return hl_archive_writer_begin_tensor (self->writer, path, HL_DTYPE_I32, &shape, shape.dims, error) &&
         hl_archive_writer_write (self->writer, rows, n, error) &&
         save_numbers (self, group, attention, "distance_queries",
                       hl_attention_get_distances (attention, HL_QUERIES, 0), TRUE, error) &&
         save_numbers (self, group, attention, "distance_keys", hl_attention_get_distances (attention, HL_KEYS, 0),
                       TRUE, error);
}

/* Keys that no query sees, whether a rule says it or a list. */
static gboolean
save_key_mask (Saver       *self,
               const char  *group,
               HlAttention *attention,
               GError     **error)
{
  HlCellMask *cells = hl_attention_get_cells (attention);
  const HlMask *mask = &get_rule (attention, 0)->mask;
  const guint8 *keys = cells != NULL ? hl_cell_mask_get_keys (cells) : NULL;
  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  const HlShape shape = { .rank = 1, .dims = { n } };
  g_autofree char *path = make_path (group, attention, "key_mask");

  if (keys == NULL && mask->first_key == 0 && mask->end_key == 0)
    return TRUE;
  g_autofree float *numbers = g_new (float, n);
  for (gsize i = 0; i < n; i++)
    numbers[i] =
      (keys == NULL || keys[i] != 0) && i >= mask->first_key && (mask->end_key == 0 || i < mask->end_key) ? 1 : 0;
  return hl_archive_writer_begin_tensor (self->writer, path, HL_DTYPE_U8, &shape, shape.dims, error) &&
         hl_archive_writer_write (self->writer, numbers, n, error);
}

/* Which queries of cross attention are padding, where there is no attention of the decoder of whose mask that follows. */
static gboolean
save_text_span (Saver      *self,
                const char *group,
                HlExample  *example,
                GError    **error)
{
  HlAttention *cross = hl_example_find_attention (example, HL_ATTENTION_CROSS);

  if (cross == NULL || hl_example_find_attention (example, HL_ATTENTION_DECODER) != NULL)
    return TRUE;
  HlAttention *other = hl_example_find_attention (example, HL_ATTENTION_SELF);
  const HlTokenSpan text = hl_attention_get_text_span (cross, HL_QUERIES);
  const gsize n = hl_attention_get_n (cross, HL_QUERIES);
  const HlShape shape = { .rank = 1, .dims = { n } };
  g_autofree char *path = hl_archive_join (group, "decoder_key_mask");

  /* Unless it is said that none is, padding of the attention that takes the decoder's place would be taken for its. */
  const HlMask *mask = other != NULL ? &get_rule (other, 0)->mask : NULL;
  if (text.n == 0 || (text.n == n && (mask == NULL || (mask->first_key == 0 && mask->end_key == 0))))
    return TRUE;
  g_autofree float *numbers = g_new (float, n);
  for (gsize i = 0; i < n; i++)
    numbers[i] = i >= text.first && i - text.first < text.n ? 1 : 0;
  return hl_archive_writer_begin_tensor (self->writer, path, HL_DTYPE_U8, &shape, shape.dims, error) &&
         hl_archive_writer_write (self->writer, numbers, n, error);
}

/* A bit for each cell, once if it is for all layers. */
static gboolean
save_cells (Saver       *self,
            const char  *group,
            HlAttention *attention,
            GError     **error)
{
  HlCellMask *cells = hl_attention_get_cells (attention);
  const HlLayerTensor *bits = cells != NULL ? hl_cell_mask_get_bits (cells, 0) : NULL;
  g_autofree char *path = make_path (group, attention, "mask");

  if (bits == NULL)
    return TRUE;
  const guint n_layers = bits->layer_axis < 0 ? 1 : hl_attention_get_n_layers (attention);
  const guint64 n_columns = hl_layer_tensor_get_n_columns (bits), n_rows = hl_layer_tensor_get_n_rows (bits);
  const guint64 n_chunk_rows = CLAMP (MAX_CHUNK_BYTES / n_columns, 1, n_rows);
  const HlShape of_all = { .rank = 2, .dims = { n_rows, n_columns } };
  const HlShape of_each = { .rank = 3, .dims = { n_layers, n_rows, n_columns } };
  const guint64 chunk_of_all[] = { n_chunk_rows, n_columns }, chunk_of_each[] = { 1, n_chunk_rows, n_columns };
  const gboolean is_shared = bits->layer_axis < 0;

  if (!hl_archive_writer_begin_tensor (self->writer, path, HL_DTYPE_U8, is_shared ? &of_all : &of_each,
                                       is_shared ? chunk_of_all : chunk_of_each, error))
    return FALSE;
  for (guint layer = 0; layer < n_layers; layer++)
    if (!save_head (self, &bits[layer], 0, error))
      return FALSE;
  return TRUE;
}

/* As many strings as layers, empty where nothing is known. */
static gboolean
save_strings_of_layers (Saver             *self,
                        const char        *group,
                        HlAttention       *attention,
                        const char        *name,
                        const char *const *strings,
                        GError           **error)
{
  g_autofree char *path = make_path (group, attention, name);

  return strings == NULL ||
         hl_archive_writer_add_strings (self->writer, path, strings, g_strv_length ((char **) strings), error);
}

/* What queries, keys and values are made with. */
static gboolean
save_projections (Saver       *self,
                  const char  *group,
                  HlAttention *attention,
                  GError     **error)
{
  for (HlIngredient i = 0; i < HL_DUMP_N_PROJECTIONS; i++)
    if (!save_numbers (self, group, attention, hl_dump_projection_get_name (i),
                       hl_attention_get_ingredient (attention, i, 0), TRUE, error))
      return FALSE;
  return TRUE;
}

/* Those of tokens where others are made of them. */
static const HlLayerTensor *
get_stored_keys (HlAttention *attention)
{
  const HlLayerTensor *of_tokens = hl_attention_get_ingredient (attention, HL_INGREDIENT_TOKEN_KEYS, 0);

  return of_tokens != NULL ? of_tokens : hl_attention_get_projection (attention, HL_KEYS, 0);
}

static const HlLayerTensor *
get_stored_values (HlAttention *attention)
{
  const HlLayerTensor *of_tokens = hl_attention_get_ingredient (attention, HL_INGREDIENT_TOKEN_VALUES, 0);

  return of_tokens != NULL ? of_tokens : hl_attention_get_values (attention, 0);
}

/* What makes positions of tokens: of each head where heads differ in it. */
static gboolean
save_positions (Saver       *self,
                const char  *group,
                HlAttention *attention,
                const char  *name,
                HlIngredient projection_of,
                GError     **error)
{
  const HlLayerTensor *layers = hl_attention_get_ingredient (attention, projection_of, 0);

  return save_numbers (self, group, attention, name, layers, layers != NULL && layers->head_axis >= 0, error);
}

static guint64
count_projections (HlAttention *attention)
{
  guint64 n = 0;

  for (HlIngredient i = 0; i < HL_DUMP_N_PROJECTIONS; i++)
    n += count_numbers (hl_attention_get_ingredient (attention, i, 0), hl_attention_get_n_layers (attention));
  return n;
}

static gboolean
save_attention (Saver       *self,
                const char  *group,
                HlAttention *attention,
                GError     **error)
{
  const HlLayerTensor *inputs = hl_attention_get_inputs (attention, 0);
  const HlLayerTensor *stream = hl_attention_get_stream (attention, 0);

  return save_numbers (self, group, attention, "attention", hl_attention_get_weights (attention, 0), TRUE, error) &&
         save_numbers (self, group, attention, "queries", hl_attention_get_projection (attention, HL_QUERIES, 0), TRUE,
                       error) &&
         save_numbers (self, group, attention, "keys", get_stored_keys (attention), TRUE, error) &&
         save_positions (self, group, attention, "key_projections", HL_INGREDIENT_KEY_PROJECTION, error) &&
         save_numbers (self, group, attention, "values", get_stored_values (attention), TRUE, error) &&
         save_positions (self, group, attention, "value_projections", HL_INGREDIENT_VALUE_PROJECTION, error) &&
         save_numbers (self, group, attention, "output_projection", hl_attention_get_output (attention, 0), TRUE,
                       error) &&
         save_numbers (self, group, attention, "value_norms", hl_attention_get_value_norms (attention, 0), FALSE,
                       error) &&
         save_numbers (self, group, attention, "inputs", inputs, FALSE, error) &&
         (is_same (inputs, stream) || save_numbers (self, group, attention, "stream", stream, FALSE, error)) &&
         save_norm (self, group, attention, error) && save_sinks (self, group, attention, error) &&
         save_biases (self, group, attention, error) && save_distances (self, group, attention, error) &&
         save_key_mask (self, group, attention, error) && save_cells (self, group, attention, error) &&
         save_strings_of_layers (self, group, attention, "layer_types", hl_attention_get_layer_types (attention),
                                 error) &&
         save_strings_of_layers (self, group, attention, "layer_names", hl_attention_get_modules (attention), error) &&
         save_projections (self, group, attention, error);
}

static gboolean
save_example (Saver      *self,
              const char *group,
              HlExample  *example,
              GError    **error)
{
  self->n_done = 0;
  self->n_all = 0;
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      const guint n_layers = hl_attention_get_n_layers (attention);
      HlCellMask *cells = hl_attention_get_cells (attention);
      for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
        self->n_all += count_numbers (hl_attention_get_distances (attention, side, 0), n_layers);
      self->n_all += count_numbers (cells != NULL ? hl_cell_mask_get_bits (cells, 0) : NULL, n_layers);
      self->n_all +=
        count_numbers (hl_attention_get_weights (attention, 0), n_layers) +
        count_numbers (hl_attention_get_projection (attention, HL_QUERIES, 0), n_layers) +
        count_numbers (get_stored_keys (attention), n_layers) +
        count_numbers (hl_attention_get_ingredient (attention, HL_INGREDIENT_KEY_PROJECTION, 0), n_layers) +
        count_numbers (get_stored_values (attention), n_layers) +
        count_numbers (hl_attention_get_ingredient (attention, HL_INGREDIENT_VALUE_PROJECTION, 0), n_layers) +
        count_numbers (hl_attention_get_output (attention, 0), n_layers) +
        count_numbers (hl_attention_get_value_norms (attention, 0), n_layers) +
        count_numbers (hl_attention_get_inputs (attention, 0), n_layers) +
        count_numbers (hl_attention_get_stream (attention, 0), n_layers) + count_projections (attention);
    }

  if (!save_attributes (self, group, example, error) || !save_tokens (self, group, example, error) ||
      !save_annotation (self, group, example, error) ||
      !hl_picture_writer_save (self->writer, group, example, self->cancellable, error))
    return FALSE;
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    if (!save_attention (self, group, hl_example_get_attention (example, i), error))
      return FALSE;
  return save_text_span (self, group, example, error);
}

/* Where an example goes. What would make a group of its own, or lead out of the file, becomes characters that look like it. */
static char *
make_group (const char *name,
            guint       n_examples,
            guint       index)
{
  if (name == NULL)
    return n_examples == 1 ? g_strdup ("") : g_strdup_printf ("examples/%u", index);

  GString *group = g_string_new ("examples/");
  const gboolean is_place = g_str_equal (name, ".") || g_str_equal (name, "..");

  for (; *name != '\0'; name++)
    if (*name == '/')
      g_string_append (group, "∕");
    else if (*name == '\\')
      g_string_append (group, "∖");
    else if (is_place)
      g_string_append (group, "․");
    else
      g_string_append_c (group, *name);
  return g_string_free (group, FALSE);
}

/* Names of batch items are made up, and slashes are lost: what is already there gets a number behind it. @taken has the
 * last one given to each. */
static const char *
take_group (GHashTable *taken,
            const char *group)
{
  guint n = MAX (GPOINTER_TO_UINT (g_hash_table_lookup (taken, group)), 1);
  char *own = g_strdup (group);

  for (; g_hash_table_contains (taken, own); n++)
    {
      g_free (own);
      own = g_strdup_printf ("%s (%u)", group, n + 1);
    }
  g_hash_table_insert (taken, own, GUINT_TO_POINTER (1));
  g_hash_table_insert (taken, g_strdup (group), GUINT_TO_POINTER (n));
  return own;
}

static gboolean
save_document (Saver        *self,
               HlDocument   *document,
               HlDumpStore   store,
               const HlLens *lens,
               GPtrArray    *left_out,
               GError      **error)
{
  const guint n_entries = hl_document_get_n_examples (document);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  guint n_examples = 0, n_saved = 0;

  for (guint i = 0; i < n_entries; i++)
    n_examples += !hl_document_is_part (document, i);
  if (!save_text (self, "", "format", FORMAT_NAME, error) ||
      !save_integer (self, "", "version", FORMAT_VERSION, error) ||
      !save_text (self, "", "model", hl_document_get_model (document), error))
    return FALSE;
  for (guint i = 0; i < n_entries; i++)
    {
      /* What one step of a generation has is in the whole. */
      if (hl_document_is_part (document, i))
        continue;
      g_autoptr (HlExample) example = hl_document_get_example (document, i, self->cancellable, error);
      if (example == NULL ||
          !(hl_document_get_allows_expansion (document) || hl_expansion_refuse (example, NULL, error)))
        return blame_source (self, error);
      g_autoptr (HlExample) selected = lens != NULL ? hl_dump_store_derive (lens, example, left_out, error)
                                                    : hl_dump_store_select (store, example, error);
      if (selected == NULL)
        return FALSE;
      const char *name = n_examples == 1 && n_entries > 1 ? NULL : hl_document_get_example_name (document, i);
      g_autofree char *wanted = make_group (name, n_examples, n_saved);
      const char *group = take_group (taken, wanted);
      self->first = (double) n_saved++ / n_examples;
      self->share = 1.0 / n_examples;
      if (!save_example (self, group, selected, error))
        return FALSE;
    }
  return hl_archive_writer_close (self->writer, error);
}

/**
 * hl_dump_writer_save:
 * @document: what to save
 * @store: which numbers of it, if no others are made of them
 * @lens: (nullable): what is made of weights and stands in their place; see hl_dump_store_derive()
 * @left_out: (nullable) (element-type utf8): gets a sentence for each attention of which that cannot be made
 * @target: a local file, which may exist; its name ends in `.h5`, `.hdf5`, `.json` or `.npz`
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_UNSUPPORTED for another name, what hl_dump_store_select() and hl_dump_store_derive() can fail with, %HL_ERROR_IO, %HL_ERROR_VALUE for what JSON
 *   cannot hold, what reading the document can fail with, or %G_IO_ERROR_CANCELLED
 *
 * Writes all examples and attentions of a document: the numbers that are asked for, tokens, texts and rules. float16 and bfloat16 stay what they are
 * where the container has them, float64 becomes float32. The file appears whole or not at all, and
 * an existing one stays until then. What it is read from is held against its checksums first. Blocks: call it from a worker.
 *
 * Returns: whether the file is there
 */
gboolean
hl_dump_writer_save (HlDocument   *document,
                     HlDumpStore   store,
                     const HlLens *lens,
                     GPtrArray    *left_out,
                     GFile        *target,
                     HlProgress   *progress,
                     GCancellable *cancellable,
                     GError      **error)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (document), FALSE);
  g_return_val_if_fail (G_IS_FILE (target), FALSE);

  g_autoptr (HlArchiveWriter) writer = hl_archive_writer_new (target, error);
  if (writer == NULL)
    return FALSE;

  g_autofree char *source = g_file_get_basename (hl_document_get_file (document));
  Saver saver = { .writer = writer, .progress = progress, .cancellable = cancellable, .source = source };
  HlArchive *archive = hl_document_get_archive (document);
  guint n_verified;

  /* What is written has checksums of its own, which would be right for numbers that are damaged. */
  if (archive != NULL && !hl_archive_verify (archive, &n_verified, progress, cancellable, error))
    return blame_source (&saver, error);
  const gboolean saved = save_document (&saver, document, store, lens, left_out, error);
  g_free (saver.band);
  return saved;
}
