/* SPDX-License-Identifier: MIT */
/*
 * The page is a frame of HTML, a style, a script, and between them one object of JSON: the maps, their tokens, what is
 * seen first, and the words and colours of the program. Headlight reads that object again.
 */
#include "draw/page/hl-page.h"

#include "config.h"
#include "core/analysis/number/hl-head-used.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/compare/hl-difference-source.h"
#include "core/source/derive/hl-sink-source.h"
#include "core/source/derive/hl-transpose-source.h"
#include "draw/page/hl-page-json.h"
#include "draw/page/hl-page-numbers.h"
#include "hl-page-resources.h"
#include "draw/head-view/hl-head-view-layout.h"
#include "draw/heatmap/hl-heatmap-cell.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-theme.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define RESOURCE_PREFIX "/org/headlight/page/"

#define N_COLOURS 256

/* The most characters of what the page is called by: the text is in it whole all the same, and no model has such a name. */
#define MAX_TITLE 1000

static const char *const themes[] = { "light", "dark" };

/* The words of the script, by the names it has for them. What stands in braces is put in by it. */
static const struct
{
  const char *name;
  const char *text;
} words[] = {
  { "view", N_ ("View") },
  { "head_view", N_ ("Head View") },
  { "heatmap", N_ ("Heatmap") },
  { "heads", N_ ("Heads") },
  { "heads_hint",
    N_ ("Click: show a head. Ctrl+click or space: add it, or take it away. A layer’s number: all its heads.") },
  { "layer", N_ ("layer {layer}") },
  { "head", N_ ("head {head}") },
  { "heads_of", N_ ("heads {heads}") },
  { "heads_of_layers", N_ ("heads {heads} (layer.head)") },
  { "all_of_layer", N_ ("All Heads of Layer {layer}") },
  { "lines_to", N_ ("lines to the strongest, {weight}") },
  { "lines_to_least", N_ ("lines to {whole}, the strongest {weight}") },
  { "lines_from", N_ ("lines from {weight} on, those of a token all") },
  { "colours_to", N_ ("colours from {least} to {greatest}") },
  { "colours_row", N_ ("colours relative to the strongest of each row") },
  { "colours_log", N_ ("colours logarithmic, from {least} to {greatest}") },
  { "signed", N_ ("blue above zero, orange below") },
  { "token_hint", N_ ("Point at a token, or move with the arrow keys. Enter keeps it, Escape lets it go.") },
  { "cell_hint", N_ ("Point at a cell, or move with the arrow keys.") },
  { "strongest", N_ ("Strongest") },
  { "pinned", N_ ("pinned") },
  { "head_says", N_ ("head {head}: {list}") },
  { "nothing", N_ ("nothing") },
  { "masked", N_ ("masked") },
};

static void
append_colour (GString *json,
               guint32  pixel)
{
  g_string_append_printf (json, "%06x", pixel & 0xFFFFFF);
}

/* From the least number to the greatest. */
static void
append_map (GString       *json,
            const HlShown *shown,
            HlColourMap    map,
            gboolean       dark)
{
  const gboolean is_signed = hl_attention_source_is_signed (shown->source);

  g_string_append_c (json, '"');
  for (guint i = 0; i < N_COLOURS; i++)
    {
      const double t = i / (double) (N_COLOURS - 1);
      append_colour (json, is_signed ? hl_diverging_map_lookup (dark, 2 * t - 1) : hl_colour_map_lookup (map, dark, t));
    }
  g_string_append_c (json, '"');
}

static void
append_heads (GString *json,
              gboolean dark)
{
  g_string_append_c (json, '"');
  for (guint i = 0; i < HL_PALETTE_SIZE; i++)
    {
      const HlColour colour = hl_palette_get_head_colour (i, dark);
      append_colour (json, hl_colour_to_pixel (&colour));
    }
  g_string_append_c (json, '"');
}

/* The rule of how wide and high cells are; see hl_heatmap_cell_fit(). */
static void
append_cells (GString *json)
{
  hl_page_json_begin_member (json, "cells");
  g_string_append_c (json, '{');
  hl_page_json_begin_member (json, "ratio");
  hl_page_json_append_number (json, HL_HEATMAP_LEAST_RATIO);
  hl_page_json_begin_member (json, "part");
  hl_page_json_append_number (json, HL_HEATMAP_LEAST_PART);
  hl_page_json_begin_member (json, "most");
  hl_page_json_append_number (json, HL_HEATMAP_MAX_FIT_CELL);
  g_string_append_c (json, '}');
}

/* Each theme has what the program has: its own colours, those of heads, and those of numbers. */
static void
append_themes (GString       *json,
               const HlShown *shown)
{
  hl_page_json_begin_member (json, "themes");
  g_string_append_c (json, '{');
  for (guint dark = 0; dark < 2; dark++)
    {
      const HlTheme *theme = hl_theme_get (dark);
      const HlColour below = hl_diverging_map_get_end (dark, TRUE), above = hl_diverging_map_get_end (dark, FALSE);
      const struct
      {
        const char *name;
        const HlColour *colour;
      } colours[] = {
        { "background", &theme->background },
        { "foreground", &theme->foreground },
        { "muted", &theme->muted },
        { "grid", &theme->grid },
        { "accent", &theme->accent },
        { "masked", &theme->masked },
        { "hatch", &theme->hatch },
        { "below", &below },
        { "above", &above },
      };

      hl_page_json_begin_member (json, themes[dark]);
      g_string_append_c (json, '{');
      for (guint i = 0; i < G_N_ELEMENTS (colours); i++)
        {
          hl_page_json_begin_member (json, colours[i].name);
          g_string_append_c (json, '"');
          append_colour (json, hl_colour_to_pixel (colours[i].colour));
          g_string_append_c (json, '"');
        }
      hl_page_json_begin_member (json, "heads");
      append_heads (json, dark);
      hl_page_json_begin_member (json, "map");
      append_map (json, shown, shown->options.colour_map, dark);
      hl_page_json_begin_member (json, "thumbnails");
      append_map (json, shown, HL_COLOUR_MAP_PAPER, dark);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, '}');
}

static void
append_strings (GString           *json,
                const char        *name,
                const char *const *strings,
                HlRange            range)
{
  hl_page_json_begin_member (json, name);
  g_string_append_c (json, '[');
  for (gsize i = 0; i < range.n; i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      hl_page_json_append_string (json, strings[range.first + i]);
    }
  g_string_append_c (json, ']');
}

static gboolean
are_same (const char *const *a,
          HlRange            range_a,
          const char *const *b,
          HlRange            range_b)
{
  if (range_a.n != range_b.n)
    return FALSE;
  for (gsize i = 0; i < range_a.n; i++)
    if (!g_str_equal (a[range_a.first + i], b[range_b.first + i]))
      return FALSE;
  return TRUE;
}

/* Tokens as the tokenizer spells them, and as they are read where that differs. */
static void
append_tokens (GString       *json,
               const HlShown *shown)
{
  static const char *const names[] = { "query_tokens", "key_tokens" };
  static const char *const label_names[] = { "query_labels", "key_labels" };
  const char *const *tokens[2], *const *labels[2];

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      tokens[side] = hl_attention_get_tokens (shown->attention, side);
      labels[side] = hl_attention_get_texts (shown->attention, side);
    }
  const gboolean same = are_same (tokens[0], shown->ranges[0], tokens[1], shown->ranges[1]);
  for (HlSide side = HL_QUERIES; side <= (same ? HL_QUERIES : HL_KEYS); side++)
    {
      append_strings (json, same ? "tokens" : names[side], tokens[side], shown->ranges[side]);
      if (!are_same (tokens[side], shown->ranges[side], labels[side], shown->ranges[side]))
        append_strings (json, same ? "labels" : label_names[side], labels[side], shown->ranges[side]);
    }
}

/* The scores of learned sinks, by which who opens the page knows what rows leave of 1. */
static void
append_sinks (GString           *json,
              HlAttention       *attention,
              const HlPageLayer *layer)
{
  const float *sinks = hl_attention_get_rule (attention, layer->layer)->sinks;

  if (sinks == NULL)
    return;
  hl_page_json_begin_member (json, "sinks");
  for (guint i = 0; i < layer->n_heads; i++)
    {
      g_string_append_c (json, i > 0 ? ',' : '[');
      hl_page_json_append_number (json, sinks[layer->heads[i]]);
    }
  g_string_append_c (json, ']');
}

/* @of_sinks: (nullable): whose learned sinks stand behind the numbers */
static void
append_numbers (GString             *json,
                const HlPageNumbers *numbers,
                HlAttention         *of_sinks)
{
  hl_page_json_begin_member (json, "range");
  g_string_append_c (json, '[');
  hl_page_json_append_number (json, numbers->min);
  g_string_append_c (json, ',');
  hl_page_json_append_number (json, numbers->max);
  g_string_append_c (json, ']');
  hl_page_json_append_integer (json, "steps", HL_PAGE_STEPS);
  hl_page_json_append_integer (json, "masked", HL_PAGE_MASKED);
  hl_page_json_begin_member (json, "layers");
  g_string_append_c (json, '[');
  for (guint i = 0; i < numbers->layers->len; i++)
    {
      const HlPageLayer *layer = &g_array_index (numbers->layers, HlPageLayer, i);
      g_autofree char *encoded = hl_page_numbers_encode (numbers, i);

      g_string_append (json, i > 0 ? ",\n{" : "{");
      hl_page_json_append_integer (json, "layer", layer->layer);
      hl_page_json_begin_member (json, "heads");
      for (guint j = 0; j < layer->n_heads; j++)
        g_string_append_printf (json, "%c%u", j > 0 ? ',' : '[', layer->heads[j]);
      g_string_append_c (json, ']');
      if (layer->names != NULL)
        append_strings (json, "names", (const char *const *) layer->names, (HlRange){ 0, layer->n_heads });
      if (of_sinks != NULL)
        append_sinks (json, of_sinks, layer);
      hl_page_json_append_member (json, "numbers", encoded);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
}

/* The heads that are seen at first, the one that leads before the others. */
static void
append_selection (GString             *json,
                  const HlShown       *shown,
                  const HlPageNumbers *numbers)
{
  guint n;
  g_autofree HlShownHead *heads = hl_shown_list_heads (shown, &n);
  const gboolean takes_all = !shown->shows_one_head && !shown->merges_heads;

  hl_page_json_begin_member (json, "selected");
  g_string_append_printf (json, "[[%u,%u]", shown->layer, shown->head);
  for (guint i = 0; takes_all && i < n; i++)
    if ((heads[i].layer != shown->layer || heads[i].head != shown->head) &&
        hl_page_numbers_have (numbers, heads[i].layer, heads[i].head))
      g_string_append_printf (json, ",[%u,%u]", heads[i].layer, heads[i].head);
  g_string_append_c (json, ']');
}

/* Who opens the page turns maps back whose rows are keys: what is said of them is said of these. */
static HlAttentionSource *
get_upright (HlAttentionSource *source)
{
  return HL_IS_TRANSPOSE_SOURCE (source) ? hl_derived_source_get_origin (HL_DERIVED_SOURCE (source)) : source;
}

/* On which side of what is seen its queries or keys are. */
static HlSide
find_side (const HlShown *shown,
           HlSide         side)
{
  return hl_attention_is_transposed (shown->attention) ? hl_side_get_other (side) : side;
}

/* What is not weights is called by its name where the page is opened again. */
static char *
dup_quantity (const HlShown *shown)
{
  const gboolean is_weight = shown->lens.quantity == HL_QUANTITY_WEIGHT && shown->lens.combine == HL_COMBINE_NONE &&
                             !hl_attention_source_is_signed (shown->source) &&
                             hl_attention_get_quantity (shown->original) == NULL;

  if (shown->comparison != NULL)
    return hl_difference_source_name_quantity (get_upright (hl_comparison_get_source_a (shown->comparison)),
                                               get_upright (hl_comparison_get_source_b (shown->comparison)));
  return is_weight ? NULL : g_strdup (hl_attention_source_get_quantity (get_upright (shown->source)));
}

/* Whether nothing of a row but its sink is missing on the page: each key of the document, or each that rows were made to sum to one of. */
static gboolean
has_all_keys (const HlShown *shown)
{
  const HlSide keys = find_side (shown, HL_KEYS);
  HlTokenMap *map = hl_attention_get_map (shown->attention, keys);
  const HlTokenSpan *spans = hl_token_map_get_spans (map);
  const gsize n_used = hl_attention_get_n_used (shown->original, HL_KEYS);
  const HlRange range = shown->ranges[keys];
  gsize n_here = 0, n_shown = 0;

  for (gsize i = 0; i < hl_token_map_get_n (map); i++)
    {
      const gsize n = MIN (spans[i].first + spans[i].n, n_used) - MIN (spans[i].first, n_used);
      n_shown += n;
      if (i >= range.first && i - range.first < range.n)
        n_here += n;
    }
  return n_here == (shown->lens.renormalise ? n_shown : n_used);
}

/* Whether the first key stands for learned sinks of heads of the document, and for no token; who opens the page takes what a row lacks
 * for them. */
static gboolean
has_sink (const HlShown *shown)
{
  const HlSide keys = find_side (shown, HL_KEYS);
  g_autofree char *quantity = dup_quantity (shown);

  return quantity == NULL && hl_sink_is_at (shown->attention, keys, shown->ranges[keys].first) && has_all_keys (shown);
}

/* Whether tokens are none that the document has, but its positions, all of them. */
static gboolean
is_unnamed (const HlShown *shown)
{
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (hl_attention_has_tokens (shown->attention, side) || hl_attention_get_map (shown->attention, side) != NULL ||
        shown->ranges[side].first > 0)
      return FALSE;
  return shown->queries.n == shown->keys.n;
}

/* As who opens the page takes it: the last query stands at the last key. */
static gboolean
is_causal (const HlShown       *shown,
           const HlPageNumbers *numbers)
{
  HlAttentionSource *source = get_upright (shown->source);
  const gsize n_queries = hl_attention_source_get_n (source, HL_QUERIES);
  const gsize n_keys = hl_attention_source_get_n (source, HL_KEYS);
  const HlRange queries = shown->ranges[find_side (shown, HL_QUERIES)];
  const HlRange keys = shown->ranges[find_side (shown, HL_KEYS)];

  for (guint i = 0; i < numbers->layers->len; i++)
    {
      const HlPageLayer *layer = &g_array_index (numbers->layers, HlPageLayer, i);
      const HlMask *mask = hl_attention_source_get_mask (source, layer->layer);
      if (!mask->causal || mask->transposed ||
          hl_mask_get_position (mask, n_queries, n_keys, queries.first + queries.n) != (gint64) (keys.first + keys.n))
        return FALSE;
    }
  return TRUE;
}

/* Which of the queries or keys of the page is the first of the second text; 0 where the page does not have both texts of them. */
static gsize
find_second (const HlShown *shown,
             HlSide         side)
{
  const HlRange range = shown->ranges[side];
  const gsize b = hl_shown_get_sentence_b (shown, side);

  return b > range.first && b < range.first + range.n ? b - range.first : 0;
}

/* The tokens of a side of the page, from @n_sinks on, and those of them that are no padding. */
typedef struct
{
  gint64 n;
  gint64 first;
  gint64 end;
} Text;

static Text
find_text (const HlShown    *shown,
           const HlHeadUsed *used,
           HlSide            side,
           gsize             n_sinks)
{
  const gint64 start = (gint64) (shown->ranges[side].first + n_sinks);
  const gint64 n = (gint64) (shown->ranges[side].n - n_sinks);
  const gint64 first = CLAMP ((gint64) used->first[side] - start, 0, n);

  return (Text){ n, first, CLAMP ((gint64) used->end[side] - start, first, n) };
}

static gboolean
is_text (Text   text,
         gint64 token)
{
  return token >= text.first && token < text.end;
}

/* Whether there is more than zeros of padding in rows of text, as of what lies between a row and a column, and of a difference from tokens that are
 * none. */
static gboolean
has_padding_numbers (const HlShown       *shown,
                     const HlPageNumbers *numbers,
                     Text                 queries,
                     Text                 keys,
                     gsize                n_sinks)
{
  const HlSide query_side = find_side (shown, HL_QUERIES);
  const gsize n_columns = shown->ranges[HL_KEYS].n;

  if (keys.first == 0 && keys.end == keys.n)
    return FALSE;
  for (guint i = 0; i < numbers->layers->len; i++)
    {
      const HlPageLayer *layer = &g_array_index (numbers->layers, HlPageLayer, i);
      for (gsize cell = 0; cell < layer->n_heads * numbers->n_map; cell++)
        {
          const gsize places[] = { cell % numbers->n_map / n_columns, cell % n_columns };
          const gint64 query = (gint64) places[query_side];
          const gint64 key = (gint64) places[hl_side_get_other (query_side)] - (gint64) n_sinks;

          if (layer->maps[cell] != 0 && isfinite (layer->maps[cell]) && is_text (queries, query) && key >= 0 &&
              !is_text (keys, key))
            return TRUE;
        }
    }
  return FALSE;
}

static void
append_mask (GString    *json,
             const char *name,
             Text        text)
{
  if ((text.first == 0 && text.end == text.n) || text.end == text.first)
    return;
  hl_page_json_begin_member (json, name);
  for (gint64 i = 0; i < text.n; i++)
    g_string_append_printf (json, "%c%d", i > 0 ? ',' : '[', is_text (text, i));
  g_string_append_c (json, ']');
}

/* Which tokens a mask says are padding. It is said of keys; who opens the page takes the queries at their places for padding, and where those are not
 * the ones that are, or keys have numbers all the same, nothing is said. */
static void
append_padding (GString             *json,
                const HlShown       *shown,
                const HlPageNumbers *numbers,
                HlAttentionKind      kind,
                gboolean             causal)
{
  const HlHeadUsed used = hl_head_used_find (shown->attention, shown->source);
  const HlSide key_side = find_side (shown, HL_KEYS);
  const gboolean drops_sink = has_sink (shown);
  const Text queries = find_text (shown, &used, find_side (shown, HL_QUERIES), 0);
  const Text keys = find_text (shown, &used, key_side, drops_sink);
  const gint64 lead = causal ? keys.n - queries.n : 0;
  const gboolean follows = (causal || keys.n == queries.n) &&
                           queries.first == CLAMP (keys.first - lead, 0, queries.n) &&
                           queries.end == CLAMP (keys.end - lead, 0, queries.n);

  /* A sink that stays a key stands before the padding, and is none. */
  if (!drops_sink && hl_sink_is_at (shown->attention, key_side, shown->ranges[key_side].first))
    return;
  if (kind == HL_ATTENTION_CROSS)
    append_mask (json, "query_mask", queries);
  if ((kind == HL_ATTENTION_CROSS || follows) && !has_padding_numbers (shown, numbers, queries, keys, drops_sink))
    append_mask (json, "key_mask", keys);
}

/* What Headlight needs to know when it opens the page. */
static void
append_facts (GString             *json,
              HlViewState         *state,
              const HlPageNumbers *numbers)
{
  static const char *const kinds[] = { "self", "encoder", "decoder", "cross" };
  const HlShown *shown = hl_view_state_get_shown (state);
  const HlAttentionKind kind = hl_attention_get_kind (shown->original);
  const gboolean causal = kind == HL_ATTENTION_SELF && is_causal (shown, numbers);
  const HlSide queries = find_side (shown, HL_QUERIES), keys = find_side (shown, HL_KEYS);
  const gssize lead = causal ? (gssize) shown->ranges[keys].n - (gssize) shown->ranges[queries].n : 0;
  const gssize second = (gssize) find_second (shown, keys), second_query = (gssize) find_second (shown, queries);
  const guint n_layers = hl_attention_source_get_n_layers (shown->source);
  g_autofree char *quantity = dup_quantity (shown);

  hl_page_json_append_member (json, "kind", kinds[kind]);
  hl_page_json_append_member (json, "text", hl_example_get_text (hl_view_state_get_example (state)));
  hl_page_json_append_member (json, "text_pair", hl_example_get_text_pair (hl_view_state_get_example (state)));
  hl_page_json_append_member (json, "quantity", quantity);
  if (causal)
    hl_page_json_append_integer (json, "causal", 1);
  if (is_unnamed (shown))
    hl_page_json_append_integer (json, "unnamed", 1);
  if (has_sink (shown))
    hl_page_json_append_integer (json, "sink", 1);
  append_padding (json, shown, numbers, kind, causal);
  /* It is said of keys; where queries stand among them, that of queries follows, and may be before the first. */
  if (second > 0 && (second_query > 0 ? second == second_query + lead : causal && second <= lead))
    hl_page_json_append_integer (json, "sentence_b_start", second);
  if (numbers->n_left == 0)
    hl_page_json_append_integer (json, "n_layers", n_layers);
}

static char *
dup_precision (const HlPageNumbers *numbers)
{
  const double half = (numbers->max - numbers->min) / HL_PAGE_STEPS / 2;
  const double unit = half > 0 ? pow (10, floor (log10 (half))) : 1;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  /* A bound is not rounded down. */
  g_ascii_formatd (number, sizeof number, "%.1g", ceil (half / unit) * unit);
  /* Translators: %s is a small number, as 8e-06 */
  return g_strdup_printf (_ ("Numbers are exact to ±%s."), number);
}

static char *
dup_left_out (const HlPageNumbers *numbers)
{
  if (numbers->n_left == 0)
    return NULL;
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u head is left out: a page holds at most %d million numbers.",
                                       "%u heads are left out: a page holds at most %d million numbers.",
                                       numbers->n_left),
                          numbers->n_left, (int) (HL_LIMIT_PAGE_NUMBERS / 1000000));
}

/* How the page begins, and what it says. */
static void
append_look (GString             *json,
             HlViewState         *state,
             const HlPageNumbers *numbers)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  g_autoptr (GEnumClass) scales = g_type_class_ref (HL_TYPE_VALUE_SCALE_KIND);
  const gboolean transposed = hl_attention_is_transposed (shown->attention);
  g_autofree char *about = hl_view_state_describe_maps (state);
  g_autofree char *precision = dup_precision (numbers);
  g_autofree char *left_out = dup_left_out (numbers);
  const char *sides[] = { _ ("Queries"), _ ("Keys") };
  const char *shares[] = { _ ("share of the row held by keys no stronger"),
                           _ ("share of the row held by queries no stronger") };
  const char *says[] = { _ ("“{token}” attends to {list}"), _ ("“{token}” is attended to by {list}") };

  hl_page_json_append_member (json, "about", about);
  hl_page_json_append_member (json, "precision", precision);
  hl_page_json_append_member (json, "left_out", left_out);
  hl_page_json_append_member (json, "view", shown->options.view == HL_VIEW_HEATMAP ? "heatmap" : "head-view");
  hl_page_json_append_member (json, "scale", g_enum_get_value (scales, (int) shown->value_scale)->value_nick);
  /* The column of a token as a key less its row as a query: texts of a pair begin at different ones. */
  hl_page_json_begin_member (json, "diagonal");
  hl_page_json_append_number (json, (double) shown->queries.first - (double) shown->keys.first);
  hl_page_json_append_integer (json, "signed", hl_attention_source_is_signed (shown->source));
  hl_page_json_begin_member (json, "least_whole");
  hl_page_json_append_number (json, hl_shown_get_least_whole (shown));
  append_cells (json);
  hl_page_json_begin_member (json, "spread");
  hl_page_json_append_number (json, HL_HEAD_VIEW_SPREAD_RATIO);
  hl_page_json_append_integer (json, "merges_heads", shown->merges_heads);
  hl_page_json_append_integer (json, "merges_layers", shown->merges_layers);
  hl_page_json_append_integer (json, "right_to_left", shown->reads_right_to_left);
  hl_page_json_append_integer (json, "transposed", transposed);
  append_selection (json, shown, numbers);
  hl_page_json_begin_member (json, "second");
  g_string_append_printf (json, "[%zu,%zu]", find_second (shown, HL_QUERIES), find_second (shown, HL_KEYS));
  hl_page_json_begin_member (json, "words");
  g_string_append_c (json, '{');
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    hl_page_json_append_member (json, words[i].name, _ (words[i].text));
  hl_page_json_append_member (json, "queries", sides[transposed]);
  hl_page_json_append_member (json, "keys", sides[!transposed]);
  hl_page_json_append_member (json, "cumulative", shares[transposed]);
  /* In a difference, what is no number is mostly what has none to be subtracted from. */
  hl_page_json_append_member (json, "not_a_number", shown->comparison != NULL ? _ ("not in both") : _ ("NaN"));
  hl_page_json_append_member (json, "query_says", says[transposed]);
  hl_page_json_append_member (json, "key_says", says[!transposed]);
  g_string_append_c (json, '}');
  append_themes (json, shown);
}

static char *
dup_whole_title (HlViewState *state,
                 const char  *title)
{
  const char *text = hl_example_get_text (hl_view_state_get_example (state));
  const char *pair = hl_example_get_text_pair (hl_view_state_get_example (state));

  if (title != NULL && *title != '\0')
    return g_strdup (title);
  if (text == NULL || *text == '\0')
    return g_strdup (_ ("Attention"));
  return pair != NULL && *pair != '\0' ? g_strdup_printf ("%s / %s", text, pair) : g_strdup (text);
}

static char *
dup_title (HlViewState *state,
           const char  *title)
{
  g_autofree char *whole = dup_whole_title (state, title);
  char *start = hl_utf8_shorten (whole, MAX_TITLE);

  hl_utf8_flatten (start);
  return start;
}

static void
append_data (GString             *html,
             HlViewState         *state,
             const char          *title,
             const char          *model,
             const HlPageNumbers *numbers)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  g_autoptr (GString) json = g_string_new ("{");
  g_autofree char *model_start = model != NULL ? hl_utf8_shorten (model, MAX_TITLE) : NULL;

  hl_page_json_append_integer (json, "headlight", 1);
  hl_page_json_append_member (json, "generator", "Headlight " HL_VERSION);
  hl_page_json_append_member (json, "title", title);
  hl_page_json_append_member (json, "model", model_start);
  append_facts (json, state, numbers);
  append_tokens (json, shown);
  append_look (json, state, numbers);
  append_numbers (json, numbers, has_sink (shown) ? shown->original : NULL);
  g_string_append_c (json, '}');
  g_string_append_len (html, json->str, (gssize) json->len);
}

static void
append_resource (GString    *html,
                 const char *name)
{
  g_autofree char *path = g_strconcat (RESOURCE_PREFIX, name, NULL);
  g_autoptr (GBytes) bytes = g_resource_lookup_data (hl_page_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  g_string_append_len (html, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
}

/* The language of the words, as HTML calls it: "zh-CN". The catalogue that they are from says it. */
static char *
dup_language (void)
{
  const char *line = strstr (dgettext (GETTEXT_PACKAGE, ""), "\nLanguage: ");

  if (line == NULL)
    return g_strdup ("en");
  line += strlen ("\nLanguage: ");
  return g_strdelimit (g_strndup (line, strspn (line, G_CSET_a_2_z G_CSET_A_2_Z "_")), "_", '-');
}

/*
 * Makes a page of what a view state shows: all layers and heads of its maps, as far as HL_LIMIT_PAGE_NUMBERS go, with the heads
 * and the view of now to begin with. It asks no network for anything. Without a title it has the text as one. May be called
 * from any thread that has the state for itself.
 */
GBytes *
hl_page_make (HlViewState  *state,
              const char   *title,
              const char   *model,
              GCancellable *cancellable,
              GError      **error)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), NULL);

  g_autoptr (HlPageNumbers) numbers = hl_page_numbers_new (state, cancellable, error);
  if (numbers == NULL)
    return NULL;
  g_autoptr (GBytes) frame_bytes =
    g_resource_lookup_data (hl_page_get_resource (), RESOURCE_PREFIX "page.html", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *frame = g_strndup (g_bytes_get_data (frame_bytes, NULL), g_bytes_get_size (frame_bytes));
  g_autofree char *full_title = dup_title (state, title);
  g_autofree char *language = dup_language ();
  GString *html = g_string_new (NULL);
  g_auto (GStrv) parts = g_strsplit (frame, "@", -1);

  /* Names stand between marks: every second part is one. */
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (i % 2 == 0)
        g_string_append (html, parts[i]);
      else if (g_str_equal (parts[i], "language"))
        g_string_append (html, language);
      else if (g_str_equal (parts[i], "generator"))
        g_string_append (html, "Headlight " HL_VERSION);
      else if (g_str_equal (parts[i], "title"))
        hl_page_append_html (html, full_title);
      else if (g_str_equal (parts[i], "needs-script"))
        hl_page_append_html (html, _ ("This page draws with JavaScript, which is switched off here."));
      else if (g_str_equal (parts[i], "data"))
        append_data (html, state, full_title, model, numbers);
      else
        append_resource (html, parts[i]);
    }
  return g_string_free_to_bytes (html);
}
