/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HL_HUB_MAIN:
 *
 * The revision that is meant where none is said.
 */
#define HL_HUB_MAIN "main"

/**
 * HlHubName:
 * @repository: `org/name`, or only a name, as the oldest models have
 * @revision: a branch, a tag or the hash of a commit
 * @part: (nullable): which of the GGUF files: its quantisation or its path
 *
 * How somebody writes a model of the hub: `org/name`, `org/name@revision`, `org/name:Q4_K_M`, `org/name/file.gguf`. Whatever was read of
 * it is safe in paths and addresses.
 */
typedef struct
{
  char *repository;
  char *revision;
  char *part;
} HlHubName;

HlHubName *hl_hub_name_parse        (const char  *text,
                                     GError     **error);
void       hl_hub_name_free         (HlHubName   *self);

gboolean   hl_hub_is_hash           (const char  *text,
                                     gsize        n_digits);
guint      hl_hub_get_shard         (const char  *name,
                                     const char  *suffix,
                                     gsize       *stem);
char      *hl_hub_make_quantisation (const char  *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHubName, hl_hub_name_free)

G_END_DECLS
