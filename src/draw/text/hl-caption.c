/* SPDX-License-Identifier: MIT */
/* The words over a picture, broken into lines. */
#include "draw/text/hl-caption.h"

#include <string.h>

#define SIZE 12
#define MARGIN 12
#define SEPARATOR " · "

/* Of a viewport that is low, the picture needs the rest. */
#define MAX_PART (1 / 3.0)
#define MAX_LINES 6

HlTextStyle
hl_caption_get_style (double width)
{
  return (HlTextStyle){ .size = SIZE, .max_width = MAX (width - 2 * MARGIN, 24) };
}

/* How much of a caption fits into a line if it is broken at a separator; 0 for nothing. */
static gsize
get_fitting_length (HlSceneText *text,
                    const char  *caption,
                    const char  *separator,
                    double       width)
{
  const HlTextStyle style = { .size = SIZE };
  gsize length = 0;

  for (const char *end = caption; end != NULL;)
    {
      end = strstr (length == 0 ? caption : caption + length + strlen (separator), separator);
      const gsize longer = end != NULL ? (gsize) (end - caption) : strlen (caption);
      g_autofree char *line = g_strndup (caption, longer);
      if (hl_scene_text_get_width (text, line, &style) > width)
        break;
      length = longer;
    }
  return length;
}

/*
 * How much of it stands in a line: parts as long as they fit, else words, else all, of which an ellipsis takes the end.
 */
static gsize
get_line_length (HlSceneText *text,
                 const char  *caption,
                 double       width)
{
  const gsize parts = get_fitting_length (text, caption, SEPARATOR, width);
  const gsize words = parts == 0 ? get_fitting_length (text, caption, " ", width) : parts;
  const char *end = strstr (caption, SEPARATOR);

  return words > 0 ? words : end != NULL ? (gsize) (end - caption) : strlen (caption);
}

/* For a viewport of this size. */
GStrv
hl_caption_break (HlSceneText *text,
                  const char  *caption,
                  double       width,
                  double       height)
{
  const double room = hl_caption_get_style (width).max_width;
  const guint n_lines = (guint) CLAMP (height * MAX_PART / HL_CAPTION_LINE, 1, MAX_LINES);
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  const char *rest = caption;

  /* The last line takes what is left. */
  for (guint i = 0; i + 1 < n_lines; i++)
    {
      const gsize length = get_line_length (text, rest, room);
      if (rest[length] == '\0')
        break;
      g_autofree char *line = g_strndup (rest, length);
      g_strv_builder_add (lines, line);
      rest += length + strlen (g_str_has_prefix (rest + length, SEPARATOR) ? SEPARATOR : " ");
    }
  g_strv_builder_add (lines, rest);
  return g_strv_builder_end (lines);
}
