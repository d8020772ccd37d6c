/* SPDX-License-Identifier: MIT */
/* One example of a document: its blocks, its text, and what looked odd about it. Immutable. */
#include "core/document/attention/hl-example.h"

struct _HlExample
{
  GObject parent_instance;

  char *name;
  char *text;
  char *text_pair;
  GPtrArray *blocks;
  GPtrArray *checks;
};

G_DEFINE_FINAL_TYPE (HlExample, hl_example, G_TYPE_OBJECT)

static void
hl_example_finalize (GObject *object)
{
  HlExample *self = HL_EXAMPLE (object);

  g_free (self->name);
  g_free (self->text);
  g_free (self->text_pair);
  g_ptr_array_unref (self->blocks);
  g_ptr_array_unref (self->checks);
  G_OBJECT_CLASS (hl_example_parent_class)->finalize (object);
}

static void
hl_example_class_init (HlExampleClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_example_finalize;
}

static void
hl_example_init (HlExample *self)
{
}

/**
 * hl_example_new:
 * @name: (nullable): what it is called
 * @text: (nullable): the text that was attended over
 * @text_pair: (nullable): the second text
 * @blocks: (element-type HlBlock): its kinds of attention, at least one
 * @checks: (element-type HlCheck): what looked odd
 *
 * For those who read files. The arrays are shared, not copied.
 *
 * Returns: (transfer full): an example
 */
HlExample *
hl_example_new (const char *name,
                const char *text,
                const char *text_pair,
                GPtrArray  *blocks,
                GPtrArray  *checks)
{
  HlExample *self = g_object_new (HL_TYPE_EXAMPLE, NULL);

  self->name = g_strdup (name);
  self->text = g_strdup (text);
  self->text_pair = g_strdup (text_pair);
  self->blocks = g_ptr_array_ref (blocks);
  self->checks = g_ptr_array_ref (checks);
  return self;
}

/**
 * hl_example_get_name:
 * @self: an example
 *
 * Returns: (nullable): what the file calls it; %NULL for the only example of a file
 */
const char *
hl_example_get_name (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  return self->name;
}

/**
 * hl_example_get_text:
 * @self: an example
 *
 * Returns: (nullable): the text that was attended over
 */
const char *
hl_example_get_text (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  return self->text;
}

/**
 * hl_example_get_text_pair:
 * @self: an example
 *
 * Returns: (nullable): the second text, when there are two
 */
const char *
hl_example_get_text_pair (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  return self->text_pair;
}

/**
 * hl_example_get_n_blocks:
 * @self: an example
 *
 * Returns: how many kinds of attention it has, at least 1
 */
guint
hl_example_get_n_blocks (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), 0);

  return self->blocks->len;
}

/**
 * hl_example_get_block:
 * @self: an example
 * @index: which block
 *
 * Returns: (transfer none): the block
 */
HlBlock *
hl_example_get_block (HlExample *self,
                      guint      index)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);
  g_return_val_if_fail (index < self->blocks->len, NULL);

  return g_ptr_array_index (self->blocks, index);
}

/**
 * hl_example_find_block:
 * @self: an example
 * @kind: a kind of attention
 *
 * Returns: (transfer none) (nullable): the block of that kind
 */
HlBlock *
hl_example_find_block (HlExample   *self,
                       HlBlockKind  kind)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  for (guint i = 0; i < self->blocks->len; i++)
    if (hl_block_get_kind (g_ptr_array_index (self->blocks, i)) == kind)
      return g_ptr_array_index (self->blocks, i);
  return NULL;
}

/**
 * hl_example_get_checks:
 * @self: an example
 *
 * Returns: (transfer none) (element-type HlCheck): what looked odd when it was read
 */
GPtrArray *
hl_example_get_checks (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  return self->checks;
}
