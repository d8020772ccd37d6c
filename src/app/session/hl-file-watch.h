/* SPDX-License-Identifier: MIT */
/* Whether a file, or the folder of a model, is still what was read. Lives on the main thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  HL_FILE_AS_READ,
  HL_FILE_CHANGED,
  HL_FILE_GONE,
} HlFileState;

#define HL_TYPE_FILE_WATCH (hl_file_watch_get_type ())
G_DECLARE_FINAL_TYPE (HlFileWatch, hl_file_watch, HL, FILE_WATCH, GObject)

HlFileWatch *hl_file_watch_new       (GFile       *file,
                                      const char  *stamp);
void         hl_file_watch_check     (HlFileWatch *self);
HlFileState  hl_file_watch_get_state (HlFileWatch *self);
const char  *hl_file_watch_get_said  (HlFileWatch *self);
const char  *hl_file_watch_get_stamp (HlFileWatch *self);

G_END_DECLS
