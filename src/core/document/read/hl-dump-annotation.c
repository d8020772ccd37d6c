/* SPDX-License-Identifier: MIT */
/* Words with their heads beside the attention over them, as in the pickles of Clark et al. 2019: `words`, `heads`, `relns`. */
#include "core/document/read/hl-dump-annotation.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/base/hl-error.h"

static float *
read_heads (const HlDumpContext *context,
            const char          *path,
            guint64              n,
            GError             **error)
{
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, error);
  const guint64 start[1] = { 0 }, count[1] = { n };

  if (tensor == NULL)
    return NULL;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  if (shape->rank != 1 || shape->dims[0] != n || n == 0)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“heads” has the sizes %s, and there are %" PRIu64 " words"),
                   sizes, n);
      return NULL;
    }
  g_autofree float *heads = g_new (float, n);
  return hl_tensor_read_f32 (tensor, start, count, heads, context->cancellable, error) ? g_steal_pointer (&heads)
                                                                                       : NULL;
}

static HlAnnotation *
read_annotation (const HlDumpContext *context,
                 const char          *words_path,
                 const char          *heads_path,
                 GError             **error)
{
  g_autofree char *relations_path = hl_dump_context_get_path (context, "relns");
  g_auto (GStrv) relations = NULL;
  g_auto (GStrv) words = hl_archive_read_strings (context->archive, words_path, error);
  const guint n = words != NULL ? g_strv_length (words) : 0;
  g_autofree float *heads = words != NULL ? read_heads (context, heads_path, n, error) : NULL;

  if (heads == NULL)
    return NULL;
  if (hl_archive_get_kind (context->archive, relations_path) == HL_MEMBER_STRINGS)
    {
      relations = hl_archive_read_strings (context->archive, relations_path, error);
      if (relations == NULL)
        return NULL;
      if (g_strv_length (relations) != n)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("there are %u “relns” and %u words"),
                       g_strv_length (relations), n);
          return NULL;
        }
    }
  return hl_annotation_new_of_lists ((const char *const *) words, heads, (const char *const *) relations, n, error);
}

/* Returns the words of an example with their heads; NULL if there are none. What is wrong with them is noted: the attention can be shown
 * without. */
HlAnnotation *
hl_dump_read_annotation (const HlDumpContext *context)
{
  g_autofree char *words_path = hl_dump_context_get_path (context, "words");
  g_autofree char *heads_path = hl_dump_context_get_path (context, "heads");
  g_autoptr (GError) error = NULL;

  if (hl_archive_get_kind (context->archive, words_path) != HL_MEMBER_STRINGS ||
      hl_archive_get_kind (context->archive, heads_path) != HL_MEMBER_TENSOR)
    return NULL;
  HlAnnotation *annotation = read_annotation (context, words_path, heads_path, &error);
  if (annotation == NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; the annotations are left out"), error->message);
  return annotation;
}
