/* SPDX-License-Identifier: MIT */
/* How byte-level tokenizers of GGUF files cut a text, by the name that they give it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define HL_GGUF_MAX_PATTERNS 5

/* What a name stands for. */
typedef struct
{
  const char *names; /* with a space between them */
  const char *patterns[HL_GGUF_MAX_PATTERNS + 1]; /* tried one after the other; what matches is a piece for the next */
  gboolean    nfc;             /* characters are composed first */
  gboolean    ignore_merges;   /* a piece that is a token stays one */
  gboolean    add_bos;         /* where the file does not say */
  gboolean    add_sep;         /* likewise: a second text follows two tokens that end the first */
  gboolean    characters;      /* merges are of characters, with ▁ for spaces; patterns are not used */
} HlGgufPre;

const HlGgufPre *hl_gguf_pre_find (const char  *name,
                                   GError     **error);

G_END_DECLS
