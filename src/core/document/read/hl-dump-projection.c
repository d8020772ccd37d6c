/* SPDX-License-Identifier: MIT */
/* What queries, keys and values are made of: the weights that the inputs are multiplied by, and what is added. What does not fit is odd: it is
 * said and left out. */
#include "core/document/read/hl-dump-projection.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/document/read/base/hl-dump-attributes.h"

G_STATIC_ASSERT (HL_INGREDIENT_QUERY_WEIGHTS == 0 && HL_INGREDIENT_VALUE_BIAS == HL_DUMP_N_PROJECTIONS - 1);

static const char *const made_names[] = { "queries", "keys", "values" };

const char *
hl_dump_projection_get_name (HlIngredient which)
{
  static const char *const names[HL_DUMP_N_PROJECTIONS] = {
    [HL_INGREDIENT_QUERY_WEIGHTS] = "query_projection",
    [HL_INGREDIENT_KEY_WEIGHTS] = "key_projection",
    [HL_INGREDIENT_VALUE_WEIGHTS] = "value_projection",
    [HL_INGREDIENT_QUERY_BIAS] = "query_bias",
    [HL_INGREDIENT_KEY_BIAS] = "key_bias",
    [HL_INGREDIENT_VALUE_BIAS] = "value_bias",
  };

  g_return_val_if_fail (which < HL_DUMP_N_PROJECTIONS, NULL);

  return names[which];
}

void
hl_dump_projection_clear (HlDumpProjection *self)
{
  for (guint i = 0; i < HL_DUMP_N_PROJECTIONS; i++)
    hl_dump_maps_clear (&self->maps[i]);
  g_free (self->finishes);
}

/* Layer by layer: heads and features of what is made, and @n_rows, which are features of the input, or the one row of a bias. */
static gboolean
check_sizes (const HlDumpMaps *maps,
             const char       *name,
             const HlDumpMaps *made,
             const char       *made_name,
             guint64           n_rows,
             GError          **error)
{
  gboolean fits = maps->n_layers == made->n_layers && maps->n_batch <= 1;

  for (guint i = 0; fits && i < made->n_layers; i++)
    fits = hl_layer_tensor_get_n_heads (&maps->layers[i]) == hl_layer_tensor_get_n_heads (&made->layers[i]) &&
           hl_layer_tensor_get_n_columns (&maps->layers[i]) == hl_layer_tensor_get_n_columns (&made->layers[i]) &&
           hl_layer_tensor_get_n_rows (&maps->layers[i]) == n_rows;
  if (!fits)
    g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                 _ ("“%s” does not have the layers, heads and features of “%s”, and %" PRIu64 " rows in each"), name,
                 made_name, n_rows);
  return fits;
}

/* Opens one of them, if it is there. */
static gboolean
open_one (HlDumpProjection    *self,
          const HlDumpContext *context,
          HlIngredient         which,
          const HlDumpMaps    *inputs,
          const HlDumpMaps    *made,
          GError             **error)
{
  const gboolean is_bias = which >= HL_INGREDIENT_QUERY_BIAS;
  const char *made_name = hl_dump_context_get_name (context, made_names[which % G_N_ELEMENTS (made_names)]);
  const char *name = hl_dump_projection_get_name (which);
  const HlDumpContext place = hl_dump_context_of_model (context, name);
  HlDumpMaps *maps = &self->maps[which];

  if (hl_dump_context_get_kind (&place, name) == HL_MEMBER_NONE)
    return TRUE;
  if (inputs->n_layers == 0 || made->n_layers == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” makes “%s” of “inputs”, which are not both there"),
                   hl_dump_context_get_name (context, name), made_name);
      return FALSE;
    }
  return hl_dump_open_maps (&place, name, HL_DUMP_MAPS_PROJECTIONS, maps, error) &&
         check_sizes (maps, hl_dump_context_get_name (context, name), made, made_name,
                      is_bias ? 1 : hl_layer_tensor_get_n_columns (inputs->layers), error);
}

static HlFinish
find_finish (const char *text)
{
  return (strstr (text, "norm") != NULL ? HL_FINISH_NORM : HL_FINISH_NONE) |
         (strstr (text, "rotary") != NULL ? HL_FINISH_ROTARY : HL_FINISH_NONE) |
         (strstr (text, "result") != NULL ? HL_FINISH_RESULT_NORM : HL_FINISH_NONE);
}

/* What is said of the example, or of all: one text for all layers, or one for each. */
static HlFinish *
read_finishes (const HlDumpContext *context,
               guint                n_layers)
{
  HlFinish *finishes = g_new0 (HlFinish, MAX (n_layers, 1));
  HlDumpContext root = *context;
  root.group = "";
  root.layout = NULL;
  g_autofree char *own = hl_dump_read_text (context, "finish");
  g_autofree char *text = own != NULL || *context->group == '\0' ? g_steal_pointer (&own)
                                                                 : hl_dump_read_text (&root, "finish");

  if (text == NULL)
    return finishes;
  g_auto (GStrv) parts = g_strsplit (text, ",", (int) MIN (n_layers, G_MAXINT));
  const guint n_parts = g_strv_length (parts);
  for (guint layer = 0; layer < n_layers && n_parts > 0; layer++)
    finishes[layer] = find_finish (parts[MIN (layer, n_parts - 1)]);
  return finishes;
}

/* Opens what there is, of an attention of @n_layers. @made are queries, keys and values, of which some may be empty. Returns FALSE
 * only if it was stopped. */
gboolean
hl_dump_projection_open (HlDumpProjection    *self,
                         const HlDumpContext *context,
                         const HlDumpMaps    *inputs,
                         const HlDumpMaps    *made[3],
                         guint                n_layers,
                         GError             **error)
{
  for (HlIngredient i = 0; i < HL_DUMP_N_PROJECTIONS; i++)
    {
      GError *reason = NULL;

      if (open_one (self, context, i, inputs, made[i % 3], &reason))
        continue;
      hl_dump_maps_clear (&self->maps[i]);
      if (!hl_dump_context_leave_out (context, reason, error))
        return FALSE;
    }
  self->finishes = read_finishes (context, n_layers);
  return TRUE;
}
