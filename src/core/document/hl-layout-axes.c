/* SPDX-License-Identifier: MIT */
/* Which axis of a tensor is what: the likeliest where nothing says so, and the same whether it was guessed or chosen. */
#include "core/document/hl-layout-axes.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const struct
{
  char letter;
  const char *name;
} names[] = {
  { 'l', N_ ("layer") }, { 'b', N_ ("example") }, { 'h', N_ ("head") },
  { 'q', N_ ("query") }, { 'k', N_ ("key") },
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

/**
 * hl_layout_axes_apply: (skip)
 * @self: axes
 * @layer: whose tensor they are of; its axes are set
 *
 * Returns: %FALSE if they are not those of such a tensor: too many or too few, one twice, or no queries or keys
 */
gboolean
hl_layout_axes_apply (const HlLayoutAxes *self,
                      HlLayerTensor      *layer)
{
  int *const places[] = { &layer->layer_axis, &layer->batch_axis, &layer->head_axis,
                          &layer->row_axis, &layer->column_axis };
  const guint rank = hl_tensor_get_shape (layer->tensor)->rank;

  if (strlen (self->letters) != rank)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      const char *place = strchr (self->letters, names[i].letter);
      *places[i] = place != NULL ? (int) (place - self->letters) : -1;
    }
  /* As many letters as axes, each once, when every axis is named by its own. */
  guint n_named = 0;
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    n_named += *places[i] >= 0;
  return n_named == rank && layer->row_axis >= 0 && layer->column_axis >= 0;
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
