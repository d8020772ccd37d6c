/* SPDX-License-Identifier: MIT */
/* What the files share that read an array of JSON. */
#pragma once

#include "core/archive/json/hl-json-array.h"

G_BEGIN_DECLS

typedef enum
{
  HL_JSON_ARRAY_UNKNOWN,
  HL_JSON_ARRAY_NUMBERS,
  HL_JSON_ARRAY_STRINGS,
  HL_JSON_ARRAY_SKIP,
} HlJsonArrayMode;

typedef struct
{
  HlJsonArray *array;
  HlJsonLexer *lexer;
  HlJsonBudget *budget;
  const char *path;
  HlJsonArrayMode mode;
  guint base;                            /* containers around the array */
  guint depth;                           /* open containers of the array, itself included */
  char closers[HL_JSON_MAX_DEPTH + 1];   /* by depth, what closes the container */
  guint64 counts[HL_JSON_MAX_DEPTH + 1]; /* by depth, elements that are complete */
  gsize n_allocated;
  GString *string;
} HlJsonArrayReader;

void hl_json_array_give_up             (HlJsonArrayReader *self,
                                        HlMemberKind       kind,
                                        GError            *problem);
void hl_json_array_give_up_mixed       (HlJsonArrayReader *self,
                                        const char        *at,
                                        const char        *what);
void hl_json_array_give_up_deep        (HlJsonArrayReader *self);
void hl_json_array_give_up_large       (HlJsonArrayReader *self,
                                        const char        *at);
void hl_json_array_give_up_ragged_kind (HlJsonArrayReader *self,
                                        const char        *at,
                                        gboolean           list_found);
void hl_json_array_give_up_ragged_size (HlJsonArrayReader *self,
                                        guint              axis,
                                        guint64            size,
                                        guint64            expected);

G_END_DECLS
