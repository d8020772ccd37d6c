/* SPDX-License-Identifier: MIT */
/* How several maps become one, and which, in words. */
#include "core/source/derive/hl-combine.h"

#include <glib-object.h>
#include <glib/gi18n-lib.h>

G_DEFINE_ENUM_TYPE (HlCombine, hl_combine,
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_NONE, "none"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_MEAN, "mean"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_MAX, "max"))

G_DEFINE_ENUM_TYPE (HlCombineOver, hl_combine_over,
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_OVER_HEADS, "heads"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_OVER_LAYERS, "layers"),
                    G_DEFINE_ENUM_VALUE (HL_COMBINE_OVER_ALL, "all"))

/* "all 12 heads", "heads 0, 2, 5" */
static char *
describe_heads (const HlHeadSet *heads,
                guint            max_heads)
{
  const guint n = hl_head_set_count (heads);
  g_autofree char *list = hl_bits_format (heads->bits, max_heads);

  if (n == max_heads && n > 1)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "all %u head", "all %u heads", n), n);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "head %s", "heads %s", n), list);
}

static char *
describe_layers (const HlLayerSet *layers,
                 guint             n_layers)
{
  const guint n = hl_layer_set_count (layers);
  g_autofree char *list = hl_bits_format (layers->bits, n_layers);

  if (n == n_layers && n > 1)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "all %u layer", "all %u layers", n), n);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "layer %s", "layers %s", n), list);
}

/**
 * hl_combine_describe:
 * @heads: the heads that are chosen
 * @max_heads: the heads of the layer that has the most
 * @layers: the layers that are chosen
 * @n_layers: how many there are
 * @combine: how they become one map
 * @over: which do
 *
 * Returns: (transfer full): "mean of heads 0, 2, 5", "maximum of all 6 layers", translated
 */
char *
hl_combine_describe (const HlHeadSet  *heads,
                     guint             max_heads,
                     const HlLayerSet *layers,
                     guint             n_layers,
                     HlCombine         combine,
                     HlCombineOver     over)
{
  g_autofree char *of_heads = describe_heads (heads, max_heads);
  g_autofree char *of_layers = describe_layers (layers, n_layers);
  /* Translators: “heads 0, 2”, “all 6 layers” */
  g_autofree char *both = g_strdup_printf (_ ("%s of %s"), of_heads, of_layers);
  const char *const parts[] = { of_heads, of_layers, both };

  /* Translators: “heads 0, 2, 5”, “all 6 layers”, “heads 0, 2 of all 6 layers” */
  return g_strdup_printf (combine == HL_COMBINE_MEAN ? _ ("mean of %s") : _ ("maximum of %s"), parts[over]);
}
