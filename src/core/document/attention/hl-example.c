/* SPDX-License-Identifier: MIT */
/* One example of a document: its attentions, its text, and what looked odd about it. Immutable. */
#include "core/document/attention/hl-example.h"

struct _HlExample
{
  GObject parent_instance;

  char *name;
  char *text;
  char *text_pair;
  GPtrArray *attentions;
  GPtrArray *checks;
  HlAnnotation *annotation; /* nullable */
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
}

/* For those who read files. The arrays are shared, not copied. */
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
  self->attentions = g_ptr_array_ref (attentions);
  self->checks = g_ptr_array_ref (checks);
  return self;
}

/* For those who read files, before anybody else has the example. */
void
hl_example_set_annotation (HlExample    *self,
                           HlAnnotation *annotation)
{
  g_return_if_fail (HL_IS_EXAMPLE (self));
  g_return_if_fail (self->annotation == NULL);

  self->annotation = annotation != NULL ? hl_annotation_ref (annotation) : NULL;
}

/* Returns what the file calls it; %NULL for the only example of a file. */
const char *
hl_example_get_name (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  return self->name;
}

/* Returns the text that was attended over. */
const char *
hl_example_get_text (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  return self->text;
}

/* Returns the second text, when there are two. */
const char *
hl_example_get_text_pair (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  return self->text_pair;
}

/* Returns how many kinds of attention it has, at least 1. */
guint
hl_example_get_n_attentions (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), 0);

  return self->attentions->len;
}

HlAttention *
hl_example_get_attention (HlExample *self,
                          guint      index)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);
  g_return_val_if_fail (index < self->attentions->len, NULL);

  return g_ptr_array_index (self->attentions, index);
}

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

/* Returns what looked odd when it was read. */
GPtrArray *
hl_example_get_checks (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  return self->checks;
}

/* Returns the words of the text with what depends on what, when the file has them. */
HlAnnotation *
hl_example_get_annotation (HlExample *self)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (self), NULL);

  return self->annotation;
}
