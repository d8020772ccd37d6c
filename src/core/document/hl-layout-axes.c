/* SPDX-License-Identifier: MIT */
/* Which axis of a tensor is what: the likeliest where nothing says so, and the same whether it was guessed or chosen. */
#include "core/document/hl-layout-axes.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"

static const struct
{
  char letter;
  const char *name;
} names[] = {
  { 'l', N_ ("layer") }, { 'b', N_ ("example") }, { 'h', N_ ("head") },
  { 'q', N_ ("query") }, { 'k', N_ ("key") },     { 's', N_ ("step") },
};

/**
 * hl_layout_axes_guess: (skip)
 * @self: (out caller-allocates): the axes
 * @shape: the sizes of a tensor
 * @one_layer: whether it is of one layer, because others are beside it
 * @ambiguous: (out): whether they could as well be others
 *
 * Queries and keys are the last two in all that is known. Before them come heads, layers and examples: as `torch.stack` of what
 * transformers returns has them, [layer, example, head, query, key], unless the first axis has a length of 1 and must be the example.
 *
 * Returns: %FALSE if attention has no such shape
 */
gboolean
hl_layout_axes_guess (HlLayoutAxes  *self,
                      const HlShape *shape,
                      gboolean       one_layer,
                      gboolean      *ambiguous)
{
  static const char *const plain[] = { "qk", "hqk", "lhqk" };
  const guint rank = shape->rank;
  const char *letters = NULL;

  *ambiguous = FALSE;
  if (rank >= 2 && rank <= (one_layer ? 3 : 4))
    {
      letters = plain[rank - 2];
      *ambiguous = !one_layer && rank > 2 && shape->dims[0] > 1;
    }
  else if (rank == 4)
    {
      letters = "bhqk";
    }
  else if (rank == 5 && !one_layer)
    {
      const gboolean swapped = shape->dims[0] == 1 && shape->dims[1] > 1;
      letters = swapped ? "blhqk" : "lbhqk";
      *ambiguous = shape->dims[0] > 1 && shape->dims[1] > 1;
    }
  if (letters == NULL)
    return FALSE;
  g_strlcpy (self->letters, letters, sizeof self->letters);
  return TRUE;
}

static char
find_letter (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (name, names[i].name) == 0)
      return names[i].letter;
  return '\0';
}

/**
 * hl_layout_axes_parse: (skip)
 * @self: (out caller-allocates): the axes
 * @text: their names in the order of the tensor's axes, with commas between them: `layer`, `example`, `head`, `query`, `key`, `step`
 * @error: %HL_ERROR_VALUE for a name that is none, one that is there twice, or no queries or keys
 *
 * Reads axes as somebody names them; names are not translated.
 *
 * Returns: whether @self was set
 */
gboolean
hl_layout_axes_parse (HlLayoutAxes *self,
                      const char   *text,
                      GError      **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", HL_MAX_RANK + 1);
  HlLayoutAxes axes = { 0 };

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char letter = find_letter (g_strstrip (parts[i]));

      if (letter == '\0')
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("“%s” is no axis; axes are layer, example, head, query, key and step"),
                       parts[i]);
          return FALSE;
        }
      if (strchr (axes.letters, letter) != NULL)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the axis “%s” is there twice"),
                       parts[i]);
          return FALSE;
        }
      /* Each of the few letters once: they fit. */
      axes.letters[i] = letter;
    }
  if (strchr (axes.letters, 'q') == NULL || strchr (axes.letters, 'k') == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("one axis must be query and one key; “%s” has not both"), text);
      return FALSE;
    }
  *self = axes;
  return TRUE;
}

static int
find_axis (const HlLayoutAxes *self,
           char                letter)
{
  const char *place = strchr (self->letters, letter);

  return place != NULL ? (int) (place - self->letters) : -1;
}

/**
 * hl_layout_axes_apply: (skip)
 * @self: axes, each once, queries and keys among them
 * @layer: whose tensor they are of; its axes are set
 * @path: what it is called
 * @error: %HL_ERROR_RANK if there are too many or too few, %HL_ERROR_SHAPE for both examples and steps
 *
 * Steps are chosen from as examples are. Of the two, one whose length is 1 is no choice.
 *
 * Returns: whether that went well
 */
gboolean
hl_layout_axes_apply (const HlLayoutAxes *self,
                      HlLayerTensor      *layer,
                      const char         *path,
                      GError            **error)
{
  const HlShape *shape = hl_tensor_get_shape (layer->tensor);
  const int example = find_axis (self, 'b'), step = find_axis (self, 's');

  if (strlen (self->letters) != shape->rank)
    {
      g_autofree char *meaning = hl_layout_axes_describe (self);
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_RANK,
                   _ ("“%s” has %u axes (%s) and cannot be read as %s, which are %zu"), path,
                   shape->rank, sizes, meaning, strlen (self->letters));
      return FALSE;
    }
  if (example >= 0 && step >= 0 && shape->dims[example] > 1 && shape->dims[step] > 1)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” (%s) cannot have several examples and several steps at once"), path,
                   sizes);
      return FALSE;
    }
  layer->layer_axis = find_axis (self, 'l');
  layer->batch_axis = step >= 0 && (example < 0 || shape->dims[example] == 1) ? step : example;
  layer->head_axis = find_axis (self, 'h');
  layer->row_axis = find_axis (self, 'q');
  layer->column_axis = find_axis (self, 'k');
  return TRUE;
}

/**
 * hl_layout_axes_describe: (skip)
 * @self: axes
 *
 * Returns: (transfer full): them for people, such as `head × query × key`
 */
char *
hl_layout_axes_describe (const HlLayoutAxes *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (const char *c = self->letters; *c != '\0'; c++)
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
      if (names[i].letter == *c)
        g_string_append_printf (text, "%s%s", text->len > 0 ? " × " : "", _ (names[i].name));
  return g_string_free (g_steal_pointer (&text), FALSE);
}
