/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive-writer.h"
#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

/**
 * HlFormat:
 * @label: (nullable): what a list of what can be opened calls it; %NULL if it is not mentioned there
 * @suffixes: how names of such files end, without the dot, the usual one first, up to %NULL
 * @mime_types: what the desktop calls them, up to %NULL
 * @is_guess: whether bytes that look like it may be of another format, which then is asked before
 * @recognise: whether a file is one, by its first bytes
 * @open: opens it
 * @create: (nullable): begins a new one
 *
 * A container of dumps. A new one is a folder of its own and a row in hl-format.c.
 */
typedef struct
{
  const char *label;
  const char *suffixes[6];
  const char *mime_types[3];
  gboolean    is_guess;

  gboolean         (*recognise) (GFile         *file,
                                 const guint8  *head,
                                 gsize          size);
  HlArchive       *(*open)      (GFile         *file,
                                 HlProgress    *progress,
                                 GCancellable  *cancellable,
                                 GError       **error);
  HlArchiveWriter *(*create)    (GFile         *file,
                                 GError       **error);
} HlFormat;

const HlFormat *hl_format_get_all       (guint      *n_formats);
const HlFormat *hl_format_find_writable (const char *name);
char           *hl_format_list_labels   (void);
char           *hl_format_list_endings  (void);

HlArchive       *hl_archive_open       (GFile         *file,
                                        HlProgress    *progress,
                                        GCancellable  *cancellable,
                                        GError       **error);
HlArchiveWriter *hl_archive_writer_new (GFile         *file,
                                        GError       **error);

G_END_DECLS
