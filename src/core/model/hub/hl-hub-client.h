/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/base/hl-progress.h"

G_BEGIN_DECLS

/**
 * HlHubClient:
 *
 * Asks the hub. To be used from the thread that made it.
 */
typedef struct _HlHubClient HlHubClient;

/**
 * HlHubAnswer:
 * @from: which byte of the file the answer begins with
 * @has_size: whether it is told how large the file is
 * @size: bytes of the whole file
 * @hash: (nullable): the hash of the file, if the hub told one
 *
 * What is said of a file before its bytes.
 */
typedef struct
{
  guint64  from;
  gboolean has_size;
  guint64  size;
  char    *hash;
} HlHubAnswer;

HlHubClient  *hl_hub_client_new    (HlProgress    *progress,
                                    GError       **error);
void          hl_hub_client_free   (HlHubClient   *self);
char         *hl_hub_client_get    (HlHubClient   *self,
                                    const char    *address,
                                    gsize         *size,
                                    char         **link,
                                    GCancellable  *cancellable,
                                    GError       **error);
GInputStream *hl_hub_client_open   (HlHubClient   *self,
                                    const char    *address,
                                    guint64        from,
                                    HlHubAnswer   *answer,
                                    GCancellable  *cancellable,
                                    GError       **error);
gboolean      hl_hub_client_wait   (HlHubClient   *self,
                                    guint          n_failures,
                                    GCancellable  *cancellable,
                                    GError       **error);
void          hl_hub_answer_clear  (HlHubAnswer   *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHubClient, hl_hub_client_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlHubAnswer, hl_hub_answer_clear)

G_END_DECLS
