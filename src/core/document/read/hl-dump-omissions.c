/* SPDX-License-Identifier: MIT */
/* What is not there: layers and heads of the model that the file leaves out, and parts of the file that are broken. */
#include "core/document/read/hl-dump-omissions.h"

#include <glib/gi18n-lib.h>

#include "core/document/read/hl-dump-attributes.h"

/* As many are named; the rest is counted. */
#define MAX_NAMED 32

/* The numbers as people write them, such as `2, 5, 11`. */
static char *
list_numbers (const HlDumpContext *context,
              const char          *name)
{
  g_autofree char *path = hl_dump_context_get_path (context, name);

  if (hl_archive_get_kind (context->archive, path) != HL_MEMBER_TENSOR)
    return NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, NULL);
  if (tensor == NULL || hl_tensor_get_shape (tensor)->rank != 1)
    return NULL;

  const guint64 n = hl_tensor_get_shape (tensor)->dims[0];
  const guint64 start[1] = { 0 }, count[1] = { MIN (n, MAX_NAMED) };
  float numbers[MAX_NAMED];
  if (n == 0 || !hl_tensor_read_f32 (tensor, start, count, numbers, context->cancellable, NULL))
    return NULL;
  GString *list = g_string_new (NULL);
  for (guint64 i = 0; i < count[0]; i++)
    g_string_append_printf (list, "%s%.0f", i > 0 ? ", " : "", (double) numbers[i]);
  if (n > MAX_NAMED)
    g_string_append (list, ", …");
  return g_string_free (list, FALSE);
}

/**
 * hl_dump_note_omissions: (skip)
 * @context: which example
 *
 * Notes what `include_layers` and `include_heads` say: which layers and heads of the model those of the file are; and,
 * as `unreadable` of the root, why something else in the file could not be read.
 */
void
hl_dump_note_omissions (const HlDumpContext *context)
{
  const HlDumpContext root = { context->archive, "", context->checks, context->cancellable };
  g_autofree char *layers = list_numbers (context, "include_layers");
  g_autofree char *heads = list_numbers (context, "include_heads");
  g_autofree char *unreadable = hl_dump_read_text (&root, "unreadable");

  if (layers != NULL)
    hl_dump_context_add_check (
      context, HL_SEVERITY_INFO,
      _ ("the file has only these layers of the model, which are counted from 0 here: %s"), layers);
  if (heads != NULL)
    hl_dump_context_add_check (
      context, HL_SEVERITY_INFO,
      _ ("the file has only these heads of the model, which are counted from 0 here: %s"), heads);
  if (unreadable != NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("something else in the file is left out: %s"), unreadable);
}
