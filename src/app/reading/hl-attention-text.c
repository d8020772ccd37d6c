/* SPDX-License-Identifier: MIT */
/* An attention of attention in words: how large it is, how its numbers are kept, what is special about it. */
#include "app/reading/hl-attention-text.h"

#include "core/document/attention/hl-layer-text.h"
#include "core/source/derive/hl-sink-source.h"
#include "view/hl-gap-text.h"

#include <glib/gi18n.h>

/* "12", or "4–12" when layers differ; those without attention aside. */
static char *
format_heads (HlAttention *attention)
{
  const guint most = hl_attention_get_max_heads (attention);
  guint fewest = most;

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_attention_get_n_heads (attention, layer) > 0)
      fewest = MIN (fewest, hl_attention_get_n_heads (attention, layer));
  return fewest == most ? g_strdup_printf ("%u", most) : g_strdup_printf ("%u–%u", fewest, most);
}

char *
hl_attention_text_sizes (HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  const guint n_layers = hl_attention_get_n_layers (attention);
  const guint n_queries = (guint) hl_attention_get_n (attention, HL_QUERIES);
  const guint n_keys = (guint) hl_attention_get_n (attention, HL_KEYS);
  g_autofree char *n_heads = format_heads (attention);
  g_autofree char *layers = g_strdup_printf (ngettext ("%u layer", "%u layers", n_layers), n_layers);
  /* Translators: %s is a number, or a range of numbers when layers differ. */
  g_autofree char *heads =
    g_strdup_printf (ngettext ("%s head", "%s heads", hl_attention_get_max_heads (attention)), n_heads);
  g_autofree char *queries = g_strdup_printf (ngettext ("%u query", "%u queries", n_queries), n_queries);
  g_autofree char *keys = g_strdup_printf (ngettext ("%u key", "%u keys", n_keys), n_keys);

  return g_strdup_printf ("%s × %s × %s × %s", layers, heads, queries, keys);
}

static void
append_gaps (GString     *text,
             HlAttention *attention)
{
  g_autofree char *gaps = hl_gap_text_new (attention);

  if (gaps == NULL)
    return;
  g_string_append (text, " · ");
  g_string_append (text, gaps);
}

static void
append_padding (GString     *text,
                HlAttention *attention)
{
  const guint n_queries = (guint) hl_attention_get_n (attention, HL_QUERIES);
  const guint n_keys = (guint) hl_attention_get_n (attention, HL_KEYS);
  const guint n_used_queries = (guint) hl_attention_get_n_used (attention, HL_QUERIES);
  const guint n_used_keys = (guint) hl_attention_get_n_used (attention, HL_KEYS);

  if (n_used_queries < n_queries)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, _ ("%u queries without padding"), n_used_queries);
    }
  if (n_used_keys < n_keys)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, _ ("%u keys without padding"), n_used_keys);
    }
}

static void
append_tokens (GString     *text,
               HlAttention *attention)
{
  const gboolean has_queries = hl_attention_has_tokens (attention, HL_QUERIES);
  const gboolean has_keys = hl_attention_has_tokens (attention, HL_KEYS);

  g_string_append (text, " · ");
  if (has_queries && has_keys)
    g_string_append (text, _ ("with tokens"));
  else if (has_queries)
    g_string_append (text, _ ("tokens of queries only"));
  else if (has_keys)
    g_string_append (text, _ ("tokens of keys only"));
  else
    g_string_append (text, _ ("without tokens"));
}

/* Layers may differ in how far they see. */
static void
append_mask (GString     *text,
             HlAttention *attention)
{
  const HlMask *mask = &hl_attention_get_rule (attention, 0)->mask;
  guint64 window = mask->window;
  gboolean in_all = TRUE;

  for (guint layer = 1; layer < hl_attention_get_n_layers (attention); layer++)
    {
      const HlMask *other = &hl_attention_get_rule (attention, layer)->mask;
      in_all &= other->window == mask->window;
      window = MAX (window, other->window);
    }
  if (mask->causal)
    {
      g_string_append (text, " · ");
      g_string_append (text, _ ("causal"));
    }
  if (mask->first_key > 0 || mask->end_key > 0)
    {
      g_string_append (text, " · ");
      g_string_append (text, _ ("padding masked"));
    }
  if (hl_attention_get_cells (attention) != NULL)
    {
      g_string_append (text, " · ");
      g_string_append (text, _ ("single cells masked"));
    }
  if (window > 0)
    {
      g_string_append (text, " · ");
      /* To both sides, the query's own place counts once. */
      g_string_append_printf (text, in_all ? _ ("window of %u keys") : _ ("window of %u keys in some layers"),
                              (guint) (mask->causal ? window : 2 * window - 1));
    }
}

char *
hl_attention_text_traits (HlAttention *attention)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  g_string_append (text, hl_dtype_get_name (hl_attention_get_dtype (attention)));
  append_tokens (text, attention);
  if (hl_attention_get_weights (attention, 0) == NULL)
    {
      g_string_append (text, " · ");
      g_string_append (text, _ ("computed from queries and keys"));
    }
  append_mask (text, attention);
  if (hl_sink_is_in (attention))
    {
      g_string_append (text, " · ");
      g_string_append (text, _ ("learned sinks"));
    }
  append_gaps (text, attention);
  append_padding (text, attention);
  g_autofree char *layers = hl_layer_text_describe (attention);
  if (layers != NULL)
    g_string_append_printf (text, "\n%s", layers);
  return g_string_free (text, FALSE);
}
