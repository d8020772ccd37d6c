/* SPDX-License-Identifier: MIT */
/* What a page holds, put together as a dump has it. */
#include "core/archive/web/hl-page-example.h"

#include <string.h>

/* What a string takes besides its bytes, and a member. */
#define STRING_COST 32
#define MEMBER_COST 256

HlPageExample *
hl_page_example_new (const char *name)
{
  HlPageExample *self = g_new0 (HlPageExample, 1);

  self->name = g_strdup (name);
  self->group = hl_archive_node_new (HL_MEMBER_GROUP);
  return self;
}

/* Frees it with what is in it. */
void
hl_page_example_free (HlPageExample *self)
{
  g_free (self->name);
  g_free (self->view);
  g_clear_pointer (&self->group, hl_archive_node_free);
  g_free (self);
}

static HlArchiveNode *
copy_node (const HlArchiveNode *from)
{
  HlArchiveNode *node = hl_archive_node_new (from->kind);

  g_set_object (&node->tensor, from->tensor);
  node->strings = g_strdupv (from->strings);
  node->n_repaired = from->n_repaired;
  node->attribute = from->attribute != NULL ? g_variant_ref (from->attribute) : NULL;
  node->problem = from->problem != NULL ? g_error_copy (from->problem) : NULL;
  return node;
}

static gsize
measure_strings (const HlArchiveNode *node)
{
  gsize bytes = MEMBER_COST;

  for (char **i = node->strings; i != NULL && *i != NULL; i++)
    bytes += strlen (*i) + STRING_COST;
  return bytes;
}

/* Adds a member of a page, or layers that differ in heads. Numbers are shared; strings are paid for once more, for a small
 * page can have many examples. Nothing happens if there is none, or if the example has that member already. */
gboolean
hl_page_example_copy (HlPageExample       *self,
                      const char          *name,
                      const HlArchiveNode *from,
                      const char          *from_name,
                      HlJsonBudget        *budget,
                      GError             **error)
{
  const HlArchiveNode *member = hl_archive_node_get (from, from_name);

  if (member == NULL || hl_archive_node_get (self->group, name) != NULL)
    return TRUE;
  if (member->problem != NULL)
    {
      g_propagate_error (error, g_error_copy (member->problem));
      return FALSE;
    }
  gsize bytes = measure_strings (member);
  for (GTreeNode *i = member->members != NULL ? g_tree_node_first (member->members) : NULL; i != NULL;
       i = g_tree_node_next (i))
    bytes += measure_strings (g_tree_node_value (i));
  if (!hl_json_budget_spend (budget, bytes, error))
    return FALSE;
  HlArchiveNode *node = copy_node (member);
  for (GTreeNode *i = member->members != NULL ? g_tree_node_first (member->members) : NULL; i != NULL;
       i = g_tree_node_next (i))
    hl_archive_node_add (node, g_tree_node_key (i), copy_node (g_tree_node_value (i)));
  hl_archive_node_add (self->group, name, node);
  return TRUE;
}

/* Adds numbers. */
void
hl_page_example_add_tensor (HlPageExample *self,
                            const char    *name,
                            HlTensor      *tensor)
{
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_TENSOR);

  node->tensor = g_object_ref (tensor);
  hl_archive_node_add (self->group, name, node);
}

/* Adds an attribute. */
void
hl_page_example_add_attribute (HlPageExample *self,
                               const char    *name,
                               GVariant      *value)
{
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_OTHER);

  node->attribute = g_variant_ref_sink (value);
  hl_archive_node_add (self->group, name, node);
}

/* Adds them, unless they are 0, 1, 2 … and so tell nothing. */
void
hl_page_example_add_numbers (HlPageExample *self,
                             const char    *name,
                             const float   *numbers,
                             gsize          n)
{
  const HlShape shape = { .rank = 1, .dims = { n } };
  gsize i = 0;

  while (i < n && numbers[i] == (float) i)
    i++;
  if (i == n)
    return;
  g_autoptr (GBytes) bytes = g_bytes_new (numbers, n * sizeof (float));
  g_autoptr (HlTensor) tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, 0, NULL);
  hl_page_example_add_tensor (self, name, tensor);
}
