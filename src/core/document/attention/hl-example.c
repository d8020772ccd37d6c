/* SPDX-License-Identifier: MIT */
#include "core/document/attention/hl-example.h"

#include "core/document/tokens/hl-token-time.h"

/**
 * HlExample:
 *
 * One example of a document: its attentions, its text, and what looked odd about it. Immutable.
 */

struct _HlExample
{
  GObject parent_instance;

  char *name;
  char *text;
  char *text_pair;
  GPtrArray *attentions;
  GPtrArray *checks;
  HlAnnotation *annotation; /* nullable */
  guint64 stored;
};

G_DEFINE_FINAL_TYPE (HlExample, hl_example, G_TYPE_OBJECT)

static void
hl_example_finalize (GObject *object)
{
  HlExample *self = HL_EXAMPLE (object);

  g_free (self->name);
  g_free (self->text);
  g_free (self->text_pair);
  g_ptr_array_unref (self->attentions);
  g_ptr_array_unref (self->checks);
  g_clear_pointer (&self->annotation, hl_annotation_unref);
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
  self->attentions = g_ptr_array_new ();
  self->checks = g_ptr_array_new ();
}

/**
 * hl_example_new: (skip)
 * @name: (nullable): what the file calls it
 * @text: (nullable): the text that was attended over
 * @text_pair: (nullable): the second text
 * @attentions: (element-type HlAttention): at least one; shared, not copied
 * @checks: (element-type HlCheck): likewise; may be empty
 *
 * For those who read files.
 *
 * Returns: (transfer full): the example
 */
HlExample *
hl_example_new (const char *name,
                const char *text,
                const char *text_pair,
                GPtrArray  *attentions,
                GPtrArray  *checks)
{
  HlExample *self = g_object_new (HL_TYPE_EXAMPLE, NULL);

  self->name = g_strdup (name);
  self->text = g_strdup (text);
  self->text_pair = g_strdup (text_pair);
  g_ptr_array_unref (self->attentions);
  self->attentions = g_ptr_array_ref (attentions);
  g_ptr_array_unref (self->checks);
  self->checks = g_ptr_array_ref (checks);
  return self;
}

/**
 * hl_example_set_annotation: (skip)
 * @self: an example
 * @annotation: (nullable): the words of its text
 *
 * For those who read files, before anybody else has the example.
 */
void
hl_example_set_annotation (HlExample    *self,
                           HlAnnotation *annotation)
{
  g_return_if_fail (HL_IS_EXAMPLE (self));
  g_return_if_fail (self->annotation == NULL);

  self->annotation = annotation != NULL ? hl_annotation_ref (annotation) : NULL;
}

/**
 * hl_example_set_stored: (skip)
 * @self: an example
 * @stored: how many bytes of its numbers the file holds
 *
 * For those who read files, before anybody else has the example.
 */
void
hl_example_set_stored (HlExample *self,
                       guint64    stored)
{
  g_return_if_fail (HL_IS_EXAMPLE (self));

  self->stored = stored;
}

/**
 * hl_example_get_stored: (skip)
 * @self: an example
 *
 * Returns: how many bytes of its numbers the file holds, where that is far less than it announces; see hl_expansion_check()
 */
guint64
hl_example_get_stored (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), 0);

  return self->stored;
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
 * hl_example_get_n_attentions:
 * @self: an example
 *
 * Returns: how many kinds of attention it has, at least 1
 */
guint
hl_example_get_n_attentions (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), 0);

  return self->attentions->len;
}

/**
 * hl_example_get_attention:
 * @self: an example
 * @index: which of them, below hl_example_get_n_attentions()
 *
 * Returns: (transfer none): an attention
 */
HlAttention *
hl_example_get_attention (HlExample *self,
                          guint      index)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);
  g_return_val_if_fail (index < self->attentions->len, NULL);

  return g_ptr_array_index (self->attentions, index);
}

/**
 * hl_example_find_attention:
 * @self: an example
 * @kind: a kind of attention
 *
 * Returns: (transfer none) (nullable): the attention of that kind, if it has one
 */
HlAttention *
hl_example_find_attention (HlExample      *self,
                           HlAttentionKind kind)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  for (guint i = 0; i < self->attentions->len; i++)
    if (hl_attention_get_kind (g_ptr_array_index (self->attentions, i)) == kind)
      return g_ptr_array_index (self->attentions, i);
  return NULL;
}

/**
 * hl_example_choose_attention:
 * @self: an example
 *
 * Chooses what of it is looked at first: the first attention, or, where that is of a sound with itself, and some text looks at the sound, what
 * the text looks at.
 *
 * Returns: (transfer none): one of its attentions
 */
HlAttention *
hl_example_choose_attention (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);
  g_return_val_if_fail (self->attentions->len > 0, NULL);

  HlAttention *first = g_ptr_array_index (self->attentions, 0);
  HlAttention *cross = hl_example_find_attention (self, HL_ATTENTION_CROSS);
  return cross != NULL &&
             hl_token_times_rise (hl_attention_get_texts (first, HL_QUERIES), hl_attention_get_n (first, HL_QUERIES))
           ? cross
           : first;
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

/**
 * hl_example_get_annotation: (skip)
 * @self: an example
 *
 * Returns: (transfer none) (nullable): the words of the text with what depends on what, when the file has them
 */
HlAnnotation *
hl_example_get_annotation (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  return self->annotation;
}
