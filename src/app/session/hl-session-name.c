/* SPDX-License-Identifier: MIT */
/* What files are called that are made of what a session shows: where it is from, then what is seen of it. */
#include "config.h"

#include "app/session/hl-session-name.h"

#include "core/base/hl-utf8.h"

#include <string.h>

/* Bytes of a name, of which most file systems take 255, without an ending; and so many of them are its end, which says what is seen. */
#define MAX_BYTES 200
#define MAX_END 80

/* Letters of a text that a file's name takes. */
#define MAX_TEXT 24

/* Of single layers or heads. */
#define MAX_NAMED 6

/* "-layer3", "-layers0-2", "-all-layers"; likewise of heads. */
static void
append_indices (GString       *name,
                const char    *what,
                const guint64 *bits,
                guint          n_chosen,
                guint          n)
{
  if (n_chosen == n && n > 1)
    {
      g_string_append_printf (name, "-all-%ss", what);
      return;
    }
  if (n_chosen > MAX_NAMED)
    {
      g_string_append_printf (name, "-%u-%ss", n_chosen, what);
      return;
    }
  g_autofree char *separator = g_strdup_printf (n_chosen == 1 ? "-%s" : "-%ss", what);
  for (guint i = 0; i < n; i++)
    if (hl_bits_contain (bits, i))
      {
        g_string_append_printf (name, "%s%u", separator, i);
        g_free (separator);
        separator = g_strdup ("-");
      }
}

/* Behind those of the layer, "-layer1-heads7-11", or "-and-9-heads". Without a dot, behind which one looks for the format. */
static void
append_others (GString       *name,
               const HlShown *shown)
{
  if (shown->n_others > MAX_NAMED)
    {
      g_string_append_printf (name, "-and-%u-heads", shown->n_others);
      return;
    }
  for (guint i = 0; i < shown->n_others; i++)
    {
      const guint layer = shown->others[i].layer;
      const gboolean goes_on = i + 1 < shown->n_others && shown->others[i + 1].layer == layer;

      if (i == 0 || shown->others[i - 1].layer != layer)
        g_string_append_printf (name, "-layer%u-head%s", layer, goes_on ? "s" : "");
      else
        g_string_append_c (name, '-');
      g_string_append_printf (name, "%u", shown->others[i].head);
    }
}

static void
append_heads (GString     *name,
              HlViewState *state)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  HlHeadSet heads = *hl_view_state_get_chosen_heads (state);
  const guint n = shown->merges_heads    ? hl_attention_get_max_heads (hl_view_state_get_attention (state))
                  : shown->merges_layers ? shown->n_heads
                                         : hl_view_state_get_n_heads (state);

  hl_head_set_truncate (&heads, n);
  if (hl_shown_takes_heads (shown))
    {
      append_indices (name, "head", heads.bits, hl_head_set_count (&heads), n);
      if (hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->mixes_layers)
        append_others (name, shown);
    }
  else
    g_string_append_printf (name, "-head%u", hl_view_state_get_head (state));
}

static void
append_layers (GString     *name,
               HlViewState *state)
{
  const HlLayerSet *layers = hl_view_state_get_layers (state);

  if (hl_view_state_get_shown (state)->merges_layers)
    append_indices (name, "layer", layers->bits, hl_layer_set_count (layers),
                    hl_attention_get_n_layers (hl_view_state_get_attention (state)));
  else
    g_string_append_printf (name, "-layer%u", hl_view_state_get_layer (state));
}

/* What was made of weights before they were shown. */
static void
append_quantity (GString     *name,
                 HlViewState *state)
{
  HlAttention *shown = hl_view_state_get_shown (state)->attention;
  const char *head_name = hl_attention_get_head_name (shown);
  const char *combined = head_name != NULL ? head_name : hl_attention_get_layer_name (shown);

  if (combined != NULL)
    g_string_append_printf (name, "-%s", combined);
  if (hl_attention_is_transposed (shown))
    g_string_append (name, "-transposed");
  else if (hl_view_state_get_options (state)->direction == HL_DIRECTION_ASYMMETRY && hl_lens_has_asymmetry (shown))
    g_string_append (name, "-asymmetry");
}

/* The first words of a text, as they can stand in a file's name. */
static void
append_text (GString    *name,
             const char *text)
{
  gsize n_characters = 0, last_gap = 0;
  gboolean gap = TRUE;

  for (const char *c = text; *c != '\0' && n_characters < MAX_TEXT; c = g_utf8_next_char (c))
    {
      const gunichar character = g_utf8_get_char (c);
      if (!g_unichar_isalnum (character) && !g_unichar_ismark (character))
        {
          gap = TRUE;
          continue;
        }
      if (gap)
        {
          last_gap = n_characters > 0 ? name->len : 0;
          g_string_append_c (name, '-');
        }
      g_string_append_unichar (name, g_unichar_tolower (character));
      gap = FALSE;
      n_characters++;
    }
  /* Whole words, if there is more than one. */
  if (n_characters == MAX_TEXT && !gap && last_gap > 0)
    g_string_truncate (name, last_gap);
}

static GString *
start_name (HlSession *self)
{
  GString *name = g_string_new (hl_session_get_title (self));
  const char *text = hl_example_get_text (hl_view_state_get_example (hl_session_get_view_state (self)));

  if (hl_session_get_live (self) == NULL)
    {
      const char *dot = strrchr (name->str, '.');
      if (dot != NULL && dot > name->str)
        g_string_truncate (name, dot - name->str);
    }
  else if (text != NULL)
    append_text (name, text);
  return name;
}

static void
append_attention (GString   *name,
                  HlSession *self)
{
  HlViewState *state = hl_session_get_view_state (self);
  HlExample *example = hl_view_state_get_example (state);
  HlAttention *attention = hl_view_state_get_attention (state);

  if (hl_document_get_n_examples (hl_session_get_document (self)) > 1)
    g_string_append_printf (name, "-%s", hl_example_get_name (example));
  if (hl_example_get_n_attentions (example) > 1)
    g_string_append_printf (name, "-%s", hl_attention_kind_get_name (hl_attention_get_kind (attention)));
}

static void
append_place (GString   *name,
              HlSession *self)
{
  HlViewState *state = hl_session_get_view_state (self);

  append_attention (name, self);
  if (!hl_view_state_get_shown (state)->is_plain)
    append_quantity (name, state);
  append_layers (name, state);
}

/* Leaves the middle out of what is too long for a name. */
static void
shorten (GString *name)
{
  static const char gap[] = "…";

  if (name->len <= MAX_BYTES)
    return;
  const char *end = g_utf8_find_next_char (name->str + name->len - MAX_END - 1, NULL);
  const char *cut = g_utf8_find_prev_char (name->str, name->str + MAX_BYTES - MAX_END - strlen (gap) + 1);
  g_string_erase (name, cut - name->str, end - cut);
  g_string_insert (name, cut - name->str, gap);
}

static char *
finish_name (GString *name)
{
  /* Examples may be named anything. */
  g_strdelimit (name->str, "/\\\n", '-');
  hl_utf8_flatten (name->str);
  shorten (name);
  return g_string_free (name, FALSE);
}

/* “dump”; with the first words of what was typed for a model. */
char *
hl_session_dup_document_name (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);

  return finish_name (start_name (self));
}

/* “-grid-entropy”. */
static void
append_chart (GString     *name,
              HlViewState *state)
{
  const HlHeadMeasure number = hl_view_state_get_charted (state);
  g_autoptr (GEnumClass) charts = g_type_class_ref (HL_TYPE_CHART_KIND);
  g_autoptr (GEnumClass) measures = g_type_class_ref (HL_TYPE_HEAD_MEASURE);

  g_string_append_printf (name, "-%s",
                          g_enum_get_value (charts, (int) hl_view_state_get_options (state)->chart)->value_nick);
  if (number != HL_HEAD_MEASURE_NONE)
    g_string_append_printf (name, "-%s", g_enum_get_value (measures, (int) number)->value_nick);
}

/* “dump-head-view-layer3-head5”. */
char *
hl_session_dup_figure_name (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);

  HlViewState *state = hl_session_get_view_state (self);
  const HlViewTraits *view = hl_view_kind_get_traits (hl_view_state_get_options (state)->view);
  GString *name = start_name (self);
  g_string_append_printf (name, "-%s", view->nick);
  if (view->shows_charts)
    {
      append_attention (name, self);
      append_chart (name, state);
      return finish_name (name);
    }
  if (view->shows_all_heads)
    {
      append_attention (name, self);
      append_quantity (name, state);
      return finish_name (name);
    }
  append_place (name, self);
  append_heads (name, state);
  return finish_name (name);
}

/* “dump-heads”. */
char *
hl_session_dup_table_name (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);

  GString *name = start_name (self);
  append_attention (name, self);
  g_string_append (name, "-heads");
  return finish_name (name);
}

/* “dump-layer3-head5”. */
char *
hl_session_dup_head_name (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);

  HlViewState *state = hl_session_get_view_state (self);
  GString *name = start_name (self);
  append_place (name, self);
  if (hl_view_state_get_shown (state)->merges_heads)
    append_heads (name, state);
  else
    g_string_append_printf (name, "-head%u", hl_view_state_get_head (state));
  return finish_name (name);
}
