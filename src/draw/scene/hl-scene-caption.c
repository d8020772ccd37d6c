/* SPDX-License-Identifier: MIT */
/*
 * What a scene shows, in words over it: in as many lines as that takes, for words that are cut off would say less than
 * the picture.
 */
#include "draw/scene/hl-scene-caption.h"

#include <string.h>

#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-private.h"
#include "draw/scene/hl-scene-write.h"

#define SIZE 12
#define LINE_HEIGHT 15
#define MARGIN 12
#define SEPARATOR " · "

/* Of a viewport that is low, the picture needs the rest. */
#define MAX_PART (1 / 3.0)
#define MAX_LINES 6

static HlTextStyle
get_style (double width)
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

static GStrv
break_lines (HlScene *scene,
             double   width,
             double   height)
{
  const double room = get_style (width).max_width;
  const guint n_lines = (guint) CLAMP (height * MAX_PART / LINE_HEIGHT, 1, MAX_LINES);
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  g_autofree char *caption = hl_view_state_describe (hl_scene_get_state (scene));
  const char *rest = caption;

  /* The last line takes what is left. */
  for (guint i = 0; i + 1 < n_lines; i++)
    {
      const gsize length = get_line_length (hl_scene_get_text (scene), rest, room);
      if (rest[length] == '\0')
        break;
      g_autofree char *line = g_strndup (rest, length);
      g_strv_builder_add (lines, line);
      rest += length + strlen (g_str_has_prefix (rest + length, SEPARATOR) ? SEPARATOR : " ");
    }
  g_strv_builder_add (lines, rest);
  return g_strv_builder_end (lines);
}

/* Made once for a state and a viewport. */
static GStrv
get_lines (HlScene *scene)
{
  HlScenePrivate *priv = hl_scene_get_private (scene);

  if (priv->caption == NULL)
    priv->caption = break_lines (scene, priv->width, priv->height);
  return priv->caption;
}

/**
 * hl_scene_caption_get_room: (skip)
 * @scene: a scene
 *
 * Returns: how much lower the caption is than one of a single line, logical pixels
 */
double
hl_scene_caption_get_room (HlScene *scene)
{
  return (g_strv_length (get_lines (scene)) - 1.0) * LINE_HEIGHT;
}

/**
 * hl_scene_caption_draw: (skip)
 * @scene: a scene
 * @cr: where to
 * @y: the middle of the first line
 *
 * Writes what is shown, in the middle of the viewport.
 */
void
hl_scene_caption_draw (HlScene *scene,
                       cairo_t *cr,
                       double   y)
{
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (hl_scene_get_state (scene))->dark);
  const GStrv lines = get_lines (scene);
  double width;

  hl_scene_get_viewport (scene, &width, NULL, NULL);
  const HlTextStyle style = get_style (width);
  for (guint i = 0; lines[i] != NULL; i++)
    hl_scene_write (scene, cr, lines[i], &style, &theme->muted, width / 2, y + i * LINE_HEIGHT, 0.5);
}
