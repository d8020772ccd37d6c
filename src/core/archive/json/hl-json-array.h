/* SPDX-License-Identifier: MIT */
/* An array of JSON: a tensor, a tensor for each layer, or a list of strings. */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/archive/hl-span.h"
#include "core/archive/json/hl-json-sizes.h"
#include "core/json/hl-json-reader.h"

G_BEGIN_DECLS

/* What an array of JSON turned out to be. */
typedef struct
{
  HlMemberKind kind;      /* tensor, strings, group (a tensor for each element of the first axis) or other */
  HlShape      shape;     /* of a group: the sizes of its first element with the group's own axis in front */
  HlSpan      *numbers;   /* float32, last axis fastest, or NULL */
  HlJsonSizes  sizes;     /* how elements of the first axis differ, if they do */
  GPtrArray   *strings;   /* NULL-terminated, or NULL */
  GError      *problem;   /* why it cannot be read, with the member and the place, or NULL */
} HlJsonArray;

gboolean hl_json_array_read  (HlJsonArray   *self,
                              HlJsonReader  *reader,
                              HlJsonBudget  *budget,
                              const char    *path,
                              GError       **error);
void     hl_json_array_clear (HlJsonArray   *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlJsonArray, hl_json_array_clear)

G_END_DECLS
