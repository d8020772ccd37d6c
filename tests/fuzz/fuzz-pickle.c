/* SPDX-License-Identifier: MIT */
/* Any bytes as a pickle, and what it makes as members of an archive. */
#include "fuzz.h"

#include "core/archive/pydata/hl-pickle-node.h"
#include "core/archive/pydata/hl-torch-archive.h"

#include <string.h>

static gboolean
look_at_member (gpointer name,
                gpointer member,
                gpointer data)
{
  const HlArchiveNode *node = member;

  g_assert (g_utf8_validate (name, -1, NULL));
  if (node->problem != NULL)
    g_assert (g_utf8_validate (node->problem->message, -1, NULL));
  for (char **string = node->strings; string != NULL && *string != NULL; string++)
    g_assert (g_utf8_validate (*string, -1, NULL));
  if (node->members != NULL)
    g_tree_foreach (node->members, look_at_member, NULL);
  return FALSE;
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GBytes) file = g_bytes_new_static (bytes, size);
  g_autoptr (HlSpan) span = hl_span_new_for_bytes (file);
  g_autoptr (HlPickleHeap) heap = hl_pickle_heap_new ();
  g_autoptr (GError) error = NULL;
  guint64 offset = 0;
  HlPickleValue *value = hl_pickle_load (heap, span, &offset, hl_torch_archive_unpack, NULL, NULL, &error);
  g_autoptr (HlArchiveNode) node = value != NULL ? hl_pickle_node_new (heap, value, NULL, &error) : NULL;

  g_assert ((node == NULL) == (error != NULL));
  g_assert (offset <= size);
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL));
  if (node != NULL && node->members != NULL)
    g_tree_foreach (node->members, look_at_member, NULL);
  return 0;
}
