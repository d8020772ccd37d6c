/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define HL_TYPE_PROGRESS (hl_progress_get_type ())
G_DECLARE_FINAL_TYPE (HlProgress, hl_progress, HL, PROGRESS, GObject)

HlProgress *hl_progress_new          (void);
void        hl_progress_set          (HlProgress *self,
                                      double      fraction,
                                      const char *message);
void        hl_progress_begin        (HlProgress *self,
                                      gsize       n_tokens);
double      hl_progress_get_fraction (HlProgress *self);
char       *hl_progress_dup_message  (HlProgress *self);
char       *hl_progress_dup_pace     (HlProgress *self);

G_END_DECLS
