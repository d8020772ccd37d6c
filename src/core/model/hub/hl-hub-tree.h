/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HL_HUB_SHA1_DIGITS:
 *
 * Digits of the hash of a commit, and of a small file as git has it.
 */
#define HL_HUB_SHA1_DIGITS 40

/**
 * HL_HUB_SHA256_DIGITS:
 *
 * Digits of the hash of the content of a large file.
 */
#define HL_HUB_SHA256_DIGITS 64

/**
 * HlHubFile:
 * @path: where it is in its repository, safe as hl_relative_path_is_safe() has it
 * @size: bytes
 * @hash: %HL_HUB_SHA256_DIGITS of its content, or %HL_HUB_SHA1_DIGITS as git has it; the name of its blob in the cache
 *
 * A file of a repository.
 */
typedef struct
{
  char   *path;
  guint64 size;
  char   *hash;
} HlHubFile;

GPtrArray *hl_hub_tree_new        (void);
gboolean   hl_hub_tree_add        (GPtrArray   *files,
                                   const char  *text,
                                   gsize        size,
                                   GError     **error);
char      *hl_hub_refs_find       (const char  *text,
                                   gsize        size,
                                   const char  *revision,
                                   GError     **error);
char      *hl_hub_link_find_next  (const char  *header);

G_END_DECLS
