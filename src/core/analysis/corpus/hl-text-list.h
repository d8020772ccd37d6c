/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HlTextList:
 *
 * Texts, a line each, or two of them separated by a tab. A file stays where it is, and its lines are read when they are asked for. Immutable,
 * counted references, any thread.
 */
typedef struct _HlTextList HlTextList;

HlTextList *hl_text_list_load     (GFile             *file,
                                   GCancellable      *cancellable,
                                   GError           **error);
HlTextList *hl_text_list_parse    (const char        *text,
                                   gsize              size,
                                   GError           **error);
HlTextList *hl_text_list_ref      (HlTextList        *self);
void        hl_text_list_unref    (HlTextList        *self);
guint       hl_text_list_get_n    (const HlTextList  *self);
guint       hl_text_list_get_line (const HlTextList  *self,
                                   guint              index);
gsize       hl_text_list_get_size (const HlTextList  *self,
                                   guint              index);
gboolean    hl_text_list_dup      (const HlTextList  *self,
                                   guint              index,
                                   char             **text,
                                   char             **second,
                                   GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTextList, hl_text_list_unref)

G_END_DECLS
