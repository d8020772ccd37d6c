/* SPDX-License-Identifier: MIT */
/* Names and numbers of the weights of a token, for the panel, its rows and the clipboard. */
#include "app/tokens/hl-token-weights-text.h"

#include "core/source/derive/hl-sink-source.h"
#include "core/source/save/hl-head-csv.h"
#include "draw/text/hl-token-label.h"
#include "view/hl-weight-text.h"

#include <glib/gi18n.h>
#include <math.h>

static const char *const *
get_tokens (HlTokenWeights *self,
            HlSide          side)
{
  HlAttention *attention = hl_token_weights_get_attention (self);

  return hl_attention_get_tokens (attention, side);
}

static const char *const *
get_texts (HlTokenWeights *self,
           HlSide          side)
{
  HlAttention *attention = hl_token_weights_get_attention (self);

  return hl_attention_get_texts (attention, side);
}

/* The side that the token is on which it is about. */
static HlSide
get_subject_side (HlTokenWeights *self)
{
  return hl_side_get_other (hl_token_weights_get_side (self));
}

/* As the tokenizer spells it. */
const char *
hl_token_weights_get_token (HlTokenWeights *self,
                            gsize           index)
{
  return get_tokens (self, hl_token_weights_get_side (self))[index];
}

/* What people read in its place. */
const char *
hl_token_weights_get_text (HlTokenWeights *self,
                           gsize           index)
{
  return get_texts (self, hl_token_weights_get_side (self))[index];
}

/* How the tokenizer spells it, where it is not read like that. */
char *
hl_token_weights_dup_spelling (HlTokenWeights *self,
                               gsize           index)
{
  return hl_token_text_describe (hl_token_weights_get_text (self, index), hl_token_weights_get_token (self, index));
}

const char *
hl_token_weights_get_subject_text (HlTokenWeights *self)
{
  return get_texts (self, get_subject_side (self))[hl_token_weights_get_subject (self)];
}

char *
hl_token_weights_dup_subject_spelling (HlTokenWeights *self)
{
  const char *token = get_tokens (self, get_subject_side (self))[hl_token_weights_get_subject (self)];

  return hl_token_text_describe (hl_token_weights_get_subject_text (self), token);
}

/* Where it stands in its text; a word where its first piece does. */
gsize
hl_token_weights_get_subject_position (HlTokenWeights *self)
{
  HlAttention *attention = hl_token_weights_get_attention (self);
  const gsize subject = hl_token_weights_get_subject (self);

  /* Side by side, that of the first side; in a list of the tokens of both nobody counts. */
  if (hl_token_weights_has_sides (self) && !hl_token_weights_is_difference (self))
    return hl_token_weights_get_subject_position (
      hl_token_weights_get_answer (self, hl_token_weights_get_answer (self, 0) == NULL));
  return get_subject_side (self) == HL_KEYS ? hl_attention_get_position (attention, HL_KEYS, subject)
                                            : hl_attention_get_position (attention, HL_QUERIES, subject);
}

/* Where a listed token stands in its text; side by side, in that of the first side that has it. */
gsize
hl_token_weights_get_position (HlTokenWeights *self,
                               gsize           index)
{
  HlAttention *attention = hl_token_weights_get_attention (self);
  const HlSide side = hl_token_weights_get_side (self);

  if (!hl_token_weights_has_sides (self) || hl_token_weights_is_difference (self))
    return hl_attention_get_position (attention, side, index);
  for (guint which = 0; which < 2; which++)
    {
      HlTokenWeights *answer = hl_token_weights_get_answer (self, which);
      gsize own;
      if (answer != NULL && hl_token_weights_to_side (self, which, index, &own))
        return hl_token_weights_get_position (answer, own);
    }
  return index;
}

/* "8", of two sentences "B 8"; side by side A and B are something else. */
char *
hl_token_weights_dup_place (HlTokenWeights *self,
                            gsize           index)
{
  const gsize b = hl_token_weights_get_sentence_b (self);
  const gsize position = hl_token_weights_get_position (self, index);

  if (hl_token_weights_has_sides (self) || b == 0)
    return g_strdup_printf ("%zu", position);
  return g_strdup_printf ("%s %zu", position < b ? "A" : "B", position);
}

/* Whether what it is about is no token but the sink of heads. */
gboolean
hl_token_weights_is_of_sink (HlTokenWeights *self)
{
  return hl_sink_is_at (hl_token_weights_get_attention (self), get_subject_side (self),
                        hl_token_weights_get_subject (self));
}

/* "A head 0, B head 1": what there is to say of each side. */
static char *
describe_sides (HlTokenWeights *self, char *(*describe) (HlTokenWeights *answer))
{
  static const char *const letters[] = { "A", "B" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    {
      HlTokenWeights *answer = hl_token_weights_get_answer (self, i);
      g_autofree char *part = answer != NULL ? describe (answer) : g_strdup ("–");
      g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", letters[i], part);
    }
  return g_string_free (text, FALSE);
}

/* “head 5” or “mean of 3 heads”, of all layers “layer 3 · head 5”; side by side “A head 5, B head 2”. */
char *
hl_token_weights_describe_heads (HlTokenWeights *self)
{
  const guint n_heads = hl_token_weights_get_n_heads (self);
  guint layer;

  if (hl_token_weights_has_sides (self) && !hl_token_weights_is_difference (self))
    return describe_sides (self, hl_token_weights_describe_heads);
  if (n_heads == 1)
    return g_strdup (hl_token_weights_get_head_name (self));
  g_autofree char *mean = g_strdup_printf (ngettext ("mean of %u head", "mean of %u heads", n_heads), n_heads);
  if (!hl_token_weights_is_in_layer (self, &layer))
    return g_steal_pointer (&mean);
  g_autofree char *name = g_strdup_printf (_ ("layer %u"), layer);
  return g_strdup_printf ("%s · %s", name, mean);
}

/* Of two sides, “A 1.000, B 1.000”. */
char *
hl_token_weights_describe_sum (HlTokenWeights *self)
{
  const double sum = hl_token_weights_get_sum (self);
  char number[HL_WEIGHT_TEXT_SIZE];

  if (hl_token_weights_has_sides (self))
    return describe_sides (self, hl_token_weights_describe_sum);
  /* Scores may have more digits than can be read. */
  if (fabs (sum) >= 1e6)
    return g_strdup (hl_weight_text_format_as (sum, "%.3g", number));
  /* What adds up to nearly nothing may do so on either side of it. */
  return g_strdup (hl_weight_text_format_as (fabs (sum) < 0.0005 ? 0 : sum, "%.3f", number));
}

/* A dash where that side has none. */
char *
hl_token_weights_describe_side (const HlTokenWeight *row,
                                guint                which)
{
  char number[HL_WEIGHT_TEXT_SIZE];

  return g_strdup (isnan (row->sides[which]) ? "–" : hl_weight_text_format (row->sides[which], number));
}

/* Its number, or that it is masked; of two sides “A 0.24, B 0.11”. */
char *
hl_token_weights_describe_row (HlTokenWeights      *self,
                               const HlTokenWeight *row)
{
  char number[HL_WEIGHT_TEXT_SIZE];

  if (row->is_masked)
    return g_strdup (_ ("masked"));
  if (!hl_token_weights_has_sides (self))
    return g_strdup (hl_weight_text_format (row->mean, number));
  g_autofree char *first = hl_token_weights_describe_side (row, 0);
  g_autofree char *second = hl_token_weights_describe_side (row, 1);
  return g_strdup_printf ("A %s, B %s", first, second);
}

/* Nothing where a side has none. */
static void
append_weight (GString *text,
               double   weight)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (text, '\t');
  if (!isnan (weight))
    g_string_append (text, g_ascii_formatd (number, sizeof number, "%.9g", weight));
}

/* A table with tabs between token, position and weight, the weights with all their digits; a sink has no position. Tokens are as in CSV:
 * it is spreadsheets that it is pasted to. Of two sides, between
 * token, index among the tokens of both, weight on the first, on the second, and the second minus the first. */
char *
hl_token_weights_to_text (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);

  HlAttention *attention = hl_token_weights_get_attention (self);
  const HlSide side = hl_token_weights_get_side (self);
  GString *text = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < hl_token_weights_get_n_rows (self); i++)
    {
      const HlTokenWeight *row = hl_token_weights_get_row (self, i);
      hl_head_csv_append_field (text, hl_token_weights_get_token (self, row->index));
      if (hl_token_weights_has_sides (self))
        {
          g_string_append_printf (text, "\t%zu", row->index);
          append_weight (text, row->sides[0]);
          append_weight (text, row->sides[1]);
          append_weight (text, (double) row->sides[1] - row->sides[0]);
          g_string_append_c (text, '\n');
          continue;
        }
      g_string_append_c (text, '\t');
      if (!hl_sink_is_at (attention, side, row->index))
        g_string_append_printf (text, "%zu", hl_token_weights_get_position (self, row->index));
      g_string_append_c (text, '\t');
      g_string_append (text,
                       row->is_masked ? _ ("masked") : g_ascii_formatd (number, sizeof number, "%.9g", row->mean));
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
