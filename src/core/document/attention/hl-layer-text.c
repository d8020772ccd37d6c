/* SPDX-License-Identifier: MIT */
/* What a file calls the attention of its layers, for people. */
#include "core/document/attention/hl-layer-text.h"

#include <string.h>

#include "core/base/hl-utf8.h"

/* Longer names are of no model. */
#define MAX_NAME 60

/* How many layers are of each type, in the order in which they come. */
static void
append_types (GString     *text,
              HlAttention *attention)
{
  g_autoptr (GTree) counts = g_tree_new ((GCompareFunc) strcmp);
  g_autoptr (GPtrArray) types = g_ptr_array_new ();

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    {
      const char *type = hl_attention_get_layer_type (attention, layer);
      const guint n_before = type != NULL ? GPOINTER_TO_UINT (g_tree_lookup (counts, type)) : 0;

      if (type == NULL)
        continue;
      if (n_before == 0)
        g_ptr_array_add (types, (gpointer) type);
      g_tree_insert (counts, (gpointer) type, GUINT_TO_POINTER (n_before + 1));
    }
  for (guint i = 0; i < types->len; i++)
    {
      g_autofree char *start = hl_utf8_shorten (types->pdata[i], MAX_NAME);
      const guint n = GPOINTER_TO_UINT (g_tree_lookup (counts, types->pdata[i]));
      g_string_append_printf (text, "%s%u × %s", text->len > 0 ? ", " : "", n, start);
    }
}

/* Of the first layer that has a name to the last. */
static void
append_modules (GString     *text,
                HlAttention *attention)
{
  const char *first = NULL, *last = NULL;

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    {
      const char *name = hl_attention_get_module (attention, layer);
      first = first != NULL ? first : name;
      last = name != NULL ? name : last;
    }
  if (first == NULL)
    return;
  g_autofree char *first_start = hl_utf8_shorten (first, MAX_NAME);
  g_autofree char *last_start = hl_utf8_shorten (last, MAX_NAME);
  g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", first_start);
  if (!g_str_equal (first, last))
    g_string_append_printf (text, " … %s", last_start);
}

/* Returns "4 × sliding_attention, 2 × full_attention · model.layers.0.self_attn … model.layers.5.self_attn"; NULL where the file says nothing of
 * it. */
char *
hl_layer_text_describe (HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  GString *text = g_string_new (NULL);
  append_types (text, attention);
  append_modules (text, attention);
  hl_utf8_flatten (text->str);
  return g_string_free (text, text->len == 0);
}
