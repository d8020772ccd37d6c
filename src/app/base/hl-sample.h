/* SPDX-License-Identifier: MIT */
/* What comes along with the program to be looked at: a model, and texts whose attention was computed before. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A text, or two, and the dump of its attention. */
typedef struct
{
  const char *text;
  const char *second_text;
  const char *dump;
} HlSampleText;

GFile              *hl_sample_find_model (void);
GFile              *hl_sample_get_dump   (const HlSampleText *text);
const HlSampleText *hl_sample_get_texts  (guint              *n_texts);

G_END_DECLS
