/* SPDX-License-Identifier: MIT */
/* What the functions that read one example of a dump share: where it is, and what was odd about it. */
#include "core/document/read/hl-dump-context.h"

#include "core/base/hl-utf8.h"

char *
hl_dump_context_get_path (const HlDumpContext *self,
                          const char          *name)
{
  char *elsewhere = self->layout != NULL
                      ? hl_layout_get_path (self->layout, name, self->step, self->batch, self->archive)
                      : NULL;

  if (elsewhere != NULL)
    return elsewhere;
  return hl_archive_join (self->group, name);
}

HlMemberKind
hl_dump_context_get_kind (const HlDumpContext *self,
                          const char          *name)
{
  g_autofree char *path = hl_dump_context_get_path (self, name);

  return hl_archive_get_kind (self->archive, path);
}

/* Notes something odd. A sentence that is there already is not said twice: attentions share their tokens and
 * attributes. */
void
hl_dump_context_add_check (const HlDumpContext *self,
                           HlSeverity           severity,
                           const char          *format,
                           ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  hl_utf8_flatten (message);
  for (guint i = 0; i < self->checks->len; i++)
    if (g_str_equal (hl_check_get_message (g_ptr_array_index (self->checks, i)), message))
      return;
  g_ptr_array_add (self->checks, hl_check_new (severity, "%s", message));
}
