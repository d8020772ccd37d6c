/* SPDX-License-Identifier: MIT */
/* Tokens as people read them: in labels, in sentences, and beside how the tokenizer spells them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *hl_token_text_show     (const char *token);
char *hl_token_text_quote    (const char *token);
char *hl_token_text_shorten  (const char *token,
                              guint       n_letters);
char *hl_token_text_describe (const char *text,
                              const char *token);

G_END_DECLS
