/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-mapped-file.h"

G_BEGIN_DECLS

/**
 * HlJsonSpool:
 * @lets_go: whether strings are in a file that is mapped to be read
 * @buffer: what has come last, or all of it
 * @fd: the file that has what came before, which nobody else sees; -1 while there is none
 * @mapped: (nullable): that file, once all is there
 *
 * The text of strings without their escapes, one behind the other. What is large does not fill memory.
 */
typedef struct
{
  gboolean     lets_go;
  GString     *buffer;
  int          fd;
  HlMappedFile *mapped;
} HlJsonSpool;

void        hl_json_spool_init   (HlJsonSpool  *self,
                                  gboolean      lets_go);
void        hl_json_spool_clear  (HlJsonSpool  *self);
gboolean    hl_json_spool_add    (HlJsonSpool  *self,
                                  const char   *from,
                                  gsize         size,
                                  GError      **error);
gboolean    hl_json_spool_finish (HlJsonSpool  *self,
                                  const char  **text,
                                  gsize        *size,
                                  gboolean     *is_mapped,
                                  GError      **error);
gboolean    hl_json_spool_check  (HlJsonSpool  *self,
                                  GError      **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlJsonSpool, hl_json_spool_clear)

G_END_DECLS
