/* SPDX-License-Identifier: MIT */
/* Any bytes as JSON: parsed, and all that came of it looked at. */
#include "core/base/hl-limits.h"
#include "fuzz.h"

#include "core/archive/json/hl-json-archive.h"

#include <string.h>

static void look_at_node (const HlArchiveNode *node);

static gboolean
look_at_member (gpointer name,
                gpointer member,
                gpointer data)
{
  const HlArchiveNode *group = data;

  g_assert (g_utf8_validate (name, -1, NULL));
  g_assert (hl_archive_node_get (group, name) == member);
  g_assert (hl_archive_node_resolve (group, name, NULL) == member);
  look_at_node (member);
  return FALSE;
}

static void
look_at_tensor (HlTensor *tensor)
{
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  guint64 n;

  g_assert (hl_shape_get_n_elements (shape, &n));
  g_autofree float *numbers = g_new (float, n);
  g_assert (hl_tensor_read_f32 (tensor, start, shape->dims, numbers, NULL, NULL));
}

static void
look_at_node (const HlArchiveNode *node)
{
  if (node->problem != NULL)
    {
      g_assert (g_utf8_validate (node->problem->message, -1, NULL));
      g_assert (strlen (node->problem->message) < 2000);
      return;
    }
  if (node->members != NULL)
    g_tree_foreach (node->members, look_at_member, (gpointer) node);
  if (node->tensor != NULL)
    look_at_tensor (node->tensor);
  for (char **string = node->strings; string != NULL && *string != NULL; string++)
    g_assert (g_utf8_validate (*string, -1, NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  HlJsonReader reader;

  hl_json_reader_init (&reader, (const char *) bytes, size, NULL, NULL);
  g_autoptr (HlArchiveNode) root = hl_json_parse (&reader, "list", &error);

  g_assert ((root == NULL) == (error != NULL));
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL));
  if (root != NULL)
    look_at_node (root);
  return 0;
}
