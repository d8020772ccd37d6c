/* SPDX-License-Identifier: MIT */
/* Which axis of a tensor is what: the likeliest where nothing says so, and the same whether it was guessed or
 * chosen. */
#include "core/document/guess/hl-layout-axes.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/base/tensor/hl-sliced-tensor.h"

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
 * Queries and keys are the last two in all that is known. Before them come heads, layers and examples: as `torch.stack`
 * of what transformers returns has them, [layer, example, head, query, key], unless the first axis has a length of 1
 * and must be the example. One more before these is steps of a generation, or examples again if there are as many
 * queries as keys.
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
  else if (rank == (one_layer ? 5 : 6))
    {
      const gboolean are_maps = shape->dims[rank - 2] == shape->dims[rank - 1] && shape->dims[rank - 1] > 1;
      const char *steps = one_layer ? "sbhqk" : "slbhqk", *examples = one_layer ? "bbhqk" : "blbhqk";
      letters = are_maps ? examples : steps;
      *ambiguous = shape->dims[0] > 1 && (shape->dims[1] > 1 || shape->dims[rank - 4] > 1);
    }
  if (letters == NULL)
    return FALSE;
  *self = (HlLayoutAxes){ 0 };
  g_strlcpy (self->letters, letters, sizeof self->letters);
  return TRUE;
}

/**
 * hl_layout_axes_guess_reversed: (skip)
 * @self: (out caller-allocates): the axes
 * @shape: the sizes of a tensor whose axes somebody wrote in reverse order
 * @one_layer: as for hl_layout_axes_guess()
 * @ambiguous: (out): likewise
 *
 * In the order that somebody named them in, queries and keys are the last two as well, unless these are no square but the
 * first two are.
 *
 * Returns: %FALSE if attention has no such shape
 */
gboolean
hl_layout_axes_guess_reversed (HlLayoutAxes  *self,
                               const HlShape *shape,
                               gboolean       one_layer,
                               gboolean      *ambiguous)
{
  const guint rank = shape->rank;
  HlShape reversed = { .rank = rank };

  if (rank > 2 && shape->dims[rank - 2] == shape->dims[rank - 1] && shape->dims[0] != shape->dims[1])
    {
      if (!hl_layout_axes_guess (self, shape, one_layer, ambiguous))
        return FALSE;
      self->letters[rank - 2] = 'k';
      self->letters[rank - 1] = 'q';
      return TRUE;
    }
  for (guint i = 0; i < rank; i++)
    reversed.dims[i] = shape->dims[rank - 1 - i];
  if (!hl_layout_axes_guess (self, &reversed, one_layer, ambiguous))
    return FALSE;
  g_strreverse (self->letters);
  return TRUE;
}

static const char *
find_name (char letter)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].letter == letter)
      return names[i].name;
  return NULL;
}

/* What somebody calls an axis, or the index of it that is to be taken. */
static gboolean
parse_one (HlLayoutAxes *self,
           guint         axis,
           const char   *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (text, names[i].name) == 0)
      self->letters[axis] = names[i].letter;
  if (self->letters[axis] == '\0' && g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &self->indices[axis], NULL))
    self->letters[axis] = 'x';
  return self->letters[axis] != '\0';
}

/**
 * hl_layout_axes_parse:
 * @self: (out): the axes
 * @text: their names in the order of the tensor's axes, with commas between them: `layer`, `example`, `head`, `query`,
 *   `key`, `step`, or of an axis that is none of these the index that is taken
 * @error: %HL_ERROR_VALUE for a name that is none, %HL_ERROR_RANK for too many, or as hl_layout_axes_check()
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
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  HlLayoutAxes axes = { 0 };

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (i == HL_LIMIT_RANK)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("there are more than %d axes"), HL_LIMIT_RANK);
          return FALSE;
        }
      if (!parse_one (&axes, i, g_strstrip (parts[i])))
        {
          g_autofree char *shown = hl_utf8_quote (parts[i], strlen (parts[i]), 40);
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("“%s” is no axis; axes are layer, example, head, query, key and step"), shown);
          return FALSE;
        }
    }
  if (!hl_layout_axes_check (&axes, error))
    return FALSE;
  *self = axes;
  return TRUE;
}

/* Whether examples may lie on two axes. */
static gboolean
may_be_twice (const HlLayoutAxes *self)
{
  const char *first = strchr (self->letters, 'b'), *second = strchr (first + 1, 'b');

  return strchr (self->letters, 's') == NULL && strchr (second + 1, 'b') == NULL;
}

/**
 * hl_layout_axes_check:
 * @self: axes
 * @error: %HL_ERROR_VALUE for one that is there twice, or no queries or keys
 *
 * Examples may lie on two axes, as those of a batch in those of a list, unless there are steps.
 *
 * Returns: whether a tensor could have such axes
 */
gboolean
hl_layout_axes_check (const HlLayoutAxes *self,
                      GError            **error)
{
  for (const char *c = self->letters; *c != '\0'; c++)
    if (*c != 'x' && strchr (c + 1, *c) != NULL && (*c != 'b' || !may_be_twice (self)))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the axis “%s” is there twice"), _ (find_name (*c)));
        return FALSE;
      }
  if (strchr (self->letters, 'q') == NULL || strchr (self->letters, 'k') == NULL)
    {
      g_autofree char *meaning = hl_layout_axes_describe (self);
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("one axis must be query and one key; “%s” has not both"),
                   meaning);
      return FALSE;
    }
  return TRUE;
}

static int
find_axis (const HlLayoutAxes *self,
           char                letter)
{
  const char *place = strchr (self->letters, letter);

  return place != NULL ? (int) (place - self->letters) : -1;
}

/* Takes the one index of each axis that is nothing else, and leaves the letters of the others. */
static gboolean
take_indices (const HlLayoutAxes *self,
              HlLayerTensor      *layer,
              const char         *path,
              HlLayoutAxes       *rest,
              GError            **error)
{
  const HlShape *shape = hl_tensor_get_shape (layer->tensor);
  gboolean taken[HL_LIMIT_RANK];
  guint n = 0;

  *rest = (HlLayoutAxes){ 0 };
  for (guint i = 0; i < shape->rank; i++)
    {
      taken[i] = self->letters[i] == 'x';
      if (!taken[i])
        rest->letters[n++] = self->letters[i];
      else if (self->indices[i] >= shape->dims[i])
        {
          g_autofree char *sizes = hl_shape_to_string (shape);
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” (%s) has no index %" PRIu64 " on axis %u"), path,
                       sizes, self->indices[i], i);
          return FALSE;
        }
    }
  if (n == shape->rank)
    return TRUE;
  HlTensor *slice = hl_sliced_tensor_new (layer->tensor, taken, self->indices);
  g_object_unref (layer->tensor);
  layer->tensor = slice;
  return TRUE;
}

/* Steps are chosen from as examples are. Of the two, one whose length is 1 is no choice. */
gboolean
hl_layout_axes_apply (const HlLayoutAxes *self,
                      HlLayerTensor      *layer,
                      const char         *path,
                      GError            **error)
{
  const HlShape *shape = hl_tensor_get_shape (layer->tensor);
  HlLayoutAxes rest;

  if (strlen (self->letters) != shape->rank)
    {
      g_autofree char *meaning = hl_layout_axes_describe (self);
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("“%s” has %u axes (%s) and cannot be read as %s, which are %zu"),
                   path, shape->rank, sizes, meaning, strlen (self->letters));
      return FALSE;
    }
  if (!take_indices (self, layer, path, &rest, error))
    return FALSE;

  shape = hl_tensor_get_shape (layer->tensor);
  const int example = find_axis (&rest, 'b'), step = find_axis (&rest, 's');
  if (example >= 0 && strchr (rest.letters + example + 1, 'b') != NULL)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” (%s) cannot have examples on two axes, as it is an example itself"), path, sizes);
      return FALSE;
    }
  if (example >= 0 && step >= 0 && shape->dims[example] > 1 && shape->dims[step] > 1)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” (%s) cannot have several examples and several steps at once"), path, sizes);
      return FALSE;
    }
  layer->layer_axis = find_axis (&rest, 'l');
  layer->batch_axis = step >= 0 && (example < 0 || shape->dims[example] == 1) ? step : example;
  layer->head_axis = find_axis (&rest, 'h');
  layer->row_axis = find_axis (&rest, 'q');
  layer->column_axis = find_axis (&rest, 'k');
  return TRUE;
}

void
hl_layout_axes_init_of (HlLayoutAxes        *self,
                        const HlLayerTensor *layer)
{
  const struct
  {
    int axis;
    char letter;
  } axes[] = { { layer->layer_axis, 'l' },
               { layer->batch_axis, 'b' },
               { layer->head_axis, 'h' },
               { layer->row_axis, 'q' },
               { layer->column_axis, 'k' } };

  *self = (HlLayoutAxes){ 0 };
  memset (self->letters, 'x', hl_tensor_get_shape (layer->tensor)->rank);
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    if (axes[i].axis >= 0)
      self->letters[axes[i].axis] = axes[i].letter;
}

/**
 * hl_layout_axes_equal:
 * @self: axes
 * @other: axes
 *
 * Returns: whether they are the same
 */
gboolean
hl_layout_axes_equal (const HlLayoutAxes *self,
                      const HlLayoutAxes *other)
{
  return g_str_equal (self->letters, other->letters) &&
         memcmp (self->indices, other->indices, sizeof self->indices) == 0;
}

/**
 * hl_layout_axes_describe:
 * @self: axes
 *
 * Returns: (transfer full): them for people, such as `head × query × key`, with the number in brackets of an index that
 *   is taken
 */
char *
hl_layout_axes_describe (const HlLayoutAxes *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; self->letters[i] != '\0'; i++)
    if (self->letters[i] == 'x')
      g_string_append_printf (text, "%s[%" PRIu64 "]", i > 0 ? " × " : "", self->indices[i]);
    else
      g_string_append_printf (text, "%s%s", i > 0 ? " × " : "", _ (find_name (self->letters[i])));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * hl_layout_axes_to_string:
 * @self: axes
 *
 * Returns: (transfer full): them as hl_layout_axes_parse() reads them
 */
char *
hl_layout_axes_to_string (const HlLayoutAxes *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; self->letters[i] != '\0'; i++)
    if (self->letters[i] == 'x')
      g_string_append_printf (text, "%s%" PRIu64, i > 0 ? "," : "", self->indices[i]);
    else
      g_string_append_printf (text, "%s%s", i > 0 ? "," : "", find_name (self->letters[i]));
  return g_string_free (g_steal_pointer (&text), FALSE);
}
