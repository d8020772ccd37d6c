/* SPDX-License-Identifier: MIT */
/* What of a scene's frame is measured: the words over the picture, broken into lines, and the room of labels. */
#include "draw/scene/hl-scene-frame.h"

#include <string.h>

#include "core/document/tokens/hl-token-time.h"
#include "draw/scene/hl-patch-swatch.h"
#include "draw/text/hl-axis-labels.h"

#define CAPTION_SIZE 12
#define CAPTION_MARGIN 12
#define SEPARATOR " · "

/* Of a viewport that is low, the picture needs the rest. */
#define MAX_CAPTION_PART (1 / 3.0)
#define MAX_CAPTION_LINES 6

HlTextStyle
hl_caption_get_style (double width)
{
  return (HlTextStyle){ .size = CAPTION_SIZE, .max_width = MAX (width - 2 * CAPTION_MARGIN, 24) };
}

/* How much of words fits into a line if it is broken at a separator; 0 for nothing. */
static gsize
get_fitting_length (HlSceneText       *text,
                    const char        *caption,
                    const char        *separator,
                    const HlTextStyle *style)
{
  HlTextStyle whole = *style;
  gsize length = 0;

  whole.max_width = 0;

  for (const char *end = caption; end != NULL;)
    {
      end = strstr (length == 0 ? caption : caption + length + strlen (separator), separator);
      const gsize longer = end != NULL ? (gsize) (end - caption) : strlen (caption);
      g_autofree char *line = g_strndup (caption, longer);
      if (hl_scene_text_get_width (text, line, &whole) > style->max_width)
        break;
      length = longer;
    }
  return length;
}

/*
 * How much of it stands in a line: parts as long as they fit, else words, else all, of which an ellipsis takes the end.
 */
static gsize
get_line_length (HlSceneText       *text,
                 const char        *caption,
                 const HlTextStyle *style)
{
  const gsize parts = get_fitting_length (text, caption, SEPARATOR, style);
  const gsize words = parts == 0 ? get_fitting_length (text, caption, " ", style) : parts;
  const char *end = strstr (caption, SEPARATOR);

  return words > 0 ? words : end != NULL ? (gsize) (end - caption) : strlen (caption);
}

/* Into lines as wide as the style has them at the most, and not more of them. */
GStrv
hl_scene_text_break (HlSceneText       *text,
                     const char        *words,
                     const HlTextStyle *style,
                     guint              n_lines)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  const char *rest = words;

  /* The last line takes what is left. */
  for (guint i = 0; i + 1 < n_lines; i++)
    {
      const gsize length = get_line_length (text, rest, style);
      if (rest[length] == '\0')
        break;
      g_autofree char *line = g_strndup (rest, length);
      g_strv_builder_add (lines, line);
      rest += length + strlen (g_str_has_prefix (rest + length, SEPARATOR) ? SEPARATOR : " ");
    }
  g_strv_builder_add (lines, rest);
  return g_strv_builder_end (lines);
}

/* For a viewport of this size. */
GStrv
hl_caption_break (HlSceneText *text,
                  const char  *caption,
                  double       width,
                  double       height)
{
  const HlTextStyle style = hl_caption_get_style (width);

  return hl_scene_text_break (text, caption, &style,
                              (guint) CLAMP (height * MAX_CAPTION_PART / HL_CAPTION_LINE, 1, MAX_CAPTION_LINES));
}

/* Whether all of the last line can be read. */
gboolean
hl_caption_fits (HlSceneText *text,
                 GStrv        lines,
                 double       width)
{
  const HlTextStyle style = { .size = CAPTION_SIZE };
  const guint n = g_strv_length (lines);

  return n == 0 || hl_scene_text_get_width (text, lines[n - 1], &style) <= hl_caption_get_style (width).max_width;
}

/* Text and size are the same at every call. */
void
hl_label_room_measure (HlLabelRoom   *self,
                       HlSceneText   *text,
                       const HlShown *shown,
                       double         size)
{
  HlAttention *attention = shown->attention;
  const HlRange queries = shown->queries;
  const HlRange keys = shown->keys;
  const HlTextStyle style = { .size = size };

  if (self->attention == attention && hl_range_equal (self->queries, queries) && hl_range_equal (self->keys, keys))
    return;
  g_set_object (&self->attention, attention);
  self->queries = queries;
  self->keys = keys;
  const char *const *query_texts = hl_attention_get_texts (attention, HL_QUERIES) + queries.first;
  const char *const *key_texts = hl_attention_get_texts (attention, HL_KEYS) + keys.first;
  self->query_width = hl_axis_labels_measure (text, query_texts, queries.n, &style);
  self->key_width = key_texts == query_texts && keys.n == queries.n
                      ? self->query_width
                      : hl_axis_labels_measure (text, key_texts, keys.n, &style);
  self->times[HL_QUERIES] = hl_token_times_rise (query_texts, queries.n);
  self->times[HL_KEYS] = hl_token_times_rise (key_texts, keys.n);
  self->query_width += hl_patch_swatch_get_room (attention, HL_QUERIES, HL_PATCH_SWATCH_SIZE (size));
  self->key_width += hl_patch_swatch_get_room (attention, HL_KEYS, HL_PATCH_SWATCH_SIZE (size));
}

void
hl_label_room_clear (HlLabelRoom *self)
{
  g_clear_object (&self->attention);
  *self = (HlLabelRoom){ 0 };
}

/* Whether a pick is a token or a cell that is shown. */
gboolean
hl_scene_frame_has_token (const HlSceneFrame *self,
                          const HlPick       *pick)
{
  return (hl_pick_has (pick, HL_QUERIES) || hl_pick_has (pick, HL_KEYS)) && hl_shown_has_pick (self->shown, pick);
}
