/* SPDX-License-Identifier: MIT */
/* An entry for texts: it wraps, keeps line breaks, and grows by some lines before it scrolls. What is beyond
 * HL_LIMIT_FIELD_TEXT or HL_LIMIT_FIELD_MARKS is refused, and leaves what is there. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_TEXT_FIELD (hl_text_field_get_type ())
G_DECLARE_FINAL_TYPE (HlTextField, hl_text_field, HL, TEXT_FIELD, AdwBin)

char *hl_text_field_dup_text (HlTextField *self);
gboolean hl_text_field_set_text (HlTextField *self,
                                 const char  *text);
gboolean hl_text_field_replace_text (HlTextField *self,
                                     const char  *text);
void  hl_text_field_set_name (HlTextField *self,
                              const char  *name,
                              const char  *hint);
void  hl_text_field_set_max_lines (HlTextField *self,
                                   guint        max_lines);
void  hl_text_field_focus    (HlTextField *self);

G_END_DECLS
