/* SPDX-License-Identifier: MIT */
/* How attention, layers, heads and theme are spelt. */
#include "view/spelling/hl-state-text-private.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static gboolean
parse_number (const char *text,
              guint       limit,
              guint64    *number)
{
  return g_ascii_string_to_unsigned (text, 10, 0, limit - 1, number, NULL);
}

/* What stands between commas; NULL if that is more than @limit. */
static GStrv
split_list (const char *text,
            guint       limit)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", (int) limit + 1);

  return g_strv_length (parts) <= limit ? g_steal_pointer (&parts) : NULL;
}

/* "0,2,5-8": numbers below @limit, and no more of them, with commas between; the two ends of a run with a hyphen or a dash. */
static gboolean
parse_list (const char *text,
            guint       limit,
            guint64    *bits)
{
  g_auto (GStrv) parts = split_list (text, limit);

  if (parts == NULL)
    return FALSE;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *const dash = strstr (parts[i], "–") != NULL ? "–" : "-";
      g_auto (GStrv) ends = g_strsplit (parts[i], dash, 2);
      guint64 first, last;

      if (ends[0] == NULL || !parse_number (g_strstrip (ends[0]), limit, &first))
        return FALSE;
      last = first;
      if (ends[1] != NULL && (!parse_number (g_strstrip (ends[1]), limit, &last) || last < first))
        return FALSE;
      for (; first <= last; first++)
        hl_bits_add (bits, (guint) first);
    }
  return parts[0] != NULL;
}

/* The same, as a shell takes it without quotes. */
static char *
spell_list (const guint64 *bits,
            guint          n)
{
  g_autofree char *text = hl_bits_format (bits, n);
  GString *list = g_string_new (text);

  g_string_replace (list, ", ", ",", 0);
  g_string_replace (list, "–", "-", 0);
  return g_string_free (list, FALSE);
}

static gboolean
check_layer (HlViewState *state,
             guint64      layer,
             GError     **error)
{
  HlAttention *attention = hl_view_state_get_attention (state);
  const guint n_layers = hl_attention_get_n_layers (attention);

  if (layer < n_layers && hl_attention_get_n_heads (attention, (guint) layer) > 0)
    return TRUE;
  if (layer < n_layers)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                   hl_attention_get_rule (attention, (guint) layer)->left_out ? _ ("layer %u was not captured")
                                                                              : _ ("there is no attention in layer %u"),
                   (guint) layer);
      return FALSE;
    }
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no layer %u; the last one is %u"), (guint) layer,
               n_layers - 1);
  return FALSE;
}

/* How many heads the layer has that is looked at; of several that become one, the one that has the most. */
static guint
count_heads (HlViewState *state)
{
  HlAttention *attention = hl_view_state_get_attention (state);
  guint n_heads = hl_view_state_get_n_heads (state);

  if (!hl_view_state_get_shown (state)->merges_layers)
    return n_heads;
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_layer_set_contains (hl_view_state_get_layers (state), layer))
      n_heads = MAX (n_heads, hl_attention_get_n_heads (attention, layer));
  return n_heads;
}

static gboolean
check_head (HlViewState *state,
            guint64      head,
            GError     **error)
{
  if (head < count_heads (state))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no head %u in layer %u; the last one is %u"),
               (guint) head, hl_view_state_get_layer (state), hl_view_state_get_n_heads (state) - 1);
  return FALSE;
}

/* The lowest of them; 0 for none. */
static guint
get_first_head (const HlHeadSet *heads)
{
  for (guint head = 0; head < HL_LIMIT_HEADS; head++)
    if (hl_head_set_contains (heads, head))
      return head;
  return 0;
}

static gboolean
attention_check (const char *text)
{
  HlAttentionKind kind;

  return hl_attention_kind_from_name (text, &kind);
}

static char *
attention_dup (HlViewState *state)
{
  HlAttention *attention = hl_view_state_get_attention (state);

  if (attention == hl_example_get_attention (hl_view_state_get_example (state), 0))
    return NULL;
  return g_strdup (hl_attention_kind_get_name (hl_attention_get_kind (attention)));
}

static gboolean
attention_apply (HlViewState *state,
                 const char  *text,
                 GError     **error)
{
  HlAttentionKind kind;
  HlAttention *attention = hl_attention_kind_from_name (text, &kind)
                             ? hl_example_find_attention (hl_view_state_get_example (state), kind)
                             : NULL;

  if (attention != NULL)
    hl_view_state_set_attention (state, attention);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no block “%s” in it"), text);
  return attention != NULL;
}

const HlStateSpelling hl_state_attention_spelling = {
  .hint = "attention|encoder|decoder|cross",
  .rule = N_ ("one of attention, encoder, decoder, cross"),
  .check = attention_check,
  .dup = attention_dup,
  .apply = attention_apply,
};

static gboolean
layer_check (const char *text)
{
  guint64 layer;

  return parse_number (text, G_MAXUINT, &layer);
}

static char *
layer_dup (HlViewState *state)
{
  const guint layer = hl_view_state_get_layer (state);

  return layer > 0 ? g_strdup_printf ("%u", layer) : NULL;
}

static gboolean
layer_apply (HlViewState *state,
             const char  *text,
             GError     **error)
{
  guint64 layer;

  if (!parse_number (text, G_MAXUINT, &layer) || !check_layer (state, layer, error))
    return FALSE;
  hl_view_state_set_layer (state, (guint) layer);
  return TRUE;
}

const HlStateSpelling hl_state_layer_spelling = {
  .hint = "L",
  .rule = N_ ("a whole number in 0…4294967294"),
  .check = layer_check,
  .dup = layer_dup,
  .apply = layer_apply,
};

static gboolean
layers_parse (const char *text,
              HlLayerSet *layers)
{
  *layers = (HlLayerSet){ { 0 } };
  return g_str_equal (text, "all") || parse_list (text, HL_LIMIT_LAYERS, layers->bits);
}

static gboolean
layers_check (const char *text)
{
  HlLayerSet layers;

  return layers_parse (text, &layers);
}

static char *
layers_dup (HlViewState *state)
{
  const HlLayerSet *layers = hl_view_state_get_layers (state);

  /* Layers that are not combined make no picture. */
  if (hl_view_state_get_options (state)->combine == HL_COMBINE_NONE ||
      hl_view_state_get_options (state)->combine_over == HL_COMBINE_OVER_HEADS ||
      hl_layer_set_count (layers) == hl_attention_get_n_layers (hl_view_state_get_attention (state)))
    return NULL;
  return spell_list (layers->bits, HL_LIMIT_LAYERS);
}

static gboolean
layers_apply (HlViewState *state,
              const char  *text,
              GError     **error)
{
  HlAttention *attention = hl_view_state_get_attention (state);
  const guint n_layers = hl_attention_get_n_layers (attention);
  HlHeadSelection chosen = { 0 };

  if (!layers_parse (text, &chosen.layers))
    return FALSE;
  for (guint layer = n_layers; layer < HL_LIMIT_LAYERS; layer++)
    if (hl_layer_set_contains (&chosen.layers, layer))
      return check_layer (state, layer, error);
  const HlLayerSet with_heads = hl_head_selection_get_layers_with_heads (&chosen, attention);
  for (guint layer = 0; layer < n_layers && hl_layer_set_count (&with_heads) == 0; layer++)
    if (hl_layer_set_contains (&chosen.layers, layer))
      return check_layer (state, layer, error);
  hl_view_state_set_layers (state, &chosen.layers);
  return TRUE;
}

const HlStateSpelling hl_state_layers_spelling = {
  .hint = "L,L–L…|all",
  .rule = N_ ("numbers with commas between them, or “all”"),
  .check = layers_check,
  .dup = layers_dup,
  .apply = layers_apply,
};

static gboolean
head_check (const char *text)
{
  guint64 head;

  return parse_number (text, G_MAXUINT, &head);
}

/* Said only where it is not the first of the heads. */
static char *
head_dup (HlViewState *state)
{
  const guint head = hl_view_state_get_head (state);

  return head != get_first_head (hl_view_state_get_heads (state)) ? g_strdup_printf ("%u", head) : NULL;
}

static gboolean
head_apply (HlViewState *state,
            const char  *text,
            GError     **error)
{
  HlHeadSet alone = { { 0 } };
  guint64 head;

  if (!parse_number (text, G_MAXUINT, &head) || !check_head (state, head, error))
    return FALSE;
  /* Goes to a layer that has it. */
  hl_head_set_add (&alone, (guint) head);
  hl_view_state_set_heads (state, &alone);
  hl_view_state_go_to (state, hl_view_state_get_layer (state), (guint) head);
  return TRUE;
}

const HlStateSpelling hl_state_head_spelling = {
  .hint = "H",
  .rule = N_ ("a whole number in 0…4294967294"),
  .check = head_check,
  .dup = head_dup,
  .apply = head_apply,
};

/* No head of the layer, whatever others follow. */
static gboolean
begins_with_none (const char *text)
{
  return g_str_has_prefix (text, "none") && (text[4] == '\0' || text[4] == ',');
}

gboolean
hl_state_heads_parse (const char *text,
                      HlHeadSet  *heads,
                      GArray     *others)
{
  *heads = (HlHeadSet){ { 0 } };
  if (g_str_equal (text, "all"))
    memset (heads, 0xff, sizeof *heads);
  if (g_str_equal (text, "all"))
    return TRUE;

  g_auto (GStrv) parts = split_list (text, HL_LIMIT_ALL_HEADS + HL_LIMIT_HEADS);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  const guint first = begins_with_none (text) ? 1 : 0;
  guint n_own = 0;
  if (parts == NULL)
    return FALSE;
  for (guint i = first; parts[i] != NULL; i++)
    if (strchr (parts[i], '.') != NULL
          ? !hl_head_places_parse (others, known, parts[i])
          : first > 0 || ++n_own > HL_LIMIT_HEADS || !parse_list (parts[i], HL_LIMIT_HEADS, heads->bits))
      return FALSE;
  return parts[0] != NULL;
}

/* Of heads as they are written, those that have no layer before them; NULL for none. */
char *
hl_state_heads_dup_own (const char *heads)
{
  g_return_val_if_fail (heads != NULL, NULL);

  g_auto (GStrv) parts = g_strsplit (heads, ",", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  for (guint i = 0; parts[i] != NULL; i++)
    if (strchr (parts[i], '.') == NULL)
      g_strv_builder_add (builder, parts[i]);
  g_auto (GStrv) own = g_strv_builder_end (builder);
  return own[0] != NULL ? g_strjoinv (",", own) : NULL;
}

static gboolean
heads_check (const char *text)
{
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (HlHeadPlace));
  HlHeadSet heads;

  return hl_state_heads_parse (text, &heads, others);
}

static char *
heads_dup (HlViewState *state)
{
  const HlHeadSelection *selection = hl_view_state_get_selection (state);
  const gboolean merges = hl_view_state_get_shown (state)->merges_heads;
  const gboolean merges_layers = hl_view_state_get_shown (state)->merges_layers;
  const HlHeadSet *heads = hl_view_state_get_chosen_heads (state);
  const guint n = hl_head_set_count (heads);
  HlAttention *attention = hl_view_state_get_attention (state);
  const gboolean all = hl_head_selection_has_all (selection, attention);
  const gboolean has_several = hl_attention_get_max_heads (attention) > 1;
  guint n_others;
  const HlHeadPlace *others = hl_head_selection_get_others (selection, &n_others);

  /* Those of other layers cannot be named where heads or layers become one. */
  if (n_others > 0 && !merges && !merges_layers)
    {
      g_autofree char *own = n > 0 ? spell_list (heads->bits, HL_LIMIT_HEADS) : g_strdup ("none");
      g_autofree char *places = hl_head_places_format (others, n_others);
      return g_strdup_printf ("%s,%s", own, places);
    }
  if (hl_view_state_get_head (state) == 0 && hl_head_set_contains (heads, 0) &&
      (merges ? all : n == 1 && !(all && has_several)))
    return NULL;
  if (n == 0)
    return g_strdup ("none");
  return all && has_several ? g_strdup ("all") : spell_list (heads->bits, HL_LIMIT_HEADS);
}

static gboolean
check_others (HlViewState  *state,
              const GArray *others,
              GError      **error)
{
  HlAttention *attention = hl_view_state_get_attention (state);
  const HlShown *shown = hl_view_state_get_shown (state);

  if (others->len > 0 && (shown->merges_heads || shown->merges_layers))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                   _ ("heads of several layers cannot be named where heads or layers are combined"));
      return FALSE;
    }
  for (guint i = 0; i < others->len; i++)
    {
      const HlHeadPlace *place = &g_array_index (others, HlHeadPlace, i);
      if (!check_layer (state, place->layer, error))
        return FALSE;
      if (place->head < hl_attention_get_n_heads (attention, place->layer))
        continue;
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no head %u in layer %u; the last one is %u"),
                   place->head, place->layer, hl_attention_get_n_heads (attention, place->layer) - 1);
      return FALSE;
    }
  return TRUE;
}

/* Where heads of each layer or layers become one, of some that are named the layer that is looked at may have none. */
static gboolean
check_heads (HlViewState     *state,
             const HlHeadSet *heads,
             GError         **error)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  const guint n_heads = count_heads (state);
  const gboolean reaches = (shown->merges_heads || shown->merges_layers) && get_first_head (heads) < n_heads;

  for (guint head = reaches ? hl_attention_get_max_heads (hl_view_state_get_attention (state)) : n_heads;
       head < HL_LIMIT_HEADS; head++)
    if (hl_head_set_contains (heads, head))
      return check_head (state, head, error);
  return TRUE;
}

static gboolean
heads_apply (HlViewState *state,
             const char  *text,
             GError     **error)
{
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (HlHeadPlace));
  HlHeadSet heads;

  if (!hl_state_heads_parse (text, &heads, others) || !check_others (state, others, error) ||
      (!g_str_equal (text, "all") && !check_heads (state, &heads, error)))
    return FALSE;
  hl_view_state_set_heads (state, &heads);
  g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (state));
  hl_head_selection_set_others (&selection, &g_array_index (others, HlHeadPlace, 0), others->len);
  /* All are named with their layers: that of the first is the one that is looked at. */
  if (others->len > 0 && hl_head_set_count (&heads) == 0 && !begins_with_none (text))
    hl_head_selection_lead_other (&selection, hl_view_state_get_attention (state));
  hl_view_state_set_selection (state, &selection);
  return TRUE;
}

const HlStateSpelling hl_state_heads_spelling = {
  .hint = "H,H–H,L.H…|all|none",
  .rule = N_ ("numbers with commas between them, L.H for a head of another layer, “all” or “none”"),
  .check = heads_check,
  .dup = heads_dup,
  .apply = heads_apply,
};
