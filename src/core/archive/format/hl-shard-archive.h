/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

#define HL_TYPE_SHARD_ARCHIVE (hl_shard_archive_get_type ())
G_DECLARE_FINAL_TYPE (HlShardArchive, hl_shard_archive, HL, SHARD_ARCHIVE, GObject)

/**
 * HlShardOpen:
 *
 * Opens one file alone.
 */
typedef HlArchive *(*HlShardOpen) (GFile *file, HlProgress *progress, GCancellable *cancellable, GError **error);

HlArchive *hl_shard_archive_gather      (GFile        *file,
                                         HlArchive    *archive,
                                         HlShardOpen   open,
                                         HlProgress   *progress,
                                         GCancellable *cancellable,
                                         GError      **error);
guint      hl_shard_archive_get_n_ranks (HlArchive    *archive);

G_END_DECLS
