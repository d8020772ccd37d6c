/* SPDX-License-Identifier: MIT */
/* The arguments of CircuitsVis' views of attention: one map, or one a head, of what are rows to destination and columns
 * to source tokens. */
#include "core/archive/web/hl-page-example.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

/* The same numbers with axes of size 1 in front, up to four. */
static HlTensor *
pad_axes (HlTensor *tensor,
          GError  **error)
{
  const HlShape *shape = hl_tensor_get_shape (tensor);
  HlShape padded = { .rank = 4, .dims = { 1, 1, 1, 1 } };
  guint64 n_bytes;

  if (shape->rank < 2 || shape->rank > 4)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_RANK,
                   _ ("“attention” of the page has rank %u; rank 2 (query, key) or 3 (head, query, "
                      "key) is needed"),
                   shape->rank);
      return NULL;
    }
  for (guint i = 0; i < shape->rank; i++)
    padded.dims[4 - shape->rank + i] = shape->dims[i];
  if (!hl_shape_get_n_bytes (&padded, sizeof (float), &n_bytes))
    g_assert_not_reached ();
  g_autoptr (GBytes)
    bytes = g_bytes_new_with_free_func (hl_tensor_get_data (tensor), n_bytes, g_object_unref, g_object_ref (tensor));
  return hl_tensor_new_for_bytes (HL_DTYPE_F32, &padded, NULL, FALSE, bytes, 0, error);
}

/* Reads the heads of one layer, or one map. Arguments without attention are none of its own. */
gboolean
hl_page_read_circuitsvis (const HlArchiveNode *params,
                          HlJsonBudget        *budget,
                          GPtrArray           *examples,
                          GError             **error)
{
  const HlArchiveNode *attention = hl_archive_node_get (params, "attention");
  g_autoptr (HlPageExample) example = hl_page_example_new (NULL);

  if (attention == NULL)
    return TRUE;
  if (attention->problem != NULL)
    {
      g_propagate_error (error, g_error_copy (attention->problem));
      return FALSE;
    }
  if (attention->tensor == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“attention” of the page is not a list of numbers"));
      return FALSE;
    }
  g_autoptr (HlTensor) tensor = pad_axes (attention->tensor, error);
  if (tensor == NULL || !hl_page_example_copy (example, "tokens", params, "tokens", budget, error))
    return FALSE;
  hl_page_example_add_tensor (example, "attention", tensor);
  g_ptr_array_add (examples, g_steal_pointer (&example));
  return TRUE;
}
