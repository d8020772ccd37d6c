/* SPDX-License-Identifier: MIT */
/* Weights that a folder has in two tensors: numbers of few bits, and what they are multiplied by. */
#include "core/model/checkpoint/hl-packed-weights.h"

#include <glib/gi18n-lib.h>

#include "core/base/block/hl-microscale-tensor.h"
#include "core/base/hl-error.h"
#include "core/base/tensor/hl-float8-tensor.h"

/* Sides of the rectangles that have a scale each, unless config.json says. */
#define SIDE 128

/* What the second tensor's name ends with, the first's, and that of both together. */
typedef struct
{
  const char *scales;
  const char *numbers;
} Endings;

static const Endings microscale = { "_scales", "_blocks" };
static const Endings float8 = { "_scale_inv", "" };

/* The name of the first tensor, if @name is that of a second which has such a first; to be freed. */
static char *
find_numbers (HlWeights     *weights,
              const Endings *endings,
              const char    *name)
{
  if (!g_str_has_suffix (name, endings->scales))
    return NULL;
  g_autofree char *stem = g_strndup (name, strlen (name) - strlen (endings->scales));
  g_autofree char *numbers = g_strconcat ("/", stem, endings->numbers, NULL);

  return hl_weights_has (weights, numbers) ? g_steal_pointer (&numbers) : NULL;
}

/* Whether it is one number for all. */
static gboolean
is_single (HlTensor *scales)
{
  const HlShape *shape = hl_tensor_get_shape (scales);

  for (guint i = 0; i < shape->rank; i++)
    if (shape->dims[i] != 1)
      return FALSE;
  return TRUE;
}

/* @sides may be %NULL: config.json says nothing of rectangles. */
static HlTensor *
join (HlWeights     *weights,
      const Endings *endings,
      const char    *numbers_name,
      const char    *scales_name,
      const double  *sides,
      GError       **error)
{
  g_autofree char *whole = g_strconcat ("/", scales_name, NULL);
  g_autoptr (HlTensor) numbers = hl_weights_get_any (weights, numbers_name, error);
  g_autoptr (HlTensor) scales = numbers != NULL ? hl_weights_get_any (weights, whole, error) : NULL;

  if (scales == NULL)
    return NULL;
  if (endings == &microscale)
    return hl_microscale_tensor_new (numbers, scales, error);
  /* Of another type, they are what they are. */
  if (!HL_IS_FLOAT8_TENSOR (numbers))
    return g_steal_pointer (&numbers);
  const guint64 usual = is_single (scales) ? G_MAXINT : SIDE;
  return hl_float8_tensor_new_scaled (HL_FLOAT8_TENSOR (numbers), scales, sides != NULL ? (guint64) sides[0] : usual,
                                      sides != NULL ? (guint64) sides[1] : usual, error);
}

/* Nothing but its name tells of a method that rounds floating-point weights each time they are used. */
static gboolean
check_method (HlModelConfig *config,
              GError       **error)
{
  g_autofree char *method = NULL;

  if (!hl_model_config_read_string (config, "quantization_config/quant_method", NULL, &method, error))
    return FALSE;
  if (g_strcmp0 (method, "bitnet") != 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("weights are quantised by “%s”, which is not known"), method);
  return FALSE;
}

/* Has every such pair be asked for by the name that both have in common. Nothing is read. */
gboolean
hl_packed_weights_join (HlWeights     *weights,
                        HlModelConfig *config,
                        GError       **error)
{
  static const Endings *const all[] = { &microscale, &float8 };
  g_autofree double *listed = NULL;
  double sides[2];
  gsize n_listed;

  if (!check_method (config, error) ||
      !hl_model_config_read_numbers (config, "quantization_config/weight_block_size", 2, &listed, &n_listed, error))
    return FALSE;
  for (gsize i = 0; n_listed == 2 && i < 2; i++)
    sides[i] = CLAMP (listed[i], 0, G_MAXINT);
  g_auto (GStrv) names = hl_weights_list (weights);
  for (char **name = names; *name != NULL; name++)
    for (guint i = 0; i < G_N_ELEMENTS (all); i++)
      {
        g_autofree char *numbers = find_numbers (weights, all[i], *name);
        GError *local_error = NULL;

        if (numbers == NULL)
          continue;
        g_autofree char *stem = g_strndup (*name, strlen (*name) - strlen (all[i]->scales));
        g_autofree char *whole = g_strconcat ("/", stem, NULL);
        g_autoptr (HlTensor)
          tensor = join (weights, all[i], numbers, *name, n_listed == 2 ? sides : NULL, &local_error);
        if (tensor == NULL)
          {
            g_propagate_prefixed_error (error, local_error, "%s: ", stem);
            return FALSE;
          }
        hl_weights_replace (weights, whole, tensor);
      }
  return TRUE;
}
